"""Trees of thresholds: what is left to ask, a staircase, and a small one for real birds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from dtree_lab.base.text import plural
from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.lessons.thresholds.candidates import whole_penguins
from dtree_lab.course.tasks import Do, Goal, Grow, Handed, when
from dtree_lab.grow.api import c45, id3, stump
from dtree_lab.labs.kit.actions import Point, Press, Set
from dtree_lab.labs.plane import model as plane_text
from dtree_lab.labs.plane.data import GROWERS
from dtree_lab.labs.plane.model import update
from dtree_lab.labs.plane.state import State, start
from dtree_lab.table.table import Table
from dtree_lab.tree.splits import ByValue
from dtree_lab.tree.tree import Branch, Tree, walk

Place = tuple[float, float, int]
Hinted = Callable[[tuple[Outcome, ...]], tuple[int, ...]]


MOST_POINTS, LEAST_LEAVES = 10, 5
# As many as the lab draws at least; whoever places so many by hand has not read the exercise.
_DRAWN = 20
_ALIKE = 1e-9


def leaves(state: State) -> int:
    """The leaves of the tree on x1 and x2, grown to the end by the recipe that is set."""
    table = state.rows.table()
    return 0 if table is None else GROWERS[state.recipe.method](table).n_leaves


def _classes(state: State) -> int:
    return len(set(state.rows.labels.tolist()))


def slanted(state: State) -> bool:
    """Whether one cut of x1 + x2, or of x1 - x2, parts two classes without a mistake."""
    rows = state.rows
    if _classes(state) != 2:  # noqa: PLR2004 - a cut has two sides
        return False
    first = rows.labels == rows.labels[0]
    for along in (rows.x + rows.y, rows.x - rows.y):
        here, there = along[first], along[~first]
        if here.max() < there.min() - _ALIKE or there.max() < here.min() - _ALIKE:
            return True
    return False


def placed(points: Sequence[Place]) -> str:
    """The lab's text after all points were cleared and these placed."""
    state = update(start(), Press("clear"))
    for x, y, k in points:
        state = update(update(state, Set("click", str(k))), Point("plane", x, y))
    return plane_text.dump(state)


def _crowded(state: State) -> bool:
    return len(state.rows) > MOST_POINTS


def _touched() -> str:
    """The 150 points that the lab starts with, and one more."""
    return plane_text.dump(update(start(), Point("plane", 0.1, 0.1)))


_FAR = [(0.2, 0.2, 0), (0.3, 0.1, 0), (0.8, 0.9, 1), (0.7, 0.8, 1)]
_SHORT = [(0.1, 0.8, 0), (0.2, 0.9, 1), (0.3, 0.6, 0), (0.4, 0.7, 1)]
_COLUMN = [(0.1, 0), (0.2, 0), (0.8, 1), (0.9, 1)]
_MIXED = [
    (x / 10, y / 10, (x + y) % 2) for x, y in [(2, 2), (2, 5), (5, 2), (5, 5), (8, 2), (8, 5)]
]

STAIRCASE = Exercise(
    id="thresholds/staircase",
    title="A diagonal that costs a staircase",
    points=3,
    heading="make it climb",
    text="""Press *Clear*. Then place **at most 10 points** of two classes (*A click* chooses which)
such that

- one question about $x_1 + x_2$, or about $x_1 - x_2$, would tell them apart without a mistake, and
- a tree on $x_1$ and $x_2$, grown to the end, needs **at least 5 leaves**.

To see how you stand, put *Most questions deep* all the way to the right.""",
    stub="""plane = dt.PlaneLab()
plane""",
    answer="plane",
    task=Do(
        plane_text.load,
        (
            Goal(
                lambda state: len(state.rows) <= MOST_POINTS and _classes(state) == 2,  # noqa: PLR2004
                lambda state: (
                    f"{plural(len(state.rows), 'point')}, different classes: {_classes(state)}"
                ),
                f"at most {MOST_POINTS} points of two classes",
            ),
            Goal(
                slanted,
                lambda state: (
                    "one question about a sum or a difference "
                    + ("is enough" if slanted(state) else "is not enough")
                ),
                "a slanting line between the classes",
            ),
            Goal(
                lambda state: leaves(state) >= LEAST_LEAVES,
                lambda state: f"leaves of the tree on x1 and x2: {leaves(state)}",
                f"at least {LEAST_LEAVES}",
            ),
        ),
        lambda state: not state.edits,
    ),
    mistakes=(
        Mistake(
            _touched(),
            "The points that the lab starts with are still there. *Clear* takes them all away; then"
            " place your own.",
            when=when(lambda s: len(s.rows) >= _DRAWN, 0),
        ),
        Mistake(
            placed([(x, y, k) for x in (0.1, 0.2, 0.3) for y, k in _COLUMN]),
            "More points than allowed. *Undo* takes the last one back. Which of them force no step"
            " of the staircase?",
            when=when(lambda s: _crowded(s) and len(s.rows) < _DRAWN, 0),
        ),
        Mistake(
            placed(_FAR),
            "A slanting line parts them, and so does an upright or a level one: the two groups lie"
            " too far apart. Let the groups come close to the diagonal, side by side along it.",
            when=when(lambda s: not _crowded(s) and slanted(s) and leaves(s) == 2, 2),  # noqa: PLR2004
        ),
        Mistake(
            placed(_SHORT),
            "A slanting line parts them, and boxes need more than one cut: a staircase has begun. A"
            " pair more along the same line makes it one step longer.",
            when=when(
                lambda s: not _crowded(s) and slanted(s) and 2 < leaves(s) < LEAST_LEAVES,  # noqa: PLR2004
                2,
            ),
        ),
        Mistake(
            placed(_MIXED),
            "Boxes have hard work here, but no slanting line parts the classes either. Imagine the"
            " line first, and put each class on its own side of it.",
            when=when(lambda s: not _crowded(s) and _classes(s) == 2 and not slanted(s), 1),  # noqa: PLR2004
        ),
        Mistake(
            placed([(0.2, 0.8, 0), (0.5, 0.5, 0)]),
            "Two classes are needed. *A click* says which class the next point gets.",
            when=when(lambda s: not _crowded(s) and _classes(s) != 2, 0),  # noqa: PLR2004
        ),
    ),
    more="Think of the line from the upper left to the lower right corner. Put one class just below"
    " it, four points in a row, and the other just above it, so that each is close to its"
    " neighbours across the line.",
    solution="""plane = dt.PlaneLab()
plane.act({"do": "clear"})
for step in range(4):
    for shift, who in ((0, "0"), (0.1, "1")):
        plane.act({"do": "set", "control": "click", "value": who})
        x, y = 0.1 + 0.2 * step + shift, 0.8 - 0.2 * step + shift
        plane.act({"do": "point", "part": "plane", "x": round(x, 1), "y": round(y, 1)})
""",
    why="Along the diagonal every step down needs a corner of its own: an upright cut and a level"
    " one. One question about x1 + x2 would do, but a tree does not invent features.",
)


