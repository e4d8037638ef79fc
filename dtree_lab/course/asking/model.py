"""A question card: what is asked, what was chosen and committed, and what is to be seen of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from dtree_lab.base import text as escape
from dtree_lab.base.text import number, plural
from dtree_lab.course.cards import Card
from dtree_lab.labs.kit.actions import NotPossibleError, Press, Set, typed
from dtree_lab.labs.kit.choices import (
    ChoiceGroup,
    Choices,
    NumberAsked,
    Verdict,
    as_html,
    without_marks,
)
from dtree_lab.labs.kit.keeping import literal
from dtree_lab.labs.kit.parts import View


@dataclass(frozen=True)
class OneOf:
    """A question that is answered by choosing."""

    asks: str  # in inline Markdown
    # The key of each, its words, and what is committed for it.
    options: tuple[tuple[str, str, str | int], ...]
    right: frozenset[Any] = field(default=frozenset(), repr=False)  # what is right to commit

    def key(self, value: object) -> str:
        """The key of what was committed; nothing for what is none of the options."""
        return next((key for key, _, kept in self.options if _same(kept, value)), "")

    def value(self, key: str) -> str | int:
        """What is committed for a key."""
        for one, _, value in self.options:
            if one == key:
                return value
        raise NotPossibleError(f"There is no option {key[:20]!r}.")


@dataclass(frozen=True)
class SomeNumber:
    """A question that is answered by a number; with a slider where it is known between what."""

    asks: str
    low: float | None = None
    high: float | None = None
    right: float | None = field(default=None, repr=False)

    def key(self, value: object) -> str:
        """The number of what was committed; nothing for what is none."""
        return number(value) if isinstance(value, int | float) else ""

    def value(self, key: str) -> float:
        """What is committed for a number as it was typed."""
        found = typed(key, "The answer")
        return int(found) if found.is_integer() else found


@dataclass(frozen=True)
class Asked:
    """What a card asks."""

    about: str  # the id of the exercise or the guess
    title: str  # what stands over it
    waiting: str  # what is said in a word or two as long as there is no answer
    # Several that are chosen from, or one that asks for a number.
    questions: tuple[OneOf | SomeNumber, ...]
    judge: Callable[[Any], Card] = field(repr=False)  # the verdict on an answer
    final: bool = False  # the first answer is the last: of guesses, whose verdict tells the truth


@dataclass(frozen=True)
class AskState:
    """Where a card stands."""

    sheet: Asked
    chosen: tuple[str, ...]  # for each question the key, or the number as typed; not yet committed
    answer: Any = None  # what was committed last
    first: Any = None  # what was committed at first
    card: Card | None = None  # the verdict on the answer
    commits: int = 0  # how often something was committed since the card was made

    @property
    def standing(self) -> str:
        """What is chosen of an answer that was never committed."""
        if self.card is not None or not any(self.chosen):
            return ""
        return f"{answered_of(self.chosen)} It counts once it is committed."

    @property
    def locked(self) -> bool:
        """Whether the answer stands for good."""
        if self.card is None:
            return False
        return self.card.tone == "good" or (self.sheet.final and self.card.tone == "open")


class Answerer:
    """What holds an answer that was committed, and may be seen: a question's card."""

    answer: Any
    about: str
    is_seen = False

    @property
    def standing(self) -> str:
        """What is answered, and what is open, where that is a part and there is no answer."""
        return getattr(getattr(self, "_state", None), "standing", "")


def is_card(answer: Any, about: str) -> bool:
    """Whether it is the card of this exercise."""
    # By its type, for a strange object may answer for its class, or raise when asked.
    return issubclass(type(answer), Answerer) and bool(answer.about == about)


def committed(answer: Any, about: str) -> Any:
    """The answer itself, or that which was committed in the card of this exercise."""
    return answer.answer if is_card(answer, about) else answer


