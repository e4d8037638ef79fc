"""The exercise on how likely a row is to be left out."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from dtree_lab.course.exercise import Exercise, Mistake, drawn_until, personal
from dtree_lab.course.tasks import Number

if TYPE_CHECKING:
    import numpy as np

_APART = 0.004


def _left_out(rng: np.random.Generator) -> Exercise:
    return drawn_until(
        "boosting/left-out",
        lambda: _left_out_of(int(rng.integers(5, 13)), int(rng.integers(4, 13))),
        _apart,
    )


def _apart(one: Exercise) -> bool:
    numbers = [one.task.run(mistake.wrong)[0].value for mistake in one.mistakes]
    numbers.append((1 - 1 / one.data["rows"]) ** one.data["draws"])
    return bool(min(abs(x - y) for i, x in enumerate(numbers) for y in numbers[:i]) > _APART)


def _mistaken(n: int, d: int) -> tuple[Mistake, ...]:
    stays = 1 - 1 / n
    return (
        Mistake(
            1 - stays**d,
            "That is how likely the row is to be *in* the sample. Asked for is the opposite.",
        ),
        Mistake(
            math.exp(-1),
            "1/e is what it comes to for very many rows and as many draws. Here there are few,"
            " and not as many draws as rows.",
        ),
        Mistake(
            (1 - 1 / d) ** n,
            "Rows and draws have changed places: at each *draw* one of the *rows* is taken.",
        ),
        Mistake(
            stays**n,
            "You let as many draws happen as there are rows. Look at the number of draws once"
            " more.",
        ),
        Mistake(
            stays,
            "That is for a single draw. The row must escape all of them, and each is free of"
            " the others.",
        ),
        Mistake(
            math.exp(-d / n),
            "That is what it comes to for very many rows. Here there are few: do not put e in the"
            " place of the power.",
        ),
        Mistake(
            1 - d / n,
            "That is a single chance taken once for each draw, and off it goes from 1. It would be"
            " right if the rows were *not* put back. Chances of draws that are free of one another"
            " are multiplied.",
        ),
        Mistake(
            1 / n**d,
            "That is how likely the row is to be taken at *every* draw. It is to be taken at none.",
        ),
    )


def _left_out_of(n: int, d: int) -> Exercise:
    stays = 1 - 1 / n
    return Exercise(
        id="boosting/left-out",
        title="The chance of being left out",
        points=2,
        heading="left out",
        text="""Here the number of draws, with replacement, is not the number of rows. How likely is
it that the first row is **never** drawn? (Within 0.001.)

```python
bag = dt.course.data("boosting/left-out", me)
bag
```""",
        stub="p_left_out = ...",
        answer="p_left_out",
        data={"rows": n, "draws": d},
        task=Number(stays**d),
        mistakes=_mistaken(n, d),
        more="At one draw, how likely is it that another row is taken? The draws do not know of one"
        " another, so the chances are multiplied: once for each draw.",
        solution='p_left_out = (1 - 1 / bag["rows"]) ** bag["draws"]',
        why="At each draw the row escapes with probability 1 - 1/n, and it must escape every time.",
    )


LEFT_OUT = personal(_left_out)
