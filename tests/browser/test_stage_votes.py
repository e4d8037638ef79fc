"""A question to the class: by show of hands and by phone, and its answer never too early."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections import Counter
from contextlib import contextmanager

import pytest
from leash import leashed
from lectured import given
from playwright.sync_api import expect

import dtree_lab as dt
from browser.bare import outside
from browser.driver import at_rest, axe
from browser.server import _free_port as free_port

BECAUSE = "Two classes in equal parts"
TALK = f"""---
title: Trees and votes
---
---
ask: "A node has 5 fraud and 5 honest returns. How many bits is its entropy?"
options: ["0", "0.5", "1, which is $\\\\log_2 2$", "5"]
answer: C
because: "{BECAUSE}: $\\\\log_2 2 = 1$ bit."
---
"""
SIZES = [(1920, 1080), (1280, 720), (1024, 768)]
# All that the page has shown, however shortly: each time that anything changes.
WATCH = """
window.seen = [];
new MutationObserver(() => {
  const shown = document.querySelector("#stage, #vote");
  window.seen.push([shown?.dataset.step ?? "", shown?.innerHTML ?? ""]);
}).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
"""
FITS = """([place, smallest]) => {
  const wrong = [];
  for (const node of document.querySelectorAll(`${place} :is(p, svg)`)) {
    const { left, top, right, bottom } = node.getBoundingClientRect();
    const type = parseFloat(getComputedStyle(node).fontSize);
    const outside = left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
    if (outside) wrong.push(node.outerHTML.slice(0, 60));
    if (type < smallest * innerHeight) wrong.push(`${type} px: ${node.textContent}`);
  }
  return wrong;
}"""


@contextmanager
def lecture(home, *words):
    """Run ``dtree-lab lecture``, and give the addresses of audience, presenter and phones."""
    command = [sys.executable, "-m", "dtree_lab.cli", "lecture", *words, "--no-browser"]
    given = {**os.environ, "XDG_STATE_HOME": str(home / "state")}
    running = leashed(command, stdout=subprocess.PIPE, text=True, env=given)
    stopper = threading.Timer(300, running.kill)  # a line that never comes is not waited for
    stopper.start()
    try:
        said = ""
        while "For phones" not in said:
            line = running.stdout.readline()
            assert line, said
            said += line
        yield re.findall(r"http://\S+", said)
    finally:
        stopper.cancel()
        running.terminate()
        running.communicate()


def heard(page):
    """What is sent to a page, from now on."""
    messages = []
    page.on("websocket", lambda s: s.on("framereceived", lambda told: messages.append(str(told))))
    return messages


@pytest.fixture
def phone(chrome):
    """A page that may lose its server: what it then says in the console is no mistake."""
    page, errors = chrome.new_page(), []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    page.close()
    assert errors == []


def test_hands_and_phones_before_and_after_a_discussion(  # noqa: PLR0915 - a question's hour
    tmp_path, new_page, phone, picture
):
    talk = tmp_path / "talk.md"
    talk.write_text(TALK, encoding="utf-8")
    ports = (f"--port={free_port()}", f"--class-port={free_port()}")
    words = (str(talk), "--class", "--class-host=127.0.0.1", *ports)
    with lecture(tmp_path, *words) as addresses:
        audience, presenter = map(new_page, addresses[:2])
        sent = {"audience": heard(audience), "phone": heard(phone)}
        for page, address in zip((audience, presenter, phone), addresses, strict=True):
            page.add_init_script(WATCH)
            page.goto(address)
        phone.set_viewport_size({"width": 390, "height": 844})

        # The first vote: one on the phone, fifty by hand.
        expect(phone.get_by_role("heading")).to_contain_text("5 fraud")
        phone.get_by_role("button", name="B 0.5").click()
        expect(phone.get_by_text("Your vote: B.")).to_be_visible()
        phone.get_by_role("button", name="C 1").click()
        expect(phone.get_by_text("Your vote: C.")).to_be_visible()
        expect(audience.get_by_text("1 vote", exact=True)).to_be_visible()
        presenter.bring_to_front()
        expect(presenter.get_by_label("Hands for A")).to_be_visible()
        for key in ("h", "1", "2", "Enter", "7", "c", "3", "1"):
            presenter.keyboard.press(key)
        expect(audience.get_by_text("51 votes")).to_be_visible()
        assert axe(phone, "body") == []
        assert_fits_a_phone(phone)
        picture("stage-phone", phone)
        for width, height in SIZES:
            audience.set_viewport_size({"width": width, "height": height})
            expect(audience.locator(".join svg.qr")).to_be_visible()
            assert audience.evaluate(FITS, [".join", 0.022]) == []
            picture(f"stage-asked-{width}", audience)
        expect(audience.locator(".bar")).to_have_count(0)

        presenter.keyboard.press("Escape")
        presenter.keyboard.press("q")
        expect(audience.locator("#invite")).to_be_visible()
        assert audience.evaluate(FITS, ["#invite", 0.03]) == []
        picture("stage-invites", audience)
        presenter.keyboard.press("q")
        expect(audience.locator("#invite")).to_be_hidden()

        # Bars when the lecturer says so, also where a number was being typed.
        presenter.get_by_label("Hands for C").focus()
        presenter.keyboard.press("PageDown")
        expect(audience.locator(".bar b")).to_have_text(["12", "7", "32", "0"])
        expect(phone.get_by_text("No question is open now")).to_be_visible()
        assert sum(BECAUSE in told for told in sent["audience"]) == 0

        # The second, in which the first is not seen.
        presenter.keyboard.press("d")
        expect(audience.get_by_text("Second vote: 0 votes")).to_be_visible()
        expect(audience.locator(".bar")).to_have_count(0)
        expect(phone.get_by_text("Second vote, after the discussion")).to_be_visible()
        phone.emulate_media(color_scheme="dark")
        phone.set_viewport_size({"width": 360, "height": 640})
        phone.get_by_role("button", name="D 5").click()
        expect(phone.get_by_text("Your vote: D.")).to_be_visible()
        assert axe(phone, "body") == []
        assert_fits_a_phone(phone)
        picture("stage-phone-dark", phone)
        presenter.keyboard.press("Shift+C")
        presenter.keyboard.press("9")
        presenter.keyboard.press("Escape")
        expect(audience.get_by_text("Second vote: 10 votes")).to_be_visible()
        presenter.keyboard.press("PageDown")
        both = ["12", "0", "7", "0", "32", "9", "0", "1"]
        expect(audience.locator(".bar b")).to_have_text(both)
        expect(audience.locator(".right")).to_have_count(0)
        before = [len(told) for told in sent.values()]
        on_phone = phone.evaluate("window.seen")
        presenter.keyboard.press("PageDown")
        expect(audience.locator("li.right")).to_contain_text("which is")
        expect(audience.get_by_text(BECAUSE)).to_be_visible()
        picture("stage-answered", audience)
        # The phone has it, too, with what was said there.
        expect(phone.locator("#truth")).to_contain_text("You said")
        expect(phone.locator("#truth")).to_contain_text("D: 5")
        expect(phone.locator("#truth .hit")).to_contain_text("C: 1, which is")
        expect(phone.locator("#truth")).to_contain_text(BECAUSE)
        assert axe(phone, "body") == []
        picture("stage-phone-answered", phone)

        # Nothing of the answer was sent before its key, and nothing of it was ever on the screen.
        told = sent["audience"][: before[0]] + sent["phone"][: before[1]]
        assert len(told) > 10
        assert [one for one in told if "right" in one or "because" in one or BECAUSE in one] == []
        for seen in (audience.evaluate("window.seen"), on_phone):
            assert len(seen) > 5
            early = [html for step, html in seen if step != "0.2"]
            assert [html for html in early if "right" in html or BECAUSE in html] == []

        for page in (audience, presenter):
            page.goto("about:blank")

    # Where the lecture comes back, the phone does too, by itself.
    with lecture(tmp_path, *words, "--resume") as again:
        assert again[2] == addresses[2]
        presenter.goto(again[1])
        expect(presenter.get_by_text("The second vote is closed")).to_be_visible()
        presenter.keyboard.press("d")
        expect(phone.get_by_text("Your vote: D.")).to_be_visible(timeout=30_000)
        expect(phone.locator("#wire")).to_be_hidden()
        presenter.goto("about:blank")


CUTS = """---
title: Cuts
---
---
lab: threshold
table: tax_fraud
reveal: [rule]
steps: 0
ask: "Where would you cut?"
number: Taxable Income
answer: [95, 100]
because: the gain
---
# One cut

