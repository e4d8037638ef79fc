"""docs/stage.md: every example in it can be shown as it stands."""

import re
from pathlib import Path

import pytest

from dtree_lab.cli.lecture import shipped
from dtree_lab.stage.checking import tried
from dtree_lab.stage.reading import parse

PAGE = Path(__file__).parents[2] / "docs" / "stage.md"
EXAMPLES = re.findall(r"```text\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
TABLE = (
    "Name;Refund;Income;Cheat\nAda;Yes;125,5;No\nBen;No;85,0;Yes\nCem;?;70,2;No\nDee;No;91,7;Yes\n"
)


def test_there_are_examples_of_each_kind():
    keys = {line.partition(":")[0] for text in EXAMPLES for line in text.splitlines()}
    assert {"lab", "table", "code", "ask", "options", "cell", "steps", "show", "reveal"} <= keys
    assert {"target", "drop", "delimiter", "decimal", "na", "missing"} <= keys


@pytest.mark.parametrize("text", EXAMPLES, ids=lambda text: text.split()[1])
def test_an_example_can_be_shown(text, tmp_path):
    (tmp_path / "returns.csv").write_text(TABLE, encoding="utf-8")
    whole = text if "title:" in text else f"---\ntitle: An example\n---\n\n{text}"
    lecture = parse(whole, tmp_path / "mine.md")
    assert lecture.scenes
    assert tried(lecture) == []


def test_it_names_the_lectures_that_are_shipped():
    listed = re.findall(r"^\| `([a-z-]+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert set(shipped()) <= set(listed)
