"""What a lab remembers and a person can set: declared once, in its state (docs/new-lab.md).

A setting gives its control, its check with its words, its place in the text of a state, the name
that a drag of it is undone by, and a trait of the widget. What a lab does beyond that when it is
set, and where it is kept otherwise than it is shown, stands in the lab's :class:`Settings`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from operator import attrgetter
from typing import Any, Generic, TypeAlias, TypeVar

from dtree_lab.labs.kit.actions import Action, NotPossibleError, Set, finite_number, whole_number
from dtree_lab.labs.kit.controls import Dropdown, Slider, Toggle
from dtree_lab.labs.kit.keeping import kept, settings_of
from dtree_lab.labs.kit.model import hushed
from dtree_lab.table.table import Table

_REQUIRED: Any = object()
Bound: TypeAlias = float | Callable[[Any], float]
Options: TypeAlias = Mapping[Any, str] | Callable[[Any], Mapping[str, str]]


class UnfitError(Exception):
    """A value that is not of the setting's sort."""


@dataclass(eq=False, kw_only=True)
class LabSetting:
    """One setting; in a dataclass it stands where a field's default does."""

    # Of which types it is in the text of a state; none for a control of what another setting is.
    kinds: tuple[type, ...]
    default: Any = _REQUIRED  # what it is at first; a field without one is required
    label: str = ""  # what its control is called
    # What it is called in the text, by the browser and in Python; the field's name if empty.
    key: str = ""
    control: str | None = None
    trait: str = ""
    optional: bool = False  # whether the text leaves it out while it is as at first
    # Whether the trait is what stands in the text, where a control has another value.
    as_text: bool = False
    # The value that is put into the state for one that came from outside; it raises a ValueError
    # that says what is wrong with it, or `UnfitError`.
    check: Callable[[Any, Any], Any] = lambda _, value: value
    name: str = ""

    def __set_name__(self, owner: type, name: str) -> None:
        """Be called as the field is."""
        self.name = name
        self.key, self.trait = self.key or name, self.trait or name
        self.control = name if self.control == "" else self.control

    def __get__(self, state: object, owner: type) -> Any:
        """The default, which a dataclass looks for; a state's own value is found before this."""
        if state is None and self.default is not _REQUIRED:
            return self.default
        raise AttributeError(self.name)

    def control_for(self, state: Any, value: Any, id_: str) -> Any:
        """The control that shows a value."""
        raise NotImplementedError


@dataclass(eq=False, kw_only=True)
class _Slider(LabSetting):
    low: Bound
    high: Bound
    step: float
    what: str
    words: str

    def ends(self, state: Any) -> tuple[float, float]:
        low, high = (b(state) if callable(b) else b for b in (self.low, self.high))
        return low, high

    def within(self, state: Any, value: Any) -> float:
        """A number from one end to the other, or whole where the slider's steps are."""
        low, high = self.ends(state)
        what = self.what or f"The {self.label.lower() or self.name}"
        if type(self.step) is int and not self.words:
            return whole_number(value, int(low), int(high), what)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if self.words and not is_number:
            raise UnfitError
        if not (is_number and low <= value <= high):
            own = f"{what} must be a number from {low:g} to {high:g}; got {value!r}."
            msg = self.words.format(value=finite_number(value)) if self.words else own
            raise NotPossibleError(msg)
        return float(value)

    def control_for(self, state: Any, value: Any, id_: str) -> Slider:
        return Slider(id_, self.label, value, *self.ends(state), self.step)


@dataclass(eq=False, kw_only=True)
class _Choice(LabSetting):
    options: Options
    words: str

    def all(self, state: Any) -> Mapping[Any, str]:
        return self.options(state) if callable(self.options) else self.options

    def known(self, state: Any, value: Any) -> Any:
        known = self.all(state)
        if isinstance(value, str) and value in known:
            return value
        if self.words:
            raise NotPossibleError(self.words.format(value=value, known=", ".join(known)))
        raise UnfitError

    def control_for(self, state: Any, value: Any, id_: str) -> Dropdown:
        return Dropdown(id_, self.label, value, list(self.all(state).items()))


class _Toggle(LabSetting):
    def control_for(self, state: Any, value: Any, id_: str) -> Toggle:  # noqa: ARG002 - as the others
        return Toggle(id_, self.label, value)


