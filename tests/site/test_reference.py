"""The reference: all that is public, and all that a call returns, is in it and can be reached."""

from __future__ import annotations

import ast
import re
from contextlib import suppress
from itertools import pairwise
from pkgutil import resolve_name

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import expect
from test_docstrings import bases, classes, named, nodes, public

from coursesite import links, reference

pytestmark = pytest.mark.browser
# A page of each kind; the others are made in the same way, of other words.
KINDS = ["index", "growing-a-tree", "evaluate", "search", "genindex"]


# Sphinx takes a minute to read all docstrings.
@pytest.fixture(scope="module", params=[pytest.param("whole", marks=pytest.mark.thorough)])
def built(site, tmp_path_factory):
    """The folder of the reference, and what was said against the docstrings."""
    doubts = reference.build(site / "reference", tmp_path_factory.mktemp("work"))
    return site / "reference", doubts


@pytest.fixture(scope="module")
def read(built):
    return {
        place.stem: BeautifulSoup(place.read_text(encoding="utf-8"), "html.parser")
        for place in built[0].glob("*.html")
    }


def home(name):
    """Where the thing of a full name is made, as `test_docstrings` has it."""
    thing = reference.thing(name)
    return thing.__module__.removeprefix("dtree_lab.").replace(".", "/"), thing.__qualname__


def family(place, name):
    """A class and those that it is made from; a function by itself."""
    above = bases(classes()[name][1]) if classes().get(name, ("",))[0] == place else set()
    return {(place, name)}.union(*(family(classes()[one][0], one) for one in above - {"State"}))


def expected():
    """What is public, and the classes that documented functions and methods of it return."""
    waiting = list(public())
    found = set(waiting)
    while waiting:
        for node in nodes(family(*waiting.pop())):
            words = named(getattr(node, "returns", None))
            words &= classes().keys() if ast.get_docstring(node) else set()
            words = {word for word in words if not word.endswith("State")} - {"View"}  # of a lab
            more = {(classes()[word][0], word) for word in words} - found
            found |= more
            waiting += more
    return {(re.sub(r"(/__init__)?[.]py$", "", place), n) for place, n in found if n[0] != "_"}


def test_whatever_is_public_and_whatever_a_call_returns_is_in_it(read):
    anchors = {element["id"] for page in read.values() for element in page.select("[id]")}
    names = [name for page in reference.pages() for name in page.names]
    assert anchors >= set(names)
    here = {home(name) for name in names if callable(reference.thing(name))}
    assert expected() - here == set()
    assert ("tree/importance", "Importance") in expected()  # which `tree.importance()` returns
    assert len(names) == len(set(names)) > 200


def test_what_a_class_can_do_is_in_it(read):
    anchors = {element["id"] for element in read["trees"].select("[id]")}
    named = {"predict", "shares", "importance", "to_json", "from_json", "n_leaves", "classes"}
    assert anchors >= {f"dtree_lab.Tree.{name}" for name in named}
    assert read["tables"].find(id="dtree_lab.Table.read_csv")
    assert read["labs-and-lectures"].find(id="dtree_lab.TreeBuilder.record")


def is_there(target, name):
    """Whether what a docstring refers to can be found from where it stands."""
    parts = name.split(".")
    homes = [".".join(parts[:n]) for n in range(1, len(parts) + 1)]
    homes.append(getattr(resolve_name(name), "__module__", homes[0]))
    for path in (target.lstrip("~"), *(f"{home}.{target.lstrip('~')}" for home in homes)):
        with suppress(ImportError, AttributeError, ValueError):
            home, _, last = path.rpartition(".")
            # A field of a dataclass is none of the class's attributes.
            return last in getattr(resolve_name(home), "__annotations__", ()) or bool(
                resolve_name(path)
            )
    return False


def test_what_a_docstring_refers_to_can_be_found():
    names = [name for page in reference.pages() for name in page.names]
    about = {name: reference.thing(name) for name in names}
    for name in names:
        if isinstance(about[name], type):
            own = [f"{name}.{one}" for one in reference.members(about[name])]
            about |= {one: resolve_name(one) for one in own}
    role = re.compile(r":(?:func|class|meth|attr|data|mod|exc):`([^`<>]+)`")
    roles = [(to, name) for name, one in about.items() for to in role.findall(one.__doc__ or "")]
    assert len(roles) > 100
    assert [one for one in roles if not is_there(*one)] == []
    assert not is_there("dtree_lab.Tree.nothing", "dtree_lab.id3")


def test_no_docstring_refers_to_what_there_is_not_and_no_link_is_dead(built, site):
    assert built[1] == []
    assert links.dead(site) == []


def test_sections_are_rendered(read):
    """As numpydoc means them: parameters as terms, examples as code, nothing left of the format."""
    page = read["growing-a-tree"]
    told = page.find(id="dtree_lab.id3").find_parent("dl")
    heads = [dt.get_text().rstrip(":") for dt in told.select(".field-list > dt")]
    assert heads[:1] == ["Parameters"]
    terms = [dt.get_text() for dt in told.select(".field-list dl dt")]
    assert {"table", "criterion", "min_leaf"} <= set(terms)
    assert told.select(".highlight .gp")
    for name, one in read.items():
        for code in one.select("pre, .sig, script"):
            code.extract()
        text = one.get_text()
        assert not re.search(r"-{4,}|:(func|class|meth|mod|attr):|``|>>>", text), name


def test_nothing_is_asked_elsewhere_and_only_searching_needs_scripts(built):
    for place in built[0].glob("*.html"):
        text = place.read_text(encoding="utf-8")
        assert not re.search(r'(?:src|href)="(?:https?:)?//', re.sub(r"<a [^>]*>", "", text))
        assert ("<script" in text) == (place.stem == "search")


def test_one_finds_ones_way_about(read):
    for name, page in read.items():
        assert len(page.select("h1")) == 1, name
        levels = [int(h.name[1]) for h in page.select("h1, h2, h3")]
        assert all(after <= before + 1 for before, after in pairwise(levels)), name
        ids = [element["id"] for element in page.select("[id]")]
        assert len(ids) == len(set(ids)), name


@pytest.mark.parametrize("name", KINDS)
def test_a_page_is_accessible(name, built, serve, new_page, examined):
    address = serve(built[0].parent)
    page = new_page(address)
    page.goto(f"{address}/reference/{name}.html")
    assert examined(page) == []
    page.emulate_media(color_scheme="dark")
    assert examined(page, "color-contrast") == []
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 320


def test_a_name_is_found(built, serve, new_page):
    address = serve(built[0].parent)
    page = new_page(address)
    page.goto(f"{address}/reference/index.html")
    page.get_by_label("A name or a word").fill("read_csv")
    page.get_by_role("button", name="Search").click()
    found = page.locator("#search-results a").first
    expect(found).to_have_text("dtree_lab.Table.read_csv")
    found.click()
    page.wait_for_url("**/tables.html#dtree_lab.Table.read_csv")
