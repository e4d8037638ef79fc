"""JupyterLite in the built site, in a real browser: `make site-test`, and not part of `make test`.

numpy comes from outside, where nothing is asked here, so that no lesson runs to its end. What is
tested is all before it: that a lesson opens as it is, that Python starts and installs our package
and what it needs from the site, that widgets show and answer. With numpy one must try it oneself.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from browser.driver import PAGE_JS

SITE = Path(__file__).parents[2] / "site"
LESSONS = sorted(path.name for path in (SITE / "notebooks").glob("*.ipynb"))
FURTHER = sorted(f"further/{path.name}" for path in (SITE / "notebooks/further").glob("*.ipynb"))
OUTSIDE = "https://cdn.jsdelivr.net/pyodide/"
START = 240_000
WIDGET = """
import anywidget, traitlets
class Counter(anywidget.AnyWidget):
    n = traitlets.Int(4).tag(sync=True)
    _esm = '''export default { render({ model, el }) {
      const button = document.createElement("button");
      const show = () => { button.textContent = `pressed ${model.get("n")} times`; };
      button.onclick = () => { model.set("n", model.get("n") + 1); model.save_changes(); };
      model.on("change:n", show); show(); el.append(button);
    } }'''
counter = Counter()
counter
"""


@pytest.fixture(scope="module")
def url(serve):
    assert (SITE / "lite").is_dir(), "build it first: make site (npm is needed)"
    return serve(SITE)


@pytest.fixture(scope="module")
def asked():
    """What the page asks of others than the site; nothing is answered."""
    return []


@pytest.fixture(scope="module")
def page(chrome, url, asked):
    """A lesson that is open in JupyterLite, with a Python that listens."""

    def answer(route):
        request = route.request.url
        if not request.startswith(url):
            asked.append(request)
            route.abort()
        elif request.partition("?")[0] == f"{url}/lite/jupyter-lite.json":
            told = json.loads((SITE / "lite/jupyter-lite.json").read_text(encoding="utf-8"))
            told["jupyter-config-data"]["exposeAppInBrowser"] = True
            route.fulfill(json=told)
        else:
            route.continue_()

    chrome.route("**/*", answer)
    opened = chrome.new_page()
    opened.set_default_timeout(START)
    opened.goto(f"{url}/{LESSONS[0].replace('.ipynb', '.html')}")
    opened.get_by_role("link", name="Run this lesson in the browser").click()
    opened.wait_for_function("() => window.jupyterapp !== undefined")
    opened.evaluate(f"() => {{ window.drive = {PAGE_JS}; }}")
    opened.evaluate("() => drive.ready()")
    return opened


def run(page, source):
    return page.evaluate("source => drive.runCell(source)", source)


def test_the_lesson_is_open_as_it_is_kept(page):
    title = page.locator(".jp-NotebookPanel h1").first.inner_text()
    kept = json.loads((SITE / "notebooks" / LESSONS[0]).read_text(encoding="utf-8"))
    assert title.rstrip("¶") in "".join(kept["cells"][0]["source"])


def test_every_lesson_is_there():
    listed = json.loads((SITE / "lite/api/contents/all.json").read_text(encoding="utf-8"))
    assert sorted(one["name"] for one in listed["content"]) == [*LESSONS, "further"]
    for name in (*LESSONS, *FURTHER):
        inside = (SITE / "lite/files" / name).read_text(encoding="utf-8")
        assert json.loads(inside) == json.loads((SITE / "notebooks" / name).read_text("utf-8"))


def test_python_starts_and_brings_our_package_without_numpy(page, asked):
    cell = run(page, "import dtree_lab as dt\nprint(dt.__version__, dt.__file__)")
    assert cell["error"] is None
    assert "site-packages/dtree_lab/__init__.py" in cell["text"]
    # numpy is the one thing that is asked for elsewhere, by the hash that Pyodide gives it.
    assert asked
    assert all(a.startswith(OUTSIDE) and "/numpy-" in a for a in asked), asked
    # And the one thing that is missing then.
    cell = run(page, "dt.datasets.tax_fraud()")
    assert "No module named 'numpy'" in cell["error"]


def test_what_the_package_needs_is_there(page):
    cell = run(page, "import anywidget, ipywidgets, joblib, narwhals, tqdm\nprint('all there')")
    assert cell["text"].strip().endswith("all there"), cell


def test_a_text_widget_shows(page):
    cell = run(page, "import ipywidgets\nipywidgets.HTML('<b>shown by a widget</b>')")
    assert cell["error"] is None
    page.locator(".jupyter-widgets b", has_text="shown by a widget").wait_for()


def test_a_widget_like_ours_answers(page):
    cell = run(page, WIDGET)
    assert cell["error"] is None
    page.get_by_role("button", name="pressed 4 times").click()
    page.get_by_role("button", name="pressed 5 times").wait_for()
    assert run(page, "print(counter.n)")["text"].strip() == "5"


def test_nothing_but_numpy_was_asked_for_elsewhere(page, asked):
    assert {a.rpartition("/")[2].partition("-")[0] for a in asked} <= {"numpy"}
