"""What all labs have in common, by a lab that only counts."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from dataclasses import dataclass, replace

import pytest
from cases import each
from hypothesis import given
from hypothesis import strategies as st

import dtree_lab as dt
from dtree_lab.labs.catalogue import LABS
from dtree_lab.labs.kit.actions import NotPossibleError, Press, Set
from dtree_lab.labs.kit.controls import Slider
from dtree_lab.labs.kit.model import Model, kept_tree
from dtree_lab.labs.kit.parts import Controls, View, Words
from dtree_lab.labs.lab_widget import Lab, settled
from dtree_lab.labs.treebuilder.widget import TreeBuilder

LAST = 3
# Something to do in every lab that its state remembers.
FIRST = {
    "TreeBuilder": [{"do": "best"}],
    "EntropyLab": [{"do": "set", "control": "p", "value": 0.4}],
    "StepThrough": [{"do": "next"}],
    "ThresholdLab": [{"do": "lower"}],
    "PruningLab": [{"do": "next"}],
    "DecisionLab": [{"do": "next"}],
    "ExpressivenessLab": [{"do": "next"}],
    "BiasVarianceLab": [{"do": "set", "control": "depth", "value": 2}],
    "ForestLab": [{"do": "pick", "part": "wall", "row": 3}],
    "PlaneLab": [{"do": "point", "part": "plane", "x": 0.2, "y": 0.3}],
    "Practice": [{"do": "next"}],
}


@dataclass(frozen=True)
class Count:
    """A number, and how far work is to bring it."""

    n: int = 0
    goal: int = 0


def update(state, action):
    match action:
        case Press("next"):
            if state.n >= LAST:
                msg = f"There is nothing above {LAST}."
                raise NotPossibleError(msg)
            return replace(state, n=state.n + 1)
        case Set("n", value):
            return replace(state, n=int(value))
        case Set("goal", value):
            return replace(state, goal=int(value))
        case Set("at", value):
            return Count(int(value), int(value))
        case Press("bug"):
            raise ZeroDivisionError
    msg = "A counter cannot do that."
    raise NotPossibleError(msg)


def work(state):
    if state.n >= state.goal:
        return None

    def steps():
        for n in range(state.n + 1, state.goal + 1):
            yield replace(state, n=n), 0.0

    return steps()


def view(state, stages=2):
    slider = Slider("n", "How many", state.n, 0, 100)
    parts = [
        Controls("counter", "The counter", [slider]),
        *(Words(f"part{i}", [f"{state.n} times {i}"], stage=i) for i in range(1, stages + 1)),
    ]
    done = None if state.n >= state.goal else state.n / state.goal
    return View("Counting", parts, status=f"It is {state.n}.", progress=done)


class Counter(Lab[Count]):
    """A lab that counts; two parts are revealed one after the other."""

    def __init__(self, state=Count(), stages=2):
        model = Model(
            update=update,
            view=lambda shown: view(shown, stages),
            dump=lambda shown: json.dumps([shown.n, shown.goal]),
            work=work,
        )
        super().__init__(model, state)


def press(lab, *keys):
    for key in keys:
        lab.act({"do": key})


def to(lab, control, value, **more):
    lab.act({"do": "set", "control": control, "value": value, **more})


def seen(lab):
    """The number and the stage on the page."""
    return lab.view["parts"][0]["controls"][0]["value"], lab.view["stage"]


@pytest.fixture
def lecture():
    lab = Counter()
    lab.demo = True
    return lab


# -- nothing is lost on the way --------------------------------------------------------------------


def test_of_two_windows_the_slower_takes_no_answer_back():
    lab = Counter()
    lab.act({"do": "next", "n": 7})
    lab.act({"do": "next", "n": 3})
    assert lab.view["answers"] == 7


def test_an_answer_that_was_lost_is_told_again(monkeypatch):
    lab, sent = Counter(), []
    monkeypatch.setattr(lab, "send_state", sent.append)
    lab.act({"do": "next", "n": 7})
    sent.clear()
    lab._received(lab, {"do": "live"}, [])
    assert sent == []
    lab._received(lab, {"do": "live", "n": 7}, [])
    assert sent == [["told", "kept"]]
    assert seen(lab) == (1, 0)
    assert lab.view["answers"] == 7


@each("entry", LABS)
def test_a_lab_goes_on_from_a_state_that_stood_before(entry):
    """In every lab, as `state=` would; what does not fit changes nothing, and says so."""
    lab = entry.opened()
    begun = lab.kept
    for act in FIRST[entry.cls]:
        lab.act(act)
        assert lab.view["problem"] is None
    then = lab.kept
    assert then == lab.state != begun
    fresh = entry.opened()
    fresh.act({"do": "resume", "state": then})
    assert fresh.kept == then
    fresh.act({"do": "resume", "state": "{}"})
    assert fresh.kept == then
    assert fresh.view["problem"].startswith("state must be a text from .state of a")


def test_to_go_on_from_before_can_be_undone():
    lab = dt.EntropyLab()
    begun = lab.state
    lab.act({"do": "set", "control": "p", "value": 0.4})
    fresh = dt.EntropyLab()
    fresh.act({"do": "resume", "state": lab.state})
    press(fresh, "undo")
    assert fresh.state == begun


# -- what was done, undone -------------------------------------------------------------------------

DONE = st.one_of(
    st.just({"do": "next"}),
    st.builds(
        lambda control, value: {"do": "set", "control": control, "value": value},
        st.sampled_from(["n", "at"]),
        st.integers(0, 9),
    ),
)


@given(st.lists(DONE, max_size=12))
def test_all_that_was_done_is_undone_and_done_again(messages):
    """A drag, many actions of one control, is undone at once; what is refused does not count."""
    lab = Counter()
    states, hand = [lab.state], None
    for message in messages:
        lab.act(message)
        if lab.view["problem"]:
            continue
        if hand is not None and hand == message.get("control"):
            states[-1] = lab.state
        else:
            states.append(lab.state)
        hand = message.get("control")
    for state in reversed(states[:-1]):
        assert lab.view["undo"]
        press(lab, "undo")
        assert lab.state == state
        assert lab.view["status"].startswith("Undone. ")
    assert (lab.view["undo"], lab.view["redo"]) == (False, len(states) > 1)
    for state in states[1:]:
        press(lab, "redo")
        assert lab.state == state
    press(lab, "redo")
    assert lab.view["problem"] == "There is nothing to do again."


def test_where_nothing_was_done_nothing_is_undone():
    lab = Counter()
    press(lab, "undo")
    assert lab.view["problem"] == "There is nothing to undo."
    to(lab, "n", 4)
    press(lab, "undo")
    to(lab, "n", 7)  # what was undone is gone
    assert not lab.view["redo"]
    assert lab.state == "[7, 0]"


def test_to_look_at_a_node_is_nothing_to_undo():
    lab = dt.PruningLab()
    lab.act({"do": "select", "part": "tree", "at": "0"})
    assert not lab.view["undo"]


def test_the_tree_builder_keeps_its_own_past():
    lab = TreeBuilder(dt.datasets.tax_fraud())
    assert "undo" not in lab.view
    press(lab, "best", "undo")
    assert lab.tree.n_nodes == 1
    press(lab, "redo")
    assert lab.tree.n_nodes == 4


def test_starting_over_is_undone_and_so_is_what_a_text_remembers():
    lab = dt.PlaneLab()
    lab.act({"do": "point", "part": "plane", "x": 0.2, "y": 0.3})
    to(lab, "depth", 4)
    before = lab.state
    press(lab, "reset")
    assert lab.state != before
    press(lab, "undo")
    assert lab.state == before
    again = dt.PlaneLab(state=before)
    assert again.view["undo"]  # the point that was added
    press(again, "undo")
    assert again.table.n_rows == 150
    assert not again.view["undo"]
    press(again, "redo")
    assert again.state == before


# -- actions, answers and problems -----------------------------------------------------------------


def test_an_action_changes_the_state_and_what_is_shown():
    lab = Counter()
    press(lab, "next")
    assert lab.state == "[1, 0]"
    assert seen(lab) == (1, 0)
    assert lab.view["status"] == "It is 1."
    assert repr(lab) == "Counting. It is shown in a notebook."


def test_a_problem_is_said_until_the_next_action_and_changes_nothing_else():
    lab = Counter()
    assert lab.view["problem"] is None
    press(lab, "nonsense")
    assert lab.view["problem"] == "A counter cannot do that."
    assert seen(lab) == (0, 0)
    press(lab, "next")
    assert lab.view["problem"] is None
    assert seen(lab) == (1, 0)


@pytest.mark.parametrize("message", [None, [], "next", 7, {}, {"do": []}, {"do": "next", "at": 1}])
def test_what_is_no_message_is_a_problem(message):
    lab = Counter()
    lab.act(message)
    assert lab.view["problem"].startswith("The view sent something that cannot be read")
    assert seen(lab) == (0, 0)


def test_the_answer_has_the_number_of_the_message():
    lab = Counter()
    assert lab.view["answers"] == 0
    to(lab, "n", 5, n=7)
    assert (lab.view["answers"], *seen(lab)) == (7, 5, 0)
    lab.act({"do": "nonsense", "n": 8})  # a refusal is an answer too
    assert lab.view["answers"] == 8
    press(lab, "next")  # from Python, without a number
    assert lab.view["answers"] == 8


@pytest.mark.parametrize("n", [True, "7", 7.0, None])
def test_a_number_that_is_none_is_no_number(n):
    lab = Counter()
    lab.act({"do": "next", "n": n})
    assert lab.view["answers"] == 0
    assert lab.view["problem"] is not None


def test_the_browser_s_messages_are_actions_but_its_sign_of_life_is_none():
    lab = Counter()
    lab._handle_custom_msg({"do": "next", "n": 1}, [])
    assert (lab.view["answers"], *seen(lab)) == (1, 1, 0)
    before = lab.told
    lab._handle_custom_msg({"do": "live"}, [])
    assert lab.told is before


def test_a_fault_of_ours_is_raised_and_the_lab_goes_on():
    lab = Counter()
    with pytest.raises(ZeroDivisionError):
        press(lab, "bug")
    press(lab, "next")
    assert seen(lab) == (1, 0)


# -- a lecture -------------------------------------------------------------------------------------


def test_the_parts_come_one_by_one_and_then_the_lab_goes_on(lecture):
    shown = [seen(lecture)]
    for _ in range(4):
        press(lecture, "next")
        shown.append(seen(lecture))
    assert shown == [(0, 0), (0, 1), (0, 2), (1, 2), (2, 2)]


def test_going_back_shows_the_same_in_reverse(lecture):
    shown = [seen(lecture)]
    for _ in range(4):
        press(lecture, "next")
        shown.append(seen(lecture))
    for expected in reversed(shown[:-1]):
        press(lecture, "back")
        assert seen(lecture) == expected
    press(lecture, "back")
    assert lecture.view["problem"] == "This is the beginning."
    assert seen(lecture) == (0, 0)


def test_a_key_that_cannot_go_on_leaves_nothing_to_go_back_to(lecture):
    press(lecture, *["next"] * (2 + LAST))
    assert seen(lecture) == (LAST, 2)
    press(lecture, "next", "next")
    assert lecture.view["problem"] == f"There is nothing above {LAST}."
    press(lecture, "back")
    assert seen(lecture) == (LAST - 1, 2)


def test_starting_over_forgets_all(lecture):
    press(lecture, *["next"] * 4, "reset")
    assert seen(lecture) == (0, 0)
    press(lecture, "back")
    assert lecture.view["problem"] == "This is the beginning."
    press(lecture, "next")
    assert seen(lecture) == (0, 1)


def test_what_is_done_by_hand_is_undone_with_the_step_it_follows(lecture):
    press(lecture, "next")
    to(lecture, "n", 40)
    to(lecture, "n", 50)
    press(lecture, "next")
    to(lecture, "n", 60)
    press(lecture, "back")
    assert seen(lecture) == (50, 1)
    press(lecture, "back")
    assert seen(lecture) == (0, 0)


@pytest.mark.parametrize("key", ["back", "reset"])
def test_what_is_done_by_hand_before_any_key_is_undone_too(lecture, key):
    to(lecture, "n", 40)
    press(lecture, key)
    assert seen(lecture) == (0, 0)
    assert lecture.view["problem"] is None
    press(lecture, key)
    assert lecture.view["problem"] == "This is the beginning."


def test_a_refused_action_is_nothing_to_go_back_to(lecture):
    press(lecture, "nonsense", "back")
    assert lecture.view["problem"] == "This is the beginning."


def test_outside_of_a_lecture_the_keys_are_the_lab_s_own():
    lab = Counter()
    press(lab, "next")
    assert seen(lab) == (1, 0)
    press(lab, "back")
    assert lab.view["problem"] == "A counter cannot do that."
    assert seen(lab) == (1, 0)


def test_a_lab_without_parts_to_reveal_goes_on_at_once():
    lab = Counter(stages=0)
    lab.demo = True
    press(lab, "next")
    assert seen(lab) == (1, 0)


KEYS = st.sampled_from(["next", "back", "reset"])
HANDS = st.integers(0, 9)


@given(st.lists(st.one_of(KEYS, HANDS), max_size=25))
def test_a_lecture_is_a_list_that_grows_and_shrinks(actions):
    """An oracle that keeps everything: a list of what was shown, its end being what is."""
    lab = Counter()
    lab.demo = True
    shown, moved = [(0, 0)], False
    for action in actions:
        n, stage = shown[-1]
        if isinstance(action, int):
            to(lab, "n", action)
            shown[-1], moved = (action, stage), moved or len(shown) == 1
        elif action == "next" and (stage < 2 or n < LAST):
            press(lab, action)
            shown.append((n, stage + 1) if stage < 2 else (n + 1, stage))
        elif action == "back" and len(shown) > 1:
            press(lab, action)
            shown.pop()
        else:
            press(lab, action)
            if action != "next":
                shown, moved = [(0, 0)], False
        assert seen(lab) == shown[-1]


def test_the_tree_builder_s_own_actions_follow_the_keys():
    """Its messages are read by a reader of its own."""
    lab = dt.demo("tree")
    sizes = []
    for key in ("next", "next", "back", "next", "reset"):
        press(lab, key)
        sizes.append(lab.tree.n_nodes)
    assert sizes == [4, 6, 4, 6, 1]
    press(lab, *["next"] * 9)
    assert lab.view["problem"].startswith("The tree is grown")
    grown = lab.tree.n_nodes
    press(lab, "back")
    assert lab.tree.n_nodes < grown


# -- long work -------------------------------------------------------------------------------------


def test_without_a_running_loop_work_is_done_at_once():
    lab = Counter(Count(goal=5))
    assert seen(lab) == (5, 0)
    assert lab.view["progress"] is None
    to(lab, "goal", 9)
    assert seen(lab) == (9, 0)


async def until(found):
    async with asyncio.timeout(60):
        while not found():  # noqa: ASYNC110 - nothing tells when
            await asyncio.sleep(0)


async def counted(lab, n):
    await until(lambda: seen(lab)[0] >= n)


async def aside(act):
    """Act in another thread, while this loop goes on."""
    thread = threading.Thread(target=act)
    thread.start()
    await until(lambda: not thread.is_alive())
    for _ in range(20):
        await asyncio.sleep(0)


def test_in_a_running_loop_work_goes_on_beside_and_tells_how_far_it_is():
    async def steps():
        lab = Counter()
        shown = []
        lab.observe(lambda change: shown.append(json.loads(change["new"])["progress"]), "told")
        to(lab, "goal", 4, n=1)
        assert seen(lab) == (0, 0)  # the answer does not wait for the work
        await counted(lab, 4)
        assert lab.view["answers"] == 1
        return shown

    assert asyncio.run(steps()) == [0, 0.25, 0.5, 0.75, None]


def test_the_next_action_ends_the_work_and_is_not_lost():
    async def steps():
        lab = Counter()
        to(lab, "goal", 1000)
        await counted(lab, 3)
        to(lab, "goal", 0, n=2)
        stopped = seen(lab)[0]
        assert 3 <= stopped < 1000
        for _ in range(20):
            await asyncio.sleep(0)
        assert seen(lab)[0] == stopped
        assert lab.view["answers"] == 2
        to(lab, "goal", stopped + 5)
        await counted(lab, stopped + 5)

    asyncio.run(steps())


def test_a_refused_action_lets_the_work_go_on():
    async def steps():
        lab = Counter()
        to(lab, "goal", 50)
        await counted(lab, 3)
        press(lab, "nonsense")
        assert lab.view["problem"] == "A counter cannot do that."
        await counted(lab, 50)

    asyncio.run(steps())


def test_what_is_only_glimpsed_lets_the_work_go_on():
    async def steps():
        lab = Counter()
        to(lab, "goal", 50)
        await counted(lab, 3)
        before = seen(lab)
        told = lab.glimpse(lambda: lab.tried({"do": "set", "control": "at", "value": -7}))
        assert "-7" in told
        assert seen(lab) == before
        await counted(lab, 50)

    asyncio.run(steps())


def test_an_action_from_another_thread_is_not_lost_during_work():
    """Recent kernels handle the browser's messages in a thread of their own."""

    async def steps():
        lab = Counter()
        to(lab, "goal", 10**6)
        await counted(lab, 3)
        await aside(lambda: to(lab, "at", -7, n=5))
        assert lab.view["answers"] == 5
        assert lab.state == "[-7, -7]"
        assert seen(lab) == (-7, 0)

    asyncio.run(steps())


