"""Formgrader in a real JupyterLab, on a course that was graded here: seen, marked by hand, kept."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from grading.kinds import ENTROPY, REAL, right, source

from browser.server import jupyterlab
from dtree_lab.cli import main
from dtree_lab.grading.batch import sheet_of
from dtree_lab.grading.gradebook import manual_grades
from dtree_lab.grading.records import Records

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import BrowserContext

    from browser.server import Server

CELL = ENTROPY.replace("/", "-")
WRONG = "def entropy(counts):\n    return 2"


def run(course: Path, *words: str) -> None:
    assert main.main(["assignment", *words, "--course", str(course)]) == 0


@pytest.fixture
def graded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A JupyterLab in the folder of a course in which two have handed in."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    monkeypatch.setenv("PATH", path)  # nbgrader calls alembic by name
    config = tmp_path / "home" / "config" / "nbgrader_config.py"
    config.parent.mkdir(parents=True)
    root = tmp_path / "home" / "root"
    config.write_text(f"c = get_config()\nc.CourseDirectory.root = {str(root)!r}\n", "utf-8")
    with jupyterlab(tmp_path / "home") as server:
        place = root / "source" / REAL / f"{REAL}.ipynb"
        place.parent.mkdir(parents=True)
        place.write_text(json.dumps(source()), encoding="utf-8")
        run(root, "release", REAL)
        for who, notebook in (("ada", right()), ("bob", right(entropy=WRONG))):
            handed = root / "submitted" / who / REAL / f"{REAL}.ipynb"
            handed.parent.mkdir(parents=True)
            handed.write_text(json.dumps(notebook), encoding="utf-8")
        run(root, "grade", REAL, "--gradebook")
        yield server


@pytest.mark.thorough
def test_marks_are_seen_and_points_by_hand_stay(graded: Server, chrome: BrowserContext) -> None:
    page = chrome.new_page()
    page.goto(f"{graded.url}/lab?token={graded.token}")  # which logs in
    page.wait_for_function("() => window.jupyterapp !== undefined")
    page.goto(f"{graded.url}/formgrader/gradebook/{REAL}/{REAL}")
    page.get_by_text("Show All Names").click()
    row = page.locator("tr", has_text="bob")
    assert "16 / 19" in row.inner_text()
    assert "19 / 19" in page.locator("tr", has_text="ada").inner_text()
    page.goto(graded.url + row.locator("a[href*=submissions]").first.get_attribute("href"))
    page.wait_for_load_state("networkidle")
    assert page.get_by_text("NOT YET").count() == 1
    assert "return 2" in page.inner_text("body")
    assert "me = 'Ada Lovelace'" in page.inner_text("body")
    points, words = page.locator(f"#check-{CELL}"), page.locator(f"#answer-{CELL}-comment")
    assert points.get_attribute("placeholder") == "0"
    with page.expect_response(lambda r: r.request.method == "PUT" and "/grade/" in r.url):
        points.fill("1.5")
        points.press("Tab")
    with page.expect_response(lambda r: r.request.method == "PUT" and "/comment/" in r.url):
        words.fill("Half of it is a fine idea.")
        words.press("Tab")
    course = graded.root
    run(course, "regrade", REAL, "--gradebook")
    page.reload()
    page.wait_for_load_state("networkidle")
    assert points.input_value() == "1.5"
    assert words.input_value() == "Half of it is a fine idea."
    page.close()
    ada, bob = manual_grades(course, sheet_of(course, REAL), Records(course, REAL).all())
    assert (ada.points, bob.points) == (19, 17.5)
    run(course, "feedback", REAL)
    told = (course / "feedback" / "bob" / REAL / f"{REAL}.html").read_text(encoding="utf-8")
    assert "Half of it is a fine idea." in told
