"""Small trees in the lab, the node that is cut first, and an error to report."""

from __future__ import annotations

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.lessons.pruning.examples import ferry, noisy
from dtree_lab.course.tasks import Choose, Do, Goal, Grow, Handed, Question, when
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


HIGHEST_FIRST = Exercise(
    id="pruning/highest-first",
    title="The node with the highest reduction",
    points=2,
    heading="highest first",
    text="""A node N has two children that ask, A and B. On the validation rows the subtree of N
makes 6 errors, 3 of them below A and 3 below B. As a leaf, A would make 1 error, B would make 1,
and N would make 3.

**Which** is true of reduced-error pruning as above?

- **A** it cuts A and B, and N stays
- **B** it cuts A, B and then N
- **C** it cuts N, and no other choice of cuts leaves fewer errors
- **D** it cuts N, and another choice of cuts would leave fewer errors

**Because**

- **1** cutting begins at the leaves
- **2** a round takes the highest reduction and does not look further ahead
- **3** a smaller tree is always better on the validation rows""",
    stub="""highest_first = dt.course.ask("pruning/highest-first")
highest_first""",
    answer="highest_first",
    task=Choose(
        (Question("which", ("A", "B", "C", "D"), "D"), Question("because", ("1", "2", "3"), "2"))
    ),
    mistakes=(
        Mistake(
            ("C", "2"),
            "It is the first cut, and the greedy one. How many errors remain after it, and how many"
            " would remain if both lower nodes were cut and the upper one stayed?",
        ),
        Mistake(
            ("A", "2"),
            "That is what pruning from the leaves up would do. The lecture's rule looks for the"
            " highest reduction first, wherever it stands.",
        ),
        Mistake(
            ("B", "2"),
            "A node inside one that was cut is gone; there is nothing left to cut.",
        ),
        Mistake(
            ("D", "1"),
            "There is no rule that pruning begins at the leaves. Read the recipe once more: which"
            " node does a round choose?",
        ),
        Mistake(
            ("D", "3"),
            "Smaller is not better by itself on the withheld rows: they are what is counted. Look"
            " at what each cut brings.",
        ),
    ),
    more="Count the errors that are left. Six now; the cut of the upper node removes so many, the"
    " two others together so many. And which of them does a round of the recipe choose?",
    solution='highest_first = dt.course.ask("pruning/highest-first", answer=("D", 2))',
    why="A round takes the highest reduction, 3, and ends with three errors. The two lower cuts"
    " bring 2 each, together 4, and would have left two errors, in a larger tree. Greedy again: one"
    " cut ahead, never back.",
)

HONEST = Exercise(
    id="pruning/honest",
    title="An error to report",
    points=2,
    heading="an error to report",
    text="""Ada grows a tree on 160 rows, prunes it with 80 others and reports its error on these
80: 16%. On new rows, what is to be expected?

- **A** about 16%
- **B** an error higher than 16%
- **C** an error lower than 16%

**Because**

- **1** the tree was not grown on these 80 rows
- **2** 80 rows are few, and any error on them is uncertain
- **3** the cuts were chosen for looking good on these 80 rows
- **4** pruning raises the training error""",
    stub="""honest = dt.course.ask("pruning/honest")
honest""",
    answer="honest",
    task=Choose(
        (
            Question("on_new_rows", ("A", "B", "C"), "B"),
            Question("because", ("1", "2", "3", "4"), "3"),
        )
    ),
    mistakes=(
        Mistake(
            ("C", "3"),
            "Then something would have to speak against the tree on these 80 rows in particular."
            " What were they used for?",
        ),
        Mistake(
            ("A", "3"),
            "It would be so if the 80 rows had only been looked at once, at the end. They were"
            " looked at before.",
        ),
        Mistake(
            ("B", "1"),
            "True, and it is why the error of the unpruned tree on these rows was honest. What"
            " happened after that?",
        ),
        Mistake(
            ("B", "2"),
            "Few rows make a number uncertain, to either side. Asked for is why it leans to one.",
        ),
        Mistake(
            ("B", "4"),
            "The training error says nothing here: neither number is measured on training rows.",
        ),
    ),
    more="Who chose the cuts? Think of a shirt that is altered on you until it fits. Does it fit"
    " your neighbour as well?",
    solution='honest = dt.course.ask("pruning/honest", answer=("B", 3))',
    why="Of all possible cuts those were made that help on these 80 rows, by skill or by luck, and"
    " the luck stays behind. Three heaps are needed: rows to grow on, rows to prune with, and rows"
    " that nobody has looked at.",
)
