"""Make the README's pictures anew: stills, and labs at work.

    python tools/pictures.py            all, into docs/images
    python tools/pictures.py forest     those with "forest" in their names

Each is what Chromium paints of a lab whose actions are written below; a moving one is made of the
frames that it paints, each for as long as it stood there.
"""

from __future__ import annotations

import base64
import io
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL import Image, ImageChops, ImageOps
from playwright.sync_api import sync_playwright

CHECKOUT = Path(__file__).parents[1]
sys.path.insert(0, str(CHECKOUT / "tests"))

import dtree_lab as dt  # noqa: E402
from browser import chromium  # noqa: E402
from browser.bare import Bare, outside  # noqa: E402
from browser.driver import launch  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from playwright.sync_api import Browser, Page

TO = CHECKOUT / "docs/images"
# A moving picture: so wide is the lab, so wide its picture; so long an action is watched and what
# it led to stands, in milliseconds; frames are no shorter than a browser shows them.
WIDE, SHOWN, WATCHED, STANDS, SHORTEST, LAST = 1000, 800, 1100, 1700, 60, 3500
COLOURS = 48
MOST_BYTES = 400_000
# The picture of a lecture's two windows: which, and how many keys.
WINDOWS, LECTURE, KEYS = "lecture.png", "tax-fraud", 29


@dataclass(frozen=True)
class Scene:
    """A lab, and what is done in it: for a still all of it, then the picture.

    Attributes
    ----------
    name
        That of the file, whose ending says whether it moves.
    lab
        What makes it.
    actions
        The messages of the browser, in their order.
    height
        Of the window.
    """

    name: str
    lab: Callable[[], Any]
    actions: Sequence[dict[str, Any]]
    height: int


def _split(attribute: int, cut: float | None = None) -> dict[str, Any]:
    asks = {"do": "split", "part": "questions", "attribute": attribute}
    return asks if cut is None else {**asks, "cut": cut}


def _at(node: str) -> dict[str, Any]:
    return {"do": "select", "part": "tree", "at": node}


BEST, NEXT = {"do": "best"}, {"do": "next"}
WEAKEST = {"do": "set", "control": "method", "value": "cost_complexity"}
TREES = [{"do": "set", "control": "trees", "value": n} for n in (1, 3, 8, 20, 50)]
SCENES = [
    Scene(
        "treebuilder.png",
        lambda: dt.TreeBuilder(dt.datasets.tax_fraud()),
        [_split(0), _at("1"), _split(1)],
        823,
    ),
    Scene("pruninglab.png", dt.PruningLab, [NEXT] * 3, 1010),
    Scene(
        "treebuilder.gif",
        lambda: dt.TreeBuilder(dt.datasets.tax_fraud()),
        [_split(0), _at("1"), _split(1), _at("1.0"), BEST],
        620,
    ),
    Scene("pruninglab.gif", dt.PruningLab, [WEAKEST, *[NEXT] * 5], 620),
    Scene("forestlab.gif", dt.ForestLab, TREES, 620),
]


def main() -> int:
    """Make the pictures whose names hold the words given."""
    wanted = [one for one in SCENES if all(word in one.name for word in sys.argv[1:])]
    two = all(word in WINDOWS for word in sys.argv[1:])
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        browser = launch(playwright, chromium.path(), home)
        for scene in wanted:
            moves = scene.name.endswith(".gif")
            page = browser.new_page(
                viewport={"width": WIDE if moves else 1100, "height": scene.height},
                color_scheme="light",
                reduced_motion="no-preference" if moves else "reduce",
            )
            place = TO / scene.name
            (_moving if moves else _still)(page, scene, place)
            page.close()
        if two:
            _windows(browser, TO / WINDOWS)
    made = [TO / one.name for one in wanted] + [TO / WINDOWS] * two
    for place in made:
        print(f"{place.name}: {place.stat().st_size / 1000:.0f} KB")
    large = [place.name for place in made if place.stat().st_size > MOST_BYTES]
    if large:
        print(f"too large for a README: {', '.join(large)}", file=sys.stderr)
    return 1 if large else 0


