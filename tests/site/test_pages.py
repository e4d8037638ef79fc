"""The course as pages: whole, without answers, with links that lead somewhere."""

from __future__ import annotations

import doctest
import json
import re
from html import escape, unescape
from itertools import pairwise
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup

from coursesite import cells, front, links, pages, played, words
from coursesite.colours import Dark, Light
from coursesite.lesson import lessons
from coursesite.words import Words, mathml
from dtree_lab.course.lessons import find

CHECKOUT = Path(__file__).parents[2]
NOTEBOOKS = CHECKOUT / "notebooks"
LESSONS = sorted(NOTEBOOKS.glob("*.ipynb"))
PLACES = {place.stem: place for place in (*LESSONS, *NOTEBOOKS.glob("further/*.ipynb"))}
NAMES = sorted(PLACES)
TEXTS = [*sorted(CHECKOUT.glob("*.md")), *sorted((CHECKOUT / "docs").glob("*.md"))]


def plain(text):
    """Words alone, as they can be compared: of Markdown, of a hint and of a page."""
    return " ".join(re.sub(r"[`*\\]", "", text).split())


@pytest.fixture(scope="module")
def read(site):
    known = {}

    def soup(name):
        if name not in known:
            text = (site / f"{name}.html").read_text(encoding="utf-8")
            # Pictures are most of a page, and it takes long to read them as HTML.
            text = re.sub(r"data:image/[^\"]+", "data:image/", text)
            known[name] = BeautifulSoup(text, "html.parser")
        return known[name]

    return soup


def told_by(notebook):
    for cell in notebook.cells:
        told = cell.metadata.get("dtree_lab", {})
        if "exercise" in told:
            yield told


def test_every_notebook_has_a_page_and_a_copy_to_take_along(site):
    assert {p.stem for p in site.glob("*.html")} == {*NAMES, "index"}
    offered = {p.relative_to(site / "notebooks") for p in site.glob("notebooks/**/*.ipynb")}
    assert offered == {place.relative_to(NOTEBOOKS) for place in PLACES.values()}


def test_the_index_leads_to_all_in_order_and_each_to_the_next(read):
    found = lessons(NOTEBOOKS, lite=False)
    order = [one.name for one in found if not one.folder]
    assert order[-1] == "labs"
    listed = [a["href"] for a in read("index").select(".lessons h3 a")]
    assert listed == [f"{one.name}.html" for one in found]
    for before, after in pairwise(order):
        assert {a["href"] for a in read(before).select('a[rel="next"]')} == {f"{after}.html"}
        assert {a["href"] for a in read(after).select('a[rel="prev"]')} == {f"{before}.html"}


def test_a_further_page_leads_back_to_its_lesson_and_lies_beside_it(read):
    for one in lessons(NOTEBOOKS, lite=True):
        if one.folder:
            (back,) = {a["href"] for a in read(one.name).select('a[rel="prev"]')}
            assert back[:3] == one.name[:3]
            assert f"{one.name}.html" in {a["href"] for a in read(back[:-5]).select(".words a")}
            assert one.lite.endswith(f"path=further/{one.name}.ipynb")


def test_the_first_page_begins_with_something_that_moves_and_shows_each_lesson(read, site):
    page = read("index")
    assert page.select(".front .hero source[media]")  # who wants no motion gets a still
    assert page.select_one("main img")["src"].endswith(".gif")
    shown = {one["src"] for one in page.select(".lessons img")}
    pictured = [place.stem for place in LESSONS if place.stem != "exam"]
    assert shown == {f"pictures/{name}.svg" for name in pictured}
    for name in pictured:
        picture = BeautifulSoup((site / f"pictures/{name}.svg").read_text("utf-8"), "html.parser")
        assert picture.svg.find(["rect", "path", "circle", "text"])


