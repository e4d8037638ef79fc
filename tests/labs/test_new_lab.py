"""The lab of docs/new-lab.md: its code, taken from the page, is shown, acted on, and drawn."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from pathlib import Path

import pytest

import dtree_lab as dt
from dtree_lab.labs import lab_widget

PAGE = Path(__file__).parents[2] / "docs/new-lab.md"


@pytest.fixture(scope="module")
def code():
    (source,) = re.findall(
        r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    return source


@pytest.fixture(scope="module")
def depth_lab(code):
    space = {"__name__": "__main__"}
    exec(compile(code, str(PAGE), "exec", dont_inherit=True), space)  # noqa: S102 - the page's own code
    return space["DepthLab"]


def part(lab, id_):
    (found,) = [one for one in lab.view["parts"] if one["id"] == id_]
    return found


def test_the_page_keeps_its_word(code):
    """A whole lab in some fifty lines; and what the page names is there."""
    assert sum(bool(line.strip()) for line in code.splitlines()) <= 65
    root = Path(lab_widget.__file__).parent
    for name in re.findall(r"`(?:labs/)?((?:kit/)?\w+\.py)`", PAGE.read_text(encoding="utf-8")):
        assert any(root.rglob(name)), name


def test_a_slider_and_a_button_do_what_the_page_says(depth_lab):
    lab = depth_lab()
    table = dt.datasets.penguins(missing="drop")
    training, held = dt.evaluate.holdout(table, seed=1)
    assert "left out" in part(lab, "left-out")["note"]
    for depth in (3, 1):
        lab.act({"do": "set", "control": "depth", "value": depth})
        tree = dt.id3(training, max_depth=depth)
        assert len(part(lab, "tree")["tree"]["cards"]) == tree.n_nodes
        assert f"{tree.error(training):.1%}" in part(lab, "errors")["text"][0]
    assert len(part(lab, "errors")["text"]) == 1  # the new rows come with the answer
    assert lab.view["verdict"] == ""
    lab.act({"do": "answer"})
    wrong = [dt.id3(training, max_depth=depth).error(held) for depth in range(7)]
    assert lab.view["verdict"].startswith(f"Depth 1 gets {wrong[1]:.1%} of the new rows wrong")
    assert f"{min(wrong):.1%}" in lab.view["verdict"]
    assert [f"{one:.1%}" in part(lab, "errors")["text"][1] for one in wrong] == [True] * 7


def test_what_cannot_be_done_is_said(depth_lab):
    lab = depth_lab()
    before = lab.state
    for message in ({"do": "set", "control": "depth", "value": 7}, {"do": "fly"}, None):
        lab.act(message)
        assert lab.view["problem"]
        assert lab.state == before


def test_its_text_makes_it_again(depth_lab):
    lab = depth_lab()
    lab.act({"do": "set", "control": "depth", "value": 2})
    lab.act({"do": "answer"})
    again = depth_lab(state=lab.state)
    assert again.state == lab.state
    assert (lab.view["undo"], again.view["undo"]) == (True, False)  # a text has no past
    own = ("answers", "undo")
    assert again.view == {**lab.view, **{key: again.view[key] for key in own}}
    with pytest.raises(ValueError, match="made on another table"):
        depth_lab(dt.datasets.tax_fraud(), state=lab.state)
    with pytest.raises(ValueError, match="'answer' is missing"):
        depth_lab(state=lab.state.replace("answer", "reply"))


def test_what_stays_without_a_kernel_is_a_picture_and_its_text(depth_lab):
    lab = depth_lab(dt.datasets.tax_fraud())
    lab.act({"do": "set", "control": "depth", "value": 2})
    text, page = lab._bundle()
    assert "How deep should the tree grow" in text
    assert "training rows: " in text
    pictures = [b64decode(one).decode() for one in re.findall('base64,([^"]+)', page)]
    assert len(pictures) == 2
    assert all(one.startswith("<svg") for one in pictures)
    assert json.loads(lab.told) == lab.view
