"""Shapes on a canvas, without a display."""

from __future__ import annotations

import subprocess
import sys
from math import pi

import numpy as np
import pytest

from gymnasium.error import DependencyNotInstalled
from gymnasium.rendering import Canvas
from gymnasium.rendering.brush import Brush
from gymnasium.rendering.canvas import rotated
from gymnasium.rendering.pixels import reduced

WHITE = (255, 255, 255)
BLACK = (0, 0, 0)
RED = (255, 0, 0)


def ink(canvas: Canvas) -> float:
    """How many pixels' worth of black is on a white canvas."""
    return float((255.0 - canvas.pixels()[:, :, 0]).sum() / 255)


def test_pixels_are_rows_by_columns_of_rgb() -> None:
    canvas = Canvas(30, 20, background=(1, 2, 3))
    pixels = canvas.pixels()
    assert pixels.shape == (20, 30, 3)
    assert pixels.dtype == np.uint8
    assert (pixels == (1, 2, 3)).all()


def test_pixels_are_a_writable_copy() -> None:
    canvas = Canvas(3, 3)
    canvas.pixels()[:] = 0
    assert (canvas.pixels() == 255).all()
    assert canvas.pixels().flags.c_contiguous


def test_y_points_down() -> None:
    canvas = Canvas(10, 10)
    canvas.rectangle(2, 0, 3, 1, RED)
    assert (canvas.pixels()[0, 2:5] == RED).all()
    assert (canvas.pixels()[1:] == 255).all()


@pytest.mark.parametrize(
    ("draw", "area"),
    [
        (lambda c: c.rectangle(10.5, 20.25, 30, 8.5, BLACK), 30 * 8.5),
        (lambda c: c.circle((50, 50), 20, BLACK), pi * 400),
        (lambda c: c.ellipse((50, 50), 30, 10, BLACK), pi * 300),
        (lambda c: c.polygon([(10, 10), (70, 10), (10, 50)], BLACK), 1200),
        (lambda c: c.line((20, 50), (70, 50), BLACK, 6), 50 * 6 + pi * 9),
        (lambda c: c.polyline([(20, 20), (60, 20), (60, 60), (20, 60)], BLACK, 4, closed=True), 160 * 4),
        (lambda c: Brush(c, 10, 10, 2).circle((20, 20), 10, BLACK), pi * 400),
        (lambda c: Brush(c, 10, 10, 2).rectangle(5, 5, 20, 10, BLACK), 40 * 20),
    ],
)
def test_a_shape_covers_its_area(draw, area) -> None:
    """Anti-aliased edges count in part, so ink is area up to the enlargement's rounding."""
    canvas = Canvas(100, 100)
    draw(canvas)
    assert ink(canvas) == pytest.approx(area, rel=0.06)


def test_edges_are_anti_aliased_and_keep_the_hue() -> None:
    canvas = Canvas(40, 40)
    canvas.circle((20, 20), 12, RED)
    shades = np.unique(canvas.pixels().reshape(-1, 3), axis=0)
    assert len(shades) > 4
    assert (shades[:, 0] == 255).all()


def test_half_a_pixel_of_movement_shows() -> None:
    here, there = Canvas(40, 40), Canvas(40, 40)
    here.circle((20, 20), 8, BLACK)
    there.circle((20.5, 20), 8, BLACK)
    assert (here.pixels() != there.pixels()).any()


def test_opacity_mixes() -> None:
    canvas = Canvas(10, 10)
    canvas.rectangle(0, 0, 10, 10, (0, 0, 0, 128))
    assert canvas.pixels()[5, 5, 0] == pytest.approx(127, abs=2)


@pytest.mark.parametrize("far", [-1e6, 1e6])
def test_what_lies_outside_is_not_drawn(far) -> None:
    canvas = Canvas(50, 50)
    canvas.circle((far, 25), 10, BLACK)
    canvas.polygon([(far, far), (far + 5, far), (far, far + 5)], BLACK)
    assert ink(canvas) == 0


