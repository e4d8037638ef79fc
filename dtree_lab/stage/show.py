"""A lecture as it goes: which scene, how much of it, and the lab on it.

One key goes on and one goes back. Every moment that was shown is kept with the text that brings it
back, so that going back needs no kernel, and a new kernel goes on from where the old one stood.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from dtree_lab.stage.acts import ANSWERED, ASKED, Act, ClassQuestion
from dtree_lab.stage.answers import MOST_ANSWERS
from dtree_lab.stage.lecture import Lecture, LectureScene
from dtree_lab.stage.link import KernelGoneError, KernelLink
from dtree_lab.stage.opening import Moment
from dtree_lab.stage.votes import MOST_HANDS, MOST_ROUNDS, Round, Vote

A = TypeVar("A")
SAVED = 1  # the version of what is saved
# Seconds for an answer of a kernel, before it is taken for one that hangs: where what it shows is
# known from a rehearsal, and where it is not.
QUICK, PATIENT = 5.0, 30.0
RECORDED = "The lab did not answer: this is the picture of the rehearsal."
PASSED = "What the key does in this lab has ended two kernels: it is passed over."
LOST = "What was done has ended two kernels. The picture is that of before."


@dataclass
class Show:
    """Where a lecture stands, and what was shown."""

    lecture: Lecture
    kernel: KernelLink
    changed: Callable[[], None]  # called when something is to be shown anew
    scene: int = 0  # which one
    step: int = 0  # how many keys it has been given
    # What each scene's lab showed after each of its own steps.
    moments: dict[tuple[int, int], Moment] = field(default_factory=dict)
    # What labs will show, by scene and step, where the lecturer has seen it before the class; None
    # where that was tried and failed, or there is nothing more.
    ahead: dict[tuple[int, int], Moment | None] = field(default_factory=dict)
    # What labs showed in a rehearsal, by scene and step: the last resort.
    record: dict[tuple[int, int], Moment] = field(default_factory=dict)
    # How many steps the lab of a scene has, where that is known.
    ends: dict[int, int] = field(default_factory=dict)
    # How far each scene has been shown: where going back comes to.
    reached: dict[int, int] = field(default_factory=dict)
    votes: dict[int, Vote] = field(default_factory=dict)  # on each scene's question
    questions: dict[int, ClassQuestion] = field(default_factory=dict)  # as labs have them
    problem: str = ""  # what only the lecturer is told
    alive: bool = False  # whether there is a kernel
    _held: tuple[int, int] | None = None

    # -- where it stands ---------------------------------------------------------------------------

    @property
    def here(self) -> LectureScene:
        """The scene that is shown."""
        return self.lecture.scenes[self.scene]

    def has_come(self, act: Act) -> bool:
        """Whether the acts before one of the scene's have had their keys."""
        return self.step >= self.here.before(act)

    def keys(self, act: Act | None) -> int:
        """How many keys one of the scene's acts has had."""
        return min(max(self.step - self.here.before(act), 0), len(act.keys)) if act else 0

    @property
    def turn(self) -> Act | None:
        """The act whose key the next one is; None where a lab goes on, or the next scene comes."""
        return next((act for act in self.here.acts if self.keys(act) < len(act.keys)), None)

    @property
    def phase(self) -> int:
        """How the scene's question is shown."""
        return self.keys(self.here.question)

    @property
    def moment(self) -> int:
        """How many steps its lab has taken."""
        return max(self.step - self.here.keys, 0)

    @property
    def shown(self) -> Moment | None:
        """What its lab shows."""
        return self.moments.get((self.scene, self.moment))

    @property
    def vote(self) -> Vote | None:
        """The vote on the scene's question; None while a lab that is to come knows its answers."""
        question = self.question_at(self.scene)
        if question is None or not (question.takes.most or question.takes.IS_FREE):
            return None
        return self.votes.setdefault(self.scene, Vote.on(len(question.takes.options)))

    def question_at(self, scene: int) -> ClassQuestion | None:
        """A scene's question, as its lab has it."""
        question = self.questions.get(scene, self.lecture.scenes[scene].question)
        first = min((k for i, k in self.moments if i == scene), default=None)
        if question is None or question.takes.most or first is None:
            return question
        moment = self.moments[scene, first]
        return self.questions.setdefault(scene, question.within(moment.view, moment.axes))

    @property
    def answers(self) -> list[Any]:
        """What the class has answered, as the scene's lab takes it with a key of its own."""
        question, vote = self.question_at(self.scene), self.vote
        if not (question and vote and self.here.lab and self.here.lab.takes_class):
            return []
        return question.takes.for_lab(vote.sent, vote.rounds[-1].hands)

    @property
    def takes_votes(self) -> bool:
        """Whether the question is on the screen, and its vote is open."""
        question = self.here.question
        if question is None or not self.has_come(question) or self.phase != ASKED:
            return False
        return self.vote is not None and self.vote.is_open

    @property
    def next_step(self) -> int:
        """The step that the next key leads to: where nobody has voted, no counts are shown."""
        passes = self.turn is self.here.question and self.phase == ASKED
        return self.step + (2 if passes and self.vote and not self.vote.total else 1)

    @property
    def ballot(self) -> int | None:
        """The number of the vote that is open: each vote of a lecture has its own."""
        if self.vote is None or not self.takes_votes:
            return None
        return self.scene * MOST_ROUNDS + len(self.vote.rounds)

    def tapped(self, device: str, answer: int | str) -> str:
        """Count the vote of a device, if one is open; what is wrong with a word is told."""
        question, vote = self.question_at(self.scene), self.vote
        if question and vote and self.takes_votes:
            try:
                if isinstance(answer, str):
                    answer = question.takes.word(answer, vote.words)
            except ValueError as error:
                return f"{error}"
            self.votes[self.scene] = vote.tapped(device, answer, question.takes.most)
        return ""

    # -- keys --------------------------------------------------------------------------------------

    async def enter(self, scene: int, step: int = 0) -> None:
        """Show a scene."""
        self.scene, self.step = scene, step
        self._close_vote()  # where one comes back to an answer that was seen
        await self._prepared()
        self._has_come()

    async def on(self) -> None:
        """Show the next thing."""
        if self.step < self.here.keys or (self.here.lab and await self._lab_goes_on()):
            self.step = self.next_step
            self._close_vote()
        elif self.scene + 1 < len(self.lecture.scenes):
            await self.enter(self.scene + 1)
        else:
            self.problem = "This is the end of the lecture."
        self._has_come()

    async def back(self) -> None:
        """Show what was shown before."""
        if self.step:
            question = self.here.question
            at_answer = question and self.step == self.here.before(question) + ANSWERED
            self.step -= 2 if at_answer and self.vote and not self.vote.total else 1
            await self._prepared()
        elif self.scene:
            # Not further than the class has seen it: an answer may be among what follows.
            before = self.scene - 1
            await self.enter(before, self.reached.get(before, 0))
        else:
            self.problem = "This is the beginning of the lecture."

    async def jump(self, scene: int) -> None:
        """Show another scene from its beginning, or as it was left."""
        if not 0 <= scene < len(self.lecture.scenes):
            self.problem = f"There are {len(self.lecture.scenes)} scenes."
            return
        await self.enter(scene)

    async def over(self) -> None:
        """Begin the scene anew, its lab as it was at first."""
        self._forget(-1)
        self.reached.pop(self.scene, None)
        self._held = None
        await self.enter(self.scene)

    async def act(self, message: dict[str, Any]) -> None:
        """Do in the lab what a person does by hand."""
        if not self.here.lab:
            return
        answer = await self._asked(self.moment, {"do": "act", "message": message}, None)
        self.problem = answer.get("problem", "" if answer else LOST)
        if self.problem:
            return
        self._keep(self.scene, self.moment, answer)
        if self.takes_votes and self.vote and not self.vote.total:
            # Before anybody has answered, it may be asked about another node.
            self.votes.pop(self.scene)
            self.questions.pop(self.scene, None)
        self._forget(self.moment)
        self.reached[self.scene] = self.step

    async def second_vote(self) -> None:
        """After a discussion, the class votes again."""
        question = self.here.question
        if question is None or self.vote is None or not self.has_come(question):
            return
        self.votes[self.scene] = self.vote.again()
        if self.here.lab and self.here.lab.takes_class:
            self._forget(0)
        self.step = self.here.before(question)

    def _forget(self, moment: int) -> None:
        """What its lab showed, or would, after a moment is not what it will show."""
        for known in (self.moments, self.ahead):
            for at in [at for at in known if at[0] == self.scene and at[1] > moment]:
                del known[at]
        self.ends.pop(self.scene, None)

    def _has_come(self) -> None:
        self.reached[self.scene] = max(self.step, self.reached.get(self.scene, 0))

    def _close_vote(self) -> None:
        if self.vote and self.phase > ASKED:
            self.votes[self.scene] = self.vote.closed()

    # -- labs --------------------------------------------------------------------------------------

    async def _lab_goes_on(self) -> bool:
        k = self.moment
        if self.ends.get(self.scene) == k:
            return False
        if (self.scene, k + 1) in self.moments:
            return True
        answer = await self._asked(k, self._going_on(k), self._rehearsed(k + 1))
        if self._keep(self.scene, k + 1, answer):
            return True
        self.ends[self.scene] = k
        self.problem = "" if answer.get("ended") else answer.get("problem") or PASSED
        return False

    async def _prepared(self) -> None:
        """Have what the scene's lab shows at this step, from the beginning if need be."""
        if not self.here.lab or self.shown:
            return
        scene, wanted = self.scene, self.moment
        known = [k for i, k in self.moments if i == scene and k <= wanted]
        for k in range(max(known, default=-1), wanted):
            asked = self._going_on(k) if k >= 0 else self._opening(scene)
            answer = await self._asked(k, asked, self._rehearsed(k + 1))
            if not self._keep(scene, k + 1, answer):
                self.problem = answer.get("problem", LOST)
                self.step -= wanted - max(k, 0)
                return

    async def _asked(self, moment: int, what: dict[str, Any], known: object) -> dict[str, Any]:
        """What the scene's lab answers as it stands at a moment.

        Where a kernel ends or hangs, or there is none, a new one is asked; nothing is answered
        where that ends, too, and a problem where the lab cannot be opened as it stood. What is
        known from a rehearsal is not waited for as long, and once.
        """
        scene = self.scene

        async def ask() -> dict[str, Any]:
            if moment >= 0:
                await self._hold(scene, moment)
            return await self.kernel.ask(what)

        for _ in range(1 if known and self.alive else 2):
            try:
                if not self.alive:
                    await self.kernel.start()
                    self.alive = True
                return await self._in_time(ask(), known)
            except KernelGoneError:
                self.alive = False
            except ValueError as error:
                return {"problem": f"{error}"}
        return {}

    async def _in_time(self, answer: Awaitable[A], known: object) -> A:
        """An answer; a kernel that gives none is ended, if it has not ended."""
        try:
            async with asyncio.timeout(QUICK if known else PATIENT):
                return await answer
        except (KernelGoneError, TimeoutError) as error:
            self.alive, self._held = False, None
            await self.kernel.stop()
            raise KernelGoneError from error

    def _rehearsed(self, moment: int) -> Moment | None:
        """What the scene's lab showed in a rehearsal, unless something was done in it by hand."""
        before = self.scene, moment - 1
        shown, then = self.moments.get(before), self.record.get(before)
        by_hand = shown and then and shown.state != then.state
        return None if by_hand or self.answers else self.record.get((self.scene, moment))

    async def _hold(self, scene: int, moment: int) -> None:
        """Have the kernel hold a lab as it was at a moment."""
        if self._held == (scene, moment):
            return
        shown = self.moments.get((scene, moment))
        self._held = None
        asked = self._opening(scene, shown)
        answer = await self.kernel.ask(asked)
        lost = shown is not None and "view" not in answer
        if lost:
            answer = await self._pressed_again(scene, moment)
        if "view" not in answer:
            msg = f"This scene's lab cannot be opened again: {answer.get('problem', '')}"
            raise ValueError(msg)
        self._held = (scene, moment)
        if lost and shown and answer["state"] != shown.state:
            self._keep(scene, moment, answer)
            self.problem = "Its keys were pressed anew; what was done by hand in this lab is lost."

    async def _pressed_again(self, scene: int, moment: int) -> dict[str, Any]:
        """Open a lab that takes no state as at first, and do what its keys did."""
        answer = await self.kernel.ask(self._opening(scene))
        for k in range(moment):
            if answer.get("problem"):
                break
            answer = await self.kernel.ask(self._going_on(k))
        return answer

    def _going_on(self, step: int, do: str = "on") -> dict[str, Any]:
        """What does a lab's step, or gives a glimpse of it."""
        answers = self.answers
        return {"do": do, "step": step, **({"answers": answers} if answers else {})}

    def _opening(self, scene: int, at: Moment | None = None) -> dict[str, Any]:
        """What opens a lab as at a moment, or at first, over the axes of all of its keys."""
        state, stage = (at.state, at.stage) if at else ("", 0)
        first = at or self.record.get((scene, 0))
        axes = first.axes if first else {}
        return {"do": "open", "scene": scene, "state": state, "stage": stage, "axes": axes}

    def _keep(self, scene: int, moment: int, answer: dict[str, Any]) -> bool:
        """Keep what a lab has answered, else what it showed in a rehearsal; whether it is any."""
        at = scene, moment
        if "view" in answer and not (answer.get("ended") or answer.get("problem")):
            self.moments[at], self._held, self.problem = _moment(answer), at, ""
        elif not (answer.get("ended") or self.answers) and at in self.record:
            self.moments[at], self.problem = self.record[at], answer.get("problem") or RECORDED
        else:
            return False
        return True

    @property
    def following(self) -> Show | None:
        """What the next key will show to the class; None after the last scene."""
        place = self.scene, self.next_step
        if self.turn is None and not self._may_go_on:
            place = self.scene + 1, 0
        return self.at(*place) if place[0] < len(self.lecture.scenes) else None

    def at(self, scene: int, step: int, *, rehearsed: bool = False) -> Show:
        """What is shown elsewhere, as far as its lab is known."""
        ahead = {at: one for at, one in self.ahead.items() if one}
        moments = (self.record if rehearsed else {}) | ahead | self.moments
        known = {"moments": moments, "votes": dict(self.votes), "questions": dict(self.questions)}
        coming = Show(self.lecture, self.kernel, self.changed, scene, step, **known)  # type: ignore[arg-type]
        coming._close_vote()
        return coming

    @property
    def _may_go_on(self) -> bool:
        """Whether the scene's lab has a next step, as far as that is known."""
        at = self.scene, self.moment + 1
        ended = self.ends.get(self.scene) == self.moment or self.ahead.get(at, self) is None
        return self.here.lab is not None and not (ended and at not in self.moments)

    @property
    def _works(self) -> bool:
        """Whether the lab is at work by itself."""
        return bool(self.shown and self.shown.works)

    async def look_ahead(self) -> bool:
        """Have what comes next in labs already; whether there is something new to be seen."""
        coming = self.following
        if coming is None or not coming.here.lab or coming.shown or not self.alive:
            return False
        at = coming.scene, coming.moment
        # What a lab is working at is not stopped.
        if at in self.ahead or self._works:
            return False
        self.ahead[at] = None  # what ends a kernel is not tried a second time
        if coming.scene != self.scene:
            asked = {**self._opening(coming.scene), "do": "ahead"}
            asking = self.kernel.ask(asked)
        elif self._held == (self.scene, self.moment) and self.turn is None:
            asking = self.kernel.ask(self._going_on(self.moment, "glimpse"))
        else:
            return False
        answer = await self._in_time(asking, coming.moment and at in self.record)
        if "view" not in answer or answer.get("problem"):
            # Where the lab ends, the next scene comes.
            return coming.scene == self.scene and await self.look_ahead()
        self.ahead[at] = _moment(answer)
        return True

    def rehearsed(self, message: dict[str, Any]) -> None:
        """A lab has shown something in a rehearsal."""
        self.record[tuple(message["of"])] = _moment(message)

    def heard(self, message: dict[str, Any]) -> None:
        """A lab has worked on by itself."""
        if self._held is None:
            return
        known = self.moments.get(self._held)
        # What a new kernel works out again has been shown already, to its end.
        if known and known.state == message["state"] and not known.works:
            return
        self._keep(*self._held, message)
        self.changed()

    # -- the kernel --------------------------------------------------------------------------------

    async def revive(self) -> None:
        """Start a new kernel, and have it hold what is shown; nothing, if that ends it.

        KernelGoneError where none begins.
        """
        await self.kernel.start()
        self.alive, self._held = True, None
        if self.shown:
            known = self.record.get((self.scene, self.moment))
            answer = await self._asked(self.moment, {"do": "nothing"}, known)
            self.problem = answer.get("problem", self.problem)
        else:
            await self._prepared()
        if not self.alive:
            await self.kernel.start()
            self.alive = True

    async def still_answers(self) -> None:
        """End a kernel that does not answer although it has nothing to do."""
        if self.alive and not self._works:
            await self._in_time(self.kernel.ask({"do": "nothing"}), known=True)

    def gone(self) -> None:
        """The kernel has ended: what was shown stays."""
        self.alive, self._held = False, None
        self.changed()

    async def renew(self, lecture: Lecture, scene: int) -> None:
        """Show a lecture as it was written anew, at one of its scenes."""
        step = self.step if scene == self.scene else 0
        for known in (self.moments, self.ahead, self.record, self.ends, self.reached, self.votes):
            known.clear()
        self.questions.clear()
        self.lecture = self.kernel.lecture = lecture
        self.alive, self._held, self.problem = False, None, ""
        here = lecture.scenes[scene]
        await self.enter(scene, step if here.lab else min(step, here.keys))

    # -- saving ------------------------------------------------------------------------------------

    def saved(self) -> dict[str, Any]:
        """All that brings the lecture back, as plain values."""
        moment = self.shown
        votes = {
            str(i): [[list(one.hands), one.phones] for one in vote.rounds]
            for i, vote in self.votes.items()
        }
        return {
            "saved": SAVED,
            "scene": self.scene,
            "step": self.step,
            "reached": {str(i): step for i, step in self.reached.items()},
            "lab": None if moment is None else [moment.state, moment.stage, moment.axes],
            "votes": votes,
            "hidden": {str(i): sorted(vote.hidden) for i, vote in self.votes.items()},
        }

    async def restore(self, saved: dict[str, Any]) -> bool:
        """Go on where another time was left; False, with nothing changed, if that is damaged."""
        try:
            votes = _votes(saved, self.lecture)
            scene, step, lab = int(saved["scene"]), int(saved["step"]), saved["lab"]
            reached = {int(i): int(k) for i, k in saved["reached"].items()}
            known = saved["saved"] == SAVED and 0 <= scene < len(self.lecture.scenes) and step >= 0
            left = None if lab is None else Moment("", str(lab[0]), int(lab[1]), dict(*lab[2:3]))
        except (AttributeError, IndexError, KeyError, TypeError, ValueError):
            return False
        if not known:
            return False
        self.votes, self.reached = votes, reached
        self.scene = scene
        self.step = step if self.here.lab else min(step, self.here.keys)
        if self.here.lab and lab is not None:
            answer = await self._asked(-1, self._opening(scene, left), None)
            self._keep(scene, self.moment, answer)
        await self._prepared()
        return True


