"""The pruning lab's model and view, against the library's functions and slow oracles."""

from __future__ import annotations

import json
import re
from functools import reduce

import ipywidgets
import numpy as np
import pytest
import traitlets
from cases import each
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import tables

import dtree_lab as dt
from dtree_lab.draw.as_html import tree_html
from dtree_lab.draw.as_text import tree_text
from dtree_lab.labs.kit.actions import NotPossibleError, Pick, Point, Press, Select, Set
from dtree_lab.labs.kit.model import still_html, still_text
from dtree_lab.labs.kit.parts import TreeView
from dtree_lab.labs.pruning import model
from dtree_lab.labs.pruning.model import KEY, update
from dtree_lab.labs.pruning.state import difference_from_full, start
from dtree_lab.labs.pruning.view import view
from dtree_lab.prune import METHODS
from dtree_lab.tree.tree import Branch, Leaf, Tree, walk

NEXT, PRUNE, RESTORE = Press("next"), Press("prune"), Press("restore")
BY_METHOD = list(METHODS)
LIMIT = 64 * 1024


@pytest.fixture(scope="module")
def fresh():
    return start()


def fold(state, *actions):
    return reduce(update, actions, state)


def part(state, id_):
    return next(one for one in view(state).parts if getattr(one, "id", None) == id_)


def control(state, id_):
    groups = (part(state, "by-method"), part(state, "by-node"))
    return next(one for group in groups for one in group.controls if one.id == id_)


def refused(state, action):
    with pytest.raises(NotPossibleError) as error:
        update(state, action)
    return str(error.value)


def pruned_by_hand(tree, paths):
    """The tree with the nodes at some paths made leaves, node by node."""

    def kept(node, path):
        if isinstance(node, Leaf):
            return node
        if path in paths:
            return Leaf(node.counts)
        below = tuple(kept(child, (*path, i)) for i, child in enumerate(node.children))
        return Branch(node.counts, node.split, below)

    return kept(tree.root, ())


def paths_of(state):
    """Where the cuts are, as read off the tree that remembers them."""
    return {cut.path for cut in state.tree.cuts}


def branches(tree):
    return [path for path, node in walk(tree.root) if isinstance(node, Branch)]


# -- reduced-error pruning, round by round ---------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_next_until_nothing_improves_is_reduced_error_pruning(seed):
    state = start(seed=seed)
    truth = dt.prune.reduced_error(state.data.full, state.data.validation)
    assert truth.cuts  # there is something to see
    for n in range(1, len(truth.cuts) + 1):
        state = update(state, NEXT)
        assert state.tree == truth.after(n)
        assert state.tree.cuts == truth.cuts[:n]
    assert not control(state, "next").enabled
    assert "No cut lowers the validation error any more" in refused(state, NEXT)


def test_the_rows_are_withheld_as_in_the_lecture():
    table = dt.datasets.tax_fraud()
    data = start(table, seed=5).data
    training, validation = dt.evaluate.holdout(table, 1 / 3, seed=5)
    for mine, theirs in ((data.training, training), (data.validation, validation)):
        assert np.array_equal(mine.labels, theirs.labels)
        assert all(map(np.array_equal, mine.columns, theirs.columns))
    assert data.full == dt.id3(training)


def test_next_goes_on_from_what_was_cut_by_hand(fresh):
    """A round looks at the tree as it stands, whoever made the cuts."""
    state = fold(fresh, Select("tree", (1, 0)), PRUNE, NEXT)
    by_hand = Tree.of(fresh.data.training, pruned_by_hand(fresh.data.full, {(1, 0)}))
    truth = dt.prune.reduced_error(by_hand, fresh.data.validation)
    assert state.tree == truth.after(1)


