"""A state as a short text that recreates it, for keeping and for handing in."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.widgets.kit.keeping import fingerprint, fits, kept, settings
from dtree_lab.widgets.stepthrough.state import SPEEDS, Asked, start

if TYPE_CHECKING:
    from dtree_lab.table import Table
    from dtree_lab.widgets.stepthrough.state import State

LAB = "StepThrough"
_KINDS: dict[str, type | tuple[type, ...]] = {
    "algorithm": str,
    "attribute": (str, type(None)),
    "seed": int,
    "keywords": dict,
    "level": str,
    "speed": str,
    "cursor": int,
    "validation": (str, type(None)),
}


def dump(state: State) -> str:
    """The state as text; a walk that plays is kept where it is."""
    own = {
        "algorithm": state.algorithm,
        "attribute": state.attribute,
        "seed": state.seed,
        "keywords": {name: _plain(v) for name, v in state.keywords.items()},
        "level": state.level,
        "speed": state.speed,
        "cursor": state.cursor,
        "validation": None if state.validation is None else fingerprint(state.validation),
    }
    return kept(LAB, state.table, own)


def _plain(v: Any) -> Any:
    return v.item() if isinstance(v, np.generic) else v


def load(text: str, table: Table, validation: Table | None = None) -> State:
    """The state of a text.

    Raises
    ------
    ValueError
        For a text that is no state, one made on another table or other validation rows, or one
        that is damaged.
    """
    data = settings(text, LAB, table, _KINDS)
    mark = data["validation"]
    if not (mark is None if validation is None else fits(mark, validation)):
        msg = "this state was made with other validation rows: give the same as validation="
        raise ValueError(msg)
    asked = Asked(
        table, validation, data["seed"], data["keywords"], data["algorithm"], data["attribute"]
    )
    state = start(asked, data["level"], kept=True)
    if not 0 <= data["cursor"] <= state.story.end or data["speed"] not in SPEEDS:
        msg = f"the state is damaged: there is no step {data['cursor']} or speed {data['speed']!r}"
        raise ValueError(msg)
    return replace(state, cursor=data["cursor"], speed=data["speed"])
