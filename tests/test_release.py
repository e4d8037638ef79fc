"""What a release says of itself is one thing everywhere: version, licence, Pythons, systems."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import yaml

import dtree_lab as dt

CHECKOUT = Path(__file__).parents[1]
PROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CITATION = yaml.safe_load((CHECKOUT / "CITATION.cff").read_text(encoding="utf-8"))
WORKFLOW = yaml.safe_load((CHECKOUT / ".github/workflows/test.yml").read_text(encoding="utf-8"))
SYSTEMS = {"ubuntu": "POSIX :: Linux", "macos": "MacOS", "windows": "Microsoft :: Windows"}


def test_the_version_is_one():
    first = re.search(
        r"^## (\S+) \((.+)\)$", (CHECKOUT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE
    )
    assert first[1] == dt.__version__ == PROJECT["version"] == CITATION["version"]
    # A date, or that there is none yet; the citation has it, too.
    assert first[2] == str(CITATION.get("date-released", "unreleased"))


def test_the_citation_has_what_its_format_asks_for_and_says_the_same():
    assert {"cff-version", "message", "title", "authors"} <= set(CITATION)
    assert CITATION["cff-version"] == "1.2.0"
    assert CITATION["license"] == PROJECT["license"]
    assert CITATION["keywords"] == PROJECT["keywords"]
    assert CITATION["authors"] == PROJECT["authors"]


def listed(start):
    """The classifiers below one, such as the systems."""
    return {c.removeprefix(start) for c in PROJECT["classifiers"] if c.startswith(start)}


def test_each_python_and_system_that_is_promised_is_tried():
    pythons = {name for name in listed("Programming Language :: Python :: ") if "." in name}
    assert min(pythons, key=lambda name: int(name[2:])) == PROJECT["requires-python"].lstrip(">=")
    tried = set()
    for job in (WORKFLOW["jobs"]["linux"], WORKFLOW["jobs"]["elsewhere"]):
        matrix = job["strategy"]["matrix"]
        assert set(matrix["python"]) == pythons
        tried |= {name.partition("-")[0] for name in matrix.get("system", [job["runs-on"]])}
    assert {SYSTEMS[name] for name in tried} == listed("Operating System :: ")


def commands(job):
    return [step["run"] for step in WORKFLOW["jobs"][job]["steps"] if "run" in step]


def test_it_is_tried_by_the_commands_that_people_have():
    makefile = (CHECKOUT / "Makefile").read_text(encoding="utf-8")
    pages = [*CHECKOUT.glob("*.md"), *CHECKOUT.glob("docs/*.md")]
    shown = "".join(page.read_text(encoding="utf-8") for page in pages).replace("\\", "/")
    assert "make test PYTHON=python" in commands("linux")
    assert "make thorough PYTHON=python" in commands("thorough")
    for line in commands("linux") + commands("thorough"):
        if line.startswith("make "):
            assert f"\n{line.split()[1]}:\n" in makefile
    for line in commands("elsewhere"):
        assert f".venv/Scripts/{line}\n" in shown