def test_a_round_by_hand():
    """Six rows to grow on, four to prune with; the numbers are counted on paper.

    a parts 3 no + 1 yes from 2 yes; b then parts the one yes. Of the validation rows, two reach b's
    "1" and are "no": the subtree at b errs on both, a leaf "no" on none. At the root the whole tree
    errs on the same two, a leaf (3 no, 3 yes: the first class) on the one "yes".
    """
    columns = {"a": "000011", "b": "000101", "y": ["no", "no", "no", "yes", "yes", "yes"]}
    table = dt.Table.from_columns({k: list(v) for k, v in columns.items()}, "y")
    held = {"a": list("0001"), "b": list("0110"), "y": ["no", "no", "no", "yes"]}
    state = start(table, dt.Table.from_columns(held, "y"))
    grid = part(state, "nodes")
    assert grid.head == ["Node", "Subtree", "Leaf", "Spared"]
    assert grid.rows == [["2: b?", "2", "0", "+2"], ["1: a?", "2", "1", "+1"]]
    after = update(state, NEXT)
    assert after.status == "Pruned “b?”: 3 nodes; 2, now 0 of 4 validation rows wrong."
    assert part(after, "nodes").rows == [["1: a?", "0", "1", "\N{MINUS SIGN}1"]]
    rows = part(after, "changed")
    assert rows.rows == [
        ["Row 2", "yes", "no", "no", "better"],
        ["Row 3", "yes", "no", "no", "better"],
    ]
    assert rows.heading.endswith(" changes: 2 of 4, 2 for the better, 0 for the worse")
    assert part(state, "changed").heading.endswith(" changes: none")


# -- the methods -----------------------------------------------------------------------------------


def trees(state):
    """All trees of a method, largest first, reached through the slider."""
    for n_nodes in state.sequence.n_nodes:
        yield update(state, Set("size", n_nodes))


@pytest.mark.parametrize("method", BY_METHOD)
def test_the_curve_is_the_errors_of_the_trees(fresh, method):
    data, state = fresh.data, update(fresh, Set("method", method))
    sequence = state.sequence
    assert list(sequence.n_nodes) == sorted(set(sequence.n_nodes), reverse=True)
    for i, at in enumerate(trees(state)):
        assert (at.tree.n_nodes, at.stop) == (sequence.n_nodes[i], i)
        assert sequence.training[i] == round(at.tree.error(data.training) * 160)
        assert sequence.validation[i] == round(at.tree.error(data.validation) * 80)


def test_reduced_error_goes_on_to_the_root(fresh):
    truth = dt.prune.reduced_error(fresh.data.full, fresh.data.validation)
    shown = list(trees(fresh))
    assert all(one.tree == truth.after(n) for n, one in enumerate(shown[: len(truth.cuts) + 1]))
    assert shown[fresh.sequence.end].tree == truth
    assert shown[-1].tree.n_nodes == 1


def test_cost_complexity_is_its_path(fresh):
    state = update(fresh, Set("method", "cost_complexity"))
    path = dt.prune.cost_complexity_path(fresh.data.full)
    first, *rest = trees(state)
    # Two leaves of the full tree spare no training row, so that alpha 0 already cuts them.
    assert first.tree == fresh.data.full != path[0]
    assert "not even at alpha 0" in part(first, "curve").slider.words
    assert len(rest) == len(path)
    for i, one in enumerate(rest):
        alpha = float(path.alphas[i])
        assert one.tree == dt.prune.cost_complexity(fresh.data.full, alpha)
        said = part(one, "curve").slider.words.split("best for alpha from ")[1]
        low, *high = (float(x) for x in re.findall(r"\d[\d.]*\b", said))
        assert low == pytest.approx(alpha, abs=1e-6)
        assert high == pytest.approx(path.alphas[i + 1 : i + 2].tolist(), abs=1e-6)
    best = path.best(fresh.data.validation)
    assert update(state, Press("all")).tree == dt.prune.cost_complexity(fresh.data.full, best)


@pytest.mark.parametrize("cf", [0.01, 0.1, 0.25, 0.5])
def test_the_confidence_prunes_pessimistically(fresh, cf):
    state = update(fresh, Set("cf", cf))
    truth = dt.prune.pessimistic(fresh.data.full, cf)
    assert state.method == "pessimistic"
    assert state.tree == truth
    by_steps = update(fresh, Set("method", "pessimistic"))
    by_steps = fold(update(by_steps, Set("cf", cf)), Press("reset"), *[NEXT] * len(truth.cuts))
    assert by_steps.tree == truth
    assert "Pessimistic (C4.5) ends here" in refused(by_steps, NEXT)


def test_early_stopping_is_growing_with_the_limit(fresh):
    training = fresh.data.training
    depth = update(fresh, Set("method", "max_depth"))
    levels = range(fresh.data.full.depth, -1, -1)
    assert [one.tree for one in trees(depth)] == [dt.id3(training, max_depth=d) for d in levels]
    rows = update(fresh, Set("method", "min_rows"))
    asks = {sum(node.counts) for _, node in walk(fresh.data.full.root) if isinstance(node, Branch)}
    limits = [2, *(n + 1 for n in sorted(asks))]
    assert [one.tree for one in trees(rows)] == [dt.id3(training, min_rows=n) for n in limits]


