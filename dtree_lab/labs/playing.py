"""A recorded lab as part of a page, or as a page of its own: it plays where no Python runs."""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from dtree_lab.base.terminal import terminal
from dtree_lab.base.text import html, plural
from dtree_lab.labs import assets
from dtree_lab.labs.kit.recording import Record

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ margin: 1em auto; max-width: 80em; padding: 0 1em; font-family: sans-serif; }}
</style>
</head>
<body>
<main>
{part}
</main>
</body>
</html>
"""


@dataclass(frozen=True)
class Recording:
    """What ``lab.record()`` gives.

    As the last line of a cell it is shown and plays there; in an export of the notebook it plays
    without Python, and a saved page needs no network.

    Attributes
    ----------
    title
        That of the lab.
    record
        Its views, and which action leads from one to which other.
    still
        The page that stays where no scripts run.
    """

    title: str
    record: Record = field(repr=False)
    still: str = field(repr=False)

    @terminal
    def __repr__(self) -> str:
        end = "" if self.record.whole else "; what its controls lead to beyond is left out"
        return f"{self.title}: a recording of {plural(len(self.record.views), 'view')}{end}."

    def _repr_html_(self) -> str:
        return self.part(f"lab{zlib.crc32(self.still.encode()):08x}")

    def part(self, name: str) -> str:
        """As part of a page; `name` is what the lab is called in the page's address."""
        data = f"d{zlib.crc32(self.still.encode()):08x}"
        return box(name, self.still, data) + kept_data(data, self.record.base64()) + player()

    def save(self, path: str | Path) -> Path:
        """Write a page of its own, which plays without a network.

        Parameters
        ----------
        path
            The file, such as ``"tree.html"``. One that is there is replaced.

        Returns
        -------
        pathlib.Path
            The file.
        """
        file = Path(path)
        page = _PAGE.format(title=html(self.title), part=self.part("lab"))
        file.write_text(page, encoding="utf-8")
        return file


def box(name: str, still: str, data: str) -> str:
    """Where a lab plays, in a page that has its data, which labs may share, and the player."""
    kept = f'<div class="dtl-kept dtl-static">{still}</div>'
    return f'<div class="dtl-play" data-lab="{html(name)}" data-record="{data}">{kept}</div>'


def kept_data(name: str, text: str) -> str:
    """The data of a record, by the name that boxes know them by."""
    return _script(f"dtl-record dtl-{name}", text)


def player() -> str:
    """What plays the labs of a page, once for all of them."""
    play = f'<script type="module">{assets.asset_text(assets.PLAYER)}</script>'
    return _script("dtl-code", code()) + play


@cache
def code() -> str:
    """The labs' browser code for the player: deflated, as base64."""
    texts = {name: assets.asset_text(name) for name in assets.asset_names()}
    return base64.b64encode(zlib.compress(json.dumps(texts).encode(), 9)).decode()


def _script(name: str, text: str) -> str:
    """Data in a page; base64 has nothing that could end the element."""
    return f'<script type="text/plain" class="{name}">{text}</script>'
