"""Every number that the lecture on bias and variance states."""

import json
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from lectured import Said

import dtree_lab as dt
from dtree_lab.labs.forest.model import ringed
from dtree_lab.stage.opening import OpenLab, rehearsed

LECTURE = Said("bias-variance")


class TestBiasVariance:
    """One world, drawn from again and again."""

    world = dt.populations.sine(noise=0.3)

    def test_three_draws(self):
        shown = LECTURE.screen("One world, many trees")
        for seed in (1, 2, 3):
            stump, deep = (self._at_a_quarter(seed, depth) for depth in (1, 8))
            assert f"| set {seed} | {stump:.2f} | {deep:.2f} |" in shown

    def test_a_hundred_draws(self):
        said = {depth: [self._at_a_quarter(seed, depth) for seed in range(100)] for depth in (1, 8)}
        spread = {depth: max(one) - min(one) for depth, one in said.items()}
        LECTURE.has(
            "A hundred training sets",
            f"stumps lie within {spread[1]:.2f} of each other",
            f"within {spread[8]:.2f}.",
            answer="deep",
        )
        shown = LECTURE.screen("Right on average?")
        assert f"| stump | {sum(said[1]) / 100:.2f} | 1 |" in shown
        assert f"| deep tree | {sum(said[8]) / 100:.2f} | 1 |" in shown

    def _at_a_quarter(self, seed: int, depth: int) -> float:
        rows = self.world.sample(100, seed=seed)
        return float(dt.id3(rows, max_depth=depth).predict({"x": 0.25}))

    def test_the_bakery(self):
        sold = {"workday": (1, 3), "holiday": (5, 7)}
        days = [(day, rolls) for day, both in sold.items() for rolls in both]
        shown = LECTURE.screen("To the last fraction")
        totals = {}
        for name in ("leaf", "tree"):
            parts = []
            for day, both in sold.items():
                said = [guess(name, day, two) for two in product(days, repeat=2)]
                best, main = Fraction(sum(both), 2), Fraction(sum(said), len(said))
                noise = Fraction(sum((rolls - best) ** 2 for rolls in both), 2)
                variance = Fraction(sum((y - main) ** 2 for y in said), len(said))
                parts.append((noise, (best - main) ** 2, variance))
            assert parts[0] == parts[1]  # the same on both kinds of day
            totals[name] = sum(parts[0])
            line = " | ".join(map(str, (*parts[0], totals[name])))
            assert f"| {name} | {line} |" in shown
        LECTURE.has(
            "Is it worth asking?",
            *(f"{one} = {float(one):g}" for one in totals.values()),
            answer="tree",
        )

    def test_depth(self):
        depths = range(1, 9)
        at = dict(zip(depths, self._measured("max_depth", depths), strict=True))
        assert sorted(at, key=lambda d: at[d].loss)[:2] == [3, 4]
        LECTURE.has(
            "How deep?",
            f"{at[3].loss:.3f} at depth 3 and {at[4].loss:.3f} at depth 4; {at[1].loss:.3f} at"
            f" depth 1, {at[8].loss:.3f} at depth 8. The noise in it is {at[3].noise:.3f}",
            f"{at[1].bias:.3f} at depth 1 and {at[3].bias:.3f} at depth 3",
            f"{at[3].variance:.3f} at depth 3 and {at[8].variance:.3f} at depth 8",
            answer="3 or 4",
        )

    def test_rows(self):
        few, some, many = self._measured("n_rows", [25, 100, 400], max_depth=1)
        LECTURE.has(
            "More rows for a stump",
            f"from {few.variance:.3f} to {some.variance:.3f} to {many.variance:.3f}",
            f"from {few.bias:.3f} to {many.bias:.3f}",
            answer="variance",
        )

    def test_quiet(self):
        quiet = dt.populations.sine(noise=0.0)
        loud_stump, loud = self._measured("max_depth", [1, 8])
        stump, deep = self._measured("max_depth", [1, 8], world=quiet)
        LECTURE.has(
            "A quieter world",
            f"Noise from {loud.noise:.3f} to {deep.noise:.0f}, variance from {loud.variance:.3f}"
            f" to {deep.variance:.3f}",
            f"falls from {loud_stump.variance:.3f} to {stump.variance:.3f}",
            answer="noise and variance",
        )
        assert abs(loud.bias) < 0.001

    def test_bagged(self):
        (single,) = self._measured("max_depth", [8])
        (ten,) = self._measured("bagged", [10], max_depth=8)
        LECTURE.has(
            "Average the luck away",
            f"From {single.variance:.3f} to {ten.variance:.3f}",
            answer="about a half",
        )

    def test_what_the_lab_shows_is_what_is_measured_here(self):
        opened = OpenLab(LECTURE.scene("How deep?"))
        measured = self._measured("max_depth", [1, 3, 8])
        for depth, point in zip((1, 3, 8), measured, strict=True):
            shown = opened.lab.result.at(depth)
            assert shown.loss == pytest.approx(point.loss)
            assert shown.variance == pytest.approx(point.variance)

    def test_votes(self):
        shown = LECTURE.screen("Right or wrong")
        for row, above in ((1, 7), (2, 3)):
            bias, variance = int(above < 5), min(above, 10 - above) / 10
            assert f"| row {row} | {above} | {10 - above} | {bias} | {variance} |" in shown
        LECTURE.has("Right or wrong", "from 0.3 to 0", "rises from 0.7 to 1")

    def test_rho(self):
        rho = Fraction(4, 9)
        assert rho + (1 - rho) / 10 == Fraction(1, 2)
        LECTURE.has("Why not a tenth?", "leave 4/9", answer=f"{float(rho):.2f}")

    def test_where_nobody_votes_a_class_sees_one_tree_five_and_fifty(self):
        scene = LECTURE.scene("A forest of ours")
        seen = [moment for _, moment in rehearsed(scene)]
        last = [json.loads(moment.state)["trees"] for moment in seen[-3:]]
        assert last == [1, 5, 50]
        assert [len(tiles(moment)) for moment in seen[-3:]] == [1, 5, 50]
        birds = ringed()
        forest = dt.random_forest(birds, n_trees=50, m=3, seed=0)
        free = [np.flatnonzero(forest.rows_drawn(t) == 0) for t in range(50)]
        says = [tree.predict(birds) for tree in forest.trees]
        is_male = birds.column("sex")
        wrong = [sum(says[t][i] != is_male[i] for i in free[t]) for t in range(50)]
        one = 100 * sum(wrong) / sum(map(len, free))
        few, many = (
            100 * dt.random_forest(birds, n_trees=n, m=3, seed=0).oob_error for n in (5, 50)
        )
        LECTURE.has(
            "A forest of ours",
            f"a bootstrap sample of its own of {len(birds)} birds",
            f"wrong about {wrong[0]} of its {len(free[0])} birds, {100 * wrong[0] / len(free[0])}",
            f"Five trees: {few:.1f}",
            f"Fifty: {many:.1f}, where one of them alone has {one:.1f} on average",
        )
        assert np.median([sum(i in free[t] for t in range(5)) for i in range(len(birds))]) <= 2

    def test_what_one_tree_should_ask_first(self):
        birds = ringed()
        is_male = np.array(birds.column("sex")) == "male"
        least = {name: fewest_wrong(birds.column(name), is_male) for name in birds.names}
        assert min(least, key=least.get) == "body_mass_g"
        LECTURE.has(
            "A forest of ours",
            f"wrong about {least['body_mass_g']} of {len(birds)} birds, the bill's length about"
            f" {least['bill_length_mm']}, the ring about {least['ring']}.",
            answer="body_mass_g",
        )

    def test_of_thirty_votes_trees_alone_err_as_they_are_said_to(self):
        for few in [(30, 0, 0, 0), (0, 0, 30, 0), (0, 0, 0, 30), (6, 6, 12, 6)]:
            self._errs_as_said(few)

    @pytest.mark.thorough
    def test_of_thirty_votes_so_it_is_whatever_they_are(self):
        for some in product(range(0, 31, 6), repeat=4):
            if sum(some) == 30:
                self._errs_as_said(some)

    def _errs_as_said(self, votes):
        scene = LECTURE.scene("A forest of ours")
        LECTURE.has("A forest of ours", "about 15 birds in a hundred or more", "14 or fewer")
        names = scene.question.takes.options
        answers = [name for name, n in zip(names, votes, strict=True) for _ in range(n)]
        lab = dt.ForestLab(trees=1)
        lab.act({"do": "class", "answers": answers})
        says = [tree.predict(lab.table) for tree in lab.forest.trees]
        is_male = lab.table.column("sex")
        free = [lab.forest.rows_drawn(t) == 0 for t in range(30)]
        hits = [says[t][free[t]] == np.array(is_male)[free[t]] for t in range(30)]
        assert 1 - np.concatenate(hits).mean() >= 0.15
        assert lab.forest.oob_error <= 0.14

    @pytest.mark.thorough
    def test_what_is_said_of_the_method_holds_whatever_the_luck(self):
        for seed in range(20):
            depths = range(1, 9)
            at = dict(zip(depths, self._measured("max_depth", depths, seed=seed), strict=True))
            assert set(sorted(at, key=lambda d: at[d].loss)[:2]) == {3, 4}
            few, some, many = self._measured("n_rows", [25, 100, 400], max_depth=1, seed=seed)
            assert few.variance > some.variance > many.variance
            assert few.bias < many.bias
            quiet = dt.populations.sine(noise=0.0)
            stump, deep = self._measured("max_depth", [1, 8], world=quiet, seed=seed)
            assert stump.variance < at[1].variance
            assert deep.variance < 0.05 * at[8].variance
            (ten,) = self._measured("bagged", [10], max_depth=8, seed=seed)
            assert 0.5 < ten.variance / at[8].variance < 0.6

    def _measured(self, parameter, values, world=world, **more):
        measured = dt.evaluate.bias_variance(
            world, dt.id3, repeats=30, parameter=parameter, values=values, **more
        )
        return measured.points


def tiles(moment):
    """The trees on the wall at a moment."""
    (wall,) = [part for part in json.loads(moment.view)["parts"] if part["id"] == "wall"]
    return wall["tiles"]


def fewest_wrong(values, is_male):
    """About how many rows the best single question is wrong, each answer with its majority."""
    ways = [[v == one for v in values] for one in set(values)]
    if not isinstance(values[0], str):
        ways = [[v <= cut for v in values] for cut in set(values)]
    sides = ([is_male[np.array(way) == side] for side in (True, False)] for way in ways)
    return min(sum(min(one.sum(), (~one).sum()) for one in both) for both in sides)


def guess(grower, day, two):
    """What a leaf, or a tree that may ask for the day, says of a day after two days' sales."""
    same = [rolls for one, rolls in two if one == day]
    known = same if grower == "tree" and same else [rolls for _, rolls in two]
    return Fraction(sum(known), len(known))
