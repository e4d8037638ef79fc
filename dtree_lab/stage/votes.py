"""What a class answers: of a first vote, and of one after a discussion."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from dtree_lab.labs.kit.choices import without_marks
from dtree_lab.stage.acts import ClassQuestion

MOST_HANDS = 9_999
MOST_ROUNDS = 2


@dataclass(frozen=True)
class Round:
    """One vote on a question."""

    # Raised for each option, as the lecturer typed it; none where hands cannot be counted.
    hands: tuple[int, ...]
    # What each device answered, a place or a word, by its own number: one has one vote, and may
    # change its mind for as long as the vote is open.
    phones: dict[str, Any] = field(default_factory=dict)

    @property
    def counts(self) -> tuple[int, ...]:
        """Votes by option, from hands and phones together; none where hands cannot be counted."""
        found = list(self.hands)
        for option in self.phones.values() if found else ():
            found[option] += 1
        return tuple(found)

    @property
    def total(self) -> int:
        """All votes."""
        return sum(self.hands) + len(self.phones)


@dataclass(frozen=True)
class Vote:
    """All votes on the question of a scene."""

    rounds: tuple[Round, ...]  # the first before what was discussed, the last after it
    is_open: bool = True  # votes are taken now
    hidden: frozenset[str] = frozenset()  # words that the lecturer keeps from the room

    @classmethod
    def on(cls, options: int) -> Vote:
        """A vote on so many options, or none, in which nobody has voted."""
        return cls((Round((0,) * options),))

    @property
    def options(self) -> int:
        """For how many hands can be counted."""
        return len(self.rounds[0].hands)

    @property
    def total(self) -> int:
        """How many votes the last round has."""
        return self.rounds[-1].total

    @property
    def sent(self) -> list[Any]:
        """What phones have sent in the last round."""
        return list(self.rounds[-1].phones.values())

    @property
    def listed(self) -> list[list[Any]]:
        """Each word, how often it was sent in the last round, and whether it is hidden."""
        return [[word, n, word in self.hidden] for word, n in Counter(self.sent).items()]

    @property
    def words(self) -> dict[str, None]:
        """All that have come, each once."""
        sent = (word for one in self.rounds for word in one.phones.values())
        return dict.fromkeys([*self.hidden, *sent])

    def tapped(self, device: str, answer: int | str, most: int) -> Vote:
        """With the vote of a device, a word or one of so many; what is none changes nothing."""
        is_one = not most if type(answer) is str else type(answer) is int and 0 <= answer < most
        if not self.is_open or not is_one:
            return self
        last = self.rounds[-1]
        phones = {**last.phones, device: answer}
        return replace(self, rounds=(*self.rounds[:-1], replace(last, phones=phones)))

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
        return replace(self, rounds=(*self.rounds, Round((0,) * self.options)), is_open=True)

    def closed(self) -> Vote:
        """The same, but no vote counts any more."""
        return replace(self, is_open=False)


def as_csv(questions: Mapping[int, ClassQuestion], votes: Mapping[int, Vote]) -> str:
    """All counts: a line for each answer of each round, in words without Markdown's signs.

    Questions and their votes are known by their scenes.
    """
    text = io.StringIO()
    write = csv.writer(text, lineterminator="\n").writerow
    write(["scene", "question", "round", "letter", "option", "right", "hands", "phones", "votes"])
    for i, vote in sorted(votes.items()):
        asks = without_marks(questions[i].asks)
        for n, one in enumerate(vote.rounds, 1):
            lines = questions[i].takes.lines(one.hands, list(one.phones.values()))
            for letter, answer, right, hands, phones in lines:
                counts = [right, hands, phones, hands + phones]
                write([i + 1, asks, n, letter, without_marks(answer), *counts])
    return text.getvalue()
