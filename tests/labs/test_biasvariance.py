"""The bias-variance lab without Jupyter: the library's own numbers, reached in small steps."""

from __future__ import annotations

import json
from itertools import islice

import numpy as np
import pytest
from cases import each
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import number_tables, tables

import dtree_lab as dt
from dtree_lab import populations
from dtree_lab.labs.biasvariance import model
from dtree_lab.labs.biasvariance import trial as sources
from dtree_lab.labs.biasvariance.model import METHODS, start, update, work
from dtree_lab.labs.biasvariance.trial import BAG, DEPTHS, Trial
from dtree_lab.labs.biasvariance.view import truth_line, view
from dtree_lab.labs.kit.actions import NotPossibleError, Point, Press, Set

TAX = dt.datasets.tax_fraud()
MAJORITY = dt.datasets.truth_table("majority", 3)
SMALL = {"resamples": 4, "n_rows": 20}


def numbers():
    """A table of numbers to predict, with values that some training sets lack."""
    rng = np.random.default_rng(1)
    columns = {
        "word": [f"v{i}" for i in rng.integers(0, 8, 40)],
        "x": rng.random(40).round(1).tolist(),
        "y": rng.random(40).tolist(),
    }
    return dt.Table.from_columns(columns, target="y")


def finished(state):
    steps = [one for one, _ in work(state) or ()]
    return steps[-1] if steps else state


def part(state, name):
    return next(one for one in view(state).parts if one.id == name)


def same(ours, theirs):
    assert ours.values == theirs.values
    for one, other in zip(ours.points, theirs.points, strict=True):
        assert np.array_equal(one.predictions, other.predictions)
        assert np.array_equal(one.training_losses, other.training_losses)
        assert np.array_equal(one.n_leaves, other.n_leaves)
        assert (one.n_rows, one.method) == (other.n_rows, other.method)
    for name in ("loss", "bias", "variance", "noise", "net_noise", "net_variance"):
        assert np.array_equal(getattr(ours, name), getattr(theirs, name))


# -- the library's own numbers ---------------------------------------------------------------------


@each("bagged", [False, True])
@each(
    ("given_", "source", "population"),
    [
        (None, "wave", populations.wave(noise=0.2)),
        (None, "sine", populations.sine(noise=0.2)),
        (TAX, "sample", TAX),
        (numbers(), "sample", populations.resampled(numbers())),
        (MAJORITY, "whole", populations.finite(MAJORITY, noise=0.2)),
    ],
)
def test_finished_work_is_what_the_library_measures(given_, source, population, bagged):
    """Exactly: one tree read at ten depths is ten trees, each grown to its depth."""
    noise = None if source == "sample" else 0.2
    asked = {"source": source, "resamples": 3, "n_rows": 7, "noise": noise, "seed": 5}
    state = finished(start(given_, {**asked, "bagging": bagged}))
    theirs = dt.evaluate.bias_variance(
        population,
        dt.id3,
        parameter="max_depth",
        values=DEPTHS,
        n_rows=7,
        repeats=3,
        seed=5,
        bagged=BAG if bagged else None,
        decomposition=state.method,
    )
    same(state.result, theirs)


@pytest.mark.parametrize("source", ["diagonal", "sine"])
def test_the_code_that_is_shown_gives_the_same(source):
    state = finished(start(None, {**SMALL, "source": source, "bagging": True}))
    same(state.result, eval(state.code, {"dt": dt, "populations": populations, "range": range}))  # noqa: S307


@given(st.sampled_from(sorted(sources.SHAPES)), st.sampled_from(sorted(METHODS)), st.integers(0, 9))
@settings(max_examples=15, deadline=None)
def test_the_parts_add_up_to_the_error(source, method, seed):
    state = start(None, {**SMALL, "source": source, "method": method, "seed": seed})
    for point in finished(state).result.points:
        assert point.net_noise + point.bias + point.net_variance == pytest.approx(point.loss)


def test_bagging_lowers_the_variance_of_deep_trees():
    state = finished(start(None, {"resamples": 30, "bagging": True}))
    deep = DEPTHS.index(8)
    alone, together = (state.points(trial)[deep] for trial in (state.single, state.bag))
    assert together.variance < alone.variance
    assert together.loss < alone.loss
    assert state.result.points[deep] is together
    assert part(state, "sum").lines[1].startswith("Bagging takes variance from")


