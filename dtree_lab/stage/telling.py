"""What each window is told of a lecture: the audience's, the presenter's, and a phone."""

from __future__ import annotations

from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from dtree_lab.stage.acts import ANSWERED, COUNTED, ClassQuestion
from dtree_lab.stage.lecture import LectureScene
from dtree_lab.stage.opening import Moment
from dtree_lab.stage.show import Show
from dtree_lab.stage.words import as_page, inline, shape


def told_audience(show: Show) -> dict[str, Any]:
    """What is on the screen: nothing that has not been revealed is among it."""
    scene, folder = show.here, show.lecture.file.parent
    moment = show.shown
    lab, question = scene.lab, show.question_at(show.scene)
    in_lab = bool(question and question.takes.about)
    # What a key is to reveal in a lab comes after its question, which has the room till then.
    waits = bool(question and lab and lab.reveal and not show.moment and not in_lab)
    return {
        "scene": show.scene,
        "scenes": len(show.lecture.scenes),
        "step": show.step,
        "title": show.lecture.title,
        "layout": scene.layout,
        "words": [_page(block, folder) for block in _words(show) if block],
        # The room that what is held back will take, and not a letter of it.
        "shapes": [_shape(block, folder) for block in _held_back(show) if block],
        "coming": _coming(show, folder),
        # When the lab goes on, to show the answer, it has the whole room.
        "ask": None if show.moment else question and _asked(question, show, folder),
        "lab": lab is not None and not waits,
        "told": None if waits else moment and _drawn(show, moment),
        "panel": lab and lab.panel(moment.stage if moment else 0),
        # For all keys of the scene: what stands beside the lab's picture keeps its room.
        "panels": lab and lab.panels,
        "stages": lab and lab.stages,
        "works": bool(lab and lab.works),
        "speaks": bool(lab and ((question and (in_lab or not lab.reveal)) or _says_more(scene))),
    }


def _drawn(show: Show, moment: Moment) -> str:
    """What a lab shows, with what the class has answered in it once that may be seen."""
    question, vote = show.question_at(show.scene), show.vote
    if question is None or vote is None or not question.takes.about or show.phase < COUNTED:
        return moment.view
    if show.here.lab and show.here.lab.has_taken_class(show.moment):
        return moment.view  # they are the lab's own now
    # Once the lab goes on it shows itself what is right.
    answered = show.phase >= ANSWERED and not show.moment
    return question.takes.drawn(moment.view, moment.axes, vote.sent, answered=answered)


def _says_more(scene: LectureScene) -> bool:
    """Whether a scene has words besides its heading that stand beside its lab."""
    said = "\n".join(scene.blocks).strip()
    return bool(said.partition("\n")[2].strip() if said.startswith("#") else said)


def told_presenter(show: Show) -> dict[str, Any]:
    """What only the lecturer sees: notes, what comes next, the plan, the votes, and the kernel."""
    lecture, folder = show.lecture, show.lecture.file.parent
    upcoming = lecture.scenes[show.scene + 1] if show.scene + 1 < len(lecture.scenes) else None
    question = show.question_at(show.scene)
    takes, vote = question and question.takes, show.vote
    line = partial(_line, folder=folder)
    return {
        "name": show.here.title,
        "notes": _page(show.here.notes, folder),
        "key": _key(show),
        "next": upcoming and _line(_begins(upcoming), folder),
        "plan": [[scene.title, scene.minutes] for scene in lecture.scenes],
        "planned": lecture.planned,
        "options": [line(one) for one in takes.options] if takes else [],
        "right": [i for i, _ in enumerate(takes.options) if takes.is_right(i)] if takes else [],
        "votes": [one.counts for one in vote.rounds] if vote else [],
        "hands": vote.rounds[-1].hands if vote else [],
        "sums": takes.in_words(vote.sent) if takes and vote else "",
        "words": vote.listed if vote and takes and takes.IS_FREE else [],
        "truth": takes.right_words(str) if takes else "",
        "open": bool(vote and vote.is_open),
        "alive": show.alive,
        "problem": show.problem,
    }


def told_phone(show: Show, device: str) -> dict[str, Any]:
    """What a phone shows: the question, its own answer, and what is right once the room sees it."""
    question, ballot, told = show.question_at(show.scene), show.ballot, show.lecture.title
    if question is None or show.vote is None:
        return {"title": told, "ballot": None}
    line = partial(_line, folder=show.lecture.file.parent)
    vote, takes, asks = show.vote, question.takes, line(question.asks)
    phones = vote.rounds[-1].phones
    # What was damaged where it was saved is none.
    chosen, *_ = [*takes.known_of([phones[device]] if device in phones else []), None]
    if ballot is not None:
        now = {"ballot": ballot, "round": len(vote.rounds), "asks": asks, "chosen": chosen}
        return {"title": told, **now, takes.SIGN: takes.control(line)}
    if show.phase < ANSWERED:
        return {"title": told, "ballot": None}
    is_right = None if chosen is None else takes.is_right(chosen)
    own = {"yours": "" if chosen is None else takes.words(chosen, line), "hit": is_right}
    because = _page(question.because, show.lecture.file.parent)
    answer = {"asks": asks, **own, "right": takes.right_words(line), "because": because}
    return {"title": told, "ballot": None, "answer": answer}


