"""Pictures and text of tables, comparisons and trees, all drawn from one layout.

What a function needs is loaded when it is called, so that text costs no picture, and a picture no
matplotlib.

>>> import dtree_lab as dt
>>> tree = dt.id3(dt.datasets.tax_fraud())
>>> print(dt.draw.text(tree).splitlines()[0])
Marital Status? · 10 rows (7 No, 3 Yes) · 0.881 bits
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from dtree_lab.learn.compare import Comparison
from dtree_lab.learn.differences import Differences
from dtree_lab.table import Table
from dtree_lab.terminal import Text
from dtree_lab.tree import Tree

if TYPE_CHECKING:
    from dtree_lab.draw.as_code import dot as dot
    from dtree_lab.draw.as_code import python as python
    from dtree_lab.draw.as_html import static_figure as static_figure
    from dtree_lab.draw.as_svg import svg as svg
    from dtree_lab.draw.as_text import rules as rules
    from dtree_lab.draw.charts import bars as bars
    from dtree_lab.draw.charts import dots as dots
    from dtree_lab.draw.charts import layered as layered
    from dtree_lab.draw.charts import lines as lines
    from dtree_lab.draw.mpl import plot as plot
    from dtree_lab.draw.scene import layout as layout
    from dtree_lab.draw.style import css_variables as css_variables
    from dtree_lab.draw.telling import alt_text as alt_text

# The modules are named for what they write, so that none stands in the way of a function.
_HOMES = {
    "as_code": ("dot", "python"),
    "as_html": ("static_figure",),
    "as_svg": ("svg",),
    "as_text": ("rules",),
    "charts": ("bars", "dots", "layered", "lines"),
    "mpl": ("plot",),
    "scene": ("layout",),
    "style": ("css_variables",),
    "telling": ("alt_text",),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = sorted([*_HOME, "mimebundle", "text"])  # noqa: PLE0605 - so that it cannot lag behind


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
    from dtree_lab.draw import as_text, table_text  # noqa: PLC0415

    match obj:
        case Tree():
            return Text(as_text.tree_text(obj, most))
        case Table():
            return Text(table_text.table_text(obj, None if most is None else min(most, 10)))
        case Comparison():
            return Text(table_text.comparison_text(obj))
        case Differences():
            return Text(table_text.differences_text(obj, most))
    raise TypeError(_cannot(obj))


def mimebundle(obj: Any) -> dict[str, str]:
    """What a notebook keeps of what :func:`text` can write: its text and its part of a page.

    Raises
    ------
    TypeError
        For anything else.
    """
    from dtree_lab.draw import as_html  # noqa: PLC0415

    match obj:
        case Tree():
            page = as_html.tree_html(obj)
        case Table():
            page = as_html.table_html(obj)
        case Comparison():
            page = as_html.comparison_html(obj)
        case Differences():
            page = as_html.differences_html(obj)
        case _:
            raise TypeError(_cannot(obj))
    return {"text/plain": text(obj), "text/html": page}


def _cannot(obj: object) -> str:
    kinds = "a Table, a Comparison, a Tree or Differences"
    return f"only {kinds} can be shown; got a {type(obj).__name__}"


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    found = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = found  # the next look-up is an ordinary one
    return found


def __dir__() -> list[str]:
    return [*globals(), *__all__]