def test_an_old_state_is_never_shown_with_a_newer_answer():
    """A slow view of the work does not overtake that of an action in another thread."""

    class Slow(Counter):
        def _told(self):
            told = super()._told()
            time.sleep(0.001)
            return told

    async def steps():
        lab = Slow()
        for number in range(30):
            to(lab, "goal", 10**6)
            await asyncio.sleep(0)
            await aside(lambda n=number: to(lab, "at", -n, n=n))
            assert (seen(lab), lab.view["answers"]) == ((-number, 0), number)

    asyncio.run(steps())


def test_the_work_at_the_start_is_part_of_the_beginning():
    lab = Counter(Count(goal=2))
    lab.demo = True
    to(lab, "n", 90)
    press(lab, "reset")
    assert seen(lab) == (2, 0)
    press(lab, "next", "back", "back")
    assert lab.view["problem"] == "This is the beginning."


def test_the_work_at_the_start_is_part_of_the_beginning_in_a_loop_too():
    async def steps():
        lab = Counter(Count(goal=5))
        lab.demo = True
        await counted(lab, 5)
        press(lab, "back")
        assert lab.view["problem"] == "This is the beginning."
        press(lab, "next", "reset")
        assert seen(lab) == (5, 0)

    asyncio.run(steps())


# -- the picture without a kernel ------------------------------------------------------------------


