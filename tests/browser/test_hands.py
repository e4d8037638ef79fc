"""What a hand does while Python's answer is on its way: none of it is lost or lands elsewhere.

On a bare page, with a real lab behind it whose answers come when the test lets them. Two acts done
at once must lead to where they lead when each answer is awaited.
"""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import pytest
from playwright.sync_api import expect

import dtree_lab as dt
from browser.bare import ADDRESS, Bare
from browser.labstates import FEW, FIRST
from dtree_lab.labs.catalogue import LABS

# Frames follow each other at once: what waits for one need not wait long.
QUICK = """() => {
  window.requestAnimationFrame = (run) => setTimeout(() => run(performance.now()));
  window.cancelAnimationFrame = clearTimeout;
}"""
# All that a hand can act on as a lab opens, to be known again by its number.
HANDS = """() => {
  const kinds = ["button", "[role=treeitem]", "[role=option]", "input[type=checkbox]",
    "input[type=range]:not(.dtl-steps)", "select", "input[type=text]"];
  const isOurs = (one) => !one.closest(".dtl-keep, .dtl-zoom");
  const all = () => [...document.querySelectorAll(kinds.join())].filter(isOurs);
  const name = (one) => {
    const role = one.getAttribute("role");
    const words = one.getAttribute("aria-label") ?? one.textContent;
    const own = role === "treeitem" ? one.dataset.id : words;
    return [role ?? one.type, one.closest(".dtl-part")?.dataset.id ?? "", own].join(" | ");
  };
  const hands = all();
  const names = hands.map(name);
  // What was drawn anew is known by its name.
  const stands = (i) => hands[i].isConnected && !hands[i].closest("tbody, [data-id=bars]");
  window.hand = (i) => (stands(i) ? hands[i] : all().find((one) => name(one) === names[i]));
  return names;
}"""
ACT = """([i, share]) => {
  const one = hand(i);
  const tell = (type) => one.dispatchEvent(new Event(type, { bubbles: true }));
  if (!one?.getClientRects().length) return;
  if (one.tagName === "SELECT") {
    const chosen = window.chosen ??= {};
    const at = Math.floor(share * one.options.length);
    const words = chosen[`${i} ${share}`] ??= one.options[at].text;
    const option = [...one.options].find(({ text }) => text === words);
    if (!option) return;
    one.value = option.value;
    tell("change");
  } else if (one.type === "range") {
    one.value = Number(one.min) + share * (one.max - one.min);
    tell("input");
  } else if (one.type === "text") {
    one.value = String(Math.round(100 * share));
    tell("input");
    tell("change");
  } else {
    one.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1 }));
  }
}"""


class Late:
    """A lab on a bare page, whose answers come one by one."""

    def __init__(self, bare: Bare, lab: Any, pool: ThreadPoolExecutor) -> None:
        self.bare, self.lab, self.pool = bare, lab, pool
        self.first = self._all()

    def _all(self) -> dict[str, Any]:
        lab = self.lab
        return {
            name: getattr(lab, name)
            for name in ("_state", "_lecture", "_history", "_problem", "_said", "_answers", "told")
        }

    def begin(self) -> list[str]:
        """The lab as it was at first, on the page; all that a hand can act on."""
        for name, value in self.first.items():
            setattr(self.lab, name, value)
        self.bare.begin(self.lab.told)
        self.bare.sent()
        return self.bare.page.evaluate(HANDS)

    def act(self, i: int, share: float) -> None:
        self.bare.page.evaluate(ACT, [i, share])

    def answers(self) -> None:
        """Answer one message after the other, until there are no more."""
        waiting = self.bare.sent()
        while waiting:
            # Elsewhere, because Playwright's event loop runs here: long work is done at once.
            self.pool.submit(self.lab._received, None, waiting.pop(0), []).result()
            self.bare.show(self.lab.told)
            waiting += self.bare.sent()

    def stands(self) -> tuple[str, dict[str, Any]]:
        """Where the lab stands, and what the page has been told but for the number."""
        said = json.loads(self.lab.told)
        del said["answers"]
        return self.lab.state, said

    def reached(self, acts: list[tuple[int, float]], *, awaited: bool) -> tuple[str, Any]:
        self.begin()
        for act in acts:
            self.act(*act)
            if awaited:
                self.answers()
        self.answers()
        return self.stands()


