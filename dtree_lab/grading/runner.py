"""A learner's process: it runs the cells of one submission, and says what it is asked for.

It is started by :mod:`remote`, as ``python -m dtree_lab.grading.runner``, mostly in a sandbox. It
knows no right answer and no case: it is told "run this cell", "what is this name worth?" and "call
this function with these values", and answers with plain data. Messages are lines of JSON; what the
judge sends for a call is pickled, for the judge is to be trusted. The other way nothing is.

A copy of it waits that has run no cell. It is asked for what nobody is to hear of (the unseen
cases), when the first is stopped and nothing that it says is heard any more.

``dt.course`` is a stand-in here: cards hold what was committed in them, checks and hints do
nothing, and the data of one's own come from the judge.
"""

from __future__ import annotations

import ast
import base64
import builtins
import importlib
import inspect
import io
import json
import linecache
import os
import pickle
import random
import signal
import subprocess
import sys
import types
import warnings
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import Any

from dtree_lab.base.answers import FirstLines, last_line
from dtree_lab.grading.plaindata import Far, Writer

_MOST_SAID, _MOST_NAME = 200, 60
_AGAIN = 0.1  # what swallows the first call of time gets another so soon
_FLAGS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
_RUN = ("time", "capture", "prun")  # magics that run Python where it stands
_SAY = ("check", "handout", "hint", "solution", "reveal", "progress")
EXAM = "exam/twelve"  # as course/skills.py has it, which a learner's process does not load


class TimeIsUpError(BaseException):
    """What ends a loop in a cell or a function that is out of time."""


class AskedCard:
    """What a question's card is here: what was committed in it."""

    def __init__(self, about: str, answer: Any) -> None:
        self.about, self.answer = about, answer


class KeptLab:
    """A lab that is made, as slowly as drawing loads, only if more than its state is asked."""

    def __init__(self, make: Callable[[], Any], given: tuple[Any, ...], named: Any) -> None:
        self._make, self._given, self._named = make, given, named

    @property
    def kept(self) -> Any:
        """The text of its state; None for a lab that nothing was done with."""
        if "_real" in vars(self):
            return self._real.state
        if "state" in self._named or not (self._named or self._given[1:]):
            return self._named.get("state")
        return self._real.state  # what was asked for by other words counts, too

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") and name != "_real":
            raise AttributeError(name)
        if name == "_real":
            self._real = self._make()(*self._given, **self._named)
            return self._real
        return getattr(self._real, name)


class _Unpickler(pickle.Unpickler):
    """Reads what the judge sends; what it has lent and not given is asked back by its number."""

    def __init__(self, data: bytes, ask: Callable[[int, str, Any], Any]) -> None:
        super().__init__(io.BytesIO(data))
        self._ask = ask

    def persistent_load(self, pid: Any) -> Any:
        return Far(self._ask, int(pid))