class Handle:
    """Stands in for what IPython gives for a display: it remembers."""

    def __init__(self):
        self.pages = []

    def update(self, data, raw):
        assert raw
        self.pages.append(data)


@pytest.fixture
def shown(monkeypatch):
    """A counter that is shown, and its picture."""
    displayed = []
    handle = Handle()

    def display(data, raw, metadata=None, display_id=None):
        displayed.append(data)
        return handle if display_id else None

    monkeypatch.setattr("dtree_lab.labs.lab_widget.display", display)
    lab = Counter()
    lab._ipython_display_()
    return lab, handle, displayed


def test_below_the_widget_stands_a_picture_with_its_text(shown):
    lab, handle, displayed = shown
    widget, picture = displayed
    assert "application/vnd.jupyter.widget-view+json" in widget
    # A text there would say for ever how the lab began, above the picture of how it was left.
    assert "text/plain" not in widget
    assert "It is 0." in picture["text/plain"]
    assert f'data-dtl="{lab.token}"' in picture["text/html"]
    assert handle.pages == []


def test_the_picture_follows_each_action(shown):
    lab, handle, _ = shown
    press(lab, "next")
    assert "It is 1." in handle.pages[-1]["text/plain"]
    to(lab, "goal", 5)
    assert "It is 5." in handle.pages[-1]["text/html"]


