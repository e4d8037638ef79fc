"""Every number that the lecture on tax fraud states, by the library and by counting."""

import re
from collections import Counter
from fractions import Fraction
from math import log2
from statistics import mean

import pytest
from lectured import Said, given

import dtree_lab as dt
from dtree_lab.stage.opening import OpenLab

LECTURE = Said("tax-fraud")
PERSON = {"Refund": "No", "Marital Status": "Single", "Taxable Income": 85}
ROWS = list(dt.datasets.tax_fraud().rows())


def incomes(rows):
    """The incomes of some people."""
    return [row["Taxable Income"] for row in rows]


class TestTaxFraud:
    """Ten returns, by the library and by counting."""

    table = dt.datasets.tax_fraud()
    lecture = dt.by_hand(
        table,
        {
            (): "Refund",
            (1,): ("Marital Status", [["Married"], ["Single", "Divorced"]]),
            (1, 1): ("Taxable Income", 80),
        },
    )
    id3 = dt.id3(table)

    def test_the_table_on_the_screen(self):
        rows = [[f"{v:g}" if isinstance(v, float) else v for v in one.values()] for one in ROWS]
        assert LECTURE.table("What we know")[1:] == [
            [f"{i}", *row] for i, row in enumerate(rows, 1)
        ]

    def test_patterns_that_the_class_finds(self):
        cheats = [row for row in ROWS if row["Cheat"] == "Yes"]
        assert len(cheats) == 3
        assert not any(row["Marital Status"] == "Married" for row in cheats)
        assert not any(row["Refund"] == "Yes" for row in cheats)
        assert [min(incomes(cheats)), max(incomes(cheats))] == [85, 95]

    def test_concepts(self):
        LECTURE.has("How many rules?", answer=str(2 ** (2 * 3)))

    def test_the_tree_that_is_shown(self):
        labs = [one for one in given("tax-fraud").scenes if one.lab and one.lab.state]
        scenes = [one for one in labs if one.lab.name == "tree"]
        assert len(scenes) == 5
        for scene in scenes:
            assert OpenLab(scene).lab.tree == self.lecture

    def test_where_a_cut_gains_most(self):
        scene = LECTURE.scene("A cut through")
        low, high = scene.question.takes.right
        lab = OpenLab(scene).lab
        gains = {}
        for cut in range(55, 226):
            lab.act({"do": "set", "control": "cut", "value": cut})
            gains[cut] = lab.gain
        best = [cut for cut, gain in gains.items() if gain == max(gains.values())]
        assert (best[0] - 1, best[-1]) == (low, high)
        sides = [
            [row["Cheat"] for row in ROWS if (row["Taxable Income"] < 97) == s] for s in (1, 0)
        ]
        assert [Counter(side) for side in sides] == [{"Yes": 3, "No": 3}, {"No": 4}]
        assert [row["Cheat"] for row in ROWS if row["Taxable Income"] < 80] == ["No"] * 3
        assert f"{max(gains.values()):.3f}" == "0.281"
        LECTURE.has("A cut through", "all 4 are honest", "3 to 3", "= 0.281$ bits")

    def test_the_person(self):
        assert self.lecture.predict(PERSON) == "Yes"
        LECTURE.has("Predicting", "all 3 training rows", answer="Yes")
        assert "3 of 3 training rows" in str(self.lecture.explain(PERSON))
        # Row 8, counted from 1, is this person's like: the steps follow it.
        assert ROWS[7] == {**PERSON, "Taxable Income": 85.0, "Cheat": "Yes"}
        opened = OpenLab(LECTURE.scene("Predicting"))
        assert opened.go_on(0)
        assert "Row 8" in str(opened.lab.view["parts"])

    def test_the_widow(self):
        widow = PERSON | {"Marital Status": "Widowed"}
        assert self.lecture.predict(widow) == "No"
        assert "4 of 7 training rows" in str(self.lecture.explain(widow))
        LECTURE.has("What the tree has never", "7 rows", "4 say No, 3 say Yes", answer="No")

    def test_heaps_and_what_they_leave(self):
        heaps = {
            value: Counter(row["Cheat"] for row in ROWS if row[name] == value)
            for name in ("Refund", "Marital Status")
            for value in self.table.attribute(name).values
        }
        shown = LECTURE.screen("Which question first?")
        for value, heap in heaps.items():
            assert re.search(rf"{value}\W+\| {heap['No']} \| {heap['Yes']} \|", shown)
        bits = [dt.entropy([heaps[v]["No"], heaps[v]["Yes"]]) for v in ("Single", "Married")]
        assert bits == [1, 0]
        assert dt.entropy([heaps["Divorced"]["No"], heaps["Divorced"]["Yes"]]) == 1
        left = Fraction(4, 10) * 1 + Fraction(4, 10) * 0 + Fraction(2, 10) * 1
        before = 0.7 * log2(10 / 7) + 0.3 * log2(10 / 3)
        refund = 0.7 * (4 / 7 * log2(7 / 4) + 3 / 7 * log2(7 / 3))
        LECTURE.has(
            "What a question gains",
            f"{before:.3f} - {float(left):.3f} = {before - left:.3f}",
            f"Refund gains ${before - refund:.3f}$",
            f"7/10 times {refund / 0.7:.3f}, which is {refund:.3f}",
            f"as the four married: {2 / 3:.3f}",
            f"{mean([0, 1]):.3f} has taken the mean",
            answer=f"{float(left):.3f} bits",
        )

    def test_surprise(self):
        shown = LECTURE.screen("Surprise")
        assert " | ".join(str(round(log2(n))) for n in (1, 2, 4, 8)) in shown

    def test_entropy(self):
        LECTURE.has("Seven to three", f"lies at {dt.entropy([7, 3]):.3f}")
        assert 0.46 < dt.entropy([1, 9]) < 0.48  # nearly half a bit at 0.1
        LECTURE.has("Five to five", answer="1")

    def test_the_tie(self):
        gains = dt.compare(self.table)
        assert gains["Marital Status"].gain == pytest.approx(gains["Taxable Income"].gain)
        opened = OpenLab(LECTURE.scene("A tie"))
        assert all(opened.go_on(step) for step in range(opened.reveals + 2))
        assert not opened.go_on(opened.reveals + 2)
        grown = opened.lab.tree
        assert grown.n_nodes == 5
        assert [grown.predict(row) for row in ROWS] == [row["Cheat"] for row in ROWS]
        LECTURE.has(
            "A tie",
            f"{self.id3.n_nodes} nodes with Marital Status first, {grown.n_nodes} with the income",
            "if they earn from 80 to 97.5",
        )
        assert self.id3.n_nodes == 2 * grown.n_nodes

    def test_be_id3(self):
        assert self.id3.n_nodes - self.id3.n_leaves == 4
        LECTURE.has("Now be ID3", "four questions in all")

    def test_two_trees(self):
        everyone = [
            {"Refund": refund, "Marital Status": status, "Taxable Income": income}
            for refund in ("Yes", "No")
            for status in ("Single", "Married", "Divorced")
            for income in range(40, 240)
        ]
        differ = self.lecture.predict(everyone) != self.id3.predict(everyone)
        found = [row for row, differs in zip(everyone, differ, strict=True) if differs]
        divorced = [row for row in found if row["Marital Status"] == "Divorced"]
        single = [row for row in found if row["Marital Status"] == "Single"]
        assert all(row["Refund"] == "No" for row in found)
        assert max(incomes(divorced)) < 80
        assert incomes(single) == [78, 79]
        LECTURE.has(
            "Two trees, one table",
            f"{len(found)} of the {len(everyone):,}: {len(divorced)} divorced",
            f"**{len(everyone):,} people**",
            f"and {len(single)} single ones",
            f"has {self.lecture.n_nodes} nodes, that of ID3 has {self.id3.n_nodes}",
            "cuts at 80, the other at 77.5",
            answer="about 40",
        )
        one = {"Refund": "No", "Marital Status": "Divorced", "Taxable Income": 60}
        assert (self.lecture.predict(one), self.id3.predict(one)) == ("No", "Yes")

    def test_leaving_one_out(self):
        wrong = sum(
            dt.id3(self.table.take([j for j in range(10) if j != i])).predict(self.table.row(i))
            != self.table.row(i)["Cheat"]
            for i in range(10)
        )
        LECTURE.has(
            "Is it right about people?",
            f"{wrong} of 10. To say No to everybody, without any tree, is wrong about 3",
            answer=str(wrong),
        )
