"""The one visual language: colours, marks, sizes and fonts for every kind of picture.

A class is a colour *and* a mark, so that it is told apart on paper, in grey and without colour
vision. The eight colours are Okabe and Ito's, in an order in which the first four differ in
lightness too. Beyond eight classes the colours come round again with the marks moved on by one,
which makes 64 pairs; beyond 64 the pairs repeat, and the name beside the mark tells. The style
sheets for dark and light are made of the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import cos, pi, sin
from pathlib import Path
from string import Template
from typing import Literal, TypeAlias

Theme: TypeAlias = Literal["auto", "light", "dark"]
Point: TypeAlias = tuple[float, float]

THEMES: tuple[Theme, ...] = ("auto", "light", "dark")

# Okabe and Ito (2008), without their black, which would vanish on a dark page: a grey stands in.
COLOURS = (
    "#0072b2",  # blue
    "#e69f00",  # orange
    "#009e73",  # bluish green
    "#f0e442",  # yellow
    "#d55e00",  # vermilion
    "#56b4e9",  # sky blue
    "#cc79a7",  # reddish purple
    "#a6a6a6",  # grey
)
# What is written on each of them.
INKS = ("#ffffff", *("#000000",) * 7)

LIGHT = {
    "ink": "#1b1b1b",
    "quiet": "#595959",
    "line": "#757575",
    "border": "#c4c4c4",
    "card": "#ffffff",
    "ground": "#ffffff",
    "accent": "#1565c0",
    "accent-ink": "#ffffff",
}
DARK = {
    "ink": "#e8e8e8",
    "quiet": "#b4b4b4",
    "line": "#949494",
    "border": "#5c5c5c",
    "card": "#212121",
    "ground": "#111111",
    "accent": "#64b5f6",
    "accent-ink": "#000000",
}
# Where a reader's system forces its own colours on all pages (Windows' contrast themes), the
# language speaks in those. Classes keep theirs: their marks have an outline, and lines a dash.
FORCED = {
    "ink": "CanvasText",
    "quiet": "CanvasText",
    "line": "CanvasText",
    "border": "CanvasText",
    "card": "Canvas",
    "ground": "Canvas",
    "accent": "Highlight",
    "accent-ink": "HighlightText",
}
# The variables of JupyterLab's themes that come before the palettes above, where they exist.
_JUPYTER = {
    "ink": "--jp-ui-font-color1",
    "quiet": "--jp-ui-font-color2",
    "line": "--jp-ui-font-color2",
    "border": "--jp-border-color1",
    "card": "--jp-layout-color1",
    "ground": "--jp-layout-color0",
}

FONT = (
    "system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', Helvetica, Arial, sans-serif"
)
# Pixels at scale 1.
TITLE, DETAIL, LABEL = 14.0, 12.0, 13.0

# How pages say which theme they have: JupyterLab and what it exports; VS Code.
_LIGHT_PAGE = ('[data-jp-theme-light="true"] .dtl', ".vscode-light .dtl")
_DARK_PAGE = ('[data-jp-theme-light="false"] .dtl', ".vscode-dark .dtl")


@dataclass(frozen=True)
class Mark:
    """A class's mark: a character, and its outline within the square from -1 to 1, y downwards."""

    char: str
    points: tuple[Point, ...]

    def path(self, x: float, y: float, r: float) -> str:
        """The outline around a point as SVG path data, `r` being half its size."""
        corners = (f"{round(x + r * u, 2):g},{round(y + r * v, 2):g}" for u, v in self.points)
        return f"M{'L'.join(corners)}Z"


def _round(corners: int, turn: float, *radii: float) -> tuple[Point, ...]:
    """Points around a circle; `turn` in quarter turns, the radii taken in rotation."""
    angles = [2 * pi * i / corners + turn * pi / 2 for i in range(corners)]
    return tuple(
        (radii[i % len(radii)] * cos(a), radii[i % len(radii)] * sin(a))
        for i, a in enumerate(angles)
    )


