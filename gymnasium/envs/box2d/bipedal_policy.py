"""A policy that walks: a gait of three phases, with feedback of the hull's tilt and of the speed.

    palaestra run BipedalWalker-v3 --policy gymnasium.envs.box2d.bipedal_policy:walk

Source: after Yin, Loken and van de Panne (2007), "SIMBICON: simple biped locomotion control". The numbers were found
by a search over the returns of this environment.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

import numpy as np
from numpy.typing import NDArray

# Angles and speeds are as observed: hips are positive forwards; knees go from -0.6 (bent) to 0.9 (straight).
_SWING_HIP: Final = 1.133
_SWING_KNEE: Final = -0.662
_LAND_HIP: Final = -0.087
_LAND_KNEE: Final = 0.34
_STAND_KNEE: Final = 0.296
_STAND_KNEE_BY_SPEED: Final = 0.621
_STAND_KNEE_BY_TIME: Final = 0.02  # per step, while the walker is slow
_PASSED_HIP: Final = 0.093  # of the standing leg, at which it is far enough behind
_PUSH_KNEE: Final = 0.885
_PUSHED_KNEE: Final = 0.881  # at which the push is complete
_PUSH_STEPS: Final = 25  # the maximum duration of a push
_SPEED: Final = 0.043
_FAST: Final = 1.2 * _SPEED  # from this speed on no push is needed
_LEAN: Final = -0.039  # of the hull

# Torques, as fractions of the maximum, per unit of the error of an angle and of its speed.
_HIP: Final = (0.3585, 0.084)
_KNEE: Final = (0.9885, 0.211)
_HULL: Final = (0.407, 1.2705)

# The pose after a reset, recognised by the joints' angles.
_JOINTS: Final = [4, 6, 9, 11]
_START: Final = np.array([0.092, 0.860, 0.033, 0.854])
_NEAR: Final = 0.005


class Phase(Enum):
    """The phases of one leg, the swinging one."""

    SWING = "it is brought forwards, bent"
    LAND = "it is lowered to the ground"
    PUSH = "it stands, and the other leg pushes off"


class BipedalWalkerHeuristics:
    """The gait; restarts by itself when it sees a walker that has just been reset."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self.phase = Phase.SWING
        self.steps = 0  # in this phase
        self.swinging = 0  # the leg: 0 or 1

    def step_heuristic(self, s: NDArray[np.float32]) -> NDArray[np.float32]:
        """Returns the action in the observation `s`, of shape (4,)."""
        if np.abs(s[_JOINTS] - _START).max() < _NEAR:
            self._begin()
        hull, turning, speed = s[:3].tolist()
        legs = [s[4:9].tolist(), s[9:14].tolist()]
        self._advance(legs, speed)
        balance = _HULL[0] * (_LEAN - hull) - _HULL[1] * turning
        swinging, standing = legs[self.swinging], legs[1 - self.swinging]
        torques = [0.0] * 4
        torques[2 * self.swinging : 2 * self.swinging + 2] = self._swing(swinging, balance)
        other = 2 - 2 * self.swinging
        torques[other : other + 2] = [-balance, _towards(self._standing_knee(speed), standing[2:4], _KNEE)]
        return np.clip(np.array(torques, np.float32), -1, 1)

    def _advance(self, legs: list[list[float]], speed: float) -> None:
        """Switch to the next phase when this one has reached its aim."""
        self.steps += 1
        swinging, standing = legs[self.swinging], legs[1 - self.swinging]
        if self.phase is Phase.SWING and standing[0] < _PASSED_HIP:
            self._enter(Phase.LAND)
        elif self.phase is Phase.LAND and swinging[4]:
            self._enter(Phase.PUSH)
        elif self.phase is Phase.PUSH and (standing[2] > _PUSHED_KNEE or speed > _FAST or self.steps > _PUSH_STEPS):
            self._enter(Phase.SWING)
            self.swinging = 1 - self.swinging

    def _enter(self, phase: Phase) -> None:
        self.phase, self.steps = phase, 0

    def _swing(self, leg: list[float], balance: float) -> list[float]:
        """The torques of the swinging leg's hip and knee; while the other pushes, this one only balances the hull."""
        if self.phase is Phase.SWING:
            hip, knee = _SWING_HIP, _SWING_KNEE
        else:
            hip, knee = _LAND_HIP, _LAND_KNEE
        turned = 0.0 if self.phase is Phase.PUSH else _towards(hip, leg[0:2], _HIP)
        return [turned - balance, _towards(knee, leg[2:4], _KNEE)]

    def _standing_knee(self, speed: float) -> float:
        if self.phase is Phase.PUSH:
            return _PUSH_KNEE
        if self.phase is Phase.LAND:
            return _STAND_KNEE
        slow = speed < _SPEED
        return _STAND_KNEE + _STAND_KNEE_BY_SPEED * (speed - _SPEED) + (_STAND_KNEE_BY_TIME * self.steps if slow else 0)


def _towards(aim: float, joint: list[float], gains: tuple[float, float]) -> float:
    angle, speed = joint
    return gains[0] * (aim - angle) - gains[1] * speed


_gait = BipedalWalkerHeuristics()


def walk(observation: NDArray[np.float32]) -> NDArray[np.float32]:
    """Returns the gait's action. There is one gait for the process: for several walkers, make a gait for each."""
    return _gait.step_heuristic(observation)
