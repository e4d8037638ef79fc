"""How often something may be done, by whom: a bucket that runs empty and fills again in time."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field


@dataclass
class Bucket:
    """So many at once, and so many a second after that."""

    most: float  # how many it holds when it is full, as it is at first
    rate: float  # how many come back a second
    left: float  # how many there are
    filled: float  # when that was counted

    def take(self, now: float) -> bool:
        """Take one; False where there is none."""
        self.left = min(self.most, self.left + self.rate * (now - self.filled))
        self.filled = now
        if self.left < 1:
            return False
        self.left -= 1
        return True


@dataclass
class Limit:
    """A bucket for each of those who ask.

    The clock tells the time in seconds.

    >>> limit = Limit(2, 1, clock=lambda: 0.0)
    >>> [limit.allows("one") for _ in range(3)], limit.allows("another")
    ([True, True, False], True)
    """

    most: float
    rate: float
    clock: Callable[[], float] = time.monotonic
    buckets: dict[Hashable, Bucket] = field(default_factory=dict)

    # So many are remembered; then those that are full again are forgotten, which changes nothing.
    KEPT = 4_096

    def allows(self, who: Hashable) -> bool:
        """Whether they may once more; it counts."""
        now = self.clock()
        bucket = self.buckets.get(who)
        if bucket is None:
            if len(self.buckets) >= self.KEPT:
                self._forget(now)
            if len(self.buckets) >= self.KEPT:
                return False
            bucket = self.buckets[who] = Bucket(self.most, self.rate, self.most, now)
        return bucket.take(now)

    def _forget(self, now: float) -> None:
        for who, one in list(self.buckets.items()):
            if one.left + self.rate * (now - one.filled) >= self.most:
                del self.buckets[who]
