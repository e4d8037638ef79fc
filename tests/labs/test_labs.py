"""What holds for every lab, on any table, whatever a person does."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from importlib import import_module

import numpy as np
import pytest
from cases import each
from effort import profile, scaled

import dtree_lab as dt
from dtree_lab.labs.catalogue import LABS
from dtree_lab.labs.lab_widget import Lab
from labs.hostile import hostile, large

# So much of a message is a lab's; the rest is for Jupyter's envelope.
MOST_BYTES = 62_000
NAMES = sorted({lab.cls for lab in LABS})
# Labs that measure, or grow forests, after each action.
MEASURING = ("BiasVarianceLab", "ForestLab")


def acts(name, number):
    """How many acts are tried of a lab: of one that measures after each, a fifth."""
    return scaled(number / 5, fewest=2) if name in MEASURING else scaled(number, fewest=5)


def made(name, table=None, **keywords):
    table = dt.datasets.tax_fraud() if table is None and name == "TreeBuilder" else table
    return getattr(dt, name)(*([] if table is None else [table]), **keywords)


def size(lab):
    return len(json.dumps(lab.view, ensure_ascii=False).encode())


def messages(view, rng):
    """Something that a person might do, or a broken page might send."""
    known = [{"do": "next"}, {"do": "back"}, {"do": "reset"}, {"do": "nonsense"}]
    for part in view.get("parts", []):
        known += list(PARTS[part["kind"]](part, rng))
    return known[rng.integers(len(known))]


def _set(control, rng):
    id_, low, high = control["id"], control.get("low", 0), control.get("high", 1)
    if control["kind"] == "menu":
        return {"do": id_, "option": [*control["options"], "none such"][rng.integers(4)]}
    values = {
        "slider": [low, high, (low + high) / 2, low - 1, float(rng.uniform(low, high)), "x"],
        "choice": [*(key for key, _ in control.get("options", [])), "none such"],
        "thumbnails": [*(key for key, _ in control.get("options", [])), "none such"],
        "toggle": [True, False, "maybe"],
        "field": ["", "0.5", "-1", "1e999", "abc", "3/10", "10"],
    }
    if control["kind"] == "button":
        return {"do": id_}
    of = values[control["kind"]]
    return {"do": "set", "control": id_, "value": of[rng.integers(len(of))]}


def _asked(part, bar, rng):
    low, high = (bar["axis"]["min"], bar["axis"]["max"]) if bar["axis"] else (0, 1)
    of = {
        "part": part["id"],
        "attribute": [bar["attribute"], bar["attribute"], -1][rng.integers(3)],
    }
    cut = {"cut": [float(rng.uniform(low, high)), high + 1, "x"][rng.integers(3)]}
    branches = {"branches": [int(b) for b in rng.integers(0, 2, len(bar["values"] or [0]))]}
    return [
        {"do": "draft", **of, **cut},
        {"do": "draft", **of, **branches},
        {"do": "split", **of, **(cut if bar["continuous"] else {})},
    ][rng.integers(3)]


PARTS = {
    "controls": lambda part, rng: [_set(control, rng) for control in part["controls"]],
    "toolbar": lambda part, rng: [_set(control, rng) for control in part["controls"]],
    "questions": lambda part, rng: [_asked(part, bar, rng) for bar in part["bars"]],
    "foot": lambda _, __: [],
    "words": lambda _, __: [],
    "folded": lambda _, __: [],
    "picture": lambda part, rng: (
        ([_set(part["slider"], rng)] if part["slider"] else [])
        + ([{"do": "point", "part": part["id"], "x": 0.3, "y": 1e9}] if part["click"] else [])
    ),
    "tree": lambda part, rng: (
        [{"do": "select", "part": part["id"], "at": card["id"]} for card in part["tree"]["cards"]]
        + [{"do": "select", "part": part["id"], "at": "7.7.7"}]
    ),
    "grid": lambda part, rng: (
        [{"do": "pick", "part": part["id"], "row": int(rng.integers(-1, len(part["rows"]) + 1))}]
        + [_set(cell, rng) for row in part["rows"] for cell in row if isinstance(cell, dict)]
    ),
    "bars": lambda part, rng: [
        {"do": "pick", "part": part["id"], "row": int(rng.integers(-1, len(part["bars"]) + 1))}
    ],
    "wall": lambda part, rng: [
        {"do": "pick", "part": part["id"], "row": int(rng.integers(-1, len(part["tiles"]) + 1))}
    ],
}


@each("name", NAMES)
@each("kind", ["own", "hostile", "large"])
def test_whatever_is_done_the_state_comes_back_from_its_text(name, kind):
    # A forest on the larger one takes longer than all other labs do.
    n_rows = 200 if name in MEASURING and profile() != "thorough" else 3_000
    table = {"own": lambda: None, "hostile": hostile, "large": lambda: large(n_rows)}[kind]()
    lab = made(name, table)
    rng = np.random.default_rng(len(name))
    for _ in range(acts(name, 12 if kind == "large" else 40)):
        lab.act(messages(lab.view, rng))
        assert size(lab) <= MOST_BYTES
        assert json.loads(json.dumps(lab.view)) == lab.view
    again = made(name, table, state=lab.state)
    assert again.state == lab.state


class Page(HTMLParser):
    """The elements of a page and its texts."""

    def __init__(self, page):
        super().__init__()
        self.names, self.sources, self.texts = [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.names.append(tag)
        self.sources += [value for key, value in attrs if key == "src"]

    def handle_data(self, data):
        self.texts.append(data)


@each("name", NAMES)
def test_a_picture_comes_first_with_a_sentence_over_it_and_its_control_under_it(name):
    view = made(name).view
    seen = [part for part in view["parts"] if not part["drawer"]]
    kinds = {"picture", "tree", "grid"}
    assert {part["kind"] for part in seen if part["area"] in ("hero", "beside")} & kinds
    assert any(part["area"] == "act" for part in seen)
    assert view["verdict"] or view["status"] or view["result"]
    drawers = dict.fromkeys(part["drawer"] for part in view["parts"] if part["drawer"])
    assert drawers
    assert all(name[0].isupper() and name[-1] not in ".:" for name in drawers)


@each("name", NAMES)
def test_hostile_names_are_text_where_no_kernel_runs(name):
    text, page = made(name, hostile())._bundle()
    assert text.strip()
    parsed = Page(page)
    assert "script" not in parsed.names
    assert all(source.startswith("data:image/svg+xml;base64,") for source in parsed.sources)


@each("name", NAMES)
@each("state", ["", "{}", "x" * 100, '{"format":"dtree_lab.Other/1"}'])
def test_a_text_that_is_no_state_is_refused_by_name(name, state):
    with pytest.raises(ValueError, match=f"state must be a text from .state of a {name}"):
        made(name, state=state)


@each("name", NAMES)
def test_a_state_of_another_table_is_refused(name):
    text = made(name, hostile()).state
    with pytest.raises(ValueError, match="another table"):
        made(name, large(200, 4, 3), state=text)


@each("name", NAMES)
def test_what_is_no_table_is_refused_by_name(name):
    with pytest.raises((TypeError, ValueError), match="Table"):
        made(name, [1, 2, 3])


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.name)
def test_the_catalogue_names_what_there_is(lab):
    found = getattr(import_module(lab.module), lab.cls)
    assert found is getattr(dt, lab.cls)
    assert lab.what


def test_the_catalogue_is_complete():
    front = {name for name in dt.__all__ if isinstance(getattr(dt, name), type(Lab))}
    assert {name for name in front if issubclass(getattr(dt, name), Lab)} == set(NAMES)


def test_without_a_kernel_only_what_is_true_and_new_is_told_of_the_controls():
    """Nothing of what a click would do or where one would type; settings stand in one line."""
    texts = {name: made(name)._bundle()[0] for name in NAMES}
    for name, text in texts.items():
        for said in ("A click:", "Speed:", "Type p:", "Cut at:", "x1: 0.5", "Step: "):
            assert said not in text, name
    assert "Most questions deep: 1\n\nPoints from: a diagonal\n\n" in texts["PlaneLab"]
    assert "Trees: 50 · Row: 37\n" in texts["ForestLab"]
