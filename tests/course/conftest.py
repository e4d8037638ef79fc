"""What the laws of exercises are tried on."""

from __future__ import annotations

import dtree_lab as dt
from course.laws import Laws


def pytest_generate_tests(metafunc):
    """Each law once for each exercise of the class's lesson."""
    if "exercise" in metafunc.fixturenames and issubclass(metafunc.cls or object, Laws):
        exercises = dt.course.exercises(metafunc.cls.lesson)
        metafunc.parametrize("exercise", exercises, ids=[one.id for one in exercises])
