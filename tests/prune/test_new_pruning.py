"""The way to prune of docs/new-pruning.md: what the page says, and both labs that show it."""

from __future__ import annotations

import doctest
import json
import re
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from strategies import tables

import dtree_lab as dt
from dtree_lab.grow import steps as narrators
from dtree_lab.prune import METHODS
from dtree_lab.tree.tree import Branch, Leaf, walk

PAGE = Path(__file__).parents[2] / "docs/new-pruning.md"
TEXT = PAGE.read_text(encoding="utf-8")


def block(language):
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    return found


@pytest.fixture(scope="module", autouse=True)
def names():
    """What the page's code defines. The registries are as they were when these tests are over."""
    space = {"__name__": "__main__"}
    with patch.dict(METHODS), patch.dict(narrators._NARRATORS):
        exec(compile(block("python"), str(PAGE), "exec", dont_inherit=True), space)  # noqa: S102 - the page's own code
        yield space


@pytest.fixture
def rows():
    return dt.evaluate.holdout(dt.datasets.penguins(missing="drop"), seed=1)


def part(lab, id_):
    (found,) = [one for one in lab.view["parts"] if one["id"] == id_]
    return found


def menu(part_, id_):
    (found,) = [one for one in part_["controls"] if one["id"] == id_]
    return dict(found["options"])


def expected(counts):
    """By the page's definition."""
    n, k = sum(counts), len(counts)
    return n * (n - max(counts) + k - 1) / (n + k)


def best(node):
    """The tree of least expected error by recursion, and that error; a leaf in a tie."""
    leaf, below = (Leaf(node.counts), expected(node.counts)), None
    if isinstance(node, Branch):
        children, costs = zip(*map(best, node.children), strict=True)
        below = Branch(node.counts, node.split, children), sum(costs)
    return leaf if below is None or leaf[1] <= below[1] + 1e-9 else below


# -- the page --------------------------------------------------------------------------------------


def test_the_page_keeps_its_word(names):
    """One file and one line; and its examples print what they say."""
    *_, line = block("python").strip().splitlines()
    assert line.startswith("METHODS[")
    test = doctest.DocTestParser().get_doctest(block("pycon"), names, "page", str(PAGE), 0)
    assert doctest.DocTestRunner(verbose=False).run(test) == (0, len(test.examples))


@settings(max_examples=100)
@given(tables())
def test_it_prunes_as_the_recursion_does(names, table):
    tree = dt.id3(table)
    smaller = names["minimum_error"](tree)
    assert smaller.root == best(tree.root)[0]


# -- the labs --------------------------------------------------------------------------------------


def test_the_pruning_lab_has_it(names, rows):
    training, validation = rows
    lab = dt.PruningLab(training, validation)
    assert menu(part(lab, "by-method"), "method")["minimum_error"] == names["MINIMUM_ERROR"].title
    lab.act({"do": "set", "control": "method", "value": "minimum_error"})
    assert "Minimum error (Niblett and Bratko): " in lab.view["status"]
    assert part(lab, "about")["lines"] == [names["MINIMUM_ERROR"].about]
    assert "cf" not in [one["id"] for one in part(lab, "by-method")["controls"]]
    smaller = names["minimum_error"](lab.full)
    for _ in smaller.cuts:
        lab.act({"do": "next"})
    assert lab.tree == smaller
    lab.act({"do": "next"})
    assert "Minimum error (Niblett and Bratko) ends here" in lab.view["problem"]
    again = dt.PruningLab(training, validation, state=lab.state)
    assert (again.state, again.tree) == (lab.state, lab.tree)


def test_its_own_costs_stand_beside_the_nodes(names, rows):
    lab = dt.PruningLab(*rows, method="minimum_error")
    grid = part(lab, "nodes")
    assert grid["head"][-2:] == ["Expected", "As a leaf"]
    assert grid["more"].startswith("Expected wrong training rows.")
    nodes = [node for _, node in sorted(walk(lab.full.root), key=lambda at: (len(at[0]), at[0]))]
    for first, *_, subtree, leaf in grid["rows"]:
        node = nodes[int(first.split(":")[0]) - 1]
        leaves = [one for _, one in walk(node) if isinstance(one, Leaf)]
        assert float(leaf) == pytest.approx(expected(node.counts), abs=5e-4)
        total = sum(expected(one.counts) for one in leaves)
        assert float(subtree) == pytest.approx(total, abs=5e-4)


def test_it_can_be_stepped_through(names, rows):
    lab = dt.StepThrough(rows[0], validation=rows[1])
    assert menu(part(lab, "settings"), "algorithm")["minimum_error"] == "minimum-error pruning"
    lab.act({"do": "set", "control": "algorithm", "value": "minimum_error"})
    assert lab.view["title"] == "Step through minimum-error pruning"
    code = part(lab, "code")
    assert code["drawer"] == "Minimum-error pruning in a few lines"
    assert len(code["lines"]) == len(names["MINIMUM_ERROR"].code)
    said = ""
    while lab.cursor < len(lab.events):
        lab.act({"do": "next"})
        said += json.dumps(lab.view)
    assert " wrong, as a leaf" not in said  # these are no wrong validation rows
    assert f"costs {lab.events[0].cost:.4g} expected wrong training rows" in said
    assert f"and costs {lab.events[-1].cost:.4g} expected wrong training rows" in said
    assert lab.result == names["minimum_error"](dt.id3(rows[0]))
    for algorithm, use in (("minimum_error", "withheld."), ("reduced_error", "to prune with.")):
        assert use in part(dt.StepThrough(rows[0], algorithm), "notes")["lines"][-1]
    again = dt.StepThrough(rows[0], validation=rows[1], state=lab.state)
    assert again.state == lab.state


def test_where_it_is_not_in_the_list_it_is_refused(rows):
    with patch.dict(METHODS):
        del METHODS["minimum_error"]
        with pytest.raises(ValueError, match=r"'max_depth', 'min_rows', 'breadth_first'$"):
            dt.PruningLab(*rows, method="minimum_error")
        with pytest.raises(ValueError, match="must be one of 'id3'"):
            dt.StepThrough(rows[0], "minimum_error")
