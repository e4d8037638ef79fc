"""A lab with every control and every kind of part: run as a notebook's cell, and imported."""

from dataclasses import dataclass, replace

import dtree_lab as dt
from dtree_lab.draw.chart import Area, Axis, Dots, Line, Note, Plot, Rule, figure
from dtree_lab.labs.kit.actions import NotPossibleError, Press, Set
from dtree_lab.labs.kit.controls import Button, Dropdown, Field, Slider, Toggle
from dtree_lab.labs.kit.model import Model
from dtree_lab.labs.kit.parts import (
    BarItem,
    Bars,
    Controls,
    Folded,
    Grid,
    Picture,
    TreeView,
    View,
    Words,
)
from dtree_lab.labs.lab_widget import Lab

TABLE = dt.datasets.tax_fraud()
TREE = dt.id3(TABLE)


@dataclass(frozen=True)
class State:
    done: tuple = ()
    values: tuple = (("size", 3), ("which", "b"), ("on", True), ("word", "x"), ("cut", 2.0))


def update(state, action):
    if action == Press("refuse"):
        raise NotPossibleError("This cannot be done; press the other one.")
    if isinstance(action, Set):
        values = tuple((k, action.value if k == action.control else v) for k, v in state.values)
        state = replace(state, values=values)
    return replace(state, done=(*state.done, action))


def view(state):
    v = dict(state.values)
    x, y = Axis("income (thousands)", 0, 10), Axis("error (rows)", 0, 4)
    lines = [
        Line([(i, (i % 4) / 1.5) for i in range(11)], "training", hue=0),
        Line([(i, 3 - i / 6) for i in range(11)], "validation", hue=4, dash="long", dots=True),
    ]
    dots = Dots([(2, 1), (4, 3), (7, 2)], [0, 1, 0], ringed=frozenset({1}))
    rule = Rule(v["cut"], name=f"cut {v['cut']:g}", accent=True)
    plane = Plot(
        "Three points in two regions.",
        x,
        y,
        [Area((0, v["cut"]), (0, 4), 0), Area((v["cut"], 10), (0, 4), 1), dots],
    )
    plot = Plot(
        "Training and validation error against nodes.", x, y, [*lines, rule, Note(8, 3.5, "here")]
    )
    controls = [
        Slider("size", "Depth", v["size"], 1, 9, words=f"{v['size']:g} levels"),
        Dropdown("which", "Method", v["which"], [("a", "first"), ("b", "second")]),
        Toggle("on", "Show all", v["on"]),
        Field(
            "word",
            "Answer",
            str(v["word"]),
            right=v["word"] == "7",
            wrong=None if v["word"] in ("x", "7") else "not 7",
        ),
        Button("go", "Go on", main=True),
        Button("refuse", "Refused"),
        Button("off", "Off", enabled=False),
    ]
    bars = [
        BarItem("Refund", 0.2, "gain 0.192", "H(Y|X) 0.690", detail=["a sum"]),
        BarItem(
            "Marital Status",
            0.3,
            "gain 0.281",
            best=True,
            table=(("value", "rows"), [("Single", "4")]),
        ),
    ]
    rows = [["1", "Yes", "No"], ["2", "No", "Yes"]]
    return View(
        "All parts",
        [
            Folded(
                "f", "Two rows have gaps.", ["row", "has no value in"], [["4", "x"], ["9", "y"]]
            ),
            Controls("c", "Settings", controls),
            Picture(
                "curve",
                figure(plot),
                heading="Errors",
                slider=Slider("cut", "Cut", v["cut"], 0, 10, 0.1),
                text=["training 0"],
            ),
            Picture("plane", figure(plane), heading="The plane", click=True),
            Words("w", [f"Done: {len(state.done)}", "Two lines."], heading="Words", area="side"),
            Bars("b", "Attributes", bars, heading="Bars", pick=True, current=0, area="side"),
            Grid(
                "g",
                "Rows",
                ["row", "Refund", "Cheat"],
                rows,
                heading="Rows",
                classes=2,
                pick=True,
                current=1,
                area="side",
            ),
            TreeView(
                "t",
                TREE,
                heading="A tree",
                tags={(1,): "pruned"},
                faded=frozenset({(1,)}),
                area="below",
            ),
        ],
        target=TABLE.target,
        status=f"{len(state.done)} actions",
    )


lab = Lab(Model(update=update, view=view, dump=lambda s: "text"), State())
