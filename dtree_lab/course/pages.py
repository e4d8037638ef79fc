"""An exercise as a page of Markdown: its words, its solution, and mistakes as changes of it.

``round.md`` in a lesson's folder is the exercise ``boosting/round``. It begins with a head, as a
lesson's page does; below it stands what is asked, and then its sections: *Stub* (where it is not
the usual one), *Given* (what a solution needs and does not import), *Solution* with its reason,
*Another hint*, *Mistakes*, *Cases* of a function; *Draw*, where everybody has numbers of their own,
and where these can be drawn anew (:mod:`dtree_lab.course.skills`) *Card* and *Steps*. A mistake is
an item of a list: what a learner would have typed, and the hint::

    - `log(a / b)` → `log(b / a)`
      The fraction is upside down.

The text on the left stands in the solution exactly once. The guesses of a lesson share a page,
``guesses.md``. ``docs/new-exercise.md`` has the rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path
from types import CodeType
from typing import Any, Literal, TypeVar

import numpy as np

from dtree_lab.base.checks import is_real
from dtree_lab.base.text import listing
from dtree_lab.course.exercise import Anew, Exercise, Guess, Mistake, Task, drawn_until, personal
from dtree_lab.course.tasks import Case, Choose, Code, Number, Question
from dtree_lab.course.tasks.code import (
    Recogniser,
    comes_to,
    generators,
    gives,
    mentions,
    stops,
    where,
)

T = TypeVar("T")
_FRONT = re.compile(r"---\n(.*?)\n---\n", re.DOTALL)
_SECTION = re.compile(r"^## (.+)\n", re.MULTILINE)
_SECTIONS = (
    *("Stub", "Given", "Solution", "Another hint", "Mistakes"),
    *("Cases", "Draw", "Card", "Steps"),
)
_FENCED = re.compile(r"```(\w+)\n(.*?)^```\n?", re.DOTALL | re.MULTILINE)
_CHOICE = re.compile(r"(\w+(?:, \w+)*): ")
_SPAN = r"`([^`]+)`"
_NAME = re.compile(rf"(?:([a-z][a-z, ]*)|{_SPAN}):\s+")
_SWAP = re.compile(rf"{_SPAN} → (?:{_SPAN}|nothing)")
_CHANGES = re.compile(rf"(?:or )?{_SWAP.pattern}(?:, {_SWAP.pattern})*(?:\n|$)")
_VALUE = re.compile(rf"(?:or )?{_SPAN}(?:\n|$)")
_KNOWN = re.compile(r"^(answer|also|within|between): (.+)$", re.MULTILINE)
_OPTION = re.compile(r"^- (.+)$", re.MULTILINE)
_CODE = re.compile(r"\{\{(.+?)\}\}", re.DOTALL)
_STEP = re.compile(rf"^- (.+) → {_SPAN}$", re.MULTILINE)
_CASE = re.compile(rf"(?:(.+): )?{_SPAN}")
# What the page may recognise a mistake by.
_RECOGNISERS = {one.__name__: one for one in (comes_to, generators, gives, mentions, stops, where)}
GUESSES = "guesses.md"
# As a lesson's notebook begins.
_IMPORTS = "import math, numpy as np, dtree_lab as dt"
_STUB = "\n    # your lines, in place of the dots\n    ..."


def front_matter(text: str) -> tuple[dict[str, str], str]:
    r"""What a page says at its head, by the words, and the page without it.

    >>> front_matter('---\ntitle: "A round"\n---\nText')
    ({'title': 'A round'}, 'Text')
    """
    front = _FRONT.match(text)
    if front is None:
        return {}, text
    pairs = (line.partition(":") for line in front[1].splitlines())
    return {key: _unquoted(value.strip()) for key, _, value in pairs}, text[front.end() :]


def _unquoted(value: str) -> str:
    return value[1:-1] if value[:1] == value[-1:] == '"' else value


@dataclass(frozen=True)
class Wrong:
    """One wrong answer: how the page shows it, and its code.

    That is the solution with changes, or follows it: a value, or a block that defines the answer.
    """

    shown: str
    code: CodeType
    kind: Literal["changes", "value", "block"]


@dataclass(frozen=True)
class Slip:
    """A mistake of a page: its hint, what has it, and what it is recognised by, if by itself."""

    hint: str
    name: str = ""  # of what Python recognises it by, or brings
    when: Recogniser | None = None
    wrongs: tuple[Wrong, ...] = ()
    choice: tuple[str, ...] = ()


@dataclass(frozen=True)
class Page:
    """A page that was read."""

    path: Path
    head: Mapping[str, str]  # what it says of itself
    text: str = field(repr=False)  # what is asked
    parts: Mapping[str, str] = field(repr=False)  # its sections

    @property
    def id(self) -> str:
        """The exercise's id: the names of the folder and of the file."""
        return f"{self.path.parent.name.replace('_', '-')}/{self.path.stem}"

    @property
    def answer(self) -> str:
        """The name that the learner fills in."""
        return self.head["answer"]

    @cached_property
    def solution(self) -> str:
        """The solution's code; of a choice the call that commits it."""
        if "right" not in self.head:
            return "".join(code for _, code in _FENCED.findall(self.parts["Solution"]))
        right = [int(one) if one.isdigit() else f'"{one}"' for _, one in self._right()]
        shown = f"({', '.join(map(str, right))})" if len(right) > 1 else right[0]
        return f'{self.answer} = dt.course.ask("{self.id}", answer={shown})'

    @cached_property
    def slips(self) -> tuple[Slip, ...]:
        """The mistakes."""
        items = re.split(r"^- ", self.parts.get("Mistakes", ""), flags=re.MULTILINE)[1:]
        return tuple(self._slip(re.sub(r"^  ", "", one, flags=re.MULTILINE)) for one in items)

    def right(self, **data: Any) -> Any:
        """What the solution comes to: the function, or the number with some data."""
        return self._run(data)[self.answer]

    def wrongs(self, **data: Any) -> list[Any]:
        """What the wrong answers come to, in their order."""
        return [self._wrong(one, data) for slip in self.slips for one in slip.wrongs]

    def apart(self, **data: Any) -> float:
        """How far the nearest two are apart of what is right and wrong, but of what is named."""
        plain = (slip for slip in self.slips if not (slip.name or slip.when))
        unnamed = [one for slip in plain for one in slip.wrongs]
        numbers = sorted([self.right(**data), *(self._wrong(one, data) for one in unnamed)])
        return float(min(b - a for a, b in pairwise(numbers)))

    def exercise(
        self,
        task: Task | None = None,
        *,
        seen: Mapping[str, Any] | None = None,
        shown: Any = None,
        mistakes: Iterable[Mistake] = (),
        **data: Any,
    ) -> Exercise:
        """The exercise of the page, whose solution is given some variables, the `data`.

        Without a `task` it is a choice if the head says what is ``right``, else the number that the
        solution comes to. `seen` has what the page's mistakes name: what recognises one (its
        `when`), or one with its wrong answer. Further `mistakes` follow them. `shown` is what the
        exercise is about, where that differs from learner to learner.
        """
        made, space = task or self._task(data), self._run(data) if data else {}
        title = self.head["title"]
        return Exercise(
            id=self.id,
            title=title,
            points=int(self.head["points"]),
            task=made,
            answer=self.answer,
            mistakes=(*self._mistakes(seen or {}, data, space), *mistakes),
            more=_prose(self.parts["Another hint"]),
            solution=self.solution,
            why=_filled(_prose(_FENCED.sub("", self.parts["Solution"])), space),
            data=shown,
            heading=self.head.get("heading", title[:1].lower() + title[1:]),
            text=self.text,
            stub=self._stub(made.kind),
            skill=self.head.get("skill", self.id if "Card" in self.parts else ""),
            taught=self.head.get("taught", self.path.parent.name.replace("_", "-")),
            anew=lambda: self._anew(data),
            done_by=tuple(self.head.get("done by", "").split()),
        )

    @cached_property
    def cases(self) -> list[tuple[Any, ...]]:
        """What each line of the section *Cases* says: its words, if any, and its values."""
        found = []
        for line in re.findall(r"^- (.+)$", self.parts.get("Cases", ""), re.MULTILINE):
            if not (case := _CASE.fullmatch(line)):
                raise ValueError(f"{self.path}: a case is `values`, or words: `values`: {line!r}")
            values = eval(self._compiled(f"({case[2]},)", "eval"), self._given)  # noqa: S307 - its own
            found.append((case[1], *values) if case[1] else values)
        return found

    def case(self, behaviour: str, *args: Any, says: str = "") -> Case:
        """A call of the function, what the solution gives for it, and which behaviour it shows."""
        return Case(args, (self.right()(*args),), says, behaviour=behaviour)

    def function(
        self,
        case: Callable[..., Case | tuple[Case, ...]],
        fresh: Callable[[np.random.Generator], Iterable[Case]],
        seen: Mapping[str, Any] | None = None,
    ) -> Exercise:
        """The exercise of a function: `case` makes one of each line of the page, or several."""
        cases: tuple[Case, ...] = ()
        for made in (case(*given) for given in self.cases):
            cases += made if isinstance(made, tuple) else (made,)
        tolerance = float(self.head.get("tolerance", 1e-6))
        return self.exercise(Code(self.answer, cases, tolerance, fresh), seen=seen)

    def whole(self) -> Exercise:
        """The exercise of a page that needs no Python beside it."""
        return self.personal() if "Draw" in self.parts else self.exercise()

    def personal(self) -> Exercise:
        """The exercise with numbers of everybody's own, as the section *Draw* draws them.

        What it defines is there: ``draw(rng)``, and ``fits(mine)``, ``seen(mine)`` (what numbers
        have the mistakes that the page names) and ``slips(mine)`` (more mistakes, and their hints).
        """
        name = self.head["data"]
        space: dict[str, Any] = {
            **self._given,
            "right": lambda mine: self.right(**{name: mine}),
            "wrongs": lambda mine: self.wrongs(**{name: mine}),
            "apart": lambda mine: self.apart(**{name: mine}),
            "drawn_until": lambda draw, good: drawn_until(self.id, draw, good),
        }
        for _, code in _FENCED.findall(self.parts["Draw"]):
            exec(self._compiled(code), space)  # noqa: S102 - the page's own code
        of: dict[str, Callable[[Any], Any]] = {
            "fits": lambda _: True,
            "seen": lambda _: {},
            "slips": lambda _: (),
            **space,
        }

        def make(rng: np.random.Generator) -> Exercise:
            mine = drawn_until(self.id, lambda: space["draw"](rng), of["fits"])
            seen = {key: _numbers_that(holds) for key, holds in of["seen"](mine).items()}
            slips = [Mistake(wrong, hint) for wrong, hint in of["slips"](mine)]
            return self.exercise(shown=mine, seen=seen, mistakes=slips, **{name: mine})

        return personal(make)

    def _anew(self, data: Mapping[str, Any]) -> Anew:
        """What a card shows of some data, and the steps to the answer, all worked out."""
        space = self._run(data) | {"grid": _grid}
        steps = _STEP.findall(self.parts.get("Steps", ""))
        numbers = [float(eval(code, space)) for _, code in steps]  # noqa: S307 - the page's own code
        words = [_filled(text, space) for text, _ in steps]
        return Anew(_filled(self.parts["Card"], space), tuple(zip(words, numbers, strict=True)))

    def _right(self) -> list[tuple[str, str]]:
        """The questions of a choice, each with what is right."""
        pairs = [part.split() for part in self.head["right"].split(",")]
        return [(name, right) for name, right in pairs]

    def _task(self, data: Mapping[str, Any]) -> Task:
        if "right" not in self.head:
            right = self.right(**data)
            if not is_real(right):
                raise ValueError(f"{self.path}: no number; a module beside it has to give its task")
            return Number(right, float(self.head.get("tolerance", 0.001)))
        lists = [part for part in self.text.split("\n\n") if part.startswith("- **")]
        options = [re.findall(r"^- \*\*(\w+)\*\*", part, re.MULTILINE) for part in lists]
        asked = zip(self._right(), options, strict=True)
        return Choose(tuple(Question(name, tuple(keys), right) for (name, right), keys in asked))

    def _stub(self, kind: str) -> str:
        if "Stub" in self.parts:
            return "".join(code for _, code in _FENCED.findall(self.parts["Stub"])).rstrip("\n")
        if kind == "choice":
            return f'{self.answer} = dt.course.ask("{self.id}")\n{self.answer}'
        begins = re.search(rf"^def {self.answer}\(.*\):$", self.solution, re.MULTILINE)
        return f"{begins[0]}{_STUB}" if kind == "code" and begins else f"{self.answer} = ..."

    def _mistakes(
        self, seen: Mapping[str, Any], data: Mapping[str, Any], space: dict[str, Any]
    ) -> Iterator[Mistake]:
        if unknown := ({slip.name for slip in self.slips} - {""}) ^ seen.keys():
            raise ValueError(f"{self.path}: named only here, or only in Python: {listing(unknown)}")
        for slip in self.slips:
            hint = _filled(slip.hint, space)
            known = slip.when or seen.get(slip.name)
            if isinstance(known, Mistake):
                yield replace(known, hint=hint)
            elif slip.choice:
                yield Mistake(slip.choice if len(slip.choice) > 1 else slip.choice[0], hint)
            for wrong in slip.wrongs:
                yield Mistake(self._wrong(wrong, data), hint, when=known)

    # -- programs ----------------------------------------------------------------------------------

    @cached_property
    def _given(self) -> dict[str, Any]:
        """What every program has: the library, the answers of other pages, and what is given."""
        space: dict[str, Any] = {}
        exec(_IMPORTS, space)  # noqa: S102 - the page's own code
        for name in self.head.get("needs", "").split():
            other = page(self.path, name)
            space[other.answer] = other.right()
        for _, code in _FENCED.findall(self.parts.get("Given", "")):
            exec(self._compiled(code), space)  # noqa: S102 - the page's own code
        return space

    @cached_property
    def _program(self) -> CodeType:
        return self._compiled(self.solution)

    def _compiled(self, code: str, mode: str = "exec") -> CodeType:
        try:
            return compile(code, f"<{self.id}>", mode)
        except SyntaxError as error:
            raise ValueError(f"{self.path}: {error.msg} in {code!r}") from None

    def _run(self, data: Mapping[str, Any], *codes: CodeType) -> dict[str, Any]:
        space = {**self._given, **data}
        for code in codes or (self._program,):
            exec(code, space)  # noqa: S102 - the page's own code
        return space

    def _wrong(self, wrong: Wrong, data: Mapping[str, Any]) -> Any:
        """What a wrong answer comes to."""
        try:
            if wrong.kind == "value":
                return eval(wrong.code, self._run(data))  # noqa: S307 - the page's own code
            before = [self._program] if wrong.kind == "block" else []
            return self._run(data, *before, wrong.code)[self.answer]
        except Exception as error:
            raise ValueError(f"{self.path}: the mistake {wrong.shown!r}: {error!r}") from error

    # -- mistakes ----------------------------------------------------------------------------------

    def _slip(self, item: str) -> Slip:
        if "right" in self.head and (choice := _CHOICE.match(item)):
            return Slip(_prose(item[choice.end() :]), choice=tuple(choice[1].split(", ")))
        name = _NAME.match(item)
        rest = item[name.end() :] if name else item
        wrongs: list[Wrong] = []
        while begins := _CHANGES.match(rest) or _VALUE.match(rest) or _FENCED.match(rest):
            wrongs.append(self._read(begins))
            rest = rest[begins.end() :]
        if not (name or wrongs) or not rest.strip():
            raise ValueError(
                f"{self.path}: a mistake is `old` → `new`, `a value`, a block of code or a name:,"
                f" and below it the hint; this one is not: {item!r}"
            )
        when = self._recogniser(name[2]) if name and name[2] else None
        return Slip(_prose(rest), (name[1] or "") if name else "", when, tuple(wrongs))

    def _recogniser(self, code: str) -> Recogniser:
        """What recognises a mistake, as the page writes it: ``stops("KeyError")``."""
        try:
            made: Recogniser = eval(code, {**_RECOGNISERS})  # noqa: S307 - the page's own code
        except Exception as error:
            raise ValueError(f"{self.path}: {code!r} recognises no mistake: {error!r}") from error
        return made

    def _read(self, begins: re.Match[str]) -> Wrong:
        """The wrong answer that an item writes: changes, a value, or a block of code."""
        shown = begins[0].strip()
        if begins.re is _CHANGES:
            return self._changed(shown, _SWAP.findall(shown))
        if begins.re is _VALUE:
            return Wrong(shown, self._compiled(begins[1], "eval"), "value")
        language, code = begins.groups()
        if language != "diff":
            return Wrong(shown, self._compiled(code), "block")
        lines = [(line[:1], line[1:]) for line in code.splitlines(keepends=True)]
        old, new = ("".join(s for at, s in lines if at in (" ", sign)) for sign in "-+")
        return self._changed(shown, [(old, new)])

    def _changed(self, shown: str, swaps: list[tuple[str, str]]) -> Wrong:
        code = self.solution
        for old, new in swaps:
            if (times := code.count(old)) != 1:
                raise ValueError(
                    f"{self.path}: the mistake {shown!r}: {old!r} stands {times} times in the"
                    " solution; it has to stand there once"
                )
            code = code.replace(old, new)
        return Wrong(shown, self._compiled(code), "changes")