def _votes(saved: dict[str, Any], lecture: Lecture) -> dict[int, Vote]:
    """Votes as they were saved, closed; those on a question that has other options now are left."""
    found, hidden = {}, saved.get("hidden", {})
    for place, rounds in saved["votes"].items():
        i = int(place)
        question = lecture.scenes[i].question if 0 <= i < len(lecture.scenes) else None
        options = len(question.takes.options) if question else 0
        if question and question.takes.about and rounds:
            options = len(rounds[0][0])  # which its lab knows, that is not open yet
        free = bool(question and question.takes.IS_FREE)
        if question and rounds and all(_fits(one, options, free) for one in rounds[:MOST_ROUNDS]):
            made = [Round(tuple(hands), dict(phones)) for hands, phones in rounds[:MOST_ROUNDS]]
            found[i] = Vote(tuple(made), is_open=False, hidden=frozenset(hidden.get(place, ())))
    return found


def _fits(saved: Any, options: int, free: bool) -> bool:  # noqa: FBT001 - as its question is
    hands, phones = saved[0], saved[1].values()
    counts = len(hands) == options and all(0 <= one <= MOST_HANDS for one in hands)
    most = options or MOST_ANSWERS
    are = (type(v) is str if free else type(v) is int and 0 <= v < most for v in phones)
    return counts and all(are)


def _moment(answer: Mapping[str, Any]) -> Moment:
    fields = {name: answer[name] for name in ("axes", "works") if name in answer}
    return Moment(answer["view"], answer["state"], answer["stage"], **fields)
