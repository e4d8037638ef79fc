"""A lecture goes on and back: against a plain list of what there is to see."""

from __future__ import annotations

import asyncio
import json
import re

from hypothesis import given
from hypothesis import strategies as st

from dtree_lab.stage.telling import told_audience, told_next, told_phone, told_presenter
from stage.talks import LAB_STEPS, RIGHT, a_show

# Of each scene: how many blocks of words, whether there is a question, and how long its lab is.
SCENES = [(2, False, 0), (0, True, 0), (2, True, LAB_STEPS[2]), (1, False, LAB_STEPS[3])]
ACTS = st.one_of(
    st.sampled_from(["on", "on", "on", "back", "over"]),
    st.tuples(st.just("jump"), st.integers(-1, 5)),
    st.tuples(st.just("tap"), st.sampled_from("abc"), st.integers(-1, 3)),
)


class PlainTalk:
    """All that a lecture can show, as lists, and a place in it."""

    def __init__(self):
        self.scene, self.at = 0, ("words", 1)
        self.seen = {i: {} for i in range(len(SCENES))}
        self.votes, self.closed = [0, set(), set(), 0], set()
        self.see()

    def stops(self, scene):
        words, asks, lab = SCENES[scene]
        found = [("words", n + 1) for n in range(max(words, 1))]
        if asks:
            found += [("counted", 0)] if self.votes[scene] else []
            found += [("answered", 0)]
        return found + [("lab", n + 1) for n in range(lab)]

    def see(self):
        self.seen[self.scene][self.at] = None
        if self.at[0] in ("counted", "answered", "lab"):
            self.closed.add(self.scene)

    def do(self, act):
        stops = self.stops(self.scene)
        i = stops.index(self.at)
        if act == "on" and i + 1 < len(stops):
            self.at = stops[i + 1]
        elif act == "on" and self.scene + 1 < len(SCENES):
            self.scene, self.at = self.scene + 1, ("words", 1)
        elif act == "back" and i:
            self.at = stops[i - 1]
        elif act == "back" and self.scene:
            self.scene -= 1
            seen = self.seen[self.scene] or {("words", 1): None}
            self.at = max(seen, key=self.stops(self.scene).index)
        elif act == "over":
            self.seen[self.scene], self.at = {}, ("words", 1)
        elif act[0] == "jump" and 0 <= act[1] < len(SCENES):
            self.scene, self.at = act[1], ("words", 1)
        elif act[0] == "tap":
            self.tap(act[1], act[2])
        self.see()

    def tap(self, device, option):
        words, asks, _ = SCENES[self.scene]
        at_question = asks and self.at == ("words", max(words, 1))
        if at_question and self.scene not in self.closed and 0 <= option < 4 - self.scene:
            self.votes[self.scene].add(device)


def shown(show):
    """What there is to be seen, in the plain list's words."""
    told = told_audience(show)
    ask = told["ask"] or {}
    if show.here.lab and told["told"] != f"lab {show.scene}:0":
        return show.scene, ("lab", int(told["told"].partition(":")[2]))
    for name, key in (("answered", "right"), ("counted", "votes")):
        if key in ask:
            return show.scene, (name, 0)
    return show.scene, ("words", max(len(told["words"]), 1))


async def do(show, act):
    match act:
        case ("jump", scene):
            await show.jump(scene)
        case ("tap", device, option):
            show.tapped(device, option)
        case name:
            await getattr(show, name)()


@given(st.lists(ACTS, max_size=40))
def test_any_keys_lead_where_a_list_of_all_pictures_says(acts):
    async def run():
        show, plain = a_show(), PlainTalk()
        await show.enter(0)
        for act in acts:
            await do(show, act)
            plain.do(act)
            assert shown(show) == (plain.scene, plain.at), act
            assert 0 <= show.scene < len(SCENES)
            assert show.step >= 0
        for scene in (1, 2):
            assert show.votes.get(scene) is None or show.votes[scene].total == len(
                plain.votes[scene]
            )

    asyncio.run(run())


