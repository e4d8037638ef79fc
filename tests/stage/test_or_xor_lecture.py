"""Every number that the lecture on OR and XOR states; truth tables can be counted."""

from collections import Counter
from itertools import pairwise, product

import numpy as np
from lectured import Said

import dtree_lab as dt
from dtree_lab.stage.answers import CELLS
from dtree_lab.stage.opening import OpenLab

LECTURE = Said("or-xor")


class TestOrXor:
    """Truth tables are small enough to be counted."""

    def test_the_table_on_the_screen(self):
        asked, filled = LECTURE.table("Two rules"), LECTURE.table("Two rules, filled in")
        for row, before, after in zip(
            product((False, True), repeat=3), asked[1:], filled[1:], strict=True
        ):
            line = ["FT"[one] for one in (*row, any(row), sum(row) % 2 == 1)]
            assert (before, after) == ([*line[:-1], "?"], line)

    def test_sizes(self):
        def questions(function: str, n: int) -> int:
            tree = dt.id3(dt.datasets.truth_table(function, n))
            return tree.n_nodes - tree.n_leaves

        assert [questions("or", n) for n in range(1, 9)] == list(range(1, 9))
        assert [questions("xor", n) for n in range(1, 9)] == [2**n - 1 for n in range(1, 9)]
        LECTURE.has("OR of five", answer=str(questions("or", 5)))
        LECTURE.has("XOR of three", answer=str(questions("xor", 3)))
        five = dt.id3(dt.datasets.truth_table("or", 5))
        LECTURE.has("OR of five", f"{five.n_leaves} of them, {five.n_nodes} nodes in all")
        LECTURE.has(
            "One more switch",
            "4 switches, 15 questions; 5, 31; 6, 63",
            ", ".join(str(questions("xor", n)) for n in range(3, 8)),
            f"the hall {2**10 - 1:,}",
            answer=str(questions("xor", 8)),
        )
        LECTURE.has("What we have seen", f"{2**10 - 1:,} questions, or one")

    def test_derived(self):
        table = dt.datasets.truth_table("xor", 6)
        for scene, derived in (("One more attribute", 2), ("Nearly the right", 7)):
            effect = dt.theory.effect_of(
                table, "sum", lambda row, m=derived: list(row.values()).count("T") % m
            )
            questions = effect.after.n_nodes - effect.after.n_leaves
            (right,) = LECTURE.scene(scene).question.takes.right
            assert LECTURE.scene(scene).question.takes.options[right].split()[0] == str(questions)
            opened = OpenLab(LECTURE.scene(scene))
            assert all(opened.go_on(step) for step in range(opened.reveals + 1))
            assert opened.lab.tree.n_nodes - opened.lab.tree.n_leaves == questions

    def test_no_gain(self):
        table = dt.datasets.truth_table("xor", 4)
        assert {dt.information_gain(table, name) for name in table.names} == {0}
        assert Counter(row["xor"] for row in table.rows()) == {"T": 8, "F": 8}
        LECTURE.has("What ID3 sees", "8 rows say T, and 8 say F", answer="0")
        for n in range(2, 8):  # "however many attributes there are"
            some = dt.datasets.truth_table("xor", n)
            stopped = dt.id3(some, min_gain=0.001)
            assert stopped.n_nodes == 1
            LECTURE.has("A sensible rule", answer=f"{100 * stopped.error(some):.0f} %")

    def test_blind_to_the_end(self):
        table = dt.datasets.truth_table("xor", 3)
        errors = [dt.id3(table, max_depth=depth).error(table) for depth in (0, 1, 2, 3)]
        assert errors == [0.5, 0.5, 0.5, 0]
        LECTURE.has("Blind to the end", "4 of 8")

    def test_concepts(self):
        shown = LECTURE.screen("How much can be said?")
        ns = (1, 2, 3, 6)
        assert " | ".join(str(2**n) for n in ns) in shown
        assert " | ".join(f"{2 ** (2**n):,}" for n in ns) in shown
        assert dt.theory.count_boolean_concepts(6) == 2**64
        LECTURE.has("How much can be said?", answer=str(2 ** (3 * 3)))

    def test_the_switch(self):
        rows = [
            {"a1": x, "a2": y, "a3": z, "y": y if x == "T" else z}
            for x, y, z in product("FT", repeat=3)
        ]
        table = dt.Table.from_rows(rows, target="y")
        gains = dt.compare(table)
        assert gains["a1"].gain == 0
        assert gains["a2"].gain == gains["a3"].gain
        opened = OpenLab(LECTURE.scene("A railway switch"))
        assert all(opened.go_on(step) for step in range(opened.reveals + 3))
        small, id3 = opened.lab.tree, dt.id3(table)
        assert small == dt.theory.smallest(table)
        assert small.error(table) == 0
        assert table.names[id3.root.split.attribute] == "a2"
        LECTURE.has(
            "A railway switch",
            f"{small.n_nodes - small.n_leaves} questions. ID3 begins with a2,"
            f" and needs {id3.n_nodes - id3.n_leaves}",
            f"a2 and a3 {gains['a2'].gain:.3f} bits each",
            answer="a1",
        )

    def test_four_points(self):
        # Three intervals: the sign changes at most twice on the way from left to right.
        ways = [
            signs
            for signs in product("+-", repeat=4)
            if sum(a != b for a, b in pairwise(signs)) <= 2
        ]
        LECTURE.has("Four points on a line", answer=str(len(ways)))

    def test_coins(self):
        opened = OpenLab(LECTURE.scene("Tossed coins"))
        table = opened.lab.table
        assert opened.go_on(0)  # which brings the points
        wrong = [round(opened.lab.tree.error(table) * table.n_rows)]
        for step in range(8):
            assert opened.go_on(opened.reveals + step)
            wrong.append(round(opened.lab.tree.error(table) * table.n_rows))
        assert (table.n_rows, opened.lab.tree.n_leaves) == (40, 15)
        said = "{} wrong without any, then {}, {} again, {}, {}, {}, {}, {}, and at last {}"
        LECTURE.has(
            "Tossed coins", "Forty points", "Fifteen boxes", said.format(*wrong), "All of them"
        )

    def test_a_tree_knows_the_coins_of_any_class_by_heart(self):
        scene = LECTURE.scene("Tossed coins")
        opened = OpenLab(scene)
        shown = opened.shown()
        takes = scene.question.within(shown.view, shown.axes).takes
        rng = np.random.default_rng(0)
        # Three hundred, of which many are in one place and have the other side up.
        sent = [*rng.integers(0, takes.most, 300).tolist(), *[5, CELLS * CELLS + 5] * 9]
        opened.answers = takes.for_lab(sent, ())
        assert opened.go_on(0)
        for step in range(9):
            opened.go_on(opened.reveals + step)
        assert (opened.lab.table.n_rows, opened.lab.tree.error(opened.lab.table)) == (318, 0)
