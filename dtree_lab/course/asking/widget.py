"""Cards in a notebook, of questions and of skills: labs that write answers into their cell."""

from __future__ import annotations

import os
from typing import Any

from dtree_lab.base.terminal import terminal
from dtree_lab.course.asking import model as card
from dtree_lab.course.asking.model import Answerer, Asked, AskState
from dtree_lab.course.asking.series import ExamState, SkillState
from dtree_lab.course.cards import Card
from dtree_lab.course.skills import EXAM
from dtree_lab.labs.kit.keeping import CallSought, with_arguments
from dtree_lab.labs.kit.model import Model
from dtree_lab.labs.lab_widget import Lab


class AskCard(Lab[AskState], Answerer):
    """A question card; made by :func:`dtree_lab.course.ask`.

    Attributes
    ----------
    about
        The id of the exercise or the guess.
    answer, first
        What was committed last, and at first; None before.
    result
        The verdict on the answer, as ``check`` or ``reveal`` give it; None before.
    """

    def __init__(self, sheet: Asked, answer: Any = None, first: Any = None) -> None:
        # What is committed is not undone: a guess could be improved once its answer has been seen.
        model = Model(card.update, card.view, card.dump, still=card.still, remembers=False)
        super().__init__(model, card.begin(sheet, answer, first))

    @property
    def about(self) -> str:  # type: ignore[override]
        """The id of what is asked."""
        return self._state.sheet.about

    @property
    def answer(self) -> Any:
        """What was committed last."""
        return self._state.answer

    @property
    def first(self) -> Any:
        """What was committed at first."""
        return self._state.first

    @property
    def result(self) -> Card | None:
        """The verdict on the answer."""
        return self._state.card

    def _ipython_display_(self) -> None:
        self.is_seen = True
        super()._ipython_display_()

    @terminal
    def __repr__(self) -> str:
        return card.as_text(self._state)

    def keep(self, source: str) -> dict[str, Any]:
        """The code of the cell that asks, with the answer in it: see labs/kit/keeping."""
        sought = CallSought("ask", "dt.course.ask(…)", "card", first=self.about)
        return vars(with_arguments(source, sought, card.arguments(self._state)))


class SeriesCard(Lab[SkillState | ExamState], Answerer):
    """A card on which skills are drawn, such as :func:`dtree_lab.course.another` makes."""

    def __init__(self, begun: SkillState | ExamState) -> None:
        model: Model[SkillState | ExamState] = Model(
            update=lambda state, action: state.after(action),
            view=lambda state: state.seen(),
            dump=lambda state: ", ".join(f"{k}={v}" for k, v in state.arguments().items()),
            remembers=False,
        )
        super().__init__(model, begun)

    about = EXAM

    @property
    def answer(self) -> Any:
        """The answers, if it is an exam, once it is handed in, or is graded as it stands."""
        state = self._state
        if not isinstance(state, ExamState) or len(state.open) == len(state.answers):
            return None
        return state.answers if state.handed or os.environ.get("NBGRADER_EXECUTION") else None

    @terminal
    def __repr__(self) -> str:
        return self._bundle()[0]

    def keep(self, source: str) -> dict[str, Any]:
        """The code of the cell that asks, with the answers in it: see labs/kit/keeping."""
        name, first = self._state.call
        sought = CallSought(name, f"dt.course.{name}(…)", "card", first=first or None)
        return vars(with_arguments(source, sought, self._state.arguments()))
