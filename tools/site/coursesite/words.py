"""A lesson's words: Markdown to HTML, with formulas as MathML and links from page to page."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import escape, unescape
from typing import Any
from urllib.parse import quote

from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from dtree_lab.stage import words

_CORNER = re.compile(r"<th(?: [^>]*)?>\s*</th>")
_SHORT = 24  # letters of LaTeX, which are at least as many as those that are seen
_TAG = re.compile(r"<[^>]*>")
_NOTEBOOK = re.compile(r"^(?:\.{1,2}/)?(?:further/)?([\w.-]+)\.ipynb(#.*)?$")


@dataclass(frozen=True)
class Heading:
    """A heading of a page: its level, its anchor, its words as HTML."""

    level: int
    anchor: str
    words: str


@dataclass
class Words:
    """The words of one page, cell after cell; what headings there were is remembered.

    Links to other notebooks become links to their pages, unless not `to_pages`.
    """

    to_pages: bool = True
    headings: list[Heading] = field(default_factory=list)

    def html(self, source: str) -> str:
        """A text cell as HTML."""
        return MarkdownWithMath(renderer=_Renderer(self)).render(source)

    def heading(self, words: str, level: int) -> str:
        """A heading with an anchor, which is the one that JupyterLab gives it."""
        anchor = unescape(_TAG.sub("", words)).strip().replace(" ", "-")
        same = sum(h.anchor == anchor or h.anchor.startswith(f"{anchor}--") for h in self.headings)
        if same:
            anchor = f"{anchor}--{same + 1}"
        self.headings.append(Heading(level, anchor, words))
        return f'<h{level} id="{escape(anchor)}">{words}</h{level}>\n'

    def contents(self) -> list[Heading]:
        """The headings for a table of contents: all below the title, without formulas' tags."""
        return [h for h in self.headings if 2 <= h.level <= 3]  # noqa: PLR2004


def page_of(url: str) -> str:
    """Where a link leads on the site: another notebook is another page.

    >>> page_of("02-entropy.ipynb#What-a-bit-is"), page_of("https://example.org")
    ('02-entropy.html#What-a-bit-is', 'https://example.org')
    >>> page_of("further/05-bells.ipynb"), page_of("../05-thresholds.ipynb")
    ('05-bells.html', '05-thresholds.html')
    """
    found = _NOTEBOOK.match(url)
    return f"{found[1]}.html{found[2] or ''}" if found else url


def mathml(formula: str, display: str) -> str:
    """A LaTeX formula as MathML, which needs no script."""
    made = words.mathml(formula, display)
    if display == "inline" and len(formula.strip()) <= _SHORT:
        return made
    # One wider than the page scrolls by itself, and what scrolls is reached by keyboard.
    tag, kind = ("div", "formula") if display == "block" else ("span", "formula long")
    said = 'tabindex="0" role="group" aria-label="formula"'
    return f'<{tag} class="{kind}" {said}>{made}</{tag}>'


class _Renderer(IPythonRenderer):
    """nbconvert's renderer, with our headings, links and formulas."""

    def __init__(self, words: Words) -> None:
        super().__init__(escape=False)
        self._words = words

    def heading(self, text: str, level: int, **_: Any) -> str:
        return self._words.heading(text, level)

    def link(self, text: str, url: str, title: str | None = None) -> str:
        return str(super().link(text, page_of(url) if self._words.to_pages else url, title))

    def block_math(self, body: str) -> str:
        return mathml(body, "block")

    def inline_math(self, body: str) -> str:
        return mathml(body, "inline")

    def table(self, text: str) -> str:
        around = '<div class="wide" tabindex="0" role="group" aria-label="table">'
        return f"{around}<table>{_named(text)}</table></div>\n"


def _named(html: str) -> str:
    """Rows in which a table's empty corner is no heading, as it has no words."""
    return _CORNER.sub("<td></td>", html)


def anchor_link(heading: Heading) -> str:
    """The address of a heading within its page."""
    return "#" + quote(heading.anchor)