def test_in_a_running_loop_the_picture_waits_for_a_pause(shown, monkeypatch):
    lab, handle, _ = shown
    monkeypatch.setattr("dtree_lab.labs.lab_widget._PAUSE", 0.05)

    async def steps():
        for n in range(6):
            to(lab, "n", n)
        assert handle.pages == []
        await until(lambda: handle.pages)
        await asyncio.sleep(0.1)

    asyncio.run(steps())
    assert ["It is 5." in page["text/plain"] for page in handle.pages] == [True]


@pytest.mark.parametrize("early", [False, True])
def test_who_keeps_a_notebook_gets_the_picture_when_all_work_is_done(shown, monkeypatch, early):
    """Also where the work was over before: what it drew then was heard by nobody."""
    lab, handle, _ = shown
    monkeypatch.setattr("dtree_lab.labs.lab_widget._PAUSE", 0.0)

    async def steps():
        to(lab, "goal", 4)
        if early:
            await counted(lab, 4)
            await asyncio.sleep(0.05)
        handle.pages.clear()
        await settled()

    asyncio.run(steps())
    assert "It is 4." in handle.pages[-1]["text/plain"]


def test_where_nothing_is_shown_no_picture_is_drawn():
    class Undrawn(Counter):
        def _bundle(self):
            pytest.fail("drawn for nobody")

    press(Undrawn(), "next")


