"""Skills: what is drawn is right by a slow way, can be read, and its wrong readings differ."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from effort import some

import dtree_lab as dt
from course.sources import FURTHER
from dtree_lab.course.asking.series import asked_of, blocks_of
from dtree_lab.course.checking import checked
from dtree_lab.course.exercise import hints
from dtree_lab.course.lessons import names
from dtree_lab.course.skills import (
    Practised,
    are_apart,
    exam_questions,
    instance,
    number_of,
    skill_of,
    skills,
    skills_of_lessons,
    weakest,
)

SEEDS = some(range(12), every=2)
EVERY = pytest.mark.parametrize("skill", list(skills()))


def drawn(skill, seeds=SEEDS):
    return [instance(skill, "Ada", str(seed)) for seed in seeds]


# -- slow ways, from what the card or the data say -------------------------------------------------


def of_heaps(heaps):
    """A table with an attribute X that sorts its rows into heaps of counts of Yes and No."""
    rows = [
        (x, label)
        for x, counts in heaps
        for label, n in zip("yn", counts, strict=True)
        for _ in range(n)
    ]
    return dt.Table.from_columns(
        {"X": [str(x) for x, _ in rows], "Y": [label for _, label in rows]}, target="Y"
    )


def way(exercise):
    """As a person reads the card: the row's line, then the lines of the tree, by their indents."""
    row, *lines = (line for block in blocks_of(exercise) for line in block.lines)
    values = dict(re.findall(r"(Refund|Marital Status|Home|Taxable Income) (\w+)", row))
    question, deep, fits = lines[0], 0, True
    for line in lines[1:]:
        indent = len(line) - len(line.lstrip("\u00a0"))
        if indent <= deep or (indent == deep + 4 and not fits):
            fits = False
        if indent != deep + 4 or "→" not in line:
            continue
        answer, then = (part.strip("\u00a0 ") for part in line.split("→"))
        value = values[question.rstrip("?")]
        cut = re.fullmatch(r"([<≥]) (\d+)", answer)
        fits = answer == value
        if cut:
            fits = (int(value) < int(cut[2])) == (cut[1] == "<")
        if fits and then.startswith("leaf"):
            return int(then.removeprefix("leaf "))
        if fits:
            question, deep = then, indent
    raise AssertionError(lines)


def crossing(d):
    """Where the weighted bells are equal, found by halving an interval."""

    def less(x):
        plus, minus = (
            d[f"rows_{k}"] * math.exp(-((x - d[f"mean_{k}"]) ** 2) / 2 / d["variance"])
            for k in ("plus", "minus")
        )
        return plus < minus

    low, high = -1e3, 1e3
    low, high = max(low, d["mean_minus"] - 60), min(high, d["mean_plus"] + 60)
    for _ in range(80):
        half = (low + high) / 2
        low, high = (half, high) if less(half) else (low, half)
    return low


def next_question(mine):
    gains = [dt.information_gain(of_heaps(enumerate(heaps)), "X") for heaps in mine]
    return 1 + int(np.argmax(gains))


def by_ratio(mine):
    ratios = [dt.gain_ratio(of_heaps(enumerate(heaps)), "X") for heaps in mine]
    return 1 + int(np.argmax(ratios))


def dearer_to_say_no(alarm, miss):
    """Halved again and again: the share at which both answers cost the same."""
    low, high = 0.0, 1.0
    for _ in range(60):
        share = (low + high) / 2
        low, high = (share, high) if share * miss < (1 - share) * alarm else (low, share)
    return low


def deviation_of_a_mean(n, wrong):
    """Of each row's 0 or 1, by the root of their number."""
    return np.std(np.repeat([1.0, 0.0], [wrong, n - wrong])) / np.sqrt(n)


