"""Drive a notebook in JupyterLab as a person would, and read values back through Python."""

from __future__ import annotations

import ast
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Locator, Page, Playwright, ViewportSize

    from browser.server import Lab

PAGE_JS = Path(__file__).with_name("page.js").read_text(encoding="utf-8")
App = Literal["lab", "notebooks"]
PATIENCE = 120.0  # seconds; a busy machine must not fail a test


def later(*values: object) -> list[Any]:
    """Values of a test's parameter that are left to ``make thorough``."""
    return [pytest.param(value, marks=pytest.mark.thorough) for value in values]


# For a test of one lab: all labs are examined in both by test_labs.py.
THEMES = ["light", *later("dark")]
# Without these Chromium itself calls its maker; the sandbox cannot be had as root or in containers.
ARGUMENTS = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
    "--no-sandbox",
]


# Until what a page shows has stood still, frame by frame, and neither work nor motion is left.
STILL = """async (selector) => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const seen = () => [...document.querySelectorAll(selector)].map((one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return [x, y, width, height, one.scrollTop, one.textContent];
  });
  const runs = () => document.querySelector(".dtl-busy") || document.getAnimations().some((one) =>
    one.playState === "running" && one.effect?.getComputedTiming().endTime !== Infinity);
  for (let before = "", still = 0; still < 12; ) {
    await frame();
    const now = JSON.stringify(seen());
    still = now === before && !runs() ? still + 1 : 0;
    before = now;
  }
}"""


def at_rest(page: Page, selector: str = ".dtl-live, .dtl-live *") -> None:
    """Wait until what is shown stands still; what comes by a timer has a state of its own."""
    page.bring_to_front()  # what lies behind another window is drawn but once a second
    page.evaluate(STILL, selector)


def unfold(shown: Locator) -> None:
    """Open the drawers of a lab."""
    shown.locator(".dtl-drawer").evaluate_all("all => all.forEach((one) => (one.open = true))")


def launch(playwright: Playwright, program: str, home: str) -> Browser:
    """Start a Chromium (`chromium.path()`) with a home of its own."""
    return playwright.chromium.launch(executable_path=program, args=ARGUMENTS, env=_at_home(home))


def launch_again(playwright: Playwright, program: str, home: str, **given: Any) -> BrowserContext:
    """Start a Chromium that finds in its home what it made of JupyterLab's scripts before.

    That saves a third of the processor time of opening JupyterLab (a fresh context compiles all
    its scripts anew). `forget` clears what pages have stored.
    """
    return playwright.chromium.launch_persistent_context(
        f"{home}/profile", executable_path=program, args=ARGUMENTS, env=_at_home(home), **given
    )


def forget(page: Page) -> None:
    """Clear what a page's site has stored in the browser; compiled scripts are kept."""
    session = page.context.new_cdp_session(page)
    stored = "cookies,local_storage,indexeddb,service_workers,cache_storage"
    origin = page.evaluate("location.origin")
    session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": stored})


def put_away(page: Page, size: ViewportSize) -> bool:
    """Leave JupyterLab in a page as it was before a notebook was opened; false where it cannot."""
    if not page.evaluate("() => Boolean(window.drive?.isLab())"):
        return False
    page.set_viewport_size(size)
    page.emulate_media(forced_colors="none", color_scheme="light")
    page.mouse.move(0, 0)
    page.evaluate("() => drive.putAway()")
    return _is_put_away(page)


def _is_put_away(page: Page) -> bool:
    return page.evaluate("() => Boolean(window.drive?.isLab() && !window.drive.hasNotebooks())")


def _at_home(home: str) -> dict[str, str | float | bool]:
    return {**os.environ, "HOME": home, "XDG_CONFIG_HOME": home, "XDG_CACHE_HOME": home}


class CellError(AssertionError):
    """A cell ended in an error, or did not run."""


@dataclass(frozen=True)
class Cell:
    """A code cell after it ran."""

    index: int
    source: str
    tags: list[str]
    count: int | None
    types: list[str]
    text: str
    error: str | None

    def check(self) -> Cell:
        """Return the cell if it ran well; ``raises-exception`` in its tags allows an error."""
        if self.error and "raises-exception" not in self.tags:
            msg = f"cell {self.index} failed:\n{self.source}\n\n{self.error}"
            raise CellError(msg)
        if self.count is None and self.source.strip():
            msg = f"cell {self.index} did not run:\n{self.source}"
            raise CellError(msg)
        return self