def _asked(question: ClassQuestion, show: Show, folder: Path) -> dict[str, Any] | None:
    """A question as far as it is revealed: counts and answer are not sent before."""
    vote, asked, takes = show.vote, show.phase, question.takes
    if not show.has_come(question):
        return None
    line, sent = partial(_line, folder=folder), None
    if vote and asked >= COUNTED:  # what is hidden is empty
        sent = ["" if one in vote.hidden else one for one in vote.sent]
    told: dict[str, Any] = {
        "asks": line(question.asks),
        **takes.seen(line, sent, answered=asked >= ANSWERED),
        "voted": vote.total if vote and show.takes_votes else None,
        "round": len(vote.rounds) if vote else 1,
    }
    # While a second vote is open the counts of the first are not seen: they would be followed.
    if vote and asked >= COUNTED and any(one.total for one in vote.rounds):
        words, rounds = told.get("rows", ()), vote.rounds
        told["votes"] = [[[*r.phones.values()].count(w) for w in words] or r.counts for r in rounds]
    if asked < ANSWERED:
        told["shape"] = _shape(question.because, folder)
    else:
        told["because"] = _page(question.because, folder)
    return told


def told_next(show: Show) -> dict[str, Any]:
    """What the next key will show to the class, for the lecturer."""
    coming = show.following
    if coming:
        return told_audience(coming)
    end = "<p>The end of the lecture.</p>"
    return {**told_audience(show), "scene": -1, "words": [end], "ask": None, "lab": False}


def _key(show: Show) -> str:
    """What the next key brings."""
    scene, act, brings = show.here, show.turn, ""
    if act:
        key = show.next_step - scene.before(act)
        coming = scene.acts[scene.acts.index(act) + 1 :] if key == len(act.keys) else ()
        return act.keys[key - 1] + (
            f", and {coming[0].comes}" if coming and coming[0].comes else ""
        )
    if scene.lab and show.ends.get(show.scene) != show.moment:
        brings = scene.lab.brings(show.moment, show.answers)
    over = show.scene + 1 == len(show.lecture.scenes)
    return brings or ("nothing more" if over else "the next scene")


def _begins(scene: LectureScene) -> str:
    """What a scene is, in a line."""
    about = ", ".join(filter(None, (act.kind for act in scene.acts)))
    return f"**{scene.title}**" + (f" ({about})" if about else "")


def _words(show: Show) -> list[str]:
    """The words that are revealed; with its question a lab has but their heading over it."""
    acts = (act for act in show.here.acts if show.has_come(act))
    blocks = [block for act in acts for block in act.page(show.keys(act))]
    if show.here.layout == "title":
        author, *others = show.lecture.by
        about = " · ".join(filter(None, others))
        return [
            f"# {show.lecture.title}\n\n**{author}**" if author else f"# {show.lecture.title}",
            about,
            *blocks,
        ]
    if not (show.here.question and show.moment):
        return blocks
    first, _, _ = blocks[0].partition("\n") if blocks else ("", "", "")
    return [first] if first.startswith("#") else []


def _held_back(show: Show) -> list[str]:
    """The words that are still to be revealed."""
    acts = ((act, len(act.page(show.keys(act)))) for act in show.here.acts)
    return [block for act, shown in acts for block in act.page(len(act.keys))[shown:]]


def _coming(show: Show, folder: Path) -> dict[str, Any] | None:
    """The shape of a question that stands on the screen once all words are revealed."""
    question = show.question_at(show.scene)
    if question is None or show.has_come(question):
        return None
    shown = question.takes.seen(lambda text: shape(_line(text, folder)), None, answered=False)
    more = {"voted": None, "round": 1, "shape": _shape(question.because, folder)}
    return {"asks": shape(_line(question.asks, folder)), **shown, **more}


def _shape(text: str, folder: Path) -> str:
    return shape(_page(text, folder))


@lru_cache(maxsize=512)
def _line(text: str, folder: Path) -> str:
    return inline(text, folder)


@lru_cache(maxsize=512)
def _page(text: str, folder: Path) -> str:
    return as_page(text, folder) if text else ""