def slider(  # noqa: PLR0913 - by name
    low: Bound,
    high: Bound,
    label: str = "",
    *,
    step: float = 1,
    what: str = "",
    words: str = "",
    also: Callable[[Any, Any], Any] | None = None,
    **more: Any,
) -> Any:
    """A number with a slider, whole if `step` is; the ends may be functions of the state.

    `what` it is called at the beginning of a refusal is ``The``, and the label, if empty; `words`
    are the refusal of a number out of range, with ``{value}``, where it is not the usual one; what
    is within the ends goes through `also`.
    """
    kinds = (int,) if type(step) is int else (int, float)
    given = {"kinds": kinds, "control": "", **more}
    made = _Slider(low=low, high=high, label=label, step=step, what=what, words=words, **given)
    if "check" not in more:
        made.check = made.within
    if also is not None:
        made.check = lambda state, value: also(state, made.within(state, value))
    return made


def choice(options: Options, label: str = "", *, words: str = "", **more: Any) -> Any:
    """One of several: the keys of `options`, with their words, which a function may give.

    Of what is none of them `words` are said, with ``{value!r}`` and ``{known}``.
    """
    given = {"kinds": (str,), "control": "", **more}
    made = _Choice(options=options, label=label, words=words, **given)
    if "check" not in more:
        made.check = made.known
    return made


def toggle(label: str = "", **more: Any) -> Any:
    """On or off."""
    return _Toggle(kinds=(bool,), label=label, **{"control": "", "check": _bool, **more})


def remembered(*kinds: type, fits: Callable[[Any, Any], bool] | None = None, **more: Any) -> Any:
    """What has no control, but stands in the text: `fits` says whether a value can be."""

    def check(state: Any, value: Any) -> Any:
        if fits is not None and not fits(state, value):
            raise UnfitError
        return value

    return LabSetting(kinds=kinds, **{"check": check, **more})


def _bool(_: Any, value: Any) -> bool:
    if not isinstance(value, bool):
        raise UnfitError
    return value


class Nested:
    """Settings that stand together in a value of their own, a field of the state."""

    def __init__(self, of: type) -> None:
        self.of = of

    def __get__(self, state: object, owner: type) -> Any:
        """Nothing: the field is required."""
        raise AttributeError


def nested(of: type) -> Any:
    """A field whose value is a dataclass with settings of its own."""
    return Nested(of)


S = TypeVar("S")


