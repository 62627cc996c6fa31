"""Environments that reach out of themselves. Each class has one reason, at the marked line."""

from __future__ import annotations

import copy
import datetime
import functools
import logging
import os
import random
import threading
import time
import uuid

import numpy as np

from gymnasium.spaces import Box
from tests.plain_zoo.refused.state import _Small

EPISODES = 0
HISTORY = []
TABLE = {"bonus": 0.5}
LIMITS = np.array([5.0, 6.0])


class FileEnv(_Small):
    def act(self, action):
        with open("/dev/null") as file:  # refused
            self.x += len(file.read())


class PrintEnv(_Small):
    def act(self, action):
        print("moved by", action)  # refused


class LoggingEnv(_Small):
    def act(self, action):
        logging.getLogger("env").error("moved")  # refused


class EnvironmentVariableEnv(_Small):
    def act(self, action):
        if os.environ.get("FAST"):  # refused
            self.x += 1


class GlobalStateEnv(_Small):
    def begin(self):
        self.state = np.random.get_state()[1]  # refused


class SystemRandomEnv(_Small):
    def act(self, action):
        if random.SystemRandom().random() < 0.5:  # refused
            self.x += 1


class OwnGeneratorEnv(_Small):  # refused
    def act(self, action):
        rng = np.random.default_rng()
        self.x += rng.normal()


class SampledActionEnv(_Small):
    def act(self, action):
        self.x += self.action_space.sample()  # refused


class ClockEnv(_Small):
    def begin(self):
        self.started = time.time()  # refused


class DateEnv(_Small):
    def act(self, action):
        self.x += datetime.datetime.now().weekday()  # refused


class UuidEnv(_Small):
    def begin(self):
        self.name = uuid.uuid4()  # refused


class GlobalCounterEnv(_Small):
    def begin(self):
        global EPISODES  # refused
        EPISODES += 1
        self.x = EPISODES % 3


class GlobalListEnv(_Small):
    def act(self, action):
        HISTORY.append(action)  # refused


class GlobalDictEnv(_Small):
    def act(self, action):
        TABLE["bonus"] = -TABLE["bonus"]  # refused
        self.x += TABLE["bonus"]


class GlobalArrayEnv(_Small):
    def act(self, action):
        LIMITS[0] += 0.1  # refused


class ClassCounterEnv(_Small):
    episodes = 0

    def begin(self):
        ClassCounterEnv.episodes += 1  # refused
        self.x = self.episodes % 3


class ClassTableEnv(_Small):
    table = np.zeros(3)

    def act(self, action):
        self.table[action] += 1  # refused
        self.x += self.table[0]


class DefaultArgumentEnv(_Small):
    def act(self, action, seen=[]):  # noqa: B006
        seen.append(action)  # refused
        self.x += len(seen)


class EvalEnv(_Small):
    def act(self, action):
        self.x = eval("self.x * 0.5")  # refused


class RecursionEnv(_Small):
    def fall(self, height, heights):
        if height <= 0:
            return len(heights)
        return self.fall(height - self.np_random.random(), [*heights, height])  # refused

    def act(self, action):
        self.x += self.fall(3.0, [])


class LookaheadEnv(_Small):
    def act(self, action):
        other = copy.deepcopy(self)  # refused
        other.x += 1
        self.x = -other.x


class SetattrEnv(_Small):
    def act(self, action):
        setattr(self, f"visits_{action}", 1)  # refused


class InfoKeyEnv(_Small):
    def step(self, action):
        observation, reward, terminated, truncated, info = super().step(action)
        info[f"action_{action}"] = 1  # refused
        return observation, reward, terminated, truncated, info


class LockEnv(_Small):
    def __init__(self):
        self.lock = threading.Lock()

    def act(self, action):
        with self.lock:  # refused
            self.x += 1


class CachedEnv(_Small):
    @functools.lru_cache(maxsize=None)  # noqa: B019, UP033
    def bonus(self, action):
        return self.np_random.random()

    def act(self, action):
        self.x += self.bonus(action)  # refused


class HashEnv(_Small):
    def act(self, action):
        self.x += hash(("salt", str(action))) % 2  # refused


class IdentityEnv(_Small):
    def act(self, action):
        self.x += id(self) % 3  # refused


class EigenvaluesEnv(_Small):
    def act(self, action):
        self.x += np.linalg.eigvals(np.array([[1.0, self.x], [0.5, 2.0]]))[0]  # refused


class SwallowedErrorEnv(_Small):
    def act(self, action):
        try:
            self.x += [1.0, 2.0][action]
        except Exception as error:
            self.x = len(str(error))  # refused


class DynamicAttributeEnv(_Small):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return 1.0

    def act(self, action):
        self.x += self.bonus  # refused


class MachineEnv(_Small):
    def act(self, action):
        import platform

        self.x += len(platform.node())  # refused


class ObservedClockEnv(_Small):
    observation_space = Box(-np.inf, np.inf, (2,), np.float64)

    def observe(self):
        return np.array([self.x, time.perf_counter()])  # refused