@pytest.mark.parametrize("method", ["max_depth", "min_rows"])
def test_validation_rows_choose_the_smallest_of_the_best(fresh, method):
    state = fold(fresh, Set("method", method), Press("all"))
    wrong = state.sequence.validation
    assert state.wrong[1] == min(wrong)
    assert all(w > min(wrong) for w in wrong[state.sequence.end + 1 :])


def test_growing_breadth_first_ends_where_grow_until_does(fresh):
    data = fresh.data
    state = update(fresh, Set("method", "breadth_first"))
    assert update(state, Press("all")).tree == dt.prune.grow_until(
        dt.id3, data.training, data.validation
    )
    grown = dt.steps(dt.prune.grow_until, dt.id3, data.training, data.validation, patience=99)
    wrong = [event.after for event in grown if type(event).__name__ == "Grew"]
    assert list(state.sequence.validation[:-1]) == wrong[::-1]


@pytest.mark.parametrize("method", BY_METHOD)
def test_next_leads_to_the_methods_end(fresh, method):
    state = fold(fresh, Set("method", method))
    for _ in range(100):
        if not state.upcoming:
            break
        tags = part(state, "tree").tags
        assert set(tags.values()) <= {"next", "pruned"}
        before, state = state, update(state, NEXT)
        assert state.tree.n_nodes < before.tree.n_nodes
        assert {path for path, tag in tags.items() if tag == "next"} == paths_of(state) - paths_of(
            before
        )
    assert state.tree == update(fold(fresh, Set("method", method)), Press("all")).tree


def weighed(state, method):
    """The table's rows of numbers, by the number of the node."""
    state = update(state, Set("method", method))
    return {int(row[0].partition(":")[0]) - 1: row[1:] for row in part(state, "nodes").rows}


def test_the_table_weighs_as_the_method_does(fresh):
    """The same numbers as the first event of the method on the tree as it stands."""
    state = update(fresh, NEXT)
    number = {path: node for node, path in enumerate(fresh.data.paths)}
    # Each method with its arguments, and where and how its costs are told.
    cases = [
        ("reduced_error", [fresh.data.validation], [(0, "subtree", ""), (1, "leaf", "")]),
        ("cost_complexity", [0.0], [(3, "strength", ".3f")]),
        ("pessimistic", [0.25], [(3, "subtree", ".3f"), (4, "leaf", ".3f")]),
    ]
    plain = weighed(state, "max_depth")
    for method, arguments, columns in cases:
        first = dt.steps(getattr(dt.prune, method), state.tree, *arguments)[0]
        told = weighed(state, method)
        assert {node: row[:3] for node, row in told.items()} == plain
        assert set(told) == {number[cut.path] for cut in first.candidates}
        for cut in first.candidates:
            for column, name, form in columns:
                assert told[number[cut.path]][column] == format(getattr(cut, name), form)
    spared = [row[2].replace("\N{MINUS SIGN}", "-") for row in plain.values()]
    assert [int(n) for n in spared] == sorted(map(int, spared), reverse=True)
    links = [float(row[3]) for row in weighed(state, "cost_complexity").values()]
    assert links == sorted(links)


def row_of(table, i):
    return {one.name: table.column(one.name)[i] for one in table.attributes}


def way(tree, row):
    """The branches that a row takes, question by question."""
    node = tree.root
    while isinstance(node, Branch):
        below = row[tree.attributes[node.split.attribute].name] < node.split.cuts[0]
        yield 0 if below else 1
        node = node.children[0 if below else 1]


# -- by hand ---------------------------------------------------------------------------------------


def test_a_node_is_pruned_and_grown_back(fresh):
    state = fold(fresh, Select("tree", (1,)))
    assert control(state, "prune").enabled
    assert not control(state, "restore").enabled
    cut = update(state, PRUNE)
    assert paths_of(cut) == {(1,)}
    assert control(cut, "restore").enabled
    assert "pruned already" in refused(cut, PRUNE)
    assert part(cut, "tree").tags[(1,)] == "pruned"
    assert part(cut, "tree").faded == {
        path for path, _ in walk(fresh.data.full.root) if path[:1] == (1,) and path != (1,)
    }
    back = update(cut, RESTORE)
    assert back.tree == fresh.data.full
    assert "Nothing was pruned" in refused(back, RESTORE)
    leaf = next(path for path, node in walk(fresh.data.full.root) if isinstance(node, Leaf))
    assert "This node is a leaf" in refused(update(fresh, Select("tree", leaf)), PRUNE)


