"""What users of pandas, of scikit-learn or of an older version type, and what it is called here.

>>> import dtree_lab as dt
>>> dt.id3(dt.datasets.tax_fraud()).predict_proba
Traceback (most recent call last):
    ...
AttributeError: 'Tree' object has no attribute 'predict_proba'; here it is tree.shares(rows)
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

# Names of `dt` that go: where each still is, what to write instead, and the first version without
# it; then the name stands in MODULE (docs/policy.md).
RETIRING: dict[str, tuple[str, str, str]] = {}
# What each is called at its peers, and here: of `dt`, of tables, trees and forests.
_OURS = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
MODULE: dict[str, str] = _OURS["module"]
TABLE: dict[str, str] = _OURS["table"]
TREE, FOREST = (
    {key: ours.format(kind) for key, ours in _OURS["model"].items()} | _OURS[kind]
    for kind in ("tree", "forest")
)
C = TypeVar("C")


def no_attribute(owner: str, name: str, peers: Mapping[str, str], **where: Any) -> AttributeError:
    """The error of a name that there is not, with ours where a peer has it."""
    ours = f"; here it is {peers[name]}" if name in peers else ""
    return AttributeError(f"{owner} has no attribute {name!r}{ours}", name=name, **where)


def retiring(name: str) -> Any:
    """What a name that goes still stands for, with a warning that says what to write instead."""
    home, ours, version = RETIRING[name]
    text = f"dt.{name} goes with version {version}; write {ours}"
    warnings.warn(text, FutureWarning, stacklevel=3)
    return getattr(import_module(home), name)


def knows(peers: Mapping[str, str]) -> Callable[[type[C]], type[C]]:
    """A decorator from outside the class: what peers call it is told where it is asked for."""

    def absent(self: object, name: str) -> Any:
        raise no_attribute(f"{type(self).__name__!r} object", name, peers, obj=self)

    def wrapped(cls: type[C]) -> type[C]:
        setattr(cls, "__getattr__", absent)  # noqa: B010 - mypy would read it
        return cls

    return wrapped
