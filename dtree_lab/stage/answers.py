"""How a class answers a question: each kind is one class, with all that there is of it.

That is what is written for it in a lecture's file, what a phone gets to answer with, what is right,
and how the room sees what was sent. An answer is a place among those that there are, or the word
that was typed, which is all that a phone sends. A new kind is a class, and its place in `KINDS`.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import ceil, floor, isfinite, log10, sqrt
from typing import Any, ClassVar
from unicodedata import category, normalize

from dtree_lab.base.text import did_you_mean, html, listing, number, plural
from dtree_lab.draw.as_svg import Element
from dtree_lab.draw.chart import Axis, Dots, Frame, Plot, figure
from dtree_lab.draw.chart.drawing import MORE, layer_drawn, words_at
from dtree_lab.draw.measure import width
from dtree_lab.draw.style import DETAIL, LABEL
from dtree_lab.labs.kit.place import compact_json
from dtree_lab.stage.frontmatter import SceneText

LETTERS = "ABCDEFGH"  # of a question's options
FEWEST = 2
MOST_NUMBERS = 180  # that a slider on a phone has
CELLS = 32  # along each side of a plane in which a phone places a point
MOST_ANSWERS = CELLS * CELLS * len(LETTERS)  # that any question has
MOST_SIGNS = 20  # of a word
MOST_WORDS = 500  # different ones that a question takes
_ROWS = 10, 5  # of words that the room sees: with all of the width for them, and beside a lab
_BARS = 45  # that a class's numbers are drawn as, at most
_NAMED = 4  # gains in a reason
_LABS = ("lab", "code", "cell")  # what shows a lab, in a scene
# A strip of numbers: its size, so that its words are read from the last row; and a line of names.
_WIDE, _HIGH, _LINE = 320.0, 104.0, 16.0

# What phones write for two signs of a keyboard; what a word is, by the categories of its signs (a
# letter has three marks at most, so that none reaches another line); and what of that is unseen.
_TYPED = str.maketrans("\u2019\u02bc\u2010\u2011", "''--")
_WORD = re.compile(r"(LM{0,3}[- ']?)+(?<![- '])")
_UNSEEN = re.compile(r"[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0]")

# Half the size of a point in a picture: of a class, of none, and at most.
_MARK, _SPOT, _LARGEST = 5.5, 9.0, 22.0
# Turns that spread points of one cell evenly over it, however many they are.
_APART = 0.754877666, 0.569840291

Line = Callable[[str], str]  # of a lecturer's Markdown, as part of a page
# Of each picture of a lab, by its id, what its axes measure, and from where to where.
Axes = Mapping[str, Sequence[Sequence[Any]]]


@dataclass(frozen=True, kw_only=True)
class AnswerKind:
    """How a question is answered."""

    SIGN: ClassVar[str]  # the name in a scene that asks for this kind
    ABOUT: ClassVar[str] = ""  # what of a scene's lab it may be about
    IS_FREE: ClassVar[bool] = False  # whether an answer is a word, and no place among others
    options: tuple[str, ...] = ()  # what has a letter, so that hands can be counted for it
    about: str = ""  # which of these; the lab is seen while it is asked
    reason: str = ""  # why what is right is right, in Markdown, where the lab knows

    @classmethod
    def read(cls, scene: SceneText) -> AnswerKind | None:
        """As a scene says; None where that cannot be, which is told."""
        raise NotImplementedError

    def within(self, view: str, axes: Axes) -> AnswerKind:  # noqa: ARG002 - others ask about it
        """The same about what the scene's lab shows."""
        return self

    def texts(self, line: Line) -> list[str]:
        """All answers, as parts of a page; none while only a lab that is not open yet knows."""
        return [line(option) for option in self.options]

    def control(self, line: Line) -> Any:
        """What a phone gets to answer with."""
        return self.texts(line)

    def for_lab(self, sent: Sequence[int], hands: Sequence[int]) -> list[Any]:  # noqa: ARG002 - others
        """What was answered, as a lab takes it; nothing where none does."""
        return []

    def some_for_lab(self) -> list[Any]:
        """As if two had answered, as differently as can be."""
        return self.for_lab([0, self.most - 1], ()) if self.most else []

    @property
    def most(self) -> int:
        """How many there are."""
        return len(self.texts(str))

    def known_of(self, sent: Sequence[Any]) -> list[Any]:
        """In their order; what was damaged where it was saved is left out."""
        return sorted(i for i in sent if self.IS_FREE or i < self.most)

    def word(self, typed: str, known: Collection[str]) -> str:  # noqa: ARG002 - others are typed
        """What was typed, as it is counted; ValueError, for who typed it, if it is none."""
        raise ValueError("This question is not answered by a word.")

    def words(self, answer: Any, line: Line) -> str:
        """An answer with its letter, if it has one."""
        letter = f"{LETTERS[answer]}: " if self.options else ""
        return f"{letter}{self.texts(line)[answer]}"

    def is_right(self, answer: Any) -> bool | None:  # noqa: ARG002 - others know
        """Whether it is right; None where there is no right or wrong."""
        return None

    def right_words(self, line: Line) -> str:
        """What is right, as part of a page."""
        return ", ".join(self.words(i, line) for i in range(self.most) if self.is_right(i))

    def verdict(self, known: Sequence[Any], line: Line) -> str:
        """What is right, and how many have said so."""
        hits = sum(map(bool, map(self.is_right, known)))
        more = f", as {hits} of {len(known)} said" if known else ""
        return f"Right: {self.right_words(line)}{more}."

    def seen(self, line: Line, sent: Sequence[Any] | None, *, answered: bool) -> dict[str, Any]:
        """What stands under the question, with what phones have sent and what is right, if seen."""
        raise NotImplementedError

    def in_words(self, sent: Sequence[Any]) -> str:  # noqa: ARG002 - counts say it
        """What phones have sent, for the lecturer."""
        return ""

    def drawn(self, view: str, axes: Axes, sent: Sequence[int], *, answered: bool) -> str:  # noqa: ARG002
        """What a lab shows, with what phones have sent drawn in it."""
        return view

    def lines(self, hands: Sequence[int], sent: Sequence[int]) -> Iterator[list[Any]]:
        """For a file: of each answer its letter, its words, whether right, hands and phones."""
        counts = Counter(self.known_of(sent))
        for i in range(len(self.options)) or sorted(counts):
            right = {None: "", True: "yes", False: "no"}[self.is_right(i)]
            if self.options:
                told, raised = (LETTERS[i], self.options[i]), hands[i] if i < len(hands) else 0
                yield [*told, right, raised, counts[i]]
            else:
                yield ["", self.words(i, str), right, 0, counts[i]]

    def known(self, view: str, axes: Axes) -> Sequence[str]:  # noqa: ARG002 - others are about some
        """What of the scene's lab it may be about."""
        return ()

    def wrong(self, view: str, axes: Axes) -> Iterator[tuple[str, str]]:
        """What is wrong with it in the scene's lab, and in which line."""
        known = self.known(view, axes)
        if self.about and self.about not in known:
            near = did_you_mean(self.about, known)
            there = f"It has {listing(known)}" if known else "It has none"
            problem = f"the lab has no {self.ABOUT} {self.about!r}.{near} {there}"
            yield f"{self.SIGN}:", f"{self.SIGN}: {problem}"


