"""The moon by night: white ground, the pad between two flags, the lander and its jets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.box2d.drawing.outlines import placed
from gymnasium.envs.box2d.engine import FPS, Point
from gymnasium.envs.box2d.lunar_world import (
    HEIGHT,
    LANDER_POLY,
    LEG_H,
    LEG_W,
    SCALE,
    VIEWPORT_H,
    VIEWPORT_W,
    Ground,
)
from gymnasium.rendering.canvas import Canvas, Color

SKY_COLOR: Final = (0, 0, 0)
MOON_COLOR: Final = (255, 255, 255)
BODY_COLOR: Final = (128, 102, 230)
EDGE_COLOR: Final = (77, 77, 128)
FLAG_COLOR: Final = (204, 204, 0)
FLAG_HEIGHT: Final = 50.0  # pixels

_HULL: Final = [(x / SCALE, y / SCALE) for x, y in LANDER_POLY]
_LEG: Final = [(x * LEG_W / SCALE, y * LEG_H / SCALE) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]

_SPARK_RADIUS: Final = 2.0  # pixels
_FADING: Final = 0.15  # of a spark's brightness in a step
_BOUNCE: Final = 0.3  # what remains of a spark's speed after it hit the ground


@dataclass
class Spark:
    """A glowing particle of a jet."""

    x: float
    y: float
    vx: float
    vy: float
    glow: float  # 1 is fresh from a full engine


class Exhaust:
    """The sparks of the jets. They are seen and touch nothing, so an episode is the same whether it is watched or not.

    Args:
        gravity: m/s^2.
        ground: What sparks bounce off.
    """

    def __init__(self, gravity: float, ground: Ground) -> None:
        self.sparks: list[Spark] = []
        self._gravity = gravity
        self._x, self._y = zip(*ground.points, strict=True)

    def emit(self, point: Point, velocity: Point, power: float) -> None:
        """Adds a spark."""
        self.sparks.append(Spark(*point, *velocity, glow=power))

    def advance(self) -> None:
        """Let the sparks fly for a step, and the old ones go out."""
        for spark in self.sparks:
            spark.vy += self._gravity / FPS
            spark.x += spark.vx / FPS
            spark.y += spark.vy / FPS
            floor = float(np.interp(spark.x, self._x, self._y))
            if spark.y < floor:
                spark.y, spark.vy = floor, -_BOUNCE * spark.vy
            spark.glow -= _FADING
        self.sparks = [spark for spark in self.sparks if spark.glow > 0]


def picture(ground: Ground, lander: Any, legs: Sequence[Any], sparks: Sequence[Spark]) -> NDArray[np.uint8]:
    """Returns the view, of shape (400, 600, 3).

    Args:
        ground: The moon.
        lander: The hull's body.
        legs: The legs' bodies.
        sparks: The jets.
    """
    canvas = Canvas(VIEWPORT_W, VIEWPORT_H, MOON_COLOR)
    for left, right in pairwise(ground.points):
        canvas.polygon([_at(left), _at(right), _at((right[0], HEIGHT)), _at((left[0], HEIGHT))], SKY_COLOR)
    for spark in sparks:
        canvas.circle(_at((spark.x, spark.y)), _SPARK_RADIUS, _glowing(spark.glow))
    for body, outline in [*((leg, _LEG) for leg in legs), (lander, _HULL)]:
        corners = [_at(p) for p in placed(outline, body)]
        canvas.polygon(corners, BODY_COLOR)
        canvas.polyline(corners, EDGE_COLOR, 2, closed=True)
    for x in ground.pad:
        _draw_flag(canvas, *_at((x, ground.pad_y)))
    return canvas.pixels()


def _draw_flag(canvas: Canvas, x: float, y: float) -> None:
    top = y - FLAG_HEIGHT
    canvas.line((x, y), (x, top), MOON_COLOR, 1)
    canvas.polygon([(x, top), (x, top + 10), (x + 25, top + 5)], FLAG_COLOR)


def _glowing(glow: float) -> Color:
    """From yellow over red to dark."""
    return round(255 * min(1.0, 0.3 + glow)), round(230 * min(1.0, glow)), round(120 * min(1.0, glow) ** 2)


def _at(point: Point) -> Point:
    return point[0] * SCALE, VIEWPORT_H - point[1] * SCALE
