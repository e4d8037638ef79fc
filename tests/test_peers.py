"""What is public is what is listed; and what a peer's user types is answered with our name."""

from __future__ import annotations

import pydoc
import re
from importlib import import_module
from operator import attrgetter
from pathlib import Path

import pytest
from cases import each

import dtree_lab as dt
from dtree_lab.base import peers

TAX = dt.datasets.tax_fraud()
HERE = {
    "dt": dt,
    "table": TAX,
    "tree": dt.id3(TAX),
    "forest": dt.random_forest(TAX, n_trees=2),
    "dtree_lab": None,
}
ASKED = {"dt": peers.MODULE, "table": peers.TABLE, "tree": peers.TREE, "forest": peers.FOREST}
MODULES = [name for name in dir(dt) if getattr(dt, name).__class__ is type(dt)]
_OURS = re.compile(r"\b(dt|dtree_lab|table|tree|forest)((?:\.\w+)+)")


@each("where, name", [(where, name) for where, names in ASKED.items() for name in names])
def test_what_a_peer_calls_it_is_told_with_a_name_that_there_is(where, name):
    with pytest.raises(AttributeError, match="; here it is ") as error:
        getattr(HERE[where], name)
    ours = str(error.value).partition("; here it is ")[2]
    named = _OURS.findall(ours)
    assert named, ours
    for root, path in named:
        if root == "dtree_lab":
            module, _, last = f"dtree_lab{path}".rpartition(".")
            assert hasattr(import_module(module), last)
        else:
            attrgetter(path[1:])(HERE[root])


# What stands in the answers for something of the asker's own.
_ROWS = {"row": TAX.row(0), "rows": TAX, "i": 0, "positive": "Yes"}
_COLUMNS = {name: TAX.column(name) for name in (*TAX.names, "Cheat")}
_ALTERNATIVES = re.compile(r", or |, then | or | and ")


@each("where, name", [(where, name) for where, names in ASKED.items() for name in names])
def test_what_is_told_can_be_typed_as_it_stands(where, name, tmp_path):
    path = tmp_path / "table.csv"
    lines = [",".join(map(str, cells)) for cells in zip(*_COLUMNS.values(), strict=True)]
    path.write_text("\n".join([",".join(_COLUMNS), *lines]), encoding="utf-8")
    import_module("dtree_lab.sklearn")
    space = {**HERE, **_ROWS, "path": path, "columns": _COLUMNS, "dtree_lab": dt}
    for code in _ALTERNATIVES.split(ASKED[where][name].replace("…", "Cheat")):
        assert eval(code, dict(space)) is not None  # noqa: S307 - the library's own words


@each("thing", list(HERE)[:-1])
def test_another_name_that_there_is_not_is_refused_as_ever(thing):
    with pytest.raises(AttributeError, match=r"has no attribute 'nothing_like_it'$"):
        _ = HERE[thing].nothing_like_it


def test_a_name_that_goes_still_works_and_says_what_to_write(monkeypatch):
    going = ("dtree_lab.labs.catalogue", 'dt.demo("tree")', "0.4")
    monkeypatch.setitem(peers.RETIRING, "find_lab", going)
    for _ in range(2):  # it is no ordinary name the second time, either
        message = r'^dt\.find_lab goes with version 0\.4; write dt\.demo\("tree"\)$'
        with pytest.warns(FutureWarning, match=message) as warned:
            assert dt.find_lab("tree").cls == "TreeBuilder"
        assert warned[0].filename == __file__
    assert "find_lab" not in {*dir(dt), *dt.__all__}
    monkeypatch.delitem(peers.RETIRING, "find_lab")
    monkeypatch.setitem(peers.MODULE, "find_lab", going[1])
    with pytest.raises(AttributeError, match=r'; here it is dt\.demo\("tree"\)$'):
        _ = dt.find_lab


def test_dir_lists_what_is_public_and_nothing_else():
    assert [name for name in dir(dt) if name[0] != "_"] == dt.__all__
    assert "id3" in dt.__all__
    for name in MODULES:
        module = getattr(dt, name)
        assert [one for one in dir(module) if one[0] != "_"] == sorted(module.__all__), name
        assert all(hasattr(module, one) for one in module.__all__), name


def test_all_names_come_with_a_star():
    names = {}
    exec("from dtree_lab import *", names)  # noqa: S102 - as a person types it
    assert set(dt.__all__) <= set(names)


def test_help_is_one_screen_that_leads_on():
    lines = pydoc.render_doc(dt, renderer=pydoc.plaintext).splitlines()
    assert len(lines) <= 70
    assert max(map(len, lines)) <= 110
    guide = dt.__doc__.partition("\n\n")[2]
    led = set(re.findall(r"\w+", guide))
    assert set(MODULES) <= led | {"draw"}
    assert {"TreeBuilder", "id3", "cart", "random_forest", "read_csv", "compare"} <= led
    for page in re.findall(r"docs/[\w-]+\.md", guide):
        assert (Path(dt.__file__).parents[1] / page).is_file()
    # What people look for first, by the words that they look for.
    assert {"drop", "min_leaf", "weights", "shares", "importance", "from_json", "confusion"} <= led
