"""The images that the library draws: looked at pixel by pixel."""

from __future__ import annotations

import numpy as np
import pytest
from cases import each

from dtree_lab import images
from dtree_lab.images.painting import ellipse, rectangle


def parts_of(faces, size):
    """The mean greys of both eyes, the forehead, the cheeks and the mouth, where each should be."""

    def at(down, across):
        y, x = round(size * (0.5 + down)), round(size * (0.5 + across))
        return faces[:, y - 1 : y + 1, x - 1 : x + 1].mean(axis=(1, 2))

    return (
        at(-0.12, -0.16),
        at(-0.12, 0.16),
        at(-0.3, 0),
        at(0.11, -0.2),
        at(0.11, 0.2),
        at(0.26, 0),
    )


@pytest.mark.parametrize("size", [24, 40])
def test_a_face_has_dark_eyes_and_a_dark_mouth_in_a_bright_face(size):
    left, right, forehead, *cheeks, mouth = parts_of(images.draw("face", 300, size=size), size)
    for dark in (left, right, mouth):
        for bright in (forehead, *cheeks):
            assert (dark < bright).mean() > 0.9  # each is shifted, and some are dim and noisy
    assert ((cheeks[0] + cheeks[1]) / 2 > forehead).mean() > 0.9


def test_near_misses_lack_what_makes_a_face():
    left, right, forehead, *_, mouth = parts_of(images.draw("no eyes", 300), 24)
    # Where the eyes were is skin: as often a little darker as a little brighter than the forehead.
    assert 0.3 < (left + right < 2 * forehead).mean() < 0.7
    assert (mouth < forehead).mean() > 0.9
    *_, forehead, _, _, mouth = parts_of(images.draw("no mouth", 300), 24)
    assert 0.3 < (mouth < forehead).mean() < 0.7
    upside_down = parts_of(images.draw("upside down", 300)[:, ::-1], 24)
    assert (upside_down[0] < upside_down[2]).mean() > 0.9


def test_shapes_cover_their_area():
    stack = np.zeros((1, 60, 50))
    disc = ellipse(stack, (30, 25), (20, 10))
    assert disc.sum() == pytest.approx(np.pi * 20 * 10, rel=0.02)
    assert (disc[0, 30, 25], disc[0, 0, 0]) == (1, 0)
    # A rectangle covers part of the pixels at its edges: exactly its area.
    assert rectangle(stack, (30.25, 25.5), (7.5, 4.25)).sum() == pytest.approx(15 * 8.5)
    assert (disc[:, ::-1] == disc).all()


@each("kind", [images.FACE, images.OTHER, *images.KINDS])
def test_images_are_greys_and_the_same_every_time(kind):
    one = images.draw(kind, 25, size=20, seed=3)
    assert (one.shape, one.dtype) == ((25, 20, 20), np.uint8)
    assert (one == images.draw(kind, 25, size=20, seed=3)).all()
    assert (one != images.draw(kind, 25, size=20, seed=4)).any(axis=(1, 2)).all()
    assert len({image.tobytes() for image in one}) == 25
    assert images.draw(kind, 0).shape == (0, 24, 24)


def test_other_is_all_the_other_kinds_in_turn():
    n = len(images.KINDS)
    other = images.draw("other", 2 * n + 1, seed=5)
    for i, kind in enumerate(images.KINDS):
        assert (other[i::n] == images.draw(kind, 3 if i == 0 else 2, seed=5)).all()


@pytest.mark.parametrize("seed", range(5))
def test_a_scene_has_its_faces_where_it_says(seed):
    """In each box the eyes and the mouth are darker than the forehead."""
    scene = images.scene(3, seed=seed)
    assert (scene.image.shape, scene.image.dtype) == ((96, 144), np.uint8)
    assert len(scene.boxes) == 3
    assert scene.boxes == tuple(sorted(scene.boxes))
    for i, (top, left, size) in enumerate(scene.boxes):
        assert 24 <= size <= 40
        assert 0 <= top <= 96 - size
        assert 0 <= left <= 144 - size
        assert all(scene.boxes[i].overlap(other) == 0 for other in scene.boxes[:i])
        window = scene.image[None, top : top + size, left : left + size].astype(float)
        one, other, forehead, *_, mouth = parts_of(window, size)
        assert max(one, other, mouth) < forehead
    assert (images.scene(3, seed=seed).image == scene.image).all()


def test_scenes_of_any_shape():
    empty = images.scene(0, shape=(50, 70), sizes=(20, 30))
    assert (empty.image.shape, empty.boxes) == ((50, 70), ())
    only = images.scene(1, shape=(30, 30), sizes=(30, 30))
    assert only.boxes == (images.Box(0, 0, 30),)


@each(
    ("call", "match"),
    [
        (lambda: images.draw("faces", 3), "no kind 'faces'; .* Did you mean 'face'"),
        (lambda: images.draw("face", -1), "n=-1 must be a whole number, at least 0"),
        (lambda: images.draw("face", 2.0), "n=2.0 must be a whole number"),
        (lambda: images.draw("face", 3, size=11), "size=11 must be a whole number, at least 12"),
        (lambda: images.draw("face", 3, seed=-1), "seed=-1 must be"),
        (lambda: images.scene(-1), "n_faces=-1 must be"),
        (lambda: images.scene(1, sizes=(30, 20)), r"sizes\[1\]=20 must be .* at least 30"),
        (lambda: images.scene(1, sizes=(8, 20)), r"sizes\[0\]=8 must be .* at least 12"),
        (lambda: images.scene(1, shape=(30, 90)), "height=30 must be .* at least 40"),
        (lambda: images.scene(9, shape=(40, 40)), "no room for 9 faces of up to 40 pixels in 40"),
    ],
)
def test_what_cannot_be_drawn(call, match):
    with pytest.raises(ValueError, match=match):
        call()
