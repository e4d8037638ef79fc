"""Training a detector: boosting over thousands of rectangle features, then on its own mistakes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.learn.boost.api import adaboost
from dtree_lab.learn.boost.detector import CLASSES, Detector, checked_image, checked_images
from dtree_lab.learn.boost.haar import all_features, features_of
from dtree_lab.learn.boost.windows import all_scales, shrunk
from dtree_lab.learn.repeats import repeated
from dtree_lab.table import Attribute, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from dtree_lab.learn.boost.boosted import Boosted
    from dtree_lab.learn.boost.haar import Feature

# A background can be wrong all over; so many of its windows, the clearest, are enough to learn.
_MOST_MISTAKES = 60


def train_detector(  # noqa: PLR0913 - keywords are a contract
    faces: NDArray[Any],
    others: NDArray[Any],
    *,
    n_stumps: int = 50,
    criterion: str = "gini",
    step: int | None = None,
    backgrounds: Iterable[NDArray[Any]] = (),
    passes: int = 1,
    n_jobs: int | None = None,
) -> Detector:
    """Boost stumps that look at rectangles of small images.

    Parameters
    ----------
    faces, others
        Greys from 0 to 255, shape ``(n_images, size, size)``: what is to be found, and what not.
        Both begin with half of all weight.
    n_stumps, criterion
        As for :func:`dtree_lab.adaboost`. Each stump is one feature and a threshold.
    step
        Features are looked for at multiples of so many pixels; an eighth of the size if not given.
        A smaller step sees more and takes longer.
    backgrounds
        Larger images in which there is nothing to be found, to learn from mistakes: windows that
        are taken for faces are added to the others, and the detector is trained anew. An image has
        thousands of windows, so a detector that is wrong once in a hundred is wrong everywhere.
    passes
        How often that is done at most.
    n_jobs
        How many backgrounds are searched at once; see :mod:`dtree_lab.learn.repeats`. Boosting
        itself goes round by round.

    Returns
    -------
    Detector
        It keeps the features that its stumps ask.

    Raises
    ------
    ValueError, TypeError
        For what are no images, images of two sizes, or keywords out of range.

    Notes
    -----
    Viola and Jones (2004), Robust real-time face detection, International Journal of Computer
    Vision 57, 137-154. Learning from mistakes on backgrounds is Sung and Poggio's bootstrap (1998,
    Example-based learning for view-based human face detection, IEEE PAMI 20, 39-51).

    Examples
    --------
    >>> from dtree_lab import images
    >>> faces, others = images.draw("face", 60), images.draw("upside down", 60)
    >>> detector = train_detector(faces, others, n_stumps=3)
    >>> int(detector.predict(faces).sum())
    60
    """
    faces = checked_images("faces", faces)
    others = checked_images("others", others, faces.shape[1])
    searched = [checked_image("a background", one) for one in backgrounds]
    if isinstance(passes, bool) or not isinstance(passes, int | np.integer) or passes < 0:
        msg = f"passes={passes!r} must be a whole number, at least 0"
        raise ValueError(msg)
    size = faces.shape[1]
    chosen = all_features(size, max(size // 8, 1) if step is None else step)
    boosting = {"n_stumps": n_stumps, "criterion": criterion}
    for _ in range(passes if searched else 0):
        detector = _trained(faces, others, chosen, boosting)
        tasks = [(detector, one) for one in searched]
        wrong = repeated(_mistakes, tasks, what="searching backgrounds", n_jobs=n_jobs)
        if not sum(map(len, wrong)):
            return detector
        others = np.concatenate([others, *wrong])
    return _trained(faces, others, chosen, boosting)


def feature_table(faces: NDArray[Any], others: NDArray[Any], chosen: Sequence[Feature]) -> Table:
    """The table that a detector is boosted on: a row for each image, a column for each feature.

    Parameters
    ----------
    faces, others
        Greys, shape ``(n_images, size, size)``.
    chosen
        Features, such as all of :func:`~dtree_lab.learn.boost.haar.all_features`.

    Examples
    --------
    >>> from dtree_lab import images
    >>> faces, others = images.draw("face", 9), images.draw("other", 11)
    >>> table = feature_table(faces, others, all_features(24, step=6))
    >>> table.n_rows, len(table.attributes), table.target.values
    (20, 136, ('other', 'face'))
    """
    values = np.concatenate([features_of(some, chosen) for some in (faces, others)])
    labels = np.repeat(np.array([1, 0], dtype=np.int32), [len(faces), len(others)])
    columns = tuple(np.ascontiguousarray(values.T, dtype=np.float64))
    attributes = tuple(Attribute(one.name) for one in chosen)
    return Table(attributes, Attribute("shows", CLASSES), columns, labels)


def _trained(
    faces: NDArray[Any],
    others: NDArray[Any],
    chosen: Sequence[Feature],
    boosting: dict[str, Any],
) -> Detector:
    table = feature_table(faces, others, chosen)
    n = table.counts()
    boosted = adaboost(table, weights=0.5 / n[table.labels], **boosting)
    asked, slim = _asked(boosted)
    if not asked:
        msg = "no feature tells the faces from the others: there is no other, or all are alike"
        raise ValueError(msg)
    features = tuple(chosen[i] for i in asked)
    detector = Detector(faces.shape[1], features, slim, 0.0)
    scores = np.sort(detector.scores(faces))
    return replace(detector, threshold=float(scores[len(scores) // 10]))


def _asked(boosted: Boosted) -> tuple[list[int], Boosted]:
    """The attributes that are asked, and the same stumps with no others."""
    asked = sorted({int(a) for tree in boosted.stumps for a in tree.flat.attr if a >= 0})
    place = np.full(len(boosted.attributes) + 1, -1, dtype=np.int32)  # a leaf's -1 finds the last
    place[asked] = np.arange(len(asked))
    attributes = tuple(boosted.attributes[i] for i in asked)
    stumps = tuple(
        replace(tree, attributes=attributes, flat=replace(tree.flat, attr=place[tree.flat.attr]))
        for tree in boosted.stumps
    )
    return asked, replace(boosted, attributes=attributes, stumps=stumps)


def _mistakes(detector: Detector, background: NDArray[Any]) -> NDArray[Any]:
    """The windows of a background that are taken for faces, the clearest first."""
    size, found = detector.size, []
    for scale in all_scales(background.shape, size):
        small = shrunk(background, scale)
        for top, left, score in detector.windows(small, 0.0):
            found.append((-score, scale, top, left, small[top : top + size, left : left + size]))
    found.sort(key=lambda one: one[:4])
    shown = [window for *_, window in found[:_MOST_MISTAKES]]
    return np.array(shown, dtype=np.uint8).reshape(-1, size, size)
