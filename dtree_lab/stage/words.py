"""A lecturer's Markdown as part of a page: formulas as MathML, pictures in the page itself."""

from __future__ import annotations

import base64
import mimetypes
import re
from pathlib import Path

import mistune
from latex2mathml.converter import convert

from dtree_lab.base.text import html

_FORMULA = re.compile(r"\$\$(.+?)\$\$|\$([^$\n]+?)\$", re.DOTALL)
_CODE = re.compile(r"(```.*?```|~~~.*?~~~|`[^`\n]*`)", re.DOTALL)
_PLACE = "\ue000{}\ue001"  # of no use to anybody who writes


def as_page(text: str, folder: Path) -> str:
    r"""Markdown as HTML; what looks like HTML in it is text.

    Parameters
    ----------
    text
        Markdown, with formulas between ``$`` or ``$$``.
    folder
        Where pictures are looked for.

    Examples
    --------
    >>> as_page("Not *here* <b>", Path())
    '<p>Not <em>here</em> &lt;b&gt;</p>\n'
    """
    formulas: list[str] = []

    def kept(found: re.Match[str]) -> str:
        block, inline = found[1], found[2]
        formulas.append(convert(block or inline, display="block" if block else "inline"))
        return _PLACE.format(len(formulas) - 1)

    parts = _CODE.split(text)  # every second one is code, in which a dollar is a dollar
    parts[::2] = [_FORMULA.sub(kept, part) for part in parts[::2]]
    page = str(mistune.create_markdown(renderer=_Page(folder), plugins=["table"])("".join(parts)))
    for i, formula in enumerate(formulas):
        page = page.replace(_PLACE.format(i), formula)
    return page


def inline(text: str, folder: Path) -> str:
    """A line of Markdown, without a paragraph around it."""
    page = as_page(text, folder).strip()
    return page.removeprefix("<p>").removesuffix("</p>")


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
