"""The gain of a word being near, in several tables, and ID3 by hand.

What is right is written apart from the library's own, so that each checks the other.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np

from dtree_lab.course.bits import NATS, entropy_of
from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Exercise, Mistake, personal
from dtree_lab.course.tasks import Number, Steps
from dtree_lab.datasets import word_sense
from dtree_lab.grow.api import by_hand
from dtree_lab.labs.treebuilder.model import dump, update
from dtree_lab.labs.treebuilder.state import Finish, start
from dtree_lab.table.table import Table

Row: TypeAlias = "dict[str, Any]"
ALIKE = 1e-9  # bits
SENSE = "sense"
SEVEN: list[Row] = list(word_sense().rows())
NAMES = ["pos", "near(race)", "near(river)", "near(stockings)"]
VERBS = [row for row in SEVEN if row["pos"] == "verb"]


def bits(labels: Iterable[Any]) -> float:
    """The entropy of some labels."""
    return entropy_of(Counter(labels).values())


def heaps(rows: Sequence[Row], name: str) -> list[list[Any]]:
    """The labels of the rows with each value of an attribute."""
    values = dict.fromkeys(row[name] for row in rows)
    return [[row[SENSE] for row in rows if row[name] == value] for value in values]


def remains(rows: Sequence[Row], name: str) -> float:
    """The entropy that is left after asking an attribute."""
    return math.fsum(len(heap) / len(rows) * bits(heap) for heap in heaps(rows, name))


def gain(rows: Sequence[Row], name: str) -> float:
    """The information gain of an attribute."""
    return bits(row[SENSE] for row in rows) - remains(rows, name)


def highest(names: Sequence[str], score: Callable[[str], float]) -> tuple[str, ...]:
    """The names with the highest score, in order; several in a tie."""
    most = max(map(score, names))
    return tuple(name for name in names if score(name) >= most - ALIKE)


def best_of(rows: Sequence[Row], attributes: Sequence[str]) -> tuple[str, ...]:
    """The attributes that gain most, by the names given."""
    return highest(attributes, lambda name: gain(rows, name))


def majority(rows: Sequence[Row]) -> tuple[Any, ...]:
    """The labels that most rows have."""
    counts = Counter(row[SENSE] for row in rows)
    return tuple(label for label, n in counts.items() if n == max(counts.values()))


def table_of(text: str) -> list[Row]:
    r"""Rows from lines of values, the first with the names.

    Examples
    --------
    >>> table_of("pos sense\nnoun run4")
    [{'pos': 'noun', 'sense': 'run4'}]
    """
    names, *lines = (line.split() for line in text.strip().splitlines())
    return [dict(zip(names, line, strict=True)) for line in lines]


def drawn_rows(rng: np.random.Generator, n_rows: int) -> list[Row]:
    """Rows with four attributes and a sense that goes with two of them, more or less."""
    found: list[Row] = []
    for _ in range(n_rows):
        pos = str(rng.choice(["noun", "verb", "adjective"]))
        near = {f"near({word})": str(rng.choice(["no", "yes"])) for word in ("sea", "fog", "lamp")}
        told = ("light1" if pos == "noun" else "light4") if near["near(sea)"] == "no" else "light2"
        sense = told if rng.random() < 0.8 else str(rng.choice(["light1", "light2", "light3"]))  # noqa: PLR2004
        found.append({"pos": pos, **near, SENSE: sense})
    return found


_LEFT = "That is what the question leaves open. The gain is what it takes away from H(sense)."
_PLAIN = (
    "You averaged the two heaps as if they were equally large. How many of the rows are in each?"
)
_BEFORE = "That is the entropy before anything was asked."
_SIDES = "The weights have changed places: which of the two heaps is the larger one?"
_ONE_HEAP = (
    "You took away what one of the two heaps leaves open. The other one leaves something, too."
)
_TURNED = "The right size with the wrong sign: is less left open after the question, or more?"


def numbers_of(rows: list[Row], name: str) -> dict[str, float]:
    """What comes out with each of the usual mistakes."""
    before, (one, other) = bits(row[SENSE] for row in rows), heaps(rows, name)
    share = len(one) / len(rows)
    sizes = bits(row[name] for row in rows)
    return {
        "right": gain(rows, name),
        "left": remains(rows, name),
        "plain": before - (bits(one) + bits(other)) / 2,
        "sum": before - bits(one) - bits(other),
        "sides": before - (1 - share) * bits(one) - share * bits(other),
        "nats": gain(rows, name) * math.log(2),
        "before": before,
        "ratio": gain(rows, name) / sizes,
        "one": before - share * bits(one),
        "other": before - (1 - share) * bits(other),
        "turned": -gain(rows, name),
    }


_RIVER = numbers_of(SEVEN, "near(river)")

ROOT_GAIN = Exercise(
    id="word-senses/root-gain",
    title="The gain of near(river), at the root",
    points=2,
    heading="what the river tells",
    text="""Do the same for **near(river)**: what does it gain, at the root? (The answer may be off
by 0.001.)""",
    stub="gain_river = ...",
    answer="gain_river",
    task=Number(_RIVER["right"]),
    mistakes=(
        Mistake(_RIVER["left"], _LEFT),
        Mistake(_RIVER["plain"], _PLAIN),
        Mistake(
            _RIVER["sum"],
            "You took away the entropies of both heaps in full. H(Y|X) is an average of them,"
            " weighted by how many of the seven rows are in each.",
        ),
        Mistake(_RIVER["sides"], _SIDES),
        Mistake(_RIVER["nats"], NATS),
        Mistake(_RIVER["before"], _BEFORE),
        Mistake(
            _RIVER["ratio"],
            "That is the gain ratio, which C4.5 uses: the gain divided by the entropy of the"
            " branches' sizes. Here the gain itself is asked for.",
        ),
        Mistake(
            gain(VERBS, "near(river)"),
            "That is the gain among the five verbs. At the root nothing has been asked yet: take"
            " all seven rows.",
        ),
        Mistake(_RIVER["one"], _ONE_HEAP),
        Mistake(_RIVER["other"], _ONE_HEAP),
        *(
            Mistake(
                _RIVER["before"] - bits(heap),
                "You took away the entropy of one heap, in full. H(Y|X) is an average of both,"
                " each with its share of the seven rows.",
            )
            for heap in heaps(SEVEN, "near(river)")
        ),
        Mistake(_RIVER["turned"], _TURNED),
        *(
            Mistake(gain(SEVEN, name), f"That is the gain of {name}. Which column is asked for?")
            for name in NAMES
            if name != "near(river)"
        ),
    ),
    more="Sort the seven rows into two heaps by near(river), and write down how many rows of each"
    " sense are in them. ``dt.entropy([2, 0, 0, 1])`` is the entropy of the heap *no*.",
    solution="""h_no, h_yes = dt.entropy([2, 0, 0, 1]), dt.entropy([0, 1, 2, 1])
