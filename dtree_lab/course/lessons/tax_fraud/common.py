"""The entropies that several exercises ask about."""

from __future__ import annotations

from dtree_lab.course.bits import entropy_of

H_CHEAT = entropy_of((7, 3))
H_SIX_FOUR = entropy_of((6, 4))