def test_a_cut_inside_another_comes_to_light_again(fresh):
    inner = next(path for path in branches(fresh.data.full) if len(path) == 3)
    state = fold(fresh, Select("tree", inner), PRUNE, Select("tree", inner[:1]), PRUNE)
    assert state.tree == fold(fresh, Select("tree", inner[:1]), PRUNE).tree
    inside = update(state, Select("tree", inner))
    assert "grow that one back first" not in refused(inside, PRUNE)
    between = update(state, Select("tree", inner[:2]))
    assert "grow that one back first" in refused(between, PRUNE)
    assert "grow that one back" in refused(between, RESTORE)
    assert update(state, RESTORE).tree == fold(fresh, Select("tree", inner), PRUNE).tree
    assert fold(inside, RESTORE, Press("back")).tree == fresh.data.full


def test_pruning_goes_off_and_on(fresh):
    cut = fold(fresh, NEXT, NEXT)
    off = update(cut, Set("on", value=False))
    assert off.tree == fresh.data.full
    assert not difference_from_full(off).rows
    for action in (NEXT, PRUNE, RESTORE):
        assert "Pruning is off" in refused(off, action)
    assert not control(off, "next").enabled
    assert not control(off, "prune").enabled
    assert update(off, Set("on", value=True)).tree == cut.tree


def test_what_is_pruned_can_be_hidden(fresh):
    inner = next(path for path in branches(fresh.data.full) if len(path) == 3)
    state = fold(fresh, Select("tree", inner[:1]), PRUNE, Select("tree", inner))
    hidden = update(state, Set("faded", value=False))
    assert part(hidden, "tree").selected == inner[:1]
    assert part(hidden, "tree").tree == hidden.tree
    assert not part(hidden, "tree").faded
    assert "There is no node" in refused(hidden, Select("tree", inner))
    assert part(update(hidden, Set("faded", value=True)), "tree").tree == fresh.data.full


def test_a_row_of_each_table_can_be_chosen(fresh):
    state = update(fresh, NEXT)
    named = update(state, Pick("nodes", 2))
    number = int(part(state, "nodes").rows[2][0].partition(":")[0])
    assert part(named, "nodes").current == 2
    assert part(named, "selected").lines[0].startswith(f"Node {number} asks")
    row = difference_from_full(state).rows[1]
    for faded, tree in ((True, fresh.data.full), (False, state.tree)):
        followed = fold(state, Set("faded", value=faded), Pick("changed", 1))
        assert part(followed, "changed").current == 1
        taken = tuple(way(tree, row_of(fresh.data.validation, row)))
        assert part(followed, "tree").lit == part(followed, "tree").selected == taken
    for grid in ("nodes", "changed"):
        assert "There is no row" in refused(state, Pick(grid, 1000))


def test_back_and_reset(fresh):
    two = fold(fresh, NEXT, NEXT)
    assert update(two, Press("back")).tree == update(fresh, NEXT).tree
    assert update(two, Press("reset")).tree == fresh.data.full
    assert "no cut to take back" in refused(fresh, Press("back"))


def test_what_is_no_action_of_this_lab_is_refused(fresh):
    strange = [
        Press("play"),
        Point("curve", 1, 1),
        Set("cf", 0.7),
        Set("cf", 0.0),
        Set("size", "big"),
        Set("on", "yes"),
        Set("depth", 3),
        Select("tree", (0, 7)),
        Select("tree", (-1,)),
        Select("other", ()),
    ]
    for action in strange:
        assert refused(fresh, action)
    with pytest.raises(ValueError, match="method='c5' must be one of 'reduced_error'"):
        update(fresh, Set("method", "c5"))


# -- dragging --------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", BY_METHOD)
def test_a_hand_gets_the_nearest_tree(fresh, method):
    state = update(fresh, Set("method", method))
    sizes = state.sequence.n_nodes
    for wanted in np.linspace(0, sizes[0] + 2, 97).tolist():
        state = update(state, Set("size", wanted + 0.011))
        best = min(abs(n - wanted - 0.011) for n in sizes)
        assert abs(state.tree.n_nodes - wanted - 0.011) == best


