"""Generated queries, run by databases: they must answer as the tree does, and hold names as data.

SQLite comes with Python; DuckDB answers, too, where it is installed.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import number_tables, tables

import dtree_lab as dt
from draw.shapes import HOSTILE, answered, by_sides, drawn, sided
from dtree_lab.tree.splits import threshold
from dtree_lab.tree.tree import Branch, Leaf, Tree, flatten

# How deep each nests expressions at least; SQLite's stack of a hundred words holds few questions.
DEPTHS = {"sqlite3": 15, "duckdb": 100}
ENGINES = ["sqlite3", *filter(find_spec, ["duckdb"])]


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def kind(attribute):
    if attribute.values is None:
        return "DOUBLE"
    first = next(iter(attribute.values), "")
    return "VARCHAR" if isinstance(first, str) else "BIGINT"


def answers(engine, tree, rows, table="the rows"):
    """What a database answers, by a table that it fills with the rows."""
    base = import_module(engine).connect(":memory:")
    kinds = "".join(f", {quoted(a.name)} {kind(a)}" for a in tree.attributes)
    base.execute(f"CREATE TABLE {quoted(table)} (no BIGINT{kinds})")
    marks = ", ".join("?" * (1 + len(tree.attributes)))
    cells = [[i, *(row[a.name] for a in tree.attributes)] for i, row in enumerate(rows)]
    fill = f"INSERT INTO {quoted(table)} VALUES ({marks})"  # noqa: S608 - the name is quoted
    base.executemany(fill, cells)
    found = base.execute(f"{dt.draw.sql(tree, table)} ORDER BY no").fetchall()
    assert [row[0] for row in found] == list(range(len(rows)))
    base.close()
    return [row[-1] for row in found]


def as_read(engine, numbers):
    """As a database reads them: near 1e-308 SQLite takes a number for its neighbour."""
    base = import_module(engine).connect(":memory:")
    read = [
        base.execute(f"SELECT CAST('{n!r}' AS DOUBLE)").fetchone()[0] if isinstance(n, float) else n
        for n in numbers
    ]
    base.close()
    return read


def cells(attribute):
    if attribute.values is None:
        return st.sampled_from([None, -1e9, 1e9, 0.0, 0.5, 1.0, 1 / 3, 2.0, 3.0, 10.0, 10.5, 21.0])
    strange = "never seen" if kind(attribute) == "VARCHAR" else -7
    return st.sampled_from([*attribute.values, strange, None])


def lists_of_rows(tree):
    return st.lists(
        st.fixed_dictionaries({a.name: cells(a) for a in tree.attributes}), min_size=1, max_size=10
    )


@pytest.mark.parametrize("engine", ENGINES)
@settings(max_examples=60, deadline=None)
@given(
    table=tables(gaps=True) | number_tables(gaps=True),
    grower=st.sampled_from([dt.id3, dt.cart, dt.c45]),
    leaf=st.sampled_from(["mean", "vote", "line"]),
    data=st.data(),
)
def test_a_database_answers_as_the_tree_does(engine, table, grower, leaf, data):
    tree = data.draw(sided(grower(table, leaf="mean" if table.target.values else leaf)))
    rows = [*table.rows(), *data.draw(lists_of_rows(tree))]
    assert answers(engine, tree, rows) == [tree.predict(row) for row in rows]


@pytest.mark.parametrize("engine", ENGINES)
@settings(max_examples=60, deadline=None)
@given(shape=drawn() | answered(), data=st.data())
def test_also_with_many_branches_and_words_of_all_sorts(engine, shape, data):
    root, attributes, target = shape

    def harmless(words):
        return words and tuple(word.replace("\0", "") for word in words)

    attributes = tuple(
        dt.Attribute(f"{a.name}{i}".replace("\0", ""), harmless(a.values))
        for i, a in enumerate(attributes)
    )
    target = dt.Attribute("what it is", harmless(target.values))
    tree = data.draw(sided(Tree(attributes, target, flatten(root, attributes))))
    rows = data.draw(lists_of_rows(tree))
    right = as_read(engine, [tree.predict(row) for row in rows])
    assert answers(engine, tree, rows) == right


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", [n for n in HOSTILE if n and "\0" not in n])
def test_a_table_may_have_any_name(engine, name):
    tree = dt.stump(dt.datasets.two_attributes())
    rows = [{"X1": "T", "X2": "F"}, {"X1": None, "X2": "F"}]
    assert answers(engine, tree, rows, name) == [tree.predict(row) for row in rows]


def chain_of_questions(depth):
    node = Leaf((1, 0))
    for i in range(depth):
        node = Branch((1, 1 + i), threshold(0, float(i)), (Leaf((0, 1)), node))
    x = (dt.Attribute("x"),)
    return Tree(x, dt.Attribute("y", ("a", "b")), flatten(node, x))


@pytest.mark.parametrize("engine", ENGINES)
def test_many_questions_in_a_row_are_answered(engine):
    depth = DEPTHS[engine]
    tree = chain_of_questions(depth)
    rows = [{"x": x} for x in (None, -1.0, 0.0, depth / 2, depth - 2.0, depth - 1.0, 1e9)]
    assert answers(engine, tree, rows) == [tree.predict(row) for row in rows]


def test_one_question_more_is_an_error_that_names_the_node():
    with pytest.raises(ValueError, match=r"node 200 is question 101 in a row.*max_depth"):
        dt.draw.sql(chain_of_questions(101), "rows")


def asking(values=("p", "q"), name="x", classes=("a", "b")):
    root = Branch((1, 1), dt.tree.splits.ByValue(0, ((0,), (1,))), (Leaf((1, 0)), Leaf((0, 1))))
    attributes = (dt.Attribute(name, values), dt.Attribute("X2"))
    return Tree(attributes, dt.Attribute("y", classes), flatten(root, attributes))


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        (asking(("p", 1)), "node 0 asks 'x': it has numbers and words among its values"),
        (asking((True, 2)), "node 0 asks 'x': it has booleans and numbers among its values"),
        (asking(classes=("a", 1)), "the target 'y' has numbers and words among its values"),
        (asking(name="x2"), "SQL cannot tell the column 'X2' from the column 'x2'"),
        (asking(name="Prediction"), "'Prediction' from the column 'prediction' of the answers"),
        (asking(("p\0", "q")), "the value 'p.x00' has a character that SQL cannot write"),
        (asking((float("inf"), 1.0)), "the value inf is no number that SQL can hold"),
        (asking((2**63, 1)), "the value 9223372036854775808 is no number that SQL can hold"),
        (asking(name=""), "a column has an empty name"),
    ],
)
def test_what_sql_cannot_say_is_an_error(tree, message):
    with pytest.raises(ValueError, match=message):
        dt.draw.sql(tree, "rows")


def test_a_table_is_told_by_its_name():
    tree = asking()
    with pytest.raises(TypeError, match="table_name must be a name, such as 'rows'; got a int"):
        dt.draw.sql(tree, 3)
    with pytest.raises(ValueError, match="table_name has an empty name"):
        dt.draw.sql(tree, "")


@pytest.mark.parametrize("engine", ENGINES)
def test_a_table_of_a_schema_has_two_names(engine):
    base = import_module(engine).connect(":memory:")
    base.execute("ATTACH ':memory:' AS \"my.schema\"")
    base.execute('CREATE TABLE "my.schema"."a.b" (X1 VARCHAR)')
    base.execute("INSERT INTO \"my.schema\".\"a.b\" VALUES ('T'), ('F')")
    tree = dt.stump(dt.datasets.two_attributes())
    found = base.execute(dt.draw.sql(tree, ("my.schema", "a.b"))).fetchall()
    assert found == [(x, tree.predict({"X1": x, "X2": None})) for x in "TF"]
    base.close()
    for names in ((), ("main", "")):
        with pytest.raises((TypeError, ValueError), match="table_name"):
            dt.draw.sql(tree, names)


@pytest.mark.parametrize("engine", ENGINES)
def test_rows_without_a_value_go_where_a_tree_of_others_sends_them(engine):
    for tree, said in by_sides():
        rows = [{tree.attributes[0].name: given} for given in said]
        assert answers(engine, tree, rows) == list(said.values()) == tree.predict(rows).tolist()
