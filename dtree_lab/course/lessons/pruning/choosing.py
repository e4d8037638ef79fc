"""Small trees in the lab, the node that is cut first, and an error to report."""

from __future__ import annotations

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.lessons.pruning.examples import ferry, noisy
from dtree_lab.course.tasks import Do, Goal, Grow, Handed, when
from dtree_lab.grow.api import by_hand, id3, stump
from dtree_lab.labs.kit.actions import Action, Press, Select, Set
from dtree_lab.labs.pruning import model as text
from dtree_lab.labs.pruning.model import update
from dtree_lab.labs.pruning.state import State, start
from dtree_lab.labs.treebuilder.model import dump
from dtree_lab.labs.treebuilder.model import update as build
from dtree_lab.labs.treebuilder.state import Finish
from dtree_lab.labs.treebuilder.state import start as begun

MOST_LEAVES, MOST_WRONG = 4, 3
LEAST_ERRORS, MOST_NODES = 12, 17


# -- a small tree for the ferry -------------------------------------------------------------------


def _wrong(handed: Handed) -> int:
    table = ferry()
    return round(handed.tree.error(table) * table.n_rows)


def _finished() -> str:
    return dump(build(begun(ferry()), Finish("ID3")))


SMALL_TREE = Exercise(
    id="pruning/small-tree",
    title="Four leaves, well chosen",
    points=2,
    heading="four leaves",
    text='''Here are thirty crossings of a ferry, and whether it was punctual or late. For now we
take the first twenty; all of them are needed soon.

```python
text = """
calm no rest high new punctual, storm yes rest high new late,
calm no rest low new punctual, storm no rest high new late,
calm yes work low new late, calm yes work high new punctual,
calm no rest high new punctual, calm no rest high old punctual,
calm yes work high new punctual, storm yes rest low old late,
calm no work low old punctual, calm yes rest low new late,
storm no rest high new late, storm no work low old late,
storm yes work high old punctual, storm yes rest high new late,
calm yes work low new late, storm yes work low new punctual,
storm no rest high old late, calm yes work high old late,
calm yes rest low new punctual, storm no work low old late,
calm no rest high new punctual, calm no work high old punctual,
calm no work high old punctual, calm yes rest high new late,
storm no work low old punctual, storm yes work low new late,
calm yes rest low new punctual, storm no rest high old late
"""
crossings = [part.split() for part in text.split(",")]
kinds = {
    "Wind": ("calm", "storm"),
    "Fog": ("no", "yes"),
    "Day": ("work", "rest"),
    "Tide": ("low", "high"),
    "Boat": ("old", "new"),
    "Ferry": ("punctual", "late"),
}
everything = dt.Table.from_rows(crossings, target="Ferry", names=list(kinds), kinds=kinds)
training, validation = everything.take(range(20)), everything.take(range(20, 30))
training
```

Be a grower with a limit: build a tree with **at most 4 leaves** that gets **at most 3** of the
twenty rows wrong.''',
    stub="""small = dt.TreeBuilder(training)
small""",
    answer="small",
    task=Grow(
        ferry,
        (
            Goal(
                lambda handed: handed.tree.n_leaves <= MOST_LEAVES,
                lambda handed: f"leaves: {handed.tree.n_leaves}",
                f"at most {MOST_LEAVES}",
            ),
            Goal(
                lambda handed: _wrong(handed) <= MOST_WRONG,
                lambda handed: f"training rows wrong: {_wrong(handed)} of 20",
                f"at most {MOST_WRONG}",
            ),
        ),
    ),
    mistakes=(
        Mistake(
            _finished(),
            '"Finish" grows to the very end; a limit on the leaves means to stop before. Undo it'
            " and spend your leaves one question at a time.",
            when=when(lambda handed: bool(handed.finished), 0),
        ),
        Mistake(
            id3(ferry()),
            "That is too much tree. Each question here adds one leaf: how many questions may you"
            " ask?",
            when=when(lambda handed: handed.tree.n_leaves > MOST_LEAVES, 0),
        ),
        Mistake(
            stump(ferry()),
            "You have leaves left to spend. Where do most rows still disagree with their leaf?",
            when=when(lambda handed: handed.tree.n_leaves < MOST_LEAVES, 1),
        ),
        Mistake(
            by_hand(ferry(), {(): "Boat", (0,): "Day", (1,): "Fog"}),
            "The leaves are all spent, and too many rows are wrong. A question is worth most where"
            " it parts many rows: take one back and ask where the larger mixed heap is.",
            when=when(
                lambda handed: handed.tree.n_leaves == MOST_LEAVES and _wrong(handed) > MOST_WRONG,
                1,
            ),
        ),
    ),
    more="Begin with the longest bar. Then compare the leaves: the one with the most wrong rows is"
    " worth the next question. Three questions make four leaves.",
    solution="small = dt.id3(training, max_leaves=4)",
    why="Best first: each time the question that gains most over all leaves, not level by level."
    " With four leaves three rows stay wrong, and no four leaves do better.",
)


