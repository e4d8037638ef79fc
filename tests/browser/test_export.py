"""A lecture as a file: it plays what the windows show, and has a sheet for each key."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from browser import server as servers
from dtree_lab.cli.lecture import shipped
from dtree_lab.stage.export import export, sheets
from dtree_lab.stage.lecture import TableSource
from dtree_lab.stage.reading import read

TALK = """---
title: A short lecture
---
# Welcome

. . .

And **more**.

---
ask: How many bits?
options: [none, one, two]
answer: B
because: Two equal parts.
---

---
lab: tree
table: tax_fraud
steps: 2
---
# A tree
"""
SHOWN = """() => {
  const stage = document.getElementById("stage");
  return [stage.dataset.drawn, stage.innerText];
}"""


def walked(page):
    """What is shown at each key, by scene and step."""
    found = {}
    for _ in range(60):
        page.wait_for_function("() => document.getElementById('stage').dataset.drawn")
        page.wait_for_timeout(250)
        step, text = page.evaluate(SHOWN)
        if step in found:
            return found
        found[step] = text
        page.keyboard.press("PageDown")
        page.wait_for_timeout(250)
    raise AssertionError("a lecture without end")


def test_what_is_exported_plays_what_is_shown_and_asks_nobody(tmp_path, new_page):
    talk = tmp_path / "talk.md"
    talk.write_text(TALK, encoding="utf-8")
    with servers.windows(tmp_path, "lecture", str(talk)) as (address, _):
        page = new_page(address)
        page.goto(address)
        live = walked(page)
        page.goto("about:blank")
    file = export(read(talk), tmp_path / "talk.html")
    page = new_page(file.as_uri())
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    played = walked(page)
    assert played == live
    assert len(played) == 2 + 2 + 3
    assert [url for url in asked if not url.startswith(("file:", "blob:", "data:"))] == []
    page.keyboard.press("PageUp")
    page.wait_for_timeout(300)
    assert page.evaluate(SHOWN)[0] == "2.1"
    page.locator("[role=treeitem]").last.click()
    expect(page.locator(".dtl-problem")).to_contain_text("recording")


@pytest.mark.thorough
@pytest.mark.parametrize("name", shipped())
def test_a_shipped_lecture_has_a_sheet_for_each_key(name, tmp_path):
    lecture = read(shipped()[name])
    if lecture.on_own_table:
        (tmp_path / "own.csv").write_text("Sky,Play\nsun,yes\nrain,no\nsun,yes\n", encoding="utf-8")
        lecture = lecture.on(TableSource(str(tmp_path / "own.csv"), is_file=True))
    page = export(lecture, tmp_path / "talk.html")
    assert page.stat().st_size < 2_000_000
    paper = sheets(page, tmp_path / "talk.pdf").read_bytes()
    keys = len(re.findall(rb"/Type\s*/Page\b", paper))
    assert keys > len(lecture.scenes)
