"""What ``make bench-ui`` times in a lecture's windows: heavy scenes, and a kernel's return."""

from __future__ import annotations

import os
import signal
import statistics
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from browser import server as servers
from browser.walking import HAS_ENDED, kernel_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

KEY, RETURN = "a lecture's key", "a killed kernel"
# In milliseconds: until the picture is seen; until a new kernel holds the tree that stood there.
KEY_LIMIT, RETURN_LIMIT = 500, 5000
KILLS, ROUNDS, SETTLE = 10, 5, 300
LECTURES = ("bias-variance", "tax-fraud")
DEMOS = ("forest", "bias-variance")
# From the key's own time stamp to the second frame after the scene was drawn; null at the end.
TIMED = """() => {
  const stage = document.getElementById("stage");
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  window.timed = new Promise((resolve) => {
    let begin = 0;
    const press = (event) => (begin = event.timeStamp);
    window.addEventListener("keydown", press, { capture: true, once: true });
    const seen = new MutationObserver(async () => {
      seen.disconnect();
      await frame();
      await frame();
      resolve(performance.now() - begin);
    });
    seen.observe(stage, { attributeFilter: ["data-drawn"] });
    setTimeout(() => resolve(null), 20_000);
  });
}"""
IS_DRAWN = "() => document.getElementById('stage').dataset.drawn"
ALERT = "() => document.getElementById('kernel').textContent"


@dataclass(frozen=True)
class StageRow:
    """Times of one thing, in milliseconds."""

    name: str
    times: list[float]
    limit: float

    @property
    def slow(self) -> float:
        """The 95th percentile."""
        return statistics.quantiles(self.times, n=20, method="inclusive")[-1]

    def __str__(self) -> str:
        middle = statistics.median(self.times)
        verdict = "" if self.slow <= self.limit else "  too slow"
        told = f"{self.name:44}{middle:>6.0f}{self.slow:>6.0f}{self.limit:>7.0f}"
        return f"{told}   {len(self.times)} times, at most {max(self.times):.0f}{verdict}"


def stage_rows(chrome: Browser, wanted: str) -> Iterator[StageRow]:
    """The rows with ``wanted`` in their names."""
    for name in LECTURES:
        row = f"{KEY}, all of {name}"
        if wanted in row:
            yield StageRow(row, _keys(chrome, 1, "lecture", name), KEY_LIMIT)
    for name in DEMOS:
        row = f"{KEY}, the lab {name}"
        if wanted in row:
            yield StageRow(row, _keys(chrome, ROUNDS, "demo", name), KEY_LIMIT)
    row = f"{RETURN}, to the same tree"
    if wanted in row:
        yield StageRow(row, _returns(chrome), RETURN_LIMIT)


def _opened(chrome: Browser, address: str, wide: int, high: int) -> Page:
    page = chrome.new_context(viewport={"width": wide, "height": high}).new_page()
    page.goto(address)
    return page


def _keys(chrome: Browser, rounds: int, *words: str) -> list[float]:
    """How long each key took, all labs being begun anew in each round."""
    times = []
    with (
        tempfile.TemporaryDirectory() as home,
        servers.windows(Path(home), *words) as (audience, presenter),
    ):
        page = _opened(chrome, audience, 1920, 1080)
        own = _opened(chrome, presenter, 1280, 800)
        page.wait_for_function(IS_DRAWN)
        for _ in range(rounds):
            page.wait_for_timeout(SETTLE)
            while True:
                page.evaluate(TIMED)
                page.keyboard.press("PageDown")
                page.wait_for_timeout(SETTLE)
                if own.evaluate(HAS_ENDED):
                    break
                times.append(page.evaluate("() => window.timed"))
            page.keyboard.press("r")
        for one in (page, own):
            one.context.close()
    if None in times:
        msg = f"{' '.join(words)}: key {times.index(None) + 1} had no answer"
        raise RuntimeError(msg)
    return times


def _returns(chrome: Browser) -> list[float]:
    """How long it took from a kernel's death to a new one that holds the same tree."""
    times = []
    with (
        tempfile.TemporaryDirectory() as home,
        servers.windows(Path(home), "demo", "tree") as (audience, presenter),
    ):
        page = _opened(chrome, audience, 1920, 1080)
        own = _opened(chrome, presenter, 1280, 800)
        page.wait_for_function(IS_DRAWN)
        for _ in range(3):
            page.keyboard.press("PageDown")
            page.wait_for_timeout(SETTLE)
        stood = page.locator("#stage").inner_text()
        for _ in range(KILLS):
            begun = time.perf_counter()
            os.kill(kernel_of(audience), signal.SIGKILL)
            own.wait_for_function(f"() => ({ALERT})().includes('Press k')")
            own.keyboard.press("k")
            own.wait_for_function(f"() => ({ALERT})() === ''")
            times.append(1000 * (time.perf_counter() - begun))
            if page.locator("#stage").inner_text() != stood:
                msg = "the tree is another one"
                raise RuntimeError(msg)
        for one in (page, own):
            one.context.close()
    return times