def test_where_the_lab_was_recorded_it_plays_on_the_first_page(tmp_path):
    lab = played.run([front.CODE])
    assert lab.tree.n_nodes == 4
    record = played.played(lab.record(most=3))
    pages.write(lessons(NOTEBOOKS, lite=False), tmp_path, labs={front.LAB: record})
    page = BeautifulSoup((tmp_path / "index.html").read_text(encoding="utf-8"), "html.parser")
    (box,) = page.select(".front .dtl-play")
    assert page.select(f".dtl-record.dtl-{box['data-record']}")
    assert page.select_one(".hero").find_all_next("script")


@pytest.mark.parametrize("name", NAMES)
def test_a_page_says_nothing_that_holds_in_a_notebook_only(name, read):
    prose = plain(" ".join(one.get_text(" ") for one in read(name).select(".words")))
    assert not re.search(r"Shift|Commit\b|Keep in this cell|Restart|[Rr]un (the|your) cell", prose)
    notebook = nbformat.read(PLACES[name], as_version=4)
    kept = "".join(cell.source for cell in notebook.cells)
    only = [text for cell in notebook.cells for text in cell.metadata.get("notebook_only", ())]
    assert all(text in kept for text in only)
    assert bool(only) == (name != "labs") or PLACES[name].parent != NOTEBOOKS


def test_no_link_is_dead(site):
    assert links.dead(site) == []


@pytest.mark.parametrize(
    "link", ["nowhere.html", "index.html#nowhere", "#nowhere", "notebooks/nowhere.ipynb"]
)
def test_a_dead_link_is_found(tmp_path, link):
    (tmp_path / "index.html").write_text('<h1 id="here">Here</h1><a href="#here">up</a>')
    assert links.dead(tmp_path) == []
    (tmp_path / "page.html").write_text(f'<a href="{link}">there</a><a href="https://x.org">x</a>')
    assert len(links.dead(tmp_path)) == 1
    assert links.outside(tmp_path) == ["https://x.org"]


