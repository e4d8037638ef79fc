"""Where a part of a lab stands: on its stage, beneath it, or in a drawer."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

# What a lab is about is its "hero", where there is room with another picture "beside" it. Together
# they are as high as what is left of the window, and right under them comes what one does with
# them, "act". "side" is a column at their right; "main" comes under them, "above" over, "below"
# last.
Area: TypeAlias = Literal["above", "hero", "beside", "act", "side", "main", "below"]


class Sent:
    """What is sent to the browser by its fields."""

    kind: ClassVar[str] = ""  # what it is called there; if empty, as the class is
    unsent: ClassVar[Collection[str]] = ()  # fields that stay here

    def json(self) -> dict[str, Any]:
        """For the browser."""
        return as_json(self)


@dataclass(frozen=True, kw_only=True)
class Placed(Sent):
    """What all parts have."""

    area: Area = "main"  # where it stands
    # The name of the drawer that it lies in, under all areas: what is not needed at first sight.
    # Drawers stand in the order in which their first parts do; a person opens them.
    drawer: str = ""
    stage: int = 0  # in a demo, how often the key for the next thing is pressed before it is seen


def as_json(thing: Sent, **own: Any) -> dict[str, Any]:
    """The fields of a part or a control for the browser; `own` are those that it has otherwise."""
    taken = {
        key: v if type(v) in _PLAIN else _plain(v)
        for key, v in vars(thing).items()
        if key not in thing.unsent and key not in own
    }
    return {"kind": thing.kind or type(thing).__name__.lower(), **taken, **own}


# What most fields are, and goes as it is.
_PLAIN = {str, int, float, bool, type(None)}


def _plain(v: Any) -> Any:
    if hasattr(v, "json"):
        return v.json()
    if isinstance(v, Sequence) and not isinstance(v, str):
        return [each if type(each) in _PLAIN else _plain(each) for each in v]
    return v


def compact_json(thing: Any) -> str:
    """As JSON without spaces."""
    return json.dumps(thing, ensure_ascii=False, separators=(",", ":"))
