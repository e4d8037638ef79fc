"""``results.json``: by Gradescope's specification, and beside one that otter-grader wrote."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from grading.kinds import REAL
from jsonschema import Draft202012Validator

from dtree_lab.grading.exports import results_json, write_results
from dtree_lab.grading.records import Grade, GradeRecord

# What `otter run` of otter-grader 7.0.0 wrote of a question of two tests, one of them hidden.
OTTER = Path(__file__).parent / "otter_results.json"
VISIBILITY = {"enum": ["hidden", "after_due_date", "after_published", "visible"]}
FORMAT = {"enum": ["text", "html", "simple_format", "md", "ansi"]}
TEST = {
    "type": "object",
    "properties": {
        "score": {"type": "number"},
        "max_score": {"type": "number"},
        "status": {"enum": ["passed", "failed"]},
        "name": {"type": "string"},
        "name_format": FORMAT,
        "number": {"type": "string"},
        "output": {"type": "string"},
        "output_format": FORMAT,
        "tags": {"type": "array", "items": {"type": "string"}},
        "visibility": VISIBILITY,
        "extra_data": {"type": "object"},
    },
    "additionalProperties": False,
}
# From https://gradescope-autograders.readthedocs.io/en/latest/specs/: of what is not said there,
# nothing is allowed; a score, or one of each test, has to be.
SCHEMA = {
    "type": "object",
    "properties": {
        "score": {"type": "number"},
        "execution_time": {"type": "number"},
        "output": {"type": "string"},
        "output_format": FORMAT,
        "test_output_format": FORMAT,
        "test_name_format": FORMAT,
        "visibility": VISIBILITY,
        "stdout_visibility": VISIBILITY,
        "extra_data": {"type": "object"},
        "tests": {"type": "array", "items": TEST},
        "leaderboard": {"type": "array"},
    },
    "anyOf": [
        {"required": ["score"]},
        {"properties": {"tests": {"contains": {"required": ["score"]}}}, "required": ["tests"]},
    ],
    "additionalProperties": False,
}


def valid(told):
    Draft202012Validator.check_schema(SCHEMA)
    return Draft202012Validator(SCHEMA).is_valid(told)


@pytest.fixture
def record(sheet):
    """One that got half of it, with notes and a name that is no plain one."""
    marks = tuple(
        Grade(c.exercise, c.cell, c.points * (i % 2), c.points, "graded", "a <note>", "PASS")
        for i, c in enumerate(sheet.checks.values())
    )
    return GradeRecord("Zoë_1", REAL, "repaired", "the marks were lost", marks, seconds=1.23456)


def test_it_is_what_gradescope_specifies(sheet, record):
    told = json.loads(results_json(sheet, record))
    assert valid(told)
    assert told["score"] == sum(one["score"] for one in told["tests"]) == record.points
    assert sum(one["max_score"] for one in told["tests"]) == 19
    assert {one["status"] for one in told["tests"] if one["score"] == 0} == {"failed"}
    assert {one["status"] for one in told["tests"] if one["score"]} == {"passed"}
    assert told["output"] == "the marks were lost"
    assert "a <note>" in told["tests"][0]["output"]


def test_the_specification_takes_otters_and_tells_what_is_none():
    otter = json.loads(OTTER.read_text(encoding="utf-8"))
    assert valid(otter)
    assert not valid(otter | {"visibility": "never"})
    assert not valid(otter | {"points": 3})
    assert not valid({"tests": [{"name": "no score"}]})


def test_each_exercise_is_told_as_otter_tells_a_question(sheet, record):
    """All that otter says of a graded question, with values of the same types."""
    otter = json.loads(OTTER.read_text(encoding="utf-8"))
    (question,) = (one for one in otter["tests"] if "score" in one)
    for one in json.loads(results_json(sheet, record))["tests"]:
        for key, value in question.items():
            assert type(one[key]) is type(value), key


def test_who_could_not_be_graded_has_no_file_and_no_zero(sheet, record, tmp_path):
    none = GradeRecord("bob", REAL, "ungraded", "the file is empty")
    before = tmp_path / "bob" / "results.json"
    before.parent.mkdir()
    before.write_text("{}", encoding="utf-8")  # of a time when it could be
    assert write_results(tmp_path, sheet, [record, none]) == 1
    assert [one.parent.name for one in tmp_path.rglob("results.json")] == ["Zoë_1"]
