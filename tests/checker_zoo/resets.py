"""Environments with something wrong with `reset`."""

from __future__ import annotations

import random
from itertools import count

import numpy as np

from tests.checker_zoo.sound import Sound, broken


@broken("G201")
class ResetRaises(Sound):
    def reset(self, *, seed=None, options=None):
        raise RuntimeError("no level")


@broken("G202")
class NoSeed(Sound):
    def reset(self, *, options=None):
        return super().reset(options=options)


@broken("G203")
class SeedWithADefault(Sound):
    def reset(self, *, seed=42, options=None):
        return super().reset(seed=seed)


@broken("G204")
class NoOptions(Sound):
    def reset(self, *, seed=None):
        return super().reset(seed=seed)


@broken("G205")
class ReturnInfo(Sound):
    def reset(self, *, seed=None, options=None, return_info=True):
        return super().reset(seed=seed)


@broken("G206")
class SeedMethod(Sound):
    def seed(self, seed=None):
        return [seed]


@broken("G207")
class ResetWithoutInfo(Sound):
    def reset(self, *, seed=None, options=None):
        return super().reset(seed=seed)[0]


@broken("G208")
class ResetOfThree(Sound):
    def reset(self, *, seed=None, options=None):
        return (*super().reset(seed=seed), 0)


@broken("G211")
class OptionsWithoutDefault(Sound):
    def reset(self, *, seed=None, options=None):
        if options is not None and not options:
            raise TypeError("which level?")
        return super().reset(seed=seed)


@broken("G212")
class SeedIgnored(Sound):
    def reset(self, *, seed=None, options=None):
        self.t, self.position = 0, 0.0
        return self.observation(), self.info()

    def step(self, action):
        self.t += 1
        self.position += 0.1 if action else -0.1
        return self.observation(), 1.0, self.terminated(), False, self.info()


@broken("G212")
class StartFromNumbersThatAreNotSeeded(Sound):
    def reset(self, *, seed=None, options=None):
        self.t, self.position = 0, self.np_random.uniform(-0.2, 0.2)
        return self.observation(), self.info()


@broken("G213")
class StartFromAnotherGenerator(Sound):
    numbers = np.random.default_rng(0)

    def reset(self, *, seed=None, options=None):
        _, info = super().reset(seed=seed)
        self.position = self.numbers.uniform(-0.2, 0.2)
        return self.observation(), info


@broken("G214")
class SecondStartFromAnotherGenerator(Sound):
    numbers = np.random.default_rng(0)

    def reset(self, *, seed=None, options=None):
        _, info = super().reset(seed=seed)
        if seed is None:
            self.position = self.numbers.uniform(-0.2, 0.2)
        return self.observation(), info


@broken("G215", "G315")
class StartNearlyTheSame(Sound):
    def reset(self, *, seed=None, options=None):
        _, info = super().reset(seed=seed)
        self.calls = getattr(self, "calls", 0) + 1
        self.position += 1e-7 * self.calls
        return self.observation(), info


@broken("G216")
class DrawsMoreEachTime(Sound):
    episodes = 0

    def reset(self, *, seed=None, options=None):
        _, info = super().reset(seed=seed)
        self.episodes += 1
        self.np_random.random(self.episodes)
        self.position = 0.0
        return self.observation(), info


@broken("G217")
class AlwaysTheSameSeed(Sound):
    def reset(self, *, seed=None, options=None):
        return super().reset(seed=None if seed is None else 7)


@broken("G218")
class SeedOfAnotherType(Sound):
    def reset(self, *, seed=None, options=None):
        return super().reset(seed=None if seed is None else hash(seed + "x"))


@broken("G219")
class GlobalGenerator(Sound):
    def reset(self, *, seed=None, options=None):
        random.random()
        return super().reset(seed=seed)


@broken("G219")
class GlobalNumPyGenerator(Sound):
    def reward(self):
        return float(0 * np.random.random())


@broken("G410")
class ResetInfoIsAList(Sound):
    def reset(self, *, seed=None, options=None):
        return super().reset(seed=seed)[0], []


@broken("G310")
class CountsEpisodes(Sound):
    """The start is the same each time, but what follows depends on how many episodes there were."""

    episodes = 0

    def reset(self, *, seed=None, options=None):
        self.episodes += 1
        return super().reset(seed=seed)

    def observation(self):
        return np.float32([self.position / 10, self.t * self.episodes / 1e4])


_serial = count()


@broken("G314")
class InfoWithASerialNumber(Sound):
    def info(self):
        return {"serial": next(_serial)}
