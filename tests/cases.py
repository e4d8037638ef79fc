"""Many small cases in one test: the same as parametrize, without a test's cost for each of them."""

from __future__ import annotations

import inspect
from functools import partial, wraps

import pytest


def each(names, cases, ids=None):
    """Run a test for each case, to the last, then fail with every case that failed, by name.

    Used as ``pytest.mark.parametrize`` is, where cases are cheap and share no state: fixtures are
    set up once for all of them.
    """
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    given = [dict(zip(names, c if len(names) > 1 else (c,), strict=True)) for c in cases]
    if callable(ids):
        ids = [", ".join(map(ids, case.values())) for case in given]
    called = [_shown(case) for case in given] if ids is None else ids

    def decorate(test):
        @wraps(test)
        def every(*args, **fixtures):
            runs = [partial(test, *args, **fixtures, **case) for case in given]
            run_each(zip(called, runs, strict=True))

        signature = inspect.signature(test)
        left = [one for name, one in signature.parameters.items() if name not in names]
        every.__signature__ = signature.replace(parameters=left)
        return every

    return decorate


def run_each(runs):
    """Run each of some (name, function without arguments); fail with all that failed."""
    failed, n = [], 0
    for n, (name, run) in enumerate(runs, start=1):  # noqa: B007 - how many there were
        try:
            run()
        except pytest.fail.Exception as failure:  # as "did not raise", which is no Exception
            failed.append(AssertionError(str(failure)))
        except Exception as error:  # noqa: BLE001 - told below, with those of the other cases
            failed.append(error)
        else:
            continue
        failed[-1].add_note(f"case {name}")
    assert n, "there is no case"
    if failed:
        # Python prints fifteen of a group's tracebacks; the names are all here.
        names = "".join(f"\n{one.__notes__[-1]}" for one in failed)
        raise ExceptionGroup(f"{len(failed)} of {n} cases fail:{names}", failed)


def _shown(case):
    """The values of a case, cut where they get long."""
    shown = (f"{name}={getattr(value, '__name__', repr(value))}" for name, value in case.items())
    return ", ".join(one if len(one) < 300 else f"{one[:300]}…" for one in shown)
