"""The colours of code, light and dark: each at least 4.5 to 1 against the cells' ground."""

from __future__ import annotations

from typing import ClassVar

from pygments.formatters import HtmlFormatter
from pygments.style import Style
from pygments.token import Comment, Keyword, Name, Number, Operator, String, Token


class Light(Style):
    """On #f4f4f1."""

    background_color = "#f4f4f1"
    styles: ClassVar = {
        Token: "#1b1b1b",
        Comment: "italic #595c60",
        Keyword: "#7a1fa2",
        Operator.Word: "#7a1fa2",
        String: "#0a6638",
        Number: "#8f3a00",
        Name.Function: "#0b4f9c",
        Name.Class: "#0b4f9c",
        Name.Builtin: "#0b4f9c",
    }


class Dark(Style):
    """On #202226."""

    background_color = "#202226"
    styles: ClassVar = {
        Token: "#e8e8e8",
        Comment: "italic #b0b4bb",
        Keyword: "#d9a9f7",
        Operator.Word: "#d9a9f7",
        String: "#98dcaa",
        Number: "#f4bb86",
        Name.Function: "#93c6ff",
        Name.Class: "#93c6ff",
        Name.Builtin: "#93c6ff",
    }


def highlighting() -> str:
    """The style sheet's part for code."""
    light, dark = (_rules(style) for style in (Light, Dark))
    return f"\n{light}\n@media screen and (prefers-color-scheme: dark) {{\n{dark}\n}}\n"


def _rules(style: type[Style]) -> str:
    made = HtmlFormatter(style=style).get_style_defs(".highlight")
    # Only the colours of words: the ground and the line numbers' look are the page's affair.
    return "\n".join(line for line in made.splitlines() if line.startswith(".highlight ."))
