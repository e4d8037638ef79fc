"""Links: every one that stays inside must lead somewhere; those that leave are only listed."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import nbformat

from coursesite.words import Words

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_POINTERS = {"a": "href", "link": "href", "img": "src", "script": "src", "iframe": "src"}
_HEADINGS = ("h1", "h2", "h3", "h4")


class _Page(HTMLParser):
    """What a page points at, and what can be pointed at in it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.anchors: set[str] = set()
        self.headings: list[str] = []
        self._in_heading = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        self.anchors.add(told.get("id") or "")
        if told.get(_POINTERS.get(tag, "")) is not None:
            self.addresses.append(str(told[_POINTERS[tag]]))
        if tag in _HEADINGS:
            self._in_heading = True
            self.headings.append("")

    def handle_endtag(self, tag: str) -> None:
        self._in_heading = self._in_heading and tag not in _HEADINGS

    def handle_data(self, data: str) -> None:
        if self._in_heading:
            self.headings[-1] += data


def dead(site: Path) -> list[str]:
    """What is wrong with the links of a built site's pages, a line for each."""
    pages = {place.resolve(): _read(place) for place in _pages(site)}
    anchors = {place: page.anchors for place, page in pages.items()}
    return [
        f"{place.name}: {address} {problem}"
        for place, page in pages.items()
        for address in page.addresses
        if (problem := _problem(address, place, anchors))
    ]


def outside(site: Path) -> list[str]:
    """The addresses elsewhere that a site's pages link to."""
    pages = [_read(place) for place in _pages(site)]
    return sorted({a for page in pages for a in page.addresses if urlsplit(a).netloc})


def _pages(site: Path) -> list[Path]:
    """Our pages, and not those of JupyterLite."""
    return sorted([*site.glob("*.html"), *site.glob("reference/*.html")])


def dead_in_text(place: Path, markdown: str) -> list[str]:
    """What is wrong with the links of a Markdown text that stands in a file."""
    page = _Page(Words(to_pages=False).html(markdown))
    own = {place.resolve(): page.anchors | _as_on_a_code_host(page.headings)}
    problems = ((address, _problem(address, place, own)) for address in page.addresses)
    return [f"{place.name}: {address} {problem}" for address, problem in problems if problem]


def markdown_of(notebook: Path) -> str:
    """All words of a notebook."""
    cells = nbformat.read(notebook, as_version=4).cells
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def _read(place: Path) -> _Page:
    return _Page(place.read_text(encoding="utf-8"))


def _as_on_a_code_host(headings: list[str]) -> set[str]:
    """The anchors that code hosts give a Markdown file's headings."""
    return {re.sub(r"[^\w -]", "", text.lower()).replace(" ", "-") for text in headings}


def _problem(address: str, page: Path, anchors: Mapping[Path, set[str]]) -> str:
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        return ""
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page.resolve()
    if not target.exists():
        return "leads nowhere"
    wanted = unquote(parts.fragment)
    if wanted and target in anchors and wanted not in anchors[target]:
        return f"has no such place as #{wanted}"
    return ""
