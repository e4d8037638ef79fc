"""Where a part of a lab stands: on its stage, beneath it, or in a drawer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

# What a lab is about is its "hero", where there is room with another picture "beside" it. Together
# they are as high as what is left of the window, and right under them comes what one does with
# them, "act". "side" is a column at their right; "main" comes under them, "above" over, "below"
# last.
Area: TypeAlias = Literal["above", "hero", "beside", "act", "side", "main", "below"]


@dataclass(frozen=True, kw_only=True)
class Placed:
    """What all parts have."""

    area: Area = "main"  # where it stands
    # The name of the drawer that it lies in, under all areas: what is not needed at first sight.
    # Drawers stand in the order in which their first parts do; a person opens them.
    drawer: str = ""
    stage: int = 0  # in a demo, how often the key for the next thing is pressed before it is seen

    def _json(self, kind: str, **more: Any) -> dict[str, Any]:
        own = {"area": self.area, "drawer": self.drawer, "stage": self.stage}
        return {"kind": kind, **own, **more}
