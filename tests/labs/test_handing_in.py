"""What was done in a lab, written into the code of its cell: to the letter, or not at all."""

from __future__ import annotations

import ast
import json
from types import SimpleNamespace

import pytest
from cases import each
from hypothesis import given
from hypothesis import strategies as st

import dtree_lab as dt
from dtree_lab.labs.catalogue import LABS
from dtree_lab.labs.kit.keeping import around_state, variables_of, with_state

STATE = '{"format":"dtree_lab.TreeBuilder/1","names":["it\'s", "é\\\\n\\"x\\""]}'
ARGUMENT = f"state={STATE!r}"
# The cell's code, with HERE where the argument goes; and what takes its place before.
CELLS = {
    "mine = dt.TreeBuilder(table, HERE)\nmine": ", ",
    "mine = TreeBuilder(table, HERE)\nmine": ", ",
    "dt.TreeBuilder(table, reveal='after', HERE)": ", ",
    "dt.TreeBuilder(table, reveal='after', HERE)  # (a comment, with a bracket": ", ",
    "dt.TreeBuilder(table, HERE,)": " ",
    "dt.TreeBuilder(table, HERE, )": " ",
    "dt.TreeBuilder(\n    table,\n    reveal='after', HERE,\n)\n": " ",
    "dt.TreeBuilder(\n    table,  # rows\n    reveal='after', HERE,  # hidden,\n    # more\n)": " ",
    "dt.TreeBuilder(table, HERE # rows\n)": ", ",
    "dt.TreeBuilder((table), HERE)": ", ",
    "(dt.TreeBuilder(table, HERE))": ", ",
    "dt.TreeBuilder(f(')', # )\n  g(table)), HERE)": ", ",
    "dt.TreeBuilder(table, validation=t[1:2], HERE); 1": ", ",
    "dt.TreeBuilder('''a\n)b''', HERE)": ", ",
    'dt.TreeBuilder("""a\n)b""", HERE)': ", ",
    "dt.TreeBuilder(f'{x!r})', HERE)": ", ",
    "dt.TreeBuilder(*rows, **more, HERE)": ", ",
    "dt.TreeBuilder(lambda: (1, 2), HERE)": ", ",
    "é = 'ü🌳'; mine = dt.TreeBuilder(täble, HERE)  # ü🌳": ", ",
    "x = '\u2028\x0c'; mine = dt.TreeBuilder(table, HERE)": ", ",
    "\tif_ = 1".strip() + "\nif if_:\n\tmine = dt.TreeBuilder(table, HERE)\n": ", ",
    "mine = (lab := dt.TreeBuilder(table, HERE))": ", ",
    "for t in tables:\n    display(dt.TreeBuilder(t, HERE))": ", ",
    "await f()\nmine = dt.TreeBuilder(table, HERE)": ", ",
    "%matplotlib inline\nmine = dt.TreeBuilder(table, HERE)\n!ls\nmine?": ", ",
    "%%time\nmine = dt.TreeBuilder(table, HERE)\nmine": ", ",
    "x = (7\n  % 2)\nmine = dt.TreeBuilder(table, HERE)": ", ",
    "'dt.TreeBuilder(table)'\ndt.TreeBuilder(table, HERE)  # dt.TreeBuilder(table)": ", ",
    "mine = dt.TreeBuilder(table, HERE)\r\nmine\r\n": ", ",
    "\n\n   \n# a\nmine = dt . TreeBuilder (table, HERE)": ", ",
}
WITHOUT = ["dt.TreeBuilder(HERE)", "dt.TreeBuilder( HERE)", "dt.TreeBuilder(HERE # none\n)"]
OLD = [
    "'old'",
    '"""old\nstate"""',
    "('a'\n 'b')",
    "old_state",
    "None",
    "open('x').read()",
    "r'\\\\'",
]


def before(cell):
    """The cell before; where a comma follows the last argument, it goes with what is added."""
    return cell.replace(" HERE," if CELLS[cell] == " " else ", HERE", "")


@each("cell", CELLS)
def test_the_state_is_added_and_all_else_stays(cell):
    found = with_state(before(cell), "TreeBuilder", STATE)
    assert found.problem == ""
    assert found.source == found.paste == cell.replace("HERE", ARGUMENT)


@each("cell", CELLS)
def test_what_stands_around_the_state_is_enough_for_a_page_to_keep_it(cell):
    ((source, ahead, behind),) = around_state(before(cell), "TreeBuilder")
    assert source == before(cell)
    assert f"{ahead}{STATE!r}{behind}" == cell.replace("HERE", ARGUMENT)


@each("cell", ["mine", "def (", "dt.TreeBuilder(x)\n" * 2, f"dt.TreeBuilder(x)  # {'x' * 10_000}"])
def test_around_nothing_to_write_there_is_nothing(cell):
    assert around_state(cell, "TreeBuilder") == []


@pytest.mark.parametrize("cell", WITHOUT)
def test_a_call_without_arguments_gets_its_first(cell):
    assert value_in(with_state(cell.replace("HERE", ""), "TreeBuilder", STATE).source) == STATE


def value_in(source):
    call = next(n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Call) and n.keywords)
    return next(ast.literal_eval(k.value) for k in call.keywords if k.arg == "state")


@each("old", OLD)
@each(
    "cell",
    [
        "mine = dt.TreeBuilder(table, state=HERE)\nmine",
        "dt.TreeBuilder(state = HERE, table=t)",
        "dt.TreeBuilder(\n  table,\n  state=HERE,  # kept\n  reveal='after',\n)",
    ],
)
def test_a_state_that_is_there_is_replaced(cell, old):
    found = with_state(cell.replace("HERE", old), "TreeBuilder", STATE)
    if old.startswith("("):  # brackets around it are no part of it
        assert value_in(found.source) == STATE
        assert "old" not in found.source
    else:
        assert found.source == cell.replace("HERE", repr(STATE))
    again = with_state(found.source, "TreeBuilder", "{}")
    assert value_in(again.source) == "{}"


