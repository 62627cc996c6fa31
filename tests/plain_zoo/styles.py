"""Plain environments in styles of their own: records, objects, enumerations, actions of parts, a derived class."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

import numpy as np

import gymnasium as gym
from gymnasium import spaces
from gymnasium.envs.classic_control import CartPoleEnv


class Move(IntEnum):
    LEFT = 0
    STAY = 1
    RIGHT = 2


@dataclass(frozen=True)
class Spot:
    x: int
    y: int = 0

    def moved(self, dx, dy=0):
        return Spot(self.x + dx, self.y + dy)

    @property
    def far(self):
        return abs(self.x) + abs(self.y)


class Load(NamedTuple):
    weight: float
    count: int

    @property
    def total(self):
        return self.weight * self.count


@dataclass
class Drop:
    height: float = 0.0
    speed: float = 1.0


class Walker:
    def __init__(self, x, speed=0.5):
        self.x, self.speed, self.log = x, speed, np.zeros(2)

    def go(self, direction):
        self.x += direction * self.speed
        self.log[0] += 1

    @property
    def tired(self):
        return self.log[0] > 6


class ParcelEnv(gym.Env):
    """Frozen records, a NamedTuple, and objects that are made anew."""

    HOME = Spot(2, 3)

    def __init__(self):
        self.observation_space = spaces.Box(-np.inf, np.inf, (6,), np.float64)
        self.action_space = spaces.Discrete(3)
        self.window = None
        self.drop = Drop()

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.spot = Spot(int(self.np_random.integers(3)))
        self.load = Load(self.np_random.random(), 2)
        self.walker = Walker(self.np_random.random())
        self.drop = Drop(speed=self.np_random.random())
        self.window = (0.0, 1.0)
        self.score = [0, 0]
        return self._see(), {"tired": self.walker.tired}

    def _see(self):
        parts = [self.spot.x, self.load.total, self.walker.x, self.drop.height, self.window[1], self.score[0]]
        return np.array(parts, dtype=np.float64)

    def step(self, action):
        match Move(action):
            case Move.LEFT:
                self.spot = self.spot.moved(-1)
            case Move.RIGHT:
                self.spot = dataclasses.replace(self.spot, y=self.spot.y + 1)
        self.load = self.load._replace(weight=round(self.load.weight + 0.137, 2))
        self.walker.go(action - 1)
        self.drop.height += self.drop.speed
        if self.drop.height > 2:
            self.drop = Drop(0.5, speed=self.np_random.random())
        if self.walker.tired:
            self.walker = Walker(0.25, speed=self.walker.speed * 0.9)
        self.score[action % 2] += 0.5 if action == Move.STAY else 1
        before, last = self.window
        self.window = (last, before + self.load.weight)
        info = {"tired": self.walker.tired, "near": bool(self.walker.x < 0.3), "home": self.HOME.far}
        return self._see(), float(self.spot.far), self.spot == self.HOME, False, info


class CraneEnv(gym.Env):
    """The action is a dict: a motor, a hook and a pair of switches."""

    def __init__(self):
        self.observation_space = spaces.Box(-np.inf, np.inf, (3,), np.float32)
        self.action_space = spaces.Dict(
            {
                "motor": spaces.Box(-1.0, 1.0, (2,), np.float32),
                "hook": spaces.Discrete(3, start=-1),
                "switches": spaces.MultiBinary(2),
            }
        )

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.place, self.speed = self.np_random.uniform(-1, 1, 2), 0.0
        return self._see(), {}

    def _see(self):
        return np.array([*self.place, self.speed], dtype=np.float32)

    def step(self, action):
        if action["switches"].all():
            self.speed = 0.0
        self.speed += 0.1 * float(action["motor"][0]) - 0.01 * action["hook"]
        self.place = self.place + 0.1 * self.speed * (1 + action["switches"].sum())
        return self._see(), -abs(float(self.place[1])), bool(np.abs(self.place).max() > 2), False, {}


class TurretEnv(gym.Env):
    """The action is a tuple, with a tuple in it."""

    def __init__(self):
        self.observation_space = spaces.Box(-np.inf, np.inf, (2,), np.float64)
        inner = spaces.Tuple((spaces.Discrete(2), spaces.Box(-2.0, 2.0, (1,), np.float64)))
        self.action_space = spaces.Tuple((spaces.MultiDiscrete([3, 4]), spaces.Box(-1, 1, (2, 2), np.float64), inner))

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.aim, self.shots = self.np_random.normal(), 0
        return np.array([self.aim, self.shots], dtype=np.float64), {}

    def step(self, action):
        turns, matrix, (fires, power) = action
        self.aim += 0.1 * turns[1] * matrix[0, 1] - power[0] * 0.01
        hit = fires == 1 and abs(self.aim) < 0.5
        self.shots += int(fires)
        return np.array([self.aim, self.shots], dtype=np.float64), 1.0 if hit else -0.1, self.shots > 20, False, {}


class BlindPoleEnv(CartPoleEnv):
    """CartPole without its velocities, and with another reward."""

    def __init__(self):
        super().__init__()
        self.masspole = 0.2
        self.observation_space = spaces.Box(-np.inf, np.inf, (2,), np.float32)

    def reset(self, *, seed=None, options=None):
        self.steps = 0
        observation, info = super().reset(seed=seed, options=options)
        return observation[[0, 2]], info

    def step(self, action):
        observation, reward, terminated, _, info = super().step(action)
        self.steps += 1
        if self.steps == 7:
            x, speed, angle, turn = self.state
            self.state = (x * 0.5, 0, angle, turn + 0.1 * speed)
        reward -= abs(float(self.state[3])) * self.masspole + self.np_random.random()
        return np.array([observation[0], observation[2]]), reward, terminated, self.steps > 60, info
