"""What the laws of exercises are tried on."""

from __future__ import annotations

from course.laws import Laws, tried_on


def pytest_generate_tests(metafunc):
    """Each law once for each exercise, mistake or hostile answer of the class's lesson."""
    if metafunc.cls is None or not issubclass(metafunc.cls, Laws):
        return
    for parameter, (values, ids) in tried_on(metafunc.cls.lesson).items():
        if parameter in metafunc.fixturenames:
            metafunc.parametrize(parameter, values, ids=ids)
