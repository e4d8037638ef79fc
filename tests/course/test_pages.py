"""An exercise's page: what is read from it, and what is said of one that cannot be."""

from __future__ import annotations

import pytest

from dtree_lab.course.calls import describe
from dtree_lab.course.checking import checked
from dtree_lab.course.exercise import Guess, Mistake, hints
from dtree_lab.course.pages import read_guesses, read_page
from dtree_lab.course.tasks import Case, Code

HEAD = "---\ntitle: Twice\npoints: 2\nanswer: twice\n---\n\nWrite `twice(n)`.\n\n"
SOLUTION = (
    "## Solution\n\n```python\ndef twice(n):\n    m = 2 * n\n    return m\n```\n\nTwo of it.\n\n"
)
HINT = "## Another hint\n\nHow many?\n\n"


@pytest.fixture
def page(tmp_path):
    """Writes a page and reads it."""

    def written(mistakes="", text=HEAD + SOLUTION + HINT):
        path = tmp_path / "a_lesson" / "twice.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"{text}\n## Mistakes\n\n{mistakes}", encoding="utf-8")
        read_page.cache_clear()
        return read_page(path)

    return written


def code(page):
    return Code("twice", tuple(Case((n,), (page.right()(n),)) for n in (1, 3, 4)))


def gives(page, n=5):
    return [wrong(n) for wrong in page.wrongs()]


def test_the_words_are_those_of_the_page(page):
    read = page("- `2 *` → `3 *`\n  Too\n  many.\n")
    made = read.exercise(code(read))
    assert (made.id, made.title, made.heading, made.points) == (
        "a-lesson/twice",
        "Twice",
        "twice",
        2,
    )
    assert (made.text, made.more, made.why) == ("Write `twice(n)`.", "How many?", "Two of it.")
    assert made.stub == "def twice(n):\n    # your lines, in place of the dots\n    ..."
    assert made.solution == "def twice(n):\n    m = 2 * n\n    return m\n"
    assert [mistake.hint for mistake in made.mistakes] == ["Too many."]
    assert hints(made, made.task.run(lambda n: 3 * n)) == ["Too many."]


@pytest.mark.parametrize(
    ("written", "of_five"),
    [
        ("`2 *` → `3 *`", [15]),
        ("`2 * ` → nothing", [5]),
        ("`2 *` → `3 *`, `return m` → `return -m`", [-15]),
        ("`2 *` → `3 *`\n  or `2 *` → `4 *`", [15, 20]),
        ("`lambda n: twice(n) + 1`", [11]),
        ("```diff\n  -    m = 2 * n\n  -    return m\n  +    return n + 2\n  ```", [7]),
        ("```python\n  def twice(n):\n      return n**2\n  ```", [25]),
    ],
)
def test_a_mistake_is_the_solution_with_changes_or_a_value_or_a_program(page, written, of_five):
    read = page(f"- {written}\n  Hint.\n")
    assert gives(read) == of_five
    assert [slip.hint for slip in read.slips] == ["Hint."]


def test_a_name_is_what_python_sees_it_by_or_brings(page):
    read = page("- seen often: `2 *` → `3 *`\n  One.\n- brought: Two.\n")
    wrong = Mistake(lambda n: n, when=lambda _: [0])
    first, second = read.exercise(code(read), seen={"seen often": len, "brought": wrong}).mistakes
    assert (first.hint, first.when, first.wrong(5)) == ("One.", len, 15)
    assert (second.hint, second.when, second.wrong) == ("Two.", wrong.when, wrong.wrong)
    for known in ({}, {"seen often": len, "brought": wrong, "lost": wrong}):
        with pytest.raises(ValueError, match="named only here, or only in Python: "):
            read.exercise(code(read), seen=known)


def test_a_mistake_may_begin_with_what_recognises_it(page):
    read = page('- `gives("text")`: `2 *` → `str(3) *`\n  A text.\n- `2 *` → `3 *`\n  Three.\n')
    seen, other = read.exercise(code(read)).mistakes
    assert (seen.hint, seen.wrong(2), other.when) == ("A text.", "33", None)
    assert seen.when(tuple(map(describe, (6, "six", 7)))) == [1]


