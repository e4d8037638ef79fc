"""How fast the labs answer, in headless Chromium in real JupyterLab: ``make bench-ui``.

A row is 50 actions, each timed from the input event to the painted answer: from the time stamp of
the event to the second frame after the view with the answer was drawn. Some actions follow each
other at once, others after a pause in which the lab brings its static picture up to date. A row
shows the median and the 95th percentile in milliseconds beside the limit, and the medians of where
the time went: until the message left the page, until the answer came, until it was drawn, until it
was painted.

Then: keys in a lecture's window, from the key to the painted scene, and the time from a killed
kernel to a new one that holds the same tree; the time from frame to frame while a camera flies over
a large tree; the largest message that came from Python for a lab, the size of the labs' code, and
what a second lab adds to the notebook's file.

``python benchmarks/bench_ui.py drag`` runs the rows that have "drag" in their names, and no more.
"""

from __future__ import annotations

import argparse
import json
import statistics
import struct
import sys
import tempfile
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright
from ui_cases import CASES, FLIGHT, FLIGHT_FRAMES, FLIGHT_LIMIT, LARGE_TREE, TABLES, Case

CHECKOUT = Path(__file__).parents[1]
sys.path.insert(0, str(CHECKOUT / "tests"))

from stage_times import stage_rows  # noqa: E402

from browser import chromium  # noqa: E402
from browser.driver import Notebook, launch  # noqa: E402
from browser.server import Lab, jupyterlab  # noqa: E402
from dtree_lab.labs import assets  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import Browser, WebSocket

    from browser.server import Server

ACTIONS, WARM = 50, 4
PAUSES = (0, 60, 250, 600)  # ms: the static picture follows after 400
STAGES = ("event", "sent", "heard", "drawn", "painted")
CLOCK = Path(__file__).with_name("ui_clock.js").read_text(encoding="utf-8")
KB = 1024
MOST_MESSAGE, MOST_CODE = 64 * KB, 200 * KB
TWO = "import dtree_lab as dt\ntable = dt.datasets.tax_fraud()\ndt.TreeBuilder(table)"


@dataclass
class Traffic:
    """The largest messages of each type that a page received from kernels, in bytes."""

    largest: dict[str, int] = field(default_factory=dict)

    def listen(self, socket: WebSocket) -> None:
        """Look at all that a socket receives."""
        socket.on("framereceived", self._look)

    def _look(self, frame: bytes | str) -> None:
        kind = kind_of(frame) if isinstance(frame, bytes) else None
        if kind is not None:
            self.largest[kind] = max(self.largest.get(kind, 0), len(frame))


def kind_of(frame: bytes) -> str | None:
    """What a message of Jupyter's binary protocol is, if a lab sent it."""
    (n,) = struct.unpack_from("<Q", frame)
    at = struct.unpack_from(f"<{n}Q", frame, 8)
    header, content = (json.loads(frame[at[i] : at[i + 1]]) for i in (1, 4))
    kind: str = header["msg_type"]
    data = content.get("data", {})
    if kind == "comm_msg":
        # JupyterLab asks for all widgets of a kernel at once, and gets them in one message.
        return None if data.get("method") == "update_states" else kind
    return kind if kind in ("comm_open", "display_data", "update_display_data") else None


@dataclass(frozen=True)
class Row:
    """What was measured of a case, in milliseconds."""

    case: Case
    times: list[dict[str, float]]

    def of(self, start: str, end: str) -> list[float]:
        """How long each action took between two stages."""
        return [at[end] - at[start] for at in self.times]

    @property
    def slow(self) -> float:
        """The 95th percentile."""
        return statistics.quantiles(self.of("event", "painted"), n=20, method="inclusive")[-1]

    def __str__(self) -> str:
        middle = statistics.median(self.of("event", "painted"))
        parts = [statistics.median(self.of(a, b)) for a, b in pairwise(STAGES)]
        went = "".join(f"{part:>8.0f}" for part in parts)
        verdict = "" if self.slow <= self.case.limit else "  too slow"
        return (
            f"{self.case.name:44}{middle:>6.0f}{self.slow:>6.0f}{self.case.limit:>7.0f}"
            f"   {went}{verdict}"
        )


def measured(case: Case, notebook: Notebook) -> Row:
    """Do a case's actions in a notebook that shows its lab."""
    shown = notebook.output(0).locator(".dtl-lab").first
    shown.wait_for()
    root = shown.element_handle()
    page = notebook.page
    case.begin(shown)
    page.wait_for_timeout(1000)
    times = []
    for i in range(WARM + ACTIONS):
        page.evaluate("root => clock.arm(root)", root)
        case.act(shown, i)
        at: dict[str, float] | None = page.evaluate("() => clock.done")
        if at is None:
            msg = f"{case.name}: action {i} had no answer"
            raise RuntimeError(msg)
        times.append({stage: at.get(stage, at["event"]) for stage in STAGES})
        page.wait_for_timeout(PAUSES[i % len(PAUSES)])
    return Row(case, times[WARM:])


