"""Pictures and text of tables, comparisons and trees, all drawn from one layout.

What a function needs is loaded when it is called, so that text costs no picture, and a picture no
matplotlib.

>>> import dtree_lab as dt
>>> tree = dt.id3(dt.datasets.tax_fraud())
>>> print(dt.draw.text(tree).splitlines()[0])
Marital Status? · 10 rows (7 No, 3 Yes) · 0.881 bits
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from dtree_lab.base.terminal import Text
from dtree_lab.base.text import Tabled
from dtree_lab.draw.as_code import dot, python
from dtree_lab.draw.as_html import (
    comparison_html,
    differences_html,
    shown_html,
    static_figure,
    table_html,
    tree_html,
)
from dtree_lab.draw.as_sql import sql
from dtree_lab.draw.as_svg import svg
from dtree_lab.draw.as_text import (
    comparison_text,
    differences_text,
    rules,
    shown_text,
    table_text,
    tree_text,
)
from dtree_lab.draw.charts import bars, dots, layered, lines
from dtree_lab.draw.layout import layout
from dtree_lab.draw.style import css_variables
from dtree_lab.draw.words import alt_text
from dtree_lab.grow.compare import Comparison
from dtree_lab.table.table import Table
from dtree_lab.tree.differences import Differences
from dtree_lab.tree.tree import Tree

if TYPE_CHECKING:
    from dtree_lab.draw.mpl import plot

__all__ = [
    "alt_text",
    "bars",
    "css_variables",
    "dot",
    "dots",
    "layered",
    "layout",
    "lines",
    "mimebundle",
    "plot",
    "python",
    "rules",
    "sql",
    "static_figure",
    "svg",
    "text",
]


def text(obj: Any, *, most: int | None = 60) -> str:
    """A table, a comparison, a tree or what differs between two trees, as text.

    Parameters
    ----------
    obj
        What to write.
    most
        About how many lines; what is left out is counted. ``None`` writes all of it.

    Raises
    ------
    TypeError
        For anything else.
    """
    match obj:
        case Tree():
            return Text(tree_text(obj, most))
        case Table():
            return Text(table_text(obj, None if most is None else min(most, 10)))
        case Comparison():
            return Text(comparison_text(obj))
        case Differences():
            return Text(differences_text(obj, most))
        case Tabled():
            return Text(shown_text(obj.shown_table(), most))
    raise TypeError(_cannot(obj))


def mimebundle(obj: Any) -> dict[str, str]:
    """What a notebook keeps of what :func:`text` can write: its text and its part of a page.

    Raises
    ------
    TypeError
        For anything else.
    """
    pages: dict[type, Callable[[Any], str]] = {
        Tree: tree_html,
        Table: table_html,
        Comparison: comparison_html,
        Differences: differences_html,
    }
    for kind, page in pages.items():
        if isinstance(obj, kind):
            return {"text/plain": text(obj), "text/html": page(obj)}
    if isinstance(obj, Tabled):
        from dtree_lab.draw.measures import chart_of  # noqa: PLC0415 - needed by few

        drawn = chart_of(obj)
        inner = shown_html(obj.shown_table()) if drawn is None else drawn.html
        return {"text/plain": repr(obj), "text/html": inner}
    raise TypeError(_cannot(obj))


def _cannot(obj: object) -> str:
    kinds = "a Table, a Comparison, a Tree or Differences"
    return f"only {kinds} can be shown; got a {type(obj).__name__}"


def __getattr__(name: str) -> Any:
    """`plot` is loaded when it is first used, and matplotlib with it."""
    if name != "plot":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from dtree_lab.draw.mpl import plot  # noqa: PLC0415

    return plot


def __dir__() -> list[str]:
    return [name for name in __all__ if name != "plot" or find_spec("matplotlib") is not None]