@dataclass(frozen=True, kw_only=True)
class ByLetter(AnswerKind):
    """By the letter of an option.

    Options may be what could be asked at a node of the scene's lab; those that gain most are right.
    """

    SIGN = "options"
    ABOUT = "questions"  # its part that lists them

    right: frozenset[int] = frozenset()  # from 0; none where there is no right or wrong

    @classmethod
    def read(cls, scene: SceneText) -> ByLetter | None:
        """``options: [one, another]`` and ``answer: B``, or ``options: questions``."""
        options, about = scene["options"].words(), scene["options"].text()
        if about and any(name in scene for name in _LABS):
            scene.wrong("answer", "answer: is what gains most, as the lab says: leave answer: out")
            return cls(about=about)
        if options is None or not FEWEST <= len(options) <= len(LETTERS):
            many = f"options: is a list of {FEWEST} to {len(LETTERS)} texts"
            scene.wrong("options", f"{many}; one with a comma or a colon is quoted")
            return None
        return cls(options=tuple(options), right=right_letters(scene, options))

    def within(self, view: str, axes: Axes) -> ByLetter:  # noqa: ARG002 - it is about no picture
        """With what could be asked there: what gains most, in the order of the table."""
        bars = _questions(view).get(self.about, [])[: len(LETTERS)]
        if not bars:
            return self
        gains = [f"{bar['plain']} {bar['gain']}" for bar in bars if bar["gain"]]
        reason = f"In bits: {_plain(', '.join(gains[:_NAMED]))}." if gains else ""
        bars = sorted(bars, key=lambda bar: bar["attribute"])
        right = frozenset(i for i, bar in enumerate(bars) if bar["best"])
        options = tuple(_plain(bar["plain"]) for bar in bars)
        return replace(self, options=options, right=right, reason=reason)

    def is_right(self, answer: int) -> bool | None:
        """Whether it is one of those."""
        return answer in self.right if self.right else None

    def seen(self, line: Line, sent: Sequence[int] | None, *, answered: bool) -> dict[str, Any]:  # noqa: ARG002
        """The options, each with its letter; bars are drawn of the counts."""
        options = {"options": self.texts(line), "letters": LETTERS[: self.most]}
        return {**options, "right": sorted(self.right)} if answered else options

    def for_lab(self, sent: Sequence[int], hands: Sequence[int]) -> list[Any]:
        """The words of each option that was chosen, as often as it was."""
        counts = Counter(self.known_of(sent))
        raised = [*hands, *[0] * self.most]
        return [text for i, text in enumerate(self.options) for _ in range(counts[i] + raised[i])]

    def known(self, view: str, axes: Axes) -> Sequence[str]:  # noqa: ARG002 - as above
        """Its parts with questions."""
        return list(_questions(view) if self.about else ())


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
    ABOUT = "axis"  # what stands at it

    values: tuple[float, ...] = ()  # all that can be said; none while only the lab knows
    right: tuple[float, float] | None = None  # from where to where; None where nothing is right

    @classmethod
    def read(cls, scene: SceneText) -> ByNumber | None:
        """``number: [0, 10]`` or ``number: Income``, and ``answer: 5`` or ``answer: [4, 6]``."""
        data, right = scene["number"].data(), None
        if "answer" in scene:
            found = _numbers(scene["answer"].data(), 1, 2)
            if not found or found[0] > found[-1]:
                scene.wrong("answer", "answer: is a number, or from where to where: [95, 100]")
                return None
            right = found[0], found[-1]
        if not isinstance(data, str) or not data.strip():
            return cls._over(scene, right)
        if any(name in scene for name in _LABS):
            return cls(about=data.strip(), right=right)
        told = "number: names the axis of a lab's pictures: say lab: NAME as well"
        scene.wrong("number", f"{told}; or from where to where, as [0, 10]")
        return None

    @classmethod
    def _over(cls, scene: SceneText, right: tuple[float, float] | None) -> ByNumber | None:
        """From where to where, in steps."""
        low, high, *steps = _numbers(scene["number"].data(), 2, 3) or (0.0, 0.0)
        is_whole = low.is_integer() and high.is_integer() and high - low <= MOST_NUMBERS
        step = steps[0] if steps else 1.0 if is_whole else (high - low) / MOST_NUMBERS
        if not 0 < step <= high - low:
            told = "number: is from where to where, as [0, 10], or [0, 1, 0.05] with its step"
            scene.wrong("number", f"{told}; or beside a lab the axis of its pictures")
        elif (high - low) / step > MOST_NUMBERS + 1e-6:
            scene.wrong("number", f"number: has more than {MOST_NUMBERS} steps: take larger ones")
        elif right and not low <= right[0] <= right[1] <= high:
            ends = f"{number(low)} to {number(high)}"
            scene.wrong("answer", f"answer: lies outside of what can be said, {ends}")
        else:
            places = range(int((high - low) / step + 1e-6) + 1)
            own = tuple(float(f"{low + i * step:.12g}") for i in places)
            values = own if steps or is_whole else _round_values(low, high)
            return cls(values=values, right=right)
        return None

    def within(self, view: str, axes: Axes) -> ByNumber:  # noqa: ARG002 - an axis is enough
        """Along the axis as a picture of the lab has it, in round steps."""
        ends = _x_axes(axes).get(self.about)
        values = _round_values(*ends) if ends else ()
        return replace(self, values=values) if len(values) >= FEWEST else self

    def texts(self, line: Line) -> list[str]:  # noqa: ARG002 - numbers have no Markdown
        """The numbers."""
        return _texts(self.values)

    def is_right(self, answer: int) -> bool | None:
        """Whether it is one that is right, or the nearest to it."""
        if self.right is None:
            return None
        (low, high), value = self.right, self.values[answer]
        near = (self.values[1] - self.values[0]) / 2 if low == high else 0.0
        return low - near <= value <= high + near

    def right_words(self, line: Line) -> str:  # noqa: ARG002 - as above
        """The right one, or from where to where."""
        return " to ".join(map(number, dict.fromkeys(self.right or ())))

    def seen(self, line: Line, sent: Sequence[int] | None, *, answered: bool) -> dict[str, Any]:  # noqa: ARG002
        """A strip, unless the lab has it, and what the numbers come to."""
        known = self.known_of(sent or ())
        said = self.verdict(known, str) if answered and self.right else self.in_words(known)
        return {"strip": "" if self.about else self._strip(known, said, answered), "said": said}

    def in_words(self, sent: Sequence[int]) -> str:
        """How many they are, and between which half of them lie."""
        known = self.known_of(sent)
        if not known:
            return ""
        n = len(known) - 1
        first, last = (number(self.values[known[i]]) for i in (n // 4, n - n // 4))
        return f"{plural(len(known), 'answer')}, half of them from {first} to {last}."

    def drawn(self, view: str, axes: Axes, sent: Sequence[int], *, answered: bool) -> str:
        """The numbers behind what each picture with the axis shows."""
        pictures = tuple(name for name, (x, _) in axes.items() if x[0] == self.about)
        return _drawn(self, view, pictures, tuple(self.known_of(sent)), answered)

    def _strip(self, sent: Sequence[int], words: str, answered: bool) -> str:  # noqa: FBT001
        """An axis of its own, with the numbers on it."""
        axis = Axis.around("", self.values)
        made = figure(Plot("", axis, Axis("", 0.0, 1.0, ()), (), _WIDE, _HIGH))
        spoken = f"A strip from {number(self.values[0])} to {number(self.values[-1])}. {words}"
        named = {**made.element.attributes, "role": "img", "aria-label": spoken.strip()}
        ground, *axes = made.element.children
        marks = self.marks(made.frame, sent, answered)
        drawn = [*self.bars(made.frame, sent), *axes, *marks]
        drawn.sort(key=lambda part: isinstance(part, Element) and part.name == "text")
        return Element("svg", named, (ground, *drawn)).svg()

    def bars(self, frame: Frame, sent: Sequence[int]) -> Iterator[Element]:
        """Each as high as it has answers: of one number, or of as many beside each other as all."""
        each, step = ceil(self.most / _BARS), self.values[1] - self.values[0]
        counts = Counter(i // each for i in sent)
        tall = (frame.bottom - frame.top - 2 * _LINE) / max(counts.values(), default=1)
        for at, n in sorted(counts.items()):
            middle, half = at * each + (each - 1) / 2, 0.42 * each
            ends = (frame.x_of(self.values[0] + (middle + side) * step) for side in (-half, half))
            left, right = (min(max(x, frame.left), frame.right) for x in ends)
            y, size = frame.bottom - n * tall, {"width": right - left, "height": n * tall}
            yield Element("rect", {"class": "dtl-answers", "x": left, "y": y, **size})
            if right - left > width(str(n), DETAIL) and not self.about:
                yield words_at(str(n), (left + right) / 2, y - 3, "dtl-detail dtl-halo", "middle")

    def marks(self, frame: Frame, sent: Sequence[int], answered: bool) -> Iterator[Element]:  # noqa: FBT001
        """The middle answer, and what is right: each a rule, with its name at the outer side."""
        names = []
        if sent:
            middle = self.values[sent[(len(sent) - 1) // 2]]
            names.append((middle, "dtl-middle", f"the room: {number(middle)}"))
        if answered and self.right:
            names.append((sum(self.right) / 2, "dtl-truth", f"right: {self.right_words(str)}"))
        turned = False
        for i, (at, looks, name) in enumerate(sorted(names)):
            x = min(max(frame.x_of(at), frame.left), frame.right)
            rule = f"M{x:.1f},{frame.top:.1f}V{frame.bottom:.1f}"
            yield Element("path", {"class": f"dtl-rule {looks}", "d": rule})
            is_left = len(names) > 1 and i == 0
            # In a frame that is pushed together a name takes more of it.
            room = x - frame.left if is_left else frame.right - x
            turns = room < MORE * width(name, LABEL)
            turned |= turns
            # What a lab says of its own rules stands at their heads.
            line = _LINE * (i > 0 and turned)
            y = frame.bottom - 5 - line if self.about else frame.top + 12 + line
            side, anchor = (-5, "end") if is_left != turns else (5, "start")
            yield words_at(name, x + side, y, f"dtl-key dtl-halo {looks}", anchor)

    def known(self, view: str, axes: Axes) -> Sequence[str]:  # noqa: ARG002 - axes are enough
        """What stands at the axes of its pictures."""
        return list(_x_axes(axes))

    def wrong(self, view: str, axes: Axes) -> Iterator[tuple[str, str]]:
        """Also an answer that is not on the axis."""
        yield from super().wrong(view, axes)
        low, high = _x_axes(axes).get(self.about, self.right or (0.0, 0.0))
        if self.right and not low <= self.right[0] <= self.right[1] <= high:
            ends = f"{number(low)} to {number(high)}"
            yield "answer:", f"answer: lies outside of the lab's picture, {ends}"


@dataclass(frozen=True, kw_only=True)
class ByPoint(AnswerKind):
    """By a point in a picture of the scene's lab, with one of some classes if it asks for that.

    An answer is a cell of a grid over the picture, so there are so many and no more.
    """

    SIGN = "point"
    ABOUT = "picture"

    classes: tuple[str, ...] = ()  # to choose from; none for a place alone
    codes: tuple[int, ...] = ()  # which of the lab's classes these are
    names: tuple[str, ...] = ()  # of its axes; none while only the lab knows
    across: tuple[float, ...] = ()  # the middles of the cells
    up: tuple[float, ...] = ()
    picture: Mapping[str, Any] = field(default_factory=dict, compare=False)  # as the lab shows it

    @classmethod
    def read(cls, scene: SceneText) -> ByPoint | None:
        """``point: plane``, or with classes to choose from, ``point: [plane, A, B]``."""
        about, *classes = scene["point"].texts() or [""]
        if not about or len(classes) == 1 or len(set(classes)) < len(classes):
            told = "point: is a picture of the lab, such as plane; or with two classes or more"
            scene.wrong("point", f"{told} that a point may have, [plane, A, B]")
        elif len(classes) > len(LETTERS):
            scene.wrong("point", f"point: a phone chooses from {len(LETTERS)} classes at most")
        elif not any(name in scene for name in _LABS):
            scene.wrong("point", "point: is placed in a lab's picture: say lab: NAME as well")
        elif "answer" in scene:
            scene.wrong("answer", "answer: a point is neither right nor wrong: leave answer: out")
        else:
            return cls(about=about, classes=tuple(classes))
        return None

    def within(self, view: str, axes: Axes) -> ByPoint:
        """In the picture as the lab shows it."""
        if self.about not in self.known(view, axes) or not set(self.classes) <= {*_names(view)}:
            return self
        codes = tuple(map(_names(view).index, self.classes))
        (x, *across), (y, *up) = axes[self.about]
        shown = next(one for one in json.loads(view)["parts"] if one["id"] == self.about)
        picture = {name: shown[name] for name in ("element", "frame", "width", "height")}
        here = replace(self, codes=codes, names=(x, y), picture=picture)
        return replace(here, across=_cells(*across), up=_cells(*up))

    def texts(self, line: Line) -> list[str]:
        """Each cell's middle, with each class."""
        return [self.words(i, line) for i in range(self.most)]

    @property
    def most(self) -> int:
        """So many cells, for each class."""
        return len(self.across) * len(self.up) * max(1, len(self.classes))

    def control(self, line: Line) -> dict[str, Any]:  # noqa: ARG002 - a lab's words have no Markdown
        """The picture, and what is told of the cells of a column and of a row."""
        told = {"names": self.names, "across": _texts(self.across), "up": _texts(self.up)}
        classes = [list(one) for one in zip(self.classes, self.codes, strict=False)]
        return {**self.picture, **told, "classes": classes}

    def place(self, answer: int) -> tuple[float, float, int]:
        """Where an answer's point lies, and which of the classes it has."""
        which, cell = divmod(answer, CELLS * CELLS)
        return self.across[cell % CELLS], self.up[cell // CELLS], which

    def words(self, answer: int, line: Line) -> str:
        """Its two numbers, and its class."""
        x, y, which = self.place(answer)
        at = f"{self.names[0]} = {number(x)}, {self.names[1]} = {number(y)}"
        told = f"{at}: {self.classes[which]}" if self.classes else at
        return told if line is str else html(told)

    def seen(self, line: Line, sent: Sequence[int] | None, *, answered: bool) -> dict[str, Any]:  # noqa: ARG002
        """The lab has the points; here is how many they are."""
        return {"strip": "", "said": html(self.in_words(sent or ()))}

    def in_words(self, sent: Sequence[int]) -> str:
        """How many points there are, and of which class."""
        known = self.known_of(sent)
        counts = Counter(self.place(i)[2] for i in known if self.classes)
        each = ", ".join(f"{n} {self.classes[which]}" for which, n in sorted(counts.items()))
        told = plural(len(known), "point")
        return (f"{told}: {each}." if each else f"{told}.") if known else ""

    def drawn(self, view: str, axes: Axes, sent: Sequence[int], *, answered: bool) -> str:  # noqa: ARG002
        """The points in the picture: hollow, and the larger, the more of them are in one place."""
        return _drawn(self, view, (self.about,), tuple(self.known_of(sent)), answered)

    def bars(self, frame: Frame, sent: Sequence[int]) -> Iterator[Element]:
        """Places without a class, behind what the picture shows."""
        for i, n in Counter(() if self.classes else sent).items():
            x, y, _ = self.place(i)
            at = {"cx": frame.x_of(x), "cy": frame.y_of(y), "r": _size(n, _SPOT)}
            yield Element("circle", {"class": "dtl-answers dtl-spot", **at})

    def marks(self, frame: Frame, sent: Sequence[int], answered: bool) -> Iterator[Element]:  # noqa: ARG002, FBT001
        """Points with a class, over it."""
        counts = Counter(sent if self.classes else ())
        for n in sorted(set(counts.values()), reverse=True):
            some = [self.place(i) for i in counts if counts[i] == n]
            places, codes = [one[:2] for one in some], [self.codes[one[2]] for one in some]
            yield from layer_drawn(Dots(places, codes, _size(n, _MARK), open=True), frame)

    def for_lab(self, sent: Sequence[int], hands: Sequence[int]) -> list[Any]:  # noqa: ARG002 - no hands
        """Each point: its two numbers, and its class as the lab counts them.

        Those of one cell stand beside each other in it, so that a learner can part them.
        """
        seen: Counter[int] = Counter()
        found = []
        for answer in self.known_of(sent):
            x, y, which = self.place(answer)
            n = seen[answer % (CELLS * CELLS)]
            seen[answer % (CELLS * CELLS)] += 1
            step = self.across[1] - self.across[0], self.up[1] - self.up[0]
            at = (
                v + wide * _aside(n * by) for v, wide, by in zip((x, y), step, _APART, strict=True)
            )
            code = self.codes[which] if self.codes else None
            found.append([*(float(f"{v:.6g}") for v in at), code])
        return found

    def known(self, view: str, axes: Axes) -> Sequence[str]:
        """Its pictures."""
        shown = [part["id"] for part in json.loads(view)["parts"] if part["kind"] == "picture"]
        return [name for name in shown if name in axes]

    def wrong(self, view: str, axes: Axes) -> Iterator[tuple[str, str]]:
        """Also a class that the lab does not have."""
        yield from super().wrong(view, axes)
        names = _names(view)
        for name in self.classes:
            if name not in names:
                told = f"{did_you_mean(name, names)} It has {listing(names)}"
                yield "point:", f"point: the lab has no class {name!r}.{told}"


@dataclass(frozen=True, kw_only=True)
class ByWord(AnswerKind):
    """By a word that is typed; the room sees which were, and how often."""

    SIGN = "word"
    IS_FREE = True

    length: int = MOST_SIGNS  # that it may have
    right: tuple[str, ...] = ()  # none where there is no right or wrong
    rows: int = _ROWS[0]  # that the room sees

    @classmethod
    def read(cls, scene: SceneText) -> ByWord | None:
        """``word: yes``, or how long it may be, ``word: 12``; and ``answer: overfitting``."""
        data = scene["word"].data()
        length = MOST_SIGNS if data is True else data
        if type(length) is not int or not 0 < length <= MOST_SIGNS:
            scene.wrong("word", f"word: is yes, or how long one may be, up to {MOST_SIGNS}")
            return None
        try:
            right = tuple(_plain_word(text, length) for text in scene["answer"].texts())
        except ValueError as error:
            scene.wrong("answer", f"answer: is a word that can be typed. {error}")
            return None
        return cls(length=length, right=right, rows=_ROWS[any(name in scene for name in _LABS)])

    def control(self, line: Line) -> int:  # noqa: ARG002 - it is a number
        """How long a word may be."""
        return self.length

    def word(self, typed: str, known: Collection[str]) -> str:
        """As who came first has written it."""
        new = _plain_word(typed, self.length)
        word = next((one for one in known if _fold(one) == _fold(new)), new)
        if word not in known and len(known) >= MOST_WORDS:
            raise ValueError("Too many different words have come: no new one is taken any more.")
        return word

    def words(self, answer: str, line: Line) -> str:
        """The word: in a page none changes the way of those beside it."""
        return answer if line is str else f"<bdi>{html(answer)}</bdi>"

    def is_right(self, answer: str) -> bool | None:
        """Whether it is one of those, however it is written."""
        return _fold(answer) in map(_fold, self.right) if self.right else None

    def right_words(self, line: Line) -> str:
        """Each that is."""
        return " or ".join(self.words(one, line) for one in self.right)

    def seen(self, line: Line, sent: Sequence[str] | None, *, answered: bool) -> dict[str, Any]:
        """The words that came most often, how many others there are, and room for all of it.

        Nobody sees in which order they came; what is empty was hidden.
        """
        counts = Counter(sent or ())
        order = sorted(counts, key=lambda word: (not word, -counts[word], _fold(word)))
        rows = [one for one in order[: self.rows] if one]
        others = sum(counts[one] for one in order[len(rows) :])
        said = f"and {plural(others, 'other')}. " if others else ""
        if answered and self.right:
            said += self.verdict(sent or (), line)
        options = [self.words(one, line) for one in rows]
        shown = {"options": options, "letters": "", "rows": rows, "places": self.rows, "said": said}
        right = [i for i, one in enumerate(rows) if self.is_right(one)]
        return {**shown, "right": right} if answered else shown


def _plain_word(typed: str, most: int) -> str:
    """A word, composed and with single blanks; ValueError for what is none, or too long."""
    word = " ".join(normalize("NFC", typed).translate(_TYPED).split())
    kinds = (s if s in "- '" else "L" if s.isdecimal() else category(s)[0] for s in word)
    if not _WORD.fullmatch("".join(kinds)) or _UNSEEN.search(word):
        raise ValueError("A word has letters and digits; a blank, - or ' may stand between two.")
    if len(word) > most:
        raise ValueError(f"A word has {most} characters at most, and this has {len(word)}.")
    return word


@lru_cache(maxsize=2 * MOST_WORDS)
def _fold(word: str) -> str:
    """What a word has in common with the same one in capitals."""
    return normalize("NFC", word.casefold())


def _numbers(data: Any, least: int, most: int) -> list[float]:
    """So many numbers, of which one may stand alone; none of anything else."""
    found = data if isinstance(data, list) else [data]
    are = all(type(v) in (int, float) and isfinite(v) for v in found)
    return list(map(float, found)) if are and least <= len(found) <= most else []


@lru_cache(maxsize=8)
def _texts(values: tuple[float, ...]) -> list[str]:
    """Numbers as they are told."""
    return list(map(number, values))


@lru_cache(maxsize=8)
def _round_values(low: float, high: float) -> tuple[float, ...]:
    """What an axis would have at its ticks, of which it had as many as a slider."""
    return tuple(float(f"{v:.12g}") for v, _ in Axis("", low, high).marked(MOST_NUMBERS))


@lru_cache(maxsize=8)
def _questions(view: str) -> dict[str, list[dict[str, Any]]]:
    """What could be asked, of each part of a lab that gives such a choice: first what is best."""
    parts = (part for part in json.loads(view)["parts"] if part["kind"] == "questions")
    found = {part["id"]: [bar for bar in part["bars"] if not bar["disabled"]] for part in parts}
    return {name: bars for name, bars in found.items() if len(bars) >= FEWEST}


@lru_cache(maxsize=8)
def _names(view: str) -> list[str]:
    """A lab's classes."""
    return [one["name"] for one in json.loads(view).get("classes") or ()]


@lru_cache(maxsize=8)
def _cells(low: float, high: float) -> tuple[float, ...]:
    """The middles of an axis's cells, written as short as they can be told apart."""
    step = (high - low) / CELLS or 1.0
    places = -floor(log10(step / 2))
    return tuple(round(low + (i + 0.5) * step, places) for i in range(CELLS))


def _aside(turns: float) -> float:
    """How far from the middle of a cell of width 0.8 so many turns through it lead."""
    return 0.8 * ((turns + 0.5) % 1 - 0.5)


def _size(n: int, least: float) -> float:
    """Half the size of what stands for so many."""
    return min(least * sqrt(n), _LARGEST)


def _plain(name: str) -> str:
    """A name of a table as Markdown that says just that."""
    return re.sub(r"([!-#%-/:-@\[-`{-~])", r"\\\1", name).replace("$", "`$`")


def _x_axes(axes: Axes) -> dict[str, tuple[float, float]]:
    """What the pictures of a lab have along them, from where to where."""
    return {x[0]: (x[1], x[2]) for x, _ in axes.values() if x[0]}


@lru_cache(maxsize=16)
def _drawn(
    kind: ByNumber | ByPoint,
    shown: str,
    pictures: tuple[str, ...],
    sent: tuple[int, ...],
    answered: bool,  # noqa: FBT001 - what is kept is known by it
) -> str:
    """What a lab shows, with a class's answers in some of its pictures."""
    view = json.loads(shown) if pictures else {"parts": []}
    for part in view["parts"]:
        if part["id"] in pictures:
            box = part["frame"]
            frame = Frame(**{**box, "x": tuple(box["x"]), "y": tuple(box["y"])})
            bars = [one.json() for one in kind.bars(frame, sent)]
            marks = [one.json() for one in kind.marks(frame, sent, answered)]
            # Bars lie on the ground, behind all that the picture shows.
            part["element"] = [*part["element"][:3], *bars, *part["element"][3:], *marks]
    return compact_json(view) if pictures else shown


KINDS: list[type[AnswerKind]] = [ByLetter, ByNumber, ByPoint, ByWord]
