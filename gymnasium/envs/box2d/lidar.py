"""The walker's range finder: ten rays against the static terrain.

The engine's ray cast of a world searches for what a ray may meet, and asks Python about every find. Here the terrain
is known to be a line from left to right with few obstacles, so the few pieces in question are found directly, and only
they are given to the engine, one by one, whose fractions these are to the bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, sin
from typing import Any, Final

from gymnasium.envs.box2d import engine
from gymnasium.envs.box2d.bipedal_terrain import SCALE, TERRAIN_STEP, Terrain

LIDAR_RANGE: Final = 160 / SCALE  # m
RAYS: Final = 10  # from straight down, each 0.15 rad further to the front

RAY_ENDS: Final = [(sin(1.5 * i / 10.0) * LIDAR_RANGE, -cos(1.5 * i / 10.0) * LIDAR_RANGE) for i in range(RAYS)]
# With how much each slanted ray sinks over a piece of the surface, and how many pieces it may meet.
_SLANTED: Final = [(dx, dy, dy / dx * TERRAIN_STEP, int(dx / TERRAIN_STEP) + 3) for dx, dy in RAY_ENDS[1:]]
_SEEN: Final = _SLANTED[-1][3]
_FREE: Final = 1.0
_MARGIN: Final = 0.01  # m by which a ray has to clear a piece to be sure of it, far more than rounding


class Lidar:
    """Looks at one terrain.

    Args:
        terrain: What is there.
        fixtures: Its fixtures: obstacles first, then the surface from left to right.
    """

    def __init__(self, terrain: Terrain, fixtures: Sequence[engine.Fixture]) -> None:
        count = len(terrain.obstacles)
        self._edges = [fixture.RayCast for fixture in fixtures[count:]]
        heights = [y + _MARGIN for _, y in terrain.points]
        self._tops = list(map(max, heights, heights[1:]))
        self._obstacles = [
            (quad[0][0] - _MARGIN, quad[1][0] + _MARGIN, fixture.RayCast)
            for quad, fixture in zip(terrain.obstacles, fixtures, strict=False)
        ]
        self._ray, self._found = engine.ray()

    def fractions(self, x: float, y: float) -> list[float]:
        """Returns how much of each ray from (x, y) is free, 0 to 1."""
        self._ray.p1 = (x, y)
        free = self._over_surface(x, y)
        reach = x + LIDAR_RANGE
        for left, right, cast in self._obstacles:
            if left < reach and x < right:
                self._cut(free, cast, x, y)
        return free

    def _over_surface(self, x: float, y: float) -> list[float]:
        """How much of each ray is free of the surface."""
        ray, found, tops, edges = self._ray, self._found, self._tops, self._edges
        first = max(int(x / TERRAIN_STEP) - 1, 0)
        ahead = first + 1 - x / TERRAIN_STEP  # pieces to the end of the first one
        highest = max(tops[first : first + _SEEN], default=0.0)
        ray.p2 = (x + RAY_ENDS[0][0], y + RAY_ENDS[0][1])
        free = [min((found.fraction for cast in edges[first : first + 3] if cast(found, ray, 0)), default=_FREE)]
        for dx, dy, drop, pieces in _SLANTED:
            ray.p2 = (x + dx, y + dy)
            lowest = y + drop * ahead  # height of the ray at the end of a piece
            k, last = first, first + pieces
            if lowest > highest:
                passed = int((highest - lowest) / drop)
                k, lowest = k + passed, lowest + drop * passed
            fraction = _FREE
            for top, cast in zip(tops[k:last], edges[k:last]):  # noqa: B905  # of equal length; the check costs
                if lowest < top and cast(found, ray, 0):
                    if fraction is not _FREE:
                        fraction = min(fraction, found.fraction)
                        break
                    fraction = found.fraction  # rounded, the next piece may be nearer if the ray meets their common end
                elif fraction is not _FREE:
                    break
                lowest += drop
            free.append(fraction)
        return free

    def _cut(self, free: list[float], cast: Any, x: float, y: float) -> None:
        """Shorten the rays at an obstacle."""
        for i, (dx, dy) in enumerate(RAY_ENDS):
            self._ray.p2 = (x + dx, y + dy)
            if cast(self._found, self._ray, 0):
                free[i] = min(free[i], self._found.fraction)