MOST_NODES, MOST_WRONG = 9, 10


@cache
def _birds() -> Table:
    return whole_penguins()


def _wrong_birds(tree: Tree) -> int:
    return round(tree.error(_birds()) * _birds().n_rows)


def _grown(holds: Callable[[Tree], bool], *goals: int) -> Hinted:
    return when(lambda handed: isinstance(handed, Handed) and holds(handed.tree), *goals)


def _large(tree: Tree) -> bool:
    return tree.n_nodes > MOST_NODES


def _careless(tree: Tree) -> bool:
    return _wrong_birds(tree) > MOST_WRONG


def _spent(tree: Tree) -> bool:
    return _careless(tree) and MOST_NODES - 1 <= tree.n_nodes <= MOST_NODES


def _three_ways(tree: Tree) -> bool:
    """Whether some question has a branch for each island."""
    asked = [node.split for _, node in walk(tree.root) if isinstance(node, Branch)]
    return any(isinstance(split, ByValue) and split.n_branches > 2 for split in asked)  # noqa: PLR2004


SMALL_TREE = Exercise(
    id="thresholds/small-tree",
    title="A small tree for real birds",
    points=3,
    heading="a small tree for real birds",
    text="""Grow a tree on the 333 complete penguins with **at most 9 nodes**, leaves included, that
gets **at most 10 rows wrong**. You may choose any threshold, cut a recipe's tree back, and put
islands together (in the list of questions, under *island*, open *Branches*).""",
    stub="""birds = dt.TreeBuilder(whole)
birds""",
    answer="birds",
    task=Grow(
        _birds,
        (
            Goal(
                lambda handed: handed.tree.n_nodes <= MOST_NODES,
                lambda handed: f"nodes, leaves included: {handed.tree.n_nodes}",
                f"at most {MOST_NODES}",
            ),
            Goal(
                lambda handed: _wrong_birds(handed.tree) <= MOST_WRONG,
                lambda handed: f"rows wrong: {_wrong_birds(handed.tree)} of {_birds().n_rows}",
                f"at most {MOST_WRONG}",
            ),
        ),
    ),
    mistakes=(
        Mistake(
            id3(_birds()),
            "It gets nearly every row right, with far more nodes than allowed. Which questions tell"
            " only a handful of rows apart? Cut there.",
            when=_grown(lambda tree: _large(tree) and not _careless(tree), 0),
        ),
        Mistake(
            stump(_birds()),
            "There is room for more questions. Look for the leaf where the most rows are wrong, and"
            " ask something there.",
            when=_grown(lambda tree: _careless(tree) and tree.n_nodes + 2 <= MOST_NODES, 1),
        ),
        Mistake(
            id3(_birds(), max_leaves=5),
            "Close. A question with a branch for each island brings three nodes at once; with two"
            " groups of islands it brings two. Which islands say the same?",
            when=_grown(lambda tree: _spent(tree) and _three_ways(tree), 1),
        ),
        Mistake(
            c45(_birds(), max_leaves=5),
            "Close. The nodes are spent, and some question has the same species on both sides, or"
            " nearly. Undo that one, and look at the leaf with the most wrong rows.",
            when=_grown(lambda tree: _spent(tree) and not _three_ways(tree), 1),
        ),
        Mistake(
            id3(_birds(), max_leaves=6),
            "Too large, and still too many rows wrong: some question cost two nodes and saved"
            " hardly a row. Undo it, and look where the bars are long.",
            when=_grown(lambda tree: _careless(tree) and _large(tree), 0, 1),
        ),
    ),
    more="Four questions with two answers each make nine nodes. Which species is the largest bird?"
    " Part it off first. After each question look for the leaf with the most wrong rows, and ask"
    " there; remember that where a bird lives can be asked in two groups, too.",
    solution="""birds = dt.by_hand(
    whole,
    {
        (): ("flipper_length_mm", 206.5),
        (0,): ("bill_length_mm", 43.35),
        (0, 1): ("island", [["Dream"], ["Biscoe", "Torgersen"]]),
        (1,): ("island", [["Biscoe"], ["Dream", "Torgersen"]]),
    },
)
""",
    why="Nine of the 333 rows are wrong, with four questions: the species differ in size and in"
    " where they live. CART, stopped at five leaves, finds the same tree.",
)
