"""One lab as a lecture needs it: :func:`demo`."""

from __future__ import annotations

from typing import Any, overload

from dtree_lab.base.terminal import terminal
from dtree_lab.labs.catalogue import find_lab, lab_list
from dtree_lab.table.table import Table


class Listing:
    """The names of the labs, shown as text."""

    @terminal
    def __repr__(self) -> str:
        return lab_list()


@overload
def demo(name: None = None) -> Listing: ...


@overload
def demo(name: str, table: Table | None = None, *, state: str | None = None) -> Any: ...


def demo(name: str | None = None, table: Table | None = None, *, state: str | None = None) -> Any:
    """A lab for a live demo: large type, and keys that reveal one thing after the other.

    Page Down, or n, shows the next thing; Page Up, or b, goes back; r starts over. Buttons do the
    same. The command ``dtree-lab demo NAME`` shows a lab on a page of its own.

    Parameters
    ----------
    name
        The short name of a lab, such as ``"tree"``, or the name of its class. Without one, the
        labs are listed.
    table
        The rows; if None, those that the lab brings.
    state
        A text from the `state` of such a lab on that table, to begin there.

    Returns
    -------
    Lab
        The lab, to be shown as the last line of a cell.

    Raises
    ------
    ValueError
        For an unknown name, or whatever the lab does not accept: a table that it cannot show, the
        state of another lab or table.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> lab = dt.demo("tree")
    >>> lab.demo
    True
    """
    if name is None:
        return Listing()
    lab = find_lab(name).opened(table, state)
    lab.demo = True
    return lab
