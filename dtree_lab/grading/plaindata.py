"""What a learner's process may say: plain data, written as JSON and read without running anything.

Numbers, texts, truths and None are themselves, and a list is a list; all else is a dict with a tag.
What has no plain form is told by the name of its type: the judge meets no object of a learner's,
so no ``__eq__`` and no ``__reduce__`` of one is ever run there. Trees and labs go by the texts
that they are saved as.
"""

from __future__ import annotations

import itertools
import math
import numbers
from collections import deque
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import numpy as np

from dtree_lab.base.answers import is_stub

MOST_VALUES, DEEPEST, LONGEST_NAME, LONGEST_INT = 30_000, 70, 60, 3_000
_MOST_TEXT = 1 << 20
_VIEWS: tuple[type, ...] = (type({}.keys()), type({}.values()), type({}.items()))
_LAZY: tuple[type, ...] = (range, map, filter, zip, enumerate, reversed, type(_ for _ in ()))
_MANY = (deque, *_VIEWS, *_LAZY)


class NotReadableError(ValueError):
    """What came out of a learner's process is not what it may say."""


class Far:
    """In the learner's process: a function or an object that stays with the judge.

    `ask` is given its number, the name of what is called or looked up, and the arguments (None for
    a look-up).
    """

    def __init__(self, ask: Callable[[int, str, Any], Any], number: int) -> None:
        self._ask, self._number = ask, number

    def __call__(self, *given: Any) -> Any:
        """What the judge's function gives."""
        return self._ask(self._number, "", given)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self._ask(self._number, name, None)


# -- written by the learner's process --------------------------------------------------------------


class Writer:
    """Writes values, and keeps the functions among them, to be called when they are asked for."""

    def __init__(self) -> None:
        self.functions: list[Any] = []
        self._left = 0

    def write(self, value: Any) -> Any:
        """A value as something that JSON can hold; never raises."""
        self._left = MOST_VALUES
        try:
            return self._one(value, 0)
        except BaseException:  # noqa: BLE001 - an object that cannot be looked at is only a thing
            return _thing(value)

    def _one(self, value: Any, depth: int) -> Any:
        self._left -= 1
        if self._left < 0 or depth > DEEPEST:
            raise OverflowError
        if isinstance(value, np.generic):
            value = value.item()
        if value is None or value is True or value is False:
            return value
        if value is ...:
            return {"t": "dots"}
        if isinstance(value, str):
            return str.__str__(value)
        if isinstance(value, int):
            return _whole(int(value))
        if isinstance(value, numbers.Real | Decimal):
            return _real(float(value))
        return self._many(value, depth + 1)

    def _many(self, value: Any, depth: int) -> Any:  # noqa: C901 - one kind after the other
        if type(value) is list:
            return [self._one(one, depth) for one in value]
        if isinstance(value, list):
            return self._tagged("list", value, depth)
        if isinstance(value, tuple):
            return self._tagged("tuple", value, depth)
        if isinstance(value, set | frozenset):
            return self._tagged("set", value, depth)
        if isinstance(value, dict):
            pairs = [[self._one(k, depth), self._one(v, depth)] for k, v in value.items()]
            return {"t": "dict", "v": pairs}
        if isinstance(value, np.ndarray):
            if _extent(value.shape) > self._left:
                raise OverflowError
            values = [self._one(one, depth) for one in value.ravel().tolist()]
            return {"t": "array", "v": values, "shape": list(value.shape)}
        if type(value) in _MANY:
            return self._tagged("several", itertools.islice(value, MOST_VALUES), depth, value)
        return self._object(value)

    def _tagged(self, tag: str, values: Any, depth: int, whole: Any = None) -> Any:
        written = {"t": tag, "v": [self._one(one, depth) for one in values]}
        return written if whole is None else written | {"type": _name(whole)}

    def _object(self, value: Any) -> Any:
        if type(value) is Far:
            return {"t": "far", "n": value._number}  # noqa: SLF001 - hidden from learners only
        home = type(value).__module__.partition(".")[0]
        if home == "dtree_lab" and hasattr(value, "to_json"):
            return {"t": "tree", "v": value.to_json()}
        if home == "dtree_lab" and isinstance(getattr(value, "state", None), str):
            return {"t": "lab", "v": value.state, "type": _name(value)}
        if type(value).__name__ == "KeptLab" and hasattr(value, "kept"):
            kept = value.kept
            lab = {"t": "lab", "v": kept, "type": "Lab"}
            return lab if isinstance(kept, str) else {"t": "dots"}
        if type(value).__name__ == "AskedCard" and hasattr(value, "about"):
            return {"t": "card", "about": str(value.about), "v": self._one(value.answer, 1)}
        if callable(value):
            self.functions.append(value)
            n = len(self.functions) - 1
            return {"t": "function", "n": n, "stub": is_stub(value), "type": _name(value)}
        return _thing(value)


