"""The site, built once for a worker, and a server that shows it to a watched browser."""

from __future__ import annotations

import threading
from contextlib import ExitStack, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from browser.conftest import home, launched, new_page
from coursesite import pages
from coursesite.lesson import lessons

CHECKOUT = Path(__file__).parents[2]
__all__ = ["home", "new_page"]  # fixtures


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
    """The folder of the site, without JupyterLite."""
    out = tmp_path_factory.mktemp("site")
    pages.write(lessons(CHECKOUT / "notebooks", lite=False), out)
    return out


@pytest.fixture(scope="module")
def address(site, serve):
    return serve(site)