def page(beside: str | Path, name: str) -> Page:
    """The page of an exercise, by its name, beside a module of its lesson (by ``__file__``)."""
    return read_page(Path(beside).with_name(f"{name}.md"))


@cache
def read_page(path: Path) -> Page:
    """The page of a file; a ValueError for one that lacks what every exercise has."""
    head, text = front_matter(path.read_text(encoding="utf-8"))
    asked, *parts = _SECTION.split(text)
    sections = dict(zip(parts[::2], parts[1::2], strict=True))
    needed = {"title", "points", "answer", *["data"] * ("Draw" in sections)} - head.keys()
    missing = [*sorted(needed), *({"Another hint", "Solution"} - sections.keys())]
    if missing or sections.keys() - {*_SECTIONS}:
        raise ValueError(
            f"{path}: at its head are title, points and answer; its sections are"
            f" {listing(_SECTIONS)}. Missing: {listing(missing) or 'nothing'}"
        )
    return Page(path, head, asked.strip(), sections)


def read_guesses(folder: Path) -> dict[str, Guess]:
    """The guesses on the page of guesses in a lesson's folder, by their names; none without one."""
    path = folder / GUESSES
    lesson = folder.name.replace("_", "-")
    _, *parts = _SECTION.split(path.read_text(encoding="utf-8") if path.exists() else "")
    return {
        f"{lesson}/{name}": _guess(text, f"{path}: {name}")
        for name, text in zip(parts[::2], parts[1::2], strict=True)
    }


