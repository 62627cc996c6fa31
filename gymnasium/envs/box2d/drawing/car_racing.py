"""The race from above, the car in the lower middle of the view and pointing up: observation and pictures alike.

All sizes of picture are drawn in the units of a window of 1000 x 800.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, hypot, pi, sin, sqrt
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

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
from gymnasium.envs.box2d.engine import Point
from gymnasium.envs.box2d.track import (
    PLAYFIELD,
    SCALE,
    TRACK_DETAIL_STEP,
    TRACK_WIDTH,
    TrackPoint,
    kerb_outline,
    kerbs,
)
from gymnasium.rendering.raster import RGB, Raster

STATE_W: Final = 96  # pixels of the observation
STATE_H: Final = 96
VIDEO_W: Final = 600
VIDEO_H: Final = 400
WINDOW_W: Final = 1000
WINDOW_H: Final = 800

ZOOM: Final = 2.7  # times SCALE: window units per metre
ZOOM_FOLLOW: Final = True  # whether the view moves with the car
GRASS_DIM: Final = PLAYFIELD / 20.0  # m, side of a square of grass
MAX_SHAPE_DIM: Final = max(GRASS_DIM, TRACK_WIDTH, TRACK_DETAIL_STEP) * sqrt(2) * ZOOM * SCALE

_FAR_ZOOM: Final = 0.1  # times SCALE, at the beginning of an episode; the view comes near within a second
_CAR_AT: Final = (WINDOW_W / 2, WINDOW_H * 3 / 4)
_FAR_CORNER: Final = hypot(*_CAR_AT)  # how far from the car the window ends
_EVEN: Final = range(-20, 20, 2)  # squares of grass, in their own sizes
_BAND: Final = 1.2  # rad of a tyre
_LEAST: Final = 1e-4  # below which a bar is not drawn
_KERBS: Final = ((255, 255, 255), (255, 0, 0))
_BLACK: Final = (0, 0, 0)
_WHITE: Final = (255, 255, 255)
_WHEEL_BARS: Final = ((0, 0, 255), (0, 0, 255), (51, 0, 255), (51, 0, 255))
_STEERING: Final = (0, 255, 0)
_GYRO: Final = (255, 0, 0)
_BAR_W: Final = WINDOW_W / 40.0
_BAR_H: Final = WINDOW_H / 40.0
_SCORE: Final = ((60, WINDOW_H - WINDOW_H * 2.5 / 40.0), 42)  # middle and height of the text


class Colors(NamedTuple):
    """What an episode is painted in."""

    road: RGB
    field: RGB
    grass: RGB


class Painter:
    """Paints one episode: its track and colours, and where the car is now.

    Args:
        track: The road's middle.
        tiles: The corners of each tile.
        colors: What it is painted in.
    """

    def __init__(self, track: list[TrackPoint], tiles: list[list[Point]], colors: Colors) -> None:
        self._colors = colors
        outlines = [_square(GRASS_DIM * x, GRASS_DIM * y, GRASS_DIM) for x in _EVEN for y in _EVEN]
        self._paint = [colors.grass] * len(outlines)
        self._tiles: list[int] = []  # where in `_paint` each tile is
        kerbed = kerbs(track)
        for i, tile in enumerate(tiles):
            self._tiles.append(len(outlines))
            outlines.append(tile)
            self._paint.append(_shaded(colors.road, i))
            if kerbed[i]:
                outlines.append(kerb_outline(track, i))
                self._paint.append(_KERBS[i % 2])
        self._corners = np.array(outlines)
        self._middles = self._corners.mean(axis=1)
        self._radii = np.linalg.norm(self._corners - self._middles[:, None], axis=2).max(axis=1)

    def visit(self, tile: int) -> None:
        """Paint a tile in the plain colour of the road."""
        self._paint[self._tiles[tile]] = self._colors.road

    def paint(self, raster: Raster, car: Car, seconds: float, score: float, marks: bool) -> NDArray[np.uint8]:
        """Returns the view of `car`.

        Args:
            raster: What to draw on, with the units of the window.
            car: The car.
            seconds: Since the episode began.
            score: The text in the corner.
            marks: Whether skid marks are seen.
        """
        view = View(car, seconds)
        self._paint_field(raster, view)
        self._paint_ground(raster, view)
        _paint_car(raster, view, car, marks)
        _paint_indicators(raster, car)
        raster.text(f"{score:04.0f}", *_SCORE, _WHITE)
        return raster.pixels()

    def _paint_field(self, raster: Raster, view: View) -> None:
        """Fills the window, in nearly all places with the field, which is far quicker than to draw its outline."""
        if view.within(PLAYFIELD):
            raster.fill(self._colors.field)
        else:
            raster.fill(_BLACK)
            raster.polygon(view.field.shown(_FIELD), self._colors.field)

    def _paint_ground(self, raster: Raster, view: View) -> None:
        """Draws what lies within the window, which is a small part of the track."""
        middles = self._middles @ view.turn + view.shift
        reach = self._radii * view.zoom
        x, y = middles[:, 0], middles[:, 1]
        seen = (x > -reach) & (x < WINDOW_W + reach) & (y > -reach) & (y < WINDOW_H + reach)
        (shown,) = seen.nonzero()
        raster.polygons(self._corners[shown] @ view.turn + view.shift, [self._paint[i] for i in shown.tolist()])


def _square(left: float, bottom: float, side: float) -> list[Point]:
    right, top = left + side, bottom + side
    return [(left, bottom), (right, bottom), (right, top), (left, top)]


def _rectangle(front: float, rear: float) -> list[Point]:
    """Across a tyre."""
    width = WHEEL_W * SIZE
    return [(-width, front), (width, front), (width, rear), (-width, rear)]


_RADIUS: Final = WHEEL_R * SIZE
_TYRE: Final = _rectangle(_RADIUS, -_RADIUS)
_HULL: Final = [[(x * SIZE, y * SIZE) for x, y in outline] for outline in HULL_POLYS]
_FIELD: Final = _square(-PLAYFIELD, -PLAYFIELD, 2 * PLAYFIELD)


class Place(NamedTuple):
    """From metres to units of the window: a turn with a mirroring, times the zoom, and a shift."""

    c: float
    s: float
    x: float
    y: float

    def shown(self, points: Sequence[Point]) -> list[Point]:
        """Returns where points are in the window."""
        c, s, x0, y0 = self
        return [(c * x + s * y + x0, s * x - c * y + y0) for x, y in points]


class View:
    """What the window shows around the car."""

    def __init__(self, car: Car, seconds: float) -> None:
        near = min(seconds, 1.0)
        self.zoom = ZOOM * SCALE * near + _FAR_ZOOM * SCALE * (1.0 - near)
        position = car.hull.position
        self.car_x: float = position.x
        self.car_y: float = position.y
        self.angle: float = car.hull.angle
        c, s = self.zoom * cos(self.angle), self.zoom * sin(self.angle)
        x0 = _CAR_AT[0] - c * self.car_x - s * self.car_y
        y0 = _CAR_AT[1] - s * self.car_x + c * self.car_y
        self.field = Place(c, s, x0, y0)
        self.turn, self.shift = np.array([[c, s], [s, -c]]), np.array([x0, y0])

    def within(self, edge: float) -> bool:
        """Returns whether all that the window shows lies between -edge and edge on both axes of the field."""
        reach = _FAR_CORNER / self.zoom
        return max(abs(self.car_x), abs(self.car_y)) + reach < edge

    def body(self, body: Any) -> Place:
        """The place of a body, whose points are given in its own coordinates."""
        position, tilt = body.position, self.angle - body.angle
        ((x, y),) = self.field.shown([(position.x, position.y)])
        return Place(self.zoom * cos(tilt), self.zoom * sin(tilt), x, y)


def _paint_car(raster: Raster, view: View, car: Car, marks: bool) -> None:
    if marks:
        for mark in car.particles:
            raster.polyline(view.field.shown(mark.poly), mark.color, 2)
    for wheel in car.wheels:
        place = view.body(wheel.body)
        raster.polygon(place.shown(_TYRE), WHEEL_COLOR)
        if band := _band(wheel.phase):
            raster.polygon(place.shown(band), WHEEL_WHITE)
    place = view.body(car.hull)
    for outline in _HULL:
        raster.polygon(place.shown(outline), HULL_COLOR)


def _band(phase: float) -> list[Point]:
    """What is seen from above of a band painted across a tyre, which rolls with it."""
    # The upper half of the tyre is seen: angles, from the front over the top to the rear, of 0 to pi.
    start = phase % (2 * pi)
    first, last = start, min(start + _BAND, pi)
    if start > pi:
        first, last = 0.0, start + _BAND - 2 * pi
    return _rectangle(_RADIUS * cos(first), _RADIUS * cos(last)) if first < last else []


def _paint_indicators(raster: Raster, car: Car) -> None:
    """Bars on a black band: speed, the wheels' angular velocities, steering, and the car's angular velocity."""
    top = WINDOW_H - 5 * _BAR_H
    raster.rectangle(0, top, WINDOW_W, WINDOW_H - top, _BLACK)
    speed: float = car.hull.linearVelocity.length
    rising = [(5, 0.02 * speed, _WHITE)]
    rising += [(7 + i, 0.01 * wheel.omega, _WHEEL_BARS[i]) for i, wheel in enumerate(car.wheels)]
    for place, value, color in rising:
        if abs(value) > _LEAST:
            raster.rectangle(place * _BAR_W, WINDOW_H - _BAR_H, _BAR_W, -_BAR_H * value, color)
    steering, gyro = -10.0 * car.wheels[0].joint.angle, -0.8 * car.hull.angularVelocity
    for place, value, color in ((20, steering, _STEERING), (30, gyro, _GYRO)):
        if abs(value) > _LEAST:
            raster.rectangle(place * _BAR_W, WINDOW_H - 4 * _BAR_H, _BAR_W * value, 2 * _BAR_H, color)


def _shaded(road: RGB, i: int) -> RGB:
    """The colour of a tile before its visit: three shades take turns."""
    red, green, blue = (int(part + 0.01 * (i % 3) * 255) for part in road)
    return red, green, blue
