"""Environments whose faults show only in other processes, copies, or many steps."""

from __future__ import annotations

import threading

import numpy as np

from gymnasium.spaces import Box
from tests.checker_zoo.sound import Sound, broken


@broken("G701", deep=True)
class DependsOnHashes(Sound):
    def reward(self):
        return float(hash("start") % 1000)


@broken("G702", "G704", deep=True)
class HoldsALock(Sound):
    def __init__(self, render_mode=None):
        super().__init__(render_mode)
        self.lock = threading.Lock()


@broken("G703", deep=True)
class ForgetsItsSize(Sound):
    def __init__(self, render_mode=None):
        super().__init__(render_mode)
        self.size = 1.0

    def __getstate__(self):
        return {**self.__dict__, "size": 2.0}

    def __deepcopy__(self, memo):
        copy = type(self)(self.render_mode)
        copy.__dict__.update(self.__dict__)
        copy.np_random = np.random.Generator(type(self.np_random.bit_generator)())
        copy.np_random.bit_generator.state = self.np_random.bit_generator.state
        return copy

    def reward(self):
        return self.size


@broken("G705", deep=True)
class CopyStartsAnew(Sound):
    def __deepcopy__(self, memo):
        copy = type(self)(self.render_mode)
        copy.reset(seed=0)
        return copy


@broken("G706", deep=True)
class FailsLate(Sound):
    steps = 0

    def step(self, action):
        self.steps += 1
        if self.steps == 600:
            raise IndexError("the list is at its end")
        return super().step(action)


@broken("G302", deep=True)
class ReturnsAListLate(FailsLate):
    """What is found late is told as if it had been found early."""

    def step(self, action):
        try:
            return super().step(action)
        except IndexError:
            return []


@broken("G408", deep=True)
class LeavesItsSpaceLate(Sound):
    def observation(self):
        return np.float32([self.position / 10, 0.4 * self.t])

    def terminated(self):
        return self.t > 10


@broken("G307", deep=True)
class NanSometimes(Sound):
    def reward(self):
        return float("nan") if self.np_random.random() < 0.01 else 1.0


@broken("G707", deep=True)
class ChangesTheAction(Sound):
    def __init__(self, render_mode=None):
        super().__init__(render_mode)
        self.action_space = Box(-1, 1, (1,), np.float32)

    def step(self, action):
        action *= 0.1
        self.t += 1
        self.position += float(action[0])
        return self.observation(), 1.0, self.terminated(), False, self.info()


@broken("G708", deep=True)
class TakesAnyAction(Sound):
    def step(self, action):
        return super().step(min(action, 1))
