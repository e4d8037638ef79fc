"""The one list of the labs, and one of them as a lecture needs it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib import import_module
from typing import Any, overload

from dtree_lab.base.terminal import terminal
from dtree_lab.datasets import tax_fraud
from dtree_lab.table.table import Table


@dataclass(frozen=True)
class Entry:
    """A lab."""

    name: str  # what people type: ``dt.demo("tree")``, ``dtree-lab demo tree``
    cls: str  # its class, which is also its name in ``dtree_lab``
    module: str  # where it is defined
    what: str  # what it shows, in a line
    # What a scene of it says before a class, beside its name: `dtree-lab demo` shows that.
    scene: Mapping[str, Any] = field(default_factory=dict, compare=False)

    def load(self) -> Any:
        """The class itself."""
        return getattr(import_module(self.module), self.cls)

    def opened(self, table: Table | None = None, state: str | None = None, **settings: Any) -> Any:
        """The lab on a table; without one on that which it brings, or the first of the course."""
        if table is None and self.cls == "TreeBuilder":
            table = tax_fraud()
        return self.load()(table, state=state, **settings)


def _entry(name: str, cls: str, folder: str, what: str, **scene: Any) -> Entry:
    return Entry(name, cls, f"dtree_lab.labs.{folder}.widget", what, scene)


# In the order of a course.
LABS = (
    _entry(
        "tree",
        "TreeBuilder",
        "treebuilder",
        "grow a tree by hand: every question with its gain, undo, cut, lock, finish by algorithm",
    ),
    _entry(
        "entropy",
        "EntropyLab",
        "entropy",
        "the entropy curve, and attributes side by side, down to fractions and logarithms",
    ),
    _entry(
        "steps",
        "StepThrough",
        "stepthrough",
        "an algorithm step by step, forward and back: ID3, thresholds, pruning, forests",
    ),
    _entry(
        "threshold",
        "ThresholdLab",
        "threshold",
        "a cut dragged along a continuous attribute: its gain, and a bell curve for each class",
    ),
    _entry(
        "pruning",
        "PruningLab",
        "pruning",
        "a tree pruned by a method or node by node, with its errors beside it",
    ),
    _entry(
        "decisions",
        "DecisionLab",
        "decisions",
        "one tree at three thresholds: what it misses, its false alarms, and what they cost",
        steps=3,
    ),
    _entry(
        "expressiveness",
        "ExpressivenessLab",
        "expressiveness",
        "how large the trees of OR, XOR and other functions are, and what one new attribute saves",
    ),
    _entry(
        "bias-variance",
        "BiasVarianceLab",
        "biasvariance",
        "bias, variance and noise against depth, over many training sets, with and without bagging",
    ),
    _entry(
        "forest",
        "ForestLab",
        "forest",
        "a random forest as it grows: out-of-bag error, votes, importances, missing values",
        settings={"trees": 1},
        show=["errors"],
        steps=2,
    ),
    _entry(
        "plane",
        "PlaneLab",
        "plane",
        "points placed in the plane, and the regions that a tree makes of them",
    ),
    _entry(
        "practice",
        "Practice",
        "practice",
        "a gain worked out by hand: what is typed is checked at once, with hints",
    ),
)


def find_lab(name: str) -> Entry:
    """The lab of a short name, or of a class's name in any case; a ValueError says what is near."""
    known = {_plain(key): lab for lab in LABS for key in (lab.name, lab.cls)}
    wanted = _plain(name) if isinstance(name, str) else ""
    if wanted in known:
        return known[wanted]
    # "bias" and "forestlabs" are near to what they begin, or begin with.
    near = [key for key in known if wanted and (key.startswith(wanted) or wanted.startswith(key))]
    near += get_close_matches(wanted, known, n=1)
    meant = f"Did you mean {known[near[0]].name!r}? " if near else ""
    names = ", ".join(lab.name for lab in LABS)
    raise ValueError(f"There is no lab {name!r}. {meant}The labs are: {names}.")


def _plain(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold()))


def lab_list() -> str:
    """All labs as lines of text, each with what it shows."""
    width = max(len(lab.name) for lab in LABS)
    return "\n".join(f"{lab.name:{width}}  {lab.what}" for lab in LABS)


class Listing:
    """The names of the labs, shown as text."""

    @terminal
    def __repr__(self) -> str:
        return lab_list()


@overload
def demo(name: None = None) -> Listing: ...


@overload
def demo(name: str, table: Table | None = None, *, state: str | None = None) -> Any: ...


def demo(name: str | None = None, table: Table | None = None, *, state: str | None = None) -> Any:
    """A lab for a live demo: large type, and keys that reveal one thing after the other.

    Page Down, or n, shows the next thing; Page Up, or b, goes back; r starts over. Buttons do the
    same. The command ``dtree-lab demo NAME`` shows a lab on a page of its own.

    Parameters
    ----------
    name
        The short name of a lab, such as ``"tree"``, or the name of its class. Without one, the
        labs are listed.
    table
        The rows; if None, those that the lab brings.
    state
        A text from the `state` of such a lab on that table, to begin there.

    Returns
    -------
    Lab
        The lab, to be shown as the last line of a cell.

    Raises
    ------
    ValueError
        For an unknown name, or whatever the lab does not accept: a table that it cannot show, the
        state of another lab or table.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> lab = dt.demo("tree")
    >>> lab.demo
    True
    """
    if name is None:
        return Listing()
    lab = find_lab(name).opened(table, state)
    lab.demo = True
    return lab