---
ask: "How many are wrong?"
number: [0, 10]
answer: 5
because: half of them
---
"""


@pytest.mark.thorough
def test_numbers_of_phones_stand_in_the_lab_and_on_a_strip(  # noqa: PLR0915 - two questions
    tmp_path, new_page, chrome, picture
):
    talk = tmp_path / "cuts.md"
    talk.write_text(CUTS, encoding="utf-8")
    ports = (f"--port={free_port()}", f"--class-port={free_port()}")
    with lecture(tmp_path, str(talk), "--class", "--class-host=127.0.0.1", *ports) as addresses:
        audience, presenter = map(new_page, addresses[:2])
        audience.goto(addresses[0])
        presenter.goto(addresses[1])
        phones = [
            chrome.browser.new_context(viewport={"width": 390, "height": 844}) for _ in range(3)
        ]
        pages = [one.new_page() for one in phones]
        try:
            for page, cut in zip(pages, ("97", "97", "60"), strict=True):
                page.goto(addresses[2])
                slider = page.get_by_role("slider", name="Your answer")
                first = int(page.locator(".ends span").first.text_content())
                slider.fill(str(int(cut) - first))
                page.get_by_role("button", name=f"Send {cut}").click()
                expect(page.get_by_text(f"Your vote: {cut}.")).to_be_visible()
            # A finger's last step is a button's; the vote is the phone's, and not one more.
            pages[2].get_by_role("button", name="More").click()
            pages[2].get_by_role("button", name="Send 61").click()
            expect(pages[2].get_by_text("Your vote: 61.")).to_be_visible()
            assert axe(pages[2], "body") == []
            widths = "document.documentElement.scrollWidth <= innerWidth"
            assert pages[2].evaluate(widths)
            heights = "all => all.map((one) => one.getBoundingClientRect().height)"
            assert min(pages[2].locator("#options button").evaluate_all(heights)) >= 48
            expect(audience.get_by_text("3 votes")).to_be_visible()
            bars = audience.locator("[data-id=points] .dtl-answers")
            expect(bars).to_have_count(0)
            expect(presenter.locator("#votes")).to_contain_text("3 answers, half of them")

            presenter.keyboard.press("PageDown")
            expect(bars).to_have_count(2)
            low, high = bars.evaluate_all(heights)
            assert abs(high - 2 * low) < 2
            presenter.keyboard.press("PageDown")
            expect(audience.locator("text.dtl-truth")).to_have_text("right: 95 to 100")
            expect(audience.get_by_text("Right: 95 to 100, as 2 of 3 said.")).to_be_visible()
            expect(pages[0].locator("#truth .hit")).to_contain_text("You said, and so it is")
            expect(pages[2].locator("#truth .hit")).to_contain_text("95 to 100")
            assert axe(pages[2], "body") == []
            picture("stage-cuts", audience)
            # The lab goes on, with the bars behind the curve.
            presenter.keyboard.press("PageDown")
            expect(audience.locator("[data-id=gains] .dtl-answers")).to_have_count(2)
            picture("stage-cuts-gain", audience)

            presenter.keyboard.press("PageDown")
            pages[0].get_by_role("button", name="Send 5").click()
            expect(pages[0].get_by_text("Your vote: 5.")).to_be_visible()
            presenter.keyboard.press("PageDown")
            expect(audience.locator(".strip .dtl-answers")).to_have_count(1)
            for size in SIZES:
                audience.set_viewport_size({"width": size[0], "height": size[1]})
                small = f"all => all.map((one) => {LETTERS} / innerHeight)"
                assert min(audience.locator(".strip text").evaluate_all(small)) >= 0.03
            presenter.keyboard.press("PageDown")
            expect(audience.locator(".strip text.dtl-truth")).to_have_text("right: 5")
            picture("stage-strip", audience)
        finally:
            for one in phones:
                one.close()
        for page in (audience, presenter):
            page.goto("about:blank")


POINTS = """---
title: Points
---
---
lab: plane
reveal: [costs]
steps: [[clear, class], deeper]
ask: "Toss a coin: heads is **A**, tails **B**. Then place your point, anywhere."
point: [plane, A, B]
because: "A tree may give each point a box of its own."
---
# A point each
"""


def place(page, at, kind):
    """Touch the picture so far along it, and send the point."""
    expect(page.get_by_role("button", name="Place your point")).to_be_disabled()
    box = page.locator(".dtl-plane").bounding_box()
    page.touchscreen.tap(box["x"] + at * box["width"], box["y"] + 0.49 * box["height"])
    expect(page.get_by_role("button", name="Choose its class")).to_be_disabled()
    page.get_by_role("button", name=kind, exact=True).click()
    page.get_by_role("button", name="Send x1").click()
    expect(page.get_by_text(f"Your vote: x1 {at}, x2 0.52: {kind}.")).to_be_visible()


def assert_holds_a_point(page):
    """All of it is seen at once, and each button can be hit with a thumb."""
    assert axe(page, "body") == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    heights = page.locator("#options button").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().height)"
    )
    assert min(heights) >= 48
    assert page.locator(".send").bounding_box()["y"] < 844


def test_a_finger_places_a_point_and_the_lab_learns_from_it(  # noqa: PLR0915 - from phone to tree
    tmp_path, new_page, chrome, picture
):
    talk = tmp_path / "points.md"
    talk.write_text(POINTS, encoding="utf-8")
    ports = (f"--port={free_port()}", f"--class-port={free_port()}")
    with lecture(tmp_path, str(talk), "--class", "--class-host=127.0.0.1", *ports) as addresses:
        audience, presenter = map(new_page, addresses[:2])
        audience.goto(addresses[0])
        presenter.goto(addresses[1])
        looks = ("light", "dark", "light")
        phones = [
            chrome.browser.new_context(
                viewport={"width": 390, "height": 844}, color_scheme=look, has_touch=True
            )
            for look in looks
        ]
        pages = [one.new_page() for one in phones]
        errors = []
        for page in pages:
            page.on("console", lambda told: errors.append(told.text) if told.type == "error" else 0)
        try:
            for page, at, kind in zip(pages, (0.27, 0.77, 0.77), "ABA", strict=True):
                page.goto(addresses[2])
                place(page, at, kind)
            # The arrow keys, too, place it: a cell to the right, and back it is the same answer.
            page.get_by_role("application").focus()
            for key in ("ArrowUp", "ArrowUp", "ArrowLeft", "ArrowRight"):
                page.keyboard.press(key)
            page.get_by_role("button", name="Send x1").click()
            expect(page.get_by_text("x2 0.58: A. To change it")).to_be_visible()
            page.reload()
            expect(page.get_by_role("button", name="Send x1")).to_contain_text("x2 0.58: A")
            assert_holds_a_point(pages[0])
            assert_holds_a_point(pages[1])
            picture("stage-phone-point", pages[0])
            picture("stage-phone-point-dark", pages[1])
            expect(audience.get_by_text("3 votes")).to_be_visible()
            picture("stage-points-asked", audience)
            hollow = audience.locator("[data-id=plane] :is(.dtl-o0, .dtl-o1)")
            expect(hollow).to_have_count(0)
            expect(presenter.locator("#votes")).to_contain_text("3 points: 2 A, 1 B.")
            presenter.keyboard.press("PageDown")
            expect(hollow).to_have_count(3)
            for width, height in SIZES:
                audience.set_viewport_size({"width": width, "height": height})
                expect(audience.get_by_text("3 points: 2 A, 1 B.")).to_be_visible()
                picture(f"stage-points-{width}", audience)
            presenter.keyboard.press("PageDown")
            expect(pages[1].locator("#truth .own")).to_contain_text("x1 = 0.77")
            expect(pages[1].locator("#truth")).to_contain_text("a box of its own")
            presenter.keyboard.press("PageDown")
            expect(presenter.locator("#key")).to_have_text("the class's answers, in the lab")
            presenter.keyboard.press("PageDown")
            # Three points, and the tree on them.
            expect(audience.locator("[data-id=plane] [data-row]")).to_have_count(3)
            expect(audience.get_by_text("3 points of the class.")).to_be_visible()
            expect(audience.locator(".dtl-legend li")).to_have_count(2)  # nobody can toss a C
            expect(hollow).to_have_count(0)
            picture("stage-points-learnt", audience)
            presenter.keyboard.press("t")
            picture("stage-points-learnt-dark", audience)
            assert errors == []
        finally:
            for one in phones:
                one.close()
        for page in (audience, presenter):
            page.goto("about:blank")


TYPED = """---
title: Words
---
---
ask: "What is it called when a tree learns its rows **by heart**?"
word: yes
answer: [overfitting, over-fitting]
because: "It is right about the rows that it knows, and about few others."
---
# A word for it
"""
# Twelve different ones, three of them as long as they may be.
CAME = ["noise", "noise", "bias", "w" * 20, "variance", "pruning", "by heart", "cheating", "memory"]
CAME += [
    "Auswendiglernen",
    "wwwwwwwwww mmmmmmmmm",
    "w" * 20,
    "\u05e9\u05d9\u05e0\u05d5\u05df",
    "m" * 20,
]
# Of all that is read in a place, what lies outside of the window or is too small.
OUTSIDE = """(all) => all.flatMap((node) => {
  const { left, top, right, bottom } = node.getBoundingClientRect();
  const isIn = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
  const isLarge = parseFloat(getComputedStyle(node).fontSize) >= 0.03 * innerHeight;
  const isWhole = node.scrollWidth <= node.clientWidth + 1 || !node.clientWidth;
  return isIn && isLarge && isWhole ? [] : [node.textContent];
})"""


def type_word(page, word):
    """Type a word on a phone, and send it."""
    page.get_by_role("textbox", name="Your answer").fill(word)
    page.keyboard.press("Enter")
    expect(page.get_by_text(f"Your vote: {word}. To change it")).to_be_visible()


def test_a_class_types_words_and_the_lecturer_sees_them_first(  # noqa: PLR0915 - from phone to wall
    tmp_path, new_page, chrome, picture
):
    talk = tmp_path / "words.md"
    talk.write_text(TYPED, encoding="utf-8")
    ports = (f"--port={free_port()}", f"--class-port={free_port()}")
    with lecture(tmp_path, str(talk), "--class", "--class-host=127.0.0.1", *ports) as addresses:
        audience, presenter = map(new_page, addresses[:2])
        audience.set_viewport_size({"width": 1920, "height": 1080})
        audience.goto(addresses[0])
        presenter.goto(addresses[1])
        small = {"width": 390, "height": 844}
        phones = [
            chrome.browser.new_context(viewport=small, color_scheme=look)
            for look in ("light", "dark")
        ]
        phone, other = (one.new_page() for one in phones)
        try:
            # What is no word is told there and then, to who reads the screen or has it read.
            phone.goto(addresses[2])
            field = phone.get_by_role("textbox", name="at most")
            for name in ("autocapitalize", "spellcheck"):
                assert field.get_attribute(name) in ("off", "false")
            field.fill("<b>bold</b>")
            field.press("Enter")
            expect(phone.get_by_role("alert")).to_contain_text("A word has letters and digits")
            expect(field).to_have_attribute("aria-invalid", "true")
            expect(phone.locator("#yours")).to_have_text("Type your answer, then send it.")
            assert axe(phone, "body") == []
            picture("stage-phone-word-wrong", phone)
            field.fill("overfittin")
            expect(phone.locator("#wrong")).to_be_hidden()
            type_word(phone, "Overfitting")
            phone.reload()
            expect(field).to_have_value("Overfitting")
            assert axe(phone, "body") == []
            assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert phone.get_by_role("button", name="Send").bounding_box()["height"] >= 48
            picture("stage-phone-word", phone)
            other.goto(addresses[2])
            type_word(other, "rude")
            # A device that has lost its number is another one.
            third = chrome.browser.new_context(viewport=small)
            phones.append(third)
            page = third.new_page()
            for word in CAME:
                third.clear_cookies()
                page.goto(addresses[2])
                type_word(page, word)
            expect(audience.get_by_text("16 votes")).to_be_visible()
            picture("stage-words-asked", audience)
            assert audience.locator(".spoken li:not(.still)").count() == 0

            # The lecturer has them before the room, and keeps one from it by keys, one by a click.
            words = presenter.get_by_role("group", name="Words kept from the room")
            expect(words.get_by_role("button")).to_have_count(14)
            presenter.bring_to_front()
            presenter.keyboard.press("w")
            newest = words.get_by_role("button", name="m" * 20)
            expect(newest).to_be_focused()
            presenter.keyboard.press("Space")
            expect(newest).to_have_attribute("aria-pressed", "true")
            expect(newest).to_be_focused()
            words.get_by_role("button", name="rude 1").click()
            expect(words.locator("[aria-pressed=true]")).to_have_count(2)
            expect(newest).to_have_css("text-decoration-line", "line-through")
            picture("stage-words-presenter", presenter)
            assert "noise" not in audience.locator("#stage").inner_html()

            presenter.keyboard.press("PageDown")
            rows = audience.locator(".spoken li:not(.still)")
            expect(rows).to_have_count(10)
            assert rows.locator(".bar em").all_inner_texts()[:3] == ["2", "2", "1"]
            expect(audience.locator(".spoken")).not_to_contain_text("rude")
            expect(audience.locator(".said")).to_have_text("and 4 others.")
            wide = rows.locator(".bar i").evaluate_all("all => all.map((one) => one.offsetWidth)")
            assert abs(wide[0] - 2 * wide[2]) <= 4
            expect(audience.locator(".spoken .right")).to_have_count(0)
            for width, height in SIZES:
                audience.set_viewport_size({"width": width, "height": height})
                expect(rows).to_have_count(10)
                read = audience.locator(".asks, .spoken li:not(.still) :is(.option, em), .said")
                assert read.evaluate_all(OUTSIDE) == []
                picture(f"stage-words-{width}", audience)
            audience.set_viewport_size({"width": 1920, "height": 1080})
            presenter.keyboard.press("t")
            presenter.keyboard.press("PageDown")
            expect(audience.locator(".spoken .right .option")).to_have_text("Overfitting")
            expect(audience.locator(".said")).to_contain_text("as 1 of 16 said")
            assert audience.locator(".asks, .said, .because").evaluate_all(OUTSIDE) == []
            picture("stage-words-answered-dark", audience)
            expect(phone.locator("#truth .hit")).to_contain_text("You said, and so it is")
            expect(other.locator("#truth .own").first).to_contain_text("rude")
            expect(other.locator("#truth .hit")).to_contain_text("overfitting or over-fitting")
            assert axe(other, "body") == []
            picture("stage-phone-word-answered", other)

            # Of two votes both counts stand with a word.
            presenter.keyboard.press("d")
            type_word(phone, "overfitting")
            type_word(other, "overfitting")
            presenter.keyboard.press("PageDown")
            expect(rows).to_have_count(1)
            assert rows.locator(".bar em").all_text_contents() == ["1 before", "2 after"]
            presenter.keyboard.press("PageDown")
            picture("stage-words-two-dark", audience)
        finally:
            for one in phones:
                one.close()
        for page in (audience, presenter):
            page.goto("about:blank")


CHOSEN = ("species", "body_mass_g", "body_mass_g")


def forest_scene():
    """The end of a shipped lecture, with its head: the scene in which a class is a forest."""
    text = given("bias-variance").file.read_text(encoding="utf-8")
    head, _, rest = text.partition("\n---\n\n---\n")
    scene = re.search(r"(?ms)^lab: forest$.*?(?=^---\nminutes: \d+\n---\n# What)", rest)
    return f"{head}\n---\n\n---\n{scene[0]}"


def counted_by_hand(answers):
    """What is to be told of a class's forest: its votes, and how often it and its trees err."""
    lab = dt.ForestLab(trees=1)
    lab.act({"do": "class", "answers": list(answers)})
    trees, birds = lab.forest.trees, lab.table
    sexes, wrong, judged, alone, each = birds.column("sex"), 0, 0, 0, 0
    for row, sex in enumerate(sexes):
        free = [t for t in range(len(trees)) if not lab.forest.rows_drawn(t)[row]]
        says = [trees[t].predict(birds.row(row)) for t in free]
        alone, each = alone + sum(one != sex for one in says), each + len(says)
        if says:
            # Of a tie the first class wins.
            won = max(birds.classes, key=says.count)
            wrong, judged = wrong + (won != sex), judged + 1
    votes = ", ".join(f"{name} {n}" for name, n in Counter(answers).most_common())
    return (
        f"They ask first: {votes}.",
        f"{100 * wrong / judged:.1f} %",
        f"{100 * alone / each:.1f} %",
    )


