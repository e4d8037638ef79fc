"""Twelve questions over everything, with numbers of everybody's own."""

from __future__ import annotations

import numpy as np

from dtree_lab.course.exercise import Exercise, personal
from dtree_lab.course.skills import EXAM, QUESTIONS, exam_questions, number_of
from dtree_lab.course.tasks.answers import Several


def _exam(rng: np.random.Generator) -> Exercise:
    questions = exam_questions(rng)
    parts = tuple((one.title, number_of(one)) for one in questions)
    right = [round(float(task.want), 6) for _, task in parts]
    return Exercise(
        id=EXAM,
        title="The exam",
        points=QUESTIONS,
        task=Several(parts),
        answer="my_exam",
        mistakes=(),
        more="",
        solution=f"my_exam = {right}",
        why="A point for each question; who has no name gets these.",
    )


TWELVE = personal(_exam)