@pytest.mark.parametrize("method", BY_METHOD)
def test_keys_go_from_tree_to_tree(fresh, method):
    state = update(fresh, Set("method", method))
    slider = part(state, "curve").slider
    assert slider.step == KEY
    for smaller in state.sequence.n_nodes[1:]:
        state = update(state, Set("size", state.tree.n_nodes - KEY))
        assert state.tree.n_nodes == smaller
    assert "smallest" in refused(state, Set("size", state.tree.n_nodes - KEY))
    for larger in state.sequence.n_nodes[-2::-1]:
        state = update(state, Set("size", state.tree.n_nodes + KEY))
        assert state.tree.n_nodes == larger
    assert "largest" in refused(state, Set("size", state.tree.n_nodes + KEY))


@pytest.mark.parametrize("method", BY_METHOD)
def test_keys_that_come_faster_than_answers_are_not_lost(fresh, method):
    """The browser counts on from where it was; each press is one tree, up to the last."""
    state = update(fresh, Set("method", method))
    sizes = state.sequence.n_nodes
    for presses in range(1, len(sizes) + 2):
        state = update(state, Set("size", sizes[0] - presses * KEY))
        assert state.tree.n_nodes == sizes[min(presses, len(sizes) - 1)]
    for presses in range(1, 4):
        state = update(state, Set("size", sizes[-1] + presses * KEY))
        assert state.tree.n_nodes == sizes[max(len(sizes) - 1 - presses, 0)]


def test_a_tree_beside_the_curve_is_not_taken_for_one_on_it(fresh):
    """A tree by hand may have as many nodes as one of the method's."""
    state = update(fresh, Set("method", "breadth_first"))
    smallest = [cut for cut in branches(fresh.data.full) if leaf_pair(fresh.data.full, cut)]
    by_hand = fold(state, Select("tree", smallest[0]), PRUNE)
    on_curve = update(state, Set("size", by_hand.tree.n_nodes))
    assert on_curve.tree.n_nodes == by_hand.tree.n_nodes
    assert on_curve.tree != by_hand.tree
    assert (by_hand.stop, on_curve.stop) == (None, 1)
    assert update(by_hand, Set("size", by_hand.tree.n_nodes)).tree == on_curve.tree
    assert update(on_curve, Set("size", by_hand.tree.n_nodes)) is on_curve


def leaf_pair(tree, path):
    return all(isinstance(child, Leaf) for child in dict(walk(tree.root))[path].children)


# -- laws ------------------------------------------------------------------------------------------

STEPS = st.one_of(
    st.sampled_from([NEXT, PRUNE, RESTORE, Press("back"), Press("all"), Press("reset")]),
    st.sampled_from(BY_METHOD).map(lambda method: Set("method", method)),
    st.sampled_from([0.01, 0.25, 0.5]).map(lambda cf: Set("cf", cf)),
    st.integers(0, 40).map(lambda n: Set("size", n)),
    st.booleans().map(lambda on: Set("on", on)),
    st.booleans().map(lambda faded: Set("faded", faded)),
    st.lists(st.integers(0, 1), max_size=4).map(lambda at: Select("tree", tuple(at))),
    st.integers(0, 6).map(lambda row: Pick("nodes", row)),
    st.integers(0, 3).map(lambda row: Pick("changed", row)),
)


@st.composite
def states(draw):
    table = draw(tables(max_rows=40).filter(lambda one: one.n_rows > 1))
    state = start(table, seed=draw(st.integers(0, 3)))
    for action in draw(st.lists(st.one_of(STEPS, st.just(NEXT), st.just(PRUNE)), max_size=12)):
        try:
            state = update(state, action)
        except NotPossibleError as error:
            assert str(error).endswith(".")  # noqa: PT017 - it may, or may not, be possible
    return table, state


