"""What people kept of an earlier version still opens, and what they type is still there."""

from __future__ import annotations

import inspect
import json
from importlib import import_module
from operator import attrgetter
from pathlib import Path

import pytest
from cases import each
from effort import profile

import dtree_lab as dt
from dtree_lab.base import peers
from kept import FOLDER, lab_facts, opened, parameters, plain

VERSIONS = {path.stem: json.loads(path.read_text("utf-8")) for path in FOLDER.glob("*.json")}
CHANGELOG = Path(__file__).parents[1] / "CHANGELOG.md"
# Exercises that are no longer asked, and names that went as docs/policy.md has it, each with the
# version from which on they are not there.
GONE: dict[str, str] = {}


def kept(what):
    """Each thing of that kind, with its version."""
    found = [(version, thing) for version, all_ in VERSIONS.items() for thing in all_[what]]
    assert found
    return found


def number(version):
    return tuple(map(int, version.split(".")))


def is_gone(name):
    return name in GONE and number(dt.__version__) >= number(GONE[name])


def test_this_version_or_the_one_before_it_has_its_file():
    newest = max(VERSIONS, key=number)
    assert number(newest)[:2] <= number(dt.__version__)[:2] <= (0, number(newest)[1] + 1)


# Labs that measure or grow forests as soon as they open.
LONG = ("bias-variance", "forest")


def kept_labs():
    """All texts of labs; but one of each lab that takes long, in ``make test``."""
    opened_once = set()
    for version, lab in kept("labs"):
        if profile() == "thorough" or (version, lab["lab"]) not in opened_once:
            yield version, lab
        if lab["lab"] in LONG:
            opened_once.add((version, lab["lab"]))


@each("version, lab", kept_labs())
def test_a_lab_s_text_brings_back_its_settings_and_the_tree_grown_by_hand(version, lab):
    again = opened(lab["lab"], lab["text"])
    facts = lab_facts(again)
    # A setting that is new has its default.
    assert {name: facts["settings"][name] for name in lab["settings"]} == lab["settings"], version
    assert facts["tree"] == lab["tree"], version


@each("version, model", kept("models"))
def test_a_model_s_text_answers_as_it_did(version, model):
    module, _, name = model["class"].rpartition(".")
    again = getattr(import_module(module), name).from_json(model["text"])
    assert plain([again.predict(row) for row in model["rows"]]) == model["answers"], version
    assert type(again).from_json(again.to_json()).to_json() == again.to_json()


def test_an_exercise_keeps_its_name():
    there = {exercise.id for exercise in dt.course.exercises()}
    lost = {id_ for _, id_ in kept("exercises") if id_ not in there and not is_gone(id_)}
    assert lost == set()


@each("version, card", kept("answers"))
def test_a_right_answer_in_a_learner_s_cell_stays_right(version, card):
    exercise, answer = card
    if not is_gone(exercise):
        told = dt.course.check(exercise, tuple(answer) if isinstance(answer, list) else answer)
        assert told.passed, (version, str(told))


def thing_of(name):
    """What a dotted name of the public face stands for."""
    if name.startswith("dtree_lab.sklearn."):
        return getattr(import_module("dtree_lab.sklearn"), name.rpartition(".")[2])
    return attrgetter(name.removeprefix("dtree_lab."))(dt) if "." in name else dt


def is_field(name):
    """Whether it is a field that each object has, and its class has not."""
    owner, _, last = name.rpartition(".")
    kinds = getattr(thing_of(owner), "__mro__", ())
    return any(last in inspect.get_annotations(kind) for kind in kinds)


def changed(name, before):
    """How a name is no longer what it was when it had those parameters; nothing if it is."""
    try:
        thing = thing_of(name)
    except AttributeError:
        return [] if is_field(name) else [f"{name} is gone"]
    now = parameters(thing) or []
    # What was by name may be by place now, and what is new stands behind.
    names = {parameter.split()[-1] for parameter in now}
    return [
        f"{name} no longer takes {parameter!r}"
        for parameter in before or ()
        if parameter not in (now if parameter[0].isdigit() else names)
    ]


def test_what_people_type_is_still_there_with_its_parameters():
    found = [
        line
        for _, (name, before) in kept("names")
        if not is_gone(name)
        for line in changed(name, before)
    ]
    assert found == []


def test_what_is_no_longer_what_it_was_is_noticed():
    assert changed("dtree_lab.nothing", None) == ["dtree_lab.nothing is gone"]
    assert changed("dtree_lab.Tree.nothing", []) == ["dtree_lab.Tree.nothing is gone"]
    assert changed("dtree_lab.id3", ["1 table"]) == ["dtree_lab.id3 no longer takes '1 table'"]
    assert changed("dtree_lab.id3", ["depth"]) == ["dtree_lab.id3 no longer takes 'depth'"]
    assert changed("dtree_lab.id3", ["0 table", "max_depth"]) == []
    assert changed("dtree_lab.Branch", ["counts"]) == changed("dtree_lab.Tree.flat", None) == []


def test_a_name_that_went_is_told_in_the_changes_and_with_what_stands_for_it():
    changes = CHANGELOG.read_text(encoding="utf-8")
    for name in filter(is_gone, GONE):
        last = name.rpartition(".")[2]
        assert last in changes
        if name == f"dtree_lab.{last}":
            assert last in peers.MODULE


def test_a_name_goes_only_when_its_version_is_there():
    for name, (_, ours, version) in peers.RETIRING.items():
        assert number(version) > number(dt.__version__), name
        assert ours
        assert f"dt.{name}" in CHANGELOG.read_text(encoding="utf-8")


def test_a_text_of_a_version_to_come_is_refused_and_not_guessed_at():
    lab, model = kept("labs")[0][1], kept("models")[0][1]
    with pytest.raises(ValueError, match="state must be a text"):
        opened(lab["lab"], lab["text"].replace('/1"', '/9"', 1))
    with pytest.raises(ValueError, match="not a tree"):
        dt.Tree.from_json(model["text"].replace('/1"', '/9"', 1))
