"""The walker's range finder: ten rays against the static terrain.

The engine's ray cast of a world searches for what a ray may meet, and asks Python about every find. Here the terrain
is known to be a line from left to right with few obstacles, so the few pieces in question are found directly, and only
they are given to the engine, one by one, whose fractions these are to the bit.

The functions run as Python and as machine code: of lists, or of arrays.
"""

from __future__ import annotations

from math import cos, sin
from typing import Any, Final, NamedTuple

import numpy as np

from gymnasium.envs.box2d.bipedal_terrain import SCALE, TERRAIN_STEP, Terrain
from gymnasium.envs.box2d.engine import FREE, Column, cast_ray, set_ray_end, set_ray_start

LIDAR_RANGE: Final = 160 / SCALE  # m
RAYS: Final = 10  # from straight down, each 0.15 rad further to the front

RAY_ENDS: Final = tuple((sin(1.5 * i / 10.0) * LIDAR_RANGE, -cos(1.5 * i / 10.0) * LIDAR_RANGE) for i in range(RAYS))
# How much each ray but the first sinks over a piece of the surface, and how many pieces it may meet.
_SLANTS: Final = tuple((dy / dx * TERRAIN_STEP, int(dx / TERRAIN_STEP) + 3) for dx, dy in RAY_ENDS[1:])
SEEN: Final = _SLANTS[-1][1]
_MARGIN: Final = 0.01  # m by which a ray has to clear a piece to be sure of it, far more than rounding
_SURE: Final = _MARGIN / TERRAIN_STEP


class Surface(NamedTuple):
    """The pieces of the surface from left to right; heights in metres.

    A ray above the top of a piece at its end passes it; one above `starts` at its beginning and below `ends` at its end
    meets it.
    """

    pieces: Column
    tops: Column  # these end with some that lie beneath all rays: the world ends, and nothing is met
    starts: Column
    ends: Column


class Obstacles(NamedTuple):
    """What stands on the surface or lines its pits, from left to right; metres."""

    pieces: Column
    lefts: Column
    rights: Column
    tops: Column


def surface_of(terrain: Terrain, pieces: Column) -> Surface:
    """Returns what rays have to know of a terrain's surface; arrays."""
    heights = np.array(terrain.heights)
    beyond = np.full(SEEN + 1, -np.inf)
    tops, starts, ends = np.maximum(heights[:-1], heights[1:]) + _MARGIN, heights[:-1] + _MARGIN, heights[1:] - _MARGIN
    return Surface(pieces, *(np.concatenate([level, beyond]) for level in (tops, starts, ends)))


def obstacles_of(terrain: Terrain, pieces: Column) -> Obstacles:
    """Returns what rays have to know of a terrain's obstacles; arrays."""
    quads = np.array(terrain.obstacles).reshape(-1, 4, 2)
    left, right = quads[:, 0, 0] - _MARGIN, quads[:, 1, 0] + _MARGIN
    return Obstacles(pieces, left, right, np.maximum(quads[:, 0, 1], quads[:, 2, 1]) + _MARGIN)


def measure(free: Any, x: float, y: float, surface: Surface, obstacles: Obstacles, ray: Any) -> None:
    """Set `free[i]` to how much of ray i from (x, y) is free, 0 to 1; `ray` is the engine's, to work with."""
    set_ray_start(ray, x, y)
    _over_surface(free, x, y, surface, ray)
    for k in range(len(obstacles.pieces)):
        if obstacles.lefts[k] > x + LIDAR_RANGE:
            break
        if x < obstacles.rights[k]:
            _cut(free, x, y, obstacles, k, ray)


def _over_surface(free: Any, x: float, y: float, surface: Surface, ray: Any) -> None:
    """Set how much of each ray is free of the surface."""
    pieces, tops, starts, ends = surface
    at = x / TERRAIN_STEP
    first = min(max(int(at) - 1, 0), len(pieces))
    set_ray_end(ray, x + RAY_ENDS[0][0], y + RAY_ENDS[0][1])
    alone = _SURE < at - first - 1 < 1 - _SURE  # only one piece lies below
    nearest = FREE
    for k in range(first + 1 if alone else first, min(first + 2 if alone else first + 3, len(pieces))):
        nearest = min(nearest, cast_ray(ray, pieces[k]))
    free[0] = nearest
    k = first  # each ray lies above the one before, and so above what that has passed
    for i in range(1, RAYS):
        drop, count = _SLANTS[i - 1]
        set_ray_end(ray, x + RAY_ENDS[i][0], y + RAY_ENDS[i][1])
        last = first + count
        lowest = y + drop * (k + 1 - at)  # height of the ray at the end of piece k
        while lowest >= tops[k] and k < last:
            k += 1
            lowest += drop
        nearest = cast_ray(ray, pieces[k]) if lowest < ends[k] and lowest - drop > starts[k] else FREE
        if nearest >= FREE and k < last:
            nearest = _near_joints(k, last, lowest, drop, surface, ray)
        free[i] = nearest


def _near_joints(k: int, last: int, lowest: float, drop: float, surface: Surface, ray: Any) -> float:
    """How much of the ray is free of the pieces from k to last, where it may meet a common end of two."""
    nearest = FREE
    while k < min(last, len(surface.pieces)):
        met = nearest < FREE
        if lowest < surface.tops[k]:
            nearest = min(nearest, cast_ray(ray, surface.pieces[k]))
        if met:  # rounded, the piece behind the one that is met first may be nearer, but none after it
            break
        k += 1
        lowest += drop
    return nearest


def _cut(free: Any, x: float, y: float, obstacles: Obstacles, k: int, ray: Any) -> None:
    """Shorten the rays at obstacle k."""
    left, right, top = obstacles.lefts[k] - x, obstacles.rights[k] - x, obstacles.tops[k] - y
    for i in range(RAYS):
        dx, dy = RAY_ENDS[i]
        if dy * right > top * dx:  # it passes above, as do all that sink less
            break
        if free[i] * dx >= left:
            set_ray_end(ray, x + dx, y + dy)
            free[i] = min(free[i], cast_ray(ray, obstacles.pieces[k]))
