"""The growers against slow, obvious, exact oracles and against trees worked out by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import prod

import pytest
from cases import each
from hypothesis import given, settings
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier
from strategies import tables

import dtree_lab as dt
from dtree_lab.grow.textbook import Closed
from dtree_lab.tree.splits import ByValue
from dtree_lab.tree.tree import Branch, Leaf

# -- an ID3 of a dozen lines, in exact arithmetic ------------------------------------------------


def purity_entropy(groups):
    """Larger is purer. Sum n H(Y) orders as minus the logarithm of this product, exactly."""
    return prod(
        (Fraction(prod(n**n for n in counts), sum(counts) ** sum(counts)) for counts in groups),
        start=Fraction(1),
    )


def purity_gini(groups):
    """Larger is purer: sum n_k² / n."""
    return sum(Fraction(sum(n * n for n in counts), sum(counts)) for counts in groups)


def questions(rows, name):
    """Every split of an attribute with the rows of each branch, in the order ties are resolved."""
    values = sorted({row[name] for row in rows})
    if isinstance(values[0], str):
        if len(values) > 1:
            yield None, [[row for row in rows if row[name] == v] for v in values]
        return
    for low, high in pairwise(values):
        below = [row for row in rows if row[name] <= low]
        yield (low + high) / 2, [below, [row for row in rows if row[name] >= high]]


def oracle(rows, names, classes, purity):
    counts = tuple(sum(row["y"] == c for row in rows) for c in classes)
    best = None
    for name in names:
        for cut, parts in questions(rows, name):
            groups = [[sum(row["y"] == c for row in part) for c in classes] for part in parts]
            merit = purity([[n for n in g if n] for g in groups])
            if best is None or merit > best[0]:
                best = merit, name, cut, parts
    if max(counts) == len(rows) or best is None:
        return counts
    _, name, cut, parts = best
    return counts, name, cut, [oracle(part, names, classes, purity) for part in parts]


def plain(node, table):
    """A grown tree in the oracle's terms."""
    match node:
        case Leaf(counts):
            return counts
        case Branch(counts, split, children):
            cut = None if isinstance(split, ByValue) else split.cuts[0]
            name = table.names[split.attribute]
            return counts, name, cut, [plain(child, table) for child in children]


@settings(max_examples=150)
@given(tables(max_rows=16))
def test_id3_is_the_exact_oracles_tree(table):
    expected = oracle(list(table.rows()), table.names, table.classes, purity_entropy)
    assert plain(dt.id3(table).root, table) == expected


@settings(max_examples=150)
@given(tables(max_rows=24))
def test_id3_with_gini_is_the_exact_oracles_tree(table):
    expected = oracle(list(table.rows()), table.names, table.classes, purity_gini)
    assert plain(dt.id3(table, criterion="gini").root, table) == expected


@settings(max_examples=100)
@given(tables(max_rows=14, max_attributes=1, max_classes=2))
def test_cart_finds_the_best_two_groups_of_all(table):
    """With two classes the sorted search must be as good as trying every subset of values."""
    if not table.attributes or table.attributes[0].values is None:
        return
    rows = list(table.rows())
    values = sorted({row["a"] for row in rows})
    if len(values) < 2 or len({row["y"] for row in rows}) < 2:
        return
    groups_of = [
        [v for i, v in enumerate(values) if subset >> i & 1]
        for subset in range(1, 2 ** len(values) - 1)
    ]

    def merit(group):
        parts = [[r for r in rows if (r["a"] in group) is inside] for inside in (True, False)]
        counted = [[sum(r["y"] == c for r in part) for c in table.classes] for part in parts]
        return purity_gini([[n for n in counts if n] for counts in counted])

    best = max(merit(group) for group in groups_of)
    split = dt.cart(table, max_depth=1).root.split
    chosen = [table.attributes[0].values[code] for code in split.groups[0]]
    assert merit(chosen) == best


# -- trees worked out by hand --------------------------------------------------------------------


def test_the_tree_of_the_lecture():
    table = dt.datasets.tax_fraud()
    tree = dt.by_hand(
        table,
        {
            (): "Refund",
            (1,): ("Marital Status", [["Married"], ["Single", "Divorced"]]),
            (1, 1): ("Taxable Income", 80),
        },
    )
    assert (tree.n_nodes, tree.n_leaves, tree.depth, tree.error(table)) == (7, 4, 3, 0)
    row = {"Refund": "No", "Marital Status": "Single", "Taxable Income": 85}
    assert tree.predict(row) == "Yes"
    assert str(tree.explain(row)).splitlines() == [
        "Refund is No",
        "Marital Status is Single (Single or Divorced)",
        "Taxable Income is 85, ≥ 80",
        "so Cheat = Yes (3 of 3 training rows here)",
    ]


