"""The traits of a lab that are read from its state: its settings, its text, its tree.

They hold nothing themselves. A lab compares the state that observers know with the new one, and has
those fire that have become another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

import numpy as np
from traitlets import All, TraitError, TraitType
from traitlets.utils.bunch import Bunch

from dtree_lab.labs.kit.settings import Settings

G = TypeVar("G")


class Seen(TraitType[G, Any], Generic[G]):
    """A trait that is read from a lab's state: by `of`, and said in a sentence, `what`."""

    def __init__(self, of: Callable[[Any], G], what: str = "") -> None:
        super().__init__(read_only=True, help=what)
        self._of = of

    def of(self, lab: Any, state: Any) -> G:  # noqa: ARG002 - others ask the lab
        """Its value in a state of a lab."""
        return self._of(state)

    def get(self, obj: Any, cls: Any = None) -> G:  # noqa: ARG002 - as traitlets has it
        """Its value now."""
        return self.of(obj, obj._state)  # noqa: SLF001


class SettingTrait(Seen[Any]):
    """A setting of a lab: to assign it does what a person does who sets its control."""

    def __init__(self, settings: Settings[Any], name: str) -> None:
        super().__init__(lambda state: settings.value(state, name), settings.all[name].label)
        self.read_only, self._settings, self._key = False, settings, name

    def set(self, obj: Any, value: Any) -> None:
        """Have the lab take it; what is known already is no action."""
        plain, known = value.item() if isinstance(value, np.generic) else value, self.get(obj)
        if isinstance(plain, bool) is not isinstance(known, bool) or plain != known:
            obj._taken(lambda state: self._settings.taken(state, self._key, plain))  # noqa: SLF001


class StateText(Seen[str]):
    """The text of a lab's state: to assign it loads it."""

    def __init__(self) -> None:
        super().__init__(str, "A short text that makes the lab again, when given as ``state=``.")
        self.read_only = False

    def of(self, lab: Any, state: Any) -> str:
        """As the lab writes it."""
        now = lab._now()  # noqa: SLF001
        text: str = now.text if now.state is state else lab._model.dump(state)  # noqa: SLF001
        return text

    def set(self, obj: Any, value: Any) -> None:
        """Have the lab load it."""
        load = obj._load  # noqa: SLF001
        if load is None:
            raise TraitError("This lab does not go on from a text.")
        if value != self.get(obj):
            obj._taken(lambda _: (load(value), None))  # noqa: SLF001


def traits_of(settings: Settings[Any]) -> dict[str, Seen[Any]]:
    """A trait for each setting, and `value`, all of them by name."""
    names = {one.trait: name for name, one in settings.all.items()}

    def value(state: Any) -> dict[str, Any]:
        return {trait: settings.value(state, name) for trait, name in names.items()}

    each = {trait: SettingTrait(settings, name) for trait, name in names.items()}
    return {**each, "value": Seen(value, "The settings by their names.")}


def changes(lab: Any, before: Any, now: Any) -> Iterator[Bunch]:
    """What became another from a state to the next, and what observers have set meanwhile."""
    heard = {name for name, kinds in lab._trait_notifiers.items() if any(kinds.values())}  # noqa: SLF001
    for name, trait in lab.traits().items() if heard else ():
        # Some take time to work out.
        if not isinstance(trait, Seen) or heard.isdisjoint((name, All)):
            continue
        old, new = trait.of(lab, before), trait.of(lab, now)
        if _differ(old, new) and not _differ(new, trait.get(lab)):
            yield Bunch(name=name, old=old, new=new, owner=lab, type="change")


def _differ(value: Any, other: Any) -> bool:
    try:
        return value is not other and bool(value != other)
    except ValueError:  # arrays are compared value by value
        return True
