"""A state as a short text that recreates it, for keeping and for handing in.

The text is JSON: the steps in order, each a list such as ``["ask", [0], "Taxable Income", 80]``,
the selected node, and a check sum of the table that they were made on.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any, assert_never

from dtree_lab.shown import plural
from dtree_lab.widgets.treebuilder.actions import Ask, Best, Cut, Finish, Lock, Reset, Select, Step
from dtree_lab.widgets.treebuilder.model import done
from dtree_lab.widgets.treebuilder.state import Reveal, State, start

if TYPE_CHECKING:
    from dtree_lab.table import Table
    from dtree_lab.tree import Path

FORMAT = "dtree_lab.TreeBuilder/1"


def dump(state: State) -> str:
    """The state as text."""
    data = {
        "format": FORMAT,
        "table": fingerprint(state.table),
        "reveal": state.reveal,
        "steps": [_dump(step) for step in state.steps],
        "selected": list(state.selected),
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def load(text: str, table: Table, *, validation: Table | None = None) -> State:
    """The state of a text, by making its steps again.

    Raises
    ------
    ValueError
        For a text that is no state, one made on another table, or a step that cannot be made,
        naming it.
    """
    data = _read(text)
    if data["table"] != fingerprint(table):
        msg = (
            "this state was made on another table: its steps would mean something else on this"
            f" one, which has {plural(table.n_rows, 'row')} and the columns {list(table.names)}"
        )
        raise ValueError(msg)
    reveal: Reveal = data["reveal"]
    state = start(table, validation=validation, reveal=reveal)
    for number, raw in enumerate(data["steps"], start=1):
        try:
            state = done(state, _load(raw))
        except ValueError as error:
            msg = f"step {number}, {raw!r}, cannot be made: {error}"
            raise ValueError(msg) from None
    state = done(state, Select(_path(data["selected"])))
    return replace(state, status="")


def steps_of(text: str) -> list[Step]:
    """The steps that a text holds, without making them; a ValueError for one that is no state."""
    return [_load(raw) for raw in _read(text)["steps"]]


def fingerprint(table: Table) -> str:
    """A short check sum of a table's attributes and rows."""
    sum_ = 0
    for attribute in (*table.attributes, table.target):
        sum_ = zlib.crc32(repr((attribute.name, attribute.values)).encode(), sum_)
    for column in (*table.columns, table.labels):
        sum_ = zlib.crc32(column.tobytes(), sum_)
    return f"{sum_:08x}"


def _read(text: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except (TypeError, ValueError):
        msg = f"state must be a text from .state of a TreeBuilder; got {_short(text)}"
        raise ValueError(msg) from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        msg = f"state must be a text from .state of a TreeBuilder ({FORMAT}); got {_short(text)}"
        raise ValueError(msg)
    wanted = {"table": str, "reveal": str, "steps": list, "selected": list}
    for key, kind in wanted.items():
        if not isinstance(data.get(key), kind):
            msg = f"the state is damaged: its {key!r} is missing or of the wrong sort"
            raise ValueError(msg)  # noqa: TRY004 - the text is wrong, not its type
    return data


def _short(text: object) -> str:
    shown = repr(text)
    return shown if len(shown) <= 60 else shown[:57] + "..."  # noqa: PLR2004


def _dump(step: Step) -> list[Any]:
    match step:
        case Ask(at, attribute, how):
            return ["ask", list(at), attribute, *([] if how is None else [how])]
        case Best(at):
            return ["best", list(at)]
        case Cut(at):
            return ["cut", list(at)]
        case Lock(at):
            return ["lock", list(at)]
        case Finish(recipe):
            return ["finish", recipe]
        case Reset():
            return ["reset"]
        case _:
            assert_never(step)


def _load(raw: Any) -> Step:
    match raw:
        case ["ask", list(at), str(attribute)]:
            return Ask(_path(at), attribute)
        case ["ask", list(at), str(attribute), how]:
            return Ask(_path(at), attribute, how)
        case ["best", list(at)]:
            return Best(_path(at))
        case ["cut", list(at)]:
            return Cut(_path(at))
        case ["lock", list(at)]:
            return Lock(_path(at))
        case ["finish", str(recipe)]:
            return Finish(recipe)
        case ["reset"]:
            return Reset()
    msg = f"the state is damaged: {raw!r} is no step"
    raise ValueError(msg)


def _path(raw: Any) -> Path:
    if not all(type(branch) is int for branch in raw):
        msg = f"the state is damaged: {raw!r} is no path"
        raise ValueError(msg)
    return tuple(raw)
