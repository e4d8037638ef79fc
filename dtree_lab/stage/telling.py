"""What each window is told of a lecture: the audience's, the presenter's, and a phone."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from dtree_lab.stage.lecture import ALL_STEPS, LETTERS, ClassQuestion, LectureScene
from dtree_lab.stage.show import ANSWERED, ASKED, COUNTED, Show
from dtree_lab.stage.words import as_page, inline, shape


def told_audience(show: Show) -> dict[str, Any]:
    """What is on the screen: nothing that has not been revealed is among it."""
    scene, folder = show.here, show.lecture.file.parent
    moment = show.shown
    # What a key is to reveal in a lab comes after its question, which has the room till then.
    waits = bool(scene.question and scene.reveal and not show.moment)
    return {
        "scene": show.scene,
        "scenes": len(show.lecture.scenes),
        "step": show.step,
        "title": show.lecture.title,
        "words": [_page(block, folder) for block in _words(show) if block],
        # The room that what is held back will take, and not a letter of it.
        "shapes": [_shape(block, folder) for block in scene.blocks[show.blocks :] if block],
        "coming": _coming(show, folder),
        # When the lab goes on, to show the answer, it has the whole room.
        "ask": None if show.moment else scene.question and _asked(scene.question, show, folder),
        "lab": scene.has_lab and not waits,
        "told": None if waits else moment and moment.told,
        "panel": _panel(scene, moment.stage if moment else 0),
    }


def _panel(scene: LectureScene, stage: int) -> list[str] | None:
    """The parts beside a lab's picture; None where the lab has an order of its own."""
    if scene.reveal and stage:
        return list(scene.reveal[min(stage, len(scene.reveal)) - 1])
    return list(scene.show) if scene.show or scene.reveal else None


def told_presenter(show: Show) -> dict[str, Any]:
    """What only the lecturer sees: notes, what comes next, the plan, the votes, and the kernel."""
    lecture, folder = show.lecture, show.lecture.file.parent
    upcoming = lecture.scenes[show.scene + 1] if show.scene + 1 < len(lecture.scenes) else None
    question = show.here.question
    vote = show.vote
    return {
        "name": show.here.title,
        "notes": _page(show.here.notes, folder),
        "key": _key(show),
        "next": upcoming and _line(_begins(upcoming), folder),
        "plan": [[scene.title, scene.minutes] for scene in lecture.scenes],
        "planned": lecture.planned,
        "options": [_line(one, folder) for one in question.options] if question else [],
        "right": sorted(question.right) if question else [],
        "votes": [one.counts for one in vote.rounds] if vote else [],
        "hands": vote.rounds[-1].hands if vote else [],
        "open": bool(vote and vote.is_open),
        "alive": show.alive,
        "problem": show.problem,
    }


def told_phone(show: Show, device: str) -> dict[str, Any]:
    """What a phone shows: the question that is put, and its own vote; never an answer."""
    vote, question, ballot = show.vote, show.here.question, show.ballot
    if vote is None or question is None or ballot is None:
        return {"title": show.lecture.title, "ballot": None}
    folder = show.lecture.file.parent
    return {
        "title": show.lecture.title,
        "ballot": ballot,
        "round": len(vote.rounds),
        "asks": _line(question.asks, folder),
        "options": [_line(one, folder) for one in question.options],
        "chosen": vote.rounds[-1].phones.get(device),
    }


def _asked(question: ClassQuestion, show: Show, folder: Path) -> dict[str, Any] | None:
    """A question as far as it is revealed: counts and answer are not sent before."""
    vote, asked = show.vote, show.asked
    if show.blocks < len(show.here.blocks):
        return None
    told: dict[str, Any] = {
        "asks": _line(question.asks, folder),
        "options": [_line(one, folder) for one in question.options],
        "letters": LETTERS[: len(question.options)],
        "voted": vote.total if vote and show.takes_votes else None,
        "round": len(vote.rounds) if vote else 1,
    }
    # While a second vote is open the counts of the first are not seen: they would be followed.
    if vote and asked >= COUNTED and any(sum(one.counts) for one in vote.rounds):
        told["votes"] = [one.counts for one in vote.rounds]
    if asked < ANSWERED:
        told["shape"] = _shape(question.because, folder)
    else:
        told |= {"right": sorted(question.right), "because": _page(question.because, folder)}
    return told


def told_next(show: Show) -> dict[str, Any]:
    """The next scene as the class will first see it, for the lecturer."""
    coming = show.following
    if coming:
        return told_audience(coming)
    end = "<p>The end of the lecture.</p>"
    return {**told_audience(show), "scene": -1, "words": [end], "ask": None, "lab": False}


def _key(show: Show) -> str:
    """What the next key brings."""
    scene = show.here
    if show.blocks < len(scene.blocks):
        last = show.blocks + 1 == len(scene.blocks)
        return "more words, and the question" if last and scene.question else "more words"
    if scene.question and show.asked == ASKED and show.vote and show.vote.total:
        return "the votes"
    if scene.question and show.asked < ANSWERED:
        return "the answer"
    if scene.has_lab and show.ends.get(show.scene) != show.moment:
        if show.moment < len(scene.reveal):
            return "in the lab: " + ", ".join(scene.reveal[show.moment])
        done, steps = show.moment - len(scene.reveal), scene.steps
        most = len(steps) if isinstance(steps, tuple) else steps
        if most == ALL_STEPS or not (scene.reveal or (scene.show and most is not None)):
            return "the lab goes on"
        if most and done < most:
            return f"step {done + 1} of {most} in the lab"
    return "the next scene" if show.scene + 1 < len(show.lecture.scenes) else "nothing more"


def _begins(scene: LectureScene) -> str:
    """What a scene is, in a line."""
    source = scene.source and Path(scene.source.name).name
    lab = scene.has_lab and f"lab {scene.lab or 'from Python'}{f' on {source}' if source else ''}"
    kinds = ["a question" if scene.question else "", lab or ""]
    about = ", ".join(one for one in kinds if one)
    return f"**{scene.title}**" + (f" ({about})" if about else "")


def _words(show: Show) -> list[str]:
    """The words that are revealed; with its question a lab has but their heading over it."""
    blocks = list(show.here.blocks[: show.blocks])
    if not (show.here.question and show.moment):
        return blocks
    first, _, _ = blocks[0].partition("\n") if blocks else ("", "", "")
    return [first] if first.startswith("#") else []


def _coming(show: Show, folder: Path) -> dict[str, Any] | None:
    """The shape of a question that stands on the screen once all words are revealed."""
    question = show.here.question
    if question is None or show.blocks == len(show.here.blocks):
        return None
    lines = [shape(_line(one, folder)) for one in (question.asks, *question.options)]
    more = {"letters": LETTERS[: len(question.options)], "voted": None, "round": 1}
    return {
        "asks": lines[0],
        "options": lines[1:],
        "shape": _shape(question.because, folder),
        **more,
    }


def _shape(text: str, folder: Path) -> str:
    return shape(_page(text, folder))


def _page(text: str, folder: Path) -> str:
    return _cached(text, folder) if text else ""


@lru_cache(maxsize=512)
def _line(text: str, folder: Path) -> str:
    return inline(text, folder)


@lru_cache(maxsize=512)
def _cached(text: str, folder: Path) -> str:
    return as_page(text, folder)