@dataclass(frozen=True)
class Notebook:
    """An open notebook with a kernel that listens."""

    page: Page
    lab: Lab
    name: str

    @classmethod
    def open(cls, page: Page, lab: Lab, name: str, app: App = "lab") -> Notebook:
        """Open a notebook of ``lab`` and wait for its kernel.

        In JupyterLab it has a workspace of its own; ``"notebooks"`` is Notebook 7. A page that has
        JupyterLab, and no notebook in it, is not loaded anew.
        """
        server = lab.server
        if app == "lab" and _is_put_away(page):
            page.evaluate("path => drive.open(path)", f"{lab.folder}/{name}")
        else:
            way = f"lab/workspaces/{lab.folder}/tree" if app == "lab" else app
            address = f"{server.url}/{way}/{lab.folder}/{name}"
            page.goto(f"{address}?token={server.token}&reset")
            page.wait_for_function("() => window.jupyterapp !== undefined")
            page.evaluate(f"() => {{ window.drive = {PAGE_JS}; }}")
        page.evaluate("() => drive.ready()")
        return cls(page, lab, name)

    def run_all(self) -> list[Cell]:
        """Run all cells, wait for the last, and raise `CellError` at the first that failed."""
        cells = [Cell(**cell) for cell in self.page.evaluate("() => drive.runAll()")]
        return [cell.check() for cell in cells]

    def run_cell(self, source: str) -> Cell:
        """Add a cell at the end, run it and return it with its output."""
        return Cell(**self.page.evaluate("source => drive.runCell(source)", source)).check()

    def rerun(self, index: int) -> Cell:
        """Run the cell at ``index`` (counted over all cells, text too) once more."""
        return Cell(**self.page.evaluate("index => drive.rerun(index)", index)).check()

    def python(self, expression: str) -> Any:
        """Evaluate an expression in the kernel: a literal comes back as itself, else its repr."""
        answer = self.page.evaluate("code => drive.evaluate(code)", expression)
        if "error" in answer:
            msg = f"{expression}: {answer['error']}"
            raise CellError(msg)
        shown = ast.literal_eval(answer["repr"])
        try:
            return ast.literal_eval(shown)
        except (SyntaxError, ValueError):
            return shown

    def wait_python(self, expression: str, expected: object, seconds: float = PATIENCE) -> None:
        """Wait until an expression has a value in the kernel.

        A click reaches Python as a message, which recent kernels handle in a thread of their own:
        a question asked right after it may be answered first.
        """
        deadline = time.monotonic() + seconds
        while (value := self.python(expression)) != expected:
            if time.monotonic() > deadline:
                msg = f"{expression} is {value!r} after {seconds} s, not {expected!r}"
                raise AssertionError(msg)
            self.page.wait_for_timeout(50)

    def settle(self) -> None:
        """Wait until no lab has work left, and the pictures that are kept are up to date."""
        self.run_cell("from dtree_lab.labs.lab_widget import settled\nawait settled()")

    def output(self, index: int) -> Locator:
        """Locate the output of the cell at ``index`` (counted over all cells), scrolled to."""
        self.page.evaluate("index => drive.showCell(index)", index)
        cell = f'.jp-Notebook .jp-Cell[data-windowed-list-index="{index}"]'
        return self.page.locator(f"{cell} .jp-OutputArea").first

    def live(self, index: int) -> Locator:
        """Locate the living lab of the cell at ``index``, not the still picture that is kept below.

        The picture comes later and is hidden, but has the same words.
        """
        return self.output(index).locator(".dtl-live")

    def set_theme(self, theme: Literal["light", "dark"]) -> None:
        """Switch JupyterLab's theme and wait until it is there."""
        self.page.evaluate("theme => drive.setTheme(theme)", theme)

    def hide_sidebar(self) -> None:
        """Close the file list, for a picture of a notebook as wide as the window."""
        self.page.evaluate("() => drive.hideSidebar()")

    def save(self) -> None:
        """Save, so that ``lab.read(name)`` sees what is on the page."""
        self.page.evaluate("() => drive.save()")


def axe(page: Page, selector: str = ".jp-OutputArea") -> list[str]:
    """Return axe-core's violations below a selector, a readable line for each element.

    Scoped, because JupyterLab's own shell has some.
    """
    if page.locator(selector).count() == 0:
        msg = f"nothing to examine: {selector}"
        raise AssertionError(msg)
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found = page.evaluate(
        "selector => axe.run({ include: [[selector]] }, { resultTypes: ['violations'] })",
        selector,
    )
    return [
        f"{violation['id']} ({violation['impact']}): {violation['help']}\n"
        f"  {node['html']}\n  {node['failureSummary']}"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]
