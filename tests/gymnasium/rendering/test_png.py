"""PNG files are read back with Pygame, which refuses what is not quite one."""

from __future__ import annotations

import io

import numpy as np
import pygame
import pytest

from gymnasium.rendering.png import png


@pytest.mark.parametrize(("height", "width"), [(1, 1), (5, 7), (48, 64)])
def test_a_picture_comes_back_to_the_bit(height: int, width: int) -> None:
    frame = np.random.default_rng(0).integers(0, 256, (height, width, 3), np.uint8)
    for layout in (frame, frame[::-1, ::-1]):
        data = png(layout)
        assert data is not None
        back = pygame.surfarray.array3d(pygame.image.load(io.BytesIO(data), "picture.png"))
        assert np.array_equal(back.swapaxes(0, 1), layout)


@pytest.mark.parametrize(
    "other",
    [None, [[[0, 0, 0]]], *(np.zeros(shape, np.uint8) for shape in ((4, 4), (4, 4, 4), (0, 4, 3), (4, 0, 3)))],
    ids=["nothing", "a list", "grey", "with alpha", "no rows", "no columns"],
)
def test_anything_else_is_no_picture(other: object) -> None:
    assert png(other) is None
    assert png(np.zeros((4, 4, 3))) is None