@given(st.lists(ACTS, max_size=25))
def test_on_and_back_is_the_same_picture(acts):
    async def run():
        show = a_show()
        await show.enter(0)
        for act in acts:
            await do(show, act)
        before, place = picture(show), (show.scene, show.step)
        await show.on()
        if (show.scene, show.step) != place:  # at the end there is nothing more to show
            await show.back()
        assert picture(show) == before

    asyncio.run(run())


def picture(show):
    """What is seen, but for how many have voted while a vote is open: on closes it."""
    told = told_audience(show)
    if told["ask"]:
        told["ask"].pop("voted")
    return json.dumps(told)


@given(st.lists(ACTS | st.just("second_vote"), max_size=40))
def test_no_answer_and_no_counts_are_sent_before_they_are_revealed(acts):
    async def run():
        show = a_show()
        await show.enter(0)
        for act in acts:
            await do(show, act)
            told = json.dumps(told_audience(show))
            phone = json.dumps(told_phone(show, "a"))
            is_open = show.takes_votes
            if show.here.question is None or show.phase < 2:
                assert "right" not in told
                assert "because" not in told
                assert RIGHT not in told
            if is_open:
                assert '"votes"' not in told
            if show.phase < 2:
                assert "right" not in phone
                assert RIGHT not in phone
            assert '"votes"' not in phone
            assert (json.loads(phone)["ballot"] is None) == (not is_open)
            # What words hold back holds the question back, on phones too.
            if show.here.question and not show.has_come(show.here.question):
                assert json.loads(told)["ask"] is None
                assert not is_open

    asyncio.run(run())


def test_a_second_vote_stands_beside_the_first_and_hides_it_while_it_is_open():
    async def run():
        show = a_show()
        await show.jump(1)
        show.tapped("a", 0)
        show.tapped("b", 2)
        first = show.ballot
        await show.on()
        assert told_audience(show)["ask"]["votes"] == [(1, 0, 1)]
        assert show.ballot is None
        show.tapped("c", 1)  # too late
        await show.second_vote()
        ask = told_audience(show)["ask"]
        assert "votes" not in ask
        assert (ask["voted"], ask["round"]) == (0, 2)
        assert told_phone(show, "a")["chosen"] is None
        assert show.ballot not in (None, first)
        show.tapped("a", 2)
        assert told_phone(show, "a")["chosen"] == 2
        assert told_presenter(show)["votes"] == [(1, 0, 1), (0, 0, 1)]
        await show.on()
        assert told_audience(show)["ask"]["votes"] == [(1, 0, 1), (0, 0, 1)]
        await show.on()
        assert told_audience(show)["ask"]["right"] == [2]

    asyncio.run(run())


def test_going_back_to_a_scene_that_was_jumped_over_does_not_show_its_answer():
    async def run():
        show = a_show()
        await show.jump(3)
        await show.back()
        assert (show.scene, show.step) == (2, 0)
        assert told_audience(show)["ask"] is None

    asyncio.run(run())


def test_where_the_answer_was_seen_again_no_vote_is_open():
    async def run():
        show = a_show()
        await show.jump(1)
        show.tapped("a", 0)
        await show.on()
        await show.on()
        await show.second_vote()
        assert show.takes_votes
        await show.jump(2)
        await show.back()
        assert "right" in told_audience(show)["ask"]
        while show.step:
            await show.back()
        assert not show.takes_votes
        show.tapped("a", 2)
        assert sum(show.votes[1].rounds[-1].counts) == 0

    asyncio.run(run())


def test_what_was_done_by_hand_is_there_after_on_and_back():
    async def run():
        show = a_show()
        await show.jump(3)
        await show.on()
        await show.act({"do": "anything"})
        assert show.shown.view == "lab 3:1!"
        await show.on()
        await show.back()
        assert show.shown.view == "lab 3:1!"
        await show.over()
        assert show.shown.view == "lab 3:0"

    asyncio.run(run())


