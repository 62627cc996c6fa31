"""The moon and the lander, as bodies of the engine. Lengths are in metres unless a name says pixels."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from gymnasium.envs.box2d._engine import bindings as engine
from gymnasium.envs.box2d._engine.bindings import Hinge, Point
from gymnasium.envs.box2d._stepping.program import MachineCode

SCALE: Final = 30.0  # pixels per metre
VIEWPORT_W: Final = 600  # pixels
VIEWPORT_H: Final = 400
WIDTH: Final = VIEWPORT_W / SCALE  # of the visible world
HEIGHT: Final = VIEWPORT_H / SCALE

INITIAL_RANDOM: Final = 1000.0  # N, the maximum component of the push at the start of an episode

LANDER_POLY: Final = [(-14, 17), (-17, 0), (-17, -10), (17, -10), (17, 0), (14, 17)]  # pixels
LEG_AWAY: Final = 20  # pixels, from the lander's middle to a leg's
LEG_DOWN: Final = 18
LEG_W: Final = 2  # pixels, half a leg's width
LEG_H: Final = 8
LEG_SPRING_TORQUE: Final = 40  # N m, of the motor that holds a leg out

CHUNKS: Final = 11  # corners of the ground
_X: Final = [WIDTH / (CHUNKS - 1) * i for i in range(CHUNKS)]
# Collision categories: all collide only with the moon.
_MOON, _LANDER, _LEG, _PARTICLE = 0x001, 0x010, 0x020, 0x100

_FLOOR: Final = engine.Edges()
_SURFACE: Final = engine.Edges(friction=0.1)
_HULL: Final = engine.polygon(
    [(x / SCALE, y / SCALE) for x, y in LANDER_POLY],
    density=5.0,
    friction=0.1,
    categoryBits=_LANDER,
    maskBits=_MOON,
    restitution=0.0,
)
_FOOT: Final = engine.box(LEG_W / SCALE, LEG_H / SCALE, density=1.0, restitution=0.0, categoryBits=_LEG, maskBits=_MOON)


def _hinge(side: int) -> Hinge:
    limits = (0.4, 0.9) if side == -1 else (-0.9, -0.4)
    return Hinge(((0.0, 0.0), (side * LEG_AWAY / SCALE, LEG_DOWN / SCALE)), limits, LEG_SPRING_TORQUE, 0.3 * side)


_HINGES: Final = {side: _hinge(side) for side in (-1, 1)}


class Ground(NamedTuple):
    """The moon's surface: a level pad between random hills."""

    points: list[Point]
    pad: tuple[float, float]  # x of its ends
    pad_y: float


def random_ground(rng: Any) -> Ground:
    """Draws the heights of the corners, smoothed over their neighbours; the pad is level at a quarter of the view."""
    height = (HEIGHT / 2 * rng.random(CHUNKS + 1)).tolist()
    middle, pad_y = CHUNKS // 2, HEIGHT / 4
    height[middle - 2 : middle + 3] = [pad_y] * 5
    smooth = [0.33 * (height[i - 1] + height[i] + height[i + 1]) for i in range(CHUNKS)]
    return Ground(list(zip(_X, smooth, strict=True)), (_X[middle - 1], _X[middle + 1]), pad_y)


def add_moon(world: engine.World, ground: Ground, code: MachineCode | None) -> engine.Body:
    """Adds the ground, and a floor below it."""
    moon = engine.add_ground(world)
    _FLOOR.add(moon, [(0.0, 0.0), (WIDTH, 0.0)])
    if code is None:
        _SURFACE.add(moon, ground.points)
    else:
        code.add_edges(_SURFACE, moon, np.array(ground.points))
    return moon


def add_lander(world: engine.World) -> engine.Body:
    """Adds the lander's hull at the top of the view."""
    return engine.add_body(world, (WIDTH / 2, HEIGHT), 0.0, _HULL)


def add_particle(world: engine.World, position: Point, density: float) -> engine.Body:
    """Adds a grain that collides with the moon only."""
    grain = engine.circle(
        2 / SCALE, density=density, friction=0.1, categoryBits=_PARTICLE, maskBits=_MOON, restitution=0.3
    )
    return engine.add_body(world, position, 0.0, grain)


def add_leg(world: engine.World, lander: engine.Body, side: int) -> engine.Body:
    """Adds the leg on one side (-1 right, 1 left), hinged to the lander's middle and pressed outwards."""
    position = (WIDTH / 2 - side * LEG_AWAY / SCALE, HEIGHT)
    leg = engine.add_body(world, position, side * 0.05, _FOOT)
    leg.joint = _HINGES[side].join(lander, leg)
    return leg
