"""What a decision lab shows. In a demo: the tree, then the curve, then whom false alarms hit."""

from __future__ import annotations

import numpy as np

from dtree_lab.base.text import number
from dtree_lab.draw.chart import Axis, Dash, Layer, Line, Plot, Rule, figure
from dtree_lab.labs.decisions.model import SETTINGS, State, by_group, counts_in_words
from dtree_lab.labs.kit.controls import Button, label, near
from dtree_lab.labs.kit.inspecting import node_paths
from dtree_lab.labs.kit.parts import (
    BarItem,
    Bars,
    Controls,
    Grid,
    Part,
    Picture,
    TreeView,
    View,
    Words,
    legend_target,
)
from dtree_lab.labs.kit.taking import notes, row_words

_POINTS, _TOLD = 120, 12
_MISSED, _ALARMS = None, 4  # colours that few classes have
_WHOM = "Whom false alarms hit"


def view(state: State) -> View:
    """The whole lab."""
    more = state.at + 1 < len(state.thresholds)
    deciding = [
        SETTINGS.control(state, "threshold"),
        Button("next", "Next threshold", more),
        Button("answer", "This one costs least", state.answer is None, main=True),
    ]
    pricing = [SETTINGS.control(state, name) for name in ("alarm", "miss", "positive")]
    return View(
        f"Decisions: from which share on is it {state.words[0]}?",
        [
            *notes(state.data.given, state.data.measured),
            _tree(state),
            _curve(state),
            _grid(state),
            Controls("deciding", "The threshold in hand", deciding, area="act"),
            Controls("pricing", "The prices", pricing, area="act"),
            *_groups(state),
        ],
        legend_target(state.data.full.target),
        state.status,
        result=_result(state),
        rows=row_words(state.data.training),
    )


def _result(state: State) -> str:
    """The question; once answered, what the answer costs, the prices' own, and the least."""
    yes, prices = state.words[0], (state.alarm, state.miss)
    if state.answer is None:
        asks = f"above which share of {yes} do you say {yes}, so that it costs least?"
        return f"A false alarm costs {prices[0]}, a miss costs {prices[1]}: {asks}"
    steps = [*state.steps, 1.0]
    costs = [state.cost(x) for x in steps[:-1]]
    least, fair = min(costs), state.cost(state.fair)
    i = costs.index(least)
    where = f"{prices[0]} / ({prices[0]} + {prices[1]}) = {near(state.fair, 3)}"
    reach = f"from {near(steps[i], 3)} to {near(steps[i + 1], 3)}"
    rest = f"The least on these rows is {least:,}, {reach}: chance has its part in that."
    rest = "No threshold costs less on these rows." if fair == least else rest
    own = f"Your {number(state.answer)} costs {state.cost(state.answer):,}"
    return f"{own}. The prices say {where}, which costs {fair:,}. {rest}"


def _tree(state: State) -> TreeView:
    """The tree, with the decision of each leaf; those below the threshold stand back."""
    tree, (yes, no) = state.data.full, state.words
    # A leaf that stands back needs no long name for what it is not.
    other = f": {no}" if len(tree.classes) == 2 else ""  # noqa: PLR2004
    paths, shares = node_paths(tree), tree.shares_at(np.arange(tree.n_nodes))[:, state.code]
    leaves = {paths[node]: shares[node] for node in np.flatnonzero(state.data.flat.attr < 0)}
    above = {path for path, share in leaves.items() if share > state.hand}
    return TreeView(
        "tree",
        tree,
        state.selected,
        tags={
            path: f"{near(share, 3)}{f': {yes}' if path in above else other}"
            for path, share in leaves.items()
        },
        faded=frozenset(leaves) - above,
        area="hero",
    )


