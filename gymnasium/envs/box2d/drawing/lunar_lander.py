"""The lander and its jets above the moon."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, tau
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.box2d._engine.bindings import FPS, Point
from gymnasium.envs.box2d._lander.world import LANDER_POLY, LEG_H, LEG_W, SCALE, VIEWPORT_H, VIEWPORT_W, Ground
from gymnasium.envs.box2d.drawing.moonscape import at, draw_moonscape
from gymnasium.envs.box2d.drawing.outlines import Figure, Pose, edged, joined
from gymnasium.rendering.canvas import Canvas, Color, bar

BODY_COLOR: Final = (128, 102, 230)
EDGE_COLOR: Final = (77, 77, 128)
SHADE_COLOR: Final = (104, 80, 202)
FOIL_COLORS: Final = ((222, 174, 78), (186, 136, 52))
GLASS_COLORS: Final = ((34, 38, 72), (150, 214, 244))
METAL_COLORS: Final = ((172, 176, 196), (120, 124, 148))

_HULL: Final = joined(
    Figure([[(-5, -9), (5, -9), (7, -14), (-7, -14)]], [METAL_COLORS[1]]),
    edged([(float(x), float(y)) for x, y in LANDER_POLY], BODY_COLOR, EDGE_COLOR),
    Figure(
        [
            [(6, 16), (13.2, 16), (16, 0), (16, -9), (6, -9)],
            [(-16, -2), (16, -2), (16, -9), (-16, -9)],
            [(6, -2), (16, -2), (16, -9), (6, -9)],
            [(-16, -1), (16, -1), (16, -2.5), (-16, -2.5)],
            [(-8, 4), (-5, 1), (5, 1), (8, 4), (8, 9), (5, 12), (-5, 12), (-8, 9)],
            [(-6.5, 4.5), (-4.5, 2.5), (3.5, 10.5), (-4.5, 10.5), (-6.5, 8.5)],
        ],
        [SHADE_COLOR, *FOIL_COLORS, EDGE_COLOR, *GLASS_COLORS],
    ),
)
_LEG: Final = joined(
    edged([(x * LEG_W, y * LEG_H) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))], METAL_COLORS[0], EDGE_COLOR),
    Figure([[(-3.0, -LEG_H - 1.0), (3.0, -LEG_H - 1.0), (3.0, 2.5 - LEG_H), (-3.0, 2.5 - LEG_H)]], [EDGE_COLOR]),
)
_STRUTS: Final = (4, 1)  # the points of the hull's outline at which the legs' struts begin
_CORNERS: Final = Figure([[_HULL.outlines[1][corner] for corner in _STRUTS]], [])
_STRUT_WIDTH: Final = 2.4
_ORIGIN: Final = (0.0, float(VIEWPORT_H))
_SMALL: Final = 0.5  # the scale up to which the parts of a lander are drawn in advance,
_TURNS: Final = 120  # in so many directions,
_FINENESS: Final = 2  # at so many places in a pixel, across and down
_REACH: Final = 30.0  # pixels, the radius of the largest part
_FIGURES: Final = (_HULL, _LEG)
_HULLS, _LEGS = range(2)

FADING: Final = 0.15  # of a spark's brightness in a step
LIFETIME: Final = ceil(1.0 / FADING)  # steps after which a spark has faded
_BOUNCE: Final = 0.3  # the fraction of a spark's speed that remains after it hit the ground
_LEVELS: Final = 12  # of brightness
_STREAK: Final = (0.0, 0.2, 0.4, 0.6, 0.8)  # of a step, the lengths of a spark's trail


@dataclass
class Spark:
    """A glowing particle of a jet."""

    x: float
    y: float
    vx: float
    vy: float
    glow: float  # 1 is fresh from a full engine


class Exhaust:
    """The sparks of the jets. They only decorate the picture, so rendering does not change an episode.

    Args:
        gravity: m/s^2.
        ground: The ground that sparks bounce off.
    """

    def __init__(self, gravity: float, ground: Ground) -> None:
        self.sparks: list[Spark] = []
        self._gravity = gravity
        self._x, self._y = zip(*ground.points, strict=True)

    def emit(self, point: Point, velocity: Point, power: float) -> None:
        """Adds a spark."""
        self.sparks.append(Spark(*point, *velocity, glow=power))

    def advance(self) -> None:
        """Move the sparks for a step, and remove the old ones."""
        for spark in self.sparks:
            spark.vy += self._gravity / FPS
            spark.x += spark.vx / FPS
            spark.y += spark.vy / FPS
            floor = float(np.interp(spark.x, self._x, self._y))
            if spark.y < floor:
                spark.y, spark.vy = floor, -_BOUNCE * spark.vy
            spark.glow -= FADING
        self.sparks = [spark for spark in self.sparks if spark.glow > 0]


class Scene(NamedTuple):
    """The contents of a picture."""

    ground: Ground
    hull: Pose
    legs: list[Pose]
    sparks: list[Spark]

    @staticmethod
    def size() -> tuple[int, int]:
        """Returns width and height of the picture, pixels."""
        return VIEWPORT_W, VIEWPORT_H

    @staticmethod
    def painter(scale: float) -> Painter:
        """Returns the painter of such scenes."""
        return Painter(scale)


class Painter:
    """Paints frames; the moon only once for consecutive frames of an episode.

    Args:
        scale: How large they are.
    """

    def __init__(self, scale: float = 1.0) -> None:
        self._ground: Ground | None = None
        self._moonscape, self._canvas = (Canvas(VIEWPORT_W, VIEWPORT_H, scale=scale) for _ in range(2))

    def picture(self, scene: Scene) -> NDArray[np.uint8]:
        """Returns the view, of shape (400, 600, 3) at scale 1."""
        ground = scene.ground
        if ground is not self._ground and ground != self._ground:
            draw_moonscape(self._moonscape, ground)
        self._ground = ground
        canvas = self._canvas
        canvas.paste(self._moonscape)
        for spark in scene.sparks:
            _draw_spark(canvas, spark)
        draw = _draw_lander if canvas.scale > _SMALL else _draw_small_lander
        draw(canvas, scene.hull, scene.legs)
        return canvas.pixels()


def _draw_lander(canvas: Canvas, lander: Pose, legs: Sequence[Pose]) -> None:
    hull = _HULL.at(lander, SCALE, _ORIGIN)
    corners = hull[1]  # of the hull's outline
    outlines: list[list[Point]] = []
    colors: list[Color] = []
    for leg, corner in zip(legs, _STRUTS, strict=True):
        outlines.append(bar(corners[corner], at(leg.position), _STRUT_WIDTH))
        outlines += _LEG.at(leg, SCALE, _ORIGIN)
        colors += [METAL_COLORS[1], *_LEG.colors]
    canvas.polygons([*outlines, *hull], [*colors, *_HULL.colors])


def _draw_small_lander(canvas: Canvas, lander: Pose, legs: Sequence[Pose]) -> None:
    """Pastes a lander from parts drawn in advance, exact to half a pixel and 3 degrees: a tenth of the time."""
    scale = canvas.scale
    step = _FINENESS * scale
    half = _half(scale)
    corners = _CORNERS.at(lander, SCALE, _ORIGIN)[0]
    parts: list[tuple[Canvas, Point]] = []

    def paste(part: Callable[..., Canvas], pose: Pose, *look: int) -> None:
        x, y = at(pose.position)
        (left, right), (top, down) = divmod(round(x * step), _FINENESS), divmod(round(y * step), _FINENESS)
        parts.append((part(scale, right, down, *look), ((left - half) / scale, (top - half) / scale)))

    for leg, (to_x, to_y) in zip(legs, corners, strict=True):
        x, y = at(leg.position)
        paste(_strut, leg, round((to_x - x) * step), round((to_y - y) * step))
        paste(_body, leg, _turn(leg), _LEGS)
    paste(_body, lander, _turn(lander), _HULLS)
    canvas.paste_all(parts)


def _turn(pose: Pose) -> int:
    return round(pose.angle * _TURNS / tau) % _TURNS


def _half(scale: float) -> int:
    """Half the width of the picture of a part, pixels."""
    return ceil(_REACH * scale) + 1


@lru_cache(maxsize=4096)
def _body(scale: float, right: int, down: int, turn: int, which: int) -> Canvas:
    """The hull or a leg, its middle a little to the right of the middle of the picture, and below it."""
    figure = _FIGURES[which]
    return _part(scale, right, down, figure.at(Pose((0.0, 0.0), tau * turn / _TURNS), SCALE, (0.0, 0.0)), figure.colors)


@lru_cache(maxsize=4096)
def _strut(scale: float, right: int, down: int, across: int, along: int) -> Canvas:
    """A leg's strut, from a little to the right of the middle of the picture and below it."""
    step = _FINENESS * scale
    return _part(scale, right, down, [bar((0.0, 0.0), (across / step, along / step), _STRUT_WIDTH)], [METAL_COLORS[1]])


