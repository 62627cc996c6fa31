"""The lander's engines and observations: the parts of a step before and after the physics.

`before` and `after` run as Python and as machine code. Quantities are in metres, radians, seconds and newtons.
"""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

from gymnasium.envs.box2d._engine.bindings import FPS, Column, Handle, Point, apply_impulse, is_awake, motion
from gymnasium.envs.box2d._lander.world import HEIGHT, LEG_DOWN, SCALE, WIDTH
from gymnasium.envs.box2d._stepping.draws import random
from gymnasium.envs.box2d._stepping.layout import SHAPING
from gymnasium.envs.box2d._stepping.program import FEET

MAIN_ENGINE_POWER: Final = 13.0  # N s per metre of the jet's offset
SIDE_ENGINE_POWER: Final = 0.6
SIDE_ENGINE_HEIGHT: Final = 14  # pixels above the lander's middle
SIDE_ENGINE_AWAY: Final = 12  # pixels beside it
MAIN_ENGINE_Y_LOCATION: Final = 4  # pixels below it
SEEN_NUMBERS: Final = 8  # of an observation
# Places of the lander's other numbers: the engines' powers and the jets' displacement in this step, the pad's height.
MAIN, SIDE, ALONG, ACROSS, PAD_Y = range(SHAPING + 1, SHAPING + 6)
NUMBERS: Final = SHAPING + 6


class Lander(NamedTuple):
    """The parts of the lander used by these functions."""

    world: Any
    hull: Handle
    rng: Any
    marks: Column  # which legs stand, and whether the hull has touched the ground
    numbers: Column
    seen: Column  # the observation
    continuous: bool  # whether actions are powers of the engines


class Jet(NamedTuple):
    """The place of a jet, and its push on the lander."""

    point: Point  # of the world
    offset: Point  # from the lander's middle, without that of a side engine's mount
    impulse: Point


def before(lander: Lander, first: float, second: float) -> None:
    """Push the lander by jets at slightly random places.

    Args:
        lander: The lander.
        first: The throttle of the main engine; or the discrete action.
        second: The throttle of the side engines, negative for the left one; or nothing.
    """
    main, side = _throttled(first, second) if lander.continuous else _switched(first)
    along = (2.0 * random(lander.rng) - 1.0) / SCALE  # the jets' displacement in the direction of the lander, m
    across = (2.0 * random(lander.rng) - 1.0) / SCALE  # perpendicular to it
    n = lander.numbers
    n[MAIN], n[SIDE], n[ALONG], n[ACROSS] = main, side, along, across
    if main:
        jet = main_jet(lander.hull, main, along, across)
        apply_impulse(lander.hull, jet.impulse, jet.point, True)
    if side:
        jet = side_jet(lander.hull, side, along, across)
        apply_impulse(lander.hull, jet.impulse, jet.point, True)


def _switched(action: float) -> tuple[float, float]:
    """Powers for a discrete action: nothing, the left, the main or the right engine."""
    return (1.0 if action == 2 else 0.0), (-1.0 if action == 1 else 1.0 if action == 3 else 0.0)


def _throttled(main: float, side: float) -> tuple[float, float]:
    """Powers for a continuous action: of the main engine, 0 or 0.5 to 1, and of a side engine, 0 or 0.5 to 1."""
    main_power = (min(main, 1.0) + 1.0) * 0.5 if main > 0.0 else 0.0
    return main_power, max(-1.0, min(side, 1.0)) if abs(side) > 0.5 else 0.0


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


def after(lander: Lander) -> tuple[float, bool]:
    """Observe; returns the reward and whether the landing is over: the growth of the quality, less the fuel."""
    n = lander.numbers
    x, shaping = _observe(lander.seen, lander.hull, lander.marks, n[PAD_Y])
    reward = 0.0 if n[SHAPING] != n[SHAPING] else shaping - n[SHAPING]
    n[SHAPING] = shaping
    reward -= n[MAIN] * 0.30
    reward -= abs(n[SIDE]) * 0.03
    if not is_awake(lander.hull):
        return 100.0, True
    if lander.marks[FEET] or abs(x) >= 1.0:
        return -100.0, True
    return reward, False


def _observe(seen: Column, hull: Handle, standing: Column, pad_y: float) -> tuple[float, float]:
    """Write the observation; returns its first number, and the quality of the state.

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
    return x, shaping
