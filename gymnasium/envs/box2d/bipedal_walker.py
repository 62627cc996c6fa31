"""Bipedal walker: learn to walk over rough ground on two legs with four motors.

Source: O. Klimov's environment for OpenAI Gym (2016). The terrain is in `bipedal_terrain.py`, the body in
`bipedal_body.py`, the range finder in `lidar.py` and the pixels in `drawing/bipedal_walker.py`.
"""

from __future__ import annotations

import math
from array import array
from typing import Any, Final, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.box2d import engine
from gymnasium.envs.box2d.base import Box2DEnv
from gymnasium.envs.box2d.bipedal_body import (
    HULL_FD,
    HULL_POLY,
    INITIAL_RANDOM,
    LEG_DOWN,
    LEG_FD,
    LEG_H,
    LEG_W,
    LOWER_FD,
    MOTORS_TORQUE,
    add_hull,
    add_legs,
)
from gymnasium.envs.box2d.bipedal_policy import BipedalWalkerHeuristics
from gymnasium.envs.box2d.bipedal_terrain import (
    FRICTION,
    SCALE,
    TERRAIN_GRASS,
    TERRAIN_HEIGHT,
    TERRAIN_LENGTH,
    TERRAIN_STARTPAD,
    TERRAIN_STEP,
    VIEWPORT_H,
    VIEWPORT_W,
    add_terrain,
    random_terrain,
)
from gymnasium.envs.box2d.drawing.bipedal_walker import picture
from gymnasium.envs.box2d.engine import FPS, joint_angle, joint_speed, motion, set_motor_speed, set_motor_torque
from gymnasium.envs.box2d.lidar import LIDAR_RANGE, Lidar
from gymnasium.error import Error
from gymnasium.spaces import Box
from gymnasium.utils.ezpickle import EzPickle

__all__ = [
    "FPS",
    "FRICTION",
    "HULL_FD",
    "HULL_POLY",
    "INITIAL_RANDOM",
    "LEG_DOWN",
    "LEG_FD",
    "LEG_H",
    "LEG_W",
    "LIDAR_RANGE",
    "LOWER_FD",
    "MOTORS_TORQUE",
    "SCALE",
    "SPEED_HIP",
    "SPEED_KNEE",
    "TERRAIN_GRASS",
    "TERRAIN_HEIGHT",
    "TERRAIN_LENGTH",
    "TERRAIN_STARTPAD",
    "TERRAIN_STEP",
    "VIEWPORT_H",
    "VIEWPORT_W",
    "BipedalWalker",
    "BipedalWalkerHardcore",
    "BipedalWalkerHeuristics",
    "ContactDetector",
]

SPEED_HIP: Final = 4  # rad/s, of the motors
SPEED_KNEE: Final = 6
_SPEEDS: Final = (float(SPEED_HIP), float(SPEED_KNEE)) * 2

_GOAL: Final = (TERRAIN_LENGTH - TERRAIN_GRASS) * TERRAIN_STEP  # m
_EFFORT: Final = float(np.float32(0.00035 * MOTORS_TORQUE))  # what a motor at full torque costs a step


class ContactDetector(engine.ContactListener):
    """Notes which lower leg stands on the ground, and whether the hull has touched it."""

    def __init__(self, env: BipedalWalker) -> None:
        super().__init__()
        self.env = env

    def begin(self, one: Any, other: Any) -> None:
        """The hull ends the game; a lower leg stands."""
        for body in (one, other):
            if body == "hull":
                self.env.game_over = True
            elif body is not None:
                self.env.legs[body].ground_contact = True

    def end(self, one: Any, other: Any) -> None:
        """A lower leg has left a piece of the ground."""
        for body in (one, other):
            if type(body) is int:
                self.env.legs[body].ground_contact = False


class Piece(NamedTuple):
    """A piece of the ground."""

    fixtures: list[engine.Fixture]