@dataclass(frozen=True)
class Bench:
    """A browser and a server, and what came over the wire."""

    chrome: Browser
    server: Server
    traffic: Traffic = field(default_factory=Traffic)

    def notebook(self, name: str, *cells: str) -> Notebook:
        """Open a notebook with cells that have run, in a fresh context."""
        page = self.chrome.new_context(viewport={"width": 1280, "height": 720}).new_page()
        page.add_init_script(CLOCK)
        page.on("websocket", self.traffic.listen)
        lab = Lab(self.server, "bench")
        lab.path.mkdir(exist_ok=True)
        notebook = Notebook.open(page, lab, lab.add(f"{name}.ipynb", *cells))
        notebook.run_all()
        notebook.hide_sidebar()
        return notebook

    def close(self, notebook: Notebook) -> None:
        """Close a notebook and its kernel."""
        notebook.page.context.close()
        self.server.stop_kernels()

    def size(self, *cells: str, keep: bool = False) -> int:
        """The size of a notebook's file in bytes, once `keep` with all its widgets' states."""
        notebook = self.notebook(f"size{len(cells)}", *cells)
        notebook.output(0).locator(".dtl-lab").first.wait_for()
        if keep:
            notebook.page.evaluate("() => drive.keepWidgets()")
        notebook.save()
        size = (notebook.lab.path / notebook.name).stat().st_size
        self.close(notebook)
        return size


def flight(bench: Bench) -> tuple[str, bool]:
    """A line on the frames of a camera's move, and whether they come in time."""
    notebook = bench.notebook("flight", TABLES + LARGE_TREE)
    box = notebook.output(0).locator(".dtl-live .dtl-treebox").first
    box.wait_for()
    box.scroll_into_view_if_needed()
    notebook.page.wait_for_timeout(1000)
    times: list[float] = box.evaluate("(box, n) => clock.fly(box, n)", FLIGHT_FRAMES)
    bench.close(notebook)
    slow = statistics.quantiles(times, n=20, method="inclusive")[-1]
    verdict = "" if slow <= FLIGHT_LIMIT else "  too slow"
    told = f"{FLIGHT:44}{statistics.median(times):>6.0f}{slow:>6.0f}{FLIGHT_LIMIT:>7.0f}"
    return f"{told}   from frame to frame{verdict}", not verdict


def sizes(bench: Bench) -> list[str]:
    """Lines on messages, code and the notebook's file."""
    kind, message = max(bench.traffic.largest.items(), key=lambda pair: pair[1])
    files = [assets.LOADER, *assets.asset_names()]
    code = sum(len(assets.asset_text(name).encode()) for name in files)
    one, two = bench.size(TWO, keep=True), bench.size(TWO, TWO.rpartition("\n")[2])
    others = ", ".join(f"{k} {n / KB:.1f}" for k, n in sorted(bench.traffic.largest.items()))
    return [
        _sized(f"largest message to the page ({kind})", message, MOST_MESSAGE),
        f"  by type, in KB: {others}; without the one that carries all widgets of a kernel at once",
        _sized(f"front-end code of all labs ({len(files)} files)", code, MOST_CODE),
        _sized("a notebook with one TreeBuilder, widget states kept", one),
        _sized("what a second TreeBuilder adds", two - one),
    ]


def _sized(what: str, size: int, limit: int | None = None) -> str:
    verdict = "" if limit is None else f"{limit / KB:>7.0f}{'' if size <= limit else '  too large'}"
    return f"{what:50}{size / KB:>6.1f}{verdict} KB"


def main() -> int:
    """Measure, print, and return 1 where a limit is not kept."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("name", nargs="?", default="", help="only rows with this in their names")
    wanted = parser.parse_args().name
    heads = "".join(f"{head:>8}" for head in ("send", "Python", "draw", "paint"))
    program = chromium.path()
    with (
        tempfile.TemporaryDirectory() as home,
        jupyterlab(Path(home) / "jupyter") as server,
        sync_playwright() as playwright,
    ):
        bench = Bench(launch(playwright, program, str(Path(home) / "chromium")), server)
        print(f"{'':44}{'p50':>6}{'p95':>6}{'limit':>7}   {heads} ms", flush=True)
        kept = True
        for case in CASES:
            if wanted in case.name:
                notebook = bench.notebook("case", case.cell)
                row = measured(case, notebook)
                print(row, flush=True)
                kept &= row.slow <= case.limit
                bench.close(notebook)
        if wanted in FLIGHT:
            line, in_time = flight(bench)
            print(line, flush=True)
            kept &= in_time
        for stage_row in stage_rows(bench.chrome, wanted):
            print(stage_row, flush=True)
            kept &= stage_row.slow <= stage_row.limit
        for line in [] if wanted else sizes(bench):
            print(line)
            kept &= "too large" not in line
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