def test_the_cases_of_a_function_are_lines_of_its_page(page):
    text = (
        f"{HEAD}{SOLUTION}{HINT}## Cases\n\nThe second is worked out.\n\n- odd: `3`\n- `2 * 2`\n\n"
    )
    read = page(text=text)
    assert read.cases == [("odd", 3), (4,)]

    def case(*given):
        *words, n = given
        return Case((n,), (read.right()(n),), behaviour="".join(words))

    def several(*given):
        return case(*given), case(given[-1] + 1)

    fresh = [Case((9,), (18,))]
    task = read.function(case, lambda _: fresh).task
    assert (task.name, task.tolerance, task.cases) == ("twice", 1e-6, (case("odd", 3), case(4)))
    assert task.with_fresh(1).cases == (*task.cases, *fresh)
    near = page(text=text.replace("points: 2", "points: 2\ntolerance: 0.5"))
    task = near.function(several, lambda _: fresh).task
    assert task.tolerance == 0.5
    assert [one.args for one in task.cases] == [(3,), (4,), (4,), (5,)]


@pytest.mark.parametrize(
    ("line", "match"),
    [
        ("3", "twice.md: a case is `values`, or words: `values`: '3'"),
        ("odd: 3", "a case is `values`"),
        ("odd: `3", "a case is `values`"),
        ("`(3`", r"twice.md: .* in '\(\(3,\)'"),
    ],
)
def test_a_case_that_cannot_be_read_is_named(page, line, match):
    with pytest.raises(ValueError, match=match):
        _ = page(text=f"{HEAD}{SOLUTION}{HINT}## Cases\n\n- {line}\n\n").cases


@pytest.mark.parametrize(
    ("mistakes", "match"),
    [
        ("- `3 *` → `2 *`\n  Hint.\n", r"`3 \*` → `2 \*`': '3 \*' stands 0 times in the solution"),
        ("- `m` → `n`\n  Hint.\n", "'m' stands 2 times in the solution; it has to stand there onc"),
        ("- `2 *` → `(`\n  Hint.\n", r"twice.md: .* in 'def twice"),
        ("- `2 *` → `3 *`\n", "and below it the hint; this one is not: '`2"),
        ("- Hint.\n", "a mistake is `old` → `new`, `a value`, a block of code or a name:"),
        ("- `lost`\n  Hint.\n", r"the mistake '`lost`': NameError"),
        ("- `gvies(1)`: `2 *` → `3 *`\n  H.\n", r"twice.md: 'gvies\(1\)' recognises no mistake"),
    ],
)
def test_a_mistake_that_cannot_be_read_is_named(page, mistakes, match):
    with pytest.raises(ValueError, match=match):
        page(mistakes).wrongs()


def test_a_page_without_what_every_exercise_has_is_named(page):
    with pytest.raises(ValueError, match=r"Missing: 'points', 'title', 'Solution'"):
        page(text=f"---\nanswer: twice\n---\n\nWhat?\n\n{HINT}")
    with pytest.raises(ValueError, match="Missing: 'data'"):
        page(text=NUMBER + SHARE + HINT + DRAW)
    with pytest.raises(ValueError, match=r"no number; a module beside it has to give its task"):
        page().exercise()


NUMBER = "---\ntitle: Share\npoints: 1\nanswer: share\ntolerance: 0.01\n---\n\nWhich?\n\n"
SHARE = '## Solution\n\n```python\nshare = mine["a"] / mine["of"]\n```\n\nSo {{mine["a"]}}.\n\n'


def test_a_number_is_what_the_solution_comes_to_with_the_data(page):
    wrong = '- `1 - share`\n  It is {{mine["a"]}}.\n- `mine["a"] /` → `mine["of"] /`\n  Two.\n'
    read = page(wrong, text=NUMBER + SHARE + HINT)
    mine = {"a": 1, "of": 4}
    made = read.exercise(shown=mine, mine=mine)
    assert (made.task.want, made.task.tolerance, made.data) == (0.25, 0.01, mine)
    assert [(one.wrong, one.hint) for one in made.mistakes] == [(0.75, "It is 1."), (1, "Two.")]
    assert made.why == "So 1."
    assert made.stub == "share = ..."
    assert read.apart(mine=mine) == 0.25


