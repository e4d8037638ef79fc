"""The published trees of docs/published-trees.md: what the page shows is what is grown."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs/published-trees.md"
BLOCKS = re.findall(
    r"^```pycon\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
)


def test_each_block_shows_what_is_grown():
    told: list[str] = []
    space: dict[str, object] = {}
    for block in BLOCKS:
        test = doctest.DocTestParser().get_doctest(block, space, PAGE.name, str(PAGE), 0)
        doctest.DocTestRunner(verbose=False).run(test, out=told.append, clear_globs=False)
        space = test.globs
    assert not told, "".join(told)


def test_every_block_is_found():
    assert len(BLOCKS) == PAGE.read_text(encoding="utf-8").count("```") // 2 == 7