def _part(scale: float, right: int, down: int, outlines: list[list[Point]], colors: list[Color]) -> Canvas:
    half = _half(scale)
    size = ceil(2 * half / scale)
    canvas = Canvas(size, size, None, scale)
    left, top = (half + right / _FINENESS) / scale, (half + down / _FINENESS) / scale
    canvas.polygons([[(left + x, top + y) for x, y in outline] for outline in outlines], colors)
    return canvas


def _draw_spark(canvas: Canvas, spark: Spark) -> None:
    """Adds the light of a spark, along its way since the last step."""
    light = _light(ceil(min(spark.glow, 1.0) * _LEVELS), canvas.scale)
    half = light.size[0] / 2
    trail = [at((spark.x - behind * spark.vx / FPS, spark.y - behind * spark.vy / FPS)) for behind in _STREAK]
    canvas.paste_all([(light, (x - half, y - half)) for x, y in trail], glowing=True)


@lru_cache(maxsize=2 * _LEVELS)
def _light(level: int, scale: float) -> Canvas:
    """The light of a spark: white inside while it is fresh, then yellow, then red, then dark."""
    glow = level / _LEVELS
    radius = 3 + round(4 * glow)
    canvas = Canvas(2 * radius + 1, 2 * radius + 1, (0, 0, 0), scale)
    for ring in range(radius, 0, -1):
        near = (1.0 - ring / (radius + 1)) * (0.25 + 0.75 * glow)
        color = (round(200 * near**0.8), round(190 * near**1.2 * glow), round(130 * near**2 * glow))
        canvas.circle((radius + 0.5, radius + 0.5), ring, color)
    return canvas
