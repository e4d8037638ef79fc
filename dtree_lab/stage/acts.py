"""What a scene shows: acts, one after the other, each with its parsing, its keys and its words.

A new kind of act is a class, and its place in `ACTS`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

from dtree_lab.base.text import did_you_mean
from dtree_lab.stage.answers import KINDS, AnswerKind, Axes, ByLetter, right_letters
from dtree_lab.stage.frontmatter import SceneText
from dtree_lab.stage.tables import OWN, TABLES, TableSource, is_table

# How a question is shown: put to the class, with the votes, with its answer.
ASKED, COUNTED, ANSWERED = range(3)
ALL_STEPS = -1  # of a scene's lab: as many as there are
CLASS = {"do": "class"}  # a step in which a lab takes what the class has answered
WORDS = 6  # of a scene without a heading, in the list of scenes
# How words may stand on a sheet, what has to be there, and how that is said.
LAYOUTS = {
    "title": (re.compile(""), ""),
    "section": (
        re.compile(r"^# ", re.MULTILINE),
        "begins a part of the lecture: give it a # heading",
    ),
    "statement": (re.compile(r"\A\s*\S(.|\n){,139}\Z"), "is one sentence, of 140 letters at most"),
    "picture": (re.compile(r"!\[.*\]\("), "shows a picture: write ![what it shows](file.png)"),
    "two": (re.compile(r"^\*\*\*\s*$", re.MULTILINE), "has two columns: part them by a line ***"),
}
# How the course calls its questions: tax-fraud/parts.
_ID = re.compile(r"[a-z0-9-]+/[a-z0-9-]+")


@dataclass(frozen=True, kw_only=True)
class Act:
    """A part of a scene; its keys are counted from the moment in which it comes."""

    NAMES: ClassVar[tuple[str, ...]] = ()  # what it reads of what stands between the fences
    comes: ClassVar[str] = ""  # what the last key before it is said to bring besides

    @classmethod
    def read(cls, scene: SceneText) -> Act | None:
        """The act that a scene's text asks for; None where it asks for none."""
        raise NotImplementedError

    @property
    def keys(self) -> tuple[str, ...]:
        """What each key brings until the next act comes, for the lecturer."""
        return ()

    def page(self, keys: int) -> tuple[str, ...]:  # noqa: ARG002 - others show something
        """The words on the screen after so many keys, in Markdown."""
        return ()

    @property
    def kind(self) -> str:
        """What it is, in the line for a scene that is to come."""
        return ""

    @property
    def texts(self) -> tuple[str, ...]:
        """All its Markdown."""
        return self.page(len(self.keys))

    @property
    def title(self) -> str:
        """What a scene is called that has no heading."""
        return first_words(*self.texts)


@dataclass(frozen=True, kw_only=True)
class SceneWords(Act):
    """Words: first what is seen at once, then what each key adds."""

    NAMES = ("layout",)

    blocks: tuple[str, ...]
    layout: str = ""  # one of LAYOUTS, or nothing

    @classmethod
    def read(cls, scene: SceneText) -> SceneWords:
        """Those of the scene; they are empty where there are none."""
        layout, words = scene["layout"].text(), "\n".join(scene.blocks)
        wrong = ""
        if layout not in LAYOUTS:
            near = did_you_mean(layout, tuple(LAYOUTS))
            wrong = f"there is no layout {layout!r}.{near} There are {', '.join(LAYOUTS)}"
        elif other := next((name for name in ("lab", "code", "cell", "ask") if name in scene), ""):
            wrong = f"layout: is for words; beside {other}: they have a place of their own"
        elif not LAYOUTS[layout][0].search(words):
            wrong = f"layout: {layout} {LAYOUTS[layout][1]}"
        scene.wrong("layout", wrong) if wrong else None
        return cls(blocks=scene.blocks, layout=layout)

    @property
    def title(self) -> str:
        """The first words, or what kind of sheet it is."""
        return super().title or self.layout

    @property
    def keys(self) -> tuple[str, ...]:
        """One for each block that is held back."""
        return ("more words",) * (len(self.blocks) - 1)

    def page(self, keys: int) -> tuple[str, ...]:
        """The blocks so far."""
        return self.blocks[: keys + 1]

    @property
    def heading(self) -> str:
        """The first that there is."""
        sign = re.compile(r"^#{1,6}\s+(.+?)\s*#*$", re.MULTILINE)
        return next((line[1] for block in self.blocks if (line := sign.search(block))), "")