# -- the pruning lab ------------------------------------------------------------------------------


def _load(given: str) -> State:
    return text.load(given, noisy())


def _left(*actions: Action) -> str:
    state = start(noisy())
    for action in actions:
        state = update(state, action)
    return text.dump(state)


def _fits(state: State) -> bool:
    return state.wrong[1] <= LEAST_ERRORS


def _small(state: State) -> bool:
    return state.tree.n_nodes <= MOST_NODES


IN_THE_LAB = Exercise(
    id="pruning/in-the-lab",
    title="Fewest errors, and then fewest nodes",
    points=3,
    heading="fewest errors, then fewest nodes",
    text="""Prune until **at most 12** of the 80 validation rows are wrong and **at most 17** nodes
are left. The method alone does not get there: some cuts lower nothing and cost nothing, and those
are yours to make. (How good the tree is then, these 80 rows cannot say any more: Exercise 10.)""",
    stub="""lab = dt.PruningLab(noisy)
lab""",
    answer="lab",
    task=Do(
        _load,
        (
            Goal(
                _fits,
                lambda state: f"validation rows wrong: {state.wrong[1]} of 80",
                f"at most {LEAST_ERRORS}",
            ),
            Goal(
                _small,
                lambda state: f"nodes, leaves included: {state.tree.n_nodes}",
                f"at most {MOST_NODES}",
            ),
        ),
        blank=lambda state: not state.cuts,
    ),
    mistakes=(
        Mistake(
            _left(Press("all"), Set("on", value=False)),
            "Pruning is switched off in the lab, so what stands there is the full tree. Your cuts"
            " are kept: switch it on again.",
            when=when(lambda state: not state.on, 0, 1),
        ),
        Mistake(
            _left(Press("all")),
            "The errors are as few as they get. The method stops where a cut no longer lowers the"
            " error; look in the table “subtree against leaf” for cuts that do not raise it.",
            when=when(lambda state: state.on and _fits(state) and not _small(state), 1),
        ),
        Mistake(
            _left(Press("next")),
            "There are still cuts that lower the validation error. The table “subtree against leaf”"
            " ranks them.",
            when=when(lambda state: state.on and not _fits(state) and not _small(state), 0),
        ),
        Mistake(
            _left(Select("tree", ()), Press("prune")),
            "That cuts too far: the tree is small enough, and some cut has raised the validation"
            " error. Take cuts back until it is as low as it was.",
            when=when(lambda state: state.on and not _fits(state) and _small(state), 0),
        ),
    ),
    more="Let “Reduced error” run to its end first. Then go through the nodes whose subtree and"
    " leaf have the same number of errors, and prune them by hand; begin high up in the tree.",
    solution="""lab = dt.PruningLab(noisy)
lab.act({"do": "all"})
for idle in dt.prune.reduced_error(lab.tree, lab.validation, no_worse=True).cuts:
    lab.act({"do": "select", "part": "tree", "at": ".".join(map(str, idle.path))})
    lab.act({"do": "prune"})
""",
    why="Reduced-error pruning ends with 12 errors and 23 nodes. Three more splits do nothing for"
    " the withheld rows; without them 17 nodes do the same. ``no_worse=True`` does so by itself.",
)
