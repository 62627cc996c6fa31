"""Environments with something wrong with `step`, or with what it and `reset` return."""

from __future__ import annotations

import numpy as np

from gymnasium.spaces import Box, Dict, Discrete, Tuple
from tests.checker_zoo.sound import Sound, broken


@broken("G301")
class StepRaises(Sound):
    def step(self, action):
        raise KeyError("state")


@broken("G302")
class StepReturnsAList(Sound):
    def step(self, action):
        return list(super().step(action))


@broken("G303")
class StepOfFour(Sound):
    def step(self, action):
        observation, reward, terminated, _, info = super().step(action)
        return observation, reward, terminated, info


@broken("G304")
class StepOfThree(Sound):
    def step(self, action):
        return super().step(action)[:3]


@broken("G305")
class TerminatedIsAnInt(Sound):
    def terminated(self):
        return int(super().terminated())


@broken("G306")
class RewardIsAnArray(Sound):
    def reward(self):
        return np.ones(1)


@broken("G316")
class RewardIsNone(Sound):
    def reward(self):
        return None


@broken("G307")
class RewardIsNan(Sound):
    def reward(self):
        return float("nan")


@broken("G308")
class RewardIsInfinite(Sound):
    def reward(self):
        return float("-inf")


@broken("G309")
class DrawsMoreAtEachEpisode(Sound):
    episodes = 0

    def reset(self, *, seed=None, options=None):
        self.episodes += 1
        return super().reset(seed=seed)

    def reward(self):
        self.np_random.random(self.episodes)
        return 1.0


@broken("G310")
class NoiseFromAnotherGenerator(Sound):
    numbers = np.random.default_rng(0)

    def observation(self):
        noise = self.numbers.uniform(-0.01, 0.01) if self.t else 0.0
        return np.float32([self.position / 10, noise])


@broken("G311")
class RewardFromAnotherGenerator(Sound):
    numbers = np.random.default_rng(0)

    def reward(self):
        return self.numbers.random()


@broken("G312")
class EndsAtTheSecondTry(Sound):
    episodes = 0

    def terminated(self):
        self.episodes += 1
        return self.episodes % 2 == 0


@broken("G313")
class TruncatedAtOnce(Sound):
    def truncated(self):
        return True


@broken("G315")
class RewardNearlyTheSame(Sound):
    calls = 0

    def info(self):
        self.calls += 1
        return {"energy": np.array([1.0 + 1e-9 * self.calls])}


class _DiscreteObservation(Sound):
    def __init__(self, render_mode=None):
        super().__init__(render_mode)
        self.observation_space = Discrete(10)

    def observation(self):
        return int(5 + 4 * np.clip(self.position, -1, 1))


@broken("G401")
class DiscreteObservationIsAnArray(_DiscreteObservation):
    def observation(self):
        return np.array(super().observation())


@broken("G402")
class ObservationIsAList(Sound):
    def observation(self):
        return super().observation().tolist()


@broken("G316")
class RewardIsText(Sound):
    def reward(self):
        return "1.0"


@broken("G316")
class RewardIsALongArray(Sound):
    def reward(self):
        return np.zeros(3)


@broken("G403")
class ObservationOfAnotherDtype(Sound):
    def observation(self):
        return super().observation().astype(np.float64)


class _TupleObservation(Sound):
    def __init__(self, render_mode=None):
        super().__init__(render_mode)
        self.observation_space = Tuple((Box(-1, 1, (2,), np.float32), Discrete(2)))


@broken("G404")
class TupleObservationIsAList(_TupleObservation):
    def observation(self):
        return [super().observation(), 0]


@broken("G405", "G408")
class TupleObservationTooShort(_TupleObservation):
    def observation(self):
        return (super().observation(),)


class _DictObservation(Sound):
    def __init__(self, render_mode=None):
        super().__init__(render_mode)
        self.observation_space = Dict(position=Box(-1, 1, (2,), np.float32))


@broken("G403")
class DictObservationOfAnotherDtype(_DictObservation):
    def observation(self):
        return {"position": super().observation().astype(np.float64)}


@broken("G406", "G408")
class DictObservationIsAnArray(_DictObservation):
    pass


@broken("G407", "G408")
class DictObservationOfOtherKeys(_DictObservation):
    def observation(self):
        return {"pos": super().observation()}


@broken("G408")
class ObservationOutside(Sound):
    def observation(self):
        return super().observation() + np.float32(5)


@broken("G408")
class ObservationOutsideAfterAStep(Sound):
    def observation(self):
        return super().observation() + np.float32(5 * (self.t > 0))


class _CannotJudge(Box):
    def contains(self, x):
        raise ArithmeticError("no idea")


@broken("G409")
class SpaceCannotJudge(Sound):
    def __init__(self, render_mode=None):
        super().__init__(render_mode)
        self.observation_space = _CannotJudge(-1, 1, (2,), np.float32)


@broken("G410")
class StepInfoIsNone(Sound):
    def info(self):
        return {} if self.t == 0 else None


@broken("G411")
class ObservationReused(Sound):
    def observation(self):
        if not hasattr(self, "buffer"):
            self.buffer = np.zeros(2, np.float32)
        self.buffer[:] = super().observation()
        return self.buffer


@broken("G411")
class InfoReused(Sound):
    def __init__(self, render_mode=None):
        super().__init__(render_mode)
        self.shared = {"t": 0}

    def info(self):
        return self.shared