def _guess(text: str, where: str) -> Guess:
    """A guess: what is known of it, its question, its options, and why it is so."""
    first, *rest = text.strip().split("\n\n")
    known: dict[str, str] = dict(_KNOWN.findall(first))
    question, *rest = rest if known else [first, *rest]
    options = tuple(_OPTION.findall(rest.pop(0))) if rest and _OPTION.match(rest[0]) else ()
    answer = known.get("answer")
    if options and answer not in (None, *options):
        raise ValueError(f"{where}: the answer {answer!r} is none of the options")
    return Guess(
        answer if options or answer is None else _number(answer, where),
        _prose(" ".join(rest)),
        within=_number(known.get("within", "0.0"), where),
        options=options,
        also=tuple(known["also"].split(", ")) if "also" in known else (),
        asks=_prose(question),
        between=_number(known["between"], where) if "between" in known else None,
    )


def _number(text: str, where: str) -> Any:
    """What a number comes to that may be worked out: ``4 / 9``; of ``0, 10`` both."""
    space: dict[str, Any] = {}
    exec(_IMPORTS, space)  # noqa: S102 - the page's own code
    try:
        return eval(text, space)  # noqa: S307 - the page's own code
    except Exception as error:
        raise ValueError(f"{where}: {text!r} is no number: {error}") from error


def _numbers_that(holds: Callable[[float], bool]) -> Recogniser:
    return where(lambda outcome: outcome.kind == "number" and holds(outcome.value))


def _grid(head: Iterable[object], rows: Iterable[Iterable[object]]) -> str:
    """A table in Markdown, for a card."""
    lines: list[Iterable[object]] = [[*head], ["---"] * len([*head]), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def _prose(text: str) -> str:
    return " ".join(text.split())


def _filled(text: str, space: dict[str, Any]) -> str:
    """The text with what its codes between two braces come to."""
    return _CODE.sub(lambda code: str(eval(code[1], space)), text).strip()  # noqa: S307 - its own