def windows(wide, high, window):
    """Each window by its corners, in the whole picture and in the halved one."""
    return len(
        [
            (by, x, y)
            for by in (1, 2)
            for x in range(wide // by)
            for y in range(high // by)
            if x + window <= wide // by and y + window <= high // by
        ]
    )


def concepts(mine):
    n = 1
    for _ in product(*(range(k) for k in mine["values"])):
        n *= mine["labels"]
    return n


def cost(mine):
    rows = ["fraud"] * mine["fraud"] + ["honest"] * mine["honest"]
    price = {"No": {"fraud": mine["a fraud missed"]}, "Yes": {"honest": mine["a false alarm"]}}
    return min(sum(of.get(row, 0) for row in rows) / len(rows) for of in price.values())


def wrong_rows(says, rows):
    return len([label for label, n in rows.items() for _ in range(n) if label != says])


def reduction(d):
    rows = {}
    for one in d["leaves"]:
        for label, n in one["rows"].items():
            rows[label] = rows.get(label, 0) + n
    return sum(wrong_rows(one["says"], one["rows"]) for one in d["leaves"]) - wrong_rows(
        d["says"], rows
    )


def first_pruned(mine):
    fewer = [one["wrong below"] - wrong_rows(one["says"], one["rows"]) for one in mine]
    (best,) = [i for i, n in enumerate(fewer, 1) if n == max(fewer)]
    return best


def link(d):
    more = d["wrong as a leaf"] - sum(d["wrong in the leaves below"])
    return Fraction(more, d["training rows"]) / (len(d["wrong in the leaves below"]) - 1)


def noisy(d):
    right, turned = d.values()
    chance = {True: right, False: 1 - right}
    flip = {True: turned, False: 1 - turned}
    return sum(chance[a] * flip[b] for a, b in product((True, False), repeat=2) if a == b)


def between(d):
    every = d["Yes"] + d["No"]
    return sum(len(h) * (np.mean(h) - np.mean(every)) ** 2 for h in d.values()) / len(every)


def heavier(d):
    """With alpha, as the algorithm is written."""
    error = sum(d["weights"][i] for i in d["wrong"])
    alpha = math.log((1 - error) / error) / 2
    new = [w * math.exp(alpha if i in d["wrong"] else -alpha) for i, w in enumerate(d["weights"])]
    return new[d["row"]] / sum(new)


def counted(d):
    wrong = seen = 0
    for row, truth in enumerate(d["truth"]):
        votes = [a[row] for bag, a in zip(d["bags"], d["answers"], strict=True) if row not in bag]
        if votes:
            seen += 1
            wrong += max(sorted(set(votes)), key=votes.count) != truth
    return wrong / seen


def best_cut(d):
    best = dt.compare(dt.Table.from_columns(d, target="tired")).best
    return best.candidate.split.cuts[0]


SLOW = {
    "skills/follow": way,
    "tax-fraud/after-refund": lambda e: dt.conditional_entropy(of_heaps(e.data.items()), "X"),
    "entropy/three-labels": lambda e: dt.entropy(e.data),
    "entropy/three-answers": lambda e: dt.information_gain(of_heaps(e.data.items()), "X"),
    "word-senses/my-gain": lambda e: dt.information_gain(e.data, "near(money)"),
    "skills/next-question": lambda e: next_question(e.data),
    "skills/gain-ratio": lambda e: by_ratio(e.data),
    "skills/leaves": lambda e: (
        dt.id3(
            dt.Table.from_columns({"x": [*range(len(e.data))], "y": e.data}, target="y")
        ).n_leaves
    ),
    "skills/how-large": lambda e: min((test, size) for size, (_, test) in e.data.items())[1],
    "skills/windows": lambda e: windows(**e.data),
    "expressiveness/more": lambda e: sum(2**k - 1 for k in range(e.data["n"])),
    "skills/concepts": lambda e: concepts(e.data),
    "thresholds/best-cut": lambda e: best_cut(e.data),
    "thresholds/crossing": lambda e: crossing(e.data),
    "skills/cost-leaf": lambda e: cost(e.data),
    "pruning/reduction": lambda e: reduction(e.data),
    "pruning/threshold": lambda e: dearer_to_say_no(*e.data.values()),
    "pruning/standard-error": lambda e: deviation_of_a_mean(*e.data.values()),
    "pruning/link": lambda e: float(link(e.data)),
    "skills/prune-round": lambda e: first_pruned(e.data),
    "bias-variance/five-trees": lambda e: (
        np.mean((np.array(e.data["predictions"]) - e.data["best answer"]) ** 2)
        + e.data["noise variance"]
    ),
    "bias-variance/noisy-row": lambda e: noisy(e.data),
    "regression/reduction": lambda e: between(e.data),
    "boosting/heavier": lambda e: heavier(e.data),
    "boosting/left-out": lambda e: float(
        Fraction(e.data["rows"] - 1, e.data["rows"]) ** e.data["draws"]
    ),
    "forests/counted": lambda e: counted(e.data),
}


def test_every_skill_has_a_slow_way():
    assert SLOW.keys() == skills().keys()


def holds_to_its_slow_way(skill, seeds):
    for exercise in drawn(skill, seeds):
        assert number_of(exercise).want == pytest.approx(SLOW[skill](exercise), abs=1e-9)


@EVERY
def test_what_is_drawn_is_right_by_a_slow_way(skill):
    holds_to_its_slow_way(skill, SEEDS)


@pytest.mark.thorough
@EVERY
def test_so_it_is_over_many_seeds(skill):
    holds_to_its_slow_way(skill, range(200))
    assert all(map(are_apart, drawn(skill, range(200))))


@EVERY
def test_every_wrong_reading_gets_its_own_hint_and_is_not_right(skill):
    for exercise in drawn(skill):
        assert are_apart(exercise)
        known = {}
        for mistake in exercise.mistakes:
            told = hints(exercise, exercise.task.run(mistake.wrong))
            assert not checked(exercise, mistake.wrong).passed, (mistake.hint, exercise.data)
            assert mistake.hint in told
            known.setdefault(mistake.hint, mistake.wrong)
        assert len(known) >= 3


@EVERY
def test_it_is_drawn_anew_each_time_and_the_same_for_one_name(skill):
    cards = [exercise.anew().text for exercise in drawn(skill)]
    assert len(set(cards)) > len(cards) / 3
    assert instance(skill, "Bo", "1").anew().text == instance(skill, " bo ", "1").anew().text
    others = [instance(skill, name, "1").anew().text for name in ("Ada", "Bo", "Cy", "Di", "Eva")]
    assert len(set(others)) > 1


@EVERY
def test_its_card_and_its_steps_can_be_read_and_lead_to_the_answer(skill):
    for exercise in drawn(skill):
        card = exercise.anew()
        assert not re.search(r"\{\{|\}\}", card.text)
        numbers = re.findall(r"\d[\d.]*\d|\d", card.text)
        assert all(len(one.replace(".", "").lstrip("0")) <= 4 for one in numbers)
        assert asked_of(exercise, print).questions[-1].asks.strip()
        if card.steps:
            assert card.steps[-1][1] == pytest.approx(number_of(exercise).want)
            assert len(card.steps) == len({words for words, _ in card.steps})
    assert card.steps or skill in ("skills/follow", "skills/how-large")


# -- which is asked --------------------------------------------------------------------------------


def test_every_lesson_teaches_a_skill():
    assert {one.taught for one in skills().values()} == {*names()}


def test_the_skill_of_an_exercise_is_itself_or_what_its_page_names():
    assert skill_of("entropy/three-labels") == "entropy/three-labels"
    assert skill_of("pruning/highest-first") == "skills/prune-round"
    for one in dt.course.exercises():
        assert not one.skill or one.skill in skills(), one.id
    with pytest.raises(ValueError, match=r"no skill 'entropy/three-lables'; .* Did you mean 'entr"):
        skill_of("entropy/three-lables")
    with pytest.raises(ValueError, match="no skill 'entropy/gain'"):
        skill_of("entropy/gain")


def test_what_is_weakest_is_asked_and_of_those_what_is_longest_ago():
    known = {
        "a": Practised("a", (False, True, True, True), 1),
        "b": Practised("b", (True, True, False), 4),
        "c": Practised("c", (False,), 2),
        "d": Practised("d", (True,) * 5, 3),
    }
    assert weakest(known, "abcd") == "c"
    assert weakest(known, "abd") == "b"
    assert weakest(known, "ad") == "a"  # three and five in a row are the same
    assert weakest(known, "adx") == "x"  # what was never asked
    assert known["a"].mastered
    assert not known["b"].mastered


def test_an_exam_has_twelve_different_skills_and_one_of_each_lesson():
    chosen = set()
    for seed in range(20):
        questions = exam_questions(np.random.default_rng(seed))
        ids = [one.id for one in questions]
        assert len({*ids}) == 12
        assert {one.taught for one in questions} == {*names()}
        assert ids == sorted(ids, key=list(skills()).index)
        chosen |= {*ids}
    assert chosen == {*skills_of_lessons()}


def test_what_only_a_further_page_has_is_asked_of_nobody_who_has_not_read_it():
    """Its own card draws it, and no exam, warm-up or wrap-up does."""
    everybody = {*skills_of_lessons()}
    pages = "\n".join(source.text for source in FURTHER)
    for skill in skills():
        has_card = f'dt.course.another("{skill}", me)' in pages
        assert (skill not in everybody) <= has_card, skill
    assert "bias-variance/noisy-row" not in everybody
    assert "bias-variance/five-trees" in everybody