@pytest.mark.thorough
def test_a_class_chooses_what_its_trees_ask_first_and_sees_them_vote(
    tmp_path, new_page, chrome, picture
):
    talk = tmp_path / "forest.md"
    talk.write_text(forest_scene(), encoding="utf-8")
    ports = (f"--port={free_port()}", f"--class-port={free_port()}")
    with lecture(tmp_path, str(talk), "--class", "--class-host=127.0.0.1", *ports) as addresses:
        audience, presenter = map(new_page, addresses[:2])
        audience.goto(addresses[0])
        presenter.goto(addresses[1])
        phones = [
            chrome.browser.new_context(viewport={"width": 390, "height": 844}) for _ in CHOSEN
        ]
        pages = [one.new_page() for one in phones]
        tiles = audience.locator("[data-id=wall] .dtl-tile")
        try:
            for page, name in zip(pages, CHOSEN, strict=True):
                page.goto(addresses[2])
                page.get_by_role("button", name=name).click()
                expect(page.get_by_text("Your vote:")).to_be_visible()
            assert_fits_a_phone(pages[0])
            expect(audience.get_by_text("3 votes")).to_be_visible()
            pictured(picture, audience, "asked")
            presenter.keyboard.press("PageDown")
            expect(audience.locator(".bar b")).to_have_text(["1", "0", "2", "0"])
            presenter.keyboard.press("PageDown")
            # Who was right by their phone sees it there, with the reason.
            expect(pages[1].locator("#truth .hit")).to_contain_text("body_mass_g")
            expect(pages[0].locator("#truth")).to_contain_text("about 23 of 111 birds")
            pictured(picture, audience, "answered")
            presenter.keyboard.press("PageDown")
            expect(presenter.locator("#key")).to_have_text("the class's answers, in the lab")
            presenter.keyboard.press("PageDown")
            expect(tiles).to_have_count(3)
            # What is told stands under the wall and the errors, and not in their place.
            for shown in (tiles.last, audience.locator("[data-id=errors] svg")):
                expect(shown).to_be_visible()
            told = audience.locator("[data-id=first]")
            for words in outside(lambda: counted_by_hand(CHOSEN)):
                expect(told).to_contain_text(words)
            pictured(picture, audience, "class")
            presenter.keyboard.press("PageDown")
            expect(tiles).to_have_count(5)
            presenter.keyboard.press("PageDown")
            expect(tiles).to_have_count(50)
            expect(told).to_contain_text("They ask first: body_mass_g 2, species 1.")
            pictured(picture, audience, "fifty")
        finally:
            for one in phones:
                one.close()
        for page in (audience, presenter):
            page.goto("about:blank")


def pictured(picture, audience, what):
    """Keep what the room sees, on a projector, light and dark, and in a small window."""
    for (width, height), look in ((SIZES[0], "light"), (SIZES[0], "dark"), (SIZES[1], "light")):
        audience.set_viewport_size({"width": width, "height": height})
        audience.emulate_media(color_scheme=look)
        at_rest(audience, "#stage, #stage *")
        picture(f"stage-forest-{what}-{width}-{look}", audience)


# How large a word in a drawing is, in pixels.
LETTERS = "parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a"


def assert_fits_a_phone(phone):
    """Nothing is cut off at its sides, and each option can be hit with a thumb."""
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    heights = phone.locator("#options button").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().height)"
    )
    assert len(heights) == 4
    assert min(heights) >= 48