class BipedalWalker(Box2DEnv[NDArray[np.float32], NDArray[np.float32]]):
    """BipedalWalker: walk to the far end. BipedalWalker-v3 limits an episode to 1600 steps, the hardcore one to 2000.

    Observation, `Box` of shape (24,), float32: the hull's angle (rad), angular velocity and velocity along x and y
    (scaled); for each leg, the angle and the speed of the hip and of the knee (speeds as fractions of the motors'),
    and whether the lower leg touches the ground; ten readings of a range finder from straight down to the front (the
    part of 5.3 m that is free).

    Action, `Box` of shape (4,) within [-1, 1]: hip and knee of one leg, then of the other. The sign is the direction in
    which the motor turns, the size the part of its greatest torque.

    Reward: 4.3 for a metre forwards (300 points to the far end), less 5 for a rad by which the hull's angle grew, less
    0.028 for each motor at full torque; instead -100 for a fall, which ends the episode, as does the far end.

    Args:
        render_mode: `"human"`, `"rgb_array"` or None.
        hardcore: Whether there are stumps, stairs and pits.

    Attributes:
        hull: The hull, a body of the engine.
        legs: Upper and lower leg, twice; the lower ones have an attribute `ground_contact`.
        joints: Hip and knee, twice.
        terrain: The pieces of the ground, the surface from right to left first, each with its `fixtures`.
        game_over: Whether the hull has touched the ground.
    """

    def __init__(self, render_mode: str | None = None, hardcore: bool = False) -> None:
        EzPickle.__init__(self, render_mode, hardcore)
        self.hardcore = hardcore
        joints = [math.pi, 5.0, math.pi, 5.0, 5.0]
        high = np.array([math.pi, 5.0, 5.0, 5.0, *joints, *joints, *[1.0] * 10], np.float32)
        low = -high
        low[[8, 13]] = -0.0  # contacts
        self.observation_space = Box(low, high)
        self.action_space = Box(-1, 1, (4,), np.float32)
        self.hull: engine.Body = None
        self.legs: list[engine.Body] = []
        self.joints: list[engine.Joint] = []
        self._ground: list[engine.Fixture] = []
        self.game_over = False
        self.prev_shaping: float | None = None
        self._reward_32 = array("f", (0.0, 0.0))  # rounds what is put into it, in a quarter of NumPy's time
        super().__init__(render_mode)

    def _build(self, rng: Any, options: dict[str, Any] | None) -> None:
        self.game_over = False
        self.prev_shaping = None
        self.scroll = 0.0
        self.world = engine.new_world((0, -10), ContactDetector(self))
        self.landscape = random_terrain(rng, self.hardcore)
        self._ground = add_terrain(self.world, self.landscape)
        self.lidar = Lidar(self.landscape, self._ground)
        self.hull = add_hull(self.world)
        engine.name(self.hull, "hull")
        self.hull.ApplyForceToCenter((rng.uniform(float(-INITIAL_RANDOM), float(INITIAL_RANDOM)), 0), True)
        _, self.legs, self.joints = add_legs(self.world, self.hull)
        for i in (1, 3):
            engine.name(self.legs[i], i)
        self._hull, self._motors = self.hull.this, [joint.this for joint in self.joints]
        self._act([0.0, 0.0, 0.0, 0.0])

    @property
    def terrain(self) -> list[Piece]:
        """The pieces of the ground."""
        return [Piece([fixture]) for fixture in reversed(self._ground)]

    def _act(self, move: list[float]) -> tuple[float, bool, dict[str, Any]]:
        torques = [min(abs(a), 1.0) for a in move]
        for motor, speed, a, torque in zip(self._motors, _SPEEDS, move, torques, strict=True):
            set_motor_speed(motor, speed if a > 0 else -speed if a < 0 else 0.0)
            set_motor_torque(motor, MOTORS_TORQUE * torque)
        engine.advance(self.world)
        self._state, x = self._read_state()
        self.scroll = x - VIEWPORT_W / SCALE / 5
        reward = self._reward(x, torques)
        if self.game_over or x < 0:
            return -100.0, True, {}
        return reward, x > _GOAL, {}

    def _reward(self, x: float, torques: list[float]) -> float:
        """Progress and posture gained, less the effort; in 32 bits from the first motor on, as actions are."""
        shaping = 130 * x / SCALE - 5.0 * abs(self._state[0])
        gained = 0.0 if self.prev_shaping is None else shaping - self.prev_shaping
        self.prev_shaping = shaping
        reward = self._reward_32
        reward[0] = gained
        for torque in torques:
            reward[1] = _EFFORT * torque
            reward[0] -= reward[1]
        return reward[0]

    def _read_state(self) -> tuple[list[float], float]:
        """The observation, before it is rounded to 32 bits, and the hull's x."""
        x, y, vx, vy, angle, angular_velocity = motion(self._hull)
        hip1, knee1, hip2, knee2 = self._motors
        state = [
            angle,
            2.0 * angular_velocity / FPS,
            0.3 * vx * (VIEWPORT_W / SCALE) / FPS,
            0.3 * vy * (VIEWPORT_H / SCALE) / FPS,
            joint_angle(hip1),
            joint_speed(hip1) / SPEED_HIP,
            joint_angle(knee1) + 1.0,
            joint_speed(knee1) / SPEED_KNEE,
            1.0 if self.legs[1].ground_contact else 0.0,
            joint_angle(hip2),
            joint_speed(hip2) / SPEED_HIP,
            joint_angle(knee2) + 1.0,
            joint_speed(knee2) / SPEED_KNEE,
            1.0 if self.legs[3].ground_contact else 0.0,
            *self.lidar.fractions(x, y),
        ]
        return state, x

    def _observation(self) -> NDArray[np.float32]:
        return np.array(self._state, np.float32)

    def _frame(self) -> NDArray[np.uint8]:
        return picture(self.landscape, self.scroll, self.hull, self.legs, self._state[14:])


class BipedalWalkerHardcore:
    """Only says what took its place."""

    def __init__(self) -> NoReturn:
        raise Error('BipedalWalkerHardcore is now an argument: gymnasium.make("BipedalWalker-v3", hardcore=True)')
