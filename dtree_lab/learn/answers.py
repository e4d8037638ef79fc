"""What anything that predicts says of some rows, as a column of its target."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtree_lab.table import Attribute


def answers(predictor: Any, rows: Any, target: Attribute) -> NDArray[Any]:
    """The predictions for some rows: codes of the target's classes, or floats.

    Parameters
    ----------
    predictor
        What has a ``predict(table)`` that gives one answer a row, such as a tree.
    rows
        A table, or whatever else `predictor` takes and has a length.
    target
        What is predicted; its classes are what the codes stand for.

    Returns
    -------
    numpy.ndarray
        Shape ``(n_rows,)``: int32 codes for a discrete target, float64 otherwise.

    Raises
    ------
    TypeError
        For what has no ``predict``.
    ValueError
        For a number of answers that is not that of the rows, an answer that is none of the
        classes, or a number that is not finite.
    """
    if not callable(getattr(predictor, "predict", None)):
        msg = (
            "grower must be a function of a table whose result has a predict(table), such as"
            f" dt.id3; it gave a {type(predictor).__name__}"
        )
        raise TypeError(msg)
    said = np.asarray(predictor.predict(rows))
    if said.shape != (len(rows),):
        msg = f"predict gave answers of shape {said.shape} for {len(rows)} rows"
        raise ValueError(msg)
    if target.values is None:
        return _numbers(said)
    listed = said.tolist()
    code = {v: target.code(v) for v in set(listed)}
    codes = np.array([code[v] for v in listed], dtype=np.int32)
    if (codes < 0).any():
        odd = listed[int((codes < 0).argmax())]
        msg = f"predict said {odd!r}, which is none of the classes of {target.name!r}"
        raise ValueError(msg)
    return codes


def loss(said: NDArray[Any], target: Attribute, labels: NDArray[Any]) -> float:
    """The share of wrong answers, or for numbers their mean squared error."""
    if target.values is None:
        return float(np.mean((said - labels) ** 2))
    return float(np.mean(said != labels))


def _numbers(said: NDArray[Any]) -> NDArray[np.float64]:
    numbers = said.astype(np.float64)
    if not np.isfinite(numbers).all():
        row = int((~np.isfinite(numbers)).argmax()) + 1
        msg = f"predict said {numbers[row - 1]} of row {row}; a prediction must be finite"
        raise ValueError(msg)
    return numbers
