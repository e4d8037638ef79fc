"""A lecturer's Markdown as part of a page: formulas as MathML, pictures in the page itself."""

from __future__ import annotations

import base64
import mimetypes
import re
from html import unescape
from pathlib import Path
from unicodedata import category

import mistune
from latex2mathml.converter import convert

from dtree_lab.base.text import html

# As pandoc has it, so that "$5 and $6" is money.
_FORMULA = re.compile(r"\$\$(.+?)\$\$|\$(?!\s)([^$\n]+?)(?<!\s)\$(?!\d)", re.DOTALL)
_CODE = re.compile(r"(```.*?```|~~~.*?~~~|`[^`\n]*`)", re.DOTALL)
_SHAPE = re.compile(r"<(/?[\w-]+)([^>]*)>|&[^;\s]+;|\S")
_SHAPES = re.compile(r"\b(?:display|style|columnalign|stretchy|width)=\"[^\"]*\"")
_PLACE = "\ue000{}\ue001"  # of no use to anybody who writes


def as_page(text: str, folder: Path) -> str:
    r"""Markdown, formulas between ``$`` or ``$$``, as HTML; what looks like HTML in it is text.

    Pictures are looked for in `folder`.
    """
    formulas: list[str] = []

    def kept(match: re.Match[str]) -> str:
        try:
            formulas.append(mathml(match[1] or match[2], "block" if match[1] else "inline"))
        except ValueError:  # which a check has told; before a class what was written is shown
            formulas.append(f"<code>{html(match[0])}</code>")
        return _PLACE.format(len(formulas) - 1)

    parts = _parts(text)
    parts[::2] = [_FORMULA.sub(kept, part) for part in parts[::2]]
    page = str(mistune.create_markdown(renderer=_Page(folder), plugins=["table"])("".join(parts)))
    for i, formula in enumerate(formulas):
        page = page.replace(_PLACE.format(i), formula)
    return page


def inline(text: str, folder: Path) -> str:
    """A line of Markdown, without a paragraph around it."""
    page = as_page(text, folder).strip()
    return page.removeprefix("<p>").removesuffix("</p>")


def mathml(formula: str, display: str) -> str:
    r"""A LaTeX formula as MathML, which needs no script; one with unknown commands is refused."""
    known = formula.strip().replace(r"\arg", r"\operatorname{arg}")
    try:
        made = str(convert(known, display=display))
    except Exception as error:  # the library has many errors, and some are none of its own
        what = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(error).__name__.removesuffix("Error"))
        raise ValueError(f"the formula ${formula}$ cannot be read ({what.lower()})") from error
    if unknown := re.search(r">(\\[A-Za-z]+)<", made):
        raise ValueError(f"the formula ${formula}$ has {unknown[1]}, which is not known here")
    return made


def wrong_formulas(text: str) -> list[str]:
    """What is wrong with the formulas of a text, a sentence for each."""
    told = []
    for part in _parts(text)[::2]:
        for found in _FORMULA.finditer(part):
            try:
                mathml(found[1] or found[2], "inline")
            except ValueError as error:
                told.append(str(error))
    return told


def _parts(text: str) -> list[str]:
    """A text in parts, of which every second one is code, in which a dollar is a dollar."""
    return _CODE.split(text)


def shape(page: str) -> str:
    """How much room a page takes, without a word of it: a letter is N or n, a digit 0; no pictures.

    A sign of mathematics, such as a large sum, has a room of its own and stays, as brackets do.

    >>> shape("<p>Not <em>here</em> &lt; 5</p>")
    '<p>Nnn <em>nnnn</em> = 0</p>'
    """

    def plain(match: re.Match[str]) -> str:
        name = match[1]
        if name is None:
            sign = unescape(match[0])
            if sign in "()[]{}|" or (category(sign[0]) == "Sm" and not sign.isascii()):
                return sign
            return (
                "0" if sign.isdigit() else "N" if sign.isupper() else "n" if sign.isalpha() else "="
            )
        # A space in a formula ends itself; left open it would swallow what follows.
        end = "/" if match[2].endswith("/") else ""
        return "" if name == "img" else f"<{' '.join([name, *_SHAPES.findall(match[2])])}{end}>"

    return _SHAPE.sub(plain, page)


def missing_pictures(text: str, folder: Path) -> list[str]:
    """The pictures in a text that are no files."""
    named = re.findall(r"!\[[^\]]*\]\(([^)\s]+)[^)]*\)", text)
    return [one for one in named if not (folder / one).is_file()]


class _Page(mistune.HTMLRenderer):
    """Pictures stand in the page itself, which asks for nothing else."""

    def __init__(self, folder: Path) -> None:
        super().__init__(escape=True)
        self.folder = folder

    def image(self, text: str, url: str, title: str | None = None) -> str:  # noqa: ARG002
        """A picture by its file; one that is not there by its words."""
        path = self.folder / url
        if not path.is_file():
            return html(text)
        kind = mimetypes.guess_type(path.name)[0] or "image/png"
        data = base64.b64encode(path.read_bytes()).decode()
        return f'<img src="data:{kind};base64,{data}" alt="{html(text)}">'

    def link(self, text: str, url: str, title: str | None = None) -> str:  # noqa: ARG002
        """A link by its words: a lecture leads nowhere else."""
        return text
