"""Pictures of the lessons that are not trees or tables: SVG with a text for who cannot see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dtree_lab import escape
from dtree_lab.criteria import entropy
from dtree_lab.shown import bits, number

if TYPE_CHECKING:
    from collections.abc import Mapping

_WIDTH, _HEIGHT = 560, 330
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 540, 24, 270
_STEPS = 100
_TICKS = (0, 0.25, 0.5, 0.75, 1)
# JupyterLab's colours where there are any; else those of the page.
_INK = "var(--jp-content-font-color1, currentColor)"
_ACCENT = "#D55E00"  # Okabe and Ito's vermilion: 4:1 against white, 5:1 against JupyterLab's dark


@dataclass(frozen=True)
class Picture:
    """An SVG with its description; in a terminal, the description alone."""

    svg: str
    says: str

    def __repr__(self) -> str:
        return self.says

    def _repr_html_(self) -> str:
        return self.svg


def entropy_curve(marks: Mapping[str, float] | None = None) -> Picture:
    """The entropy of a label with two values against the share of one of them.

    Parameters
    ----------
    marks
        Points to show on the curve: a name for each share, between 0 and 1.

    Examples
    --------
    >>> entropy_curve({"ten rows": 0.3})
    The entropy of a label with two classes against the share p of one of them: 0 bits at p = 0,
    rising to 1 bit at p = 0.5 and falling back to 0 at p = 1, the same on both sides. Marked: ten
    rows, p = 0.3, 0.881 bits.
    """
    marks = marks or {}
    says = (
        "The entropy of a label with two classes against the share p of one of them: 0 bits at"
        " p = 0, rising to 1 bit at p = 0.5 and falling back to 0 at p = 1, the same on both sides."
    )
    if marks:
        each = "; ".join(f"{k}, p = {number(p)}, {bits(_h(p))} bits" for k, p in marks.items())
        says += f" Marked: {each}."
    points = " ".join(f"{_x(i / _STEPS):.1f},{_y(_h(i / _STEPS)):.1f}" for i in range(_STEPS + 1))
    curve = f'<polyline points="{points}" fill="none" stroke="{_INK}" stroke-width="2.5"/>'
    drawn = "".join(_mark(name, p) for name, p in marks.items())
    body = _axes() + curve + drawn
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img"'
        f' aria-label="{escape.html(says)}" font-family="sans-serif" font-size="14"'
        f' style="width:100%;max-width:{_WIDTH}px;color:{_INK}"><title>{escape.html(says)}</title>'
        f"{body}</svg>"
    )
    return Picture(svg, says)


def _h(p: float) -> float:
    return entropy([p, 1 - p])


def _x(p: float) -> float:
    return _LEFT + p * (_RIGHT - _LEFT)


def _y(h: float) -> float:
    return _BOTTOM - h * (_BOTTOM - _TOP)


def _text(x: float, y: float, text: str, *, anchor: str = "middle", more: str = "") -> str:
    said = escape.html(text)
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{_INK}"{more}>{said}</text>'


def _axes() -> str:
    drawn = []
    for tick in _TICKS:
        x, y = _x(tick), _y(tick)
        drawn.append(f'<path d="M{x:.1f} {_TOP}V{_BOTTOM}" stroke="{_INK}" opacity="0.15"/>')
        drawn.append(f'<path d="M{_LEFT} {y:.1f}H{_RIGHT}" stroke="{_INK}" opacity="0.15"/>')
        drawn.append(_text(x, _BOTTOM + 20, number(tick)))
        drawn.append(_text(_LEFT - 8, y + 5, number(tick), anchor="end"))
    drawn.append(
        _text((_LEFT + _RIGHT) / 2, _BOTTOM + 44, "p, the share of one of the two classes")
    )
    middle = (_TOP + _BOTTOM) / 2
    turned = f' transform="rotate(-90 16 {middle:.1f})"'
    drawn.append(_text(16, middle, "entropy in bits", more=turned))
    return "".join(drawn)


def _mark(name: str, p: float) -> str:
    x, y = _x(p), _y(_h(p))
    right = p <= 0.5  # noqa: PLR2004 - the label goes below the curve, to the side with room
    label = f"{name}: {bits(_h(p))}"
    at = x + 10 if right else x - 10
    return (
        f'<path d="M{x:.1f} {y:.1f}V{_BOTTOM}" stroke="{_ACCENT}" stroke-dasharray="4 4"/>'
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5.5" fill="{_ACCENT}"/>'
        + _text(at, y + 22, label, anchor="start" if right else "end")
    )
