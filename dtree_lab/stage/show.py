"""A lecture as it goes: which scene, how much of it, and the lab on it.

One key goes on and one goes back. Every moment that was shown is kept with the text that brings it
back, so that going back needs no kernel, and a new kernel goes on from where the old one stood.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dtree_lab.stage.acts import ANSWERED, ASKED, Act
from dtree_lab.stage.lecture import Lecture, LectureScene
from dtree_lab.stage.link import KernelGoneError, KernelLink
from dtree_lab.stage.opening import Moment
from dtree_lab.stage.votes import MOST_HANDS, MOST_ROUNDS, Round, Vote

SAVED = 1  # the version of what is saved


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
    # How many steps the lab of a scene has, where that is known.
    ends: dict[int, int] = field(default_factory=dict)
    # How far each scene has been shown: where going back comes to.
    reached: dict[int, int] = field(default_factory=dict)
    votes: dict[int, Vote] = field(default_factory=dict)  # on each scene's question
    problem: str = ""  # what only the lecturer is told
    alive: bool = False  # whether there is a kernel
    _held: tuple[int, int] | None = None
    _fatal: tuple[int, int] | None = None  # where a kernel ended while it was asked

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
    def asked(self) -> int:
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
        """The vote on the scene's question."""
        question = self.here.question
        if question is None:
            return None
        return self.votes.setdefault(self.scene, Vote.on(len(question.options)))

    @property
    def takes_votes(self) -> bool:
        """Whether the question is on the screen, and its vote is open."""
        question = self.here.question
        if question is None or not self.has_come(question) or self.asked != ASKED:
            return False
        return self.vote is not None and self.vote.is_open

    @property
    def next_step(self) -> int:
        """The step that the next key leads to: where nobody has voted, no counts are shown."""
        passes = self.turn is self.here.question and self.asked == ASKED
        return self.step + (2 if passes and self.vote and not self.vote.total else 1)

    @property
    def ballot(self) -> int | None:
        """The number of the vote that is open: each vote of a lecture has its own."""
        if self.vote is None or not self.takes_votes:
            return None
        return self.scene * MOST_ROUNDS + len(self.vote.rounds)

    def tapped(self, device: str, option: int) -> None:
        """Count the vote of a device; where none is open, nothing changes."""
        if self.vote is not None and self.takes_votes:
            self.votes[self.scene] = self.vote.tapped(device, option)

    # -- keys --------------------------------------------------------------------------------------

    async def enter(self, scene: int, step: int = 0) -> None:
        """Show a scene."""
        self.scene, self.step = scene, step
        self._close_vote()  # where one comes back to an answer that was seen
        await self._prepared()
        self._has_come()

    async def on(self) -> None:
        """Show the next thing; where that takes a kernel and there is none, by a new one."""
        had_kernel, place = self.alive, (self.scene, self.step)
        try:
            try:
                await self._on()
            except KernelGoneError:
                if had_kernel:
                    raise
                await self.revive()
                if (self.scene, self.step) == place:
                    await self._on()
        except KernelGoneError:
            # What has ended two kernels is not tried again: the next key leads past it.
            if self._fatal == (self.scene, self.moment):
                self.ends[self.scene] = self.moment
            self._fatal = self.scene, self.moment
            raise

    async def _on(self) -> None:
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
        await self._hold(self.scene, self.moment)
        answer = await self.kernel.ask({"do": "act", "message": message})
        self._keep(self.scene, self.moment, answer)
        self._forget(self.moment)
        self.reached[self.scene] = self.step

    async def second_vote(self) -> None:
        """After a discussion, the class votes again."""
        question = self.here.question
        if question is None or self.vote is None or not self.has_come(question):
            return
        self.votes[self.scene] = self.vote.again()
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
        if self.vote and self.asked > ASKED:
            self.votes[self.scene] = self.vote.closed()

    # -- labs --------------------------------------------------------------------------------------

    async def _lab_goes_on(self) -> bool:
        k = self.moment
        if self.ends.get(self.scene) == k:
            return False
        if (self.scene, k + 1) in self.moments:
            return True
        try:
            await self._hold(self.scene, k)
        except ValueError as error:
            answer = {"problem": f"{error}"}
        else:
            answer = await self.kernel.ask({"do": "on", "step": k})
        if answer.get("ended") or answer.get("problem"):
            self.ends[self.scene] = k
            self.problem = answer.get("problem", "")
            return False
        self._keep(self.scene, k + 1, answer)
        return True

    async def _prepared(self) -> None:
        """Have what the scene's lab shows at this step, from the beginning if need be."""
        if not self.here.lab or self.shown:
            return
        scene, wanted = self.scene, self.moment
        known = [k for i, k in self.moments if i == scene and k <= wanted]
        for k in range(max(known, default=-1), wanted):
            if k < 0:
                answer = await self.kernel.ask(_opening(scene))
            else:
                await self._hold(scene, k)
                answer = await self.kernel.ask({"do": "on", "step": k})
            if answer.get("ended") or "told" not in answer:
                self.problem = answer.get("problem", "")
                self.step -= wanted - max(k, 0)
                return
            self._keep(scene, k + 1, answer)

    async def _hold(self, scene: int, moment: int) -> None:
        """Have the kernel hold a lab as it was at a moment."""
        if self._held == (scene, moment):
            return
        shown = self.moments.get((scene, moment))
        self._held = None
        asked = _opening(scene, shown)
        answer = await self.kernel.ask(asked)
        lost = shown is not None and "told" not in answer
        if lost:
            answer = await self._pressed_again(scene, moment)
        if "told" not in answer:
            msg = f"This scene's lab cannot be opened again: {answer.get('problem', '')}"
            raise ValueError(msg)
        self._held = (scene, moment)
        if lost and shown and answer["state"] != shown.state:
            self._keep(scene, moment, answer)
            self.problem = "Its keys were pressed anew; what was done by hand in this lab is lost."

    async def _pressed_again(self, scene: int, moment: int) -> dict[str, Any]:
        """Open a lab that takes no state as at first, and do what its keys did."""
        answer = await self.kernel.ask(_opening(scene))
        for k in range(moment):
            if answer.get("problem"):
                break
            answer = await self.kernel.ask({"do": "on", "step": k})
        return answer

    def _keep(self, scene: int, moment: int, answer: dict[str, Any]) -> None:
        if "told" in answer:
            self.moments[scene, moment] = _moment(answer)
            self._held = (scene, moment)
        self.problem = answer.get("problem", "")

    @property
    def following(self) -> Show | None:
        """What the next key will show to the class; None after the last scene."""
        place = self.scene, self.next_step
        if self.turn is None and not self._may_go_on:
            place = self.scene + 1, 0
        return self.at(*place) if place[0] < len(self.lecture.scenes) else None

    def at(self, scene: int, step: int) -> Show:
        """What is shown elsewhere, as far as its lab is known."""
        moments = {at: one for at, one in self.ahead.items() if one} | self.moments
        known = {"moments": moments, "votes": dict(self.votes)}
        coming = Show(self.lecture, self.kernel, self.changed, scene, step, **known)  # type: ignore[arg-type]
        coming._close_vote()
        return coming

    @property
    def _may_go_on(self) -> bool:
        """Whether the scene's lab has a next step, as far as that is known."""
        at = self.scene, self.moment + 1
        ended = self.ends.get(self.scene) == self.moment or self.ahead.get(at, self) is None
        return self.here.lab is not None and not (ended and at not in self.moments)

    async def look_ahead(self) -> bool:
        """Have what comes next in labs already; whether there is something new to be seen."""
        coming = self.following
        if coming is None or not coming.here.lab or coming.shown or not self.alive:
            return False
        at, now = (coming.scene, coming.moment), self.shown
        # What a lab is working at is not stopped.
        if at in self.ahead or (now and re.search(r'"progress":\d', now.told)):
            return False
        self.ahead[at] = None  # what ends a kernel is not tried a second time
        if coming.scene != self.scene:
            answer = await self.kernel.ask({"do": "ahead", "scene": coming.scene})
        elif self._held == (self.scene, self.moment) and self.turn is None:
            answer = await self.kernel.ask({"do": "glimpse", "step": self.moment})
        else:
            return False
        if "told" not in answer or answer.get("problem"):
            # Where the lab ends, the next scene comes.
            return coming.scene == self.scene and await self.look_ahead()
        self.ahead[at] = _moment(answer)
        return True

    def heard(self, told: dict[str, Any]) -> None:
        """A lab has worked on by itself."""
        if self._held is None:
            return
        known = self.moments.get(self._held)
        # What a new kernel works out again has been shown already, to its end.
        if known and known.state == told["state"] and json.loads(known.told)["progress"] is None:
            return
        self._keep(*self._held, told)
        self.changed()

    # -- the kernel --------------------------------------------------------------------------------

    async def revive(self) -> None:
        """Start a new kernel, and have it hold what is shown."""
        self._held = None
        await self.kernel.start()
        self.alive, self.problem = True, ""
        if self.shown:
            await self._hold(self.scene, self.moment)
        else:
            await self._prepared()

    def gone(self) -> None:
        """The kernel has ended: what was shown stays."""
        self.alive, self._held = False, None
        self.changed()

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
        }

    async def restore(self, saved: dict[str, Any]) -> bool:
        """Go on where another time was left; False, with nothing changed, if that is damaged."""
        try:
            votes = _votes(saved["votes"], self.lecture)
            scene, step, lab = int(saved["scene"]), int(saved["step"]), saved["lab"]
            reached = {int(i): int(k) for i, k in saved["reached"].items()}
            known = saved["saved"] == SAVED and 0 <= scene < len(self.lecture.scenes) and step >= 0
            left = (
                None if lab is None else Moment("", str(lab[0]), int(lab[1]), *map(dict, lab[2:3]))
            )
        except (AttributeError, IndexError, KeyError, TypeError, ValueError):
            return False
        if not known:
            return False
        self.votes, self.reached = votes, reached
        self.scene = scene
        self.step = step if self.here.lab else min(step, self.here.keys)
        if self.here.lab and lab is not None:
            answer = await self.kernel.ask(_opening(scene, left))
            self._keep(scene, self.moment, answer)
        await self._prepared()
        return True


def _votes(saved: dict[str, Any], lecture: Lecture) -> dict[int, Vote]:
    """Votes as they were saved, closed; those on a question that has other options now are left."""
    found = {}
    for place, rounds in saved.items():
        i = int(place)
        question = lecture.scenes[i].question if 0 <= i < len(lecture.scenes) else None
        options = len(question.options) if question else 0
        if rounds and all(_fits(one, options) for one in rounds[:MOST_ROUNDS]):
            made = [Round(tuple(hands), dict(phones)) for hands, phones in rounds[:MOST_ROUNDS]]
            found[i] = Vote(tuple(made), is_open=False)
    return found


def _fits(saved: Any, options: int) -> bool:
    hands, phones = saved
    counts = len(hands) == options and all(0 <= one <= MOST_HANDS for one in hands)
    return counts and all(one in range(options) for one in phones.values())


def _moment(answer: Mapping[str, Any]) -> Moment:
    return Moment(answer["told"], answer["state"], answer["stage"], answer.get("axes", {}))


def _opening(scene: int, at: Moment | None = None) -> dict[str, Any]:
    more = {"state": at.state, "stage": at.stage, "axes": at.axes} if at else {}
    return {"do": "open", "scene": scene, "state": "", "stage": 0, **more}
