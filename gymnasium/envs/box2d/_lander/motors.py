"""The lander's engines and observations: the parts of a step before and after the physics.

`fire` and `observe` run as Python and as machine code; `bind` binds them to one lander. Quantities are in metres,
radians, seconds and newtons.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.box2d._engine.bindings import FPS, Body, Column, Handle, Point, apply_impulse, is_awake, motion
from gymnasium.envs.box2d._fast.program import MachineCode
from gymnasium.envs.box2d._lander.world import HEIGHT, LEG_DOWN, SCALE, WIDTH

MAIN_ENGINE_POWER: Final = 13.0  # N s per metre of the jet's offset
SIDE_ENGINE_POWER: Final = 0.6
SIDE_ENGINE_HEIGHT: Final = 14  # pixels above the lander's middle
SIDE_ENGINE_AWAY: Final = 12  # pixels beside it
MAIN_ENGINE_Y_LOCATION: Final = 4  # pixels below it
NUMBERS: Final = 8  # of an observation


class Jet(NamedTuple):
    """The place of a jet, and its push on the lander."""

    point: Point  # of the world
    offset: Point  # from the lander's middle, without that of a side engine's mount
    impulse: Point


def fire(hull: Handle, main: float, side: float, along: float, across: float) -> None:
    """Push the lander by its engines: `main` has a power of 0 to 1, `side` one of -1 (left) to 1.

    Args:
        hull: The lander.
        main: Power of the main engine.
        side: Power of the side engines.
        along: Displacement of the jets in the direction in which the lander stands.
        across: Displacement perpendicular to it.
    """
    if main:
        jet = main_jet(hull, main, along, across)
        apply_impulse(hull, jet.impulse, jet.point, True)
    if side:
        jet = side_jet(hull, side, along, across)
        apply_impulse(hull, jet.impulse, jet.point, True)


def main_jet(hull: Handle, power: float, along: float, across: float) -> Jet:
    """Returns the jet of the main engine."""
    x, y, _, _, angle, _ = motion(hull)
    up_x, up_y = math.sin(angle), math.cos(angle)
    reach = MAIN_ENGINE_Y_LOCATION / SCALE + 2 * along
    ox, oy = up_x * reach - up_y * across, -up_y * reach - up_x * across
    return Jet((x + ox, y + oy), (ox, oy), (-ox * MAIN_ENGINE_POWER * power, -oy * MAIN_ENGINE_POWER * power))


def side_jet(hull: Handle, side: float, along: float, across: float) -> Jet:
    """Returns the jet of a side engine."""
    x, y, _, _, angle, _ = motion(hull)
    up_x, up_y = math.sin(angle), math.cos(angle)
    reach = 3 * across + math.copysign(1.0, side) * SIDE_ENGINE_AWAY / SCALE
    ox, oy = up_x * along - up_y * reach, -up_y * along - up_x * reach
    # 17 is the hull's half width, although its height is 14: the jets are not quite mirrored.
    point = (x + ox - up_x * 17 / SCALE, y + oy + up_y * SIDE_ENGINE_HEIGHT / SCALE)
    power = abs(side)
    return Jet(point, (ox, oy), (-ox * SIDE_ENGINE_POWER * power, -oy * SIDE_ENGINE_POWER * power))


def observe(seen: Column, hull: Handle, standing: Column, pad_y: float) -> tuple[float, float, bool]:
    """Write the observation; returns its first number, the quality of the state, and whether the lander is awake.

    The quality is high near the pad, and for a lander that is slow, upright and on its legs.
    """
    px, py, pvx, pvy, angle, angular_velocity = motion(hull)
    x, y = (px - WIDTH / 2) / (WIDTH / 2), (py - (pad_y + LEG_DOWN / SCALE)) / (HEIGHT / 2)
    vx, vy = pvx * (WIDTH / 2) / FPS, pvy * (HEIGHT / 2) / FPS
    left, right = (1.0 if standing[0] else 0.0), (1.0 if standing[1] else 0.0)
    seen[0], seen[1], seen[2], seen[3] = x, y, vx, vy
    seen[4], seen[5], seen[6], seen[7] = angle, 20.0 * angular_velocity / FPS, left, right
    distance, speed = math.sqrt(x * x + y * y), math.sqrt(vx * vx + vy * vy)
    shaping = -100 * distance - 100 * speed - 100 * abs(angle) + 10 * left + 10 * right
    return x, shaping, is_awake(hull)


class LanderFunctions(NamedTuple):
    """The functions of a step, for one lander."""

    fire: Callable[[float, float, float, float], None]
    """`fire` above, without its first argument."""
    observe: Callable[[float], tuple[float, float, bool]]
    """`observe` above, for the height of the pad."""
    observation: NDArray[np.float32]
    """Of shape (8,); valid after `observe`."""


def bind(lander: Body, standing: NDArray[np.uint8], code: MachineCode | None) -> LanderFunctions:
    """Returns the functions for a lander, as Python or as machine code; `standing` marks legs, and may change."""
    seen = np.zeros(NUMBERS, np.float32)
    if code is None:
        return LanderFunctions(partial(fire, lander.this), partial(observe, seen, lander.this, standing), seen)
    hull, functions = int(lander.this), code.functions
    return LanderFunctions(partial(functions["fire"], hull), partial(functions["observe"], seen, hull, standing), seen)
