"""``dt.lecture`` from a notebook: a process of its own, its windows, and what is said instead."""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import closing
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

import pytest

import dtree_lab as dt
from dtree_lab.cli.lecture import shipped
from dtree_lab.stage import notebook
from stage.talks import TALK

ROWS = "Wetter;Grad;Spielt\nSonne;21,5;ja\nRegen;12,5;nein\nSonne;19,0;ja\nRegen;17,0;nein\n"


@pytest.fixture
def talk(tmp_path):
    path = tmp_path / "talk.md"
    path.write_text(TALK, encoding="utf-8")
    return path


def is_served(address):
    parts = urlsplit(address)
    with closing(HTTPConnection(parts.netloc, timeout=10)) as asked:
        try:
            asked.request("GET", f"{parts.path or '/'}?{parts.query}")
            return asked.getresponse().status == 200
        except (OSError, HTTPException):
            return False


def test_without_a_file_the_shipped_ones_are_listed():
    listed = repr(dt.lecture())
    assert all(name in listed for name in shipped())


def test_where_they_cannot_be_listed_it_says_why(monkeypatch):
    refused = "import sys; sys.exit('dtree-lab lecture: (yaml is missing)')"
    monkeypatch.setattr(notebook, "_COMMAND", (sys.executable, "-c", refused))
    with pytest.raises(ValueError, match=r"^\(yaml is missing\)$"):
        repr(dt.lecture())


def test_both_windows_are_served_until_it_is_stopped(talk):
    given = dt.lecture(talk, theme="dark")
    try:
        assert given.is_given
        assert is_served(given.audience)
        assert is_served(given.presenter)
        page = given._repr_html_()
        assert f'href="{given.audience}"' in page
        assert f'href="{given.presenter}"' in page
        assert given.title in repr(given)
    finally:
        given.stop()
    assert not given.is_given
    assert not is_served(given.audience)
    assert "over" in repr(given)
    assert "href" not in given._repr_html_()
    given.stop()  # once more is no harm


def test_phones_are_let_in_where_that_is_wanted(talk):
    given = dt.lecture(talk, phones=True, class_host="127.0.0.2")
    try:
        assert given.phones.startswith("http://127.0.0.2:")
    finally:
        given.stop()


def test_when_its_notebook_is_killed_it_ends(talk):
    """With no chance to say so: what it gives to read just ends."""
    code = f"import dtree_lab as dt; g = dt.lecture({str(talk)!r}); print(g.audience, flush=True); "
    notebook = subprocess.Popen(
        [sys.executable, "-c", code + "input()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    address = notebook.stdout.readline().strip()
    assert is_served(address)
    notebook.kill()
    notebook.communicate()
    until = time.monotonic() + 30
    while is_served(address):
        assert time.monotonic() < until, "it goes on without its notebook"
        time.sleep(0.1)


@pytest.mark.parametrize(
    ("asked", "how", "said"),
    [
        ("tax-frud", {}, "Did you mean 'tax-fraud'"),
        ("tax-fraud", {"theme": "blue"}, "--theme: invalid choice: 'blue'"),
        ("your-table", {}, "--table FILE"),
        ("your-table", {"table": "nowhere.csv"}, "there is no file"),
        ("tax-fraud", {"targett": "Cheat"}, "--targett"),
    ],
)
def test_what_cannot_be_shown_is_said(asked, how, said):
    with pytest.raises(ValueError, match=r"^(?!usage)") as caught:
        dt.lecture(asked, **how)
    assert said in str(caught.value)
    assert not str(caught.value).startswith("dtree-lab")


def test_a_table_is_brought_along_with_how_it_is_written(tmp_path):
    path = tmp_path / "wetter.csv"
    path.write_text(ROWS, encoding="utf-8")
    with pytest.raises(ValueError, match="--delimiter ';'"):
        dt.lecture("your-table", table=path)
    how = {"delimiter": ";", "decimal": ",", "target": "Spielt", "drop": ["Grad"]}
    given = dt.lecture("your-table", table=path, kinds={"Wetter": "discrete"}, **how)
    try:
        assert is_served(given.audience)
    finally:
        given.stop()
