"""A scene's lab, opened: in the kernel of a lecture, to check it, and to export it."""

from __future__ import annotations

import ast
import io
import warnings
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from inspect import signature
from typing import Any

import dtree_lab as dt
from dtree_lab.base.text import did_you_mean
from dtree_lab.labs.catalogue import find_lab
from dtree_lab.labs.kit.keeping import with_state
from dtree_lab.labs.lab_widget import Lab
from dtree_lab.stage.acts import ALL_STEPS, CLASS, CodeLab, NamedLab, several
from dtree_lab.stage.lecture import LectureScene
from dtree_lab.stage.tables import TableSource, read_table, table_named
from dtree_lab.table.doubts import TableWarning

# So many presses of the key are tried before a lab's own steps count as without end.
MOST_STEPS = 400
NEEDS_CONSENT = (
    "this scene runs Python of the lecture's own, which nobody has agreed to; give the lecture"
    " anew, and you are asked"
)


@dataclass(frozen=True)
class Moment:
    """What a lab shows at a moment, and what brings it back."""

    view: str  # as the browser gets it: JSON
    state: str  # the lab's own text
    stage: int  # how many of its parts are revealed
    axes: Mapping[str, Any] = field(default_factory=dict)  # how wide those of its pictures were
    works: bool = False  # whether it has work left, which may change what it shows


class OpenLab:
    """A lab of a scene, and what the lecturer's key does in it.

    It stands where a moment says, or where the scene begins.
    """

    answers: Sequence[Any] = ()  # what the class has answered, for the key that brings it
    refuses = False  # whether the lab has not taken them

    def __init__(
        self,
        scene: LectureScene,
        state: str = "",
        stage: int = 0,
        axes: Mapping[str, Any] | None = None,
    ) -> None:
        if scene.lab is None:
            raise ValueError("There is no lab on this scene.")
        self.scene, self.act = scene, scene.lab
        with warnings.catch_warnings():
            # What there is to doubt about a table, a check tells; the page is for a class.
            warnings.simplefilter("ignore", TableWarning)
            self.lab = _lab(self.act, state or self.act.state)
        # Also at the beginning: what a lab says at its end is not to be seen before.
        self.lab.reveal(stage)
        self.lab.keep_axes(dict(axes or {}))

    def shown(self) -> Moment:
        """What is seen now."""
        lab = self.lab
        axes = dict(lab.kept_axes or {})
        return Moment(lab.told, lab.state, lab.lecture_stage, axes, lab.has_work)

    def next(self, step: int) -> Moment | None:
        """What the key would show at a step, which is not done; None at the end."""
        told = self.lab.glimpse(lambda: self.go_on(step))
        stage = step + 1 if step < self.reveals else self.lab.lecture_stage
        return None if told is None else Moment(told, "", stage)

    @property
    def reveals(self) -> int:
        """How many keys reveal parts, before the lab itself goes on."""
        last: int = self.lab.last_stage
        return len(self.act.reveal) or (0 if self.act.show else last)

    def go_on(self, step: int) -> bool:
        """Do what the key does at a step, counted from 0; False, and nothing, at the end."""
        reveals = self.reveals
        if step < reveals:
            self.lab.reveal(step + 1)
            return True
        step -= reveals
        steps = self.act.steps_with(self.answers)
        if isinstance(steps, tuple):
            if step >= len(steps):
                return False
            given = {**CLASS, "answers": self.answers}
            each = several(steps[step])
            done = [self.lab.tried(given if one == CLASS else one) for one in each]
            self.refuses |= (CLASS, False) in zip(each, done, strict=True)
            return any(done)
        if steps is None:
            steps = 0 if reveals else ALL_STEPS
        most = MOST_STEPS if steps == ALL_STEPS else steps
        return step < most and bool(self.lab.tried({"do": "next"}))


def rehearsed(scene: LectureScene) -> Iterator[tuple[int, Moment]]:
    """What a scene's lab shows after each key, by their numbers.

    Where its pictures' axes have widened on the way, all comes again over those of the end.
    """
    axes: Mapping[str, Any] = {}
    with ThreadPoolExecutor(1) as pool:  # where no event loop runs labs do their long work at once
        for _ in range(2):
            opened, k = pool.submit(OpenLab, scene, axes=axes).result(), 0
            first = opened.shown()
            yield k, first
            while pool.submit(opened.go_on, k).result():
                k += 1
                yield k, opened.shown()
            axes = opened.shown().axes
            if axes == first.axes:
                return


def _lab(act: NamedLab | CodeLab, state: str) -> Any:
    if isinstance(act, NamedLab):
        table = None if act.source is None else _table(act.source)
        entry = find_lab(act.name)
        _known(act.settings, entry.load())
        lab = entry.opened(table, state or None, **act.settings)
    else:
        if act.needs_consent:
            raise ValueError(NEEDS_CONSENT)
        lab, variables = _value(act.code)
        if not isinstance(lab, Lab):
            msg = f"the last line must give a lab, such as dt.TreeBuilder(…); it gives {lab!r:.60}"
            raise ValueError(msg)  # noqa: TRY004 - of a text, not of a type
        if state:
            lab, _ = _value(_with_state(act.code, lab, variables, state))
    lab.demo = True
    return lab


def _known(settings: Mapping[str, Any], cls: type[Lab[Any]]) -> None:
    taken = signature(cls).parameters
    names = [name for name in taken if name not in ("table", "state")]
    takes_more = any(one.kind is one.VAR_KEYWORD for one in taken.values())
    for name in settings:
        if name not in names and not takes_more:
            near = did_you_mean(name, names)
            raise ValueError(f"settings: this lab has no {name!r}.{near} It has {', '.join(names)}")


def _with_state(code: str, lab: Lab[Any], variables: list[str], state: str) -> str:
    """The code with a state where the lab is made: in its last line, or where a variable has it."""
    name = type(lab).__name__
    lines = code.split("\n")
    at = ast.parse(code).body[-1].lineno - 1
    above, last = "\n".join(lines[:at]), "\n".join(lines[at:])
    written = with_state(last, name, state).source
    if written is not None:
        return f"{above}\n{written}"
    written = with_state(code, name, state, variables).source
    if written is None:
        msg = (
            f"a state finds no place in the code of this scene: make its lab on the last line, as"
            f" dt.{name}(…), or give it a variable of its own there"
        )
        raise ValueError(msg)
    return written


def _table(source: TableSource) -> Any:
    return read_table(source.name, dict(source.how)) if source.is_file else table_named(source.name)


def _value(code: str) -> tuple[Any, list[str]]:
    """What the last line of code gives, and the variables that hold it."""
    scope: dict[str, Any] = {"dt": dt, "__name__": "__lecture__"}
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body else None
    if not isinstance(last, ast.Expr):
        msg = "the last line must be an expression that gives a lab"
        raise ValueError(msg)  # noqa: TRY004 - of a text, not of a type
    # What a lesson's cells print on the way stands in the lesson, and is of no use in the terminal.
    with redirect_stdout(io.StringIO()):
        exec(compile(tree, "<lecture>", "exec"), scope)  # noqa: S102 - the lecturer's own code
        value = eval(compile(ast.Expression(last.value), "<lecture>", "eval"), scope)  # noqa: S307
    return value, [name for name, held in scope.items() if held is value]
