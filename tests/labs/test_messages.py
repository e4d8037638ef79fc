"""How large the messages of labs are, as Jupyter sends them: no more than 64 KB each."""

from __future__ import annotations

import numpy as np
import pytest
from jupyter_client.session import Session

import dtree_lab as dt
from browser.bare import outside
from browser.labstates import FIRST
from dtree_lab.labs.catalogue import LABS
from dtree_lab.labs.lab_widget import StaticPicture

MOST = 64 * 1024
SESSION = Session(key=b"a key, for all messages are signed")


def size(kind, content):
    return sum(map(len, SESSION.serialize(SESSION.msg(kind, content))))


def sizes(lab):
    """Of what opens a lab in a page, of a view, and of its picture for readers without a kernel."""
    state = {"state": lab.get_state(), "buffer_paths": []}
    told = {"method": "update", "state": {"told": lab.told}, "buffer_paths": []}
    picture = {"data": lab._picture._bundle(lab._bundle()), "metadata": {}}
    return {
        "open": size("comm_open", {"comm_id": "0" * 32, "target_name": "w", "data": state}),
        "view": size("comm_msg", {"comm_id": "0" * 32, "data": told}),
        "picture": size("update_display_data", {**picture, "transient": {"display_id": "0" * 32}}),
    }


@pytest.fixture(scope="module", params=["its own table", "the penguins"])
def labs(request):
    table = None if request.param == "its own table" else dt.datasets.penguins()
    return outside(lambda: {lab.cls: lab.opened(table) for lab in LABS})


def test_no_message_is_longer_than_promised(labs):
    """As each lab opens, and after what people do first; a tree that is grown to its end."""
    found = {}
    for name, lab in labs.items():
        grown = [{"do": "finish", "option": "CART"}] if name == "TreeBuilder" else []
        for act in (None, *FIRST.get(name, []), *grown):
            if act:
                outside(lambda lab=lab, act=act: lab.act(act))
            found |= {(name, str(act), kind): n for kind, n in sizes(lab).items()}
    assert {what: n for what, n in found.items() if n > MOST} == {}
    assert len(found) >= 3 * 10


def test_what_has_no_room_in_a_picture_is_told_in_words():
    """Two trees of noise, one beside the other: the second is told."""
    chance = np.random.default_rng(0)
    columns = {f"x{i}": chance.normal(size=300).tolist() for i in range(3)}
    columns["y"] = chance.integers(0, 3, 300).tolist()
    table = dt.Table.from_columns(columns, "y", target_kind="discrete")
    lab = outside(lambda: dt.TreeBuilder(table))
    outside(lambda: lab.act({"do": "finish", "option": "ID3"}))
    alone = lab._bundle()[1]
    outside(lambda: lab.act({"do": "set", "control": "compare", "value": "CART"}))
    text, page = lab._bundle()
    assert alone.count("<img") == 1
    assert page.startswith(alone)
    told = page[len(alone) :]
    assert "CART" in told
    assert told.count("\n") > 50  # a line for each of its nodes
    assert len(page) < len(alone) + len(text) * 2


@pytest.fixture
def shown(monkeypatch):
    """What a picture sends, instead of sending it."""
    sent = []

    class Handle:
        def update(self, data, raw):
            sent.append(data)

    monkeypatch.setattr("dtree_lab.labs.lab_widget.display", lambda *_, **__: Handle())
    return sent


def test_a_picture_is_sent_again_only_when_it_changed(shown):
    class Widget:
        def _repr_mimebundle_(self):
            return {}, {}

    picture = StaticPicture("token")
    picture.show(Widget(), ("one", "<p>one</p>"))
    picture.redraw(lambda: ("one", "<p>one</p>"))
    assert shown == []
    picture.redraw(lambda: ("two", "<p>two</p>"))
    picture.redraw(lambda: ("two", "<p>two</p>"))
    assert [data["text/plain"] for data in shown] == ["two"]
    picture.redraw(lambda: ("two", "<p>two</p>"), anew=True)  # what was sent before may be lost
    assert [data["text/plain"] for data in shown] == ["two", "two"]
