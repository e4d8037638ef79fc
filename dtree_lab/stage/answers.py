"""How a class answers a question: each kind is one class, with all that there is of it.

That is what is written for it in a lecture's file, what a phone gets to answer with, which of the
numbers that phones send are answers, what they come to, and how the room sees them. A new kind is a
class, and its place in `KINDS`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil, floor, isfinite, log10
from typing import Any, ClassVar

from dtree_lab.base.text import did_you_mean, listing, number, plural
from dtree_lab.draw.as_svg import Element
from dtree_lab.draw.chart import Axis, Frame, Plot, figure
from dtree_lab.draw.chart.drawing import MORE, words_at
from dtree_lab.draw.measure import width
from dtree_lab.draw.style import DETAIL, LABEL
from dtree_lab.labs.kit.place import compact_json
from dtree_lab.stage.frontmatter import SceneText

LETTERS = "ABCDEFGH"  # of a question's options
FEWEST = 2
MOST_NUMBERS = 180  # that a slider on a phone has
_BARS = 45  # that a class's numbers are drawn as, at most
# A strip of numbers: its size, so that its words are read from the last row; and what names cover.
_WIDE, _HIGH, _LINE = 320.0, 104.0, 16.0

Line = Callable[[str], str]  # of a lecturer's Markdown, as part of a page
Phones = Sequence[Sequence[int]]  # what phones have sent, vote by vote
# Of each picture of a lab, by its id, what its axes measure, and from where to where.
Axes = Mapping[str, Sequence[Sequence[Any]]]


@dataclass(frozen=True, kw_only=True)
class AnswerKind:
    """How a question is answered; an answer is a number, which is what a phone sends."""

    SIGN: ClassVar[str]  # the name in a scene that asks for this kind
    by_hand: ClassVar[bool] = False  # whether hands can be counted for each answer
    options: tuple[str, ...] = ()  # what can be chosen, where that is few and known

    @classmethod
    def read(cls, scene: SceneText) -> AnswerKind | None:
        """As a scene says; None where that cannot be, which is told."""
        raise NotImplementedError

    def within(self, axes: Axes) -> AnswerKind:  # noqa: ARG002 - others ask along one
        """The same along what the scene's lab has."""
        return self

    @property
    def in_lab(self) -> bool:
        """Whether its answers are drawn in the scene's lab."""
        return False

    @property
    def most(self) -> int:
        """How many answers there are; 0 while only a lab that is not open yet knows."""
        raise NotImplementedError

    def words(self, answer: int, line: Line) -> str:
        """An answer, as part of a page."""
        raise NotImplementedError

    def right_words(self, line: Line) -> str:
        """What is right, as part of a page; empty where there is no right or wrong."""
        raise NotImplementedError

    def is_right(self, answer: int) -> bool | None:
        """Whether an answer is right; None where there is no right or wrong."""
        raise NotImplementedError

    def control(self, line: Line) -> dict[str, Any]:
        """What a phone answers with."""
        raise NotImplementedError

    def shown(self, line: Line) -> dict[str, Any]:
        """What stands under the question from the beginning."""
        raise NotImplementedError

    def counted(self, sent: Phones) -> dict[str, Any]:  # noqa: ARG002 - bars are drawn of counts
        """What phones have sent, for the room, beside the counts."""
        return {}

    def answered(self, sent: Phones) -> dict[str, Any]:  # noqa: ARG002 - not all need them
        """What is right, for the room."""
        return {}

    def in_words(self, sent: Sequence[int]) -> str:  # noqa: ARG002 - counts say it
        """What phones have sent, for the lecturer."""
        return ""

    def drawn(self, told: str, axes: Axes, sent: Sequence[int], *, answered: bool) -> str:  # noqa: ARG002
        """What a lab shows, with what phones have sent drawn in it."""
        return told

    def lines(self, hands: Sequence[int], sent: Sequence[int]) -> Iterator[list[Any]]:
        """For a file: of each answer its letter, what it is, whether right, hands and phones."""
        raise NotImplementedError

    def wrong(self, axes: Axes) -> Iterator[tuple[str, str]]:  # noqa: ARG002
        """What is wrong with it in the scene's lab, and in which line."""
        yield from ()


