"""A state as a short text that recreates it; nodes are told by their numbers in the full tree."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dtree_lab.widgets.kit.keeping import fingerprint, fits, kept, settings
from dtree_lab.widgets.pruning.ground import prepared
from dtree_lab.widgets.pruning.model import LEAST_CF, MOST_CF
from dtree_lab.widgets.pruning.state import State, check_method

if TYPE_CHECKING:
    from dtree_lab.table import Table
    from dtree_lab.widgets.pruning.ground import Ground

LAB = "PruningLab"
_KINDS: dict[str, type | tuple[type, ...]] = {
    "validation": str,
    "seed": int,
    "method": str,
    "cf": (int, float),
    "cuts": list,
    "on": bool,
    "faded": bool,
    "at": int,
    "row": (int, type(None)),
}


def dump(state: State) -> str:
    """The state as text."""
    own = {name: getattr(state, name) for name in ("method", "cf", "on", "faded", "at", "row")}
    rows = {"validation": fingerprint(state.ground.validation), "seed": state.ground.seed}
    return kept(LAB, state.ground.given, {**rows, **own, "cuts": list(state.cuts)})


def load(text: str, table: Table | None = None, validation: Table | None = None) -> State:
    """The state of a text.

    Raises
    ------
    ValueError
        For a text that is no state of this lab, one made on other rows, or one that is damaged.
    """
    seed = settings(text, LAB, None, {"seed": int})["seed"]
    ground = prepared(table, validation, seed)
    data = settings(text, LAB, ground.given, _KINDS)
    if not fits(data.pop("validation"), ground.validation):
        msg = "this state was made with other validation rows; give the same ones"
        raise ValueError(msg)
    del data["seed"]
    check_method(data["method"])
    if not LEAST_CF <= data["cf"] <= MOST_CF:
        raise _damaged("cf", data["cf"])
    state = State(ground, **{**data, "cuts": _cuts(ground, data["cuts"])})
    rows = len(ground.validation)
    if not 0 <= state.at < ground.flat.n_nodes:
        raise _damaged("at", state.at)
    if state.row is not None and not 0 <= state.row < rows:
        raise _damaged("row", state.row)
    return state if state.faded else replace(state, at=int(state.covered[state.at]))


def _cuts(ground: Ground, given: list[Any]) -> tuple[int, ...]:
    """The cuts, each of which must be possible after those before it."""
    standing = ground.standing("validation")
    for node in given:
        fits = type(node) is int and 0 <= node < ground.flat.n_nodes
        if not (fits and standing.asks[node]):
            raise _damaged("cuts", node)
        standing.cut(node)
    return tuple(given)


def _damaged(name: str, value: object) -> ValueError:
    return ValueError(f"the state is damaged: its {name!r} cannot be {value!r:.40}")
