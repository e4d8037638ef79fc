"""What a grower told while it grew, and the tree that can be built from that alone."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Any, TypeVar

from dtree_lab.grow.textbook import Closed, Event, Opened
from dtree_lab.tree.splits import Split
from dtree_lab.tree.tree import Branch, Counts, Leaf, Node, Path

T = TypeVar("T")


def trace(generator: Generator[Any, None, T]) -> tuple[list[Any], T]:
    """The events of a generator and what it returns."""
    results: list[T] = []

    def to_the_end() -> Generator[Any, None, None]:
        results.append((yield from generator))

    return list(to_the_end()), results[0]


def replay(events: Iterable[Event]) -> Node:
    """The tree that a trace tells of, its last word on each node counting."""
    last: dict[Path, tuple[Counts, Split | None]] = {}
    for event in events:
        match event:
            case Opened(path, counts, split):
                last[path] = counts, split
            case Closed(path, counts, _):
                last[path] = counts, None

    def built(path: Path) -> Node:
        counts, split = last[path]
        if split is None:
            return Leaf(counts)
        return Branch(counts, split, tuple(built((*path, i)) for i in range(split.n_branches)))

    return built(())