@dataclass(frozen=True, eq=False)
class Settings(Generic[S]):
    """The settings of a lab, and what is particular about them.

    Each mapping is by the names of fields; all may be left out.
    """

    # The name of the widget, such as ``"ThresholdLab"``, and its state.
    lab: str
    of: type[S]
    # The state after a person has set a checked value: from the state before and the value. Of a
    # `nested` field, from the state and the new value of that field.
    sets: Mapping[str, Callable[[S, Any], S]] = field(default_factory=dict)
    # The value of a setting's control, from the state.
    shows: Mapping[str, Callable[[S], Any]] = field(default_factory=dict)
    # What stands in the text, from the state.
    tells: Mapping[str, Callable[[S], Any]] = field(default_factory=dict)
    # The state in which a setting is as the text has it: from a state and that value.
    loads: Mapping[str, Callable[[S, Any], S]] = field(default_factory=dict)
    # Settings that are not loaded, for the lab begins with them: see `load`.
    begun: Collection[str] = ()
    by_hand: Collection[str] = ()  # settings that are loaded as a person sets them
    # The table whose check sum the text has; None for a lab that makes its own rows.
    table: Callable[[S], Table | None] = attrgetter("table")
    # What is said of an action that is none of the lab's, with ``{action}`` or ``{short}``.
    unknown: str = "This lab cannot do this: {action}"
    # What is said of a control that nothing is set by, where it is not that, with ``{control}`` and
    # ``{value}``.
    unset: str = ""
    # What is said of a setting in a text that cannot be, with ``{value}``: ``its 'row' …``.
    damaged: str = "does not fit the table"

    @cached_property
    def all(self) -> dict[str, LabSetting]:
        """The settings by their names, in the order of the text."""
        found: dict[str, LabSetting] = {}
        for one in vars(self.of).values():
            for each in vars(one.of).values() if isinstance(one, Nested) else [one]:
                if isinstance(each, LabSetting):
                    found[each.name] = each
        return found

    @cached_property
    def _outer(self) -> dict[str, str]:
        """The fields that settings are nested in."""
        outer = [(name, one.of) for name, one in vars(self.of).items() if isinstance(one, Nested)]
        return {inner: name for name, of in outer for inner in vars(of) if inner in self.all}

    def _stays(self, name: str) -> bool:
        """Whether a text cannot change it: the lab begins with it, or it is worked out."""
        own = {f.name for f in fields(self.of)} | self._outer.keys()  # type: ignore[arg-type]
        return name in self.begun or (name not in self.loads and name not in own)

    # -- what a person does ------------------------------------------------------------------------

    def refusal(self, action: Action) -> NotPossibleError:
        """What is said of an action that is none of the lab's."""
        if isinstance(action, Set) and self.unset:
            return NotPossibleError(self.unset.format(**vars(action)))
        return NotPossibleError(self.unknown.format(action=action, short=str(action)[:80]))

    def set(self, state: S, action: Set) -> S:
        """The state after a control was set, or a refusal."""
        one = next((s for s in self.all.values() if s.control == action.control), None)
        if one is None:
            raise self.refusal(action)
        try:
            value = one.check(state, action.value)
        except UnfitError:
            raise self.refusal(action) from None
        if one.name in self.sets:
            return self.sets[one.name](state, value)
        return self._with(hushed(state), one.name, value)

    def _with(self, state: S, name: str, value: Any) -> S:
        if name not in self._outer:
            return replace(state, **{name: value})  # type: ignore[type-var]
        outer = self._outer[name]
        inner = replace(getattr(state, outer), **{name: value})
        whole: S = replace(state, **{outer: inner})  # type: ignore[type-var]
        return self.sets[outer](state, inner) if outer in self.sets else whole

    def control(self, state: S, name: str, **changes: Any) -> Any:
        """The control of a setting; `changes` are what its state has otherwise for it."""
        one = self.all[name]
        return replace(
            one.control_for(state, self.on_control(state, name), one.control or name), **changes
        )

    def on_control(self, state: S, name: str) -> Any:
        """The value of a setting's control."""
        return self.shows[name](state) if name in self.shows else self.in_text(state, name)

    # -- the text of a state -----------------------------------------------------------------------

    def in_text(self, state: S, name: str) -> Any:
        """What stands in the text."""
        if name in self.tells:
            return self.tells[name](state)
        inside = getattr(state, self._outer[name]) if name in self._outer else state
        return getattr(inside, name)

    def dump(self, state: S) -> str:
        """The state as text."""
        own = [(one, self.in_text(state, one.name)) for one in self.all.values() if one.kinds]
        told = {one.key: v for one, v in own if not (one.optional and v == one.default)}
        return kept(self.lab, self.table(state), told)

    def read(self, text: str, table: Table | None) -> dict[str, Any]:
        """What stands in a text, by the names of the settings."""
        kinds = {one.key: one.kinds for one in self.all.values() if one.kinds}
        optional = [one.key for one in self.all.values() if one.optional]
        found = settings_of(text, self.lab, table, kinds, optional)
        return {one.name: found[one.key] for one in self.all.values() if one.key in found}

    def load(self, text: str, table: Table | None, begin: Callable[[dict[str, Any]], S]) -> S:
        """The state of a text of this lab on a table: what `begin` makes of it, then the others.

        A text that is none, of another table or damaged, is a ValueError.
        """
        data = self.read(text, table)
        state = begin(data)
        for name, value in data.items():
            state = self.loaded(state, name, value)
        return hushed(state)

    def loader(self, first: S) -> Callable[[str], S]:
        """What makes a state of a text, for a lab that always begins with the same one."""
        return lambda text: self.load(text, self.table(first), lambda _: first)

    def loaded(self, state: S, name: str, value: Any) -> S:
        """The state in which a setting is as a text has it."""
        if self._stays(name):
            return state
        one = self.all[name]
        try:
            if name in self.loads:
                return self.loads[name](state, value)
            if name in self.by_hand:
                return self.sets[name](state, one.check(state, value))
            return self._with(state, name, one.check(state, value))
        except UnfitError:
            if one.control is not None:
                raise self.refusal(Set(one.control, value)) from None
            raise self.damage(name, value) from None

    def damage(self, name: str, value: Any = None) -> ValueError:
        """What is said of a setting in a text that cannot be."""
        why = self.damaged.format(value=value)
        return ValueError(f"the state is damaged: its {self.all[name].key!r} {why}")

    # -- the traits --------------------------------------------------------------------------------

    def on_hand(self, name: str) -> bool:
        """Whether a trait has the value of a control, not that of the text."""
        one = self.all[name]
        return one.control is not None and not one.as_text

    def value(self, state: S, name: str) -> Any:
        """The value of the trait."""
        return self.on_control(state, name) if self.on_hand(name) else self.in_text(state, name)

    def taken(self, state: S, name: str, value: Any) -> tuple[S, Action | None]:
        """The state with another value of a trait, and what a person would have done for it."""
        one = self.all[name]
        if self.on_hand(name):
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            action = Set(str(one.control), finite_number(value) if is_number else value)
            return self.set(state, action), action
        if self._stays(name):
            raise NotPossibleError(f"{one.trait!r} is chosen when the lab is made.")
        kinds = one.kinds
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            names = " or ".join("None" if k is type(None) else k.__name__ for k in kinds)
            raise NotPossibleError(f"{one.trait!r} must be of the type {names}; got {value!r:.40}.")
        return hushed(self.loaded(state, name, value)), None
