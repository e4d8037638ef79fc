"""The site, built once for a worker, and a server that shows it to a watched browser."""

from __future__ import annotations

import threading
from contextlib import ExitStack, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from axe_playwright_python.base import AXE_SCRIPT

from browser.conftest import home, launched, new_page
from coursesite import pages
from coursesite.lesson import lessons

CHECKOUT = Path(__file__).parents[2]
__all__ = ["home", "new_page"]  # fixtures

# Of code and formulas each word is an element: they take axe most of its time and hold nothing but
# text, whose colours are measured in test_pages.py.
AXE = """async rules => {
  const only = rules ? { runOnly: { type: "rule", values: rules } } : {};
  const where = { exclude: [[".highlight *"], ["math"]] };
  const found = await axe.run(where, { resultTypes: ["violations"], ...only });
  return found.violations.flatMap(v => v.nodes.map(n => `${v.id}: ${v.help}\\n  ${n.html}`));
}"""


@pytest.fixture
def examined():
    """What axe has against a page: all of it, or what some rules say."""

    def examine(page, *rules):
        if not page.evaluate("() => 'axe' in window"):
            page.evaluate(AXE_SCRIPT)
        return page.evaluate(AXE, list(rules) or None)

    return examine


@pytest.fixture(scope="module")
def chrome(home):
    """One Chromium for a module's tests (see `tests/browser/conftest.py`)."""
    with launched(home) as browser:
        yield browser


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def serve():
    """Serve folders for as long as a module's tests run: a folder gives an address."""
    with ExitStack() as stack:
        yield lambda folder: stack.enter_context(_serving(folder))


@contextmanager
def _serving(folder):
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=folder)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The folder of the site, without JupyterLite, and with a stand-in for the reference."""
    out = tmp_path_factory.mktemp("site")
    (out / "reference").mkdir()
    (out / "reference/index.html").write_text("<h1>Reference</h1>", encoding="utf-8")
    pages.write(lessons(CHECKOUT / "notebooks", lite=False), out)
    return out


@pytest.fixture(scope="module")
def address(site, serve):
    return serve(site)
