"""States as short texts that recreate them, for keeping and for handing in.

The text is JSON: the name of the lab, a check sum of its table, and the lab's own settings.
"""

from __future__ import annotations

import json
import zlib
from typing import TYPE_CHECKING, Any

from dtree_lab.shown import plural
from dtree_lab.table import Attribute, Table
from dtree_lab.widgets.kit.taking import origin

if TYPE_CHECKING:
    from collections.abc import Mapping


def fingerprint(table: Table) -> str:
    """A short check sum of a table's attributes and rows; of what a lab took, of the whole."""
    table = origin(table)
    sum_ = 0
    for attribute in (*table.attributes, table.target):
        sum_ = zlib.crc32(repr((attribute.name, attribute.values)).encode(), sum_)
    for column in (*table.columns, table.labels):
        sum_ = zlib.crc32(column.tobytes(), sum_)
    return f"{sum_:08x}"


def fits(mark: object, table: Table) -> bool:
    """Whether a check sum is that of a table.

    Whole numbers of a file that are only names were once read as text; what was kept then, fits.
    """
    table = origin(table)
    once = [_in_digits(a) for a in (*table.attributes, table.target)]
    old = Table(tuple(once[:-1]), once[-1], table.columns, table.labels)
    return mark in (fingerprint(table), fingerprint(old))


def _in_digits(attribute: Attribute) -> Attribute:
    values = attribute.values or ()
    if not all(isinstance(v, int) and not isinstance(v, bool) for v in values):
        return attribute
    return Attribute(attribute.name, attribute.values and tuple(map(str, values)))


def kept(lab: str, table: Table | None, settings: Mapping[str, Any]) -> str:
    """The text of a state.

    Parameters
    ----------
    lab
        The name of the widget, such as ``"ThresholdLab"``.
    table
        The table it shows; None for a lab that makes its own rows.
    settings
        What it takes to make the state again, as plain values.
    """
    mark = {} if table is None else {"table": fingerprint(table)}
    data = {"format": f"dtree_lab.{lab}/1", **mark, **settings}
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def settings(
    text: str, lab: str, table: Table | None, kinds: Mapping[str, type | tuple[type, ...]]
) -> dict[str, Any]:
    """The settings of a text.

    Parameters
    ----------
    text, lab, table
        As for :func:`kept`.
    kinds
        The settings that must be there, and of which type each is.

    Raises
    ------
    ValueError
        For a text that is no state of this lab, one made on another table, or one that is damaged.
    """
    name = f"dtree_lab.{lab}/1"
    try:
        data = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        data = None
    if not isinstance(data, dict) or data.get("format") != name:
        msg = f"state must be a text from .state of a {lab} ({name}); got {_short(text)}"
        raise ValueError(msg)
    if table is not None and not fits(data.get("table"), table):
        whole = origin(table)
        msg = (
            "this state was made on another table: it would mean something else on this one, which"
            f" has {plural(whole.n_rows, 'row')} and the columns {list(whole.names)}"
        )
        raise ValueError(msg)
    for key, kind in kinds.items():
        wanted = kind if isinstance(kind, tuple) else (kind,)
        found = data.get(key)
        right = isinstance(found, wanted) and (bool in wanted or not isinstance(found, bool))
        if key not in data or not right:  # None may be right, but it must be said
            msg = f"the state is damaged: its {key!r} is missing or of the wrong sort"
            raise ValueError(msg)
    return {key: data[key] for key in kinds}


def _short(text: object) -> str:
    shown = repr(text)
    return shown if len(shown) <= 60 else shown[:57] + "..."  # noqa: PLR2004