@dataclass(frozen=True, kw_only=True)
class ByLetter(AnswerKind):
    """By the letter of an option."""

    SIGN = "options"
    by_hand = True

    right: frozenset[int] = frozenset()  # from 0; none where there is no right or wrong

    @classmethod
    def read(cls, scene: SceneText) -> ByLetter | None:
        """``options: [one, another]``, and ``answer: B``."""
        options = scene["options"].words()
        if options is None or not FEWEST <= len(options) <= len(LETTERS):
            many = f"options: is a list of {FEWEST} to {len(LETTERS)} texts"
            scene.wrong("options", f"{many}; one with a comma or a colon is quoted")
            return None
        return cls(options=tuple(options), right=right_letters(scene, options))

    @property
    def most(self) -> int:
        """As many as there are options."""
        return len(self.options)

    def words(self, answer: int, line: Line) -> str:
        """Its letter and its text."""
        return f"{LETTERS[answer]}: {line(self.options[answer])}"

    def right_words(self, line: Line) -> str:
        """The options that are right."""
        return ", ".join(self.words(each, line) for each in sorted(self.right))

    def is_right(self, answer: int) -> bool | None:
        """Whether it is one of those."""
        return answer in self.right if self.right else None

    def control(self, line: Line) -> dict[str, Any]:
        """A button for each option."""
        return {"options": [line(one) for one in self.options]}

    def shown(self, line: Line) -> dict[str, Any]:
        """The options, each with its letter."""
        return {"options": [line(one) for one in self.options], "letters": LETTERS[: self.most]}

    def answered(self, sent: Phones) -> dict[str, Any]:  # noqa: ARG002 - the same for all
        """Which are right."""
        return {"right": sorted(self.right)}

    def lines(self, hands: Sequence[int], sent: Sequence[int]) -> Iterator[list[Any]]:
        """A line for each option."""
        for k, option in enumerate(self.options):
            right = {None: "", True: "yes", False: "no"}[self.is_right(k)]
            yield [LETTERS[k], option, right, hands[k], list(sent).count(k)]


def right_letters(scene: SceneText, options: Sequence[str]) -> frozenset[int]:
    """The places of the right options, each called by its letter or its text."""
    places = set()
    for answer in scene["answer"].texts():
        letter = answer.strip().upper()
        if answer in options:
            places.add(options.index(answer))
        elif letter in LETTERS[: len(options)] and letter:
            places.add(LETTERS.index(letter))
        else:
            last = LETTERS[len(options) - 1]
            scene.wrong("answer", f"answer: is a letter from A to {last}, or an option's text")
    return frozenset(places)


