"""The labs of the site's pages: they play without Python and without a network, and are small."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path

import pytest
import records
from playwright.sync_api import expect

from coursesite import pages, played
from coursesite.lesson import lessons

CHECKOUT = Path(__file__).parents[2]
FOUND = {one.name: one for one in lessons(CHECKOUT / "notebooks", lite=False)}
LABS = {name: played.labs_of(one) for name, one in FOUND.items()}
QUICK = "02-entropy"
NAMES = [
    name if name == QUICK else pytest.param(name, marks=pytest.mark.thorough)
    for name, labs in LABS.items()
    if labs
]
# What the site itself keeps of its labs is more; here it is seen that they play.
FEW = 40


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The page of a lesson with its labs, and they, recorded."""
    folder = tmp_path_factory.mktemp("playing")
    known = {}

    def build(name):
        if name not in known:
            labs = {id_: played.run(code) for id_, code in LABS[name].items()}
            found = {id_: played.played(lab.record(most=FEW)) for id_, lab in labs.items()}
            (folder / name).mkdir()
            pages.write(list(FOUND.values()), folder / name, labs=found)
            known[name] = folder / name / f"{name}.html", labs
        return known[name]

    return build


@pytest.mark.parametrize("name", NAMES)
def test_a_page_has_each_lab_of_its_lesson_once_and_small(name, built):
    page = built(name)[0].read_text(encoding="utf-8")
    assert re.findall(r'class="dtl-play" data-lab="([^"]+)"', page) == list(LABS[name])
    data = dict(re.findall(r'class="dtl-record dtl-(\w+)">([^<]+)<', page))
    assert set(re.findall(r'data-record="(\w+)"', page)) == set(data)
    assert all(len(base64.b64decode(text)) <= played.MOST_BYTES for text in data.values())
    assert page.count('class="dtl-code"') == 1


@pytest.mark.parametrize("name", NAMES)
def test_a_lab_needs_what_it_is_given(name, built):
    """Run by a few cells, it is the lab that the whole notebook shows."""
    labs = built(name)[1]
    for cell in FOUND[name].notebook.cells:
        if cell.get("id") in labs:
            kept = "".join(cell.outputs[-1].data["text/plain"])
            assert played.run(LABS[name][cell.id])._bundle()[0] == kept


@pytest.mark.parametrize("name", NAMES)
def test_a_page_plays_without_a_network_on_a_phone(name, built, new_page):
    place, labs = built(name)
    page = new_page(place.as_uri())
    asked = []
    page.on("request", lambda one: asked.append(one.url))
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(place.as_uri())
    for id_ in labs:
        lab = page.locator(f'[data-lab="{id_}"]')
        lab.scroll_into_view_if_needed()
        expect(page.locator(f'[data-lab="{id_}"][data-playing]')).to_be_visible(timeout=20_000)
        title = labs[id_].view["title"]
        expect(lab.locator(".dtl-title")).to_have_text(title)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert [url for url in asked if not url.startswith(("file:", "blob:", "data:"))] == []


def test_what_is_kept_is_taken_and_what_changed_is_made_anew(tmp_path, monkeypatch):
    monkeypatch.setattr(played, "MOST", 2)
    monkeypatch.setattr(played, "MOST_OF", {"TreeBuilder": 2})
    lesson = FOUND["00-start-here"]
    # In this process: another would not know of the few views.
    monkeypatch.setattr(played, "ProcessPoolExecutor", InProcess)
    first = played.recorded([lesson], tmp_path)
    assert [one.views for one in first.values()] == [2]
    (kept,) = tmp_path.glob("*.json")
    told = json.loads(kept.read_text(encoding="utf-8"))
    kept.write_text(json.dumps({**told, "title": "as kept"}), encoding="utf-8")
    assert [one.title for one in played.recorded([lesson], tmp_path).values()] == ["as kept"]
    monkeypatch.setattr(played, "_library", lambda: "changed")
    assert played.recorded([lesson], tmp_path) == first
    record = records.unpacked(base64.b64decode(next(iter(first.values())).data))
    assert len(record.views) == 2


class InProcess:
    """In place of processes."""

    def __init__(self, _):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    map = staticmethod(map)
