"""Points in the plane: those of a preset or a table, with what a person adds and takes away."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from dtree_lab.draw.chart import Axis
from dtree_lab.populations import checkerboard, circle, diagonal, plane
from dtree_lab.table import Attribute, Table
from dtree_lab.widgets.kit.actions import NotPossibleError
from dtree_lab.widgets.kit.taking import given, row_number

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtree_lab.populations.plane import Plane

Derived: TypeAlias = Literal["none", "sum", "difference"]
# What was done to the points: ("add", x, y, class), ("remove", row), ("preset", name, n, seed) or
# ("clear",).
Edit: TypeAlias = tuple[Any, ...]
Ends: TypeAlias = tuple[float, float]

MOST_EDITS, LEAST_POINTS, MOST_POINTS = 300, 20, 300
_TARGET = Attribute("class", ("A", "B", "C"))
_AXES = (Attribute("x1"), Attribute("x2"))
_STEPS = 4


def _above_stairs(x1: Any, x2: Any) -> Any:
    """Above a boundary that is itself a staircase, of four steps."""
    return x2 > 1 - (np.floor(x1 * _STEPS) + 0.5) / _STEPS


def _everywhere(x1: Any, _: Any) -> Any:
    return np.ones(np.shape(x1), dtype=bool)


PRESETS: dict[str, tuple[str, Plane]] = {
    "diagonal": ("a diagonal", diagonal(noise=0)),
    "noisy": ("a diagonal, 10 % noise", diagonal(noise=0.1)),
    "staircase": ("a staircase", plane(_above_stairs, noise=0)),
    "xor": ("XOR", checkerboard(noise=0)),
    "circle": ("a circle", circle(noise=0)),
    "noise": ("coin tosses", plane(_everywhere, noise=0.5)),
}


@dataclass(frozen=True, eq=False)
class Rows:
    """Some points, each with a class; there may be none.

    Attributes
    ----------
    axes, target
        The two attributes, and the class.
    x, y, labels
        One entry for each point.
    frame
        From where to where the axes go; None for the unit square.
    preset
        Where they were drawn from; the empty text if nowhere.
    numbers
        What each point is called, where some rows of a table are not among them; None for its place
        in the list, from 1.
    last
        The last number that was given to any.
    """

    axes: tuple[Attribute, Attribute]
    target: Attribute
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    labels: NDArray[np.int32]
    frame: tuple[Ends, Ends] | None = None
    preset: str = ""
    numbers: tuple[int, ...] | None = None
    last: int = 0

    def __len__(self) -> int:
        """How many points."""
        return len(self.x)

    def number(self, point: int) -> int:
        """What a point is called: the number of its row in the table, or its place."""
        return point + 1 if self.numbers is None else self.numbers[point]

    def middle(self, axis: int) -> float:
        """The middle of an axis, as short as it can be told."""
        low, high = (0.0, 1.0) if self.frame is None else self.frame[axis]
        return float(f"{low / 2 + high / 2:.3g}")

    @cached_property
    def _tables(self) -> dict[Derived, Table]:
        return {}

    def table(self, derived: Derived = "none") -> Table | None:
        """The points as a table, with a derived feature if wanted; None where there are none."""
        if not len(self):
            return None
        if derived not in self._tables:
            self._tables[derived] = self.as_table(self.x, self.y, self.labels, derived)
        return self._tables[derived]

    def as_table(
        self, x: NDArray[Any], y: NDArray[Any], labels: NDArray[Any], derived: Derived
    ) -> Table:
        """Other points in the same plane."""
        attributes: tuple[Attribute, ...] = self.axes
        columns: tuple[NDArray[Any], ...] = (x.copy(), y.copy())
        if derived != "none":
            attributes = (*attributes, Attribute(derived_name(self, derived)))
            columns = (*columns, x + y if derived == "sum" else x - y)
        return Table(attributes, self.target, columns, labels.copy())

    def edited(self, edit: Edit) -> Rows:
        """The points after something was done to them.

        Raises
        ------
        ValueError
            For what cannot be done, saying why.
        """
        match edit:
            case ("add", float(x), float(y), int(k)) if 0 <= k < self.target.n_values:
                labels = np.append(self.labels, np.int32(k))
                numbers = None if self.numbers is None else (*self.numbers, self.last + 1)
                x_, y_, last = np.append(self.x, x), np.append(self.y, y), self.last + 1
                return replace(self, x=x_, y=y_, labels=labels, numbers=numbers, last=last)
            case ("remove", int(row)) if 0 <= row < len(self):
                kept = np.arange(len(self)) != row
                named = self.numbers
                numbers = None if named is None else (*named[:row], *named[row + 1 :])
                labels = self.labels[kept]
                return replace(self, x=self.x[kept], y=self.y[kept], labels=labels, numbers=numbers)
            case ("clear",):
                none = self.x[:0], self.y[:0], self.labels[:0]
                fresh = Rows(self.axes, self.target, *none, frame=self.frame)
                numbers = None if self.numbers is None else ()
                return replace(fresh, numbers=numbers, last=self.last)
            case ("preset", str(name), int(n), int(seed)) if name in PRESETS:
                if self.frame is None and LEAST_POINTS <= n <= MOST_POINTS and 0 <= seed < 2**32:
                    return drawn(name, n, seed)
        msg = f"{list(edit)!r} is nothing that can be done to these {len(self)} points"
        raise NotPossibleError(msg)


def drawn(preset: str, n: int, seed: int) -> Rows:
    """Points of a preset, drawn at random; the same seed draws the same."""
    sample = PRESETS[preset][1].sample(n, seed=seed)
    x, y = (np.round(column, 3) for column in sample.columns)
    return Rows(_AXES, _TARGET, x, y, sample.labels, preset=preset)


def of(table: Table, x: str, y: str) -> Rows:
    """The points of a table, by two of its continuous attributes; each keeps its row's number."""
    i, j = table.index(x), table.index(y)
    axes = table.attributes[i], table.attributes[j]
    columns = table.columns[i], table.columns[j]
    frame = [Axis.around("", column[np.isfinite(column)].tolist()) for column in columns]
    ends = [(axis.low, axis.high) for axis in frame]
    numbers = None
    if given(table) is not table:
        numbers = tuple(row_number(table, row) for row in range(table.n_rows))
    found = Rows(axes, table.target, *columns, table.labels, (ends[0], ends[1]))
    return replace(found, numbers=numbers, last=given(table).n_rows)


def derived_name(rows: Rows, derived: Derived) -> str:
    """``x1 + x2`` or ``x1 - x2``."""
    x, y = (axis.name for axis in rows.axes)
    return f"{x} {'+' if derived == 'sum' else '-'} {y}"


def truth(rows: Rows, derived: Derived, side: int = 50) -> Table | None:
    """The best answers at the middles of small squares; None where no boundary is known."""
    if rows.preset in ("", "noise"):
        return None
    grid = PRESETS[rows.preset][1].grid(side)
    return rows.as_table(grid.columns[0], grid.columns[1], grid.labels, derived)