# -- work ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bagging", [False, True])
def test_work_cut_anywhere_goes_on_to_the_same(bagging):
    whole = finished(start(None, {**SMALL, "bagging": bagging}))
    state = start(None, {**SMALL, "bagging": bagging})
    depths = iter((4, 1, 9, 2, 5, 6, 7, 8, 3, 10) * 3)
    while state.unfinished:
        ((state, _),) = islice(work(state), 1)
        state = update(state, Set("depth", next(depths)))  # an action ends the work
    same(state.result, whole.result)


def test_the_picture_grows_and_says_how_far_it_is(monkeypatch):
    monkeypatch.setattr("dtree_lab.labs.biasvariance.model._STEP", 0.0)  # one set at a time
    state = start(None, {**SMALL, "resamples": 3})
    shown = view(state)
    assert shown.status == "2 of 3 resamples"
    assert shown.progress == pytest.approx(2 / 3)
    assert len(state.result.points[0].predictions) == 2
    shown = view(finished(state))
    assert shown.progress is None
    assert shown.status.startswith("3 training sets of 20 rows, a tree on each: the error is least")


def test_more_training_sets_keep_those_there_are_and_fewer_use_the_first():
    state = finished(start(None, SMALL))
    more = finished(update(state, Set("resamples", 6)))
    assert more.single.runs[:4] == state.single.runs
    fewer = update(more, Set("resamples", 3))
    assert work(fewer) is None
    same(fewer.result, finished(start(None, {**SMALL, "resamples": 3})).result)


def test_a_new_size_begins_anew_with_something_to_see():
    state = update(finished(start(None, SMALL)), Set("n", 30))
    assert [run.training.n_rows for run in state.single.runs] == [30, 30]
    assert state.unfinished is state.single
    noisy = update(state, Set("noise", 0.4))
    assert noisy.single.truth.least_loss == pytest.approx(0.4)
    again = update(state, Press("again"))
    assert not np.array_equal(
        again.single.runs[0].training.columns, state.single.runs[0].training.columns
    )


# -- what is drawn ---------------------------------------------------------------------------------


def crossings(line, x, y):
    """How many pieces of a boundary lie beneath a point, by the plainest of ways."""
    pieces = zip(line[::3], line[1::3], strict=True)
    return sum(a[1] == b[1] and a[1] < y and a[0] < x < b[0] for a, b in pieces)


@pytest.mark.parametrize("bagged", [False, True])
def test_between_two_boundaries_the_class_is_the_trees_own(bagged):
    """Two classes: along an upright line, the class changes just where the boundary is crossed."""
    population = populations.wave(noise=0.1)
    kept = {"n_rows": 60, "repeats": 2, "seed": 3, "keep": True, "bagged": BAG if bagged else None}
    trial = Trial.of(population, 60, None, 3)
    (run,) = (trial.bagging() if bagged else trial).more().runs
    x, y = np.random.default_rng(2).random((2, 300))
    for depth in (1, 2, 5, 10):
        grown = dt.evaluate.bias_variance(population, dt.id3, max_depth=depth, **kept).grown[0]
        here, foot = (grown.predict(points_at(x, height)) for height in (y, 0 * y))
        line = sources.run_line(run, depth, ((0.0, 1.0), (0.0, 1.0)))
        odd = [crossings(line, *place) % 2 == 1 for place in zip(x, y, strict=True)]
        assert np.array_equal(here != foot, odd)


def points_at(x, y):
    columns = {"x1": x.tolist(), "x2": y.tolist(), "side": ["below", *["above"] * (len(x) - 1)]}
    return dt.Table.from_columns(columns, target="side")