@settings(deadline=None, max_examples=150)
@given(states())
def test_any_actions_leave_a_valid_state(drawn):
    table, state = drawn
    data, tree = state.data, state.tree
    # The tree is the cuts, whatever their order.
    paths = {data.paths[node] for node in state.cuts_made}
    assert tree == Tree.of(data.training, pruned_by_hand(data.full, paths))
    assert paths_of(state) == paths
    # Its errors are the tree's own.
    shares = tree.error(data.training), tree.error(data.validation)
    assert state.wrong[0] == pytest.approx(shares[0] * len(data.training))
    assert state.wrong[1] == pytest.approx(shares[1] * len(data.validation))
    # The rows that change, one by one.
    before, after = data.full.predict(data.validation), tree.predict(data.validation)
    actual = data.validation.column(data.full.target.name)
    differ = [i for i in range(len(actual)) if before[i] != after[i]]
    found = difference_from_full(state)
    assert found.rows == differ
    assert found.better == sum(after[i] == actual[i] for i in differ)
    assert found.worse == sum(before[i] == actual[i] for i in differ)
    # Its text makes it again, and it can be shown.
    again = model.load(model.dump(state), table)
    assert model.dump(again) == model.dump(state)
    assert again.tree == tree
    told = view(state).json()
    assert len(json.dumps(told)) < LIMIT
    assert told == {**view(again).json(), "status": state.status}
    assert dict(walk(part(state, "tree").tree.root))[part(state, "tree").selected]


@settings(deadline=None, max_examples=60)
@given(states(), st.randoms())
def test_any_order_of_growing_back_ends_in_the_full_tree(drawn, random):
    state = fold(drawn[1], Set("on", value=True), Set("faded", value=True))
    nodes = list(state.cuts)
    random.shuffle(nodes)
    for i, node in enumerate(nodes):
        state = fold(state, Select("tree", state.data.paths[node]), RESTORE)
        paths = {state.data.paths[left] for left in nodes[i + 1 :]}
        assert state.tree.root == pruned_by_hand(state.data.full, paths)
    assert state.tree == state.data.full


# -- what is shown ---------------------------------------------------------------------------------


def test_the_figure_shows_both_errors(fresh):
    picture = part(update(fresh, NEXT), "curve")
    sequence = fresh.sequence
    told = "\n".join(picture.text)
    for i in range(len(sequence.stops)):
        line = (
            f"{sequence.training[i]} of 160 training rows wrong, {sequence.validation[i]} of 80"
            " validation rows wrong."
        )
        assert line in told
    assert told.count("The method ends here.") == 1
    svg = picture.figure.element.svg()
    assert "training error" in svg
    assert "validation error" in svg
    assert f"this tree: {update(fresh, NEXT).tree.n_nodes}" in svg
    assert "this tree" in picture.figure.title.lower()


@pytest.mark.parametrize("method", BY_METHOD)
def test_each_method_is_explained(fresh, method):
    state = update(fresh, Set("method", method))
    about = part(state, "about")
    assert (about.heading, about.lines) == (METHODS[method].title, [METHODS[method].about])
    assert control(state, "next").label == METHODS[method].step
    assert dict(control(state, "method").options)[method] == METHODS[method].title


def test_the_first_words_say_how_the_tree_does(fresh):
    state = update(fresh, NEXT)
    tree, full, data = state.tree, state.data.full, state.data
    size, *errors = part(state, "now").lines
    depth = f"depth {tree.depth} of {full.depth}"
    assert size == f"This tree: {tree.n_nodes} of {full.n_nodes} nodes, {depth}."
    rows = {"Training": data.training, "Validation": data.validation}
    for line, (name, table) in zip(errors, rows.items(), strict=True):
        now, before = (round(one.error(table) * len(table)) for one in (tree, full))
        told = f"{name}: {now} of {len(table)} rows wrong; full tree: {before}."
        assert line == told


def test_without_a_kernel_the_pruned_tree_is_shown(fresh):
    state = fold(fresh, Select("tree", ()), PRUNE)
    for one in (fresh, state):
        assert tree_text(one.tree) in still_text(view(one))
    assert tree_text(fresh.tree) not in still_text(view(state))
    assert tree_html(state.tree) in still_html(view(state))


def test_hostile_names_stay_within_a_message():
    rng = np.random.default_rng(0)
    names = ["<img src=x onerror=alert(1)>", "\"q\" & 'r'", "\u202eleft", "🌳" * 300, "x" * 300]
    values = ["", "<b>", "🌳" * 300]
    columns = {name: [values[i] for i in rng.integers(0, 3, 300)] for name in names}
    labels = [["", "y" * 300, "🌳" * 300][i] for i in rng.integers(0, 3, 300)]
    state = start(dt.Table.from_columns({**columns, "</script>": labels}, "</script>"))
    for method in BY_METHOD:
        for action in (Press("reset"), Press("all")):
            state = fold(state, Set("method", method), action)
            assert len(json.dumps(view(state).json())) < LIMIT
    assert "<img src=x" not in still_html(view(state))


