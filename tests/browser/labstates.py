"""Many states of every lab, as Python tells them: reached by acts that a person can do."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from random import Random
from typing import Any

from effort import profile

from dtree_lab.labs.catalogue import LABS, Entry

# What the eye caught once, as acts: they come first, and by hand.
BUILT = [{"do": "best"}, {"do": "select", "at": "1"}, {"do": "best"}]
BESIDE = [
    {"do": "set", "control": "follow", "value": "all training"},
    {"do": "set", "control": "compare", "value": "ID3"},
]
FIRST: dict[str, list[dict[str, Any]]] = {
    "TreeBuilder": [*BUILT, *BESIDE],
    "StepThrough": [
        {"do": "set", "control": "algorithm", "value": "threshold"},
        *({"do": "set", "control": "step", "value": i} for i in range(1, 12)),
        {"do": "set", "control": "algorithm", "value": "id3"},
        *({"do": "set", "control": "step", "value": i} for i in range(1, 20, 3)),
        {"do": "set", "control": "algorithm", "value": "gradient_boosting"},
        {"do": "set", "control": "step", "value": 3},
        {"do": "set", "control": "step", "value": 4},
    ],
    "ForestLab": [
        {"do": "next"},
        {"do": "set", "control": "row", "value": 40},
        {"do": "pick", "part": "wall", "row": 9},
        {"do": "set", "control": "beside", "value": "worth"},
    ],
    "PruningLab": [
        {"do": "set", "control": "method", "value": "reduced_error"},
        {"do": "set", "control": "size", "value": 11},
    ],
    "DecisionLab": [
        {"do": "next"},
        {"do": "answer"},
        {"do": "set", "control": "group", "value": "Marital Status"},
        {"do": "pick", "part": "groups", "row": 1},
    ],
    "ThresholdLab": [{"do": "best"}, *({"do": "lower"} for _ in range(4))],
}

# So that an act does not take long.
FEW = {"BiasVarianceLab": {"resamples": 5}, "ForestLab": {"trees": 10}}


def stories(by_chance: int, seed: int = 1) -> dict[str, list[tuple[str, str]]]:
    """The states of each lab, each with the act that led there.

    After those above come so many that chance picks among the controls that are there.
    """
    return {
        entry.cls: [(act, lab.told) for act, lab in walk(entry, by_chance, seed)] for entry in LABS
    }


def walk(entry: Entry, by_chance: int, seed: int = 1) -> Iterator[tuple[str, Any]]:
    """A lab as it opens and after each act, with the act that led there."""
    lab = entry.opened(**({} if profile() == "thorough" else FEW.get(entry.cls, {})))
    chance = Random(f"{entry.cls} {seed}")  # noqa: S311 - no secret
    yield "as it opens", lab
    first = FIRST.get(entry.cls, [])
    for act in chain(first, (_any(lab.view, chance) for _ in range(by_chance))):
        lab.act(act)
        yield f"after {act}", lab


def _any(view: dict[str, Any], chance: Random) -> dict[str, Any]:
    """One of the acts that a view offers."""
    offered = [act for part in view["parts"] for act in _of(part, chance)]
    return chance.choice(offered)


def _of(part: dict[str, Any], chance: Random) -> list[dict[str, Any]]:
    match part:
        case {"kind": "controls" | "toolbar", "controls": controls}:
            return [act for one in controls if (act := _control(one, chance))]
        case {"kind": "picture", "slider": {"id": id_}, "frame": {"x": [low, high]}}:
            return [{"do": "set", "control": id_, "value": chance.uniform(low, high)}]
        case {"kind": "tree", "id": id_, "tree": {"cards": cards}}:
            return [{"do": "select", "part": id_, "at": chance.choice(cards)["id"]}]
        case {"kind": "wall", "id": id_, "tiles": tiles}:
            return [{"do": "pick", "part": id_, "row": chance.randrange(len(tiles))}]
        case {"kind": "grid", "pick": True, "id": id_, "rows": rows} if rows:
            return [{"do": "pick", "part": id_, "row": chance.randrange(len(rows))}]
    return []


def _control(one: dict[str, Any], chance: Random) -> dict[str, Any] | None:
    match one:
        case {"kind": "slider", "id": id_, "low": low, "high": high, "step": step}:
            steps = max(1, round((high - low) / step)) if step else 50
            value = low + (high - low) / steps * chance.randrange(steps + 1)
            return {"do": "set", "control": id_, "value": value}
        case {"kind": "choice" | "thumbnails", "id": id_, "options": options}:
            return {"do": "set", "control": id_, "value": chance.choice(options)[0]}
        case {"kind": "toggle", "id": id_, "value": value}:
            return {"do": "set", "control": id_, "value": not value}
        case {"kind": "menu", "id": id_, "enabled": True, "options": options}:
            return {"do": id_, "option": chance.choice(options)}
        case {"kind": "button", "id": id_, "enabled": True}:
            return {"do": id_}
    return None
