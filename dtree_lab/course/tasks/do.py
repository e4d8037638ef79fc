"""Tasks that ask to do something in a lab; what counts is the state that was reached."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from dtree_lab.course.calls import Outcome, call, describe, short
from dtree_lab.course.cards import Line

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


@dataclass(frozen=True)
class Goal(Generic[T]):
    """What must have been reached.

    Attributes
    ----------
    met
        Whether it is.
    says
        What is, in words, such as ``"training error 0 of 10 rows"``.
    wanted
        What is wanted, such as ``"0"``.
    """

    met: Callable[[T], bool]
    says: Callable[[T], str]
    wanted: str = field(repr=False)


@dataclass(frozen=True)
class Done:
    """What was read from an answer, and what tells it from another."""

    value: Any
    key: Any


class Doing(Generic[T]):
    """What tasks share that read a thing from an answer and hold goals against it."""

    goals: tuple[Goal[T], ...]

    def read(self, answer: Any) -> T:
        """The thing that was handed in; ValueError or TypeError for what holds none."""
        raise NotImplementedError

    def key(self, answer: Any, thing: T) -> Any:
        """What is equal for two answers that are the same."""
        raise NotImplementedError

    def untouched(self, thing: T) -> bool:
        """Whether nothing has been done to it yet."""
        raise NotImplementedError

    def run(self, answer: Any) -> tuple[Outcome, ...]:
        """The thing, or why there is none, once for each goal."""
        return (read_by(self, answer),) * len(self.goals)

    def judge(self, outcomes: tuple[Outcome, ...]) -> tuple[Line, ...]:
        """A line for each goal."""
        return tuple(map(_line, self.goals, outcomes))

    def agree(self, one: Outcome, other: Outcome) -> bool:
        """The same thing."""
        done = isinstance(one.value, Done) and isinstance(other.value, Done)
        return done and bool(one.value.key == other.value.key)


@dataclass(frozen=True)
class Do(Doing[T]):
    """Reach some goals in a lab.

    The answer is the lab, or its state as text.

    Attributes
    ----------
    load
        Makes the lab's state from its text, which raises a ValueError for any other text.
    goals
        One case each.
    blank
        Whether nothing has been done in a state yet.
    form
        What is to be handed in, in words.
    """

    load: Callable[[str], T]
    goals: tuple[Goal[T], ...]
    blank: Callable[[T], bool] | None = None
    form: str = "the lab itself or its .state"
    kind: Literal["doing"] = "doing"

    def read(self, answer: Any) -> T:
        """The state of an answer."""
        return self.load(text_of(answer, self.form))

    def key(self, answer: Any, thing: T) -> str:  # noqa: ARG002 - of states, only texts can be compared
        """The state's text."""
        return text_of(answer)

    def untouched(self, thing: T) -> bool:
        """Whether nothing has been done in a state yet."""
        return self.blank is not None and self.blank(thing)


def text_of(answer: Any, form: str = "the lab itself or its .state") -> str:
    """The state of a lab, or of a text that is one; a TypeError for anything else."""
    text = getattr(answer, "state", answer)
    if not isinstance(text, str):
        raise TypeError(f"hand in {form}; this is {describe(answer).says}")
    return text


def read_by(task: Doing[T], answer: Any) -> Outcome:
    """What a task reads from an answer: an outcome whose value is Done, or why there is none."""
    found: list[Outcome] = []
    read = call(lambda: found.append(_read(task, answer)))
    return found[0] if found else _refused(read.says)


def _read(task: Doing[T], answer: Any) -> Outcome:
    if answer is None or answer is ... or (isinstance(answer, str) and not answer.strip()):
        return Outcome("nothing", says="nothing")
    try:
        thing = task.read(answer)
    except Exception as error:  # noqa: BLE001 - whatever was handed in, one clear line
        return _refused(str(error))
    if task.untouched(thing):
        return Outcome("nothing", says="nothing: nothing has been done yet")
    return Outcome("other", Done(thing, task.key(answer, thing)), "what was done")


def _refused(why: str) -> Outcome:
    return Outcome("refused", says=f"the answer cannot be read: {short(why)}")


def when(
    holds: Callable[[Any], bool], *goals: int
) -> Callable[[tuple[Outcome, ...]], tuple[int, ...]]:
    """Recognises a property of what was done, which keeps it from some goals: a mistake's `when`.

    Examples
    --------
    >>> too_deep = when(lambda tree: tree.depth > 3, 1)
    """

    def recognise(outcomes: tuple[Outcome, ...]) -> tuple[int, ...]:
        done = outcomes[0].value
        return goals if isinstance(done, Done) and holds(done.value) else ()

    return recognise


def _line(goal: Goal[Any], outcome: Outcome) -> Line:
    if outcome.kind == "refused":
        return Line(outcome.says, passed=False)
    if not isinstance(outcome.value, Done):
        return Line("not answered yet", passed=False)
    met = goal.met(outcome.value.value)
    wanted = "" if met else f"; {goal.wanted} is wanted"
    return Line(goal.says(outcome.value.value) + wanted, passed=met)