def test_a_name_does_not_turn_the_words_around_it():
    columns = {"\u202eleft \u05e9\u05dd": ["a", "b", "b"], "y": ["c", "d", "d"]}
    table = dt.Table.from_columns(columns, "y")
    state = start(table, table)
    (row,) = part(state, "nodes").rows
    assert row[0] == "1: \u2068left \u05e9\u05dd\u2069?"
    assert update(state, PRUNE).status.startswith(f"Pruned “{row[0][3:]}”: 1 node;")
    below = part(update(state, Select("tree", (0,))), "selected").lines[1]
    assert below == "Its rows: \u2068left \u05e9\u05dd is a\u2069."


def test_hundreds_of_nodes_stay_within_a_message():
    rng = np.random.default_rng(1)
    columns = {f"x{i}": rng.random(3000) for i in range(3)}
    labels = [f"class {i}" for i in rng.integers(0, 4, 3000)]
    state = start(dt.Table.from_columns({**columns, "y": labels}, "y"))
    assert state.data.full.n_nodes > 500
    for method in BY_METHOD:
        cut = fold(state, Set("method", method), Set("size", 400), Select("tree", (0, 1)))
        assert len(json.dumps(view(cut).json())) < LIMIT
        assert len(part(cut, "nodes").rows) == 30
        assert "more nodes that would bring less" in part(cut, "nodes").more
        assert len(part(cut, "changed").rows) == 30
        assert "The first 30 are listed." in part(cut, "changed").more


def test_a_node_with_hundreds_of_branches_is_told_not_drawn():
    rng = np.random.default_rng(2)
    columns = {"id": [f"v{i}" for i in range(300)], "y": rng.integers(0, 2, 300).tolist()}
    columns["y"] = [f"c{i}" for i in columns["y"]]
    table = dt.Table.from_columns(columns, "y", kinds={"id": "discrete"})
    state = start(table, table)
    assert "too many branches to be drawn" in part(state, "wide").lines[0]
    assert not any(isinstance(one, TreeView) for one in view(state).parts)
    assert update(state, PRUNE).tree.n_nodes == 1


# -- arguments and texts ---------------------------------------------------------------------------


def test_arguments_are_checked():
    table = dt.datasets.tax_fraud()
    with pytest.raises(ValueError, match="method='id3' must be one of"):
        start(table, method="id3")
    for seed in (-1, 1.5, True, "0"):
        with pytest.raises(ValueError, match=r"seed=.* must be a whole number"):
            start(table, seed=seed)
    with pytest.raises(TypeError, match=r"dt\.Table"):
        start([1, 2])
    with pytest.raises(ValueError, match="continuous"):
        start(dt.Table.from_columns({"a": [1, 2, 3], "y": [0.5, 1.5, 2.5]}, "y"))
    with pytest.raises(ValueError, match="at least two"):
        start(table.take(np.array([0])))
    with pytest.raises(ValueError, match="'Cheat'"):
        start(table, dt.datasets.word_sense())
    many = dt.Table.from_columns({"a": list(range(101)), "y": [f"c{i}" for i in range(101)]}, "y")
    with pytest.raises(ValueError, match="101 classes; this lab tells at most 100"):
        start(many)


def test_gaps_and_new_classes_in_the_validation_rows_are_measured():
    table = dt.datasets.tax_fraud()
    rows = [["No", None, 90, "Yes"], ["No", "Single", 95, "Maybe"], ["Yes", "Married", 70, "No"]]
    names = ["Refund", "Marital Status", "Taxable Income", "Cheat"]
    held = dt.Table.from_rows(rows, "Cheat", names=names, missing="keep")
    state = start(table, held)
    for one in (state, fold(state, PRUNE)):
        assert one.wrong[1] == round(one.tree.error(held) * 3)
        assert len(json.dumps(view(one).json())) < LIMIT


def test_a_pure_table_is_a_leaf():
    state = start(dt.Table.from_columns({"a": [1, 2, 3], "y": ["c"] * 3}, "y"))
    assert state.tree.n_nodes == 1
    assert part(state, "nodes").more == "Only a leaf stands: nothing is left to prune."
    for method in BY_METHOD:
        one = update(state, Set("method", method))
        assert refused(one, NEXT)
        assert update(one, Set("size", 1.3)).tree.n_nodes == 1


