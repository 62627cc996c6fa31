"""The lander and its jets above the moon."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.box2d._engine.bindings import FPS, Point
from gymnasium.envs.box2d._lander.world import SCALE, VIEWPORT_H, VIEWPORT_W, Ground
from gymnasium.envs.box2d.drawing.lander_parts import (
    HULL,
    LEG,
    STRUT_COLOR,
    STRUT_WIDTH,
    STRUTS,
    Contents,
    Spark,
    draw_spark,
)
from gymnasium.envs.box2d.drawing.moonscape import at, draw_moonscape
from gymnasium.envs.box2d.drawing.outlines import Pose
from gymnasium.envs.box2d.drawing.small_landers import SmallLanders
from gymnasium.rendering.canvas import Canvas, Color, bar
from gymnasium.states.scenes import OneForEach

_ORIGIN: Final = (0.0, float(VIEWPORT_H))
_SMALL: Final = 0.6  # the scale up to which parts are drawn in advance

FADING: Final = 0.15  # of a spark's brightness in a step
LIFETIME: Final = ceil(1.0 / FADING)  # steps after which a spark has faded
_BOUNCE: Final = 0.3  # the fraction of a spark's speed that remains after it hit the ground


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


class Scene(Contents):
    """The contents of a picture, and who paints it."""

    __slots__ = ()

    @staticmethod
    def size() -> tuple[int, int]:
        """Returns width and height of the picture, pixels."""
        return VIEWPORT_W, VIEWPORT_H

    @staticmethod
    def painter(canvases: Sequence[Canvas]) -> SmallLanders | OneForEach:
        """Returns what paints such scenes."""
        small = canvases[0].scale <= _SMALL
        return SmallLanders(canvases) if small else OneForEach([Painter(canvas) for canvas in canvases])


class Painter:
    """Paints frames; the moon only once for consecutive frames of an episode.

    Args:
        canvas: The canvas to paint on; None for one of the usual size.
    """

    def __init__(self, canvas: Canvas | None = None) -> None:
        self._ground: Ground | None = None
        self._canvas = canvas or Canvas(VIEWPORT_W, VIEWPORT_H)
        self._moonscape = self._canvas.backdrop()

    def picture(self, scene: Scene) -> NDArray[np.uint8]:
        """Returns the view, of shape (400, 600, 3) at scale 1."""
        self.paint(scene)
        return self._canvas.pixels()

    def paint(self, scene: Scene) -> None:
        """Paint the view."""
        ground = scene.ground
        if ground is not self._ground and ground != self._ground:
            draw_moonscape(self._moonscape, ground)
        self._ground = ground
        canvas = self._canvas
        canvas.paste(self._moonscape)
        for spark in scene.sparks:
            draw_spark(canvas, spark)
        _draw_lander(canvas, scene.hull, scene.legs)


def _draw_lander(canvas: Canvas, lander: Pose, legs: Sequence[Pose]) -> None:
    hull = HULL.at(lander, SCALE, _ORIGIN)
    corners = hull[1]  # of the hull's outline
    outlines: list[list[Point]] = []
    colors: list[Color] = []
    for leg, corner in zip(legs, STRUTS, strict=True):
        outlines.append(bar(corners[corner], at(leg.position), STRUT_WIDTH))
        outlines += LEG.at(leg, SCALE, _ORIGIN)
        colors += [STRUT_COLOR, *LEG.colors]
    canvas.polygons([*outlines, *hull], [*colors, *HULL.colors])