@pytest.mark.parametrize("place", TEXTS, ids=lambda p: p.name)
def test_the_links_of_a_text_lead_somewhere(place):
    assert links.dead_in_text(place, place.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("name", NAMES)
def test_the_links_of_a_notebook_lead_somewhere(name):
    place = PLACES[name]
    assert links.dead_in_text(place, links.markdown_of(place)) == []


def test_a_dead_link_in_a_text_is_found(tmp_path):
    text = "# A b\n\n[x](#A-b) [x](#a-b) [y](gone.md) [z](gone.ipynb) ![p](gone.png) [q](#gone)"
    place = tmp_path / "a.md"
    place.write_text(text)
    found = links.dead_in_text(place, text)
    assert [line.split()[1] for line in found] == ["gone.md", "gone.ipynb", "gone.png", "#gone"]


def test_links_between_notebooks_become_links_between_pages():
    html = Words().html("[2](02-entropy.ipynb#Bits) [3](./03-x.ipynb) [4](https://a.org/b.ipynb)")
    assert re.findall('href="([^"]+)"', html) == [
        "02-entropy.html#Bits",
        "03-x.html",
        "https://a.org/b.ipynb",
    ]
    html = Words().html("[5](../05-x.ipynb#A) [more](further/05-y.ipynb)")
    assert re.findall('href="([^"]+)"', html) == ["05-x.html#A", "05-y.html"]


def test_headings_of_the_same_words_have_anchors_of_their_own():
    page = Words()
    html = "".join(page.html(text) for text in ("# A `b`", "## Try", "## Try\n\n## Try it"))
    html += page.html("## Try")
    assert re.findall('id="([^"]+)"', html) == ["A-b", "Try", "Try--2", "Try-it", "Try--3"]
    assert [h.anchor for h in page.contents()] == ["Try", "Try--2", "Try-it", "Try--3"]


@pytest.mark.parametrize("name", NAMES)
def test_a_page_asks_nobody_and_runs_nothing(name, site):
    text = (site / f"{name}.html").read_text(encoding="utf-8")
    assert "<script" not in text
    assert not re.search(r'\bsrc="(?!data:)', text)
    assert not re.search(r"\son\w+=", re.sub(r">[^<]*<", "><", text))
    style = (site / "style.css").read_text(encoding="utf-8")
    assert "@import" not in style
    assert "url(" not in style


@pytest.mark.parametrize("name", NAMES)
def test_neither_solution_nor_hint_is_in_the_site(name, site):
    """Not on the page, and not in the notebook that it offers."""
    notebook = nbformat.read(PLACES[name], as_version=4)
    asked = {told["exercise"] for told in told_by(notebook)}
    page = (site / f"{name}.html").read_text(encoding="utf-8")
    shown = plain(unescape(re.sub(r"<[^>]+>", "", page)))
    offered = nbformat.read(site / "notebooks" / PLACES[name].relative_to(NOTEBOOKS), as_version=4)
    taken = plain("\n".join([c.source + str(c.get("outputs", "")) for c in offered.cells]))
    for exercise in map(find, asked):
        secrets = filter(None, [exercise.solution, exercise.more, exercise.why])
        for secret in [*secrets, *(mistake.hint for mistake in exercise.mistakes)]:
            assert plain(secret) not in shown, exercise.id
            assert plain(secret) not in taken, exercise.id


@pytest.mark.parametrize("name", NAMES)
def test_answers_are_stubs_and_checks_a_sentence(name, read):
    notebook = nbformat.read(PLACES[name], as_version=4)
    roles = [told["role"] for told in told_by(notebook)]
    stubs = [cell.get_text() for cell in read(name).select(".cell.answer .code")]
    assert len(stubs) == roles.count("answer")
    assert all("..." in stub or "dt." in stub for stub in stubs)
    checks = read(name).select(".cell.check")
    assert len(checks) == roles.count("check")
    assert all(c.get_text().strip().startswith("Checked on the spot") for c in checks)
    # In code, that is: a lesson may say how to check, as the map of the course does.
    code = "\n".join(cell.get_text() for cell in read(name).select(".code"))
    assert "dt.course.check(" not in code or not roles
    cards = "\n".join(output.get_text() for output in read(name).select(".output"))
    assert "NOT ANSWERED YET" not in cards
    assert "YOUR GUESS?" not in cards


@pytest.mark.parametrize("name", NAMES)
def test_all_else_of_a_lesson_is_there(name, read):
    notebook = nbformat.read(PLACES[name], as_version=4)
    shown = {cell.get_text().strip() for cell in read(name).select(".code")}
    for cell in notebook.cells:
        if cell.cell_type == "code" and "dt.course.check(" not in cell.source:
            assert cell.source.strip() in shown
    kept = [
        output for cell in cells.for_readers(notebook).cells for output in cell.get("outputs", [])
    ]
    outputs = [o for o in read(name).select(".output") if not o.find_parent(class_="later")]
    assert len(outputs) == len(kept)


@pytest.mark.parametrize("name", [*NAMES, "index"])
def test_a_page_can_be_found_ones_way_around_in(name, read):
    page = read(name)
    assert page.html["lang"] == "en-GB"
    assert len(page.select("h1")) == len(page.select("main")) == 1
    assert page.select_one("h1").get_text() in page.title.get_text()
    levels = [int(h.name[1]) for h in page.select("h1, h2, h3, h4")]
    assert all(after <= before + 1 for before, after in pairwise(levels))
    ids = [element["id"] for element in page.select("[id]")]
    assert len(ids) == len(set(ids))
    assert page.body.find("a")["href"] == "#main"
    labels = [nav["aria-label"] for nav in page.select("nav")]
    assert len(labels) == len(set(labels))
    assert all(image.get("alt") for image in page.select("img"))
    if name != "index":
        listed = [a.get_text() for a in page.select(".contents a")]
        assert listed == [h.get_text() for h in page.select(".words h2, .words h3")]


def test_titles_differ(read):
    titles = [read(name).title.get_text() for name in [*NAMES, "index"]]
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize("name", NAMES)
def test_formulas_are_mathml(name, read):
    page = read(name)
    for math in page.select("math"):
        assert "\\" not in math.get_text(), math.get_text()
    for code in page.select("code, pre, math, .output"):
        code.extract()
    prose = " ".join(cell.get_text() for cell in page.select(".words"))
    assert "$" not in prose
    assert "\\" not in prose


def test_a_formula():
    made = BeautifulSoup(mathml(r"-\frac{1}{4}\log_2 p", "block"), "html.parser")
    assert made.math["display"] == "block"
    assert made.mfrac.get_text() == "14"
    assert made.select_one("[tabindex='0']").math is made.math


@pytest.mark.parametrize("module", [cells, words])
def test_the_examples_hold(module):
    failed, tried = doctest.testmod(module)
    assert not failed
    assert tried


def cell_of(source, **metadata):
    made = nbformat.v4.new_code_cell(source, metadata=metadata)
    made.outputs = [nbformat.v4.new_output("stream", text="a secret")]
    return made


STAFF = """a = 1
### BEGIN SOLUTION
b = 2
### END SOLUTION
c = 3
### BEGIN HIDDEN TESTS
d = 4
### END HIDDEN TESTS"""


def test_what_is_the_staffs_stays_with_the_staff():
    graded = {"nbgrader": {"grade_id": "x", "solution": True}}
    told = {"dtree_lab": {"exercise": "tax-fraud/parts", "role": "check"}}
    notebook = nbformat.v4.new_notebook(
        cells=[
            cell_of(STAFF, **graded),
            cell_of("dt.course.check(1)", **told, **graded),
            cell_of("dt.course.reveal(..., 5)"),
            cell_of("print(7)", tags=["later"]),
            cell_of("print(now)", tags=["varies"]),
        ]
    )
    page = cells.for_readers(notebook)
    roles = ["plain", "check", "guess", "later", "varies"]
    assert [c.metadata.role for c in page.cells] == roles
    assert [len(c.outputs) for c in page.cells] == [1, 0, 0, 0, 0]
    assert "1 point:" in page.cells[1].metadata.says
    taken = cells.for_download(notebook)
    for made in (page, taken):
        assert made.cells[0].source.split("\n") == ["a = 1", "c = 3", ""]
        assert "nbgrader" not in nbformat.writes(made)
    assert notebook.cells[0].source == STAFF


def test_what_would_tell_too_early_is_folded_away(site):
    """Each output that the notebooks leave out stands in its page, closed."""
    folded = 0
    for kept in (CHECKOUT / "notebooks/.source/later").glob("*.json"):
        page = (site / f"{kept.stem}.html").read_text(encoding="utf-8")
        shown = re.findall(r'<details class="later">', page)
        told = list(json.loads(kept.read_text(encoding="utf-8")).values())
        assert len(shown) == sum(1 for outputs in told if outputs)
        printed = [o["text"].splitlines()[0] for out in told for o in out if "text" in o]
        assert all(escape(line) in page for line in printed)
        folded += len(shown)
    assert folded > 20


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("style", [Light, Dark])
def test_code_can_be_read(style):
    ground = luminance(style.background_color)
    for look in filter(None, style.styles.values()):
        one = luminance(look.split()[-1])
        assert (max(one, ground) + 0.05) / (min(one, ground) + 0.05) >= 4.5


AMERICAN = re.compile(
    r"\b(?:colors?|colored|behaviors?|neighbors?|favorite|labor|honor|centers?|centered|labeled"
    r"|labeling|modeled|modeling|traveled|gray|analyzes?|analyzed|catalogs?|fulfill|skillful)\b",
    re.IGNORECASE,
)


@pytest.mark.parametrize("name", NAMES)
def test_the_spelling_is_british(name):
    text = links.markdown_of(PLACES[name])
    prose = re.sub(r"```.*?```|`[^`]*`|\]\([^)]*\)", "", text, flags=re.DOTALL)
    assert AMERICAN.findall(prose) == []