def answered_of(answered: Sequence[object]) -> str:
    """How many questions are answered, and which are open.

    >>> answered_of([0.5, "", 1])
    '2 of 3 questions answered; open: 2.'
    """
    left = [str(i) for i, given in enumerate(answered, 1) if given in ("", None)]
    many = plural(len(answered), "question")
    open_ones = f"; open: {', '.join(left)}" if left else ""
    return f"{len(answered) - len(left)} of {many} answered{open_ones}."


def begin(sheet: Asked, answer: Any = None, first: Any = None) -> AskState:
    """A card with what was committed before, judged."""
    blank = AskState(sheet, ("",) * len(sheet.questions))
    if answer is None or answer is ...:
        return blank
    chosen = _keys(sheet, answer)
    earliest = answer if first is None else first
    return replace(blank, chosen=chosen, answer=answer, first=earliest, card=sheet.judge(answer))


def _keys(sheet: Asked, answer: Any) -> tuple[str, ...]:
    """For each question the key, or the number, of an answer; nothing for what is none of them."""
    said = answer if len(sheet.questions) > 1 else (answer,)
    if not isinstance(said, tuple | list) or len(said) != len(sheet.questions):
        return ("",) * len(sheet.questions)
    return tuple(one.key(value) for one, value in zip(sheet.questions, said, strict=True))


def update(state: AskState, action: Any) -> AskState:
    """Choose, type a number, or commit."""
    if state.locked:
        raise NotPossibleError("This answer is committed.")
    match action:
        case Set(control=str(place), value=bool() | str() | float() as value):
            i = _place(place, len(state.chosen))
            question, chosen = state.sheet.questions[i], str(value)[:40]
            if isinstance(question, OneOf):
                question.value(chosen)  # which refuses what is no option
            return replace(state, chosen=(*state.chosen[:i], chosen, *state.chosen[i + 1 :]))
        case Press("commit"):
            return _committed(state)
    raise NotPossibleError(f"A question's card cannot do this: {action}")


def _place(control: str, many: int) -> int:
    names = [name(i) for i in range(many)]
    if control not in names:
        raise NotPossibleError(f"This card has no question {control[:20]!r}.")
    return names.index(control)


def name(i: int) -> str:
    """What the browser calls a question."""
    return f"question-{i + 1}"


def _committed(state: AskState) -> AskState:
    values = []
    for question, chosen in zip(state.sheet.questions, state.chosen, strict=True):
        if not chosen:
            asks = "Choose an option" if isinstance(question, OneOf) else "Give a number"
            raise NotPossibleError(f"{asks} before you commit: {without_marks(question.asks)}")
        values.append(question.value(chosen))
    answer = tuple(values) if len(values) > 1 else values[0]
    if _keys(state.sheet, answer) == _judged(state):
        return state  # the same once more is no other try
    first = answer if state.first is None else state.first
    card = state.sheet.judge(answer)
    return replace(state, answer=answer, first=first, card=card, commits=state.commits + 1)


def _judged(state: AskState) -> tuple[str, ...]:
    """What was committed last, as it is chosen; nothing as long as there is no verdict."""
    return () if state.card is None else _keys(state.sheet, state.answer)


def _same(kept: str | int, value: object) -> bool:
    if not isinstance(value, str | int):
        return False
    return str(kept).strip().casefold() == str(value).strip().casefold()


# ---- what is seen --------------------------------------------------------------------------------


def view(state: AskState) -> View:
    """What the browser shows: a question after the other."""
    verdict, card = None, state.card
    if card is not None:
        lines = [(line.mark, line.label, line.says, line.code) for line in card.lines]
        verdict = Verdict(card.tone, card.verdict, card.title, lines)
    part = Choices(
        "card",
        _groups(state),
        commits=state.commits,
        judged=_judged(state),
        locked=state.locked,
        verdict=verdict,
        note=first_try(state),
    )
    return View(state.sheet.title, [part])


