"""docs/big-tables.md: what the page shows is what one gets."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs/big-tables.md"
BLOCKS = re.findall(
    r"^```pycon\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
)


def test_each_block_shows_what_one_gets():
    lines: list[str] = []
    page = doctest.DocTestParser().get_doctest("".join(BLOCKS), {}, PAGE.name, str(PAGE), 0)
    result = doctest.DocTestRunner(verbose=False).run(page, out=lines.append)
    assert result.attempted
    assert not lines, "".join(lines)
