from __future__ import annotations

import numpy as np
import pytest

from gymnasium.rendering.raster import Raster

RED, BLUE = (255, 0, 0), (0, 0, 255)


def filled(raster: Raster) -> Raster:
    raster.fill((0, 0, 0))
    return raster


def test_units_are_stretched_over_the_picture() -> None:
    """Half of the units is half of the pixels, on both axes."""
    raster = filled(Raster((40, 20), (1000, 800), enlarged=4))
    raster.rectangle(500, 400, 500, 400, RED)

    pixels = raster.pixels()

    assert (pixels.shape, pixels.dtype) == ((20, 40, 3), np.uint8)
    assert (pixels[10:, 20:] == RED).all()
    assert not pixels[:10].any() and not pixels[:, :20].any()


@pytest.mark.parametrize("enlarged", [1, 2, 4])
def test_polygons_are_drawn_in_order_each_in_its_color(enlarged) -> None:
    raster = filled(Raster((30, 30), (30, 30), enlarged))
    square = np.array([(0.0, 0.0), (20.0, 0.0), (20.0, 20.0), (0.0, 20.0)])

    raster.polygons(np.stack([square, square + 8]), [RED, BLUE])

    pixels = raster.pixels()
    assert pixels[4, 4].tolist() == list(RED)
    assert pixels[14, 14].tolist() == list(BLUE)
    assert not pixels[2, 26].any()


def test_edges_are_smooth() -> None:
    raster = filled(Raster((20, 20), (20, 20), enlarged=4))

    raster.polygon([(0, 0), (20, 0), (0, 20)], (255, 255, 255))

    diagonal = np.diagonal(raster.pixels()[::-1, :, 0])
    assert ((diagonal > 60) & (diagonal < 220)).all()


def test_a_rectangle_may_grow_to_the_left_and_up() -> None:
    one, other = (filled(Raster((20, 20), (20, 20), enlarged=2)) for _ in range(2))
    one.rectangle(10, 10, -4, -6, RED)
    other.rectangle(6, 4, 4, 6, RED)

    assert (one.pixels() == other.pixels()).all()
    assert one.pixels().any()


def test_lines_and_text_are_seen() -> None:
    raster = filled(Raster((60, 30), (600, 300), enlarged=2))
    raster.polyline([(0, 10), (590, 10)], RED, 20)
    raster.text("0042", (300, 200), 100, (255, 255, 255))

    pixels = raster.pixels()

    assert (pixels[1] == RED).all(axis=1).sum() > 50
    rows, columns = np.nonzero(pixels[:, :, 1] > 100)
    assert abs(columns.mean() - 30) < 3
    assert abs(rows.mean() - 20) < 3


def test_a_picture_is_a_copy() -> None:
    raster = filled(Raster((5, 5), (5, 5), enlarged=1))
    before = raster.pixels()
    raster.fill(RED)

    assert not before.any()
    assert (raster.pixels() == RED).all()
