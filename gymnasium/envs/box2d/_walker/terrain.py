"""The ground that the walker crosses: grass, and in the hardcore version stumps, stairs and pits. Lengths in metres."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, sin
from typing import Any, Final, NamedTuple

import numpy as np

from gymnasium.envs.box2d._engine import bindings as engine
from gymnasium.envs.box2d._engine.bindings import Column, Point
from gymnasium.envs.box2d._stepping.program import MachineCode

SCALE: Final = 30.0  # pixels per metre
VIEWPORT_W: Final = 600  # pixels
VIEWPORT_H: Final = 400

TERRAIN_STEP: Final = 14 / SCALE
TERRAIN_LENGTH: Final = 200  # steps
TERRAIN_HEIGHT: Final = VIEWPORT_H / SCALE / 4
TERRAIN_GRASS: Final = 10  # steps, the maximum between two obstacles; the minimum is half of it
TERRAIN_STARTPAD: Final = 20  # steps, level
GOAL: Final = (TERRAIN_LENGTH - TERRAIN_GRASS) * TERRAIN_STEP  # m, the far end
FRICTION: Final = 2.5

_PIT_DEPTH: Final = 4 * TERRAIN_STEP
_GRASS, _STUMP, _STAIRS, _PIT = range(4)  # in the order of the draws

Quad = list[Point]

_OBSTACLES: Final = engine.Polygons(friction=FRICTION)
_SURFACE: Final = engine.Edges(friction=FRICTION, categoryBits=0x0001)
_CLOUDS: Final = TERRAIN_LENGTH // 20
_CORNERS: Final = 5  # of a cloud
_X: Final = [i * TERRAIN_STEP for i in range(TERRAIN_LENGTH)]


class Terrain(NamedTuple):
    """The surface from left to right, the obstacles on it and the linings of its pits, and the clouds (for display)."""

    heights: list[float]  # of the surface's points, `TERRAIN_STEP` apart
    obstacles: list[Quad]
    sky: list[list[float]]  # the numbers in [0, 1) that define each cloud

    @property
    def points(self) -> list[Point]:
        """The points of the surface."""
        return list(zip(_X, self.heights, strict=True))

    @property
    def clouds(self) -> list[list[Point]]:
        """The corners of each cloud."""
        return [_cloud(*numbers) for numbers in self.sky]


def random_terrain(rng: Any, hardcore: bool) -> Terrain:
    """Draws a terrain of `TERRAIN_LENGTH` points, with an empty sky."""
    builder = _Builder(rng)
    heights = [TERRAIN_HEIGHT] * TERRAIN_STARTPAD
    kind, left = _GRASS, TERRAIN_LENGTH - TERRAIN_STARTPAD
    while left >= 0:  # an obstacle that would begin right behind the last point is drawn anyway
        length = rng.integers(TERRAIN_GRASS // 2, TERRAIN_GRASS)
        kind = rng.integers(1, 4) if hardcore and kind == _GRASS else _GRASS
        if left == 0:
            break
        if kind == _GRASS:
            heights += builder.grass(min(length, left))
        else:
            stretch = builder.obstacle(kind, len(heights))
            heights += stretch
            length = len(stretch)
        left -= length
    return Terrain(heights[:TERRAIN_LENGTH], builder.obstacles, [])


def random_sky(rng: Any) -> list[list[float]]:
    """Draws the numbers of the clouds."""
    sky: list[list[float]] = rng.random((_CLOUDS, 1 + 2 * _CORNERS)).tolist()
    return sky


FLAT: Final = Terrain([TERRAIN_HEIGHT] * TERRAIN_LENGTH, [], [])


class _Builder:
    """The terrain up to some point."""

    def __init__(self, rng: Any) -> None:
        self.rng = rng
        self.y = TERRAIN_HEIGHT
        self.slope = 0.0  # m per step
        self.obstacles: list[Quad] = []

    def grass(self, length: int) -> list[float]:
        """A level step; after that the slope wanders, with a pull to the middle height."""
        y, slope, random = self.y, self.slope, self.rng.random
        heights = [y]
        for _ in range(length - 1):
            slope = 0.8 * slope + 0.01 * ((y < TERRAIN_HEIGHT) - (y > TERRAIN_HEIGHT))
            slope += (2.0 * random() - 1.0) / SCALE
            y += slope
            heights.append(y)
        self.y, self.slope = y, slope
        return heights

    def obstacle(self, kind: int, i: int) -> list[float]:
        """Places an obstacle at step `i`; returns the surface from there to its end."""
        x, y, S = i * TERRAIN_STEP, self.y, TERRAIN_STEP
        if kind == _PIT:
            width = int(self.rng.integers(3, 5))
            wall = [(x, y), (x + S, y), (x + S, y - _PIT_DEPTH), (x, y - _PIT_DEPTH)]
            self.obstacles += [wall, [(wx + S * width, wy) for wx, wy in wall]]
            return [y, *[y - _PIT_DEPTH] * width, y]
        if kind == _STUMP:
            size = int(self.rng.integers(1, 3))
            side = size * S
            self.obstacles.append([(x, y), (x + side, y), (x + side, y + side), (x, y + side)])
            return [y] * size
        return self._stairs(x)

    def _stairs(self, x: float) -> list[float]:
        rise = 1 if self.rng.random() > 0.5 else -1  # of each stair, steps
        tread = int(self.rng.integers(4, 5))  # likewise
        stairs = int(self.rng.integers(3, 5))
        base = self.y
        for s in range(stairs):
            left, right = x + s * tread * TERRAIN_STEP, x + (s + 1) * tread * TERRAIN_STEP
            top, bottom = base + s * rise * TERRAIN_STEP, base + (s * rise - 1) * TERRAIN_STEP
            self.obstacles.append([(left, top), (right, top), (right, bottom), (left, bottom)])
        climbs = [(passed - rise) / tread for passed in range(1, stairs * tread)]
        heights = [base, *[base + climbed * rise * TERRAIN_STEP for climbed in climbs]]
        self.y = heights[-1]
        return heights


def _cloud(place: float, *offsets: float) -> list[Point]:
    """An irregular pentagon at three quarters of the view's height, made by numbers in [0, 1)."""
    S = TERRAIN_STEP
    x, y = place * TERRAIN_LENGTH * S, VIEWPORT_H / SCALE * 3 / 4
    return [
        (
            x + 15 * S * sin(3.14 * 2 * a / _CORNERS) + 5 * S * offsets[2 * a],
            y + 5 * S * cos(3.14 * 2 * a / _CORNERS) + 5 * S * offsets[2 * a + 1],
        )
        for a in range(_CORNERS)
    ]