def _sort(values: list[Any]) -> type | None:
    """What an array is to hold its values as; nothing where numpy finds out by itself."""
    kinds = {type(one) for one in values}
    # Each text takes as much room as the longest.
    texts = kinds == {str} and len(values) * max(map(len, values)) <= _MOST_TEXT
    return None if kinds <= {int, float} or kinds == {bool} or texts else object


def _extent(shape: tuple[int, ...]) -> int:
    """How many values there are, and empty lists that an array without any would become."""
    return math.prod(max(side, 1) for side in shape)


def _thing(value: Any) -> Any:
    return {"t": "thing", "type": _name(value)}


def _name(value: Any) -> str:
    return str(type(value).__name__)[:LONGEST_NAME]


def _whole(value: int) -> Any:
    return value if abs(value) < 1 << 62 else {"t": "int", "v": hex(value)[:LONGEST_INT]}


def _real(value: float) -> Any:
    return value if math.isfinite(value) else {"t": "float", "v": str(value)}


# -- read by the judge -----------------------------------------------------------------------------


class Opaque:
    """Something of a learner's that has no plain form; its class has the name of the real one."""


class OpaqueLab(Opaque):
    """A lab, of which the judge has the state's text."""

    state: str = ""


class OpaqueValues(Opaque):
    """Values that come one after the other: what a generator or a range held."""

    values: tuple[Any, ...] = ()

    def __iter__(self) -> Iterator[Any]:
        """The values; more than once, as a generator would not."""
        return iter(self.values)

    def __len__(self) -> int:
        return len(self.values)


def opaque_named(kind: type[Opaque], name: Any) -> Any:
    """A thing whose class is called as the learner's is."""
    word = name if isinstance(name, str) and name.isidentifier() else "thing"
    return type(word[:LONGEST_NAME], (kind,), {})()


class Reader:
    """Reads what a learner's process wrote.

    `function` stands in for a learner's, by its number and whether it is a stub; `far` is what the
    judge had lent, by its number; `tree` reads a tree's text, or is a ValueError; `card` stands in
    for a question's card, by what it is about and its answer.
    """

    def __init__(
        self,
        function: Callable[[int, bool], Any],
        far: Callable[[int], Any],
        tree: Callable[[str], Any],
        card: Callable[[str, Any], Any],
    ) -> None:
        self._function, self._far, self._tree, self._card = function, far, tree, card
        self._left = 0

    def read(self, written: Any) -> Any:
        """The value."""
        self._left = 2 * MOST_VALUES
        try:
            return self._one(written, 0)
        except NotReadableError:
            raise
        except Exception as problem:  # noqa: BLE001 - anything may have been written
            raise NotReadableError(f"not plain data ({type(problem).__name__})") from None

    def _one(self, written: Any, depth: int) -> Any:
        self._left -= 1
        if self._left < 0 or depth > DEEPEST + 5:
            raise NotReadableError("too many values")
        if written is None or isinstance(written, str | bool | int | float):
            return written
        if isinstance(written, list):
            return [self._one(one, depth + 1) for one in written]
        if not isinstance(written, dict):
            raise NotReadableError("not plain data")
        return self._tagged(written, depth + 1)

    def _tagged(self, written: dict[str, Any], depth: int) -> Any:  # noqa: C901 - as above
        tag = written["t"]
        match tag:
            case "dots":
                return ...
            case "int" if len(str(written["v"])) <= LONGEST_INT:
                return int(str(written["v"]), 16)
            case "float":
                return float(str(written["v"]))
            case "list" | "tuple" | "set" | "several" | "array":
                return self._several(tag, written, depth)
            case "dict":
                pairs = [(self._one(k, depth), self._one(v, depth)) for k, v in written["v"]]
                return dict(pairs)
            case "tree":
                return self._tree(str(written["v"]))
            case "lab":
                lab = opaque_named(OpaqueLab, written["type"])
                lab.state = str(written["v"])
                return lab
            case "card":
                return self._card(str(written["about"]), self._one(written["v"], depth))
            case "function":
                return self._function(int(written["n"]), written["stub"] is True)
            case "far":
                return self._far(int(written["n"]))
            case "thing":
                return opaque_named(Opaque, written["type"])
        raise NotReadableError("not plain data")

    def _several(self, tag: str, written: dict[str, Any], depth: int) -> Any:
        values = [self._one(one, depth) for one in written["v"]]
        match tag:
            case "tuple":
                return tuple(values)
            case "set":
                return set(values)
            case "several":
                shown = opaque_named(OpaqueValues, written["type"])
                shown.values = tuple(values)
                return shown
            case "array":
                shape = tuple(map(int, written["shape"]))
                if min(shape, default=0) < 0 or _extent(shape) > 2 * MOST_VALUES:
                    raise NotReadableError("an array of no such shape")
                return np.array(values, dtype=_sort(values)).reshape(shape)
        return values
