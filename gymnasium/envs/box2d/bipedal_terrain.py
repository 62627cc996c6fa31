"""The ground that the walker crosses: grass, and in the hardcore version stumps, stairs and pits. Lengths in metres."""

from __future__ import annotations

from itertools import pairwise
from math import cos, sin
from typing import Any, Final, NamedTuple

from gymnasium.envs.box2d import engine
from gymnasium.envs.box2d.engine import Point

SCALE: Final = 30.0  # pixels per metre
VIEWPORT_W: Final = 600  # pixels
VIEWPORT_H: Final = 400

TERRAIN_STEP: Final = 14 / SCALE
TERRAIN_LENGTH: Final = 200  # steps
TERRAIN_HEIGHT: Final = VIEWPORT_H / SCALE / 4
TERRAIN_GRASS: Final = 10  # steps, the most between two obstacles; the least is half of it
TERRAIN_STARTPAD: Final = 20  # steps, level
FRICTION: Final = 2.5

_PIT_DEPTH: Final = 4 * TERRAIN_STEP
_STUMP, _STAIRS, _PIT = 1, 2, 3  # as they are drawn

Quad = list[Point]

_OBSTACLES: Final = engine.Polygons(friction=FRICTION)
_SURFACE: Final = engine.Edges(friction=FRICTION, categoryBits=0x0001)
_CLOUDS: Final = TERRAIN_LENGTH // 20
_CORNERS: Final = 5  # of a cloud


class Terrain(NamedTuple):
    """The surface from left to right, what stands on it or lines its pits, and the clouds, which are only seen."""

    points: list[Point]
    obstacles: list[Quad]
    sky: list[list[float]]  # the numbers in [0, 1) that make each cloud

    @property
    def clouds(self) -> list[list[Point]]:
        """The corners of each cloud."""
        return [_cloud(*numbers) for numbers in self.sky]


def random_terrain(rng: Any, hardcore: bool) -> Terrain:
    """Draws a terrain of `TERRAIN_LENGTH` points."""
    builder = _Builder(rng)
    state = 0  # grass
    counter = TERRAIN_STARTPAD
    fresh = False  # whether this stretch begins here
    for i in range(TERRAIN_LENGTH):
        if state == 0:
            if not fresh:
                builder.roll(i)
        elif fresh:
            counter = builder.begin(state, i, counter)
        else:
            builder.go_on(state, counter)
        builder.heights.append(builder.y)
        counter -= 1
        fresh = counter == 0
        if fresh:
            counter = rng.integers(TERRAIN_GRASS // 2, TERRAIN_GRASS)
            state = rng.integers(1, 4) if hardcore and state == 0 else 0
    points = [(i * TERRAIN_STEP, y) for i, y in enumerate(builder.heights)]
    sky = rng.random((_CLOUDS, 1 + 2 * _CORNERS)).tolist()
    return Terrain(points, builder.obstacles, sky)


class _Builder:
    """The terrain up to some point."""

    def __init__(self, rng: Any) -> None:
        self.rng = rng
        self.y = TERRAIN_HEIGHT
        self.slope = 0.0  # m per step
        self.heights: list[float] = []
        self.obstacles: list[Quad] = []
        self.base = 0.0  # height at which an obstacle began
        self.rise = 0  # of each stair, steps: 1 or -1
        self.tread = 0  # of each stair, steps
        self.stairs = 0

    def roll(self, i: int) -> None:
        """Grass: the slope wanders, and is drawn back to the middle height."""
        pull = TERRAIN_HEIGHT - self.y
        self.slope = 0.8 * self.slope + 0.01 * ((pull > 0) - (pull < 0))
        if i > TERRAIN_STARTPAD:
            self.slope += (2.0 * self.rng.random() - 1.0) / SCALE
        self.y += self.slope

    def begin(self, kind: int, i: int, counter: int) -> int:
        """Place an obstacle at step `i`; returns for how many steps it lasts."""
        x, y, S = i * TERRAIN_STEP, self.y, TERRAIN_STEP
        self.base = y
        if kind == _PIT:
            width = self.rng.integers(3, 5)
            wall = [(x, y), (x + S, y), (x + S, y - _PIT_DEPTH), (x, y - _PIT_DEPTH)]
            self.obstacles += [wall, [(wx + S * width, wy) for wx, wy in wall]]
            return int(width) + 2
        if kind == _STUMP:
            size = int(self.rng.integers(1, 3))
            side = size * S
            self.obstacles.append([(x, y), (x + side, y), (x + side, y + side), (x, y + side)])
            return size
        self.rise = 1 if self.rng.random() > 0.5 else -1
        self.tread = int(self.rng.integers(4, 5))
        self.stairs = int(self.rng.integers(3, 5))
        self.obstacles += [self._stair(x, y, s) for s in range(self.stairs)]
        return self.stairs * self.tread

    def _stair(self, x: float, y: float, s: int) -> Quad:
        left, right = x + s * self.tread * TERRAIN_STEP, x + (s + 1) * self.tread * TERRAIN_STEP
        top, bottom = y + s * self.rise * TERRAIN_STEP, y + (s * self.rise - 1) * TERRAIN_STEP
        return [(left, top), (right, top), (right, bottom), (left, bottom)]

    def go_on(self, kind: int, counter: int) -> None:
        """The surface within an obstacle, `counter` steps before its end."""
        if kind == _PIT:
            self.y = self.base - (_PIT_DEPTH if counter > 1 else 0.0)
        elif kind == _STAIRS:
            climbed = (self.stairs * self.tread - counter - self.rise) / self.tread
            self.y = self.base + climbed * self.rise * TERRAIN_STEP


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


def add_terrain(world: engine.World, terrain: Terrain) -> list[engine.Fixture]:
    """Adds the obstacles and then the surface to one body, and returns their fixtures in that order."""
    ground = engine.add_ground(world)
    obstacles = [_OBSTACLES.add(ground, quad) for quad in terrain.obstacles]
    return obstacles + [_SURFACE.add(ground, *ends) for ends in pairwise(terrain.points)]
