"""The walker's range finder: ten rays against the static terrain.

The engine's ray cast of a world searches for what a ray may meet, and asks Python about every find. Here the terrain
is known to be a line from left to right with few obstacles, so the few pieces in question are found directly, and only
they are given to the engine, one by one, whose fractions these are to the bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, inf, sin
from typing import Final

import numpy as np

from gymnasium.envs.box2d import engine
from gymnasium.envs.box2d.bipedal_terrain import SCALE, TERRAIN_STEP, Terrain
from gymnasium.envs.box2d.engine import cast_ray, fraction, set_ray_end, set_ray_start

LIDAR_RANGE: Final = 160 / SCALE  # m
RAYS: Final = 10  # from straight down, each 0.15 rad further to the front

RAY_ENDS: Final = [(sin(1.5 * i / 10.0) * LIDAR_RANGE, -cos(1.5 * i / 10.0) * LIDAR_RANGE) for i in range(RAYS)]
# With how much each slanted ray sinks over a piece of the surface, and how many pieces it may meet.
_SLANTED: Final = [(dx, dy, dy / dx * TERRAIN_STEP, int(dx / TERRAIN_STEP) + 3) for dx, dy in RAY_ENDS[1:]]
_SEEN: Final = _SLANTED[-1][3]
_FREE: Final = 1.0
_MARGIN: Final = 0.01  # m by which a ray has to clear a piece to be sure of it, far more than rounding
_SURE: Final = _MARGIN / TERRAIN_STEP


class Lidar:
    """Looks at one terrain.

    Args:
        terrain: What is there.
        fixtures: Its fixtures: obstacles first, then the surface from left to right.
    """

    def __init__(self, terrain: Terrain, fixtures: Sequence[engine.Fixture]) -> None:
        count = len(terrain.obstacles)
        self._edges = [fixture.this for fixture in fixtures[count:]]
        heights = np.array([y for _, y in terrain.points])
        beyond = [-inf] * (_SEEN + 1)  # the world ends, and nothing is met
        # A ray above one of these at the end of a piece passes it; one that begins a piece above the second and ends
        # it below the third meets it.
        self._tops = (np.maximum(heights[:-1], heights[1:]) + _MARGIN).tolist() + beyond
        self._starts = (heights[:-1] + _MARGIN).tolist() + beyond
        self._ends = (heights[1:] - _MARGIN).tolist() + beyond
        self._obstacles = [
            (quad[0][0] - _MARGIN, quad[1][0] + _MARGIN, max(quad[0][1], quad[2][1]) + _MARGIN, fixture.this)
            for quad, fixture in zip(terrain.obstacles, fixtures, strict=False)
        ]
        self._ray, self._found = engine.ray()

    def fractions(self, x: float, y: float) -> list[float]:
        """Returns how much of each ray from (x, y) is free, 0 to 1."""
        set_ray_start(self._ray, (x, y))
        free = self._over_surface(x, y)
        reach = x + LIDAR_RANGE
        for left, right, top, fixture in self._obstacles:
            if left > reach:
                break
            if x < right:
                self._cut(free, fixture, x, y, (left - x, right - x, top - y))
        return free

    def _over_surface(self, x: float, y: float) -> list[float]:
        """How much of each ray is free of the surface."""
        ray, found = self._ray, self._found
        tops, starts, ends, edges = self._tops, self._starts, self._ends, self._edges
        at = x / TERRAIN_STEP
        first = min(max(int(at) - 1, 0), len(edges))
        set_ray_end(ray, (x + RAY_ENDS[0][0], y + RAY_ENDS[0][1]))
        below = edges[first + 1 : first + 2] if _SURE < at - first - 1 < 1 - _SURE else edges[first : first + 3]
        free = [min([fraction(found) for edge in below if cast_ray(edge, found, ray, 0)], default=_FREE)]
        k = first  # each ray lies above the one before, and so above what that has passed
        for dx, dy, drop, pieces in _SLANTED:
            set_ray_end(ray, (x + dx, y + dy))
            last = first + pieces
            lowest = y + drop * (k + 1 - at)  # height of the ray at the end of piece k
            while lowest >= tops[k] and k < last:
                k += 1
                lowest += drop
            if lowest < ends[k] and lowest - drop > starts[k] and cast_ray(edges[k], found, ray, 0):
                free.append(fraction(found))
            elif k < last:
                free.append(self._near_joints(k, last, lowest, drop))
            else:
                free.append(_FREE)
        return free

    def _near_joints(self, k: int, last: int, lowest: float, drop: float) -> float:
        """How much of the ray is free of the pieces from k to last, where it may meet a common end of two."""
        nearest: float | None = None
        for top, edge in zip(self._tops[k:last], self._edges[k:last]):  # noqa: B905  # nothing is beyond the last edge
            if lowest < top and cast_ray(edge, self._found, self._ray, 0):
                if nearest is not None:
                    nearest = min(nearest, fraction(self._found))
                    break
                nearest = fraction(self._found)  # rounded, the next piece may be nearer
            elif nearest is not None:
                break
            lowest += drop
        return _FREE if nearest is None else nearest

    def _cut(
        self, free: list[float], obstacle: engine.Handle, x: float, y: float, extent: tuple[float, float, float]
    ) -> None:
        """Shorten the rays at an obstacle, of which left, right and top are given as seen from (x, y)."""
        left, right, top = extent
        for i, (dx, dy) in enumerate(RAY_ENDS):
            if dy * right > top * dx:  # it passes above, as do all that sink less
                return
            if free[i] * dx >= left:
                set_ray_end(self._ray, (x + dx, y + dy))
                if cast_ray(obstacle, self._found, self._ray, 0):
                    free[i] = min(free[i], fraction(self._found))
