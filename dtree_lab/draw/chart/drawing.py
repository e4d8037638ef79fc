"""How each kind of layer is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from dtree_lab.draw.chart.frame import box, text
from dtree_lab.draw.chart.layers import Area, Bar, Dots, Line, Note, Rule, Shapes
from dtree_lab.draw.element import Element, path
from dtree_lab.draw.style import hue, mark

if TYPE_CHECKING:
    from dtree_lab.draw.chart.frame import Frame
    from dtree_lab.draw.chart.layers import Layer, Point


def layer_drawn(layer: Layer, frame: Frame) -> list[Element]:
    """The elements of a layer."""
    match layer:
        case Line():
            runs = _runs(layer, frame)
            points = [point for run in runs for point in run]
            return [*stroke(runs, layer), *marks(points, layer)]
        case Dots():
            return _dots(layer, frame)
        case Area():
            return _area(layer, frame)
        case Shapes():
            return _shapes(layer, frame)
        case Rule():
            return [_rule(layer, frame)]
        case Bar():
            return [_bar(layer, frame)]
        case Note():
            looks = "dtl-key dtl-name dtl-halo" if layer.strong else "dtl-key dtl-halo"
            at = frame.x_of(layer.x), frame.y_of(layer.y)
            return [text(layer.text, *at, looks, layer.anchor)]
        case _:
            assert_never(layer)


def _runs(line: Line, frame: Frame) -> list[list[Point]]:
    """The pieces of a line in the picture."""
    runs: list[list[Point]] = [[]]
    for point in line.points:
        if point is None:
            runs.append([])
            continue
        x, y = frame.x_of(point[0]), frame.y_of(point[1])
        if line.steps and runs[-1]:
            runs[-1].append((x, runs[-1][-1][1]))
        runs[-1].append((x, y))
    return [run for run in runs if run]


def stroke(runs: list[list[Point]], line: Line) -> list[Element]:
    """The pieces of a line; as one path, for a boundary may have hundreds."""
    if not runs:
        return []
    looks = "dtl-line" if line.hue is None else f"dtl-line dtl-s{line.hue}"
    looks += f" dtl-{line.dash}" if line.dash else ""
    looks += " dtl-faint" if line.faint else ""
    return [Element("path", {"class": looks, "d": "".join(map(path, runs))})]


def marks(points: list[Point], line: Line) -> list[Element]:
    """A mark at each point of a line that has them; as one path, for there may be hundreds."""
    if not line.dots or not points:
        return []
    looks = "dtl-dot" if line.hue is None else f"dtl-mark dtl-c{line.hue}"
    outline = "".join(_outline(line.hue or 0, x, y, 4) for x, y in points)
    return [Element("path", {"class": looks, "d": outline})]


def _dots(dots: Dots, frame: Frame) -> list[Element]:
    """The rings, then one path for all points of a class, for there may be hundreds."""
    found = []
    outlines: dict[int, list[str]] = {}
    for i, ((px, py), cls) in enumerate(zip(dots.points, dots.classes, strict=True)):
        x, y = frame.x_of(px), frame.y_of(py)
        if i in dots.ringed:
            found.append(_ring(x, y, dots.size + 4.5))
        outlines.setdefault(cls, []).append(_outline(cls, x, y, dots.size))
    kind = "o" if dots.open else "c"
    for cls, outline in outlines.items():
        looks = {"class": f"dtl-mark dtl-{kind}{hue(cls)}", "d": "".join(outline)}
        found.append(Element("path", looks))
    return found


def _outline(cls: int, x: float, y: float, r: float) -> str:
    """The mark of a class as path data; a circle as two arcs, a tenth of its corners' length."""
    if mark(cls) != mark(0):
        return mark(cls).path(x, y, r)
    r = round(r * 0.95, 1)
    half = f"a{r:g},{r:g} 0 1,0"
    return f"M{round(x - r, 1):g},{round(y, 1):g}{half} {2 * r:g},0{half} {-2 * r:g},0Z"


def _ring(x: float, y: float, r: float) -> Element:
    return Element("circle", {"class": "dtl-ring", "cx": x, "cy": y, "r": r})


_SPACING = 56.0  # between the marks that are repeated in an area


def _area(area: Area, frame: Frame) -> list[Element]:
    left, right = sorted(frame.x_of(v) for v in area.x)
    top, bottom = sorted(frame.y_of(v) for v in area.y)
    left, right = max(left, frame.left), min(right, frame.right)
    top, bottom = max(top, frame.top), min(bottom, frame.bottom)
    w, h = right - left, bottom - top
    if w <= 0 or h <= 0:
        return []
    looks = f"dtl-area dtl-c{hue(area.cls)}"
    found = [box(looks, left, top, w, h)]
    if min(w, h) < 16:  # noqa: PLR2004 - no mark has room
        return found
    across, down = max(1, int(w // _SPACING)), max(1, int(h // _SPACING))
    sign = "".join(
        _outline(area.cls, left + w * (i + 0.5) / across, top + h * (j + 0.5) / down, 4)
        for i in range(across)
        for j in range(down)
    )
    found.append(Element("path", {"class": "dtl-pattern", "d": sign}))
    return found


def _shapes(shapes: Shapes, frame: Frame) -> list[Element]:
    """One path for all areas and one for their marks, for there may be hundreds."""
    outlines, signs = [], []
    for area in shapes.areas:
        corners = [(frame.x_of(x), frame.y_of(y)) for x, y in area]
        outlines.append(f"{path(corners)}Z")
        across, down = ([corner[i] for corner in corners] for i in (0, 1))
        if min(max(across) - min(across), max(down) - min(down)) >= 16:  # noqa: PLR2004 - room
            middle = sum(across) / len(corners), sum(down) / len(corners)
            signs.append(_outline(shapes.cls, *middle, 4))
    looks = f"dtl-area dtl-edged dtl-c{hue(shapes.cls)}"
    found = [Element("path", {"class": looks, "d": "".join(outlines)})]
    if signs:
        found.append(Element("path", {"class": "dtl-pattern", "d": "".join(signs)}))
    return found


def _rule(rule: Rule, frame: Frame) -> Element:
    looks = "dtl-rule dtl-accent" if rule.accent else "dtl-rule"
    looks += f" dtl-{rule.dash}" if rule.dash else ""
    if rule.axis == "x":
        x = min(max(frame.x_of(rule.at), frame.left), frame.right)
        line = Element("path", {"class": looks, "d": path([(x, frame.top), (x, frame.bottom)])})
    else:
        y = min(max(frame.y_of(rule.at), frame.top), frame.bottom)
        line = Element("path", {"class": looks, "d": path([(frame.left, y), (frame.right, y)])})
    return line


def _bar(bar: Bar, frame: Frame) -> Element:
    left, right = sorted(frame.x_of(v) for v in bar.x)
    top, bottom = sorted(frame.y_of(v) for v in (bar.low, bar.high))
    looks = "dtl-bar-fill" if bar.hue is None else f"dtl-c{bar.hue}"
    return box(looks, left, top, right - left, bottom - top)
