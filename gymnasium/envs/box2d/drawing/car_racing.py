"""The race from above, the car in the lower middle of the view and pointing up: observation and pictures alike."""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.box2d._engine.bindings import Point
from gymnasium.envs.box2d._racing.track import SCALE, TRACK_DETAIL_STEP, TRACK_WIDTH, TrackPoint
from gymnasium.envs.box2d.car_dynamics import (
    HULL_COLOR,
    HULL_POLYS,
    SIZE,
    WHEEL_COLOR,
    WHEEL_R,
    WHEEL_W,
    WHEEL_WHITE,
    Car,
)
from gymnasium.envs.box2d.drawing.race_ground import GRASS_DIM, Colors, Ground
from gymnasium.envs.box2d.drawing.race_view import WINDOW_H, WINDOW_W, ZOOM, ZOOM_FOLLOW, Place, View
from gymnasium.rendering.raster import Raster

__all__ = [
    "GRASS_DIM",
    "MAX_SHAPE_DIM",
    "STATE_H",
    "STATE_W",
    "VIDEO_H",
    "VIDEO_W",
    "WINDOW_H",
    "WINDOW_W",
    "ZOOM",
    "ZOOM_FOLLOW",
    "Colors",
    "Painter",
]

STATE_W: Final = 96  # pixels of the observation
STATE_H: Final = 96
VIDEO_W: Final = 600
VIDEO_H: Final = 400
MAX_SHAPE_DIM: Final = max(GRASS_DIM, TRACK_WIDTH, TRACK_DETAIL_STEP) * sqrt(2) * ZOOM * SCALE

_BAND: Final = 1.2  # rad of a tyre
_LEAST: Final = 1e-4  # below which a bar is not drawn
_BLACK: Final = (0, 0, 0)
_WHITE: Final = (255, 255, 255)
_WHEEL_BARS: Final = ((0, 0, 255), (0, 0, 255), (51, 0, 255), (51, 0, 255))
_STEERING: Final = (0, 255, 0)
_GYRO: Final = (255, 0, 0)
_BAR_W: Final = WINDOW_W / 40.0
_BAR_H: Final = WINDOW_H / 40.0
_MARK: Final = 2.0  # window units, width of a skid mark
_SCORE: Final = (60.0, WINDOW_H - 2.5 * _BAR_H)  # middle of the text
_SCORE_H: Final = 42


class Painter:
    """Paints one episode: its track and colours, and the present position of the car.

    Args:
        track: The road's middle.
        tiles: The corners of each tile.
        colors: The colours of the episode.
    """

    def __init__(self, track: list[TrackPoint], tiles: list[list[Point]], colors: Colors) -> None:
        self._ground = Ground(track, tiles, colors)

    def visit(self, tile: int) -> None:
        """Paint a tile in the plain colour of the road."""
        self._ground.visit(tile)

    def paint(self, raster: Raster, car: Car, seconds: float, score: float, marks: bool) -> NDArray[np.uint8]:
        """Returns the view of `car`.

        Args:
            raster: The raster, with the units of the window.
            car: The car.
            seconds: The time since the episode began.
            score: The text in the corner.
            marks: Whether skid marks are drawn.
        """
        view = View(car, seconds, raster.scale)
        self._ground.paint(raster, view)
        if marks:
            for mark in car.particles:
                raster.polyline(view.field.shown(mark.poly), mark.color, _MARK * raster.scale[0])
        _paint_car(raster, view, car)
        _paint_indicators(raster, car)
        middle = (_SCORE[0] * raster.scale[0], _SCORE[1] * raster.scale[1])
        raster.text(f"{score:04.0f}", middle, _SCORE_H, _WHITE)
        return raster.pixels()


def _rectangle(front: float, rear: float) -> list[Point]:
    """Across a tyre."""
    width = WHEEL_W * SIZE
    return [(-width, front), (width, front), (width, rear), (-width, rear)]


_RADIUS: Final = WHEEL_R * SIZE
_TYRE: Final = _rectangle(_RADIUS, -_RADIUS)
_HULL: Final = [[(x * SIZE, y * SIZE) for x, y in outline] for outline in HULL_POLYS]


def _paint_car(raster: Raster, view: View, car: Car) -> None:
    for wheel in car.wheels:
        place = view.body(wheel.body)
        raster.polygon(place.shown(_TYRE), WHEEL_COLOR)
        if band := _band(wheel.phase):
            raster.polygon(place.shown(band), WHEEL_WHITE)
    for outline in _hull(view.hull):
        raster.polygon(outline, HULL_COLOR)


@lru_cache(maxsize=4)
def _hull(place: Place) -> list[list[Point]]:
    """The hull's outlines, which stay in place once the view is near."""
    return [place.shown(outline) for outline in _HULL]


def _band(phase: float) -> list[Point]:
    """The visible part of a band painted across a tyre, which rolls with it from the rear to the front."""
    # The upper half of the tyre is visible: angles, from the rear over the top to the front, of pi to 2 pi.
    start = phase % (2 * pi)
    first, last = max(start, pi), min(start + _BAND, 2 * pi)
    return _rectangle(_RADIUS * cos(last), _RADIUS * cos(first)) if first < last else []


def _paint_indicators(raster: Raster, car: Car) -> None:
    """Bars on a black band: speed, the wheels' angular velocities, steering, and the car's angular velocity."""
    width, bottom = raster.size
    bar_w, bar_h = _BAR_W * raster.scale[0], _BAR_H * raster.scale[1]
    raster.rectangle(0, bottom, width, -5 * bar_h, _BLACK)
    speed: float = car.hull.linearVelocity.length
    rising = [(5, 0.02 * speed, _WHITE)]
    rising += [(7 + i, 0.01 * wheel.omega, _WHEEL_BARS[i]) for i, wheel in enumerate(car.wheels)]
    for place, value, color in rising:
        if abs(value) > _LEAST:
            raster.rectangle(place * bar_w, bottom - bar_h, bar_w, -bar_h * value, color)
    steering, gyro = -10.0 * car.wheels[0].joint.angle, -0.8 * car.hull.angularVelocity
    for place, value, color in ((20, steering, _STEERING), (30, gyro, _GYRO)):
        if abs(value) > _LEAST:
            raster.rectangle(place * bar_w, bottom - 4 * bar_h, bar_w * value, 2 * bar_h, color)
