"""Environments whose state machine code cannot hold. Each class has one reason, at the marked line."""

from __future__ import annotations

import itertools
from collections import Counter
from decimal import Decimal

import numpy as np

import gymnasium as gym
from gymnasium.spaces import Box, Discrete, Sequence


class _Small(gym.Env):
    """What all have in common."""

    observation_space = Box(-1000, 1000, (2,), np.float64)
    action_space = Discrete(3)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.x = 0.0
        self.begin()
        return self.observe(), {}

    def begin(self):
        pass

    def observe(self):
        return np.array([self.x, 1.0])

    def step(self, action):
        self.x += action - 1
        self.act(action)
        return self.observe(), -abs(self.x), abs(self.x) > 5, False, {}

    def act(self, action):
        pass


class OrderOfSetEnv(_Small):
    def begin(self):
        self.visited = {0.0}

    def act(self, action):
        self.visited.add(self.x)
        for one in self.visited:  # refused
            self.x = 0.5 * (self.x + one)


class GrowingStringEnv(_Small):
    def begin(self):
        self.word = ""  # refused

    def act(self, action):
        self.word += "abc"[action]
        if self.word.endswith("cab"):
            self.x = 6.0


class CounterEnv(_Small):
    def begin(self):
        self.tally = Counter()

    def act(self, action):
        self.tally += Counter([int(action)])  # refused


class DecimalEnv(_Small):
    def begin(self):
        self.money = Decimal("10.00")  # refused

    def act(self, action):
        self.money -= action


class IteratorEnv(_Small):
    def begin(self):
        self.turns = itertools.cycle([1, -1])  # refused

    def act(self, action):
        self.x += next(self.turns)


class GeneratorEnv(_Small):
    def begin(self):
        self.wave = self.waves()  # refused

    def waves(self):
        t = 0
        while True:
            yield np.sin(t)
            t += 1

    def act(self, action):
        self.x += next(self.wave)


class LongerArrayEnv(_Small):
    def begin(self):
        self.trace = np.zeros(1)  # refused

    def act(self, action):
        self.trace = np.append(self.trace, self.x)


class OtherShapeEnv(_Small):
    def begin(self):
        self.size = int(self.np_random.integers(3, 6))
        self.grid = np.zeros((self.size, self.size))  # refused

    def act(self, action):
        self.x += self.grid.size


class ObjectArrayEnv(_Small):
    def begin(self):
        self.cells = np.array([None, 1, "two"], dtype=object)  # refused

    def act(self, action):
        if self.cells[action] is None:
            self.x += 1


class StoredFunctionEnv(_Small):
    def begin(self):
        self.rule = lambda x: x + 1  # refused

    def act(self, action):
        k = float(action)
        self.rule = lambda x: x + k
        self.x = self.rule(self.x)


class NestedEnv(_Small):
    def __init__(self):
        self.inner = gym.make("CartPole-v1")  # refused

    def begin(self):
        self.inner.reset(seed=1)

    def act(self, action):
        self.x += self.inner.step(action % 2)[1]


class HugeIntegerEnv(_Small):
    def begin(self):
        self.code = 1

    def act(self, action):
        self.code = self.code | 1 << 70  # refused
        self.x += self.code % 3


class SequenceEnv(_Small):
    observation_space = Sequence(Discrete(5))

    def observe(self):
        return tuple(range(int(abs(self.x)) % 4))  # refused


class NewSpaceEnv(_Small):
    def begin(self):
        self.observation_space = Box(-1000, 1000, (2,), np.float64)  # refused
