"""The Jupyter side of every lab: its view down, messages up, and work between them.

What a lab is, is its state alone; its traits are read from there. So each of its settings, its text
(`state`) and its tree can be observed and linked, as those of any widget of ipywidgets.

The picture that stays where no kernel runs, on a code host, in an export, in print, is an output of
its own below the widget's. The live view hides it by its token; where nothing is live, it is what
the reader sees. After each change it is drawn again, so a saved notebook shows the lab as it was
left.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterator, Mapping
from dataclasses import replace
from threading import RLock
from typing import Any, ClassVar, Generic, TypeVar
from uuid import uuid4
from weakref import WeakSet

from dtree_lab.base.installing import brought_by

with brought_by("labs", "Labs and cards need"):
    import anywidget
    import traitlets
    from IPython.display import DisplayHandle, display

from dtree_lab.base.checks import is_whole
from dtree_lab.base.terminal import terminal
from dtree_lab.draw.chart import Ends
from dtree_lab.labs import assets, code_widget
from dtree_lab.labs.kit.actions import Action, read_action
from dtree_lab.labs.kit.keeping import around_state, running_cell, variables_of, with_state
from dtree_lab.labs.kit.model import RETURNED, History, KeyWalk, Model, StateView, hushed, is_key
from dtree_lab.labs.kit.parts import View
from dtree_lab.labs.kit.place import compact_json
from dtree_lab.labs.kit.recording import record
from dtree_lab.labs.kit.settings import Settings
from dtree_lab.labs.playing import Recording
from dtree_lab.labs.traits import Seen, StateText, changes, traits_of

# In an application the page may come alive and hide the picture; until then it takes no room, so
# that nothing jumps. A page where styles are taken out shows it at once, and so do exports. Where
# a notebook is opened without its kernel, JupyterLab says "model not found" in place of the widget:
# an element without elements in it, which the picture makes superfluous.
_LATE = (
    "<style>@keyframes dtl-late{from,to{max-height:0;opacity:0}}"
    "@media screen{.jp-NotebookPanel .dtl-kept{animation:dtl-late 1.5s;overflow:hidden}}"
    ".jp-OutputArea-child:has(+ .jp-OutputArea-child .dtl-kept) .jupyter-widgets:not(:has(*))"
    "{display:none}</style>"
)


class StaticPicture:
    """The static picture below a widget, and its text; the live view knows it by its token."""

    def __init__(self, token: str) -> None:
        self.token = token
        self._shown: list[DisplayHandle] = []
        self._last: dict[str, str] = {}

    def show(self, widget: Any, bundle: tuple[str, str]) -> None:
        """Show a widget, and below it the picture, given as text and as part of a page."""
        data, metadata = widget._repr_mimebundle_()
        # Its text would stay as it is at this moment, above the picture that is kept up to date.
        alive = {kind: one for kind, one in data.items() if kind != "text/plain"}
        display(alive, metadata=metadata, raw=True)  # type: ignore[no-untyped-call]
        kept = self._last = self._bundle(bundle)
        handle = display(kept, raw=True, display_id=True)  # type: ignore[no-untyped-call]
        if handle is not None:
            self._shown.append(handle)

    def redraw(self, bundle: Callable[[], tuple[str, str]], *, anew: bool = False) -> None:
        """Bring every shown picture that did change up to date, or send each `anew`."""
        kept = self._bundle(bundle()) if self._shown else {}
        if kept == self._last and not anew:
            return
        self._last = kept
        for handle in self._shown:
            handle.update(kept, raw=True)  # type: ignore[no-untyped-call]

    def _bundle(self, bundle: tuple[str, str]) -> dict[str, str]:
        text, page = bundle
        kept = f'<div class="dtl-kept dtl-static" data-dtl="{self.token}">{page}</div>'
        return {"text/plain": text, "text/html": _LATE + kept}


S = TypeVar("S")
# A picture for readers without a kernel is drawn when a person has paused so long, in seconds.
_PAUSE = 0.4
_TASKS: set[asyncio.Task[None]] = set()
_SHOWN: WeakSet[Lab[Any]] = WeakSet()


class Lab(anywidget.AnyWidget, Generic[S]):
    """What all labs have in common.

    Parameters
    ----------
    model, first
        What the lab does, and where it begins: a state, or a function that makes it.
    load
        The state of a text, to go on where a lab stood before; it raises a ValueError where the
        text does not fit.
    state
        Such a text, to begin with it.

    Attributes
    ----------
    demo
        Whether it stands alone on a page, before a class: large type, and keys that reveal what
        comes next (Page Down, or n), go back (Page Up, or b) and start over (r).
    state
        A short text that makes the lab again as it stands, when it is given as ``state=``.
    value
        The settings by their names.

    Notes
    -----
    ``class MyLab(Lab[State], settings=SETTINGS)`` has a trait for each setting. To assign one does
    what a person does who sets its control; what cannot be is refused by a `TraitError` with the
    words that the lab has for a person, and the lab stays as it was.
    """

    _esm = assets.asset_text(assets.LOADER)

    code = traitlets.List(traitlets.Unicode()).tag(sync=True)
    # The view as JSON: as a dict it would be walked and compared, in Python and in the page.
    told = traitlets.Unicode().tag(sync=True)
    # For the page alone, when the kernel has ended: the state as text, whether a lab goes on from
    # one, and the code of the cells that show it, with what stands before and after the text where
    # it is kept there.
    kept = traitlets.Unicode().tag(sync=True)
    resumes = traitlets.Bool().tag(sync=True)
    cells = traitlets.List(traitlets.List(traitlets.Unicode())).tag(sync=True)
    token = traitlets.Unicode().tag(sync=True)
    demo = traitlets.Bool(default_value=False).tag(sync=True)
    state = StateText()
    value: Seen[dict[str, Any]] = Seen(lambda _: {}, "The settings by their names.")

    _settings: ClassVar[Settings[Any] | None] = None

    def __init_subclass__(cls, settings: Settings[Any] | None = None, **more: Any) -> None:
        """Give a lab a trait for each of its settings."""
        super().__init_subclass__(**more)
        if settings is None:
            return
        cls._settings = settings
        for name, trait in traits_of(settings).items():
            if not isinstance(vars(Lab).get(name, trait), Seen) or hasattr(
                anywidget.AnyWidget, name
            ):
                raise TypeError(f"{cls.__name__}: every lab has {name!r}; give its setting trait=")
            trait.class_init(cls, name)
            setattr(cls, name, trait)

    def __init__(
        self,
        model: Model[S],
        first: S | Callable[[], S],
        load: Callable[[str], S] | None = None,
        state: str | None = None,
    ) -> None:
        begun: S
        if state is not None and load is not None:
            begun = load(state)
        else:
            begun = first() if callable(first) else first
        self._model, self._state, self._load = model, begun, load
        self._problem: str | None = None
        # The number of the browser's last message: what is shown is the answer to it.
        self._answers = 0
        self._lecture = KeyWalk(begun)
        self._history: History[S] = History()
        self._said = ""
        # The state that observers know.
        self._observed = begun
        self._state_view: StateView[S] | None = None
        # How wide the axes of its pictures have been, where they only widen.
        self.kept_axes: dict[str, Ends] | None = None
        # The next action ends work that is under way, in whichever thread it arrives; what is
        # shown is the newest state, never one that a slower thread has seen.
        self._turn, self._lock = 0, RLock()
        token = uuid4().hex
        self._picture = StaticPicture(token)
        code, told = code_widget.models(), compact_json(self._shown())
        own = {"kept": self.state, "resumes": load is not None}
        super().__init__(code=code, told=told, token=token, **own)
        self.on_msg(self._received)
        self._work()

    @property
    def view(self) -> dict[str, Any]:
        """What the browser shows."""
        shown: dict[str, Any] = json.loads(self.told)
        return shown

    @terminal
    def __repr__(self) -> str:
        return f"{self._seen().title}. It is shown in a notebook."

    def act(self, message: dict[str, Any]) -> None:
        """Do what a message of the view asks for, such as ``{"do": "next"}``."""
        self._acted(self._do, message)

    def tried(self, message: dict[str, Any]) -> bool:
        """Do what a message asks for where that changes something; else leave all as it is, unsaid.

        It is done as by hand: ``{"do": "next"}`` is the lab's own, also where a lecturer's keys
        reveal its parts.

        Returns
        -------
        bool
            Whether something changed.
        """
        before = self._state, self._lecture, self._history, self._problem
        text = self.state
        self._acted(self._by_hand, message)
        if self._problem is None and self._state is not before[0] and self.state != text:
            return True
        self._state, self._lecture, self._history, self._problem = before
        self._show()
        return False

    @property
    def last_stage(self) -> int:
        """The stage of a lecture at which all parts are revealed."""
        return self._seen().last_stage

    @property
    def lecture_stage(self) -> int:
        """The stage of a lecture up to which parts are revealed."""
        return self._lecture.stage

    @property
    def has_work(self) -> bool:
        """Whether something remains to be done that takes long."""
        return self._model.work(self._state) is not None

    def keep_axes(self, axes: dict[str, Ends]) -> None:
        """Have axes only widen from now on, so that pictures can be compared; `axes` were there."""
        self.kept_axes, self._state_view = dict(axes), None
        self._show()

    def glimpse(self, do: Callable[[], bool]) -> str | None:
        """What would be told after something is done, which is taken back; None if nothing."""
        kept = ("_state", "_lecture", "_history", "_problem", "_said", "_state_view", "kept_axes")
        with self._lock:
            before = {name: getattr(self, name) for name in kept}
            self.kept_axes = None if self.kept_axes is None else dict(self.kept_axes)
            told = self.told if do() else None
            self._turn += 1
            self.__dict__.update(before)
            self._show()
        self._work()  # which what was done has ended
        return told

    def reveal(self, stage: int) -> None:
        """Reveal the parts up to a stage, as a lecturer's key does one after the other."""
        self._lecture = replace(self._lecture, stage=stage)
        self._show()

    def record(
        self, *, most: int = 200, most_bytes: int = 150_000, near: Mapping[str, float] | None = None
    ) -> Recording:
        """Walk through what the lab can show from here, to play it where no Python runs.

        Parameters
        ----------
        most
            The most views that are kept, at least 1: first those that lead on, then those beside.
        most_bytes
            The most bytes that they may take, deflated; one view is kept in any case.
        near
            How far a control leads, by its id, or an action, by its name, where it is not as usual:
            0.01 is as near as a step on, 0.05 as the first slider, 1 as far as any choice. What is
            nearest is kept first.

        Returns
        -------
        Recording
            Shown in a notebook, it plays, also in an export; ``save("lab.html")`` makes a page.

        Raises
        ------
        ValueError
            For a number of views or bytes that is none.
        """
        for name, n, what in (("most", most, "views"), ("most_bytes", most_bytes, "bytes")):
            if not is_whole(n) or n < 1:
                raise ValueError(f"{name}={n!r} must be a whole number of {what}, at least 1")
        kept = record(self._model, self._state, most, most_bytes, near or {})
        return Recording(self._seen().title, kept, self._bundle()[1])

    def _numbered(self, message: Any) -> Any:
        """The message without its number, which is kept."""
        if not isinstance(message, dict) or type(message.get("n")) is not int:
            return message
        # Of two windows the slower one does not take back what the other has been answered.
        self._answers = max(self._answers, message["n"])
        return {key: value for key, value in message.items() if key != "n"}

    def _acted(self, do: Callable[[Any], None], message: Any) -> None:
        with self._lock:
            self._turn += 1
            self._said = ""
            try:
                do(self._numbered(message))
                self._problem = None
            except ValueError as error:
                self._problem = str(error)
            self._show()
        self._work()

    def _taken(self, take: Callable[[S], tuple[S, Action | None]]) -> None:
        """Do what an assignment asks for, or raise a `TraitError` and leave all as it is."""
        with self._lock:
            before = self._state
            try:
                state, action = take(before)
            except ValueError as error:
                raise traitlets.TraitError(str(error)) from error
            self._turn += 1
            self._said, self._problem = "", None
            self._state, self._history = state, self._history.did(before, action)
            self._lecture = self._lecture.by_hand()
            self._show()
        self._work()

    def _do(self, message: Any) -> None:
        if not (self.demo and is_key(message)):
            self._by_hand(message)
            return
        before = self._state
        self._state, self._lecture = self._pressed(message)
        if self._state is not before:
            self._history = self._history.did(before, None)

    def _by_hand(self, message: Any) -> None:
        before = self._state
        match message:
            case {"do": "undo" | "redo"} if self._model.remembers and len(message) == 1:
                self._state, self._history = self._returned(message)
                self._said = RETURNED[message["do"]]
            case {"do": "resume", "state": str(text)} if self._load is not None:
                self._state = self._load(text)
                self._history = self._history.did(before, None)
            case _:
                action = read_action(message)
                self._state = self._model.update(before, action)
                self._history = self._history.did(before, action)
        self._lecture = self._lecture.by_hand()

    def _returned(self, message: Any) -> tuple[S, History[S]]:
        """One step back, or forth again."""
        before, history = self._state, self._history
        if message["do"] == "redo":
            return history.redo(before)
        if history.past or not self._seen().undo:
            return history.undo(before)
        # The lab was made from a text, and its state knows what was done before.
        after = self._model.update(before, read_action(message))
        return hushed(after), replace(history, undone=(*history.undone, before))

    def _pressed(self, message: dict[str, Any]) -> tuple[S, KeyWalk[S]]:
        """What one of a lecturer's keys makes of the state and the lecture."""
        match message["do"]:
            case "back":
                return self._lecture.back()
            case "reset":
                return self._lecture.over()
        last = self._seen().last_stage
        return self._lecture.on(
            self._state, last, lambda: self._model.update(self._state, read_action(message))
        )

    def _now(self) -> StateView[S]:
        """What there is to see of its state."""
        known, state = self._state_view, self._state
        if known is None or known.state is not state:
            known = self._state_view = StateView(self._model, state, self.kept_axes)
        return known

    def _seen(self) -> View:
        return self._now().view

    def _shown(self) -> dict[str, Any]:
        now = self._now()
        seen, told = now.view, now.json
        own = {"stage": self._lecture.stage, "answers": self._answers}
        if self._model.remembers:
            undo = bool(self._history.past) or seen.undo
            own |= {"undo": undo, "redo": bool(self._history.undone)}
        # Before a class the end is not said at the beginning; some labs say it as their status.
        early = self.demo and self._lecture.stage < seen.last_stage
        result = "" if early else seen.result
        news = "" if early and not seen.result else told["status"]
        status = " ".join(filter(None, [self._said, news or (self._said and result)]))
        problem = self._problem or told["problem"]
        return {**told, "status": status, "result": result, "problem": problem, **own}

    def _tell(self) -> None:
        with self.hold_sync():
            self.told, self.kept = compact_json(self._shown()), self.state

    def _show(self) -> None:
        self._tell()
        if not self._later(self._redrawn(self._turn)):
            self._redraw()
        self._notify()

    def _notify(self) -> None:
        """Have those who observe a trait hear what it has become."""
        before, self._observed = self._observed, self._state
        now = self._observed
        if before is now:
            return
        for change in changes(self, before, now):
            self.notify_change(change)

    # -- work that takes longer than an answer may -------------------------------------------------

    def _work(self) -> None:
        """Begin what remains to be done; where nothing else runs, do it to its end."""
        work = self._model.work(self._state)
        if work is None:
            return
        if not self._later(self._driven(work, self._turn)):
            for self._state, _ in work:
                pass
            self._lecture = self._lecture.worked(self._state)
            self._show()

    async def _driven(self, work: Iterator[tuple[S, float]], turn: int) -> None:
        while True:
            with self._lock:
                if turn != self._turn:
                    return
                step = next(work, None)
                if step is None:
                    break
                self._state, seconds = step
                self._lecture = self._lecture.worked(self._state)
                self._tell()
                self._notify()
            await asyncio.sleep(seconds)
        await self._redrawn(turn)

    async def _redrawn(self, turn: int) -> None:
        """Bring the pictures for readers without a kernel up to date, once it has become quiet."""
        await asyncio.sleep(_PAUSE)
        if turn == self._turn:
            self._redraw()

    def _later(self, job: Coroutine[Any, Any, None]) -> bool:
        """Have a job done beside what comes next; False, and nothing, where no loop is running."""
        try:
            task = asyncio.get_running_loop().create_task(job)
        except RuntimeError:
            job.close()
            return False
        _TASKS.add(task)  # a task that nobody holds may vanish
        task.add_done_callback(_TASKS.discard)
        return True

    # -- Jupyter -----------------------------------------------------------------------------------

    def _received(self, _: object, message: Any, __: object) -> None:
        match message:
            case {"do": "live", "n": int()}:
                self._again(message)
            case {"do": "live"}:
                pass
            case {"do": "keep", "source": str(source), "view": str(view)}:
                kept = self.keep(source)
                self.send({"view": view, **kept})
                self._stands_in(kept["source"] or "")
            case _:
                self.act(message)

    def _again(self, message: dict[str, Any]) -> None:
        """Tell once more what is shown, where an answer may have been lost on its way."""
        with self._lock:
            self._numbered(message)
            self.told = compact_json(self._shown())
            self.send_state(["told", "kept"])

    def keep(self, source: str) -> dict[str, Any]:
        """The code of the cell that makes the lab, with what was done in it: see kit/keeping.

        Returns
        -------
        dict
            ``source``, the new code, or None with a ``problem`` and what to ``paste`` instead.
        """
        return vars(with_state(source, type(self).__name__, self.state, variables_of(self)))

    def _bundle(self) -> tuple[str, str]:
        """The text and the page that remain where no kernel runs."""
        return self._now().remains()

    def _redraw(self, *, anew: bool = False) -> None:
        self._picture.redraw(self._bundle, anew=anew)

    def _stands_in(self, source: str) -> None:
        """Have the page know how the state is kept in a cell, for when it has to do so alone."""
        self.cells = [*self.cells, *around_state(source, type(self).__name__, variables_of(self))]

    def _ipython_display_(self) -> None:
        _SHOWN.add(self)
        self._stands_in(running_cell())
        self._picture.show(self, self._bundle())


async def settled() -> None:
    """Wait until no lab of this thread has work left, and bring their pictures up to date.

    Who runs a notebook to keep it only listens to the cell that runs: what labs do afterwards, on
    behalf of cells before, is lost on it.
    """
    loop = asyncio.get_running_loop()
    while waiting := {task for task in _TASKS if task.get_loop() is loop}:
        await asyncio.wait(waiting)
    for lab in _SHOWN:
        lab._redraw(anew=True)  # noqa: SLF001
