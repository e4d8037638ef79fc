"""Where the axes stand in the picture, and what is put at a place in it."""

from __future__ import annotations

from dataclasses import dataclass

from dtree_lab.draw.element import Element

# Around a picture, a tick's length, a line of the legend, and the sample of a line in it.
AIR, TICK, KEY, SAMPLE = 8.0, 5.0, 24.0, 30.0


@dataclass(frozen=True)
class Frame:
    """Where the axes stand in the picture, so that a pointer's place can be told in their units."""

    left: float
    top: float
    right: float
    bottom: float
    x: tuple[float, float]
    y: tuple[float, float]

    def json(self) -> dict[str, float | list[float]]:
        """For the browser."""
        return {**vars(self), "x": list(self.x), "y": list(self.y)}

    def x_of(self, v: float) -> float:
        """Where a value of the x axis lies, in pixels."""
        low, high = self.x
        return self.left + (self.right - self.left) * (v - low) / (high - low or 1.0)

    def y_of(self, v: float) -> float:
        """Where a value of the y axis lies, in pixels."""
        low, high = self.y
        return self.bottom - (self.bottom - self.top) * (v - low) / (high - low or 1.0)


def text(words: str, x: float, y: float, looks: str, anchor: str) -> Element:
    """Words at a place."""
    return Element("text", {"class": looks, "x": x, "y": y, "text-anchor": anchor}, (words,))


def box(looks: str, x: float, y: float, width: float, height: float) -> Element:
    """A rectangle."""
    return Element("rect", {"class": looks, "x": x, "y": y, "width": width, "height": height})
