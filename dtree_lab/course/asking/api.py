"""What a notebook calls: ask a question by a card, draw another one, hold an exam."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dtree_lab.base.text import did_you_mean, listing, plural
from dtree_lab.course.asking.model import Asked, OneOf, SomeNumber
from dtree_lab.course.asking.series import ExamState, SkillState, begin_exam, practice
from dtree_lab.course.asking.wording import worded
from dtree_lab.course.cards import Card
from dtree_lab.course.checking import checked, remember_result
from dtree_lab.course.exercise import Exercise, Guess
from dtree_lab.course.lessons import askable, known_lesson, names
from dtree_lab.course.own import at_hand
from dtree_lab.course.progress import progress
from dtree_lab.course.revealing import reveal
from dtree_lab.course.skills import skills_of_lessons, weakest
from dtree_lab.course.tasks import Choose, Withheld

if TYPE_CHECKING:
    from dtree_lab.course.asking.widget import AskCard, SeriesCard


def ask(
    about: str,
    *,
    answer: Any = None,
    first: Any = None,
    truth: Any = None,
    because: object = "",
) -> AskCard:
    """Ask a question by a card: its options to choose from, or a number to give, and *Commit*.

    What is committed is judged at once, as :func:`~dtree_lab.course.check` or
    :func:`~dtree_lab.course.reveal` would, and written into the cell as ``answer=``. Run again, the
    card shows it, also in a terminal and where nothing runs at all.

    Parameters
    ----------
    about
        The id of an exercise that asks for a choice, or of a guess of a lesson.
    answer
        What was committed last: ``("B", 2)`` of a choice with its reason, the text of an option or
        a number of a guess. The card writes it.
    first
        What was committed at first, where that was something else. The card writes it.
    truth
        Of a guess whose answer is worked out in the notebook: what it turned out to be.
    because
        Why, then: anything with a text. The guess may have a reason of its own.

    Returns
    -------
    AskCard
        The card. Its ``answer`` is what was committed; ``check`` takes the card in its place.

    Raises
    ------
    ValueError
        For an id of nothing that can be asked so, or a guess without its truth.

    Examples
    --------
    >>> ask("tax-fraud/postcode", answer="classification").result.verdict
    'AS YOU SAID'
    >>> print(ask("tax-fraud/parts"))
    NOT ANSWERED YET  Which of these is an internal node, but not the root?
      ( ) A  the card Refund
      ( ) B  the card below the branch Married
      ( ) C  the card Marital Status
      ( ) D  what is written Single or Divorced
    And because?
      ( ) 1  it asks a question, and a row comes to it by an earlier answer
      ( ) 2  it gives a label and asks nothing
      ( ) 3  it is one of the answers to a question
      ( ) 4  every row comes by here
    """
    # Here, because it loads Jupyter's libraries, which no other part of the course needs.
    from dtree_lab.course.asking.widget import AskCard  # noqa: PLC0415

    found = _found(about)
    if isinstance(found, Guess):
        asked = _of_guess(about, found, truth, because)
    else:
        asked = of_exercise(found)
    return AskCard(asked, answer, first)


def _found(about: str) -> Exercise | Guess:
    """The exercise or the guess of an id."""
    known = askable(about if isinstance(about, str) else "")
    if isinstance(about, str) and about.partition("/")[0] not in names():
        known |= {key: one for key, one in at_hand(names()).items() if _choice(one)}
    if about not in known:
        close = did_you_mean(str(about), list(known))
        raise ValueError(f"nothing to ask is called {about!r}; there are {listing(known)}.{close}")
    return known[about]


def of_exercise(exercise: Exercise) -> Asked:
    """What the card of an exercise asks, whose task is a choice."""
    task = _choice(exercise)
    if task is None:
        raise TypeError(f"{exercise.id} asks for no choice")
    lists = worded(exercise.text).lists
    if len(lists) != len(task.questions):
        raise ValueError(
            f"{exercise.id} asks {plural(len(task.questions), 'question')}, and its text has"
            f" {plural(len(lists), 'list')} of options such as - **A** the words of it"
        )
    questions = tuple(
        OneOf(
            one.asks,
            tuple((key, words, int(key) if key.isdigit() else key) for key, words in one.options),
            # What is right is blank where only course staff know.
            frozenset({int(part.right) if part.right.isdigit() else part.right} - {""}),
        )
        for one, part in zip(lists, task.questions, strict=True)
    )

    def judge(answer: Any) -> Card:
        return remember_result(checked(exercise, answer))

    return Asked(exercise.id, exercise.title, "NOT ANSWERED YET", questions, judge)


def _choice(exercise: Exercise) -> Choose | None:
    """The choice that an exercise asks for; None where it asks for something else."""
    task = exercise.task
    asked = task.task if isinstance(task, Withheld) else task
    return asked if isinstance(asked, Choose) else None


def _of_guess(about: str, guess: Guess, truth: Any, because: object) -> Asked:
    if guess.answer is None and truth is None:
        raise ValueError(
            f"the answer to {about!r} is worked out in the notebook: give it as truth="
        )
    answer = guess.answer if truth is None else truth
    whole = replace(guess, answer=answer, because=str(because) or guess.because)

    def judge(answer: Any) -> Card:
        return reveal(
            answer,
            whole.answer,
            whole.because,
            within=whole.within,
            options=whole.options,
            also=whole.also,
        )

    return Asked(about, "Your guess", "YOUR GUESS?", (_guessed(whole),), judge, final=True)


def _guessed(guess: Guess) -> OneOf | SomeNumber:
    if not guess.options:
        right = float(guess.answer) if guess.answer is not None else None
        low, high = guess.between or (None, None)
        return SomeNumber(guess.asks, low, high, right)
    options = tuple((chr(ord("A") + i), words, words) for i, words in enumerate(guess.options))
    return OneOf(guess.asks, options, frozenset({str(guess.answer), *guess.also}))


def another(skill: str, name: Any = "", *, answers: Any = None) -> SeriesCard:
    """A skill with other numbers, as often as one likes; three right in a row is mastered.

    The card asks for the answer, or step by step, and writes what is answered into the cell.

    Parameters
    ----------
    skill
        The id of an exercise that is drawn anew, such as ``"entropy/three-labels"``.
    name
        The learner's name: the same name gets the same numbers.
    answers
        What was answered to each, try by try. The card writes it.

    Returns
    -------
    SeriesCard
        The card.

    Raises
    ------
    ValueError
        For an id that no skill has, or answers that no card has written.

    Examples
    --------
    >>> another("expressiveness/more", "Ada", answers=[[1]]).view["title"]
    'What parity costs'
    """
    return _card(practice("another", skill, name, answers))


def warm_up(lesson: str, name: Any = "", *, skill: str = "", answers: Any = None) -> SeriesCard:
    """One card before a lesson: of the skills of the lessons before, what is weakest and oldest.

    Of those with the fewest right in a row it is the one asked longest ago, else that taught last.

    Parameters
    ----------
    lesson
        The lesson that begins, such as ``"entropy"``.
    name
        The learner's name.
    skill, answers
        What was asked, and answered. The card writes it.

    Returns
    -------
    SeriesCard
        The card.

    Raises
    ------
    ValueError
        For a lesson that there is not, or that none comes before; answers that no card has written.

    Examples
    --------
    >>> warm_up("entropy", "Ada", skill="skills/follow").view["title"]
    'A row on its way to a leaf'
    """
    return _one_of("warm_up", lesson, name, skill, answers)


def wrap_up(lesson: str, name: Any = "", *, skill: str = "", answers: Any = None) -> SeriesCard:
    """One card after a lesson: of its own skills the weakest, with numbers never seen.

    Takes and gives what :func:`warm_up` does.

    Examples
    --------
    >>> wrap_up("entropy", "Ada", skill="entropy/three-labels").view["title"]
    'The entropy of three labels'
    """
    return _one_of("wrap_up", lesson, name, skill, answers)


def _one_of(call: str, lesson: str, name: Any, skill: str, answers: Any) -> SeriesCard:
    """A card of the weakest skill before a lesson, or in it, where the cell does not say which."""
    before = names()[: names().index(known_lesson(lesson))]
    taught = before[::-1] if call == "warm_up" else [lesson]  # of what is as weak, the newest
    if not taught:
        raise ValueError(f"no lesson comes before {lesson!r}, so there is nothing to warm up")
    if not skill:
        among = [k for t in taught for k, one in skills_of_lessons().items() if one.taught == t]
        skill = weakest(progress().skills, among)
    return _card(practice(call, lesson, name, answers, skill))


def _card(begun: SkillState | ExamState) -> SeriesCard:
    from dtree_lab.course.asking.widget import SeriesCard  # noqa: PLC0415 - as above

    return SeriesCard(begun)


def exam(
    name: Any = "",
    *,
    minutes: float | None = None,
    answers: Any = None,
    begun: str = "",
    handed_in: bool = False,
) -> SeriesCard:
    """Twelve questions over everything, judged when they are handed in.

    Parameters
    ----------
    name
        The learner's name: everybody has questions and numbers of their own.
    minutes
        How long it may take; without a limit if None. The clock begins with *Begin*.
    answers, begun, handed_in
        What was answered, when it was begun, and whether it was handed in. The card writes these.

    Returns
    -------
    SeriesCard
        The card. ``dt.course.check("exam/twelve", card, name=name)`` grades it.

    Raises
    ------
    ValueError
        For minutes, answers or a time that are none.

    Examples
    --------
    >>> exam("Ada", answers=[None] * 11 + [0.5], handed_in=True).answer[-1]
    0.5
    """
    return _card(begin_exam(name, minutes, answers, begun, handed_in=handed_in))
