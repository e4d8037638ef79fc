"""The first page's pictures: a lab that plays, and one picture of each lesson."""

from __future__ import annotations

import base64
import re
import shutil
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

from coursesite.played import Played, hashed
from dtree_lab.labs.playing import box, kept_data, player

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from coursesite.lesson import Lesson

# The lab of the first page, by this name among those that are recorded.
LAB = "front"
CODE = """import dtree_lab as dt
table = dt.datasets.tax_fraud()
builder = dt.TreeBuilder(table, tree=dt.id3(table, max_depth=1))
builder.act({"do": "select", "part": "tree", "at": "0"})
builder"""
# Where it is not recorded, pictures of it, one of them moving.
MOVING, STILL = "treebuilder.gif", "treebuilder.png"
ALT = "A tree is grown by hand, question by question, until no row is wrong"
IMAGES = Path(__file__).parents[3] / "docs/images"
# The picture of each lesson: how the words begin that stand for it. The exam has none.
PICTURES = {
    "00-start-here": "Decision tree for Umbrella: 6",
    "01-tax-fraud": "Decision tree for Cheat: 7",
    "02-entropy": "The entropy of two classes",
    "03-word-senses": "Decision tree for sense: 6",
    "04-expressiveness": "Decision tree for xor: 15",
    "05-thresholds": "150 points in the plane",
    "06-pruning": "Decision tree for side: 93",
    "07-bias-variance": "Error of single trees",
    "08-regression": "The eight flats and three trees",
    "09-boosting": "100 points in a square",
    "10-forests": "Trees that vote on row 1",
    "labs": "The rows of each class of Cheat",
}
_IMAGE = re.compile(r'<img alt="([^"]*)" src="data:image/svg\+xml;base64,([^"]+)"')
_SENTENCE = re.compile(r".+?[.:](?= |$)")


@dataclass(frozen=True)
class Picture:
    """A picture of a lesson, and the words that stand for it."""

    alt: str
    svg: str


def picture_of(lesson: Lesson) -> Picture:
    """The picture that is a lesson's on the first page."""
    begins = PICTURES[lesson.name]
    for cell in lesson.notebook.cells:
        for output in cell.get("outputs", ()):
            for alt, data in _IMAGE.findall(output.get("data", {}).get("text/html", "")):
                if unescape(alt).startswith(begins):
                    sentence = _SENTENCE.match(unescape(alt))
                    short = sentence[0] if sentence else unescape(alt)
                    return Picture(short, base64.b64decode(data).decode("utf-8"))
    raise LookupError(f"{lesson.name} has no picture whose words begin with {begins!r}")


def pictures(found: Sequence[Lesson], out: Path) -> dict[str, Picture]:
    """Write the lessons' pictures into a folder, and those of the lab; by the lessons' names."""
    out.mkdir(exist_ok=True)
    shown = {lesson.name: picture_of(lesson) for lesson in found if lesson.name in PICTURES}
    for name, picture in shown.items():
        (out / f"{name}.svg").write_text(picture.svg, encoding="utf-8", newline="\n")
    for name in (MOVING, STILL):
        shutil.copy(IMAGES / name, out)
    return shown


def lab(labs: Mapping[str, Played]) -> tuple[str, str]:
    """The lab of the first page, and what stands at its end; where none plays, its picture."""
    if LAB in labs:
        name = hashed(labs[LAB].data)
        return box(LAB, labs[LAB].still, name), kept_data(name, labs[LAB].data) + player()
    still = f'<source media="(prefers-reduced-motion: reduce)" srcset="pictures/{STILL}">'
    return f'<picture>{still}<img src="pictures/{MOVING}" alt="{ALT}"></picture>', ""
