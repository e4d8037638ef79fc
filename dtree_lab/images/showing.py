"""Grey images as a picture for a notebook, with rectangles drawn over them, and a description."""

from __future__ import annotations

import zlib
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from struct import pack
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base import text
from dtree_lab.base.terminal import terminal
from dtree_lab.base.types import Ints
from dtree_lab.images.painting import Box

Mark: TypeAlias = Box | tuple[int, int, int, int, int]

_GAP, _LINE, _WIDEST = 12, 22, 640
_INK = "var(--jp-content-font-color1, currentColor)"
_FOR, _AGAINST, _HALO = "#F0E442", "#56B4E9", "#000"  # Okabe and Ito's yellow and sky blue
_MOST_STORED = 65_535


@dataclass(frozen=True)
class Shown:
    """A picture of some images; in a terminal, its description alone."""

    svg: str
    says: str

    @terminal
    def __repr__(self) -> str:
        return self.says

    def _repr_html_(self) -> str:
        return self.svg


def show(
    images: Sequence[NDArray[Any]] | NDArray[Any],
    *,
    says: str,
    names: Sequence[str] = (),
    marks: Sequence[Sequence[Mark]] = (),
    zoom: int = 4,
) -> Shown:
    """Show some images side by side.

    Parameters
    ----------
    images
        Greys from 0 to 255, each of shape ``(height, width)``.
    says
        What there is to be seen, in a sentence, for those who do not see it.
    names
        What is written below each.
    marks
        For each image what is drawn over it: a :class:`~dtree_lab.images.Box`, or the `rectangles`
        of a feature. Of these the ones with a plus are added, and those with a minus, which are
        dashed, are taken away.
    zoom
        How many pixels of the screen one pixel of an image gets, in each direction.

    Examples
    --------
    >>> from dtree_lab import images
    >>> show(images.draw("face", 2), says="Two faces.")
    Two faces.
    """
    parts, wide, high = _laid(images, names, marks, zoom)
    told = text.html(says)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" role="img"'
        f' aria-label="{told}" font-family="sans-serif" font-size="14"'
        f' style="width:100%;max-width:{wide}px;color:{_INK}"><title>{told}</title>'
        f"{parts}</svg>"
    )
    return Shown(svg, says)


def _laid(
    images: Sequence[Ints] | Ints, names: Sequence[str], marks: Sequence[Sequence[Mark]], zoom: int
) -> tuple[str, int, int]:
    """The images in rows, and how wide and high that is, in pixels."""
    parts, left, top, row, wide = [], 0, 0, 0, 0
    for i, image in enumerate(images):
        height, width = (side * zoom for side in np.shape(image))
        if left and left + width > _WIDEST:
            left, top, row = 0, top + row + _GAP, 0
        name = names[i] if i < len(names) else ""
        over = marks[i] if i < len(marks) else ()
        parts.append(f'<g transform="translate({left} {top})">{_one(image, zoom, name, over)}</g>')
        row = max(row, height + (_LINE if name else 0))
        wide = max(wide, left + width)
        left += width + _GAP
    return "".join(parts), wide, top + row


def _one(image: NDArray[Any], zoom: int, name: str, marks: Sequence[Mark]) -> str:
    height, width = (side * zoom for side in np.shape(image))
    data = b64encode(png(np.asarray(image, dtype=np.uint8))).decode("ascii")
    shown = (
        f'<image width="{width}" height="{height}" style="image-rendering:pixelated"'
        f' href="data:image/png;base64,{data}"/>'
    )
    drawn = [shown, *(_mark(mark, zoom) for mark in marks)]
    if name:
        at = f'x="{width / 2:g}" y="{height + 16}" text-anchor="middle" fill="{_INK}"'
        drawn.append(f"<text {at}>{text.html(name)}</text>")
    return "".join(drawn)


def _mark(mark: Mark, zoom: int) -> str:
    """An outline that is seen on light and on dark greys; a sign where it counts for something."""
    top, left, height, width, weight = (*mark, mark.size, 0) if isinstance(mark, Box) else mark
    hue = _AGAINST if weight < 0 else _FOR
    dash = ' stroke-dasharray="5 3"' if weight < 0 else ""
    place = (
        f'x="{left * zoom}" y="{top * zoom}" width="{width * zoom}" height="{height * zoom}"'
        ' fill="none"'
    )
    outline = (
        f'<rect {place} stroke="{_HALO}" stroke-width="5"/>'
        f'<rect {place} stroke="{hue}" stroke-width="2.5"{dash}/>'
    )
    if not weight:
        return outline
    x, y = (left + width / 2) * zoom, (top + height / 2) * zoom
    sign = "+" if weight > 0 else "\N{MINUS SIGN}"
    times = str(abs(weight)) if abs(weight) > 1 else ""
    return outline + (
        f'<text x="{x:g}" y="{y + 5:g}" text-anchor="middle" font-weight="bold" fill="{hue}"'
        f' stroke="{_HALO}" stroke-width="3" paint-order="stroke">{sign}{times}</text>'
    )


def png(image: NDArray[np.uint8]) -> bytes:
    r"""A grey image as a PNG file, not compressed: so it is the same bytes wherever it is made."""
    height, width = image.shape
    raw = b"".join(b"\0" + row.tobytes() for row in np.ascontiguousarray(image))
    pieces = [raw[i : i + _MOST_STORED] for i in range(0, len(raw), _MOST_STORED)]
    stored = b"".join(
        pack("<BHH", i == len(pieces) - 1, len(piece), len(piece) ^ _MOST_STORED) + piece
        for i, piece in enumerate(pieces)
    )
    data = b"\x78\x01" + stored + pack(">I", zlib.adler32(raw))
    head = pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        map(_chunk, (b"IHDR", b"IDAT", b"IEND"), (head, data, b""))
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    return pack(">I", len(data)) + kind + data + pack(">I", zlib.crc32(kind + data))
