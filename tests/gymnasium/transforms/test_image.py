"""Images in grey and in other sizes."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from gymnasium.error import DependencyNotInstalled
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.transforms import image
from gymnasium.transforms.image import grayscale, resize

RGB = Box(0, 255, (4, 6, 3), np.uint8)


def test_grey_is_the_weighted_sum_without_its_fraction() -> None:
    pixels = np.array([[[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]]], np.uint8)

    assert image.gray(pixels).tolist() == [[54, 182, 18, 255]]
    assert image.gray(pixels).dtype == np.uint8


@pytest.mark.parametrize("keep_dim", [False, True])
def test_a_batch_turns_grey_image_by_image(keep_dim: bool) -> None:
    transform = grayscale(RGB, keep_dim)
    images = np.stack([RGB.sample() for _ in range(5)])

    assert transform.space == Box(0, 255, (4, 6, 1) if keep_dim else (4, 6), np.uint8)
    np.testing.assert_array_equal(transform.many(images), [transform.one(each) for each in images])
    assert transform.one(images[0]) in transform.space


@pytest.mark.parametrize("channels", [(), (1,), (3,), (4,)])
def test_a_smaller_image_holds_the_means_of_areas(channels: tuple[int, ...]) -> None:
    pixels = np.zeros((4, 6, *channels), np.uint8)
    pixels[:2, :3] = 90
    transform = resize(Box(0, 255, pixels.shape, np.uint8), (2, 2))
    smaller = transform.one(pixels)

    assert smaller in transform.space
    assert smaller.reshape(2, 2, -1)[..., 0].tolist() == [[90, 0], [0, 0]]
    np.testing.assert_array_equal(transform.many(np.stack([pixels, pixels + 1])), [smaller, smaller + 1])


@pytest.mark.parametrize(
    ("space", "error"),
    [
        (Discrete(3), TypeError),
        (Dict(a=RGB), TypeError),
        (Box(0, 255, (4, 6), np.uint8), ValueError),
        (Box(0, 255, (4, 6, 4), np.uint8), ValueError),
        (Box(0, 1, (4, 6, 3)), ValueError),
        (Box(0, 254, (4, 6, 3), np.uint8), ValueError),
        (Box(1, 255, (4, 6, 3), np.uint8), ValueError),
    ],
    ids=repr,
)
def test_only_rgb_images_turn_grey(space: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="Grayscale"):
        grayscale(space, False)


@pytest.mark.parametrize(
    ("space", "shape", "error"),
    [
        (Discrete(3), (2, 2), TypeError),
        (Box(0, 255, (4,), np.uint8), (2, 2), ValueError),
        (Box(0, 255, (1, 4, 6, 3), np.uint8), (2, 2), ValueError),
        (Box(0, 1, (4, 6)), (2, 2), ValueError),
        (RGB, 2, TypeError),
        (RGB, "22", TypeError),
        (RGB, (2, 2, 3), ValueError),
        (RGB, (2, 2.0), TypeError),
        (RGB, (0, 2), ValueError),
        (RGB, (2, -1), ValueError),
    ],
    ids=repr,
)
def test_only_images_have_a_size_and_only_positive_ones(space: Any, shape: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        resize(space, shape)


def test_a_size_may_be_a_list() -> None:
    """That is what a tuple is in JSON."""
    assert resize(RGB, [2, 3]).space == resize(RGB, (2, 3)).space


def test_missing_opencv_is_named_with_its_distribution(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cv2", None)
    with pytest.raises(DependencyNotInstalled, match=r'pip install "opencv-python-headless>=[\d.]+"'):
        resize(RGB, (2, 2))