def test_a_saved_lecture_comes_back():
    async def run():
        show = a_show()
        await show.jump(1)
        show.tapped("a", 2)
        await show.on()
        await show.jump(3)
        await show.on()
        await show.act({"do": "anything"})
        saved = json.loads(json.dumps(show.saved()))
        other = a_show()
        assert await other.restore(saved)
        assert told_audience(other) == told_audience(show)
        assert other.votes[1].rounds == show.votes[1].rounds
        assert not other.votes[1].is_open
        assert other.saved() == show.saved()

    asyncio.run(run())


def test_what_cannot_be_read_changes_nothing():
    show = a_show()
    good = show.saved()
    for junk in (
        {},
        {**good, "saved": 99},
        {**good, "scene": 77},
        {**good, "scene": "one"},
        {**good, "step": -1},
        {**good, "lab": 7},
        {**good, "lab": []},
        {**good, "votes": {"1": 5}},
        {**good, "votes": {"1": [[["x", "y", "z"], {}]]}},
        {**good, "votes": []},
        {**good, "reached": None},
    ):
        assert not asyncio.run(show.restore(junk)), junk
        assert show.saved() == good, junk


def test_votes_that_no_longer_fit_the_question_are_left_out():
    show = a_show()
    votes = {"1": [[[1, 2], {}]], "2": [[[1, 2], {"a": 1}]], "0": [[[1], {}]], "9": [[[1], {}]]}
    assert asyncio.run(show.restore({**show.saved(), "votes": votes}))
    assert list(show.votes) == [2]
    assert show.votes[2].rounds[0].counts == (1, 3)


class TestWhatComesNext:
    """The lecturer sees what the next key shows to the class, and what it brings."""

    def test_it_is_what_the_class_sees_then(self):
        async def run():
            show = a_show()
            await show.enter(0)
            end = told_next(show), None
            while not show.problem:
                await show.look_ahead()
                seen = told_next(show)
                await show.on()
                assert show.problem or told_audience(show) == seen
            assert end != seen
            assert told_next(show)["words"] == ["<p>The end of the lecture.</p>"]
            assert not await show.look_ahead()

        asyncio.run(run())

    def test_it_changes_nothing_and_is_asked_for_once(self):
        async def run():
            show = a_show()
            await show.enter(1)
            await show.on()
            before = (told_audience(show), show.saved())
            assert await show.look_ahead()
            assert not await show.look_ahead()
            told_next(show)
            assert (told_audience(show), show.saved()) == before
            assert [one["do"] for one in show.kernel.asked] == ["ahead"]

        asyncio.run(run())

    def test_the_next_key_is_said(self):
        async def run():
            show = a_show()
            await show.enter(0)
            said = []
            for _ in range(12):
                said.append((show.scene, told_presenter(show)["key"]))
                if (show.scene, show.step) == (1, 0):
                    show.votes[1] = show.vote.counted(0, 3)
                    said.append((show.scene, told_presenter(show)["key"]))
                await show.on()
            return said

        assert asyncio.run(run()) == [
            (0, "more words"),
            (0, "the next scene"),
            (1, "the answer"),
            (1, "the votes"),
            (1, "the answer"),
            (1, "the next scene"),
            (2, "more words, and the question"),
            (2, "the answer"),
            (2, "the lab goes on"),
            (2, "the lab goes on"),
            (2, "the lab goes on"),
            (3, "the lab goes on"),
            (3, "the lab goes on"),
        ]


def test_what_is_still_to_come_is_told_without_a_letter_of_it():
    async def run():
        show = a_show()
        await show.jump(2)
        told = told_audience(show)
        assert told["ask"] is None
        assert len(told["shapes"]) == 1
        held = [*told["shapes"], told["coming"]["asks"], *told["coming"]["options"]]
        words = re.sub(r"<[^>]*>|\s", "", "".join([*held, told["coming"]["shape"]]))
        assert words
        assert set(words) <= set("Nn0=")
        await show.on()
        told = told_audience(show)
        assert (told["shapes"], told["coming"]) == ([], None)
        assert told["ask"]["asks"]

    asyncio.run(run())