@pytest.mark.parametrize("bagged", [False, True])
def test_a_fitted_curve_goes_through_the_trees_own_predictions(bagged):
    population = populations.sine(noise=0.3)
    kept = {"n_rows": 60, "repeats": 2, "seed": 3, "keep": True, "bagged": BAG if bagged else None}
    trial = Trial.of(population, 60, None, 3)
    (run,) = (trial.bagging() if bagged else trial).more().runs
    grid = population.grid(333)
    for depth in (1, 4, 10):
        grown = dt.evaluate.bias_variance(population, dt.id3, max_depth=depth, **kept).grown[0]
        edges, values = np.array(sources.run_line(run, depth, ((0.0, 1.0),))).T
        at = np.searchsorted(edges, grid.columns[0], side="right") - 1
        assert values[at] == pytest.approx(grown.predict(grid))


def test_the_true_boundary_lies_where_the_wave_does():
    line = truth_line(populations.wave(height=0.25, noise=0.1))
    places = np.array([point for point in line if point is not None])
    assert np.abs(places[:, 1] - 0.5 - 0.25 * np.sin(2 * np.pi * places[:, 0])).max() < 1 / 64
    assert places[:, 0].min() < 0.02
    assert places[:, 0].max() > 0.98


def test_other_tables_show_the_rows_that_trees_differ_on():
    state = finished(start(TAX, {"resamples": 10}))
    grid, point = part(state, "rows"), state.result.at(3)
    places = [int(row[0]) - 1 for row in grid.rows]
    variances = point.by_row.variance[places].tolist()
    assert variances == sorted(point.by_row.variance.tolist(), reverse=True)
    for row, i in zip(grid.rows, places, strict=True):
        votes = (point.predictions[:, i] == point.by_row.main[i]).sum()
        assert row[-1] == f"{votes} of 10"


# -- the words -------------------------------------------------------------------------------------


def test_the_sum_is_said_for_the_depth_that_is_looked_at():
    state = update(finished(start(None, SMALL)), Set("depth", 2))
    point = state.result.at(2)
    line = part(state, "sum").lines[0]
    assert line.startswith("Depth 2, single trees: bias² ")
    assert line.endswith(f"= error {point.loss:.3f}")
    assert f"variance {point.variance:.3f}" in line


