"""The state of an expressiveness lab: everything that the widget is, frozen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dtree_lab.theory.counting import whole
from dtree_lab.widgets.expressiveness.concept import NONE, Concept, Grown, known
from dtree_lab.widgets.expressiveness.laws import FUNCTIONS, MOST_N
from dtree_lab.widgets.kit.taking import classified

if TYPE_CHECKING:
    from dtree_lab.table import Table
    from dtree_lab.tree import Path

OWN = "own"


@dataclass(frozen=True, eq=False)
class State:
    """Everything that the widget is; `start` makes the first one.

    Attributes
    ----------
    given
        The table that was handed in, and the function it shows; None for neither.
    function
        What is looked at: a function's name, or ``"own"`` for the given table.
    n
        How many attributes a named function has.
    feature
        The derived attribute: ``"none"``, ``"parity"`` or ``"sum"``.
    logarithmic
        Whether the figure's scale of internal nodes is logarithmic.
    selected
        The node of the tree that is looked at.
    row
        The row that is followed through the tree, counted from 0, or None.
    begun
        The function and the n that starting over returns to.
    status
        What changed.
    """

    given: tuple[Table, Concept] | None
    function: str
    n: int
    begun: tuple[str, int]
    feature: str = NONE
    logarithmic: bool = True
    selected: Path = ()
    row: int | None = None
    status: str = ""

    @property
    def concept(self) -> Concept:
        """The function that is looked at."""
        if self.function == OWN and self.given is not None:
            return self.given[1]
        return known(self.function, self.n)

    @property
    def grown(self) -> Grown:
        """The table with the derived attribute, and its tree."""
        return self.concept.grown(self.feature)

    @property
    def table(self) -> Table | None:
        """The table that was handed in."""
        return None if self.given is None else self.given[0]


def start(table: Table | None = None, *, n: int = 3, function: str = "xor") -> State:
    """The state before anything was done.

    Raises
    ------
    TypeError
        For what is no table.
    ValueError
        For a table without a discrete target, for an n that is not from 1 to 8, or another
        function.
    """
    n = whole("n", n, 1, MOST_N)
    if function not in FUNCTIONS:
        msg = f"function={function!r} must be one of {', '.join(map(repr, FUNCTIONS))}"
        raise ValueError(msg)
    if table is None:
        return State(None, function, n, (function, n))
    table = classified(table)
    return State((table, Concept.of(table)), OWN, n, (OWN, n))