@pytest.mark.parametrize("x", [-5.0, 45.0])
def test_a_shape_is_cut_at_the_border(x) -> None:
    canvas = Canvas(40, 40)
    canvas.rectangle(x, 10, 10, 10, BLACK)
    canvas.rectangle(-5, 30, 10, 4, BLACK)
    assert ink(canvas) == pytest.approx((50 if x < 0 else 0) + 20)


def test_a_transparent_canvas_is_pasted_where_it_was_drawn_on() -> None:
    stamp = Canvas(10, 10, background=None)
    stamp.rectangle(0, 0, 10, 5, RED)
    canvas = Canvas(30, 30, background=(0, 0, 255))
    canvas.paste(stamp, (10, 10))
    assert (canvas.pixels()[10:15, 10:20] == RED).all()
    assert (canvas.pixels()[15:20, 10:20] == (0, 0, 255)).all()


@pytest.mark.parametrize("color", [RED, (255, 0, 0, 100)])
def test_a_transparent_canvas_pasted_is_as_if_drawn_there(color) -> None:
    """Edges and translucent colours too."""
    stamp, pasted, drawn = Canvas(20, 20, background=None), *(Canvas(30, 30, (0, 90, 255)) for _ in range(2))
    stamp.circle((9.3, 8.6), 6, color)
    stamp.text("x", (9.2, 9.2), 20, color)
    pasted.paste(stamp, (5, 5))
    drawn.circle((14.3, 13.6), 6, color)
    drawn.text("x", (14.2, 14.2), 20, color)
    assert np.abs(pasted.pixels().astype(int) - drawn.pixels()).max() <= 4


def test_a_transparent_canvas_is_black_where_nothing_is() -> None:
    stamp = Canvas(10, 10, background=None)
    stamp.rectangle(0, 0, 5, 10, RED)
    assert (stamp.pixels()[:, :5] == RED).all()
    assert not stamp.pixels()[:, 5:].any()


def test_light_is_added() -> None:
    canvas, light = Canvas(10, 10, (100, 200, 0)), Canvas(4, 4, (50, 100, 7))
    canvas.paste(light, (3, 3), glowing=True)
    assert (canvas.pixels()[3:7, 3:7] == (150, 255, 7)).all()
    assert (canvas.pixels()[:3] == (100, 200, 0)).all()


def test_polygons_are_laid_one_upon_the_other() -> None:
    """As if drawn one by one, but for the edges that they share."""
    outlines = [[(5, 5), (30, 7), (17, 32)], [(12, 10), (22, 10), (17, 20)]]
    together, apart = Canvas(40, 40), Canvas(40, 40)
    together.polygons(outlines, [RED, BLACK])
    for outline, color in zip(outlines, (RED, BLACK), strict=True):
        apart.polygon(outline, color)
    assert np.abs(together.pixels().astype(int) - apart.pixels()).max() <= 4
    assert tuple(together.pixels()[13, 17]) == BLACK


@pytest.mark.parametrize("background", [(255, 255, 255), None])
def test_an_area_is_nearly_the_polygon(background) -> None:
    """Also on a transparent canvas, and where it reaches beyond the canvas."""
    outline = [(-30.0, 20.3), (61.5, 8.2), (90.7, 70.0), (20.1, 130.0)]
    quick, exact = Canvas(100, 100), Canvas(100, 100)
    on = quick if background else Canvas(100, 100, None)
    on.area(outline, RED)
    if on is not quick:
        quick.paste(on)
    exact.polygon(outline, RED)
    off = np.abs(quick.pixels().astype(int) - exact.pixels()).max(axis=2)
    assert (off > 0).sum() < 2 * 250  # the edge's length in pixels, on both of its sides
    assert off.sum() / 255 < 0.6 * 250


