"""The walker on its way, the clouds above it, and the rays of its range finder."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.box2d._engine.bindings import Point
from gymnasium.envs.box2d._walker.body import HULL_POLY, LEG_H, LEG_W
from gymnasium.envs.box2d._walker.lidar import RAY_ENDS
from gymnasium.envs.box2d._walker.terrain import SCALE, VIEWPORT_H, VIEWPORT_W, Terrain
from gymnasium.envs.box2d.drawing.bipedal_ground import GRASS_COLORS, OBSTACLE_COLORS, Ground
from gymnasium.envs.box2d.drawing.outlines import Figure, Pose, edged
from gymnasium.rendering.canvas import Canvas, Color
from gymnasium.states.scenes import OneForEach

__all__ = ["GRASS_COLORS", "OBSTACLE_COLORS", "Painter"]

SKY_COLOR: Final = (215, 215, 255)
CLOUD_COLOR: Final = (255, 255, 255)
HULL_COLORS: Final = ((127, 51, 229), (76, 76, 127))
# Of the leg behind and of the leg in front: face and edge.
LEG_COLORS: Final = (((115, 58, 94), (77, 38, 62)), ((179, 101, 146), (128, 77, 102)))
RAY_COLOR: Final = (255, 0, 0)
RAY_OPACITY: Final = 110  # at scale 1; small rays are as wide

_CLOUD_DRIFT: Final = 0.5  # of the terrain's: clouds are further away


def _limb(width: float, colors: tuple[Color, Color]) -> Figure:
    x, y = width * SCALE / 2, LEG_H * SCALE / 2
    return edged([(-x, -y), (x, -y), (x, y), (-x, y)], *colors)


_HULL: Final = edged([(float(x), float(y)) for x, y in HULL_POLY], *HULL_COLORS)
_LEGS: Final = [_limb(width, colors) for colors in LEG_COLORS for width in (LEG_W, 0.8 * LEG_W)]
_COLORS: Final = [color for figure in (*_LEGS, _HULL) for color in figure.colors]


class Scene(NamedTuple):
    """What a picture shows."""

    terrain: Terrain
    scroll: float  # m, the left end of the view
    hull: Pose
    legs: list[Pose]  # upper, lower, upper, lower
    fractions: list[float]  # the free part of each ray

    @staticmethod
    def size() -> tuple[int, int]:
        """Returns width and height of the picture, pixels."""
        return VIEWPORT_W, VIEWPORT_H

    @staticmethod
    def painter(canvases: Sequence[Canvas]) -> OneForEach:
        """Returns what paints such scenes."""
        return OneForEach([Painter(canvas) for canvas in canvases])


class Painter:
    """Paints frames. The view moves by whole pixels, so the ground is painted only once in an episode.

    Args:
        canvas: The canvas to paint on; None for one of the usual size.
    """

    def __init__(self, canvas: Canvas | None = None) -> None:
        self._canvas = canvas or Canvas(VIEWPORT_W, VIEWPORT_H)
        self._ray_color = (*RAY_COLOR, round(RAY_OPACITY * sqrt(self._canvas.scale)))
        self._terrain: Terrain | None = None

    def picture(self, scene: Scene) -> NDArray[np.uint8]:
        """Returns the view, of shape (400, 600, 3) at scale 1."""
        self.paint(scene)
        return self._canvas.pixels()

    def paint(self, scene: Scene) -> None:
        """Paint the view."""
        terrain, hull = scene.terrain, scene.hull
        if terrain is not self._terrain and terrain != self._terrain:
            self._ground = Ground(terrain, self._canvas.scale)
            self._clouds = [_Cloud(outline) for outline in terrain.clouds]
        self._terrain = terrain
        canvas, left = self._canvas, round(scene.scroll * SCALE)
        canvas.fill(SKY_COLOR)
        for cloud in self._clouds:
            cloud.draw(canvas, round(left * (1.0 - _CLOUD_DRIFT)))
        self._ground.draw(canvas, left)
        origin = (float(-left), float(VIEWPORT_H))
        x, y = origin[0] + hull.position[0] * SCALE, origin[1] - hull.position[1] * SCALE
        ends = zip(RAY_ENDS, scene.fractions, strict=True)
        canvas.rays((x, y), [(x + f * dx * SCALE, y - f * dy * SCALE) for (dx, dy), f in ends], self._ray_color)
        outlines: list[list[Point]] = []
        for figure, pose in zip((*_LEGS, _HULL), (*scene.legs, hull), strict=True):
            outlines += figure.at(pose, SCALE, origin)
        canvas.polygons(outlines, _COLORS)


class _Cloud:
    """A cloud, drawn when it is first seen.

    Args:
        outline: Its corners, m.
    """

    def __init__(self, outline: Sequence[Point]) -> None:
        corners = [(x * SCALE, VIEWPORT_H - y * SCALE) for x, y in outline]
        xs, ys = zip(*corners, strict=True)
        self._left, self._top = floor(min(xs)), floor(min(ys))
        self._size = ceil(max(xs)) - self._left, ceil(max(ys)) - self._top
        self._corners = [(x - self._left, y - self._top) for x, y in corners]
        self._picture: Canvas | None = None

    def draw(self, canvas: Canvas, left: int) -> None:
        """Draws it into a view that begins at `left` pixels."""
        x = self._left - left
        if x >= VIEWPORT_W or x + self._size[0] <= 0:
            return
        if self._picture is None:
            self._picture = Canvas(*self._size, None, canvas.scale)
            self._picture.area(self._corners, CLOUD_COLOR)
        canvas.paste(self._picture, (x, self._top))