class Shell:
    """What ``get_ipython()`` gives here, for cells that IPython reads in its own way."""

    def __init__(self, run: Callable[[str], Any]) -> None:
        self._run = run

    def run_line_magic(self, name: str, line: str, *_: Any, **__: Any) -> Any:
        """What comes of Python below a magic; all but a few do nothing."""
        return self._run(line) if name in _RUN else None

    def run_cell_magic(self, name: str, line: str, cell: str) -> Any:
        """The same of a whole cell; one may also write itself to a file."""
        if name == "writefile":
            Path(line.rsplit(maxsplit=1)[-1]).write_text(cell, encoding="utf-8")
            return None
        return self._run(cell) if name in _RUN else None

    def getoutput(self, command: str, **_: Any) -> list[str]:
        """The lines that a command prints."""
        done = subprocess.run(  # noqa: S602 - in the sandbox, as the learner asked
            command, shell=True, stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
        return done.stdout.decode(errors="replace").splitlines()

    def system(self, command: str) -> None:
        """Run a command."""
        self.getoutput(command)


class Runner:
    """The loop of a learner's process."""

    def __init__(self, requests: Any, replies: Any) -> None:
        self.requests, self.replies = requests, replies
        self.writer = Writer()
        shell = Shell(self._run)
        # A module, as in a kernel: who pickles a function of a cell looks for it there.
        self.module = types.ModuleType("__main__")
        self.space: dict[str, Any] = vars(self.module)
        self.space |= {"display": lambda *_: None, "get_ipython": lambda: shell}
        self.space["__builtins__"] = builtins
        self.cells = 0
        self.own = os.getpid()

    def serve(self) -> None:
        """Do what is asked, until there is nothing more to hear."""
        deeds = {"cell": self._cell, "value": self._value, "call": self._call}
        self._say({"ready": True})
        while line := self.requests.readline():
            request = json.loads(line)
            reply = self._timed(deeds[request["do"]], request)
            if os.getpid() != self.own:  # a child that an answer left behind
                os._exit(0)
            self._say(reply)

    def _say(self, message: Any) -> None:
        self.replies.write(json.dumps(message).encode() + b"\n")
        self.replies.flush()

    def _timed(self, deed: Callable[[Any], Any], request: Any) -> Any:
        printed = FirstLines()
        caught: list[Any] = []
        try:
            signal.signal(signal.SIGALRM, _time_is_up)
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("default")
                with redirect_stdout(printed), redirect_stderr(printed):
                    try:
                        signal.setitimer(signal.ITIMER_REAL, request["seconds"], _AGAIN)
                        reply = deed(request)
                    finally:
                        signal.setitimer(signal.ITIMER_REAL, 0)
        except BaseException as error:  # noqa: BLE001 - sys.exit is not to end anything
            reply = _told(error)
        warned = str(caught[0].message)[:_MOST_SAID] if caught else ""
        return reply | {"printed": printed.getvalue(), "warned": warned}

    def _cell(self, request: Any) -> Any:
        shown = self._run(request["text"])
        if shown is not None:
            self.space["_"] = shown
        return {"done": True}

    def _run(self, text: str) -> Any:
        """Run a cell as IPython would; the value of its last line, if it has one."""
        self.cells += 1
        name = f"<cell {self.cells}>"
        text = _python(text)
        linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
        tree = compile(text, name, "exec", _FLAGS | ast.PyCF_ONLY_AST)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        self._done(compile(tree, name, "exec", _FLAGS))
        if last is None:
            return None
        return self._done(compile(ast.Expression(last.value), name, "eval", _FLAGS))

    def _done(self, code: types.CodeType) -> Any:
        found = eval(code, self.space)  # noqa: S307 - what it is for
        if code.co_flags & inspect.CO_COROUTINE:
            import asyncio  # noqa: PLC0415 - few await anything

            return asyncio.run(found)
        return found

    def _value(self, request: Any) -> Any:
        found = eval(request["text"], self.space)  # noqa: S307 - the text is the judge's
        return {"value": self.writer.write(found)}

    def _call(self, request: Any) -> Any:
        given = self.unpickled(request["given"])
        before = [Writer().write(one) for one in given]
        try:
            found = self.writer.functions[request["n"]](*given)
        finally:
            after = [Writer().write(one) for one in given]
        told = {"value": self.writer.write(found)}
        return told | ({"given": after} if after != before else {})

    def unpickled(self, text: str) -> Any:
        """What the judge sends."""
        return _Unpickler(base64.b64decode(text), self.ask).load()

    def ask(self, number: int, name: str, given: Any) -> Any:
        """What comes of something that stays with the judge."""
        written = None if given is None else [self.writer.write(one) for one in given]
        return self._asked({"ask": "far", "n": number, "name": name, "given": written})

    def data(self, exercise: str, name: Any = "") -> Any:
        """The data of an exercise, for the learner of a name."""
        who = name if isinstance(name, str) else ""
        return self._asked({"ask": "data", "exercise": str(exercise), "name": who})

    def _asked(self, message: Any) -> Any:
        self._say(message)
        told = json.loads(self.requests.readline())
        if "raised" in told:
            raise getattr(builtins, told["raised"], ValueError)(told["says"])
        return self.unpickled(told["value"])


def _time_is_up(_number: int, _frame: Any) -> None:
    raise TimeIsUpError


def _told(error: BaseException) -> dict[str, Any]:
    where = last_line(error, lambda file: file.startswith("<cell "))
    if isinstance(error, TimeIsUpError):
        return {"hung": True, "where": where}
    try:
        said = " ".join(str(error)[: 2 * _MOST_SAID].split())[:_MOST_SAID]
    except BaseException:  # noqa: BLE001 - an error that cannot even say what it is
        said = ""
    if isinstance(error, SyntaxError) and error.lineno:
        where = f"line {error.lineno}"
    return {"raised": type(error).__name__[:_MOST_NAME], "says": said, "where": where}


def _python(text: str) -> str:
    """A cell as Python: magics, shell commands and questions by IPython's own rules."""
    try:
        compile(text, "", "exec", _FLAGS | ast.PyCF_ONLY_AST)
    except SyntaxError:
        # It is loaded for these cells only: that takes as long as all else together.
        with suppress(ImportError, RuntimeError):
            from IPython.core.inputtransformer2 import TransformerManager  # noqa: PLC0415

            manager: Any = TransformerManager
            return str(manager().transform_cell(text))
    return text


def stand_in(runner: Runner) -> types.ModuleType:
    """What ``dt.course`` is in a learner's process."""

    def ask(about: str, *, answer: Any = None, **_: Any) -> AskedCard:
        return AskedCard(about, answer)

    def exam(*_: Any, answers: Any = None, **__: Any) -> AskedCard:
        return AskedCard(EXAM, answers)

    def nothing(*_: Any, **__: Any) -> None:
        """Neither a verdict nor a hint: the judge is somewhere else."""

    course = types.ModuleType("dtree_lab.course", "Without answers: another process judges.")
    vars(course).update(ask=ask, exam=exam, data=runner.data, exercises=lambda *_: [])
    for name in (*_SAY, "another", "warm_up", "wrap_up"):
        setattr(course, name, nothing)
    return course


def keep_labs() -> None:
    """Put labs that are made late in the place of this library's."""
    library = sys.modules["dtree_lab"]
    for name, home in library._HOME.items():  # noqa: SLF001 - the list of what people call
        if home.startswith("dtree_lab.labs.") and home.endswith(".widget"):
            vars(library)[name] = _kept(name, home)


def _kept(name: str, home: str) -> Callable[..., KeptLab]:
    def lab(*given: Any, **named: Any) -> KeptLab:
        return KeptLab(lambda: getattr(importlib.import_module(home), name), given, named)

    return lab


def limited(bytes_: int, seconds: int, processes: int, file_bytes: int, user: int) -> None:
    """Take limits that cannot be raised again, and the rights of nobody where that is possible.

    Memory is that of a process, time the processor's, `file_bytes` how long a file may get; threads
    count as processes. A `user` of 0 keeps the rights that there are.
    """
    import resource  # noqa: PLC0415 - there is none on Windows

    for what, most in (
        (resource.RLIMIT_AS, bytes_),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, file_bytes),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 64),
        (getattr(resource, "RLIMIT_NPROC", resource.RLIMIT_CORE), processes),
    ):
        if most or what == resource.RLIMIT_CORE:
            hard = resource.getrlimit(what)[1]
            least = most if hard < 0 else min(most, hard)
            with suppress(ValueError, OSError):  # macOS knows some only by name
                resource.setrlimit(what, (least, least))
    if user:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)


def main() -> None:
    """Take the limits, and serve on what were the standard streams."""
    first = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    sys.stdin, sys.stdout = io.StringIO(), io.StringIO()
    *limits, place, heard, said = sys.argv[1:]
    limited(*map(int, limits))
    folder = Path(place)
    folder.mkdir(parents=True, exist_ok=True)
    os.chdir(folder)
    sys.path.insert(0, "")
    sys.argv = [""]
    random.seed(0)
    keep_labs()
    second = int(heard), int(said)
    speaking = os.getpid()
    copy = not os.fork()
    for one in first if copy else second:
        os.close(one)
    heard_there, said_there = second if copy else first
    runner = Runner(os.fdopen(heard_there, "rb"), os.fdopen(said_there, "wb"))
    if copy:  # until a line comes that asks for it; where the first ends, all ends
        if not runner.requests.readline():
            return
        os.kill(speaking, signal.SIGSTOP)
    sys.modules["dtree_lab.course"] = stand_in(runner)
    sys.modules["__main__"] = runner.module
    runner.serve()


if __name__ == "__main__":
    main()
