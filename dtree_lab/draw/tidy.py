"""Where the nodes of a tree stand side by side: Reingold and Tilford's tidy drawing.

Parents stand over the middle of their children, the order is kept, and a subtree is drawn the
same wherever it is. Packing from the left and from the right and taking the mean makes the mirror
image of a tree the mirror image of its drawing, and spreads small subtrees between large ones.
Every rule is linear, so the mean keeps it.

Contours are lists, the deepest level first, with a shift that is added late; joining two costs no
more than the shorter one, which makes the whole linear in the number of nodes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(slots=True)
class _Contour:
    """The left or right outline of a subtree: what is drawn at ``at[-1] + shift`` is its root."""

    at: list[float]
    shift: float = 0.0

    def overwrite(self, top: _Contour, moved: float, levels: int) -> None:
        """Take the upper levels from another outline that was moved."""
        change = top.shift + moved - self.shift
        for j in range(1, levels + 1):
            self.at[-j] = top.at[-j] + change

    def moved(self, by: float) -> _Contour:
        """The outline further to the right; the list is handed over."""
        return _Contour(self.at, self.shift + by)


_Sides = tuple[_Contour, _Contour]


def centres(
    children: Sequence[Sequence[int]], half: Sequence[float], gaps: tuple[float, float]
) -> list[float]:
    """The centre of each node, the leftmost edge being at 0.

    Parameters
    ----------
    children
        The children of each node in order; a child's number is above its parent's.
    half
        Half of each node's width.
    gaps
        The least space between siblings, and between other neighbours.

    Examples
    --------
    >>> centres([[1, 2], [], []], [5, 5, 5], (2, 2))
    [11.0, 5.0, 17.0]
    """
    to_right = _offsets(children, half, gaps, backwards=False)
    to_left = _offsets(children, half, gaps, backwards=True)
    x = [0.0] * len(children)
    for i, below in enumerate(children):
        for c in below:
            x[c] = x[i] + (to_right[c] + to_left[c]) / 2
    left = min(x[i] - half[i] for i in range(len(x)))
    return [v - left for v in x]


def _offsets(
    children: Sequence[Sequence[int]],
    half: Sequence[float],
    gaps: tuple[float, float],
    *,
    backwards: bool,
) -> list[float]:
    """Each node's distance from its parent, packed from the left, or backwards from the right."""
    sign = -1.0 if backwards else 1.0
    offset = [0.0] * len(children)
    sides: dict[int, _Sides] = {}
    for i in range(len(children) - 1, -1, -1):
        below = children[i][::-1] if backwards else children[i]
        if not below:
            sides[i] = (_Contour([-half[i]]), _Contour([half[i]]))
            continue
        place, joined = _pack([sides.pop(c) for c in below], gaps)
        middle = place[-1] / 2
        for c, at in zip(below, place, strict=True):
            offset[c] = sign * (at - middle)
        left, right = (side.moved(-middle) for side in joined)
        left.at.append(-half[i] - left.shift)
        right.at.append(half[i] - right.shift)
        sides[i] = (left, right)
    return offset


def _pack(subtrees: list[_Sides], gaps: tuple[float, float]) -> tuple[list[float], _Sides]:
    """Where each subtree goes, as near to those before it as may be, and the outline of all."""
    left, right = subtrees[0]
    place = [0.0]
    for next_left, next_right in subtrees[1:]:
        levels = min(len(right.at), len(next_left.at))
        apart = right.shift - next_left.shift
        a, b = right.at, next_left.at
        at = a[-1] - b[-1] + apart + gaps[0]
        for j in range(2, levels + 1):
            at = max(at, a[-j] - b[-j] + apart + gaps[1])
        place.append(at)
        if len(next_left.at) > len(left.at):
            next_left.overwrite(left, -at, levels)
            left, right = next_left.moved(at), next_right.moved(at)
        else:
            right.overwrite(next_right, at, levels)
    return place, (left, right)
