"""Names and values are other people's data: made harmless here for wherever they land."""

from __future__ import annotations

import html as _html
import re
from typing import Any

# What XML 1.0 cannot hold, not even escaped, and halves of surrogate pairs.
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_LATEX = {
    "\\": r"}{\backslash}\text{",
    "^": r"}{\wedge}\text{",
    "~": r"}{\sim}\text{",
    **{c: "\\" + c for c in "{}$&#_%"},
}


def printable(text: str) -> str:
    """Text without control characters; each becomes a replacement mark, a line break a space."""
    return _UNPRINTABLE.sub("\ufffd", re.sub(r"[\r\n\t\u2028\u2029]", " ", text))


def html(text: object) -> str:
    """Text for HTML and SVG, in content and in attributes."""
    return _html.escape(printable(str(text)), quote=True)


def latex(text: object) -> str:
    r"""Text for a formula, as ``\text{…}``; works in LaTeX and in MathJax."""
    return "\\text{" + "".join(_LATEX.get(c, c) for c in printable(str(text))) + "}"


def dot(text: object) -> str:
    """Text for a quoted string of Graphviz's DOT, which reads entities too."""
    plain = printable(str(text)).replace("&", "&amp;")
    return plain.replace("\\", "\\\\").replace('"', '\\"')


def python(value: Any) -> str:
    """A value as a Python literal in ASCII, on one line."""
    return ascii(value)
