"""What ``make bench-ui`` does in each lab: the cell that shows it, and its actions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator

TABLES = """
import numpy as np
import dtree_lab as dt
rng = np.random.default_rng(0)
x = rng.normal(size=(10_000, 10))
y = x[:, 0] + x[:, 1] * x[:, 2] + rng.normal(size=10_000) / 2 > 0
columns = {**{f"x{i}": x[:, i] for i in range(10)}, "y": np.where(y, "yes", "no")}
large = dt.Table.from_columns(columns, target="y")
"""
LARGE_TREE = """
small = large.take(np.arange(3_000))
lab = dt.TreeBuilder(small)
for _ in range(250):
    if lab.tree.n_nodes < 500:
        lab.act({"do": "next"})
lab.act({"do": "select", "at": "root"})
assert lab.tree.n_nodes >= 500, lab.tree.n_nodes
lab
"""


# A camera's move has no answer of Python's: what counts is that no frame of sixty a second is late.
FLIGHT = "camera over a tree of 500 nodes"
FLIGHT_LIMIT, FLIGHT_FRAMES = 1.2 * 1000 / 60, 240


@dataclass(frozen=True)
class Case:
    """One row of the table.

    Attributes
    ----------
    cell
        Source that ends in the lab.
    act
        The action of a number: one input event that one answer follows.
    limit
        What the 95th percentile may be, in milliseconds.
    begin
        What is done once before.
    """

    name: str
    cell: str
    act: Callable[[Locator, int], None]
    limit: float
    begin: Callable[[Locator], None] = lambda _: None


def _press(shown: Locator, name: str) -> None:
    shown.get_by_role("button", name=name, exact=True).click()


def _choose(shown: Locator, i: int) -> None:
    # At its words: over its middle rows may lie, which pass the click on.
    shown.get_by_role("treeitem").nth(i).click(position={"x": 30, "y": 14})


def _split_and_look(shown: Locator, i: int) -> None:
    """Split at the root, look at a branch, go back up, undo."""
    match i % 4:
        case 0:
            _press(shown, "Best split here")
        case 1:
            _choose(shown, 1)
        case 2:
            _choose(shown, 0)
        case 3:
            _press(shown, "Undo")


def _walk(shown: Locator, i: int) -> None:
    """Walk down a large tree, cut and undo, walk on."""
    key = ["ArrowRight", "ArrowDown", "ArrowRight", None, None, "End", "Home"][i % 7]
    if key:
        shown.locator("[role=treeitem][tabindex='0']").press(key)
    else:
        _press(shown, "Cut back to a leaf" if i % 7 == 3 else "Undo")


def _slider(shown: Locator) -> Locator:
    """The first that is seen: those that walk the rows of a picture are for the keyboard alone."""
    return shown.locator("input[type=range]:not(.dtl-steps):visible").first


def _grab(shown: Locator) -> None:
    slider = _slider(shown)
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    shown.page.mouse.move(box["x"] + box["width"] * 0.3, box["y"] + box["height"] / 2)
    shown.page.mouse.down()


def _drag(shown: Locator, i: int) -> None:
    box = _slider(shown).bounding_box()
    share = 0.3 + 0.5 * (1 + i % 25) / 25
    shown.page.mouse.move(box["x"] + box["width"] * share, box["y"] + box["height"] / 2)


def _slide(shown: Locator, i: int) -> None:
    _slider(shown).press("ArrowLeft" if i % 2 else "ArrowRight")


def _on(shown: Locator, i: int) -> None:
    """Ten steps on, ten back, and so forth."""
    _press(shown, "Forward" if i % 20 < 10 else "Back")


def _cases() -> list[Case]:
    ten = "import dtree_lab as dt\nlab = dt.TreeBuilder(dt.datasets.tax_fraud())\nlab"
    large = f"{TABLES}lab = dt.TreeBuilder(large)\nlab"
    cut = "import dtree_lab as dt\nlab = dt.ThresholdLab()\nlab"
    steps = "import dtree_lab as dt\nlab = dt.StepThrough()\nlab"
    slider = "import dtree_lab as dt\nlab = dt.BiasVarianceLab()\nlab"
    return [
        Case("TreeBuilder, ten rows", ten, _split_and_look, 100),
        Case("TreeBuilder, 10,000 rows x 10 attributes", large, _split_and_look, 100),
        Case("TreeBuilder, a tree of 500 nodes", TABLES + LARGE_TREE, _walk, 100),
        Case("ThresholdLab, dragging", cut, _drag, 100, _grab),
        Case("StepThrough, stepping", steps, _on, 100),
        Case("BiasVarianceLab, a slider", slider, _slide, 300),
    ]


CASES = _cases()