gain_river = dt.entropy([2, 1, 2, 2]) - (3 / 7 * h_no + 4 / 7 * h_yes)
""",
    why="Three rows have no river near and leave 0.918 bits, four have one and leave 1.5 bits:"
    " 3/7 · 0.918 + 4/7 · 1.5 = 1.251, and 1.950 - 1.251 = 0.700 (0.699 with rounded numbers)."
    " Not bad, but pos gains 0.863.",
)


_SENSES = ("bank1", "bank2", "bank5")
# Senses of the four rows with "money" near and of the six without, all equally hard to work out;
# what comes out with one mistake or another is never near what comes out with none.
HEAPS = (
    ((3, 1, 0), (1, 1, 4)),
    ((3, 1, 0), (1, 2, 3)),
    ((3, 0, 1), (2, 3, 1)),
    ((2, 2, 0), (1, 2, 3)),
    ((2, 1, 1), (1, 5, 0)),
    ((2, 1, 1), (0, 4, 2)),
    ((2, 1, 1), (1, 4, 1)),
    ((3, 1, 0), (0, 4, 2)),
    ((2, 2, 0), (1, 1, 4)),
)
_MONEY = "near(money)"


def _drawn(rng: np.random.Generator) -> list[Row]:
    near, far = HEAPS[int(rng.integers(len(HEAPS)))]
    senses = rng.permutation(_SENSES).tolist()
    rows = [
        {"pos": str(rng.choice(["noun", "verb"])), _MONEY: value, SENSE: sense}
        for value, counts in (("yes", near), ("no", far))
        for sense, n in zip(senses, counts, strict=True)
        for _ in range(n)
    ]
    return [rows[i] for i in rng.permutation(len(rows))]


def _make(rng: np.random.Generator) -> Exercise:
    rows = _drawn(rng)
    numbers = numbers_of(rows, _MONEY)
    kinds = {"pos": ("noun", "verb"), _MONEY: ("no", "yes"), SENSE: _SENSES}
    return Exercise(
        id="word-senses/my-gain",
        title="The gain of near(money), in a table of your own",
        points=3,
        heading="a table of your own",
        text="""Ten uses of *bank*, drawn for you. What does `near(money)` gain? (The answer may be
off by 0.001. If you have not put your name at the top of the page, now is the time; then run that
cell and this one again.)

