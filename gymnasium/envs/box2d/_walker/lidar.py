"""The walker's range finder: ten rays against the static terrain.

The engine's ray cast searches the world for shapes on a ray, and calls Python for every find. Here the terrain is known
to be a line from left to right with few obstacles, so the few possible pieces are found directly. Only they are passed
to the engine, one by one, which computes the same fractions to the bit.

The functions run as Python and as machine code: on lists, or on arrays.
"""

from __future__ import annotations

from math import cos, sin
from typing import Any, Final, NamedTuple

from gymnasium.envs.box2d._engine.bindings import FREE, Column, cast_ray, set_ray_end, set_ray_start
from gymnasium.envs.box2d._walker.terrain import SCALE, TERRAIN_STEP, Terrain

LIDAR_RANGE: Final = 160 / SCALE  # m
RAYS: Final = 10  # from straight down, each 0.15 rad further to the front

RAY_ENDS: Final = tuple((sin(1.5 * i / 10.0) * LIDAR_RANGE, -cos(1.5 * i / 10.0) * LIDAR_RANGE) for i in range(RAYS))
# The slope of each ray but the first over a piece of the surface, and the number of pieces it may meet.
_SLANTS: Final = tuple((dy / dx * TERRAIN_STEP, int(dx / TERRAIN_STEP) + 3) for dx, dy in RAY_ENDS[1:])
_MARGIN: Final = 0.01  # m, the clearance between a ray and a piece that excludes a contact, far more than rounding


class Surface(NamedTuple):
    """The pieces of the surface from left to right; metres."""

    pieces: Column
    tops: Column
    length: int


class Obstacles(NamedTuple):
    """The obstacles on the surface and the linings of its pits, from left to right; metres."""

    pieces: Column
    lefts: Column
    rights: Column
    tops: Column
    length: int


def surface_of(terrain: Terrain, pieces: Column) -> Surface:
    """Returns the data of a terrain's surface for rays."""
    heights = terrain.heights
    return Surface(pieces, list(map(max, heights, heights[1:])), len(pieces))


def obstacles_of(terrain: Terrain, pieces: Column) -> Obstacles:
    """Returns the data of a terrain's obstacles for rays."""
    quads = terrain.obstacles
    tops = [max(quad[0][1], quad[2][1]) for quad in quads]
    return Obstacles(pieces, [quad[0][0] for quad in quads], [quad[1][0] for quad in quads], tops, len(pieces))


def measure(free: Any, x: float, y: float, surface: Surface, obstacles: Obstacles, ray: Any) -> None:
    """Set `free[i]` to the free fraction of ray i from (x, y), 0 to 1; `ray` is the engine's workspace."""
    set_ray_start(ray, x, y)
    _over_surface(free, x, y, surface, ray)
    for k in range(obstacles.length):
        if obstacles.lefts[k] - _MARGIN > x + LIDAR_RANGE:
            break
        if x < obstacles.rights[k] + _MARGIN:
            _cut(free, x, y, obstacles, k, ray)


def _over_surface(free: Any, x: float, y: float, surface: Surface, ray: Any) -> None:
    """Set the fraction of each ray that is free of the surface."""
    count = surface.length
    at = x / TERRAIN_STEP
    first = min(max(int(min(max(at, 0.0), count + 2.0)) - 1, 0), count)
    set_ray_end(ray, x + RAY_ENDS[0][0], y + RAY_ENDS[0][1])
    nearest = FREE
    for k in range(first, min(first + 3, count)):
        nearest = min(nearest, cast_ray(ray, surface.pieces[k]))
    free[0] = nearest
    k = first  # each ray is above the previous one, and so above the pieces that it has passed
    for i in range(1, RAYS):
        drop, reach = _SLANTS[i - 1]
        last = min(first + reach, count)
        lowest = y + drop * (k + 1 - at)  # height of the ray at the end of piece k
        while k < last and lowest >= surface.tops[k] + _MARGIN:
            k += 1
            lowest += drop
        set_ray_end(ray, x + RAY_ENDS[i][0], y + RAY_ENDS[i][1])
        free[i] = _nearest(k, last, lowest, drop, surface, ray)


def _nearest(k: int, last: int, lowest: float, drop: float, surface: Surface, ray: Any) -> float:
    """The fraction of the ray that is free of the pieces from k to last."""
    nearest = FREE
    while k < last:
        met = nearest < FREE
        if lowest < surface.tops[k] + _MARGIN:
            nearest = min(nearest, cast_ray(ray, surface.pieces[k]))
        if met:  # by rounding, the piece behind the first hit may be nearer, but none after it
            break
        k += 1
        lowest += drop
    return nearest


def _cut(free: Any, x: float, y: float, obstacles: Obstacles, k: int, ray: Any) -> None:
    """Shorten the rays at obstacle k."""
    left, right = obstacles.lefts[k] - _MARGIN - x, obstacles.rights[k] + _MARGIN - x
    top = obstacles.tops[k] + _MARGIN - y
    for i in range(RAYS):
        dx, dy = RAY_ENDS[i]
        if dy * right > top * dx:  # it passes above, like all steeper rays
            break
        if free[i] * dx >= left:
            set_ray_end(ray, x + dx, y + dy)
            free[i] = min(free[i], cast_ray(ray, obstacles.pieces[k]))
