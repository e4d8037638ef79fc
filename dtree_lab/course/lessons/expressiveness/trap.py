"""The exercise to find a table on which ID3 does not find a smallest tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.lessons.expressiveness.trees import fewest_questions, greedy, most
from dtree_lab.course.tasks import Do, Goal, when

if TYPE_CHECKING:
    from dtree_lab.course.lessons.expressiveness.trees import Rows


NAMES = ("a1", "a2", "a3")
MOST_ROWS = 6
_LONGEST = 2_000


def rows_of(text: str) -> Rows:
    """The rows of a text, one on each line.

    Raises
    ------
    ValueError
        For a line that is no row, too many rows, none, or two that contradict each other.
    """
    lines = [line.split("#")[0].replace(",", " ") for line in text[:_LONGEST].splitlines()]
    rows = [_row(line) for line in lines if line.strip()]
    if not rows:
        raise ValueError("there is no row in it")
    if len(rows) > MOST_ROWS:
        raise ValueError(f"these are {len(rows)} rows; at most {MOST_ROWS} are asked for")
    labels: dict[tuple[str, ...], str] = {}
    for row in rows:
        at = tuple(row[name] for name in NAMES)
        if labels.setdefault(at, row["y"]) != row["y"]:
            raise ValueError(f"two rows {' '.join(at)} have different labels; no tree fits both")
    return rows


def _row(line: str) -> dict[str, str]:
    values = list("".join(line.split()).upper())
    if len(values) != len(NAMES) + 1 or not set(values) <= {"F", "T"}:
        raise ValueError(
            f"{line.strip()[:40]!r} is no row: give three values and the label, F or T"
        )
    return dict(zip((*NAMES, "y"), values, strict=True))


def _least(rows: Rows) -> int:
    return 2 * fewest_questions(rows, NAMES) + 1


def _most(rows: Rows) -> int:
    return 2 * most(rows, NAMES) + 1


def _id3(rows: Rows) -> int:
    """How many nodes ID3's tree has when its ties are broken in the best way."""
    return 2 * greedy(rows, NAMES) + 1


def _unlucky(rows: Rows) -> int:
    """How many nodes ID3's tree has when its ties are broken in the worst way."""
    return 2 * greedy(rows, NAMES, max) + 1


def _choice(rows: Rows) -> bool:
    return _most(rows) > _least(rows)


def _missed(rows: Rows) -> bool:
    return _id3(rows) > _least(rows)


def _by_ties(rows: Rows) -> bool:
    return not _missed(rows) and _unlucky(rows) > _least(rows)


TRAP = Exercise(
    id="expressiveness/trap",
    title="A table on which ID3 is not the best",
    points=4,
    heading="your own trap",
    text='''Find **at most 6 rows** over a1, a2, a3 on which ID3 grows **more nodes than it must**,
*however* it breaks ties. Hand them in as a text between three quotes, one row per line: the values
of a1, a2, a3, then the label. Like this, with two rows:

```text
trap = """
F F T  T
T F T  F
"""
```

The check searches all trees, and tells you how many nodes the smallest has and how many ID3's.''',
    stub="trap = ...",
    answer="trap",
    task=Do(
        rows_of,
        (
            Goal(
                _choice,
                lambda rows: f"trees that fit have from {_least(rows)} to {_most(rows)} nodes",
                "some that are larger than others",
            ),
            Goal(
                _missed,
                lambda rows: f"the smallest tree has {_least(rows)} nodes, ID3's {_id3(rows)}",
                "more for ID3, however its ties are broken",
            ),
        ),
        form="the rows as one text, between three quotes, one row on each line",
    ),
    mistakes=(
        Mistake(
            "FFF T\nTTT T",
            "All labels are the same, so nothing need be asked at all.",
            when=when(lambda rows: _most(rows) == 1, 0, 1),
        ),
        Mistake(
            "FFF F\nFTF T\nTFF T\nTTF F",
            "All trees that fit these rows have the same size, so ID3 cannot miss a smaller one."
            " There must be an attribute that need not be asked, and that ID3 asks all the same.",
            when=when(lambda rows: not _choice(rows) and _most(rows) > 1, 0, 1),
        ),
        Mistake(
            "FFF F\nFFT F\nFTF F\nTTF T",
            "There are smaller and larger trees, and ID3 takes a smallest. What it asks first is a"
            " good choice here. Make the good first question look bad, and another look better.",
            when=when(lambda rows: _choice(rows) and _unlucky(rows) == _least(rows), 1),
        ),
        Mistake(
            "FFF F\nFFT F\nFTF T\nTFF T",
            "ID3 misses the smallest tree here only if a tie is broken badly. Make the bad question"
            " gain strictly more than the good one, by one row more or less.",
            when=when(_by_ties, 1),
        ),
    ),
    more="You know a rule whose attributes gain nothing one at a time. Take it over two of the"
    " attributes. Then add a row in which the third attribute has a value of its own, so that this"
    " one, though useless, gains a little.",
    solution='''trap = """
F F F  F
F F T  T
F T F  T
F T T  F
T F F  F
"""
''',
    why="The first four rows are XOR of a2 and a3, and the last agrees with it: two attributes, 7"
    " nodes. But a1 parts off a pure row and so gains 0.171 bits, a2 and a3 only 0.020 each. ID3"
    " asks a1 and has all of XOR still before it: 9 nodes. No table of fewer rows will do.",
)