```python
mine = dt.course.data("word-senses/my-gain", me)
mine
```""",
        stub="my_gain = ...",
        answer="my_gain",
        task=Number(numbers["right"]),
        mistakes=(
            Mistake(numbers["left"], _LEFT),
            Mistake(numbers["plain"], _PLAIN),
            Mistake(
                numbers["sum"],
                "You took away the entropies of both heaps in full. What is left on average counts"
                " each heap by its share of the ten rows.",
            ),
            Mistake(numbers["sides"], _SIDES),
            Mistake(numbers["nats"], NATS),
            Mistake(numbers["before"], _BEFORE),
            Mistake(numbers["one"], _ONE_HEAP),
            Mistake(numbers["other"], _ONE_HEAP),
            Mistake(numbers["turned"], _TURNED),
            Mistake(
                numbers["ratio"],
                "That is the gain ratio, which C4.5 uses. Leave out the division by the entropy of"
                " the branches' sizes.",
            ),
        ),
        more="Three entropies are needed: of all ten rows, of the four with money near, and of the"
        " six without. Take away from the first 4/10 of the second and 6/10 of the third."
        " (And is it your table? After you have put in your name, run its cell again.)",
        solution="""def counts(rows):
    return [sum(row["sense"] == sense for row in rows) for sense in mine.classes]

drawn = list(mine.rows())
near_money = [row for row in drawn if row["near(money)"] == "yes"]
no_money = [row for row in drawn if row["near(money)"] == "no"]
left = 4 / 10 * dt.entropy(counts(near_money)) + 6 / 10 * dt.entropy(counts(no_money))
my_gain = dt.entropy(counts(drawn)) - left
""",
        why="``dt.information_gain(mine, 'near(money)')`` gives the same; now you know what it"
        " does.",
        data=Table.from_rows(rows, target=SENSE, kinds=kinds),
    )


MY_GAIN = personal(_make)


def _finished() -> str:
    """The builder's state after "Finish with ID3" as the only step."""
    return dump(update(start(word_sense()), Finish("ID3")))


def _recipe(outcomes: tuple[Outcome, ...]) -> list[int]:
    return [i for i, o in enumerate(outcomes) if o.kind == "truth" and not o.value]


def _open_leaves(outcomes: tuple[Outcome, ...]) -> list[int]:
    return [i for i, o in enumerate(outcomes) if o.kind == "number" and "not finished" in o.says]


def _at_root(outcomes: tuple[Outcome, ...]) -> list[int]:
    first = outcomes[0]
    lost = first.kind == "number" and first.value > 0 and "at the root, " in first.says
    return [0] if lost else []


def _below(outcomes: tuple[Outcome, ...]) -> list[int]:
    return [
        i
        for i, o in enumerate(outcomes)
        if i and o.kind == "number" and o.value > 0 and "not finished" not in o.says
    ]


SEVEN_TREE = Exercise(
    id="word-senses/seven-tree",
    title="ID3 by hand, on seven rows",
    points=4,
    heading="be ID3",
    text="""Grow the same tree by hand: at each node ask what gains most, until every leaf is pure.
The gains stay hidden until you have chosen; if another question would have gained more, *Undo*.
Each question that gains as much as any other counts for itself, and so does having done without
*Finish*.""",
    stub="""grown = dt.TreeBuilder(table, reveal="after")
grown""",
    answer="grown",
    task=Steps(word_sense),
    mistakes=(
        Mistake(
            _finished(),
            '"Finish" grew it for you. Undo that, and ask each question yourself.',
            when=_recipe,
        ),
        Mistake(
            by_hand(
                word_sense(),
                {
                    (): "near(river)",
                    (0,): "pos",
                    (1,): "pos",
                    (1, 1): "near(race)",
                },
            ),
            "The first question is not the one that gains most. You have worked out all four gains"
            " at the root: which is the highest?",
            when=_at_root,
        ),
        Mistake(
            by_hand(
                word_sense(),
                {
                    (): "pos",
                    (1,): "near(race)",
                    (1, 0): "near(river)",
                },
            ),
            "The root is right, and further down a question gains less than another would. The"
            " ranking at the root does not hold there: count the senses of that node's rows.",
            when=_below,
        ),
        Mistake(
            by_hand(word_sense(), {(): "pos", (1,): "near(river)"}),
            "Some leaf still holds rows of several senses, and a question would gain something"
            " there. ID3 goes on until the rows of each leaf agree.",
            when=_open_leaves,
        ),
    ),
    more="Choose a leaf whose entropy is above 0, look at its rows, and take the question whose"
    " heaps are purest. The ranking appears once you have split. Do this until no such leaf is"
    " left; the whole tree has three questions.",
    solution="""grown = dt.by_hand(
    table,
    {(): "pos", (1,): "near(river)", (1, 1): "near(race)"},
)
""",
    why="pos gains 0.863 bits and makes the nouns pure. Among the five verbs near(river) gains"
    " 0.971, more than any question at the root. Three rows are left, and near(race) takes all"
    " 0.918 bits that they had.",
)