def _curve(state: State) -> Picture:
    """What each threshold misses and which false alarms it raises; once answered, its cost."""
    steps, known = state.steps, state.answer is not None
    at = [steps[i] for i in np.linspace(0, len(steps) - 1, min(len(steps), _POINTS)).astype(int)]
    missed, alarms = zip(*map(state.mistakes, [*at, 1.0]), strict=True)
    heights = {"missed": missed, "false alarms": alarms}
    layers: list[Layer] = [
        Rule(t, dash="dots") for i, t in enumerate(state.thresholds) if i != state.at
    ]
    if known:
        heights = {"cost": tuple(map(state.cost, [*at, 1.0]))}
        layers.append(Rule(state.fair, name=f"prices: {near(state.fair, 2)}", dash="long"))
    looks: tuple[tuple[int | None, Dash], ...] = (_MISSED, ""), (_ALARMS, "long")
    layers += [
        Line([*zip([*at, 1.0], ys, strict=True)], name, hue, dash, steps=True)
        for (name, ys), (hue, dash) in zip(heights.items(), looks, strict=False)
    ]
    marks = [(t, state.cost(t)) for t in state.thresholds if known]
    layers += [Line([mark], hue=_ALARMS, dots=True) for mark in marks]
    layers.append(Rule(state.hand, name=number(state.hand), accent=True))
    most, what = max(map(max, heights.values())), "cost" if known else "withheld rows"
    y = Axis(what, 0, most * 1.1 or 1)
    x = Axis(f"threshold on the share of {state.words[0]}", 0, 1)
    words = counts_in_words(state)
    steps_in_words = [
        f"From {near(x, 3)} on: {', '.join(f'{name} {ys[i]:,}' for name, ys in heights.items())}."
        for i, x in enumerate(at)
        if i % (len(at) // _TOLD + 1) == 0
    ]
    title = f"What a threshold costs. {words}" if known else f"Mistakes by threshold. {words}"
    return Picture(
        "curve",
        figure(Plot(title, x, y, layers, 380, 230, direct=True)),
        slider=SETTINGS.control(state, "threshold", words=words),
        text=[words, *steps_in_words],
        area="beside",
        stage=1,
    )


def _grid(state: State) -> Grid:
    """Each threshold with its mistakes, and what they cost once the question is answered."""
    hits, rows = int(state.hits.sum()), len(state.hits)
    listed = []
    for threshold in state.thresholds:
        missed, alarms = state.mistakes(threshold)
        cost = "?" if state.answer is None else f"{state.cost(threshold):,}"
        listed.append([number(threshold), f"{missed:,}", f"{alarms:,}", cost])
    return Grid(
        "thresholds",
        "The thresholds compared",
        [
            f"{state.words[0]} above",
            f"missed of {hits:,}",
            f"false alarms of {rows - hits:,}",
            "cost",
        ],
        listed,
        pick=True,
        current=state.at,
        area="beside",
        stage=1,
    )


def _groups(state: State) -> list[Part]:
    """The share of false alarms in each group, which is asked first."""
    group, groups, known = SETTINGS.control(state, "group"), by_group(state), state.hit is not None
    parts: list[Part] = [Controls("grouping", "Groups", [group], drawer=_WHOM, stage=2)]
    if not groups:
        return parts
    (yes, no), hand = state.words, number(state.hand)
    shares = [alarms / rows for _, alarms, rows in groups]
    line = (
        f"Of those who are {no}, in which group is the largest share taken for {yes}? Choose one."
    )
    if known:
        worst = groups[int(np.argmax(shares))][0]
        most = f"{max(shares):.0%} of {worst} who are {no}, the largest share,"
        line = f"Above {hand}, {most} are taken for {yes}."
    if state.hit is not None and state.hit >= 0:
        line += f" You said {groups[state.hit][0]}."
    bars = [
        BarItem(name, share, f"{share:.0%}", f"{alarms:,} of {rows:,}")
        if known
        else BarItem(name, 0.0, "?", f"of {rows:,}")
        for share, (name, alarms, rows) in zip(shares, groups, strict=True)
    ]
    name = f"False alarms among all who are {no}, by {label(state.group)}"
    return [
        *parts,
        Words("whom", [line], drawer=_WHOM, stage=2, live=True),
        Bars("groups", name, bars, pick=not known, current=state.hit, drawer=_WHOM, stage=2),
    ]
