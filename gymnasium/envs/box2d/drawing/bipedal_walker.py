"""The walker on its way: the part of the terrain around it, clouds, and the rays of its range finder."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.box2d.bipedal_body import HULL_POLY, LEG_H, LEG_W
from gymnasium.envs.box2d.bipedal_terrain import (
    SCALE,
    TERRAIN_HEIGHT,
    TERRAIN_STEP,
    VIEWPORT_H,
    VIEWPORT_W,
    Terrain,
)
from gymnasium.envs.box2d.drawing.outlines import placed
from gymnasium.envs.box2d.engine import Point
from gymnasium.envs.box2d.lidar import RAY_ENDS
from gymnasium.rendering.canvas import Canvas, Color

SKY_COLOR: Final = (215, 215, 255)
CLOUD_COLOR: Final = (255, 255, 255)
EARTH_COLOR: Final = (102, 153, 76)
GRASS_COLORS: Final = ((76, 255, 76), (76, 204, 76))
OBSTACLE_COLORS: Final = ((255, 255, 255), (153, 153, 153))  # face and edge
HULL_COLORS: Final = ((127, 51, 229), (76, 76, 127))
# Of the leg behind and of the leg in front: face and edge.
LEG_COLORS: Final = (((115, 58, 94), (77, 38, 62)), ((179, 101, 146), (128, 77, 102)))
RAY_COLOR: Final = (255, 0, 0, 90)
FLAG_COLOR: Final = (230, 51, 0)

_HULL: Final = [(x / SCALE, y / SCALE) for x, y in HULL_POLY]
_CLOUD_DRIFT: Final = 0.5  # of the terrain's: clouds are further away


def _limb(width: float) -> list[Point]:
    return [(x * width / 2, y * LEG_H / 2) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]


_LIMBS: Final = (_limb(LEG_W), _limb(0.8 * LEG_W))


class _View:
    """A canvas over the terrain from `scroll` metres on."""

    def __init__(self, scroll: float) -> None:
        self.canvas = Canvas(VIEWPORT_W, VIEWPORT_H, SKY_COLOR)
        self._scroll = scroll

    def at(self, point: Point) -> Point:
        return (point[0] - self._scroll) * SCALE, VIEWPORT_H - point[1] * SCALE

    def polygon(self, outline: Sequence[Point], face: Color, edge: Color | None = None) -> None:
        corners = [self.at(p) for p in outline]
        if max(x for x, _ in corners) < 0 or min(x for x, _ in corners) > VIEWPORT_W:
            return
        self.canvas.polygon(corners, face)
        if edge is not None:
            self.canvas.polyline(corners, edge, 2, closed=True)


def picture(
    terrain: Terrain, scroll: float, hull: Any, legs: Sequence[Any], fractions: Sequence[float]
) -> NDArray[np.uint8]:
    """Returns the view, of shape (400, 600, 3).

    Args:
        terrain: The ground and the clouds.
        scroll: Where the view begins, m.
        hull: The hull's body.
        legs: The legs' bodies: upper, lower, upper, lower.
        fractions: How much of each ray is free.
    """
    view = _View(scroll)
    _draw_terrain(view, terrain, scroll)
    x, y = hull.position
    for (dx, dy), free in zip(RAY_ENDS, fractions, strict=True):
        view.canvas.line(view.at((x, y)), view.at((x + free * dx, y + free * dy)), RAY_COLOR, 1)
    for i, leg in enumerate(legs):
        view.polygon(placed(_LIMBS[i % 2], leg), *LEG_COLORS[i // 2])
    view.polygon(placed(_HULL, hull), *HULL_COLORS)
    return view.canvas.pixels()


def _draw_terrain(view: _View, terrain: Terrain, scroll: float) -> None:
    drift = scroll * _CLOUD_DRIFT
    for cloud in terrain.clouds:
        view.polygon([(x + drift, y) for x, y in cloud], CLOUD_COLOR)
    first = max(int(scroll / TERRAIN_STEP), 0)
    seen = terrain.points[first : first + int(VIEWPORT_W / SCALE / TERRAIN_STEP) + 3]
    floor = min(0.0, *(y for _, y in seen)) - 1.0
    view.polygon([*seen, (seen[-1][0], floor), (seen[0][0], floor)], EARTH_COLOR)
    for obstacle in terrain.obstacles:
        view.polygon(obstacle, *OBSTACLE_COLORS)
    for i, (left, right) in enumerate(pairwise(seen), first):
        view.canvas.line(view.at(left), view.at(right), GRASS_COLORS[i % 2], 2)
    _draw_flag(view)


def _draw_flag(view: _View) -> None:
    """Marks where the walker starts from."""
    x, y = view.at((TERRAIN_STEP * 3, TERRAIN_HEIGHT))
    view.canvas.line((x, y), (x, y - 50), (0, 0, 0), 2)
    view.canvas.polygon([(x, y - 50), (x, y - 40), (x + 25, y - 45)], FLAG_COLOR)