def test_a_text_belongs_to_its_rows():
    table = dt.datasets.tax_fraud()
    state = start(table, seed=2, method="max_depth")
    again = model.load(model.dump(state), table)
    assert (again.method, again.data.seed) == ("max_depth", 2)
    with pytest.raises(ValueError, match="made on another table"):
        model.load(model.dump(state), dt.datasets.word_sense())
    with pytest.raises(ValueError, match="other validation rows"):
        model.load(model.dump(state), table, table)
    with pytest.raises(ValueError, match=r"must be a text from .state of a PruningLab"):
        model.load("{}", table)


@pytest.mark.parametrize(
    "change",
    [
        {"cuts": [1, 1]},
        {"cuts": [0, 1]},
        {"cuts": ["root"]},
        {"cuts": [True]},
        {"cuts": [-1]},
        {"cuts": [10_000]},
        {"at": 10_000},
        {"at": -1},
        {"row": 80},
        {"row": -1},
        {"cf": 0.9},
        {"on": 1},
        {"method": "none"},
        {"seed": -1},
    ],
)
def test_a_damaged_text_is_refused(fresh, change):
    data = json.loads(model.dump(fresh)) | change
    with pytest.raises(ValueError, match=r"damaged|must be"):
        model.load(json.dumps(data))


# -- the widget ------------------------------------------------------------------------------------


def test_the_lab_gives_its_trees_to_the_next_cell():
    table = dt.datasets.truth_table("majority", 5)
    lab = dt.PruningLab(table, table, method="cost_complexity", seed=3)
    assert lab.full == dt.id3(table) == lab.tree
    assert lab.training is table
    assert lab.validation is table
    lab.act({"do": "select", "part": "tree", "at": "1"})
    lab.act({"do": "prune"})
    assert [cut.path for cut in lab.tree.cuts] == [(1,)]
    assert lab.view["problem"] is None
    lab.act({"do": "prune"})
    assert "pruned already" in lab.view["problem"]
    again = dt.PruningLab(table, table, state=lab.state)
    assert again.tree == lab.tree
    assert again.state == lab.state
    assert dt.PruningLab(state=dt.PruningLab().state).full.n_nodes > 1


def test_a_lecturers_key_reveals_and_then_prunes():
    lab = dt.PruningLab()
    lab.demo = True
    for stage in (1, 2, 3):
        lab.act({"do": "next"})
        assert lab.view["stage"] == stage
        assert lab.tree == lab.full
    lab.act({"do": "next"})
    truth = dt.prune.reduced_error(lab.full, lab.validation)
    assert lab.tree == truth.after(1)
    lab.act({"do": "back"})
    assert lab.tree == lab.full


def test_the_lab_is_observed_linked_and_set():
    lab, heard = dt.PruningLab(), []
    lab.observe(lambda change: heard.append(change.new.n_nodes), "tree")
    lab.size = 1
    assert heard == [1]
    lab.cuts = []
    assert lab.tree == lab.full
    lab.cf = 0.1
    assert lab.method == "pessimistic"
    assert lab.tree == dt.prune.pessimistic(lab.full, 0.1)
    lab.faded = False
    hidden = max(range(lab.full.n_nodes), key=lab.full.flat.depth.__getitem__)
    lab.at = hidden  # below a cut: what is seen there is the cut
    assert lab.at in lab.cuts
    slider = ipywidgets.FloatSlider(0.25, min=0.01, max=0.5)
    traitlets.link((slider, "value"), (lab, "cf"))
    assert lab.tree == dt.prune.pessimistic(lab.full, 0.25)
    again = dt.PruningLab()
    again.state = lab.state
    assert again.value == lab.value


@each(
    ("name", "wrong", "why"),
    [
        ("cuts", [1, 1], "its 'cuts' cannot be 1"),
        ("at", 10_000, "its 'at' cannot be 10000"),
        ("row", 80, "its 'row' cannot be 80"),
        ("cf", 0.9, "between 0.01 and 0.5; got 0.9"),
        ("method", "id3", "method='id3' must be one of"),
        ("size", "large", "no control 'size' that takes 'large'"),
        ("seed", 3, "is chosen when the lab is made"),
    ],
)
def test_what_the_lab_is_not_set_to(name, wrong, why):
    lab = dt.PruningLab()
    before = lab.state
    with pytest.raises(traitlets.TraitError, match=why):
        setattr(lab, name, wrong)
    assert lab.state == before
