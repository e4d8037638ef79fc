"""The fixtures of the browser tests: a server, a browser, a page that is watched."""

from __future__ import annotations

import re
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from hypothesis import settings
from playwright.sync_api import expect, sync_playwright

from browser import bare, chromium
from browser.bare import BareNotebook
from browser.driver import PATIENCE, Notebook, at_rest, forget, launch_again, put_away, unfold
from browser.server import Lab, copy_lessons, jupyterlab

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import BrowserContext, ConsoleMessage, Error, Locator, Page

    from browser.driver import App
    from browser.server import Server

CHECKOUT = Path(__file__).parents[2]
ARTEFACTS = CHECKOUT / "test-artefacts"
VIEWPORT = {"width": 1280, "height": 720}
HARMLESS = ("about", "blob", "chrome-error", "data")
OUTCOME = pytest.StashKey[bool]()
expect.set_options(timeout=1000 * PATIENCE)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark everything here, so that ``-m "not browser"`` leaves it out."""
    if Path(__file__).parent in item.path.parents:
        item.add_marker("browser")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the slowest, browser and then notebooks, so that no worker waits at the end."""
    items.sort(key=lambda item: (not item.get_closest_marker("browser"), item.path.suffix == ".py"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):
    """Remember whether the test failed, for the picture that is kept then."""
    report = yield
    if call.when == "call":
        item.stash[OUTCOME] = report.failed
    return report


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One JupyterLab for all browser tests of a worker."""
    with jupyterlab(tmp_path_factory.mktemp("jupyter")) as running:
        yield running


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One home for all Chromiums of a worker, which they leave to each other."""
    return tmp_path_factory.mktemp("chromium")


@contextmanager
def launched(home: Path) -> Iterator[BrowserContext]:
    """Run a Chromium."""
    program = chromium.path()  # outside, because it may ask another Playwright
    with sync_playwright() as playwright:
        given = {"viewport": VIEWPORT, "reduced_motion": "reduce"}
        browser = launch_again(playwright, program, str(home), **given)
        browser.set_default_timeout(1000 * PATIENCE)
        yield browser
        browser.close()


# Not for the session: while Playwright runs, this thread has a running event loop, which other
# tests of the same worker (nbval's, say) must not meet.
@pytest.fixture(scope="package")
def chrome(home: Path) -> Iterator[BrowserContext]:
    """One Chromium for all tests of this folder that a worker runs one after the other."""
    with launched(home) as browser:
        yield browser


@pytest.fixture(scope="package")
def kept() -> list[tuple[Page, list[str]]]:
    """The page with JupyterLab that is kept from test to test, and its problems; or none yet."""
    return []


@pytest.fixture
def lab(server: Server, request: pytest.FixtureRequest) -> Iterator[Lab]:
    """Share out the server: a folder with fresh lessons, and no kernel left afterwards."""
    folder = re.sub(r"\W+", "-", request.node.name).strip("-")
    copy_lessons(CHECKOUT / "notebooks", server.root / folder)
    yield Lab(server, folder)
    server.stop_kernels()


@pytest.fixture
def new_page(
    chrome: BrowserContext, request: pytest.FixtureRequest
) -> Iterator[Callable[[str], Page]]:
    """Make a page; the test fails if it asks anyone but the server of a URL.

    It fails as well when the page reports an error, such as one in a widget's script.
    """
    opened: list[Page] = []
    problems: list[str] = []

    def make(url: str) -> Page:
        opened.append(chrome.new_page())
        _watch(opened[-1], urlsplit(url).netloc, problems)
        return opened[-1]

    yield make
    for page in opened:
        if request.node.stash.get(OUTCOME, False):
            _picture(page, f"FAILED-{request.node.name}")
        forget(page)
        page.close()
    assert problems == [], "\n".join(problems)


@pytest.fixture
def page(
    chrome: BrowserContext,
    kept: list[tuple[Page, list[str]]],
    server: Server,
    request: pytest.FixtureRequest,
) -> Iterator[Page]:
    """Give a watched page (see `new_page`) for our JupyterLab.

    It is the one of the test before, where that has left it as it was: loading JupyterLab takes
    several times as long as opening a notebook in it.
    """
    if not kept:
        made, problems = chrome.new_page(), list[str]()
        _watch(made, urlsplit(server.url).netloc, problems)
        kept.append((made, problems))
    page, problems = kept.pop()
    problems.clear()  # of the time between two tests
    yield page
    failed = request.node.stash.get(OUTCOME, True)
    if failed:
        _picture(page, f"FAILED-{request.node.name}")
    found = list(problems)
    if not failed and not found and put_away(page, VIEWPORT):
        kept.append((page, problems))
    else:
        forget(page)
        page.close()
    assert found == [], "\n".join(found)


# What the widgets' manager says of a widget that the kernel no longer knows, if the page is slow
# enough to ask for it before the picture has taken its place. A test sees for itself what shows.
EXPECTED = "widget model not found"
# Over what Jupyter itself stumbles as it starts: what it says, and where. Notebook 7.6 over the
# settings of its shortcuts; and either, on a busy machine, over a page's address, before it has the
# command to open the file named there: were that not opened, the test would wait in vain for it.
OWN_FAULTS = (
    ("reading 'schema'", "/static/notebook/"),
    ("Command 'filebrowser:open-path' not registered", "/static/"),
    # And over its own parts, where one goes while another is still being drawn.
    ("Failed to execute 'removeChild' on 'Node'", "/static/"),
    # anywidget gives a model two seconds, which a machine beside busy loops may miss; a lab that is
    # lost so hears nothing more of Python, and the test would wait in vain for it.
    ("[anywidget] Failed to initialize model.", "/anywidget/static/"),
)


def _watch(page: Page, ours: str, problems: list[str]) -> None:
    def asks(url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in HARMLESS and parts.netloc != ours:
            problems.append(f"asked {url}")

    def says(message: ConsoleMessage) -> None:
        if message.type == "error" and EXPECTED not in message.text:
            problems.append(f"console: {message.text}")

    def fails(error: Error) -> None:
        stack = error.stack or ""
        known = (what in error.message and at in stack for what, at in OWN_FAULTS)
        if "blob:" in stack or not any(known):  # our code comes as a blob
            problems.append(f"uncaught: {error}\n{stack}")

    page.on("request", lambda request: asks(request.url))
    page.on("websocket", lambda socket: asks(socket.url))
    page.on("console", says)
    page.on("pageerror", fails)


@pytest.fixture
def open_notebook(page: Page, new_page: Callable[[str], Page], lab: Lab) -> Callable[..., Notebook]:
    """Open a notebook of the test's folder by its name: a lesson, or one made by `Lab.add`."""

    def opens(name: str, app: App = "lab") -> Notebook:
        shown = page if app == "lab" else new_page(lab.server.url)
        return Notebook.open(shown, lab, name, app)

    return opens


@pytest.fixture
def run(request: pytest.FixtureRequest) -> Callable[..., Notebook | BareNotebook]:
    """Run cells of which some end in a lab, as a notebook without its list of files.

    In ``make test`` the labs stand on a page without Jupyter, unless the test has the mark
    *jupyter*; in ``make thorough`` all stand in JupyterLab. To open a notebook and a kernel there
    takes four times as long as what most tests do then.
    """

    def begin(*cells: str) -> Notebook | BareNotebook:
        if not _thorough() and not request.node.get_closest_marker("jupyter"):
            return BareNotebook(request.getfixturevalue("new_page")(bare.ADDRESS), *cells)
        lab: Lab = request.getfixturevalue("lab")
        notebook: Notebook = request.getfixturevalue("open_notebook")(lab.add("lab.ipynb", *cells))
        notebook.run_all()
        notebook.hide_sidebar()
        return notebook

    return begin


@pytest.fixture
def start(
    run: Callable[..., Any], request: pytest.FixtureRequest
) -> Callable[..., tuple[Any, Locator]]:
    """Run one cell with the lab of a file (see `run`), its drawers open; gives both.

    ``start(arguments="", more="")``: what stands where ``START`` of that file has its braces; or
    ``start(source=…)``. In a file that says ``FOLDED = True`` drawers stay as they are.
    """

    def begin(*arguments: str, source: str = "") -> tuple[Any, Locator]:
        notebook = run(source or request.module.START.format(*arguments, *("",) * 2))
        shown = notebook.output(0).locator(".dtl-lab")
        expect(shown).to_be_visible()
        if not getattr(request.module, "FOLDED", False):
            unfold(shown)
        return notebook, shown

    return begin


@pytest.fixture
def screenshot(request: pytest.FixtureRequest) -> Callable[..., None]:
    """Keep a picture in ``test-artefacts/`` when all is tried (``make thorough``).

    ``screenshot(name, target=None, size=None)``: of the window or of one locator, at the page's
    size or at ``(width, height)`` for this one picture.
    """

    def take(name: str, target: Locator | None = None, size: tuple[int, int] | None = None) -> None:
        if not _thorough():
            return
        page: Page = request.getfixturevalue("page")
        before = page.viewport_size
        if size is not None:
            page.set_viewport_size({"width": size[0], "height": size[1]})
            at_rest(page, ".jp-Notebook, .jp-Cell, .dtl-live, .dtl-live *")
        _picture(target or page, name)
        page.set_viewport_size(before)

    return take


@pytest.fixture
def picture() -> Callable[[str, Page], None]:
    """Keep a picture of a page that is not JupyterLab's (see `screenshot`)."""

    def take(name: str, page: Page) -> None:
        if _thorough():
            _picture(page, name)

    return take


def _thorough() -> bool:
    return settings.get_current_profile_name().startswith("thorough")


def _picture(target: Page | Locator, name: str) -> None:
    ARTEFACTS.mkdir(exist_ok=True)
    target.screenshot(path=ARTEFACTS / (re.sub(r"[^\w.-]+", "-", name) + ".png"))
