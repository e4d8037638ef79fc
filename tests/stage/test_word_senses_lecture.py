"""Every number that the lecture on word senses states."""

from collections import Counter
from functools import cache
from itertools import product
from math import log2

import numpy as np
import pytest
from lectured import Said

import dtree_lab as dt
from dtree_lab.stage.opening import OpenLab

LECTURE = Said("word-senses")


@cache
def mixed(seed=20):
    """The sentences to train on, to prune with, and unseen ones; and the words looked for."""
    sentences = dt.corpus.sentences("run")
    order = np.random.default_rng(seed).permutation(len(sentences))
    one = [sentences[i] for i in order]
    return (one[:114], one[114:164], one[164:]), dt.corpus.context_words(
        one[:114], most=60, window=5
    )


def all_words(training):
    """All words that stand near in the training sentences."""
    return sorted({word for one in training for word in one.window(5)} - {"run", "ran"})


def asked(node, table):
    """The names of all attributes that are asked from a node on."""
    below = {name for child in getattr(node, "children", ()) for name in asked(child, table)}
    return below | ({table.names[node.split.attribute]} if hasattr(node, "split") else set())


class TestWordSenses:
    """Seven rows, and two hundred sentences."""

    table = dt.datasets.word_sense()
    tree = dt.id3(table)

    def test_the_table_on_the_screen(self):
        shown = LECTURE.table("Seven uses")
        assert shown[0] == [*self.table.names, "sense"]
        assert shown[1:] == [list(row.values()) for row in self.table.rows()]
        near = [row["sense"] for row in self.table.rows() if row["near(stockings)"] == "yes"]
        assert len(near) == len(set(near)) == 3  # "three rows …, and they have three senses"

    def test_the_window(self):
        scene = LECTURE.scene("What is near?")
        sentence = scene.blocks[0].splitlines()[-1].replace("*", "")
        one = dt.corpus.sentence(sentence.replace(" ran ", " *ran* "), "verb")
        assert [one.near("river", n) for n in (3, 4, 5)] == [False, False, True]
        assert [one.near("race", n) for n in (2, 3)] == [False, True]
        assert sentence.replace(".", "").split().index("river") + 1 == 10
        LECTURE.has("What is near?", answer="5 words")

    def test_entropy_and_gains(self):
        counts = Counter(row["sense"] for row in self.table.rows())
        bits = sum(n / 7 * log2(7 / n) for n in counts.values())
        LECTURE.has("Seven labels", answer=f"{bits:.2f}")
        LECTURE.has(
            "Seven labels",
            f"logarithm of 7/2, which is {log2(7 / 2):.3f}",
            f"a single row by {log2(7):.3f}",
            f"{log2(7):.2f} is the logarithm of 7",
        )
        gains = {name: dt.information_gain(self.table, name) for name in self.table.names}
        best = sorted(gains, key=gains.get, reverse=True)
        told = ", ".join(f"{name} {gains[name]:.3f}" for name in best)
        senses = [row["sense"].removeprefix("run") for row in self.table.rows()]
        labels = " · ".join(f"run{one}" for one in senses)
        LECTURE.has("Seven labels", labels)
        shown = LECTURE.table("The first question")
        for name, *heaps in shown[1:]:
            said = dict(one.split(": ") for one in heaps)
            assert said == {
                value: " ".join(
                    sorted(
                        s
                        for s, row in zip(senses, self.table.rows(), strict=True)
                        if row[name] == value
                    )
                )
                for value in self.table.attribute(name).values
            }
        assert [row[0] for row in shown[1:]] == list(self.table.names)
        LECTURE.has(
            "The first question",
            told.replace("pos ", "pos gains "),
            f"the {bits:.3f} bits",
            answer=best[0],
        )

    def test_the_arithmetic_of_pos(self):
        whole, verbs = dt.entropy([2, 1, 2, 2]), dt.entropy([2, 1, 2])
        left = 5 / 7 * verbs
        LECTURE.has(
            "Why pos gains",
            f"| verb | 5 | {verbs:.3f} |",
            f"{verbs:.3f} = {left:.3f}$",
            f"${whole:.3f} - {left:.3f} = {whole - left:.3f}$",
            f"come to {verbs / 2:.3f}, and pos would seem to gain {whole - verbs / 2:.3f}",
        )

    def test_below(self):
        rows = list(self.table.rows())
        verbs = self.table.take([i for i, row in enumerate(rows) if row["pos"] == "verb"])
        race, river = (dt.information_gain(verbs, f"near({word})") for word in ("race", "river"))
        assert race > dt.information_gain(self.table, "near(race)")
        LECTURE.has("The same question, below", f"= {race:.3f}$ bits")
        LECTURE.has("ID3 at work", f"near(river) now gains {river:.3f}")

    def test_the_whole_tree(self):
        questions = self.tree.n_nodes - self.tree.n_leaves
        LECTURE.has("ID3 at work", answer=str(questions))
        assert "near(stockings)" not in str(self.tree)

    def test_the_puzzle(self):
        rows = [
            (("no", "yes")[(sea != fog) == agrees], sea, fog, sea != fog)
            for sea, fog in product((False, True), repeat=2)
            for agrees in (True, True, True, False)
        ]
        values = [
            (lamp, *("yes" if one else "no" for one in (sea, fog)), f"light{2 - sense}")
            for lamp, sea, fog, sense in rows
        ]
        table = dt.Table.from_rows(values, target="sense", names=["lamp", "sea", "fog", "sense"])
        both = {(): "sea", (0,): "fog", (1,): "fog"}
        small = dt.by_hand(table, both)
        gains = dt.compare(table)
        assert (gains["sea"].gain, gains["fog"].gain) == (0, 0)
        assert gains["lamp"].gain > 0
        assert (small.n_nodes - small.n_leaves, small.error(table), table.n_rows) == (3, 0, 16)
        LECTURE.has("A bad question", "Sixteen rows", "three questions would do")

    def test_the_sentences(self):
        (training, pruning, unseen), words = mixed()
        train, prune, test = (
            dt.corpus.features(part, words) for part in (training, pruning, unseen)
        )
        large = dt.id3(train)
        LECTURE.has(
            "Whole sentences",
            f"{len(training) + len(pruning) + len(unseen)} sentences",
            f"| {len(training)} | {len(pruning)} | {len(unseen)} |",
            f"**{large.n_nodes} nodes**",
            f"{large.depth} questions deep",
            f"{len(words)} words are looked for",
        )
        LECTURE.has("Any word will do", f"instead of {len(words)}")
        assert round(10 * large.error(train)) == 1
        bare = [row for row in train.rows() if "yes" not in row.values()]
        assert len({row["sense"] for row in bare}) == 5
        LECTURE.has("Whole sentences", f"{len(bare)} sentences have none")
        most = max(Counter(row["sense"] for row in prune.rows()).values())
        LECTURE.has("Sentences it was not grown on", f"about {most} of them", answer="about 50")
        assert large.error(prune) == 0.5
        self.flows(train)
        for word in ("knee", "people"):
            many = sum(row[f"near({word})"] == "yes" for row in train.rows())
            assert f"near({word})" in asked(large.root, train)
            LECTURE.has("Sentences it was not grown on", f"near({word})*", f"in {many}")

        pruned = dt.prune.reduced_error(large, prune)
        errors = [f"{100 * tree.error(test):.0f}" for tree in (large, pruned)]
        LECTURE.has(
            "Ask less",
            f"tree of {large.n_nodes} nodes",
            f"falls from {' to '.join(errors)} per cent",
            f"{pruned.n_nodes} nodes and {round(50 * pruned.error(prune))} wrong",
            f"before, it was {round(50 * large.error(prune))}",
        )
        opened = OpenLab(LECTURE.scene("Ask less"))
        assert all(opened.go_on(step) for step in range(opened.reveals + 1))
        first = opened.lab.tree
        wrong = round(50 * first.error(prune))
        LECTURE.has("Ask less", f"the first {first.n_nodes} nodes and {wrong} of 50 wrong")

    def flows(self, train):
        """Near some words a run flows in each of the training sentences, near river in most."""
        rows = list(train.rows())
        near = {
            name: [row["sense"] == "run3" for row in rows if row[name] == "yes"]
            for name in train.names
            if name.startswith("near(")
        }
        always = {name[5:-1]: len(one) for name, one in near.items() if one and all(one)}
        scene = LECTURE.scene("A word that gives it away")
        assert set(scene.question.takes.right) == set(always)
        river = near["near(river)"]
        LECTURE.has(
            "A word that gives it away",
            f"*water* in {always['water']} of {always['water']} sentences",
            f"*stream* and *tap* in {always['stream']} of {always['tap']}",
            f"*rain* in {always['rain']} of {always['rain']}",
            f"near *river* only in {sum(river)} of {len(river)}",
        )
        table = dt.datasets.word_sense()
        by_river = {row["sense"] for row in table.rows() if row["near(river)"] == "yes"}
        assert by_river >= {"run2", "run4"}

    def test_all_words(self):
        (training, _, unseen), _ = mixed()
        everything = all_words(training)
        train, test = (dt.corpus.features(part, everything) for part in (training, unseen))
        greedy = dt.id3(train)
        assert greedy.error(train) == 0
        LECTURE.has(
            "Any word will do",
            f"With {len(everything)} words, 0 %",
            f"{greedy.error(test):.0%}".replace("%", " % of the unseen ones: ")
            + str(round(50 * greedy.error(test))),
            answer="about 45",
        )

    def test_the_aunt(self):
        aunt = next(one for one in mixed()[0][2] if one.text.startswith("My aunt"))
        assert [aunt.near("shop", n) for n in (2, 3)] == [False, True]
        assert aunt.sense == "run5"

    @pytest.mark.thorough
    def test_twenty_mixes(self):
        large, pruned, greedy = [], [], []
        for seed in range(20):
            (training, pruning, unseen), words = mixed(seed)
            a, b, c = (dt.corpus.features(part, words) for part in (training, pruning, unseen))
            tree = dt.id3(a)
            large.append(tree.error(c))
            pruned.append(dt.prune.reduced_error(tree, b).error(c))
            every = all_words(training)
            a, c = (dt.corpus.features(part, every) for part in (training, unseen))
            assert dt.id3(a).error(a) == 0
            greedy.append(dt.id3(a).error(c))
        LECTURE.has(
            "Sentences it was not grown on",
            f"{100 * np.mean(large):.0f} per cent on average, and never below"
            f" {100 * min(large):.0f}",
        )
        assert 0.025 <= np.mean(large) - np.mean(pruned) < 0.03
        LECTURE.has("Ask less", "by not quite three points on average")
        assert round(100 * (np.mean(greedy) - np.mean(large))) == 7
        LECTURE.has("Any word will do", "in twenty other mixes seven on average")