def _groups(state: AskState) -> list[ChoiceGroup | NumberAsked]:
    made: list[ChoiceGroup | NumberAsked] = []
    for i, (question, chosen) in enumerate(zip(state.sheet.questions, state.chosen, strict=True)):
        if isinstance(question, OneOf):
            options = [(key, words) for key, words, _ in question.options]
            marks = _marks(state, i, question)
            made.append(ChoiceGroup(name(i), question.asks, options, chosen, marks))
        else:
            ends = question.low, question.high
            truth = question.right if state.locked else None
            step = _step(question)
            made.append(NumberAsked(name(i), question.asks, chosen, *ends, step, truth))
    return made


def _step(question: SomeNumber) -> float:
    """Finer than one where all lies between two numbers that are near each other."""
    if question.low is None or question.high is None:
        return 1
    return 1 if question.high - question.low > 2 else 0.01  # noqa: PLR2004


def _marks(state: AskState, i: int, question: OneOf) -> dict[str, bool]:
    """Of the option that was committed, and of the right one once nothing is left to find out.

    Of a choice with its reason nothing, before: which half is wrong would be half the answer.
    """
    wrong = state.card is not None and state.card.tone == "open" and len(state.chosen) == 1
    if not question.right or not (wrong or state.locked):
        return {}
    right = {
        key
        for key, _, value in question.options
        if any(_same(one, value) for one in question.right)
    }
    shown = {_judged(state)[i], *(right if state.locked else ())}
    return {key: key in right for key in shown - {""}}


def first_try(state: AskState) -> str:
    """What was answered at first, where the answer has become another."""
    if state.card is None or state.first == state.answer:
        return ""
    return f"Your first try: {literal(state.first)}"


def arguments(state: AskState) -> dict[str, str]:
    """What the call says of the answer, as code; the first try where there was another."""
    if state.card is None:
        return {}
    told = {"answer": literal(state.answer)}
    return told if state.first == state.answer else told | {"first": literal(state.first)}


def dump(state: AskState) -> str:
    """The same in one text."""
    return ", ".join(f"{key}={value}" for key, value in arguments(state).items())


def still(state: AskState) -> tuple[str, str]:
    """The card as text and as part of a page, for whoever has no kernel."""
    return as_text(state), _as_page(state)


def as_text(state: AskState) -> str:
    """The question, its options with the chosen one marked, and the verdict."""
    lines = [line for group in _groups(state) for line in group.still()]
    if state.card is None:
        lines[0] = f"{state.sheet.waiting}  {lines[0]}"
        return "\n".join(lines)
    return "\n".join(filter(None, [*lines, str(state.card), first_try(state)]))


_LIST = "list-style:none;margin:2px 0 8px;padding:0 0 0 2px"


def _as_page(state: AskState) -> str:
    """The same as part of a page, without scripts and styles of its own."""
    groups = "".join(_group(group) for group in _groups(state))
    card = "" if state.card is None else state.card._repr_html_()
    note = first_try(state)
    said = f"<div>{escape.html(note)}</div>" if note else ""
    return f'<div style="max-width:46em;line-height:1.5">{groups}{card}{said}</div>'


def _group(group: ChoiceGroup | NumberAsked) -> str:
    asks = f"<div>{as_html(group.asks)}</div>"
    if isinstance(group, NumberAsked):
        value = escape.html(group.value) if group.value else "…"
        return f'{asks}<div style="{_LIST}">{value}</div>'
    items = "".join(_item(group, key, words) for key, words in group.options)
    return f'{asks}<ul style="{_LIST}">{items}</ul>'


def _item(group: ChoiceGroup, key: str, words: str) -> str:
    chosen = key == group.chosen
    dot = '<span role="img" aria-label="chosen">●</span>' if chosen else "○"
    right = group.marks.get(key)
    sign = "" if right is None else _sign("✓", "right") if right else _sign("✗", "not right")
    return f"<li>{dot} <b>{escape.html(key)}</b>&ensp;{as_html(words)}{sign}</li>"


def _sign(mark: str, words: str) -> str:
    return f' <span role="img" aria-label="{words}">{mark}</span>'