@dataclass(frozen=True, kw_only=True)
class ClassQuestion(Act):
    """What is put to the class; then the votes are shown, then the answer."""

    NAMES = ("ask", "answer", "because")  # and the sign of each kind of answer
    comes = "the question"
    kind = "a question"
    keys = ("the votes", "the answer")

    asks: str  # in Markdown, as all of its texts
    takes: AnswerKind
    because: str = ""  # why: it is shown with the answer

    @classmethod
    def read(cls, scene: SceneText) -> ClassQuestion | None:
        """A lecturer's own, or one of the course by its id."""
        if "ask" not in scene:
            for name in (*signs(), *cls.NAMES[1:]):
                scene.wrong(name, f"{name!r} belongs to a question: say ask: too")
            return None
        asks, because = scene["ask"].text(), scene["because"].text()
        if _ID.fullmatch(asks):
            return cls._of_course(asks, scene)
        needs = "a question needs options: [one, another]; or ask: is the id of one of the course"
        return cls._taking(scene, asks, because, needs)

    @classmethod
    def _taking(cls, scene: SceneText, asks: str, because: str, needs: str) -> ClassQuestion | None:
        """A question that is answered in the way that a scene says."""
        kinds = [kind for kind in KINDS if kind.SIGN in scene]
        if not kinds:
            scene.wrong("ask", needs)
        elif len(kinds) > 1:
            ways = " or ".join(kind.SIGN for kind in kinds)
            scene.wrong(kinds[-1].SIGN, f"a question is answered in one way: {ways}")
        elif takes := kinds[0].read(scene):
            return cls(asks=asks, takes=takes, because=because)
        return None

    @classmethod
    def _of_course(cls, about: str, scene: SceneText) -> ClassQuestion | None:
        """A question of the course, with what a lesson leaves to its reader or works out."""
        from dtree_lab.stage.cells import question_cell  # noqa: PLC0415 - lessons are read where wanted

        try:
            asks, options, right, because = question_cell(about)
        except ValueError as error:
            scene.wrong("ask", str(error))
            return None
        for name, known in (*dict.fromkeys(signs(), options).items(), ("answer", right)):
            if name in scene and known:
                scene.wrong(
                    name, f"the course says the {name} of {about} itself: leave {name}: out"
                )
                return None
        because = scene["because"].text() if "because" in scene else because
        if options:
            takes = ByLetter(options=options, right=right or right_letters(scene, options))
            return cls(asks=asks, takes=takes, because=because)
        needs = f"{about} asks for a number: give it options: [one, another]"
        return cls._taking(scene, asks, because, needs)

    def within(self, view: str, axes: Axes) -> ClassQuestion:
        """The question about what its scene's lab shows."""
        takes = self.takes.within(view, axes)
        return replace(self, takes=takes, because=self.because or takes.reason)

    @property
    def texts(self) -> tuple[str, ...]:
        """What it asks, what can be chosen, and why."""
        return (self.asks, *self.takes.options, self.because)

    @property
    def title(self) -> str:
        """What it asks, in a few words."""
        return first_words(self.asks)