def test_kept_twice_is_kept_once():
    once = with_state("mine = dt.TreeBuilder(table)\nmine", "TreeBuilder", STATE).source
    assert with_state(once, "TreeBuilder", STATE).source == once


@each(
    ("cell", "says"),
    [
        ("", "No dt.TreeBuilder"),
        ("mine", "No dt.TreeBuilder"),
        ("'dt.TreeBuilder(table)'  # dt.TreeBuilder(table)", "No dt.TreeBuilder"),
        ("dt.EntropyLab(table)", "No dt.TreeBuilder"),
        ("make = dt.TreeBuilder\nmake(table)", "No dt.TreeBuilder"),
        ("%time mine = dt.TreeBuilder(table)", "No dt.TreeBuilder"),
        ("a = dt.TreeBuilder(x)\nb = dt.TreeBuilder(y)", "more than once"),
        ("def (", "has an error"),
        ("mine = dt.TreeBuilder(table", "has an error"),
        ("mine = dt.TreeBuilder(table)\x00", "has an error"),
        ("(" * 5_000, "has an error"),
        ("# " + "x" * 300_000, "too long"),
        ("mine = dt.TreeBuilder(t for t in x)", "could not be written"),
    ],
)
def test_what_cannot_be_written_is_said_with_what_to_paste(cell, says):
    found = with_state(cell, "TreeBuilder", STATE)
    assert found.source is None
    assert says in found.problem
    assert found.problem.endswith(":")
    assert found.paste == ARGUMENT
    assert eval(f"dict({found.paste})") == {"state": STATE}  # noqa: S307 - our own


@pytest.mark.parametrize("name", ["a", "b", "c"])
def test_of_several_calls_the_variable_tells_which(name):
    cell = "a = dt.TreeBuilder(x)\nb: object = dt.TreeBuilder(y)\nprint(c := dt.TreeBuilder(z))"
    found = with_state(cell, "TreeBuilder", "{}", [name, "other"]).source
    place = {"a": "x", "b": "y", "c": "z"}[name]
    assert found == cell.replace(f"({place})", f"({place}, state='{{}}')")
    assert with_state(cell, "TreeBuilder", "{}", ["a", "b"]).source is None


@given(st.text(), st.sampled_from(sorted(CELLS)))
def test_any_state_comes_back_from_any_cell(state, cell):
    if "%" in cell or "!" in cell or "await" in cell:
        return
    written = with_state(before(cell), "TreeBuilder", state).source
    calls = [n for n in ast.walk(ast.parse(written)) if isinstance(n, ast.Call)]
    found = [k.value for c in calls for k in c.keywords if k.arg == "state"]
    assert [ast.literal_eval(value) for value in found] == [state]


@given(st.text(alphabet="dt.TreeBuilder()=,'\"#\\\n %[]{}*x0é", max_size=60))
def test_no_text_breaks_it(cell):
    found = with_state(cell, "TreeBuilder", STATE)
    assert (found.source is None) == bool(found.problem)
    if found.source is not None:
        assert repr(STATE) in found.source


# -- in the labs -----------------------------------------------------------------------------------

MADE = {
    "TreeBuilder": ("dt.TreeBuilder(table)", {"do": "best"}),
    "ExpressivenessLab": (
        "dt.ExpressivenessLab(n=3, function='or')",
        {"do": "set", "control": "n", "value": 5},
    ),
    "PlaneLab": ("dt.PlaneLab()", {"do": "next"}),
}


@each("name", [lab.cls for lab in LABS])
def test_every_lab_comes_back_from_its_kept_cell(name):
    call, message = MADE.get(name, (f"dt.{name}(table)", {"do": "next"}))
    space = {"dt": dt, "table": dt.datasets.tax_fraud()}
    lab = eval(call, space)  # noqa: S307 - our own
    lab.act(message)
    told = lab.keep(f"lab = {call}\nlab")
    assert told["problem"] == ""
    exec(told["source"], space)  # noqa: S102
    assert json.loads(space["lab"].state) == json.loads(lab.state)


def test_the_page_asks_and_is_answered(monkeypatch):
    lab = dt.TreeBuilder(dt.datasets.tax_fraud())
    sent = []
    monkeypatch.setattr(lab, "send", sent.append)
    lab._received(None, {"do": "keep", "source": "x = dt.TreeBuilder(t)", "view": "v1"}, None)
    wanted = f"x = dt.TreeBuilder(t, state={lab.state!r})"
    assert sent == [{"view": "v1", "source": wanted, "problem": "", "paste": wanted}]
    state = lab.state
    for odd in (
        {"do": "keep"},
        {"do": "keep", "source": 1, "view": "v1"},
        {"do": "keep", "view": 2},
    ):
        lab._received(None, odd, None)
    assert len(sent) == 1
    assert lab.state == state
    assert lab.view["problem"]


def test_the_variables_of_a_notebook_are_found(monkeypatch):
    import IPython

    lab = object()

    shell = SimpleNamespace(user_ns={"mine": lab, "_": lab, "other": 1, "also": lab})
    monkeypatch.setattr(IPython, "get_ipython", lambda: shell)
    assert variables_of(lab) == ["mine", "also"]
    monkeypatch.setattr(IPython, "get_ipython", lambda: None)
    assert variables_of(lab) == []