class Pieces(NamedTuple):
    """A terrain in the engine: fixtures, or for machine code the addresses of their shapes."""

    obstacles: Column
    surface: Column  # from left to right

    def addresses(self) -> Pieces:
        """Returns the addresses of the fixtures' shapes."""
        return Pieces(*(np.array([engine.shape_address(fixture) for fixture in part], np.int64) for part in self))


def surveyed(world: engine.World) -> tuple[Terrain, Pieces]:
    """Returns the static shapes of a world as obstacles, each a rectangle around it, and these shapes."""
    solids = engine.solids(world)
    boxes = [[(s.left, s.top), (s.right, s.top), (s.right, s.bottom), (s.left, s.bottom)] for s in solids]
    return FLAT._replace(obstacles=boxes), Pieces([s.fixture for s in solids], [])


def shown(world: engine.World, xs: Sequence[float], ys: Sequence[float]) -> Terrain:
    """Returns what a picture of a world shows: a surface through these points, and the static polygons."""
    heights = np.interp(_X, xs, ys).tolist() if len(xs) else FLAT.heights
    return Terrain(heights, [solid.corners for solid in engine.solids(world) if solid.corners], [])


def add_terrain(world: engine.World, terrain: Terrain, code: MachineCode | None) -> Pieces:
    """Adds the obstacles and then the surface to one body."""
    ground = engine.add_ground(world)
    obstacles = [_OBSTACLES.add(ground, quad).this for quad in terrain.obstacles]
    if code is None:
        return Pieces(obstacles, _SURFACE.add(ground, terrain.points))
    surface = code.add_edges(_SURFACE, ground, np.column_stack([_X, terrain.heights]))
    return Pieces(obstacles, []).addresses()._replace(surface=surface)
