"""The nodes that a picture shows, with their words cut to size, before they have a place."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dtree_lab.draw import words
from dtree_lab.draw.inside import LEAD, PAD
from dtree_lab.draw.measure import fit, width, wrap
from dtree_lab.draw.style import DETAIL, LABEL, TITLE
from dtree_lab.tree import Branch, term

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from dtree_lab.draw.telling import Said
    from dtree_lab.table import Attribute
    from dtree_lab.tree import Node, Path

# Pixels at scale 1: a title has at most two lines of this length.
ROOM = 138.0
# A line that a leaf answers has so many terms on its card, each on a line of its own.
_TERMS = 3


@dataclass(slots=True)
class Drawn:
    """A node on its way into the picture. `above` is the number of its parent."""

    path: Path
    node: Node
    above: int = -1
    full: str = ""
    position: int = 1
    siblings: int = 1
    hidden: int = 0
    title: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    value: str = ""
    w: float = 0.0


def gather(
    root: Node, attributes: Sequence[Attribute], folded: Mapping[Path, Collection[int]]
) -> list[Drawn]:
    """The nodes that are drawn, breadth first; of a folded one only some children, if any."""
    drawn: list[Drawn] = []
    waiting = deque([Drawn((), root)])
    while waiting:
        one = waiting.popleft()
        drawn.append(one)
        if not isinstance(one.node, Branch):
            continue
        n = len(one.node.children)
        shown = folded.get(one.path, range(n))
        one.hidden = sum(words.size(c) for b, c in enumerate(one.node.children) if b not in shown)
        for b, child in enumerate(one.node.children):
            if b not in shown:
                continue
            full = words.answer(one.node.split, attributes, b)
            waiting.append(Drawn((*one.path, b), child, len(drawn) - 1, full, b + 1, n))
    return drawn


def fitted(one: Drawn, says: Said) -> None:
    """Cut what a node says to size, and make its card as wide as that needs."""
    lead = 0.0 if isinstance(one.node, Branch) else LEAD
    one.title = tuple(map(words.isolated, _title(says)))
    one.notes = tuple(map(words.isolated, _notes(says)))
    one.value = words.isolated(fit(one.full, ROOM + LEAD, LABEL))
    above = [width(line, TITLE, bold=True) for line in one.title]
    above += [width(line, DETAIL) for line in one.notes]
    one.w = 2 * PAD + max(max(above) + lead, width(says.detail, DETAIL))


def _title(says: Said) -> tuple[str, ...]:
    """One line if it fits; else the name above what is asked of it, so that this stays readable.

    A regression tree is all about numbers: there, none is ever cut.
    """
    name, condition = says.name, says.condition
    if not condition:
        return wrap(name, ROOM, TITLE, bold=True)
    if width(f"{name} {condition}", TITLE, bold=True) <= ROOM:
        return (f"{name} {condition}",)
    if says.cls >= 0:
        return (fit(name, ROOM, TITLE, bold=True), fit(condition, ROOM, TITLE, bold=True))
    sign = " =" if name.endswith(" =") and width(name, TITLE, bold=True) > ROOM else ""
    room = ROOM - width(sign, TITLE, bold=True)
    return (fit(name.removesuffix(sign), room, TITLE, bold=True) + sign, condition)


def _notes(says: Said) -> list[str]:
    """The small lines below a title; of a term the name is cut, never a number."""
    shown = says.terms if len(says.terms) <= _TERMS else says.terms[: _TERMS - 1]
    lines = []
    for name, slope, mean in shown:
        room = max(ROOM - width(term("", slope, mean), DETAIL), 3 * DETAIL)
        lines.append(term(fit(name, room, DETAIL), slope, mean))
    if len(shown) < len(says.terms):
        lines.append(f"+ {len(says.terms) - len(shown):,} more terms")
    return [*lines, says.note] if says.note else lines