@dataclass(frozen=True, kw_only=True)
class LabSteps(Act):
    """A lab, and what the key does in it, until it has nothing more to show."""

    TABLE: ClassVar = (
        "table",
        *("target", "drop", "decimal", "thousands", "delimiter", "na", "missing", "kinds"),
        "encoding",
    )
    NAMES: ClassVar = (
        *("lab", *TABLE, "state", "settings"),
        *("code", "lesson", "cell", "steps", "show", "reveal"),
    )

    state: str = ""  # where the lab begins
    # What the key does in the lab, one after the other: so many presses of its own *next*, or
    # `ALL_STEPS`; or actions, each a press. None, where nothing is said, is all that the lab has if
    # it has no parts to reveal, and else none.
    steps: int | tuple[Any, ...] | None = None
    # Parts of the lab, by their ids, that stand beside its picture from the beginning.
    show: tuple[str, ...] = ()
    # Those that each key puts in their place; without them the lab has its own order.
    reveal: tuple[tuple[str, ...], ...] = ()

    @classmethod
    def read(cls, scene: SceneText) -> NamedLab | CodeLab | None:
        """One of the labs, or one from Python."""
        name, (code, words) = _lab_name(scene), scene.cell
        if "code" in scene:
            code = scene["code"].text()
        if name and code:
            which = "code" if "code" in scene else "cell"
            scene.wrong(which, f"a scene shows one thing: lab or {which}")
        source, state = _source(scene), _state(scene)
        # Where one is named that there is not, this is told, and no more.
        may_be = bool(code) or "lab" in scene or ("cell" in scene and not words)
        for other in ("state", "steps", "settings", "show", "reveal"):
            if not may_be:
                scene.wrong(other, f"{other!r} belongs to a lab: say lab: NAME as well")
        settings = _settings(scene)
        shown: dict[str, Any] = {
            "state": state,
            "steps": _steps(scene),
            "show": tuple(scene["show"].texts()),
            "reveal": _reveals(scene),
        }
        if code:
            return CodeLab(code=code, needs_consent="code" in scene, **shown)
        return NamedLab(name=name, source=source, settings=settings, **shown) if name else None

    def steps_with(self, answers: Sequence[Any]) -> int | tuple[Any, ...] | None:
        """What the key does, without what needs the class's answers where there are none."""
        if isinstance(self.steps, tuple) and not answers:
            return tuple(one for one in self.steps if CLASS not in several(one))
        return self.steps

    @property
    def takes_class(self) -> bool:
        """Whether a key has it take what the class has answered."""
        return self.steps != self.steps_with(())

    def has_taken_class(self, keys: int) -> bool:
        """Whether one of so many keys has had it take what the class has answered."""
        steps = self.steps if isinstance(self.steps, tuple) else ()
        return any(CLASS in several(one) for one in steps[: max(keys - (self.stages or 0), 0)])

    def brings(self, keys: int, answers: Sequence[Any]) -> str:
        """What the next key brings after so many: parts, or a step; empty if it is not known."""
        if keys < len(self.reveal):
            return "in the lab: " + ", ".join(self.reveal[keys])
        step = keys - len(self.reveal) + 1
        steps = self.steps_with(answers)
        most = len(steps) if isinstance(steps, tuple) else steps
        if isinstance(steps, tuple) and step <= len(steps) and CLASS in several(steps[step - 1]):
            return "the class's answers, in the lab"
        if most == ALL_STEPS or not (self.reveal or (self.show and most is not None)):
            return "the lab goes on"
        return f"step {step} of {most} in the lab" if most and step <= most else ""

    @property
    def panels(self) -> list[str] | None:
        """The parts that any key puts beside its picture; None where the lab has an order."""
        return [*self.show, *(name for key in self.reveal for name in key)] or None

    @property
    def stages(self) -> int | None:
        """How many keys reveal parts; None where the lab has an order of its own."""
        return len(self.reveal) or (0 if self.show else None)

    @property
    def works(self) -> bool:
        """Whether keys do something in it, besides revealing parts."""
        return self.steps != 0 and not (self.steps is None and self.reveal)

    def panel(self, stage: int) -> list[str] | None:
        """The parts beside its picture; None where the lab has an order of its own."""
        if self.reveal and stage:
            return list(self.reveal[min(stage, len(self.reveal)) - 1])
        return list(self.show) if self.show or self.reveal else None


@dataclass(frozen=True, kw_only=True)
class NamedLab(LabSteps):
    """One of the labs."""

    name: str
    source: TableSource | None = None  # its table
    # What it is made with besides: `{algorithm: c45}`.
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """Its name."""
        return self.name

    @property
    def kind(self) -> str:
        """Its name and its table."""
        return f"lab {self.name}" + (f" on {Path(self.source.name).name}" if self.source else "")


@dataclass(frozen=True, kw_only=True)
class CodeLab(LabSteps):
    """A lab that the last line of some Python gives."""

    kind = "lab from Python"

    code: str
    needs_consent: bool = False  # it is the file's own, and nobody has agreed to run it


def _lab_name(scene: SceneText) -> str:
    # Here, because the catalogue is the labs' and a slide needs none of them.
    from dtree_lab.labs.catalogue import find_lab  # noqa: PLC0415

    if "lab" not in scene:
        return ""
    try:
        return find_lab(scene["lab"].text()).name
    except ValueError as error:
        scene.wrong("lab", str(error))
        return ""


