"""The best cut of continuous attributes at every node of a level.

All continuous columns are handled together, a row of an array each, because a small table costs
mostly the number of numpy's calls. There are two ways to the same costs: by counting, while nodes
and values are few (:mod:`~dtree_lab.learn.counted`), and by order (:mod:`~dtree_lab.learn.walked`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.criteria import n_log_n
from dtree_lab.learn.counted import Counted, Counting
from dtree_lab.learn.level import Best, stable_order
from dtree_lab.learn.lineup import Lineup, Race
from dtree_lab.learn.numbers import NumberRace
from dtree_lab.learn.ranks import AT_A_TIME, FEW, Ranked
from dtree_lab.learn.walked import Walking, in_order, parted
from dtree_lab.variance import Variance

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from dtree_lab.learn.asked import Asked
    from dtree_lab.learn.level import Level
    from dtree_lab.learn.lineup import Found
    from dtree_lab.learn.recipe import Recipe

    Ints = NDArray[Any]

# Up to so many cells are counted rather than sorted, however few the rows.
_FEW_CELLS = 1 << 14
# Walking past a row costs as much as this many cells.
_CELLS_PER_ROW = 2


@dataclass
class Cuts:
    """Continuous columns of a table, made ready.

    Attributes
    ----------
    place
        The rank of each row's value among the distinct ones of its column; ``(n_columns, n)``.
    sizes
        How many values each column has.
    distinct
        Whether no column has a value twice.
    n_values
        How many values all columns have.
    order
        The rows by place, unless these are to be counted first; once they are walked through,
        those at open nodes by (node, place). Shape ``(n_columns, m)``.
    walked
        Whether they are.
    parts
        Columns that have been counted.
    """

    place: Ints
    sizes: Ints
    distinct: bool
    n_values: int
    order: Ints | None = None
    walked: bool = False
    parts: dict[tuple[int, int], Counted] = field(default_factory=dict)

    @classmethod
    def of(cls, columns: Sequence[Ranked]) -> Cuts:
        """Put some columns together."""
        place = np.array([one.place for one in columns])
        sizes = [len(one.values) for one in columns]
        orders = [one.order for one in columns if one.order is not None]
        many = len(orders) == len(columns) and min(sizes) > FEW  # few values are counted first
        order = np.array(orders) if many else None
        n_values = sum(sizes)
        return cls(place, np.array(sizes), n_values == place.size, n_values, order)

    @cached_property
    def cells(self) -> Ints:
        """Each row's values among those of all columns, one after the other."""
        begin = self.sizes.cumsum() - self.sizes
        kind = np.uint16 if self.n_values <= 1 << 16 else np.int64
        cells: Ints = self.place.astype(kind) + begin[:, None].astype(kind)
        return cells

    def counted(self, part: slice) -> Counted:
        """Some columns, made ready to be counted."""
        key = part.start, part.stop
        if key not in self.parts:
            sizes = self.sizes[part]
            before = int(self.sizes[: part.start].sum())
            owner = np.arange(len(sizes)).repeat(sizes)
            lineup = Lineup(sizes.cumsum() - sizes, sizes, len(owner), by_node=True)
            self.parts[key] = Counted(self.cells[part], before, owner, lineup)
        return self.parts[key]

    def best(self, level: Level, recipe: Recipe) -> Best:
        """The best cut of each column at each node, or the best of all where gain decides."""
        criterion = recipe.criterion
        cells = level.n * self.n_values * level.stats.shape[1]
        few = cells <= max(_CELLS_PER_ROW * level.m * len(self.place), _FEW_CELLS)
        way: Counting | Walking
        if few and not self.walked:
            way = Counting(self, level, criterion, recipe.min_side)
            parts = self._parts(max(level.m, cells // len(self.place)))
        else:
            parts = self._parts(level.m)
            self._stand(level)
            way = Walking(self, level, criterion, recipe.min_side)
        if isinstance(criterion, Variance):
            race: Race = NumberRace(way.level, recipe, criterion)
        else:
            race = Race(way.level, recipe)
        found = [way.best(part, race) for part in parts]
        one, *more = found
        if not more and not race.every and len(one.node) == level.n and way.level is level:
            # Each node has its cut, and they are in order.
            return Best(one.after[None], None, None, one.column[None], one.ends[:, None])
        return self._spread(found, parts, level, every=race.every)

    def _spread(self, found: list[Found], parts: list[slice], level: Level, *, every: bool) -> Best:
        """What was found of some columns at some nodes, told for all."""
        splits = np.zeros((5, len(self.place) if every else 1, level.n), dtype=np.int64)
        splits[0] = -1
        for part, one in zip(parts, found, strict=True):
            column = one.column + part.start
            line = column if every else 0
            splits[:, line, one.node] = one.after, one.below, column, *one.ends
        after, below, column = splits[:3]
        telling = _telling(below, level) if every else None
        return Best(after, telling, column=column, ends=splits[3:])

    def side(self, rows: Ints, node: Ints, asked: Asked, first: int) -> Ints:
        """The branch of some rows: 0 below the cut, 1 above.

        Parameters
        ----------
        rows, node
            The rows of the table, and their nodes.
        asked, first
            What the nodes ask; the columns count from `first`.
        """
        column = asked.column.take(node) - first
        # Ranks are in the order of the values, and a cut lies between those of two neighbours.
        place = self.place.ravel().take(column * self.place.shape[1] + rows)
        side: Ints = (place > asked.ends[0].take(node)).astype(np.int64)
        return side

    def _parts(self, per_column: int) -> list[slice]:
        d, step = len(self.place), max(1, AT_A_TIME // per_column)
        return [slice(i, min(i + step, d)) for i in range(0, d, step)]

    def _stand(self, level: Level) -> None:
        """Bring the order up to date."""
        n_rows = self.place.shape[1]
        if self.order is None:
            self.order = stable_order(self.place, int(self.sizes.max())).astype(np.int32)
        parts = self._parts(self.order.shape[1])
        if self.walked:
            self.order = parted(self.order, level, n_rows, parts)
        elif level.n > 1 or level.m < n_rows:
            self.order = in_order(self.order, level, parts)
        self.walked = True


def _telling(below: Ints, level: Level) -> Ints:
    """What it costs to tell two sides apart, in entropy ticks."""
    log = n_log_n(int(level.sizes.max()))
    telling: Ints = log[level.sizes] - log[below] - log[level.sizes - below]
    return telling