DRAW = """## Draw

```python
def draw(rng):
    return {"a": int(rng.integers(9)), "of": 10}


def fits(mine):
    return mine["a"] > 1 and right(mine) == mine["a"] / 10


def seen(mine):
    return {"far off": lambda x: x > 100}


def slips(mine):
    return [(-1, "Below 0.")]
```

## Card

{{mine["a"]}} of {{mine["of"]}}?

## Steps

- share of {{mine["a"]}} → `share`
"""


def test_data_of_ones_own_are_drawn_until_they_fit_and_are_the_same_for_a_name(page):
    wrong = '- `mine["a"] /` → `1 /`\n  It is {{mine["a"]}}.\n- far off: `1000`\n  Too far.\n'
    read = page(wrong, text=NUMBER.replace("title", "data: mine\ntitle") + SHARE + HINT + DRAW)
    made = read.whole()
    card = made.of("Ada").anew()
    data = made.of("Ada").data
    assert card.text == f"{data['a']} of 10?"
    assert card.steps == ((f"share of {data['a']}", data["a"] / 10),)
    assert (made.of("Ada").skill, made.taught) == (made.id, made.lesson)
    assert checked(made.of("Ada"), 1e6).lines[1].says == "Too far."
    seen = set()
    for name in map(str, range(60)):
        one = made.of(name)
        assert one.task.want == one.data["a"] / 10
        assert [(slip.wrong, slip.hint) for slip in one.mistakes] == [
            (0.1, f"It is {one.data['a']}."),
            (1000, "Too far."),
            (-1, "Below 0."),
        ]
        assert made.of(name).data == one.data
        seen.add(one.data["a"])
    assert seen == {2, 3, 4, 5, 6, 7, 8}


CHOICE = """---
title: Which
points: 2
answer: which
right: letter B, because 2
---

Which?

- **A** this
- **B** that

**Because**

- **1** so
- **2** so not

## Solution

So.

## Another hint

Look.
"""


def test_a_choice_needs_no_python(page):
    made = page("- A, 2: No.\n", text=CHOICE).exercise()
    assert made.solution == 'which = dt.course.ask("a-lesson/twice", answer=("B", 2))'
    assert made.stub == 'which = dt.course.ask("a-lesson/twice")\nwhich'
    assert [(one.name, one.options, one.right) for one in made.task.questions] == [
        ("letter", ("A", "B"), "B"),
        ("because", ("1", "2"), "2"),
    ]
    assert all(line.passed for line in made.task.judge(made.task.run(("B", 2))))
    assert hints(made, made.task.run(("A", 2))) == ["No."]


@pytest.fixture
def guess(tmp_path):
    """Writes a page with one guess and reads it."""

    def written(text):
        (tmp_path / "guesses.md").write_text(f"## how-many\n\n{text}\n", encoding="utf-8")
        ((name, read),) = read_guesses(tmp_path).items()
        assert name == f"{tmp_path.name.replace('_', '-')}/how-many"
        return read

    return written


def test_a_guess_is_its_question_and_what_is_known_of_it(guess):
    assert guess("How\n**many**?") == Guess(asks="How **many**?")
    number = guess("answer: 1 / 4\nwithin: 0.1\nbetween: 0, 1\n\nHow many?\n\nA\nquarter: 0.25.")
    assert number == Guess(0.25, "A quarter: 0.25.", 0.1, asks="How many?", between=(0, 1))
    texts = guess("answer: so, so\nalso: b, c\n\nWhich?\n\n- so, so\n- b\n- c\n\nBecause.")
    options = ("so, so", "b", "c")
    assert texts == Guess("so, so", "Because.", options=options, also=("b", "c"), asks="Which?")
    assert guess("Which?\n\n- yes\n- no").options == ("yes", "no")
    assert guess("How many?\n\nAnd with more?").because == "And with more?"


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("answer: on\n\nWhich?\n\n- yes\n- no", "how-many: the answer 'on' is none of the options"),
        ("answer: many\n\nHow many?", "how-many: 'many' is no number: name 'many' is not defined"),
        ("between: 0 to 9\n\nHow many?", "how-many: '0 to 9' is no number"),
    ],
)
def test_a_guess_that_cannot_be_read_is_named(guess, text, match):
    with pytest.raises(ValueError, match=match):
        guess(text)