def _source(scene: SceneText) -> TableSource | None:
    """The table of a scene's lab."""
    others = [name for name in LabSteps.TABLE[1:] if name in scene]
    if "table" not in scene:
        for other in others:
            scene.wrong(other, f"{other!r} is said of a table: say table: as well")
        return None
    if "lab" not in scene:
        scene.wrong("table", "a table is shown by a lab: say lab: NAME as well")
    name = scene["table"].text()
    if is_table(name):
        for other in others:
            where = f"beside --table, as --{other}" if name == OWN else "of a CSV file"
            scene.wrong(other, f"{other!r} is said {where}; {name} is none")
        return TableSource(name)
    if not name.lower().endswith((".csv", ".csv.gz", ".tsv", ".txt")):
        there_are = f"There are {', '.join(TABLES)}, and CSV files"
        near = did_you_mean(name, TABLES)
        scene.wrong("table", f"there is no table {name!r}.{near} {there_are}")
        return None
    path = (scene.folder / Path(name).expanduser()).resolve()
    if not path.is_file():
        scene.wrong("table", f"there is no file {name}: it is looked for beside the lecture")
        return None
    how = {other: _of_table(scene, other) for other in others}
    return TableSource(str(path), how, is_file=True)


def _of_table(scene: SceneText, name: str) -> Any:
    """How a CSV file is written."""
    if name in ("drop", "na"):
        return tuple(scene[name].texts())
    return scene[name].data() if name == "kinds" else scene[name].text()


def _state(scene: SceneText) -> str:
    """A lab's text, or that of a file."""
    state = scene["state"].text()
    if not state.startswith("@"):
        return state
    try:
        return (scene.folder / state[1:]).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        scene.wrong("state", f"there is no text file {state[1:]} beside the lecture")
        return ""


def _settings(scene: SceneText) -> dict[str, Any]:
    settings = scene["settings"].data() if "settings" in scene else {}
    if isinstance(settings, dict) and all(isinstance(name, str) for name in settings):
        return settings
    scene.wrong("settings", "settings: are the lab's own, such as {max_depth: 2}")
    return {}


def _steps(scene: SceneText) -> int | tuple[Any, ...] | None:
    if "steps" not in scene:
        return None
    data = scene["steps"].data()
    if data == "all":
        return ALL_STEPS
    if isinstance(data, int) and not isinstance(data, bool) and data >= 0:
        return data
    if isinstance(data, list) and data:
        steps = tuple(map(_action, data))
        if None not in steps:
            return steps
    scene.wrong(
        "steps",
        "steps: is how often the key works in the lab (steps: 3), all, or a list of what it"
        " does, such as [best, {do: select, at: '0'}]; one that does several is a list of these",
    )
    return None


def _action(step: Any) -> Any:
    """A step as a lab's message, or as several that one key sends; None for what is none."""
    if isinstance(step, list):
        several = list(map(_action, step))
        return several if several and None not in several else None
    if isinstance(step, str):
        return {"do": step}
    return step if isinstance(step, dict) and isinstance(step.get("do"), str) else None


def several(step: Any) -> list[Any]:
    """The messages of a key."""
    return step if isinstance(step, list) else [step]


def _reveals(scene: SceneText) -> tuple[tuple[str, ...], ...]:
    data = scene["reveal"].data()
    if isinstance(data, list):
        keys = tuple(tuple(key) if isinstance(key, list) else (key,) for key in data)
        if all(keys) and all(isinstance(name, str) for key in keys for name in key):
            return keys
    scene.wrong("reveal", "reveal: is a list of the ids of parts, such as [sum, [curve, rows]]")
    return ()


def signs() -> list[str]:
    """What in a scene says how its question is answered."""
    return [kind.SIGN for kind in KINDS]


def first_words(*texts: str) -> str:
    """What stands for a heading where there is none."""
    words = re.sub(r"[*`]|\|[\s\S]*", "", "\n".join(texts)).split()
    return " ".join(words[:WORDS]) + (" …" if len(words) > WORDS else "")


# In the order in which they come. The last goes on for as long as its lab does.
ACTS: list[type[Act]] = [SceneWords, ClassQuestion, LabSteps]
