"""The detector: held to chance, to the scenes' known places, and to what it was boosted on."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from dtree_lab import images
from dtree_lab.ensemble.adaboost import adaboost
from dtree_lab.images.detector import feature_table, train_detector
from dtree_lab.images.haar import all_features, features_of, shrunk

FACES, OTHERS = images.draw("face", 200, seed=1), images.draw("other", 330, seed=1)


@pytest.fixture(scope="module")
def detector():
    backgrounds = [images.scene(0, seed=100 + i).image for i in range(6)]
    return train_detector(FACES, OTHERS, n_stumps=40, backgrounds=backgrounds)


def test_it_is_shown_as_its_stumps(detector):
    assert repr(detector).startswith("Detector of 24 by 24 pixels; 40 stumps for shows")


def test_it_tells_the_images_apart_that_it_was_trained_on(detector):
    """Boosting's bound: in it each image has its weight at the beginning, faces one half of it."""
    missed, taken = (~detector.predict(FACES)).mean(), detector.predict(OTHERS).mean()
    assert missed / 2 + taken / 2 <= detector.boosted.training_bound < 1 / 2


def test_it_has_learned_what_holds_for_other_images(detector):
    """Someone who tosses a coin is right about so many of them less than once in 10**9 times."""
    faces, others = images.draw("face", 150, seed=2), images.draw("other", 150, seed=2)
    right = int(detector.predict(faces).sum() + (~detector.predict(others)).sum())
    as_good = sum(comb(300, k) for k in range(right, 301)) / 2**300
    assert as_good < 1e-9


def test_it_is_what_adaboost_makes_of_the_table():
    """The same stumps, on the features that they ask."""
    chosen = all_features(24, step=4)
    table = feature_table(FACES, OTHERS, chosen)
    weights = [0.5 / 200] * 200 + [0.5 / 330] * 330
    boosted = adaboost(table, n_stumps=5, weights=weights)
    detector = train_detector(FACES, OTHERS, n_stumps=5, step=4)
    assert detector.boosted.weights == boosted.weights
    assert detector.predict(FACES).tolist() == [v == "face" for v in boosted.predict(table)[:200]]
    for tree, whole in zip(detector.boosted.stumps, boosted.stumps, strict=True):
        asked, cut = tree.root.split.attribute, tree.root.split.cuts
        assert detector.features[asked] == chosen[whole.root.split.attribute]
        assert detector.features[asked].name == tree.attributes[asked].name
        assert cut == whole.root.split.cuts
    asked = {tree.root.split.attribute for tree in detector.boosted.stumps}
    assert asked == set(range(len(detector.features)))


def test_a_feature_table_has_a_row_for_each_image():
    chosen = all_features(24, step=6)
    table = feature_table(FACES[:3], OTHERS[:2], chosen)
    assert table.column("shows") == ["face"] * 3 + ["other"] * 2
    values = features_of(np.concatenate([FACES[:3], OTHERS[:2]]), chosen)
    for i, one in enumerate(chosen):
        assert table.column(one.name) == values[:, i].tolist()


def test_scores_are_shares_of_the_votes(detector):
    values = features_of(FACES[:5], detector.features)
    weights = np.array(detector.boosted.weights)
    for image, score in zip(values, detector.scores(FACES[:5]), strict=True):
        row = {a.name: float(v) for a, v in zip(detector.boosted.attributes, image, strict=True)}
        for_face = np.array([tree.predict(row) == "face" for tree in detector.boosted.stumps])
        difference = weights[for_face].sum() - weights[~for_face].sum()
        assert score == pytest.approx(difference / weights.sum())


def test_nine_in_ten_faces_reach_the_threshold(detector):
    reach = (detector.scores(FACES) >= detector.threshold).sum()
    assert reach >= 180
    assert (detector.scores(FACES) > detector.threshold).sum() <= 180


@pytest.mark.parametrize("scale", [1, 1.5])
def test_windows_are_scored_as_images_are(detector, scale):
    image = shrunk(images.scene(2, seed=4).image, scale)
    found = {(top, left): score for top, left, score in detector.windows(image, -2.0)}
    height, width = image.shape
    assert len(found) == (height - 23) * (width - 23)
    rng = np.random.default_rng(0)
    for top, left in zip(
        rng.integers(0, height - 23, 9), rng.integers(0, width - 23, 9), strict=True
    ):
        window = image[None, top : top + 24, left : left + 24]
        assert found[top, left] == pytest.approx(detector.scores(window)[0])


