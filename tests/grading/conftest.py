"""A course's folder with lesson 1 in it, as staff have it."""

from __future__ import annotations

import json

import pytest
from grading.kinds import REAL, source

from dtree_lab.grading.batch import sheet_of
from dtree_lab.grading.releasing import release


@pytest.fixture
def course(tmp_path):
    """The folder, released."""
    folder = tmp_path / "course"
    place = folder / "source" / REAL / f"{REAL}.ipynb"
    place.parent.mkdir(parents=True)
    place.write_text(json.dumps(source()), encoding="utf-8")
    release(folder, REAL)
    return folder


@pytest.fixture
def sheet(course):
    return sheet_of(course, REAL)


@pytest.fixture
def hand_in(course):
    """Puts a notebook, or any bytes, where nbgrader looks for it."""

    def hand_in(learner, notebook, name=f"{REAL}.ipynb"):
        place = course / "submitted" / learner / REAL / name
        place.parent.mkdir(parents=True, exist_ok=True)
        data = notebook if isinstance(notebook, bytes) else json.dumps(notebook).encode()
        place.write_bytes(data)
        return place

    return hand_in