def test_id3_on_the_tax_table():
    """By hand: Marital Status and Income < 97.5 tie at the root with H(Y|X) = 0.6; the first wins.

    Single (4 rows, 2 Yes): Refund and Income < 107.5 tie; then Income < 77.5. Divorced: Refund.
    """
    table = dt.datasets.tax_fraud()
    assert plain(dt.id3(table).root, table) == (
        (7, 3),
        "Marital Status",
        None,
        [
            ((2, 2), "Refund", None, [(1, 0), ((1, 2), "Taxable Income", 77.5, [(1, 0), (0, 2)])]),
            (4, 0),
            ((1, 1), "Refund", None, [(1, 0), (0, 1)]),
        ],
    )


def test_word_senses():
    """The seven rows need pos first, then the neighbours; every row is learned."""
    table = dt.datasets.word_sense()
    tree = dt.id3(table)
    assert table.names[tree.root.split.attribute] == "pos"
    assert tree.error(table) == 0


def test_x1_is_chosen():
    tree = dt.id3(dt.datasets.two_attributes(), max_depth=1)
    assert plain(tree.root, dt.datasets.two_attributes())[1] == "X1"


@pytest.mark.parametrize("n", range(1, 7))
def test_or_needs_a_line_and_xor_a_full_tree(n):
    either = dt.id3(dt.datasets.truth_table("or", n))
    odd = dt.id3(dt.datasets.truth_table("xor", n))
    assert (either.n_nodes - either.n_leaves, either.depth) == (n, n)
    assert (odd.n_nodes - odd.n_leaves, odd.depth) == (2**n - 1, n)


def test_c45_prefers_fewer_branches():
    """By hand: Marital Status and Income < 97.5 both gain 0.281 bits; three branches of 4, 4 and 2
    rows take 1.522 bits to tell apart, two of 6 and 4 only 0.971, so the ratio is better."""
    table = dt.datasets.tax_fraud()
    assert plain(dt.c45(table).root, table)[1:3] == ("Taxable Income", 97.5)


def test_c45_leaves_out_attributes_with_less_than_average_gain():
    """By hand: "two" parts off two rows, gains 0.138 and has the ratio 0.254; "half" 0.189, 0.189.

    The ratio alone would take "two"; its gain is below the average of 0.163, so "half" is asked.
    """
    table = dt.Table.from_columns(
        {
            "two": ["odd"] * 2 + ["even"] * 14,
            "half": ["a"] * 6 + ["b"] * 8 + ["a"] * 2,
            "y": ["p"] * 8 + ["n"] * 8,
        },
        target="y",
    )
    assert dt.information_gain(table, "two") == pytest.approx(0.138, abs=5e-4)
    assert dt.gain_ratio(table, "two") == pytest.approx(0.254, abs=5e-4)
    assert dt.gain_ratio(table, "half") == pytest.approx(0.189, abs=5e-4)
    asked = plain(dt.c45(table, max_depth=1).root, table)
    assert asked == ((8, 8), "half", None, [(2, 6), (6, 2)])


def test_a_unique_column_wins_by_gain_but_not_by_ratio():
    """C4.5's reason: a name parts all rows and says nothing."""
    table = dt.Table.from_columns(
        {
            "name": [f"n{i}" for i in range(8)],
            "useful": ["a", "a", "a", "a", "b", "b", "b", "b"],
            "y": ["1", "1", "1", "1", "2", "2", "2", "2"],
        },
        target="y",
    )
    by_name = dt.Table(table.attributes, table.target, table.columns, table.labels)
    assert plain(dt.id3(by_name).root, table)[1] == "name"
    assert plain(dt.c45(by_name).root, table)[1] == "useful"


def test_a_stump_asks_once_with_two_answers():
    tree = dt.stump(dt.datasets.tax_fraud())
    assert (tree.n_nodes, tree.depth) == (3, 1)


# -- beside scikit-learn -------------------------------------------------------------------------


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
def test_root_is_as_good_as_scikit_learns(load):
    data = load()
    columns = {f"x{i}": data.data[:, i] for i in range(data.data.shape[1])}
    table = dt.Table.from_columns(
        {**columns, "y": data.target}, target="y", kinds={"y": "discrete"}
    )
    peer = DecisionTreeClassifier(criterion="entropy", max_depth=1, random_state=0)
    tree = peer.fit(data.data, data.target).tree_
    n = tree.n_node_samples
    theirs = (n[1] * tree.impurity[1] + n[2] * tree.impurity[2]) / n[0]
    assert dt.compare(table).best.conditional_entropy == pytest.approx(theirs, abs=1e-9)
    assert dt.id3(table).error(table) == 0


# -- keywords ------------------------------------------------------------------------------------


@each(
    ("keywords", "says"),
    [
        ({"max_depth": -1}, "max_depth=-1"),
        ({"max_leaves": 0}, "max_leaves=0"),
        ({"max_leaves": 2.5}, "max_leaves=2.5"),
        ({"min_rows": 0}, "min_rows=0"),
        ({"min_rows": None}, "min_rows=None"),
        ({"min_leaf": 0}, "min_leaf=0"),
        ({"min_leaf": 1.5}, "min_leaf=1.5"),
        ({"min_gain": -0.1}, "min_gain=-0.1"),
        ({"min_gain": float("nan")}, "min_gain=nan"),
        ({"max_error": 1.5}, "max_error=1.5"),
        ({"max_depth": True}, "max_depth=True"),
        ({"criterion": "variance"}, "criterion='variance'"),
    ],
)
def test_a_keyword_out_of_range_is_named(keywords, says):
    with pytest.raises(ValueError, match=says):
        dt.id3(dt.datasets.tax_fraud(), **keywords)