@pytest.mark.parametrize("end", [(45.0, 20.0), (20.0, 45.0), (40.5, 37.25), (1e6, 20.0)])
def test_a_ray_is_a_line_one_pixel_wide(end) -> None:
    canvas = Canvas(50, 50)
    canvas.rays((20.0, 20.0), [end], BLACK)
    x, y = min(end[0], 50.0), min(end[1], 50.0)
    assert ink(canvas) == pytest.approx(max(x - 20, y - 20), abs=4)
    assert (canvas.pixels()[:18] == 255).all()
    assert (canvas.pixels()[:, :18] == 255).all()


def test_rows_change_from_one_color_to_another() -> None:
    canvas = Canvas(5, 20)
    canvas.shade(4, 14, (0, 100, 200), (100, 100, 100))
    rows = canvas.pixels()
    assert (rows[4] == (0, 100, 200)).all()
    assert (rows[9] == (50, 100, 150)).all()
    assert (rows[13] == (90, 100, 110)).all()
    assert (rows[:4] == 255).all() and (rows[14:] == 255).all()


def test_a_quarter_turn_is_clockwise() -> None:
    canvas = Canvas(4, 2)
    canvas.rectangle(0, 0, 1, 1, RED)  # top left
    turned = canvas.turned(1)
    assert turned.size == (2, 4)
    assert tuple(turned.pixels()[0, 1]) == RED  # top right
    assert (canvas.turned(4).pixels() == canvas.pixels()).all()


def test_rotated_is_clockwise_for_the_viewer() -> None:
    assert rotated([(1.0, 0.0)], pi / 2) == [pytest.approx((0, 1))]
    assert rotated([(3.0, 2.0)], pi, around=(2.0, 2.0)) == [pytest.approx((1, 2))]


def test_text_lies_at_its_anchor() -> None:
    left, right = Canvas(100, 40), Canvas(100, 40)
    left.text("Hg", (50, 20), 24, BLACK, "midright")
    right.text("Hg", (50, 20), 24, BLACK, "midleft")
    assert ink(left) == ink(right) > 20
    assert (left.pixels()[:, 50:] == 255).all()
    assert (right.pixels()[:, :50] == 255).all()


def test_text_survives_the_program_leaving_pygame() -> None:
    import pygame

    before, after = Canvas(40, 20), Canvas(40, 20)
    before.text("A1", (20, 10), 18, BLACK)
    pygame.quit()
    after.text("A1", (20, 10), 18, BLACK)
    after.text("B2", (20, 10), 18, (0, 0, 0, 0))
    assert (before.pixels() == after.pixels()).all()


def test_an_unknown_anchor_is_refused() -> None:
    with pytest.raises(ValueError, match=r"midleft.*'middle'"):
        Canvas(10, 10).text("x", (0, 0), 10, BLACK, "middle")


@pytest.mark.parametrize(("width", "height"), [(0, 5), (5, -1)])
def test_a_canvas_without_pixels_is_refused(width, height) -> None:
    with pytest.raises(ValueError, match=f"{width}x{height}"):
        Canvas(width, height)


@pytest.mark.parametrize(
    ("library", "distribution", "use"),
    [
        ("pygame", "pygame-ce", "Canvas(4, 4)"),
        ("pygame", "pygame-ce", "Window('title', 30)"),
        ("av", "av", "VideoWriter('film.mp4', 30)"),
    ],
)
def test_a_missing_library_is_named_with_its_distribution(library, distribution, use, monkeypatch) -> None:
    import gymnasium.rendering

    # moviepy writes videos where `av` is missing; another test may have imported its module.
    for module in {library, "moviepy", "moviepy.video.io.ffmpeg_writer"}:
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(DependencyNotInstalled) as raised:
        eval(use, vars(gymnasium.rendering))
    assert f'pip install "{distribution}>=' in str(raised.value)