@pytest.mark.parametrize("seed", range(4))
def test_scanning_finds_the_faces_of_a_scene(detector, seed):
    """Each face once, and nothing else.

    A window may be off by half a step of scale, 1.2, in size; by that and a pixel or two in place.
    """
    scene = images.scene(3, seed=seed)
    found = detector.scan(scene)
    assert len(found) == len(scene.boxes)
    for face in scene.boxes:
        box = max((one.box for one in found), key=face.overlap)
        assert face.size / 1.25 <= box.size <= face.size * 1.25
        for edge in ("top", "left"):
            middle = getattr(box, edge) + box.size / 2
            assert abs(middle - (getattr(face, edge) + face.size / 2)) <= face.size / 8


@pytest.mark.parametrize("seed", range(4))
def test_scanning_finds_nothing_in_an_empty_scene(detector, seed):
    assert detector.scan(images.scene(0, seed=seed)) == ()


def test_a_scan_keeps_what_is_above_the_least(detector):
    scene = images.scene(2, seed=0)
    every = detector.scan(scene, least=0.0, overlap=1.0)
    assert {one for one in every if one.score > 0.3} == set(
        detector.scan(scene.image, least=0.3, overlap=1.0)
    )
    assert all(one.box.size == 24 for one in detector.scan(scene, scales=[1], least=0.0))
    assert detector.scan(scene, scales=[]) == ()
    assert detector.scan(scene, scales=[5], least=-1) == ()  # too small an image by then
    assert detector.scan(np.zeros((10, 90), dtype=int)) == ()


def test_backgrounds_are_learned_from(detector):
    """What a detector takes for faces on its backgrounds, the next one is told."""
    background = images.scene(0, seed=100).image
    before = train_detector(FACES, OTHERS, n_stumps=5)
    after = train_detector(FACES, OTHERS, n_stumps=5, backgrounds=[background])
    wrong = len(list(before.windows(background, 0.0)))
    assert wrong > 0
    assert len(list(after.windows(background, 0.0))) < wrong
    assert (
        train_detector(FACES, OTHERS, n_stumps=5, backgrounds=[background], passes=0).boosted
        == before.boosted
    )


def test_what_cannot_be_looked_at(detector):
    with pytest.raises(ValueError, match=r"shape \(n, 24, 24\); got \(2, 20, 20\)"):
        detector.predict(np.zeros((2, 20, 20), dtype=int))
    with pytest.raises(ValueError, match=r"shape \(height, width\); got \(2, 24, 24\)"):
        detector.scan(FACES[:2])
    with pytest.raises(TypeError, match="whole numbers, greys from 0 to 255; got float64"):
        detector.scan(np.zeros((40, 40)))
    with pytest.raises(ValueError, match="greys from 0 to 255; got 0 to 300"):
        detector.scan(np.array([[0, 300]]))
    for scale in (0.5, np.nan, np.inf):
        with pytest.raises(ValueError, match="scales must be numbers, 1 or above"):
            detector.scan(images.scene(0), scales=[scale])


def test_what_cannot_be_trained_on():
    with pytest.raises(ValueError, match=r"others must have shape \(n, 24, 24\)"):
        train_detector(FACES, images.draw("other", 5, size=20))
    with pytest.raises(ValueError, match=r"faces must have shape \(n, size, size\)"):
        train_detector(FACES[0], OTHERS)
    with pytest.raises(ValueError, match="faces must hold at least one image"):
        train_detector(FACES[:0], OTHERS)
    with pytest.raises(ValueError, match="no feature tells the faces from the others"):
        train_detector(FACES[:1], FACES[:1])
    with pytest.raises(ValueError, match="no feature tells the faces from the others"):
        train_detector(FACES, OTHERS[:0])
    with pytest.raises(ValueError, match="passes=-1 must be"):
        train_detector(FACES, OTHERS, passes=-1)
    with pytest.raises(ValueError, match="step=13 must be"):
        train_detector(FACES, OTHERS, step=13)
    with pytest.raises(ValueError, match="n_stumps=0 must be"):
        train_detector(FACES, OTHERS, n_stumps=0)
