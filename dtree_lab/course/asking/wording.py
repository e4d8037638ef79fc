"""A choice with its reason, as the text of an exercise writes it: what a card shows, what the page.

The text ends in two lists, of options and of reasons, each below the line that asks for it:

>>> found = worded('''A table.
...
... Which?
...
... - **A** this one
... - **B** that
...   one
...
... **Because**
...
... - **1** it is so''')
>>> found.page, [one.asks for one in found.lists]
('A table.', ['Which?', 'Because'])
>>> found.lists[0].options
(('A', 'this one'), ('B', 'that one'))
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_OPTION = re.compile(r"^- \*\*(\w+)\*\* (.*?)(?=\n- |\Z)", re.DOTALL | re.MULTILINE)
# A line of one emphasised word asks by itself; a legend is emphasised anyway.
_ALONE = re.compile(r"^\*\*([^*]+)\*\*$")


@dataclass(frozen=True)
class AskedList:
    """A list of options: the line above it, and pairs of a key and words."""

    asks: str
    options: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Worded:
    """The text of a choice: the lists, and what remains for the page."""

    page: str
    lists: tuple[AskedList, ...]


def worded(text: str) -> Worded:
    """Take an exercise's text apart."""
    page: list[str] = []
    lists: list[AskedList] = []
    for block in text.split("\n\n"):
        options = tuple((key, _line(words)) for key, words in _OPTION.findall(block))
        if options:
            lists.append(AskedList(_ALONE.sub(r"\1", _line(page.pop())), options))
        else:
            page.append(block)
    return Worded("\n\n".join(page), tuple(lists))


def _line(words: str) -> str:
    return " ".join(words.split())
