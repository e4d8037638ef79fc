"""A detector of faces: boosted stumps, each of which looks at a few rectangles of an image.

It is trained by boosting over thousands of rectangle features, then on its own mistakes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.checks import checked_whole
from dtree_lab.base.parallel import parallel_map
from dtree_lab.base.terminal import terminal
from dtree_lab.base.types import Floats
from dtree_lab.ensemble.adaboost import adaboost
from dtree_lab.ensemble.boosted import Boosted
from dtree_lab.images import Box, Scene
from dtree_lab.images.haar import (
    Detection,
    Feature,
    all_features,
    all_scales,
    feature_map,
    features_of,
    integral,
    shrunk,
    strongest,
)
from dtree_lab.table.table import Attribute, Table

# The classes of the table that a detector is boosted on.
OTHER, FACE = CLASSES = "other", "face"
_BRIGHTEST = 255


@dataclass(frozen=True, eq=False, repr=False)
class Detector:
    """Stumps on rectangle features that vote on whether an image shows a face.

    Made by :func:`dtree_lab.train_detector`. Nothing in it knows of faces:
    it finds whatever it was trained on.

    Attributes
    ----------
    size
        The side of the images that it was trained on, in pixels.
    features
        What the stumps look at, in the order of the attributes of `boosted`. The `rectangles` of a
        feature say where, and which of them are taken away.
    boosted
        The stumps. ``boosted.stumps[0].root.split`` names a feature by its position, and the cut.
    threshold
        What nine in ten of the faces that it was trained on score at least.
    """

    size: int
    features: tuple[Feature, ...]
    boosted: Boosted
    threshold: float

    @terminal
    def __repr__(self) -> str:
        return f"Detector of {self.size} by {self.size} pixels; {self.boosted!r}"

    def scores(self, images: NDArray[Any]) -> Floats:
        """How much more of the votes' weight is for a face: from -1 to 1, shape ``(n_images,)``.

        Parameters
        ----------
        images
            Greys from 0 to 255, shape ``(n_images, size, size)``.

        Raises
        ------
        ValueError, TypeError
            For what are no images of the detector's size.
        """
        checked = checked_images("images", images, self.size)
        return self._scores(list(features_of(checked, self.features).T.astype(np.float64)))

    def predict(self, images: NDArray[Any]) -> NDArray[np.bool_]:
        """Whether each image shows a face, shape ``(n_images,)``; raises as :meth:`scores` does."""
        return self.scores(images) > 0

    def scan(
        self,
        image: NDArray[Any] | Scene,
        *,
        scales: Sequence[float] | None = None,
        least: float | None = None,
        overlap: float = 0.2,
    ) -> tuple[Detection, ...]:
        """Look for faces, small and large, in every window of a larger image.

        Parameters
        ----------
        image
            Greys from 0 to 255, shape ``(height, width)``; or a :class:`dtree_lab.images.Scene`.
        scales
            How large the faces are, as multiples of the detector's own size, 1 or above. If not
            given: all from 1 on that fit, each 1.2 times the one before.
        least
            What a window's score must be above. Higher finds fewer faces, and fewer that are none.
            If not given: the `threshold`. In a scan a face is seen by many windows, of which the
            best is kept, so it need not do with less than most training faces have.
        overlap
            Of windows that share more of their area than this, only the strongest is kept.

        Returns
        -------
        tuple of Found
            The strongest first.

        Raises
        ------
        ValueError, TypeError
            For what is no image, or a scale below 1.

        Notes
        -----
        Viola and Jones (2004) enlarge the window; here the image is made smaller, which comes to
        the same and keeps all sums whole. Their cascade, which gives up early on windows that show
        nothing at all, is left out.
        """
        pixels = checked_image("image", image.image if isinstance(image, Scene) else image)
        wanted = all_scales(pixels.shape, self.size) if scales is None else tuple(scales)
        for scale in wanted:
            if not 1 <= scale < inf:
                raise ValueError(f"scales must be numbers, 1 or above; got {scale!r}")
        above = self.threshold if least is None else least
        return strongest(
            (
                Detection(
                    Box(round(top * scale), round(left * scale), round(self.size * scale)), score
                )
                for scale in wanted
                for top, left, score in self.windows(shrunk(pixels, scale), above)
            ),
            overlap,
        )

    def windows(self, image: NDArray[Any], least: float) -> Iterator[tuple[int, int, float]]:
        """The windows of an image whose score is above the least: top, left, score."""
        if min(image.shape) < self.size:
            return
        sums = integral(image)
        maps = [feature_map(sums, one, self.size) for one in self.features]
        scores = self._scores([one.ravel().astype(np.float64) for one in maps])
        width = maps[0].shape[1]
        for at in np.flatnonzero(scores > least).tolist():
            yield at // width, at % width, float(scores[at])

    def _scores(self, columns: list[Floats]) -> Floats:
        weights = self.boosted.summed(columns)
        scores: Floats = (weights[:, 1] - weights[:, 0]) / weights.sum(axis=1)
        return scores


def checked_images(name: str, images: Any, size: int | None = None) -> NDArray[Any]:
    """Small images of one size as an array ``(n, size, size)``; raises for what are none."""
    array = _greys(name, images)
    side = array.shape[-1] if size is None else size
    if array.ndim != 3 or array.shape[1:] != (side, side):  # noqa: PLR2004 - a stack of squares
        wanted = "(n, size, size)" if size is None else f"(n, {size}, {size})"
        raise ValueError(f"{name} must have shape {wanted}; got {array.shape}")
    if size is None and not len(array):
        raise ValueError(f"{name} must hold at least one image")
    return array


def checked_image(name: str, image: Any) -> NDArray[Any]:
    """An image as an array of shape ``(height, width)``; raises for what is none."""
    array = _greys(name, image)
    if array.ndim != 2 or not array.size:  # noqa: PLR2004 - height and width
        raise ValueError(f"{name} must have shape (height, width); got {array.shape}")
    return array


def _greys(name: str, images: Any) -> NDArray[Any]:
    array = np.asarray(images)
    if array.dtype.kind not in "ui":
        raise TypeError(f"{name} must be whole numbers, greys from 0 to 255; got {array.dtype}")
    if array.size and (array.min() < 0 or array.max() > _BRIGHTEST):
        raise ValueError(f"{name} must be greys from 0 to 255; got {array.min()} to {array.max()}")
    return array


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
        How many backgrounds are searched at once; see ``joblib.parallel_config``. Boosting
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
    checked_whole("passes", passes, 0)
    size = faces.shape[1]
    chosen = all_features(size, max(size // 8, 1) if step is None else step)
    boosting = {"n_stumps": n_stumps, "criterion": criterion}
    for _ in range(passes if searched else 0):
        detector = _trained(faces, others, chosen, boosting)
        tasks = [(detector, one) for one in searched]
        wrong = parallel_map(_mistakes, tasks, what="searching backgrounds", n_jobs=n_jobs)
        if not sum(map(len, wrong)):
            return detector
        others = np.concatenate([others, *wrong])
    return _trained(faces, others, chosen, boosting)


def feature_table(faces: NDArray[Any], others: NDArray[Any], chosen: Sequence[Feature]) -> Table:
    """The table that a detector is boosted on: a row for each image, a column for each feature."""
    values = np.concatenate([features_of(some, chosen) for some in (faces, others)])
    labels = np.repeat(np.array([1, 0], dtype=np.int32), [len(faces), len(others)])
    columns = tuple(np.ascontiguousarray(values.T, dtype=np.float64))
    attributes = tuple(Attribute(one.name) for one in chosen)
    return Table(attributes, Attribute("shows", CLASSES), columns, labels)


def _trained(
    faces: NDArray[Any], others: NDArray[Any], chosen: Sequence[Feature], boosting: dict[str, Any]
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
    found.sort(key=lambda seen: seen[:4])
    shown = [window for *_, window in found[:_MOST_MISTAKES]]
    return np.array(shown, dtype=np.uint8).reshape(-1, size, size)
