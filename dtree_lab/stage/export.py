"""A lecture as a file: a page that plays it on any machine, and its sheets for handing out.

The page has what the audience's window is told at each key, and the same code that draws it there.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import shutil
import subprocess
import tempfile
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from typing import Any

from dtree_lab.base.text import html
from dtree_lab.labs import assets
from dtree_lab.stage.lecture import Lecture
from dtree_lab.stage.link import KernelLink
from dtree_lab.stage.opening import rehearsed
from dtree_lab.stage.show import Show
from dtree_lab.stage.telling import told_audience
from dtree_lab.stage.words import as_page

_PAGE = files("dtree_lab.stage") / "page"
# More keys than any lecture has.
_MOST = 2_000
_BROWSERS = (
    "chromium",
    "chromium-headless-shell",
    "chromium-browser",
    "google-chrome",
    "chrome",
    "msedge",
)
_SECONDS = 300
PIXEL = 25.4 / 96  # mm
# By how many sheets a page has, without notes and with them: how A4 lies, how wide a sheet is and
# how high its place, in mm.
UP = {
    1: (("landscape", 273, 186), ("portrait", 186, 273)),
    2: (("portrait", 186, 136), ("portrait", 140, 136)),
    4: (("landscape", 134, 92), ("portrait", 102, 68)),
}


class NoBrowserError(RuntimeError):
    """No browser was found that prints sheets."""


class _Nobody(KernelLink):
    """No kernel: all that can be shown is known."""

    async def start(self, *_: str) -> None:
        """There is nothing to start."""

    async def ask(self, _: dict[str, Any]) -> dict[str, Any]:
        return {"problem": "This lab cannot be shown."}


def played(lecture: Lecture) -> list[dict[str, Any]]:
    """What the audience is told at each key, from the first to the last."""
    with ThreadPoolExecutor(1) as pool:  # a notebook has a loop of its own
        return pool.submit(lambda: asyncio.run(_played(lecture))).result()


async def _played(lecture: Lecture) -> list[dict[str, Any]]:
    show = Show(lecture, _Nobody(lecture), lambda: None)
    for scene in lecture.scenes:
        with suppress(Exception):  # a lab that cannot be shown leaves its place empty
            for k, moment in rehearsed(scene) if scene.lab else ():
                show.moments[scene.number, k], show.ends[scene.number] = moment, k
    await show.enter(0)
    found = [told_audience(show)]
    for _ in range(_MOST):
        before = show.scene, show.step
        await show.on()
        if (show.scene, show.step) == before:
            break
        found.append(told_audience(show))
    return found


def _page(
    lecture: Lecture, pages: list[dict[str, Any]], *, theme: str = "light", style: str = ""
) -> str:
    """One HTML file that plays a lecture without a network."""
    code = {name: assets.asset_text(name) for name in assets.asset_names()}
    script = "\n".join(_script())
    data = base64.b64encode(zlib.compress(json.dumps([code, pages, theme]).encode(), 9)).decode()
    text = (_PAGE / "export.html").read_text(encoding="utf-8")
    style = (_PAGE / "stage.css").read_text(encoding="utf-8") + lecture.theme.css() + style
    for name, part in {
        "TITLE": html(lecture.title),
        "STYLE": style,
        "DATA": data,
        "SCRIPT": script,
    }.items():
        text = text.replace(f"<!--{name}-->", part)
    return text


def _script() -> Iterator[str]:
    """The windows' code as one module."""
    yield assets.asset_text(assets.LINKING).replace("export ", "")
    for name in ("keys.mjs", "screen.mjs", "playback.mjs", "audience.mjs"):
        lines = (_PAGE / name).read_text(encoding="utf-8").splitlines()
        yield "\n".join(
            line.removeprefix("export ") for line in lines if not line.startswith("import ")
        )


def export(lecture: Lecture, path: Path, *, theme: str = "light") -> Path:
    """Write a lecture's page, such as ``trees.html``; a file that is there is replaced."""
    path.write_text(_page(lecture, played(lecture), theme=theme), encoding="utf-8")
    return path


def sheets(path: Path, to: Path) -> Path:
    """Print a lecture's page as a PDF, a sheet for each key; a file that is there is replaced."""
    found = next((way for name in _BROWSERS if (way := shutil.which(name))), None)
    if found is None:
        msg = "sheets are printed by Chromium, Chrome or Edge, and none is installed here"
        raise NoBrowserError(msg)
    with tempfile.TemporaryDirectory(prefix="dtree-lab-", ignore_cleanup_errors=True) as profile:
        words = [
            *(found, "--headless", "--disable-gpu", "--no-pdf-header-footer"),
            *("--no-first-run", "--disable-background-networking", f"--user-data-dir={profile}"),
            *("--virtual-time-budget=20000", f"--print-to-pdf={to}"),
            *_as_root(),
            f"{path.resolve().as_uri()}#sheets",
        ]
        done = subprocess.run(words, capture_output=True, timeout=_SECONDS, check=False)  # noqa: S603
    if done.returncode or not to.is_file():
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        raise NoBrowserError(f"{Path(found).name} could not print the sheets: {' '.join(last)}")
    return to


def on_paper(lecture: Lecture, to: Path, *, up: int = 2, notes: bool = False) -> Path:
    """Print a lecture on A4 as a PDF: each scene as it is in the end, so many (of UP) to a page."""
    last = {one["scene"]: one for one in played(lecture)}
    if notes:
        said = {scene.number: scene.notes for scene in lecture.scenes}
        last = {
            i: {**one, "notes": as_page(said[i], lecture.file.parent)} for i, one in last.items()
        }
    how, wide, high = UP[up][notes]
    left = high - wide * 9 / 16
    # What a sheet leaves free has the notes: below it, or beside it where it is small.
    across, down, columns = (80, high - 5, 1) if up == max(UP) else (186, left - 6, 2)
    style = (
        f"@page {{ size: A4 {how}; }} :root {{ --zoom: {wide / PIXEL / 1280:.4f}; --high: {high}mm;"
        f" --across: {across}mm; --down: {down:.0f}mm; --columns: {columns}; }}\n"
    ) + (_PAGE / "handout.css").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory(prefix="dtree-lab-", ignore_cleanup_errors=True) as folder:
        page = Path(folder) / "handout.html"
        page.write_text(_page(lecture, [*last.values()], style=style), encoding="utf-8")
        return sheets(page, to)


def _as_root() -> list[str]:
    """A browser's sandbox has no way to work for root, as in a container."""
    return ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