@pytest.fixture
def bare(new_page):
    made = Bare(new_page(ADDRESS))
    made.page.evaluate(QUICK)
    return made


@pytest.fixture
def pool():
    with ThreadPoolExecutor(1) as made:
        yield made


def is_gone(first: str, second: str) -> bool:
    """A node of a tree that was seen is clicked while another one comes; the page tells so."""
    return first.startswith("option | wall") and second.startswith("treeitem | tree")


def opened(entry: Any, pool: ThreadPoolExecutor) -> Any:
    def make() -> Any:
        lab = entry.opened(**FEW.get(entry.cls, {}))
        for act in FIRST.get(entry.cls, []):
            lab.act(act)
        return lab

    return pool.submit(make).result()


PAIRS = [3, pytest.param(150, marks=pytest.mark.thorough)]


@pytest.mark.parametrize("pairs", PAIRS)
@pytest.mark.parametrize("entry", LABS, ids=lambda entry: entry.cls)
def test_two_acts_at_once_lead_where_they_lead_one_by_one(entry, pairs, bare, pool):
    late = Late(bare, opened(entry, pool), pool)
    hands = late.begin()
    chance = Random(entry.cls)  # noqa: S311 - no secret
    wrong = []
    for _ in range(pairs):
        acts = [(chance.randrange(len(hands)), chance.random()) for _ in range(2)]
        # First at once: what is chosen from a menu is what stands there then, by its words.
        at_once = late.reached(acts, awaited=False)
        one_by_one = late.reached(acts, awaited=True)
        if is_gone(*(hands[i] for i, _ in acts)):
            one_by_one = late.reached(acts[:1], awaited=True)
        if at_once != one_by_one:
            keys = [k for k in at_once[1] if at_once[1][k] != one_by_one[1][k]]
            wrong.append(([hands[i] for i, _ in acts], at_once[0], one_by_one[0], keys))
    assert wrong == []


def tree(pool: ThreadPoolExecutor) -> Any:
    return pool.submit(LABS[0].opened).result()


INCOME = ".dtl-questions > .dtl-bar:has([aria-label='Cut of Taxable Income'])"


def test_a_question_clicked_right_after_a_node_was_chosen_is_asked_there(bare, pool):
    """With a mouse: the cut is that node's own, not the one that stood there as it was clicked."""
    lab = tree(pool)
    lab.act({"do": "split", "attribute": 2, "cut": 97.5})
    late = Late(bare, lab, pool)
    late.begin()
    bare.page.locator("[role=treeitem][data-id='0']").click()
    ask = bare.page.locator(f"{INCOME} .dtl-question").first
    assert ask.text_content() == "Taxable Income < 97.5"
    ask.click()
    late.answers()
    # Below 97.5 lie 60, 70, 75 (No), 85, 90, 95 (Yes).
    assert late.stands()[1]["status"].startswith("Asked Taxable Income < 80")
    assert json.loads(lab.state)["steps"][1] == ["ask", [0], "Taxable Income", 80]


def test_what_is_pressed_stays_under_the_pointer_until_it_is_let_go(bare, pool):
    """The order of the questions is another at each node: the answer waits for the click."""
    lab = tree(pool)
    lab.act({"do": "split", "attribute": 0})
    late = Late(bare, lab, pool)
    late.begin()
    bare.page.locator("[role=treeitem][data-id='1']").click()
    ask = bare.page.locator(f"{INCOME} .dtl-question").first
    ask.hover()
    bare.page.mouse.down()
    (select,) = bare.sent()
    lab.act(select)
    bare.show(lab.told)
    assert bare.page.locator("[data-answers]").get_attribute("data-answers") == "0"
    bare.page.mouse.up()
    late.answers()
    assert lab.view["status"].startswith("Asked Taxable Income")
    assert json.loads(lab.state)["steps"][1][1] == [1]


