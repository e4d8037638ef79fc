"""A drawing as nested values: the browser makes nodes of it, a static picture text.

``Element("path", {"d": "M0,0L9,9"})`` is written once, by whoever lays a figure out. Names and
values of tables enter it as plain text; they are made harmless where they are written down.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dtree_lab.escape import html

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Element:
    """An SVG element.

    Attributes
    ----------
    name
        Such as ``"path"``.
    attributes
        What it has; numbers are coordinates.
    children
        Elements, and texts.
    """

    name: str
    attributes: Mapping[str, str | float] = field(default_factory=dict)
    children: tuple[Element | str, ...] = ()

    def json(self) -> list[Any]:
        """``[name, attributes, child, …]``, as the browser takes it."""
        given = {k: _value(v) for k, v in self.attributes.items()}
        below = (child if isinstance(child, str) else child.json() for child in self.children)
        return [self.name, given, *below]

    def svg(self) -> str:
        """The element as text, its texts escaped."""
        given = "".join(f' {k}="{html(_value(v))}"' for k, v in self.attributes.items())
        below = "".join(
            html(child) if isinstance(child, str) else child.svg() for child in self.children
        )
        return f"<{self.name}{given}>{below}</{self.name}>"


def _value(v: str | float) -> str | float:
    """A coordinate to a tenth of a pixel: nobody sees more, and messages stay small."""
    if isinstance(v, str):
        return v
    near = round(v, 1)
    return int(near) if near == int(near) else near


def path(points: list[tuple[float, float]]) -> str:
    """Path data through points, to a tenth of a pixel."""
    return "M" + "L".join(f"{_value(x)},{_value(y)}" for x, y in points)