@dataclass(frozen=True, kw_only=True)
class ByNumber(AnswerKind):
    """By a number, on a slider: from where to where, or along an axis of the scene's lab.

    Of a lab, each picture with that axis has the class's numbers in it, as bars behind what it
    shows; without one they stand on a strip of their own.
    """

    SIGN = "number"

    low: float = 0.0
    high: float = 0.0
    step: float = 0.0  # 0 while only the lab knows
    along: str = ""  # the label of the axis
    right: tuple[float, float] | None = None  # from where to where; None where nothing is right

    @classmethod
    def read(cls, scene: SceneText) -> ByNumber | None:
        """``number: [0, 10]`` or ``number: Income``, and ``answer: 5`` or ``answer: [4, 6]``."""
        data, right = scene["number"].data(), None
        if "answer" in scene:
            found = _numbers(scene["answer"].data(), 1, 2)
            if found is None or found[0] > found[-1]:
                scene.wrong("answer", "answer: is a number, or from where to where: [95, 100]")
                return None
            right = found[0], found[-1]
        if not isinstance(data, str) or not data.strip():
            return cls._over(scene, right)
        if any(name in scene for name in ("lab", "code", "cell")):
            return cls(along=data.strip(), right=right)
        told = "number: names the axis of a lab's pictures: say lab: NAME as well"
        scene.wrong("number", f"{told}; or from where to where, as [0, 10]")
        return None

    @classmethod
    def _over(cls, scene: SceneText, right: tuple[float, float] | None) -> ByNumber | None:
        """From where to where, in steps."""
        low, high, *steps = _numbers(scene["number"].data(), 2, 3) or (0.0, 0.0)
        step = steps[0] if steps else _step(low, high) if low < high else 0.0
        if not 0 < step <= high - low:
            told = "number: is from where to where, as [0, 10], or [0, 1, 0.05] with its step"
            scene.wrong("number", f"{told}; or beside a lab the axis of its pictures")
        elif (high - low) / step > MOST_NUMBERS:
            scene.wrong("number", f"number: has more than {MOST_NUMBERS} steps: take larger ones")
        elif right and not low <= right[0] <= right[1] <= high:
            ends = f"{number(low)} to {number(high)}"
            scene.wrong("answer", f"answer: lies outside of what can be said, {ends}")
        else:
            return cls(low=low, high=high, step=step, right=right)
        return None

    @property
    def in_lab(self) -> bool:
        """Whether it is asked along one of its axes."""
        return bool(self.along)

    def within(self, axes: Axes) -> ByNumber:
        """Along the axis as a picture of the lab has it, in round steps."""
        ends = _x_axes(axes).get(self.along)
        if ends is None:
            return self
        step = _step(*ends)
        low, high = (turn(end / step) * step for turn, end in zip((ceil, floor), ends, strict=True))
        return replace(self, low=low, high=high, step=step)

    @property
    def values(self) -> list[float]:
        """All numbers that can be said."""
        if not self.step:
            return []
        n = floor((self.high - self.low) / self.step + 1e-9)
        return [float(f"{self.low + i * self.step:.10g}") for i in range(n + 1)]

    @property
    def most(self) -> int:
        """As many as the slider has."""
        return len(self.values)

    def words(self, answer: int, line: Line) -> str:  # noqa: ARG002 - a number has no Markdown
        """The number."""
        return number(self.values[answer])

    def right_words(self, line: Line) -> str:  # noqa: ARG002 - as above
        """The right one, or from where to where."""
        return " to ".join(map(number, dict.fromkeys(self.right or ())))

    def is_right(self, answer: int) -> bool | None:
        """Whether it lies there; no other number on the slider is as near as one that does."""
        return None if self.right is None else self._is_right(self.values[answer])

    def _is_right(self, value: float) -> bool:
        low, high = self.right or (0.0, 0.0)
        off = max(low - value, value - high, 0.0)
        return off <= (self.step / 2 + 1e-9 if low == high else 0.0)

    def control(self, line: Line) -> dict[str, Any]:  # noqa: ARG002 - as above
        """A slider over these."""
        return {"numbers": [number(v) for v in self.values]}

    def shown(self, line: Line) -> dict[str, Any]:  # noqa: ARG002 - as above
        """A strip, unless the lab has it; it has its room from the beginning."""
        return {"strip": "" if self.in_lab else self._strip([], answered=False), "said": ""}

    def counted(self, sent: Phones) -> dict[str, Any]:
        """The strip with the last vote's numbers on it, and what they come to."""
        strip = {} if self.in_lab else {"strip": self._strip(sent[-1], answered=False)}
        return {**strip, "said": self.in_words(sent[-1])}

    def answered(self, sent: Phones) -> dict[str, Any]:
        """What is right, on the strip too, and for how many."""
        last = sent[-1] if sent else []
        strip = {} if self.in_lab else {"strip": self._strip(last, answered=True)}
        return {**strip, "said": self._hits(last) or self.in_words(last)}

    def _hits(self, sent: Sequence[int]) -> str:
        """What is right, and how many have said that."""
        if self.right is None:
            return ""
        hits = sum(map(self._is_right, self._said(sent)))
        told = f", as {hits} of {len(sent)} said" if sent else ""
        return f"Right: {self.right_words(str)}{told}."

    def in_words(self, sent: Sequence[int]) -> str:
        """How many they are, and between which half of them lie."""
        said = self._said(sent)
        if not said:
            return ""
        n = len(said) - 1
        first, last = number(said[n // 4]), number(said[n - n // 4])
        return f"{plural(len(said), 'answer')}, half of them from {first} to {last}."

    def _said(self, sent: Sequence[int]) -> list[float]:
        """The numbers, in their order; what was damaged where it was saved is left out."""
        values = self.values
        return sorted(values[i] for i in sent if i < len(values))

    def drawn(self, told: str, axes: Axes, sent: Sequence[int], *, answered: bool) -> str:
        """The numbers behind what each picture with the axis shows."""
        pictures = tuple(name for name, (x, _) in axes.items() if x[0] == self.along)
        return _drawn(self, told, pictures, tuple(sent), answered)

    def _strip(self, sent: Sequence[int], *, answered: bool) -> str:
        """An axis of its own, with the numbers on it."""
        axis = Axis.around("", (self.low, self.high))
        made = figure(Plot("", axis, Axis("", 0.0, 1.0, ()), (), _WIDE, _HIGH))
        ground, *others = made.element.children
        bars, marks = self.bars(made.frame, sent), self.marks(made.frame, sent, answered=answered)
        ends = f"A strip from {number(self.low)} to {number(self.high)}."
        spoken = [ends, self._hits(sent) if answered else "", self.in_words(sent)]
        named = {"role": "img", "aria-label": " ".join(filter(None, spoken))}
        drawn = (ground, *bars, *others, *marks)
        return Element("svg", {**made.element.attributes, **named}, drawn).svg()

    def bars(self, frame: Frame, sent: Sequence[int]) -> Iterator[Element]:
        """Each as high as it has answers: of one number, or of as many beside each other as all."""
        each = ceil(self.most / _BARS)
        counts = Counter(i // each for i in sent if i < self.most)
        tall = (frame.bottom - frame.top - 2 * _LINE) / max(counts.values(), default=1)
        for at, n in sorted(counts.items()):
            middle, half = at * each + (each - 1) / 2, 0.42 * each
            ends = (frame.x_of(self.low + (middle + side) * self.step) for side in (-half, half))
            left, right = (min(max(x, frame.left), frame.right) for x in ends)
            y = frame.bottom - n * tall
            size = {"width": right - left, "height": n * tall}
            yield Element("rect", {"class": "dtl-answers", "x": left, "y": y, **size})
            if right - left > width(str(n), DETAIL) and not self.in_lab:
                yield words_at(str(n), (left + right) / 2, y - 3, "dtl-detail", "middle")

    def marks(self, frame: Frame, sent: Sequence[int], *, answered: bool) -> Iterator[Element]:
        """The middle answer, and what is right: each a rule, with its name at the outer side."""
        said, names = self._said(sent), []
        if said:
            middle = said[(len(said) - 1) // 2]
            names.append((middle, "dtl-middle", f"the room: {number(middle)}"))
        if answered and self.right:
            names.append((sum(self.right) / 2, "dtl-truth", f"right: {self.right_words(str)}"))
        turned = False
        for i, (at, looks, name) in enumerate(sorted(names)):
            x = min(max(frame.x_of(at), frame.left), frame.right)
            rule = f"M{x:.1f},{frame.top:.1f}V{frame.bottom:.1f}"
            yield Element("path", {"class": f"dtl-rule {looks}", "d": rule})
            is_left = len(names) > 1 and i == 0
            room = x - frame.left if is_left else frame.right - x
            # In a frame that is pushed together a name takes more of it.
            turns = room < MORE * width(name, LABEL)
            turned |= turns
            # What a lab says of its own rules stands at their heads.
            line = _LINE * (i > 0 and turned)
            y = frame.bottom - 5 - line if self.in_lab else frame.top + 12 + line
            side, anchor = (-5, "end") if is_left != turns else (5, "start")
            yield words_at(name, x + side, y, f"dtl-key dtl-halo {looks}", anchor)

    def lines(self, hands: Sequence[int], sent: Sequence[int]) -> Iterator[list[Any]]:  # noqa: ARG002
        """A line for each number that was said."""
        for value, n in sorted(Counter(self._said(sent)).items()):
            right = "" if self.right is None else "yes" if self._is_right(value) else "no"
            yield ["", number(value), right, 0, n]

    def wrong(self, axes: Axes) -> Iterator[tuple[str, str]]:
        """An axis that no picture of the lab has, or an answer that is not on it."""
        known = _x_axes(axes)
        if self.along and self.along not in known:
            near = did_you_mean(self.along, known)
            there = f"It has {listing(known)}" if known else "It has no pictures"
            yield "number:", f"number: the lab has no axis {self.along!r}.{near} {there}"
        elif self.along and self.right:
            low, high = known[self.along]
            if not low <= self.right[0] <= self.right[1] <= high:
                ends = f"{number(low)} to {number(high)}"
                yield "answer:", f"answer: lies outside of the lab's picture, {ends}"


def _numbers(data: Any, least: int, most: int) -> list[float] | None:
    """So many numbers, of which one may stand alone."""
    found = data if isinstance(data, list) else [data]
    are = all(type(v) in (int, float) and isfinite(v) for v in found)
    return [float(v) for v in found] if are and least <= len(found) <= most else None


def _step(low: float, high: float) -> float:
    """1, 2 or 5 times a power of ten, so that there are not too many; 1 where both are whole."""
    rough = (high - low) / MOST_NUMBERS
    power = 10.0 ** floor(log10(rough))
    fine = next((lead * power for lead in (1, 2, 5) if lead * power >= rough), 10 * power)
    return max(fine, 1.0) if low == floor(low) and high == floor(high) else fine


def _x_axes(axes: Axes) -> dict[str, tuple[float, float]]:
    """What the pictures of a lab have along them, from where to where."""
    return {x[0]: (x[1], x[2]) for x, _ in axes.values() if x[0]}


@lru_cache(maxsize=16)
def _drawn(
    kind: ByNumber,
    told: str,
    pictures: tuple[str, ...],
    sent: tuple[int, ...],
    answered: bool,  # noqa: FBT001 - what is kept is known by it
) -> str:
    """What a lab shows, with a class's numbers in some of its pictures."""
    view = json.loads(told) if pictures else {"parts": []}
    for part in view["parts"]:
        if part["id"] in pictures:
            box = part["frame"]
            frame = Frame(**{**box, "x": tuple(box["x"]), "y": tuple(box["y"])})
            bars = [one.json() for one in kind.bars(frame, sent)]
            marks = [one.json() for one in kind.marks(frame, sent, answered=answered)]
            # Bars lie on the ground, behind all that the picture shows.
            part["element"] = [*part["element"][:3], *bars, *part["element"][3:], *marks]
    return compact_json(view) if pictures else told


KINDS: list[type[AnswerKind]] = [ByLetter, ByNumber]
