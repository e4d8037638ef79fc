"""What docs/own-exercise.md shows, as files: a folder of course staff's, and their commands."""

from __future__ import annotations

import json
import re
from pathlib import Path

from dtree_lab.cli import main

PAGE = (Path(__file__).parents[2] / "docs/own-exercise.md").read_text(encoding="utf-8")
NAME = "week3"
BLOCK = re.compile(r"^```(?P<kind>\w*)\n(?P<text>.*?)\n```$", re.DOTALL | re.MULTILINE)


SEED = 987_654_321


def run(*words):
    """The status of ``dtree-lab assignment`` with some words."""
    return main.main(["assignment", *map(str, words)])


def blocks(section, kind):
    """The blocks of a kind in a section of the page."""
    (found,) = re.findall(rf"^## {section}\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE)
    return [one["text"] for one in BLOCK.finditer(found) if one["kind"] == kind]


def said(section):
    """What is said in a terminal, without ``dtree-lab assignment``: a list of words a line."""
    lines = [line.split() for block in blocks(section, "") for line in block.splitlines()]
    return [line[2:] if line[0] == "dtree-lab" else line for line in lines]


def exercises_py():
    (text,) = blocks("The exercises", "python")
    return text


def cells():
    return blocks("The notebook", "python")


def notebook(texts, words="# Week 3"):
    """As JupyterLab saves one, without what is optional."""
    code = [
        {"cell_type": "code", "source": one, "metadata": {}, "outputs": [], "execution_count": None}
        for one in texts
    ]
    text = {"cell_type": "markdown", "source": words, "metadata": {}}
    return {"cells": [text, *code], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}


def write_draft(folder, text=None, texts=None, words="# Week 3"):
    """The folder of the page, with another file or other cells if asked."""
    place = folder / NAME
    place.mkdir()
    (place / "exercises.py").write_text(text or exercises_py(), encoding="utf-8")
    made = notebook(cells() if texts is None else texts, words)
    (place / f"{NAME}.ipynb").write_text(json.dumps(made), encoding="utf-8")
    return place