def test_importing_the_package_imports_neither_library() -> None:
    program = "import sys, gymnasium.rendering; assert not {'pygame', 'av'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_a_canvas_at_another_scale_shows_the_same_smaller() -> None:
    large, small = (Canvas(200, 100, (250, 250, 250), scale) for scale in (1.0, 0.5))
    for canvas in (large, small):
        canvas.shade(0, 40, (200, 0, 0), (0, 0, 200))
        canvas.hill([(0, 80), (90, 55), (200, 70)], (20, 120, 20))
        canvas.polygon([(20, 20), (60, 24), (50, 60)], (90, 40, 10))
        canvas.polyline([(100, 10), (150, 40), (180, 20)], (0, 0, 0), 6)
        canvas.circle((140, 70), 18, (240, 200, 0, 128))
        canvas.rectangle(20, 70, 30, 20, (0, 90, 90), radius=6)
        stamp = Canvas(20, 20, None, canvas.scale)
        stamp.circle((10, 10), 9, (0, 0, 0))
        canvas.paste(stamp, (76, 14))
    shown = small.pixels()

    assert shown.shape == (50, 100, 3)
    assert np.abs(shown.astype(int) - reduced(large.pixels(), (100, 50))).mean() < 5
    assert stamp.turned(1).size == (20, 20)
    with pytest.raises(ValueError, match=r"scale 0\.5 cannot be pasted"):
        large.paste(small)


def test_parts_are_parts_of_the_whole() -> None:
    """Row by row, each as large as a canvas of its scale, and nothing on one is seen on those beside it."""
    whole = Canvas(60, 20, (0, 0, 0))
    parts = whole.parts(3, 2, (80, 40))
    assert {(part.size, part.scale) for part in parts} == {((80, 40), 0.25)}
    for k, part in enumerate(parts):
        part.fill((40 * k, 0, 0))
        part.circle((80, 40), 30, (0, 200, 0))
    alone = Canvas(80, 40, (0, 0, 0), 0.25)
    alone.circle((80, 40), 30, (0, 200, 0))

    shown = whole.pixels()
    for k in range(6):
        tile = shown[k // 3 * 10 :, k % 3 * 20 :][:10, :20]
        assert tile[0, 0].tolist() == [40 * k, 0, 0]
        np.testing.assert_array_equal(tile[:, :, 1], alone.pixels()[:, :, 1])


@pytest.mark.parametrize("scale", [0.25, 1.0])
def test_stamps_are_pasted_at_pixels(scale: float) -> None:
    stamp = Canvas(20, 20, None, scale)
    stamp.circle((10, 10), 8, (200, 100, 0, 128))
    stamped, pasted = (Canvas(100, 100, (0, 0, 90), scale) for _ in range(2))
    places = [(3, 4), (4, 4), (-2, 20)]
    stamped.stamp([stamp] * 3, places)
    pasted.paste_all([(stamp, (x / scale, y / scale)) for x, y in places])
    np.testing.assert_array_equal(stamped.pixels(), pasted.pixels())


@pytest.mark.parametrize("width", [136, 137, 144])
def test_a_backdrop_is_a_copy(width: int) -> None:
    """However wide it is: SDL copies some widths in another way."""
    drawn = Canvas(width, 30, (0, 0, 90))
    drawn.circle((60, 10), 8, (200, 100, 0))
    backdrop, canvas = drawn.backdrop(), Canvas(width, 30)
    canvas.paste(backdrop)
    drawn.fill((0, 0, 0))
    expected = backdrop.pixels()
    assert expected.any()
    np.testing.assert_array_equal(canvas.pixels(), expected)
    raw = np.frombuffer(canvas.raw(), np.uint8).reshape(30, width, 4)
    np.testing.assert_array_equal(raw[:, :, :3], expected)


def test_a_turned_copy_of_an_opaque_canvas_covers_what_is_below() -> None:
    below, above = Canvas(4, 4, (200, 0, 0)), Canvas(4, 4, (0, 0, 90))
    below.paste(above.turned(1))
    assert (below.pixels() == (0, 0, 90)).all()