# -- large trees -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def large():
    rows = [{"a": i % 16, "b": i // 16, "y": "even" if (i % 16 + i // 16) % 2 == 0 else "odd"}
            for i in range(256)]  # fmt: skip
    return dt.Table.from_rows(rows, target="y")


def test_the_picture_of_a_large_tree_is_small_and_that_of_a_small_one_whole(large):
    tree = dt.id3(large)
    assert tree.n_nodes > 100
    assert len(kept_tree(tree)) < 45_000
    small = dt.id3(dt.datasets.tax_fraud())
    assert kept_tree(small) == dt.draw.mimebundle(small)["text/html"]


def test_no_message_of_a_large_tree_is_large(large):
    lab = TreeBuilder(large)
    press(lab, "best")
    lab.act({"do": "finish", "recipe": "ID3"})
    (tree,) = [part for part in lab.view["parts"] if part["kind"] == "tree"]
    for card in tree["tree"]["cards"][::5]:
        lab.act({"do": "select", "at": card["id"]})
        assert len(json.dumps(lab.view)) < 64 * 1024
        assert sum(map(len, lab._bundle())) < 64 * 1024


def test_what_was_computed_of_rows_outlives_an_edit():
    """An undo, or a split further down, does not weigh the questions of other nodes again."""
    lab = TreeBuilder(dt.datasets.tax_fraud())
    root = lab._state.root
    offers, axes = root.offers, root.axes
    press(lab, "best")
    assert lab._state.root is not root
    assert lab._state.root.offers is offers
    assert lab._state.root.axes is axes
