"""A learner's function is called so that nothing it does can break the notebook.

The call has a limit of time (:mod:`~dtree_lab.course.bounded`). What it prints and warns is caught;
what it returns is turned into a plain :class:`Outcome` within the same limit, so that even an
object whose methods hang can do no harm.
"""

from __future__ import annotations

import copy
import io
import numbers
import warnings
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from dtree_lab.course.bounded import OutOfTimeError, within
from dtree_lab.course.places import own_line
from dtree_lab.course.plain import NotPlainError, plain
from dtree_lab.shown import number, plural
from dtree_lab.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Callable

Kind = Literal[
    "number", "text", "truth", "nothing", "values", "tree", "other", "raised", "hung", "refused"
]

SECONDS = 2.0
_MOST_TEXT = 200
_MOST_PRINTED = 2_000
_MOST_WRITTEN = 60


@dataclass(frozen=True)
class Outcome:
    """What came of a call, as plain values.

    Attributes
    ----------
    kind
        What sort of thing came back; ``"raised"`` and ``"hung"`` when nothing did; ``"refused"``
        when the answer could not be tried at all, with the whole line in `says`.
    value
        The number, text or truth value; a list, tuple, array, set or dict as
        :func:`~dtree_lab.course.plain.plain` makes it; the tree; what was done in a lab; else
        None.
    says
        The same in words, short, for a line of feedback.
    printed, warned
        What was printed, and the first warning.
    where
        The learner's own line where an error came up, or where time was up.
    """

    kind: Kind
    value: Any = None
    says: str = ""
    printed: str = ""
    warned: str = ""
    where: str = ""


def call(
    function: Callable[..., Any], args: tuple[Any, ...] = (), seconds: float | None = None
) -> Outcome:
    """Call a function with copies of some arguments, for at most some seconds (2 unless told).

    Examples
    --------
    >>> call(max, ([3, 7],))
    Outcome(kind='number', value=7.0, says='7', printed='', warned='', where='')
    >>> call(lambda: 1 / 0).says
    'ZeroDivisionError: division by zero'
    """
    found: list[Outcome] = []
    limit = SECONDS if seconds is None else seconds

    def work() -> None:
        try:
            found.append(describe(function(*copy.deepcopy(args))))
        except BaseException as error:  # noqa: BLE001 - sys.exit in an answer must not end the kernel
            found.append(_raised(error))

    printed = _Limited()
    with ExitStack() as stack:
        stack.enter_context(redirect_stdout(printed))
        stack.enter_context(redirect_stderr(printed))
        caught = stack.enter_context(warnings.catch_warnings(record=True))
        warnings.simplefilter("default")
        within(limit, work)
    outcome = found[0] if found else Outcome("hung")
    if outcome.kind == "hung":
        outcome = replace(outcome, says=f"did not finish within {number(limit)} seconds")
    warned = short(str(caught[0].message)) if caught else ""
    return replace(outcome, printed=printed.getvalue(), warned=warned)


class _Limited(io.StringIO):
    """What keeps the first lines and forgets the rest: endless printing must not fill memory."""

    def write(self, text: str) -> int:
        room = _MOST_PRINTED - self.tell()
        if room > 0:
            super().write(text[:room])
        return len(text)


def _raised(error: BaseException) -> Outcome:
    where = own_line(error)
    if isinstance(error, OutOfTimeError):
        return Outcome("hung", where=where)
    name = type(error).__name__
    try:
        said = short(str(error))
    except BaseException:  # noqa: BLE001 - an error that cannot even say what it is
        said = ""
    return Outcome("raised", value=name, says=f"{name}: {said}" if said else name, where=where)


def describe(value: Any) -> Outcome:
    """A value as an outcome; what an exercise has no use for is only described.

    Examples
    --------
    >>> describe(float("nan")).says
    'NaN (not a number)'
    >>> describe([0.5, 0.25]).says
    '[0.5, 0.25]'
    """
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        value = value.item()
    if value is None or value is ...:
        return Outcome("nothing", says="nothing")
    if isinstance(value, bool):
        return Outcome("truth", value, str(value))
    if isinstance(value, numbers.Real):
        return _number(value)
    if isinstance(value, str):
        return Outcome("text", str(value), repr(short(str(value))))
    if isinstance(value, Tree):
        return Outcome("tree", value, f"a tree of {plural(value.n_nodes, 'node')}")
    many = _many(value)
    return _values(value, many) if many else Outcome("other", says=f"a {_type(value)}")


def _type(value: Any) -> str:
    return short(type(value).__name__)


def _values(value: Any, many: str) -> Outcome:
    try:
        found = plain(value)
    except NotPlainError:
        return Outcome("other", says=many)
    shown = _shortened(found)
    written = repr(list(shown) if isinstance(value, list) else shown)
    return Outcome("values", found, many if len(written) > _MOST_WRITTEN else written)


def _shortened(value: Any) -> Any:
    """Plain values with six digits of every number: the rest of them is only rounding."""
    if isinstance(value, dict):
        return {key: _shortened(one) for key, one in value.items()}
    if isinstance(value, tuple):
        return tuple(map(_shortened, value))
    return float(f"{value:.6g}") if isinstance(value, float) else value


def _many(value: Any) -> str:
    """What holds several values, in words; nothing for what does not."""
    if isinstance(value, np.ndarray):
        return f"an array of {plural(value.size, 'value')}"
    if isinstance(value, list | tuple | set | frozenset | dict):
        return f"a {type(value).__name__} of {plural(len(value), 'value')}"
    return ""


def _number(value: numbers.Real) -> Outcome:
    try:
        x = float(value) + 0.0  # no negative zero
    except OverflowError:
        return Outcome("other", says="a number too large to compare")
    if np.isnan(x):
        return Outcome("number", x, "NaN (not a number)")
    whole = isinstance(value, int) or np.isinf(x) or x == round(x)
    return Outcome("number", x, number(x) if whole else f"{x:.4g}")


def short(text: str) -> str:
    """Text on one line, cut where it gets long."""
    line = " ".join(text[: 2 * _MOST_TEXT].split())
    return line if len(line) <= _MOST_TEXT else line[: _MOST_TEXT - 1] + "…"
