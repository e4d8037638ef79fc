"""A detector of boosted stumps, each of which looks at two to four rectangles of an image."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.images import Box, Scene
from dtree_lab.learn.boost.haar import feature_map, features_of, integral
from dtree_lab.learn.boost.windows import Found, all_scales, shrunk, strongest
from dtree_lab.terminal import terminal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from dtree_lab.learn.boost.boosted import Boosted
    from dtree_lab.learn.boost.haar import Feature

    Floats = NDArray[np.float64]

# The classes of the table that a detector is boosted on.
OTHER, FACE = CLASSES = "other", "face"
_BRIGHTEST = 255


@dataclass(frozen=True, eq=False, repr=False)
class Detector:
    """Stumps on rectangle features that vote on whether an image shows a face.

    Made by :func:`~dtree_lab.learn.boost.training.train_detector`. Nothing in it knows of faces:
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
    ) -> tuple[Found, ...]:
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
                msg = f"scales must be numbers, 1 or above; got {scale!r}"
                raise ValueError(msg)
        above = self.threshold if least is None else least
        return strongest(
            (
                Found(Box(round(top * scale), round(left * scale), round(self.size * scale)), score)
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
    """Small images as an array of shape ``(n, size, size)``; raises for what are none.

    With a size of None, any will do, but there has to be one.
    """
    array = _greys(name, images)
    side = array.shape[-1] if size is None else size
    if array.ndim != 3 or array.shape[1:] != (side, side):  # noqa: PLR2004 - a stack of squares
        wanted = "(n, size, size)" if size is None else f"(n, {size}, {size})"
        msg = f"{name} must have shape {wanted}; got {array.shape}"
        raise ValueError(msg)
    if size is None and not len(array):
        msg = f"{name} must hold at least one image"
        raise ValueError(msg)
    return array


def checked_image(name: str, image: Any) -> NDArray[Any]:
    """An image as an array of shape ``(height, width)``; raises for what is none."""
    array = _greys(name, image)
    if array.ndim != 2 or not array.size:  # noqa: PLR2004 - height and width
        msg = f"{name} must have shape (height, width); got {array.shape}"
        raise ValueError(msg)
    return array


def _greys(name: str, images: Any) -> NDArray[Any]:
    array = np.asarray(images)
    if array.dtype.kind not in "ui":
        msg = f"{name} must be whole numbers, greys from 0 to 255; got {array.dtype}"
        raise TypeError(msg)
    if array.size and (array.min() < 0 or array.max() > _BRIGHTEST):
        msg = f"{name} must be greys from 0 to 255; got {array.min()} to {array.max()}"
        raise ValueError(msg)
    return array
