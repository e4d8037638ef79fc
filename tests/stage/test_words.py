"""What a lecturer writes, as a page: formulas, money, and what cannot be read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtree_lab.stage.checking import tried
from dtree_lab.stage.reading import parse
from dtree_lab.stage.words import as_page, inline, shape, wrong_formulas

BROKEN = [r"x^{", r"\left( x", r"_", r"\begin{matrix} 1 & 2"]


@pytest.mark.parametrize("text", ["It costs $5 and $6.", "5 $ and 6 $ more", "`$x$`", "a $ sign"])
def test_money_and_code_are_no_formulas(text):
    assert "<math" not in as_page(text, Path())
    assert as_page(text, Path()).count("$") == text.count("$")


@pytest.mark.parametrize("text", ["$x$", "So $x = 5$.", "$$\\log_2 5$$", "($p$)"])
def test_formulas_are_mathml(text):
    assert as_page(text, Path()).count("<math") == 1
    assert wrong_formulas(text) == []


@pytest.mark.parametrize("formula", BROKEN)
def test_before_a_class_a_broken_formula_is_what_was_written(formula):
    page = as_page(f"Here: ${formula}$!", Path())
    assert "<math" not in page
    assert "<code>$" in page


def test_an_unknown_command_is_told_and_not_shown_as_a_formula():
    assert wrong_formulas(r"$\entropie{x}$") == [
        r"the formula $\entropie{x}$ has \entropie, which is not known here"
    ]


@pytest.mark.parametrize("formula", BROKEN)
@pytest.mark.parametrize(
    "scene",
    [
        "---\n---\nHere: {}\n",
        "---\n---\nWords\n\nNotes:\nHere: {}\n",
        "---\nask: 'How {}?'\noptions: [a, b]\n---\n",
        "---\nask: How?\noptions: ['{}', b]\n---\n",
        "---\nask: How?\noptions: [a, b]\nbecause: 'So {}'\n---\n",
    ],
)
def test_a_check_names_it_wherever_it_stands(formula, scene):
    text = "---\ntitle: A talk\n---\n\n" + scene.format(f"${formula}$")
    (problem,) = tried(parse(text))
    assert problem.line == 5
    assert f"${formula}$" in problem.what


@given(st.text(st.characters(exclude_categories=["Cs"])) | st.text("$\\{}^_ab1& \n`"))
def test_whatever_is_written_can_be_shown(text):
    assert isinstance(as_page(text, Path()), str)
    assert isinstance(inline(text, Path()), str)


def test_the_shape_of_a_formula_has_its_elements_and_signs_and_no_letter_of_it():
    page = as_page(r"$$H(Y) = \sum_y P(y)\,\log_2 \frac{1}{P(y)}$$ and *more*", Path())
    elements = [re.findall(r"</?\w+|/>", text) for text in (page, shape(page))]
    assert elements[0] == elements[1]
    assert "/>" in elements[0]  # a space, which is closed
    words = re.sub(r"<[^>]*>|\s", "", shape(page))
    assert words == "N(N)=∑nN(n)nnn00N(n)nnnnnnn"
