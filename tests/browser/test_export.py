"""A lecture as a file: it plays what the windows show, and has a sheet for each key."""

from __future__ import annotations

import base64
import re
import zlib

import pytest
from playwright.sync_api import expect

from browser import server as servers
from browser.driver import at_rest
from browser.walking import HAS_GONE_ON
from dtree_lab.cli.lecture import shipped
from dtree_lab.stage import export as exporting
from dtree_lab.stage.export import PIXEL, UP, export, on_paper, sheets
from dtree_lab.stage.lecture import TableSource
from dtree_lab.stage.reading import read_lecture

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
CURVE = """
---
lab: entropy
steps: 0
---
# A curve
"""
KEYS = 2 + 2 + 3 - 1  # what the scenes show, one after the other; the first is there
SHOWN = """() => {
  const stage = document.getElementById("stage");
  return [stage.dataset.drawn, stage.innerText];
}"""


def walked(page, keys):
    """What is shown before and after so many keys, with scene and step; one more leads nowhere."""
    found = []
    for _ in range(keys + 1):
        page.wait_for_function(HAS_GONE_ON, arg=found[-1][0] if found else "")
        at_rest(page, "#stage *")
        found.append(page.evaluate(SHOWN))
        page.keyboard.press("PageDown")
    page.keyboard.press("PageUp")
    expect(page.locator("#stage")).to_have_attribute("data-drawn", found[-2][0])
    return found


def test_what_is_exported_plays_what_is_shown_and_asks_nobody(tmp_path, new_page):
    talk = tmp_path / "talk.md"
    talk.write_text(TALK, encoding="utf-8")
    with servers.windows(tmp_path, "lecture", str(talk)) as (address, _):
        page = new_page(address)
        page.goto(address)
        live = walked(page, KEYS)
        page.goto("about:blank")
    file = export(read_lecture(talk), tmp_path / "talk.html")
    page = new_page(file.as_uri())
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    played = walked(page, KEYS)
    assert played == live
    assert [url for url in asked if not url.startswith(("file:", "blob:", "data:"))] == []
    page.locator("[role=treeitem]").last.click()
    expect(page.locator(".dtl-problem")).to_contain_text("recording")


ADVICE = "Many words of advice, and more. "
CELLS = """() => [...document.querySelectorAll("section:has(.sheet)")].map((cell) => {
  const [sheet, aside] = [cell.querySelector(".sheet"), cell.querySelector("aside")];
  const [on, beside] = [sheet, aside].map((one) => one?.getBoundingClientRect());
  const words = [...sheet.querySelectorAll("svg text")].map((one) => one.getBoundingClientRect());
  const isCut = words.some((one) => one.bottom > on.bottom || one.right > on.right) || aside && (aside.scrollHeight > aside.clientHeight + 1 || aside.scrollWidth > aside.clientWidth + 1);
  return {
    ratio: on.width / on.height,
    drawn: sheet.dataset.drawn,
    notes: aside && aside.innerText.trim(),
    isRight: !isCut && (!aside || beside.left >= on.right || beside.top >= on.bottom),
  };
})"""  # noqa: E501 - JavaScript


@pytest.mark.parametrize("up", sorted(UP))
@pytest.mark.parametrize("many", [0, 24, 90])
def test_a_handout_has_a_sheet_for_each_scene_as_it_is_in_the_end(
    up, many, tmp_path, new_page, monkeypatch
):
    """With notes as long as those of shipped lectures, too; longer ones take more of the paper."""
    talk, kept = tmp_path / "talk.md", tmp_path / "kept.html"
    talk.write_text(f"{TALK}{CURVE}\nNotes:\n{ADVICE * many or 'A secret.'}\n", encoding="utf-8")
    monkeypatch.setattr(exporting, "sheets", lambda page, _: kept.write_bytes(page.read_bytes()))
    lecture = read_lecture(talk)
    on_paper(lecture, tmp_path / "talk.pdf", up=up, notes=many > 0)
    page = new_page(kept.as_uri())
    between_margins = 186 if UP[up][many > 0][0] == "portrait" else 273
    page.set_viewport_size({"width": round(between_margins / PIXEL), "height": 900})
    page.goto(f"{kept.as_uri()}#sheets")
    page.locator("body[data-sheets]").wait_for()
    cells = page.evaluate(CELLS)
    assert [cell["drawn"] for cell in cells] == ["0.1", "1.2", "2.2", "3.3"]
    assert [round(cell["ratio"], 1) for cell in cells] == [1.8] * 4
    assert all(cell["isRight"] for cell in cells)
    if many:
        assert cells[3]["notes"].count("advice") == many
    else:
        assert [cell["notes"] for cell in cells] == [None] * 4
        data = re.search(r'id="data">(.*?)<', kept.read_text(encoding="utf-8"))[1]
        assert b"secret" not in zlib.decompress(base64.b64decode(data))
    paper = page.pdf(prefer_css_page_size=True)
    pages = len(re.findall(rb"/Type\s*/Page\b", paper))
    fewest = -(-len(lecture.scenes) // up)
    assert pages == fewest or (many == 90 and fewest < pages <= len(lecture.scenes))


@pytest.mark.thorough
@pytest.mark.parametrize("name", shipped())
def test_a_shipped_lecture_has_a_sheet_for_each_key(name, tmp_path):
    lecture = read_lecture(shipped()[name])
    if lecture.on_own_table:
        (tmp_path / "own.csv").write_text("Sky,Play\nsun,yes\nrain,no\nsun,yes\n", encoding="utf-8")
        lecture = lecture.on(TableSource(str(tmp_path / "own.csv"), is_file=True))
    page = export(lecture, tmp_path / "talk.html")
    assert page.stat().st_size < 2_000_000
    paper = sheets(page, tmp_path / "talk.pdf").read_bytes()
    keys = len(re.findall(rb"/Type\s*/Page\b", paper))
    assert keys > len(lecture.scenes)
