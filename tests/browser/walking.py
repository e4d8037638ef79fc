"""A lecture pressed through, key by key, in windows of several sizes at once."""

from __future__ import annotations

import re
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from browser.driver import at_rest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Page

SEEN = (Path(__file__).parent / "seen.js").read_text(encoding="utf-8")
# CSS pixels across and down, and device pixels to one of them: the last is a zoom of 200 %.
SIZES = {
    "projector": (1920, 1080, 1),
    "laptop": (1280, 720, 1),
    "old": (1024, 768, 1),
    "zoomed": (960, 540, 2),
}
# A window as narrow as a phone, in which less is asked of type.
NARROW = {"phone": (390, 844, 1)}
WIDEST, FILLED = 30, 60  # percent: of the width a side panel, of what is free a lab's pictures
LEAST = 3.0  # of the height, in percent, has the smallest type that is read
MOST_KEYS = 500
HANDS = [(31, 112, 9, 48, 3, 2), (4, 171, 20, 5, 0, 1)]
HAS_GONE_ON = """before => {
  const { drawn } = document.getElementById("stage").dataset;
  return drawn !== undefined && drawn !== before;
}"""
# Nothing in the page has changed from one drawing of it to the next, some times in a row.
# The presenter's window has what the audience's shows; only there the end is told.
HAS_GONE_ON_OR_ENDED = """before => {
  const stage = document.querySelector("#now iframe").contentDocument.getElementById("stage");
  const drawn = stage && stage.dataset.drawn;
  return (drawn && drawn !== before)
    || document.getElementById("kernel").textContent.includes("end of the lecture");
}"""
HAS_ENDED = "() => document.getElementById('kernel').textContent.includes('end of the lecture')"
PATIENCE = 60_000


@dataclass(frozen=True)
class Sight:
    """What is seen of a scene after a key in a window of one size."""

    scene: int
    step: int
    size: str
    asked: str
    seen: dict[str, Any]

    @property
    def wrong(self) -> dict[str, Any]:
        """What a last row could not read, and what is cut off or lies over something else."""
        seen = self.seen
        found: dict[str, Any] = {name: seen[name] for name in ("out", "over") if seen[name]}
        if seen["scrolls"]:
            found["scrolls"] = True
        if seen["percent"] is not None and seen["percent"] < LEAST:
            found["small"] = (seen["percent"], seen["text"])
        if seen["panel"] is not None and seen["panel"] > WIDEST:
            found["panel"] = seen["panel"]
        return found


def sized(page: Page, size: str) -> Page:
    """Give a page one of the sizes."""
    width, height, ratio = (SIZES | NARROW)[size]
    page.set_viewport_size({"width": width, "height": height})
    if ratio != 1:
        given = {"width": width, "height": height, "deviceScaleFactor": ratio, "mobile": False}
        page.context.new_cdp_session(page).send("Emulation.setDeviceMetricsOverride", given)
    return page


def walked(
    windows: dict[str, Page],
    own: Page,
    look: Callable[[Sight, Page], None] = lambda *_: None,
    *,
    most: int = MOST_KEYS,
    votes: bool = True,
) -> Iterator[Sight]:
    """What is seen in each window after each key, from the first to the last.

    Where a question is put the class votes, by hands, discusses, and votes again.
    """
    first = next(iter(windows.values()))
    put: dict[int, int] = {}
    for _ in range(most):
        for page in windows.values():
            at_rest(page, "#stage, #stage *")
        scene, step = place(first)
        asked = _asked(first)
        for size, page in windows.items():
            sight = Sight(scene, step, size, asked, page.evaluate(SEEN))
            look(sight, page)
            yield sight
        # Of a number or a word no hands are counted.
        if votes and asked == "asked" and first.locator(".ask ol:not(.spoken)").count():
            _vote(first, own, HANDS[put.setdefault(scene, 0)])
        again = votes and asked == "counted" and not put[scene]
        if again:
            put[scene] = 1
        if not pressed(windows, own, "d" if again else "PageDown"):
            return


def place(page: Page) -> tuple[int, int]:
    """The scene and the step that a window shows."""
    scene, step = page.locator("#stage").get_attribute("data-drawn").split(".")
    return int(scene), int(step)


def pressed(windows: dict[str, Page], own: Page, key: str) -> bool:
    """Press a key until each window shows what it brings; False at the end of the lecture."""
    first = next(iter(windows.values()))
    before = first.locator("#stage").get_attribute("data-drawn")
    first.keyboard.press(key)
    own.wait_for_function(HAS_GONE_ON_OR_ENDED, arg=before, timeout=PATIENCE)
    if own.evaluate(HAS_ENDED):
        return False
    for page in windows.values():
        page.wait_for_function(HAS_GONE_ON, arg=before, timeout=PATIENCE)
    return True


def _asked(page: Page) -> str:
    """How the question is shown, if there is one."""
    if not page.locator(".ask").is_visible():
        return ""
    if page.locator(".ask .right, .dtl-truth").count():
        return "answered"
    return "counted" if page.locator(".ask .bar").count() else "asked"


def _vote(page: Page, own: Page, hands: tuple[int, ...]) -> None:
    fields = own.locator("#votes input")
    counts = hands[: fields.count()]
    for i, count in enumerate(counts):
        fields.nth(i).fill(str(count))
    told = f"{sum(counts)} votes"
    page.locator(".voted", has_text=re.compile(rf"\b{told}")).wait_for()


def kernel_of(address: str) -> int:
    """The process of the kernel behind an address."""
    port = re.search(r":(\d+)/", address)[1]
    listed = subprocess.run(
        ["ps", "-ewwo", "pid,ppid,args"], capture_output=True, text=True, check=True
    )
    lines = [line.split(None, 2) for line in listed.stdout.splitlines()[1:]]
    (server,) = [
        pid
        for pid, _, args in lines
        if f"--port={port}" in args and "ps" not in args[:3] and "leash.py" not in args
    ]
    (kernel,) = [pid for pid, parent, args in lines if parent == server and "stage.kernel" in args]
    return int(kernel)


def another_kernel(address: str, before: int) -> None:
    """Wait until there is another kernel behind an address than there was."""
    deadline = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < deadline:
        with suppress(ValueError):
            if kernel_of(address) != before:
                return
        time.sleep(0.05)
    msg = "no other kernel has come"
    raise AssertionError(msg)