def test_growing_asks_for_a_table():
    with pytest.raises(TypeError, match=r"dt\.Table; got a dict"):
        dt.id3({"x": [1]})


def test_comparing_asks_for_classes_and_for_every_value():
    numbers = dt.Table.from_columns({"x": ["a", "b"], "y": [1.5, 2.5]}, target="y")
    with pytest.raises(ValueError, match="'y' is continuous"):
        dt.compare(numbers)
    gaps = dt.Table.from_columns({"x": ["a", None], "y": ["1", "2"]}, "y", missing="keep")
    with pytest.raises(ValueError, match="row 2, column 'x' has no value"):
        dt.compare(gaps)


def test_a_criterion_suits_its_target():
    numbers = dt.Table.from_columns({"x": ["a", "b"], "y": [1.5, 2.5]}, target="y")
    with pytest.raises(ValueError, match=r"criterion='gini' must be one of 'variance'.*'y' is con"):
        dt.id3(numbers, criterion="gini")
    with pytest.raises(ValueError, match=r"criterion='variance' must be .*'Cheat' is discrete"):
        dt.id3(dt.datasets.tax_fraud(), criterion="variance")


def test_by_hand_wants_a_mapping():
    with pytest.raises(TypeError, match=r"questions must map paths to questions.*got a str"):
        dt.by_hand(dt.datasets.tax_fraud(), "Refund")


def test_steps_wants_a_grower():
    with pytest.raises(ValueError, match=r"steps of print are not known.*id3"):
        dt.steps(print, dt.datasets.tax_fraud())


def test_steps_narrate_the_growth():
    events = dt.steps(dt.id3, dt.datasets.two_attributes(), max_depth=1)
    first = events[0]
    assert first.path == ()
    assert first.counts == (5, 3)
    assert [type(e).__name__ for e in events].count("Opened") == 1
    assert events[-1].reason == "the depth of 1 is reached"


@each(
    ("questions", "says"),
    [
        ({(): "Refnd"}, "no attribute 'Refnd'.*Did you mean 'Refund'"),
        ({(): "Taxable Income"}, "say where to cut it"),
        ({(): ("Taxable Income", 20)}, "no row here has Taxable Income < 20"),
        ({(): ("Taxable Income", "high")}, "must be a number"),
        ({(): ("Taxable Income",)}, "the question at \\(\\): a question is an attribute's name"),
        ({(): ("Taxable Income", "80")}, "must be a number; got '80'"),
        ({(): "Refund", (1,): "Income"}, "the question at \\(1,\\): no attribute 'Income'"),
        ({(): ("Refund", 3.0)}, "split by a list of groups of values"),
        ({(): ("Marital Status", [["Single"], ["Widowed"]])}, "no value 'Widowed'"),
        ({(): ("Marital Status", [["Single"], ["Single"]])}, "named twice"),
        ({(): ("Marital Status", [["Single"], ["Married"]])}, "leave out values"),
        ({(): "Refund", (0, 0): "Marital Status"}, "no question leads to the path"),
    ],
)
def test_a_question_that_cannot_be_asked_says_why(questions, says):
    with pytest.raises(ValueError, match=says):
        dt.by_hand(dt.datasets.tax_fraud(), questions)


def test_a_branch_holds_as_many_rows_as_asked_for():
    """Tax fraud: two are divorced, so with three to a branch ID3 may not ask about the status.

    Of the ten incomes 60 70 75 85 90 95 | 100 120 125 220, the cut at 97.5 leaves six and four, and
    gains 0.281 bits as the status does. Of the six below, N N N Y Y Y in order, the cut at 80
    leaves three and three. The four above say No.
    """
    table = dt.datasets.tax_fraud()
    tree = dt.id3(table, min_leaf=3)
    assert tree.root.split.cuts == (97.5,)
    below, above = tree.root.children
    assert below.split.cuts == (80.0,)
    assert [leaf.counts for leaf in (*below.children, above)] == [(3, 0), (0, 3), (4, 0)]
    assert dt.id3(table, min_leaf=6).n_nodes == 1
    whys = [
        event.reason for event in dt.steps(dt.id3, table, min_leaf=6) if isinstance(event, Closed)
    ]
    assert whys == ["no question leaves 6 rows in each branch"]


def test_a_stump_asks_what_its_branches_have_rows_for():
    """One of ten rows is a Yes, and alone at its end: without it, only a worse cut is left."""
    table = dt.Table.from_columns({"x": list(range(10)), "y": ["Yes", *["No"] * 9]}, target="y")
    assert dt.stump(table).root.split.cuts == (0.5,)
    assert dt.stump(table, min_leaf=2).root.split.cuts == (1.5,)
    assert dt.gaussian_tree(table, min_leaf=11).n_nodes == 1