def test_a_cut_that_was_dragged_is_told_before_what_comes_next(bare, pool):
    """The newest place of the slider waits for an answer; a button is pressed meanwhile."""
    late = Late(bare, pool.submit(dt.EntropyLab).result(), pool)
    late.begin()
    slider = bare.page.get_by_role("slider", name="p", exact=True)
    for value in ("0.2", "0.4"):
        slider.evaluate(
            "(one, value) => { one.value = value; one.dispatchEvent(new Event('input')); }", value
        )
        bare.page.evaluate("() => new Promise(requestAnimationFrame)")
    bare.page.get_by_role("button", name="Undo").dispatch_event("click")
    (first,) = bare.sent()
    assert first["value"] == 0.2
    late.lab.act(first)
    bare.show(late.lab.told)
    (second,) = bare.sent()
    assert second["value"] == 0.4
    late.lab.act(second)
    bare.show(late.lab.told)
    (third,) = bare.sent()
    assert third["do"] == "undo"


def test_what_is_not_there_any_more_is_said_not_done(bare, pool):
    """Another algorithm has no tree whose node could be chosen."""
    late = Late(bare, pool.submit(dt.StepThrough).result(), pool)
    late.begin()
    bare.page.get_by_role("combobox", name="Algorithm").select_option("threshold")
    bare.page.locator("[role=treeitem]").first.dispatch_event("click")
    late.answers()
    assert json.loads(late.stands()[0])["algorithm"] == "threshold"
    said = bare.page.get_by_role("alert").text_content()
    assert said == "What was pressed while Python was still answering cannot be done any more."


def test_keys_in_quick_succession(bare, pool):
    """A question by Enter, then down to its second branch, before Python has answered."""
    lab = tree(pool)
    late = Late(bare, lab, pool)
    late.begin()
    bare.page.locator(f"{INCOME} .dtl-question").first.focus()
    for key in ("Enter", "ArrowDown", "ArrowDown"):
        bare.page.keyboard.press(key)
    late.answers()
    assert json.loads(lab.state)["selected"] == [1]


def test_who_has_gone_on_before_the_answer_comes_stays_there(bare, pool):
    """To another button of a card, or to a text elsewhere in the page."""
    card = pool.submit(dt.course.another, "entropy/three-labels", "Ada").result()
    late = Late(bare, card, pool)
    late.begin()
    page = bare.page
    page.evaluate("() => document.body.append(document.createElement('textarea'))")
    page.get_by_role("button", name="Another one").click()
    late.answers()
    field, steps = page.get_by_role("textbox", name="Your number"), page.locator("text=Step by")
    expect(field).to_be_focused()
    for value, there in (("77", steps), ("78", page.locator("body > textarea")), ("79", None)):
        field.fill(value)
        field.press("Enter")
        if there:
            there.focus()
        late.answers()
        expect(page.get_by_text(f"{value} is not it")).to_be_visible()
        expect(there or field).to_be_focused()


def test_a_question_asked_by_key_leads_back_to_the_tree_but_not_from_elsewhere(bare, pool):
    late = Late(bare, tree(pool), pool)
    for there in ("[role=tree] :focus, [role=tree]:focus", "body > textarea"):
        late.begin()
        bare.page.evaluate("() => document.body.append(document.createElement('textarea'))")
        ask = bare.page.locator(f"{INCOME} .dtl-question").first
        ask.focus()
        ask.press("Enter")
        if "textarea" in there:
            bare.page.locator(there).first.focus()
        late.answers()
        assert late.stands()[1]["status"].startswith("Asked Taxable Income")
        expect(bare.page.locator(there).first).to_be_focused()