def _windows(browser: Browser, place: Path) -> None:
    """Both windows of a lecture, side by side."""
    given = dt.lecture(LECTURE)
    shown = []
    try:
        sizes = {given.audience: (1280, 720), given.presenter: (1280, 720)}
        pages = []
        for address, (wide, high) in sizes.items():
            page = browser.new_page()
            page.set_viewport_size({"width": wide, "height": high})
            page.goto(address)
            pages.append(page)
        for _ in range(KEYS):
            pages[0].bring_to_front()
            pages[0].keyboard.press("PageDown")
            pages[0].wait_for_timeout(WATCHED)
        for page in pages:
            page.bring_to_front()
            page.wait_for_timeout(WATCHED)
            shown.append(Image.open(io.BytesIO(page.screenshot())).convert("RGB"))
            page.close()
    finally:
        given.stop()
    gap = 24
    both = Image.new("RGB", (2 * SHOWN + gap, 450), "white")
    for i, one in enumerate(shown):
        framed = ImageOps.expand(one.resize((SHOWN - 2, 448), Image.Resampling.LANCZOS), 1, "#999")
        both.paste(framed, (i * (SHOWN + gap), 0))
    both.quantize(256).save(place, optimize=True)


def _still(page: Page, scene: Scene, place: Path) -> None:
    bare, lab = Bare(page), outside(scene.lab)
    for action in scene.actions:
        _done(lab, action)
    bare.begin(lab.told)
    page.wait_for_timeout(300)
    shown = Image.open(io.BytesIO(page.screenshot()))
    shown.convert("RGB").quantize(256).save(place, optimize=True)


def _moving(page: Page, scene: Scene, place: Path) -> None:
    bare, lab = Bare(page), outside(scene.lab)
    bare.begin(lab.told)
    page.wait_for_timeout(500)
    film = Film(page)
    film.stands(STANDS)
    for action in scene.actions:
        _done(lab, action)
        film.watch(lambda: bare.show(lab.told))
    film.save(place)


def _done(lab: Any, action: dict[str, Any]) -> None:
    outside(lambda: lab.act(action))
    if lab.view["problem"]:
        raise ValueError(f"{action}: {lab.view['problem']}")


class Film:
    """The frames of a page that is watched, and how long each stands."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.frames: list[tuple[Image.Image, int]] = []

    def stands(self, milliseconds: int) -> None:
        """The page as it is, for so long."""
        shown = Image.open(io.BytesIO(self.page.screenshot())).convert("RGB")
        self._add(shown, milliseconds)

    def watch(self, do: Callable[[], None]) -> None:
        """What is painted after something is done, and what it led to."""
        caught: list[tuple[float, bytes]] = []
        session = self.page.context.new_cdp_session(self.page)

        def painted(frame: dict[str, Any]) -> None:
            caught.append((frame["metadata"]["timestamp"], base64.b64decode(frame["data"])))
            session.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

        session.on("Page.screencastFrame", painted)
        session.send("Page.startScreencast", {"format": "png", "everyNthFrame": 1})
        do()
        self.page.wait_for_timeout(WATCHED)
        session.send("Page.stopScreencast")
        session.detach()
        last = -1.0
        for i, (when, data) in enumerate(caught):
            until = caught[i + 1][0] if i + 1 < len(caught) else when
            if (until - last) * 1000 >= SHORTEST:
                lasted = min(int((until - when) * 1000), 200)
                self._add(Image.open(io.BytesIO(data)).convert("RGB"), max(SHORTEST, lasted))
                last = until
        self.stands(STANDS)

    def _add(self, shown: Image.Image, milliseconds: int) -> None:
        """One more frame; one that is as the last makes that one longer."""
        height = round(shown.height * SHOWN / shown.width)
        small = shown.resize((SHOWN, height), Image.Resampling.LANCZOS)
        if self.frames:
            last, lasted = self.frames[-1]
            if ImageChops.difference(last, small).getbbox() is None:
                self.frames[-1] = last, lasted + milliseconds
                return
        self.frames.append((small, milliseconds))

    def save(self, place: Path) -> None:
        """All frames in the same few colours, so that only what moves is kept of each."""
        frames, lasted = zip(*self.frames, strict=True)
        few = frames[-1].quantize(COLOURS, dither=Image.Dither.NONE)
        first, *others = [one.quantize(palette=few, dither=Image.Dither.NONE) for one in frames]
        times = [*lasted[:-1], LAST]
        first.save(
            place, save_all=True, append_images=others, duration=times, loop=0, optimize=True
        )


if __name__ == "__main__":
    sys.exit(main())
