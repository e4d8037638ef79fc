"""What people keep of a version and go on to use: texts of labs and models, answers, names.

A file in this folder says what a version had, and stays as it is once that version is released
(docs/policy.md). `tests/test_kept.py` opens all of them.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import dtree_lab as dt
from browser.labstates import walk
from dtree_lab.course.tasks import Choose
from dtree_lab.labs.catalogue import LABS, find_lab

FOLDER = Path(__file__).parent
BY_CHANCE = 12
TEXTS = 5  # of a lab, at most
MODULES = ("corpus", "course", "datasets", "draw", "evaluate", "images", "populations", "prune")
CLASSES = (dt.Table, dt.Attribute, dt.Tree, dt.Branch, dt.Leaf, dt.Forest)


def plain(value: Any) -> Any:
    """A value as JSON would give it back."""
    return json.loads(json.dumps(value))


def lab_facts(lab: Any) -> dict[str, Any]:
    """What a lab's text has to bring back: its settings, and the tree that a hand has grown."""
    tree = json.loads(lab.tree.to_json()) if isinstance(lab, dt.TreeBuilder) else None
    return {"settings": plain(lab.value), "tree": tree}


def opened(name: str, state: str) -> Any:
    """A lab from a text, on the table that it brings."""
    return find_lab(name).opened(state=state)


def labs() -> Iterator[dict[str, Any]]:
    """Texts of every lab, with what they stand for."""
    for entry in LABS:
        texts = {lab.state: lab_facts(lab) for _, lab in walk(entry, BY_CHANCE)}
        for text in [*texts][:: -(-len(texts) // TEXTS)]:
            yield {"lab": entry.name, "text": text, **texts[text]}


def models() -> Iterator[dict[str, Any]]:
    """Texts of trees, forests and boosted trees, with how they answer the rows of a table."""
    fraud, penguins = dt.datasets.tax_fraud(), dt.datasets.penguins()
    weighed = dt.with_priors(fraud, {"No": 0.9, "Yes": 0.1})
    by_hand = dt.by_hand(fraud, {(): ("Taxable Income", 80, 0)})
    for table, model in (
        (fraud, dt.id3(fraud)),
        (weighed, dt.cart(weighed)),
        (fraud, by_hand),
        (penguins, dt.c45(penguins, min_leaf=5)),
        (fraud, dt.random_forest(fraud, n_trees=4, seed=1)),
        (fraud, dt.adaboost(fraud, n_stumps=4)),
    ):
        kind = type(model)
        rows = [table.row(i) for i in range(0, table.n_rows, 9)]
        yield {
            "class": f"{kind.__module__}.{kind.__qualname__}",
            "text": model.to_json(),
            "rows": plain(rows),
            "answers": plain([model.predict(row) for row in rows]),
        }


def answers() -> Iterator[list[Any]]:
    """The right answer of each question that has options, as it stands in a learner's cell."""
    for exercise in dt.course.exercises():
        if isinstance(exercise.task, Choose):
            right = [question.right for question in exercise.task.questions]
            yield [exercise.id, right if len(right) > 1 else right[0]]


def names() -> Iterator[tuple[str, Any]]:
    """What people type, each name with its parameters where it is called."""
    for name in dir(dt):
        yield f"dtree_lab.{name}", parameters(getattr(dt, name))
    for module in (*MODULES, "theory", "sklearn"):
        room = import_module(f"dtree_lab.{module}")
        for name in room.__all__:
            yield f"dtree_lab.{module}.{name}", parameters(getattr(room, name))
    for kind in CLASSES:
        for name in sorted({*dir(kind), *getattr(kind, "__match_args__", ())}):
            if not name.startswith("_"):
                yield f"dtree_lab.{kind.__name__}.{name}", parameters(getattr(kind, name, None))


def parameters(thing: Any) -> list[str] | None:
    """The names of what a thing is called with, those by place with their place."""
    if not callable(thing):
        return None
    try:
        each = inspect.signature(thing).parameters.values()
    except ValueError:
        return None
    by_place = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [f"{i} {one.name}" if one.kind in by_place else one.name for i, one in enumerate(each)]


def contents() -> dict[str, Any]:
    """All of it, of the version that is here."""
    return {
        "labs": list(labs()),
        "models": list(models()),
        "exercises": [exercise.id for exercise in dt.course.exercises()],
        "answers": list(answers()),
        "names": list(names()),
    }
