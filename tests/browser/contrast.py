"""How well things are seen, measured on what the browser has painted.

The page is painted with a kind of thing and without it: the pixels that differ are that kind's own,
and each is held against what is beneath it. Nothing is computed from style sheets.
"""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PIL import Image

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from playwright.sync_api import Locator, Page

# Each kind with what hides it, lying lower and lower: a kind is measured where those before it are
# hidden already. A halo around words is taken off: it must be the word itself that is read.
GONE = "visibility: hidden !important"
KINDS: dict[str, tuple[str, str, float]] = {
    "sliders": ("input[type=range]:not(.dtl-steps)", GONE, 3.0),
    "words": ("svg text, .measured-word", GONE, 4.5),
    "marks": (".dtl-mark, .dtl-dots, .dtl-dot, .dtl-ring, .dtl-pattern", GONE, 3.0),
    "lines": (
        ".dtl-line, .dtl-rule, .dtl-tick, .dtl-edge path, path.dtl-edge, .dtl-cut-line",
        GONE,
        3.0,
    ),
    "areas": (
        (
            ".dtl-area, .dtl-share, .dtl-fill, .dtl-plot rect[class^=dtl-c], .dtl-bar-fill,"
            " span.dtl-bar"
        ),
        GONE,
        3.0,
    ),
    "frames": (".dtl-box, .dtl-track, .dtl-plane", GONE, 3.0),
}
SCRIPT = Path(__file__).with_name("contrast.js").read_text(encoding="utf-8")
HALO = "svg text { stroke: none !important; } * { transition: none !important; }"


def unseen(root: Locator) -> list[str]:
    """What is painted in an element and cannot be told from what is beneath it."""
    page, found = root.page, []
    root.evaluate(f"(root) => {SCRIPT}.wrap(root)")
    sheets = [page.add_style_tag(content=HALO)]
    before = painted(page)
    try:
        for kind, (selector, hiding, least) in KINDS.items():
            boxes = root.evaluate(f"(root, kind) => {SCRIPT}.things(root, kind)", selector)
            sheets.append(page.add_style_tag(content=f"{selector} {{ {hiding} }}"))
            after = painted(page)
            ratio = _contrast(before, after)
            found += [f"{kind}: {text}" for text in _faint(boxes, ratio, least)]
            before = after
    finally:
        root.evaluate(f"(root) => {SCRIPT}.unwrap(root)")
        for sheet in sheets:
            sheet.evaluate("one => one.remove()")
    return found


def _faint(boxes: list[Any], ratio: NDArray[Any], least: float) -> set[str]:
    """Those of which no pixel stands out enough; what is switched off may be pale."""
    height, width = ratio.shape
    faint = set()
    for text, off, *box in boxes:
        left, top, right, bottom = (round(v) for v in box)
        own = ratio[max(top, 0) : bottom, max(left, 0) : right]
        if off or top >= height or left >= width or bottom <= 0 or right <= 0 or not own.size:
            continue
        if own.max() < least:
            faint.add(f"{text} has {own.max():.1f} to 1, not {least}")
    return faint


def painted(page: Page) -> NDArray[Any]:
    """The pixels of a page's window, packed little: that takes most of a picture's time."""
    session = page.context.new_cdp_session(page)
    taken = session.send("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True})
    session.detach()
    image = Image.open(io.BytesIO(base64.b64decode(taken["data"]))).convert("RGB")
    return np.asarray(image, dtype=np.uint8)


def _light(pixels: NDArray[Any]) -> NDArray[Any]:
    """Relative luminance, as WCAG 2 has it."""
    share = pixels / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return linear @ np.array([0.2126, 0.7152, 0.0722])


def _contrast(one: NDArray[Any], other: NDArray[Any]) -> NDArray[Any]:
    """The contrast ratio of each pixel of two pictures; 1 where they are the same."""
    changed = (one != other).any(axis=2)
    a, b = _light(one[changed]), _light(other[changed])
    ratio = np.ones(changed.shape, dtype=np.float32)
    ratio[changed] = (np.maximum(a, b) + 0.05) / (np.minimum(a, b) + 0.05)
    return ratio
