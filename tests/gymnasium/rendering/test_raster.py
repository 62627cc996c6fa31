from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from gymnasium.rendering.raster import Raster

RED, BLUE = (255, 0, 0), (0, 0, 255)


def filled(raster: Raster) -> Raster:
    raster.fill((0, 0, 0))
    return raster


def test_units_are_stretched_over_the_picture() -> None:
    """Half of the units is half of the pixels, on both axes."""
    raster = filled(Raster((41, 20), (1000, 800), enlarged=(4, 2)))
    across, down = raster.scale
    assert raster.size == (1000 * across, 800 * down) == (164, 40)
    raster.rectangle(500 * across, 400 * down, 500 * across, 400 * down, RED)

    pixels = raster.pixels()

    assert (pixels.shape, pixels.dtype) == ((20, 41, 3), np.uint8)
    assert (pixels[10:, 21:] == RED).all()
    assert not pixels[:10].any() and not pixels[:, :20].any()


@pytest.mark.parametrize("enlarged", [(1, 1), (4, 2), (4, 4)])
def test_polygons_are_drawn_in_order_each_in_its_color(enlarged) -> None:
    raster = filled(Raster((30, 30), (30, 30), enlarged))
    square = np.array([(0.0, 0.0), (20.0, 0.0), (20.0, 20.0), (0.0, 20.0)])

    raster.polygons((np.stack([square, square + 8]) * raster.scale).tolist(), [RED, BLUE])

    pixels = raster.pixels()
    assert pixels[4, 4].tolist() == list(RED)
    assert pixels[14, 14].tolist() == list(BLUE)
    assert not pixels[2, 26].any()


def test_edges_are_smooth() -> None:
    raster = filled(Raster((20, 20), (20, 20), enlarged=(4, 4)))

    raster.polygon([(0, 0), (80, 0), (0, 80)], (255, 255, 255))

    diagonal = np.diagonal(raster.pixels()[::-1, :, 0])
    assert ((diagonal > 60) & (diagonal < 220)).all()


def test_a_rectangle_may_grow_to_the_left_and_up() -> None:
    one, other = (filled(Raster((20, 20), (20, 20), enlarged=(2, 2))) for _ in range(2))
    one.rectangle(20, 20, -8, -12, RED)
    other.rectangle(12, 8, 8, 12, RED)

    assert (one.pixels() == other.pixels()).all()
    assert one.pixels().any()


def test_lines_and_text_are_seen() -> None:
    raster = filled(Raster((60, 30), (600, 300), enlarged=(4, 2)))
    raster.polyline([(0, 2), (236, 2)], RED, 4)
    raster.text("0042", (120, 40), 100, (255, 255, 255))

    pixels = raster.pixels()

    assert (pixels[1] == RED).all(axis=1).sum() > 50
    rows, columns = np.nonzero(pixels[:, :, 1] > 100)
    assert abs(columns.mean() - 30) < 3
    assert abs(rows.mean() - 20) < 3


@pytest.mark.parametrize("shift", [(0.5, 0.0), (0.0, 0.25), (0.25, 0.75)])
def test_a_text_may_stand_between_sub_pixels(shift) -> None:
    """The middle of its light moves by as much."""

    def middle(x: float, y: float) -> NDArray[np.float64]:
        raster = filled(Raster((60, 30), (600, 300), enlarged=(1, 1)))
        raster.text("0", (x, y), 100, (255, 255, 255))
        light = raster.pixels()[:, :, 0].astype(float)
        return np.array([(light.sum(axis) * np.arange(light.shape[1 - axis])).sum() / light.sum() for axis in (0, 1)])

    moved = middle(30 + shift[0], 15 + shift[1]) - middle(30, 15)
    assert moved == pytest.approx(shift, abs=0.1)


def test_texts_are_written_after_pygame_has_quit() -> None:
    pygame = pytest.importorskip("pygame")
    raster = filled(Raster((60, 30), (600, 300), enlarged=(1, 1)))
    raster.text("17", (30, 15), 100, RED)
    before = raster.pixels()
    pygame.quit()
    raster.text("4", (30, 15), 100, RED)
    assert (raster.pixels() != before).any()


def test_a_darker_picture_loses_as_much_everywhere_but_in_black() -> None:
    raster = Raster((20, 20), (20, 20), enlarged=(4, 2), darker=2)
    raster.fill((0, 100, 255))
    assert (raster.pixels() == (0, 98, 253)).all()


def test_a_picture_is_a_copy() -> None:
    raster = filled(Raster((5, 5), (5, 5), enlarged=(1, 1)))
    before = raster.pixels()
    raster.fill(RED)

    assert not before.any()
    assert (raster.pixels() == RED).all()
