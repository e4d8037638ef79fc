"""docs/outcomes.md: what each lesson promises, and by which of its questions it is asked."""

from __future__ import annotations

import re

import dtree_lab as dt
from course.sources import CHECKOUT, FURTHER, SOURCES
from course.sources import lessons as built
from dtree_lab.course.lessons import guesses, lessons, names
from dtree_lab.course.skills import skills

WHOLE = (CHECKOUT / "docs/outcomes.md").read_text(encoding="utf-8")
PAGE, _, WHERE = WHOLE.partition("\n## What stands where\n")
ROW = re.compile(r"^\| (?!To be able|---)(.+) \| (.+) \|$", re.MULTILINE)
ITEM = re.compile(r"^(\*{0,2})([a-z0-9-]+/[a-z0-9-]+)\1$")


def rows(text=PAGE):
    """The outcome and the items of each row, an item with the signs around it."""
    return [(outcome, items.split(", ")) for outcome, items in ROW.findall(text)]


def kinds():
    """All that can be asked, with the signs that it has in the table."""
    found = {one.id: "" for one in dt.course.exercises()}
    found |= {name: "*" for lesson in names() for name in guesses(lesson)}
    return found | dict.fromkeys(skills(), "**")


def test_the_outcomes_are_those_that_the_lessons_promise_in_their_order():
    promised = []
    for lesson in lessons():
        assert f"\n## {lesson.number}. {lesson.title}\n" in PAGE
        for text in (lesson.text, *(page.read_text(encoding="utf-8") for page in lesson.further)):
            for listed in text.split("will be able to do**\n\n")[1:]:
                lines = listed.split("\n\n")[0].splitlines()
                promised += [line.removeprefix("- ").rstrip(";.") for line in lines]
    assert [outcome.replace("\\|", "|") for outcome, _ in rows()] == promised


def test_no_outcome_is_without_an_exercise_or_a_skill():
    for outcome, items in rows():
        signs = [ITEM.match(item)[1] for item in items]
        assert {"", "**"} & {*signs}, outcome


def test_what_it_names_is_there_and_is_of_the_kind_that_it_says():
    there = kinds()
    for _, items in rows():
        for item in items:
            sign, name = ITEM.match(item).groups()
            assert there[name] == sign, item


def test_every_question_of_the_course_stands_in_some_row():
    named = {ITEM.match(item)[2] for _, items in rows() for item in items}
    assert not {*kinds()} - named


def test_what_is_to_be_taught_is_found_where_the_table_says():
    texts = {built.places(source)[0].resolve(): source.text for source in SOURCES}
    for line in re.findall(r"^\| (?!What|---).+", WHERE, re.MULTILINE):
        places = re.findall(r"\]\(([^)]+)\)", line)
        inside = "\n".join(texts[(CHECKOUT / "docs" / place).resolve()] for place in places)
        plain = re.sub(r"[*_\s]+", " ", inside).lower()
        for words in re.findall(r"`([^`]+)`", line):
            assert re.sub(r"[*_\s]+", " ", words).lower() in plain, (words, line)


def test_every_further_page_stands_in_the_tables():
    for source in FURTHER:
        assert f"](../notebooks/further/{source.stem}.ipynb)" in WHOLE, source.stem
