"""The walker's motors and observations: the parts of a step before and after the engine's.

`before` and `after` run as Python and as machine code. Quantities are in metres, radians and seconds.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from gymnasium.envs.box2d._engine.bindings import (
    FPS,
    Column,
    Handle,
    joint_angle,
    joint_speed,
    motion,
    set_motor_speed,
    set_motor_torque,
)
from gymnasium.envs.box2d._stepping.layout import SHAPING
from gymnasium.envs.box2d._stepping.program import FEET
from gymnasium.envs.box2d._walker.body import MOTORS_TORQUE
from gymnasium.envs.box2d._walker.lidar import RAYS, Obstacles, Surface, measure
from gymnasium.envs.box2d._walker.terrain import GOAL, SCALE, VIEWPORT_H, VIEWPORT_W

SPEED_HIP: Final = 4  # rad/s, of the motors
SPEED_KNEE: Final = 6
OWN: Final = 14  # numbers of an observation before the range finder's
SEEN_NUMBERS: Final = OWN + RAYS  # of an observation
# Places of the walker's other numbers: the left end of the view in m, and the fractions of the motors' torques.
SCROLL, EFFORTS = SHAPING + 1, SHAPING + 2
NUMBERS: Final = EFFORTS + 4

_SPEEDS: Final = (float(SPEED_HIP), float(SPEED_KNEE), float(SPEED_HIP), float(SPEED_KNEE))
_EFFORT: Final = float(np.float32(0.00035 * MOTORS_TORQUE))  # the cost of a step of a motor at full torque


class Walker(NamedTuple):
    """The parts of the walker used by these functions."""

    world: Any
    hull: Handle
    hinges: Column  # hip and knee behind, hip and knee in front
    marks: Column  # which legs stand on the ground, and whether the hull has touched it
    numbers: Column
    state: Column  # the observation's first numbers
    free: Column  # and the others
    rounded: Column  # two 32-bit floats
    surface: Surface
    obstacles: Obstacles
    ray: Any


def before(walker: Walker, hip1: float, knee1: float, hip2: float, knee2: float) -> None:
    """Set the motors: the sign is the direction, the size the fraction of the maximum torque."""
    move = (hip1, knee1, hip2, knee2)
    for k in range(len(_SPEEDS)):
        a = move[k]
        torque = min(abs(a), 1.0)
        walker.numbers[EFFORTS + k] = torque
        set_motor_speed(walker.hinges[k], _SPEEDS[k] if a > 0 else -_SPEEDS[k] if a < 0 else 0.0)
        set_motor_torque(walker.hinges[k], MOTORS_TORQUE * torque)


def after(walker: Walker) -> tuple[float, bool]:
    """Observe; returns the reward and whether the walk is over, by a fall or at the far end."""
    n = walker.numbers
    x, shaping = _observe(walker)
    reward = _reward(walker.rounded, n, shaping)
    n[SHAPING], n[SCROLL] = shaping, x - VIEWPORT_W / SCALE / 5
    if walker.marks[FEET] or x < 0:
        return -100.0, True
    return reward, x > GOAL


def _observe(walker: Walker) -> tuple[float, float]:
    """Observe the walker and its surroundings; returns the hull's x, and the quality of the state."""
    state, hinges = walker.state, walker.hinges
    x, y, vx, vy, angle, angular_velocity = motion(walker.hull)
    state[0] = angle
    state[1] = 2.0 * angular_velocity / FPS
    state[2] = 0.3 * vx * (VIEWPORT_W / SCALE) / FPS
    state[3] = 0.3 * vy * (VIEWPORT_H / SCALE) / FPS
    for leg in range(2):
        at, hip, knee = 4 + 5 * leg, hinges[2 * leg], hinges[2 * leg + 1]
        state[at] = joint_angle(hip)
        state[at + 1] = joint_speed(hip) / SPEED_HIP
        state[at + 2] = joint_angle(knee) + 1.0
        state[at + 3] = joint_speed(knee) / SPEED_KNEE
        state[at + 4] = 1.0 if walker.marks[leg] else 0.0
    measure(walker.free, x, y, walker.surface, walker.obstacles, walker.ray)
    return x, 130 * x / SCALE - 5.0 * abs(angle)


def _reward(rounded: Column, numbers: Column, shaping: float) -> float:
    """The gained progress and posture, less the effort: in 32 bits from the first motor on, like actions."""
    shaping_before = numbers[SHAPING]
    rounded[0] = 0.0 if shaping_before != shaping_before else shaping - shaping_before
    for k in range(len(_SPEEDS)):
        rounded[1] = _EFFORT * numbers[EFFORTS + k]
        rounded[0] -= rounded[1]
    reward: float = rounded[0]
    return reward