_T = 0.36  # half the width of the plus's arms
MARKS = (
    Mark("●", _round(32, 0, 0.95)),
    Mark("▲", ((0, -1), (1.05, 0.85), (-1.05, 0.85))),
    Mark("■", ((-0.85, -0.85), (0.85, -0.85), (0.85, 0.85), (-0.85, 0.85))),
    Mark("◆", ((0, -1.15), (1.05, 0), (0, 1.15), (-1.05, 0))),
    Mark(
        "✚",
        tuple(
            (s * x, t * y)
            for s, t, corner in ((1, -1, 0), (1, 1, 1), (-1, 1, 0), (-1, -1, 1))
            for x, y in ((_T, 1), (_T, _T), (1, _T))[:: -1 if corner else 1]
        ),
    ),
    Mark("★", _round(10, -1, 1.15, 0.5)),
    Mark("▼", ((0, 1), (-1.05, -0.85), (1.05, -0.85))),
    Mark("⬢", _round(6, 0, 1.05)),
)


def mark(index: int) -> Mark:
    """The mark of a class, by its position in the target's values."""
    return MARKS[(index + index // len(COLOURS)) % len(MARKS)]


def hue(index: int) -> int:
    """The number of a class's colour in :data:`COLOURS` and :data:`INKS`."""
    return index % len(COLOURS)


def css_variables(theme: Theme = "auto") -> str:
    """The language as CSS custom properties named ``--dtl-…``, set on elements of class ``dtl``.

    Parameters
    ----------
    theme
        ``"auto"`` follows JupyterLab's theme, and outside it the reader's preference; colours that
        the reader's system forces on all pages come before both. ``"light"`` and ``"dark"`` hold
        for elements that also have the class ``dtl-light`` or ``dtl-dark``.

    Examples
    --------
    >>> "--dtl-class-0: #0072b2;" in css_variables()
    True
    """
    if theme != "auto":
        # Said three times over, so that it outranks what an "auto" picture says on the same page.
        palette = LIGHT if theme == "light" else DARK
        return _rule(f".dtl.dtl-{theme}.dtl-{theme}", {**_fixed(), **palette})
    light, dark = _following(LIGHT), _following(DARK)
    return "\n".join(
        [
            _rule(".dtl", {**_fixed(), **light}),
            f"@media (prefers-color-scheme: dark) {{ {_rule('.dtl', dark)} }}",
            _rule(", ".join(_LIGHT_PAGE), light),
            _rule(", ".join(_DARK_PAGE), dark),
            # Said three times over, so that it outranks what the page's theme says.
            f"@media (forced-colors: active) {{ {_rule('.dtl.dtl.dtl', FORCED)} }}",
        ]
    )


def _fixed() -> dict[str, str]:
    colours = {f"class-{i}": colour for i, colour in enumerate(COLOURS)}
    inks = {f"class-ink-{i}": ink for i, ink in enumerate(INKS)}
    sizes = {"title": f"{TITLE:g}px", "detail": f"{DETAIL:g}px", "label": f"{LABEL:g}px"}
    return {**colours, **inks, **sizes, "font": f"var(--jp-ui-font-family, {FONT})"}


def _following(palette: dict[str, str]) -> dict[str, str]:
    return {k: f"var({_JUPYTER[k]}, {v})" if k in _JUPYTER else v for k, v in palette.items()}


def _rule(selector: str, values: dict[str, str]) -> str:
    return f"{selector} {{ {' '.join(f'--dtl-{k}: {v};' for k, v in values.items())} }}"


# A stretch of lines that stand for each class.
_EACH_CLASS = re.compile(r"(?:.*\$i\b.*\n)+")
_COMMENT = re.compile(r"/\*.*?\*/\n", re.DOTALL)


def sheet(name: str) -> str:
    """A style sheet that stands beside this module, with our sizes and a rule for each class."""
    text = Path(__file__).with_name(f"{name}.css").read_text(encoding="utf-8")
    sizes = {
        "title": f"{TITLE}px",
        "label": f"{LABEL}px",
        "detail": f"{DETAIL}px",
        "label_em": f"{LABEL / TITLE:.4f}em",
        "detail_em": f"{DETAIL / TITLE:.4f}em",
    }
    rules = Template("\n" + _COMMENT.sub("", text)).safe_substitute(sizes)
    return _EACH_CLASS.sub(_for_each_class, rules)


def _for_each_class(lines: re.Match[str]) -> str:
    return "".join(lines[0].replace("$i", str(i)) for i in range(len(COLOURS)))


RULES, AXIS_RULES, FIGURE_RULES = sheet("tree"), sheet("axis"), sheet("figure")