def test_what_is_not_known_or_not_used_is_said():
    shown = part(start(TAX, {}), "about").lines
    assert any("truth about these rows is not known" in line for line in shown)
    rows = sources.MOST_TABLE_ROWS + 1
    large = dt.Table.from_columns(
        {"x": [i % 7 for i in range(rows)], "y": ["a", "b", "b"] * (rows // 3)}, "y"
    )
    assert large.n_rows == rows
    used = sources.usable_rows(large)
    assert used.n_rows == sources.MOST_TABLE_ROWS
    shown = part(start(used, {"resamples": 2}, large.n_rows), "about").lines
    assert any("Of the table's 5,001 rows 5,000 were drawn at random" in line for line in shown)


# -- actions and states ----------------------------------------------------------------------------


def test_next_goes_deeper_and_ends_in_bagging():
    state = start(None, {**SMALL, "depth": 9})
    state = update(state, Press("next"))
    assert state.settings.depth == 10
    state = update(state, Press("next"))
    assert state.settings.bagging
    with pytest.raises(NotPossibleError, match="This is the end"):
        update(state, Press("next"))
    assert update(state, Press("reset")).settings == state.first


def test_a_click_into_the_curves_chooses_the_nearest_depth():
    state = start(None, SMALL)
    assert update(state, Point("curves", 6.7, 0.1)).settings.depth == 7
    assert update(state, Point("curves", 0.0, 0.1)).settings.depth == 1
    assert update(state, Point("curves", 99.0, 0.1)).settings.depth == 10


def test_another_population_brings_its_own_noise():
    state = update(start(None, {**SMALL, "depth": 5}), Set("source", "sine"))
    assert (state.settings.noise, state.settings.depth, state.method) == (0.3, 5, "squared")
    assert state.population.noise == 0.3


@each(
    ("action", "why"),
    [
        (Set("depth", 11), "between 1 and 10"),
        (Set("depth", 2.5), "whole number"),
        (Set("n", 0), "between 1 and 7"),
        (Set("resamples", 1), "between 2 and 100"),
        (Set("noise", 0.1), "nobody knows"),
        (Set("source", "wave"), "none of the populations"),
        (Set("method", "squared"), "cannot be set"),
        (Set("bagging", 1.0), "cannot be set"),
        (Press("fly"), "nothing here"),
    ],
)
def test_what_cannot_be_done_is_refused_in_words(action, why):
    state = start(TAX, SMALL | {"n_rows": 5})
    with pytest.raises(NotPossibleError, match=why):
        update(state, action)


@pytest.mark.parametrize(
    ("given_", "asked", "why"),
    [
        (None, {"depth": 0}, "depth=0"),
        (None, {"resamples": 101}, "at most 100"),
        (None, {"noise": 0.7}, "from 0 to 0.5"),
        (None, {"method": "mine"}, "must be one of"),
        (TAX, {"noise": 0.1, "source": "sample"}, "noise cannot be chosen"),
        (TAX.take([0]), {}, "leaves none"),
    ],
)
def test_what_cannot_begin_is_refused_in_words(given_, asked, why):
    with pytest.raises(ValueError, match=why):
        start(given_, asked)


def acts(state):
    """Actions that a person can do in a state."""
    sizes = st.one_of(
        st.integers(1, 10).map(lambda v: Set("depth", v)),
        st.integers(1, 12).map(lambda v: Set("n", v)),
        st.integers(2, 5).map(lambda v: Set("resamples", v)),
        st.booleans().map(lambda v: Set("bagging", v)),
        st.sampled_from([0, 0.05, 0.5]).map(lambda v: Set("noise", v)),
        st.sampled_from([*sources.choices(state.given)]).map(lambda v: Set("source", v)),
        st.sampled_from(sorted(METHODS)).map(lambda v: Set("method", v)),
        st.sampled_from(["next", "again", "reset"]).map(Press),
    )
    return st.lists(sizes, max_size=5)


@given(st.data())
@settings(max_examples=25, deadline=None)
def test_any_actions_leave_a_state_that_its_text_recreates(data):
    some = st.one_of(st.none(), tables(max_rows=12), number_tables(max_rows=12))
    given_ = data.draw(some.filter(lambda t: t is None or t.n_rows > 2))
    state = start(given_, {"resamples": 2})
    for action in data.draw(acts(state)):
        try:
            state = update(state, action)
        except NotPossibleError:
            continue
        state = finished(state)
        assert len(json.dumps(view(state).json())) < 64_000
    again = finished(model.load(model.dump(state), given_))
    assert again.settings == state.settings
    same(again.result, state.result)
    shown = [[part.json() for part in view(one).parts] for one in (again, state)]
    assert shown[0] == shown[1]


def test_a_text_of_something_else_is_refused():
    own = populations.circle(noise=0.1)
    kept = model.dump(start(own, SMALL))
    assert model.load(kept, own).population == own
    with pytest.raises(ValueError, match="give it once more"):
        model.load(kept, None)
    with pytest.raises(ValueError, match="leave population= out"):
        model.load(model.dump(start(None, SMALL)), own)
    with pytest.raises(ValueError, match="made on another table"):
        model.load(model.dump(start(TAX, {})), MAJORITY)


def test_a_large_view_of_deep_trees_stays_small():
    noisy = {"source": "checkerboard", "noise": 0.5, "n_rows": 500, "depth": 10, "resamples": 20}
    for bagging in (False, True):
        state = start(None, {**noisy, "bagging": bagging, "resamples": 3})
        assert len(json.dumps(view(finished(state)).json())) < 64_000


# -- the widget ------------------------------------------------------------------------------------


def test_the_widget_takes_what_it_says():
    lab = dt.BiasVarianceLab(population="circle", depth=4, n=30, noise=0.2, resamples=3, seed=7)
    assert lab.population == populations.circle(noise=0.2)
    assert len(lab.result.points[0].predictions) == 3
    again = dt.BiasVarianceLab(state=lab.state)
    same(again.result, lab.result)
    with pytest.raises(ValueError, match="not both"):
        dt.BiasVarianceLab(TAX, population="wave")
    with pytest.raises(ValueError, match="must be one of wave"):
        dt.BiasVarianceLab(population="waves")
    whole = dt.BiasVarianceLab(MAJORITY, noise=0.1, resamples=2)
    assert whole.population.noise == 0.1
