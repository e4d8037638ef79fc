"""What a check says of a lecture: the line in which the mistake stands, and what to do there."""

import pytest

from dtree_lab.stage.checking import tried
from dtree_lab.stage.lecture import LectureError
from dtree_lab.stage.reading import read_lecture

ROWS = "Nr;Name;Refund;Income;Cheat\n1;Ada;Yes;125,5;No\n2;Ben;No;85,0;Yes\n3;Cem;No;70,2;No\n"
GOOD = """---
title: "Our own returns"
minutes: 12
---

---
minutes: 2
---
# Hello

Is it $p \\le \\frac{1}{2}$?

. . .

Yes.

Notes:
Say hello.

---
ask: "How many bits?"
options: ["0", "0.5", "1"]
answer: C
because: "$\\\\log_2 2 = 1$"
---

---
lab: tree
table: returns.csv
target: Cheat
drop: [Nr, Name]
delimiter: ";"
decimal: ","
show: [questions]
steps: 1
---
# A table

---
lab: entropy
table: tax_fraud
reveal: [worked, bars]
steps: 0
---
# A curve
"""


def told(tmp_path, text):
    (tmp_path / "returns.csv").write_text(ROWS, encoding="utf-8")
    (tmp_path / "mine.md").write_text(text, encoding="utf-8")
    try:
        return [(one.line, one.what) for one in tried(read_lecture(tmp_path / "mine.md"))]
    except LectureError as error:
        return [(one.line, one.what) for one in error.problems]


def test_nothing_is_said_of_what_is_good(tmp_path):
    assert told(tmp_path, GOOD) == []


@pytest.mark.parametrize(
    ("old", "new", "cure"),
    [
        ("minutes: 12", "minutes: twelve", "is a number, such as 4"),
        ("minutes: 2\n---\n# Hello", "minutes: 2\n# Hello", "a line --- is missing above"),
        ("Notes:", "Notes", "notes begin with Notes:"),
        (". . .", "...", "a pause is . . . with spaces"),
        ("Yes.", "![a wood](wood.png)", "no picture wood.png beside the lecture"),
        ('"0.5", "1"]', '"1", "1"]', "two of them are the same"),
        ("\\\\log_2", "\\log_2", "a backslash is written twice"),
        ('because: "$', 'because: so: "$', "it has a colon in it"),
        ("lab: entropy", "lab: entrop", "Did you mean 'entropy'?"),
        ("target: Cheat", "target: cheat", "Did you mean 'Cheat'?"),
        ("[Nr, Name]", "[Nr, Nam]", "Did you mean 'Name'?"),
        ('decimal: ","\n', "", 'say decimal: ","'),
        ('delimiter: ";"\n', "", 'say delimiter: ";"'),
        ("show: [questions]", "show: [question]", "Did you mean 'questions'?"),
        ("[worked, bars]", "[worked, bar]", "Did you mean 'bars'?"),
        ("steps: 0", "settings: {n: 4}", "this lab has no 'n'. It has attributes"),
        ("steps: 1", "steps: 9", "of 9 steps the lab has nothing more to show"),
        ("drop: [Nr", "\tdrop: [Nr", "there is a tab"),
    ],
)
def test_a_mistake_is_told_once_with_its_line_and_its_cure(tmp_path, old, new, cure):
    assert GOOD.count(old) == 1
    wrong = GOOD.replace(old, new)
    ((line, what),) = told(tmp_path, wrong)
    assert cure in what
    lines = wrong.splitlines()
    at = new or "table: returns.csv"  # what is missing is told of the table
    first = at.splitlines()[-1]
    assert first in lines[line - 1]
