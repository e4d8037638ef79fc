"""What a class answers: counts by option, of a first vote and of one after a discussion."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from dtree_lab.labs.kit.choices import without_marks
from dtree_lab.stage.acts import LETTERS
from dtree_lab.stage.lecture import Lecture

MOST_HANDS = 9_999
MOST_ROUNDS = 2


@dataclass(frozen=True)
class Round:
    """One vote on a question."""

    hands: tuple[int, ...]  # raised for each option, as the lecturer typed it
    # What each device chose, by its own number: one has one vote, and may change its mind for as
    # long as the vote is open.
    phones: dict[str, int] = field(default_factory=dict)

    @property
    def counts(self) -> tuple[int, ...]:
        """Votes by option, from hands and phones together."""
        found = list(self.hands)
        for option in self.phones.values():
            found[option] += 1
        return tuple(found)


@dataclass(frozen=True)
class Vote:
    """All votes on the question of a scene."""

    rounds: tuple[Round, ...]  # the first before what was discussed, the last after it
    is_open: bool = True  # votes are taken now

    @classmethod
    def on(cls, options: int) -> Vote:
        """A vote on so many options, in which nobody has voted."""
        return cls((Round((0,) * options),))

    @property
    def options(self) -> int:
        """How many can be chosen from."""
        return len(self.rounds[0].hands)

    @property
    def total(self) -> int:
        """How many votes the last round has."""
        return sum(self.rounds[-1].counts)

    def tapped(self, device: str, option: object) -> Vote:
        """With the vote of a device; what is no option, or comes too late, changes nothing."""
        fits = isinstance(option, int) and not isinstance(option, bool)
        if not self.is_open or not fits or not 0 <= option < self.options:  # type: ignore[operator]
            return self
        last = self.rounds[-1]
        phones = {**last.phones, device: option}
        return replace(self, rounds=(*self.rounds[:-1], replace(last, phones=phones)))  # type: ignore[arg-type]

    def counted(self, option: int, hands: int) -> Vote:
        """With so many hands for an option."""
        if not 0 <= option < self.options or not 0 <= hands <= MOST_HANDS:
            msg = f"hands are counted for one of {self.options} options, from 0 to {MOST_HANDS}"
            raise ValueError(msg)
        last = self.rounds[-1]
        raised = (*last.hands[:option], hands, *last.hands[option + 1 :])
        return replace(self, rounds=(*self.rounds[:-1], replace(last, hands=raised)))

    def again(self) -> Vote:
        """A second vote, after a discussion; where there is one already, it goes on."""
        if len(self.rounds) >= MOST_ROUNDS or not self.total:
            return replace(self, is_open=True)
        return Vote((*self.rounds, Round((0,) * self.options)))

    def closed(self) -> Vote:
        """The same, but no vote counts any more."""
        return replace(self, is_open=False)


def as_csv(lecture: Lecture, votes: dict[int, Vote]) -> str:
    """All counts: a line for each option of each round, in words without Markdown's signs."""
    text = io.StringIO()
    write = csv.writer(text, lineterminator="\n").writerow
    write(["scene", "question", "round", "letter", "option", "right", "hands", "phones", "votes"])
    for i, vote in sorted(votes.items()):
        question = lecture.scenes[i].question
        if question is None:
            continue
        asks = without_marks(question.asks)
        for n, one in enumerate(vote.rounds, 1):
            taps: Sequence[int] = list(one.phones.values())
            for k, option in enumerate(question.options):
                right = "" if not question.right else "yes" if k in question.right else "no"
                votes_here = [one.hands[k], taps.count(k), one.counts[k]]
                write([i + 1, asks, n, LETTERS[k], without_marks(option), right, *votes_here])
    return text.getvalue()
