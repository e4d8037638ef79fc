"""The exercise on one question and its errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Goal, Grow, when
from dtree_lab.learn.api import by_hand, id3
from dtree_lab.table import Table

if TYPE_CHECKING:
    from dtree_lab.course.tasks.grow import Handed

_LETTERS = (
    ("No", 8, 12, "No"),
    ("No", 7, 29, "Yes"),
    ("No", 5, 57, "Yes"),
    ("Yes", 4, 52, "No"),
    ("No", 2, 15, "Yes"),
    ("Yes", 4, 4, "No"),
    ("No", 0, 56, "No"),
    ("No", 2, 17, "No"),
    ("No", 5, 9, "Yes"),
    ("Yes", 4, 27, "No"),
    ("No", 5, 26, "No"),
    ("No", 8, 8, "Yes"),
)
_STUMP, _FEWEST = 3, 3


def letters() -> Table:
    """Twelve letters, as the lesson types them in."""
    names = ["Known sender", "Links", "Capitals", "Spam"]
    return Table.from_rows(_LETTERS, target="Spam", names=names)


def _errors(handed: Handed) -> int:
    return round(handed.tree.error(letters()) * len(_LETTERS))


def _asks(handed: Handed, name: str) -> bool:
    split = handed.tree.flat.split(0, handed.tree.attributes)
    return split is not None and handed.tree.attributes[split.attribute].name == name


def _one(handed: Handed) -> bool:
    return handed.tree.n_nodes == _STUMP


FEWEST_ERRORS = Exercise(
    id="boosting/fewest-errors",
    title="The stump with the fewest errors",
    points=2,
    heading="the fewest errors",
    text='''A tree that goes on asking chooses by information gain. A stump has no second question,
so what counts is how many rows it gets **wrong**: in each leaf, those of the smaller class. The two
do not always agree.

Twelve letters, some of them spam. In the builder, grow the **stump with the fewest errors**: one
question, two leaves. (It is not the one with the longest bar.)

```python
rows = """
    No 8 12 No,  No 7 29 Yes, No 5 57 Yes, Yes 4 52 No, No 2 15 Yes, Yes 4 4 No,
    No 0 56 No,  No 2 17 No,  No 5 9 Yes,  Yes 4 27 No, No 5 26 No,  No 8 8 Yes
"""
names = ["Known sender", "Links", "Capitals", "Spam"]
letters = dt.Table.from_rows(
    [(k, int(n), int(c), y) for k, n, c, y in (row.split() for row in rows.split(","))],
    target="Spam",
    names=names,
)
letters
```''',
    stub="""builder = dt.TreeBuilder(letters)
builder""",
    answer="builder",
    task=Grow(
        letters,
        (
            Goal(_one, lambda h: f"nodes: {h.tree.n_nodes}", "one question and two leaves"),
            Goal(
                lambda h: _errors(h) <= _FEWEST,
                lambda h: f"letters wrong: {_errors(h)} of {len(_LETTERS)}",
                "the fewest that one question can have",
            ),
        ),
    ),
    mistakes=(
        Mistake(
            by_hand(letters(), {(): "Known sender"}),
            "That question has the longest bar: it gains the most bits, because one of its sides is"
            " pure. Here the wrong letters are counted. In each leaf those are the smaller number;"
            " try the other questions.",
            when=when(lambda h: _one(h) and _asks(h, "Known sender"), 1),
        ),
        Mistake(
            by_hand(letters(), {(): ("Links", 1)}),
            "The attribute can do better with its cut in another place. Move it, and watch the"
            " counts on both sides.",
            when=when(lambda h: _one(h) and _asks(h, "Links"), 1),
        ),
        Mistake(
            by_hand(letters(), {(): ("Capitals", 20)}),
            "How many letters are written in capitals says next to nothing here, wherever it is"
            " cut.",
            when=when(lambda h: _one(h) and _asks(h, "Capitals"), 1),
        ),
        Mistake(
            id3(letters()),
            "A stump asks a single question. Undo until two leaves are left, or take the lower"
            " questions away.",
            when=when(lambda h: not _one(h), 0),
        ),
    ),
    more="The bar that is longest is not the answer this time. Try a cut, then add the smaller of"
    " the two counts in the one leaf to the smaller in the other.",
    solution='builder = dt.by_hand(letters, {(): ("Links", 4.5)})\n',
    why="With fewer than 4.5 links 1 of 6 is spam, with more 4 of 6: three wrong. The known sender"
    " gains more bits and gets four wrong. Growers of trees look at the bits, because they go on"
    " asking; a stump does not, so AdaBoost's textbooks count errors.",
)
