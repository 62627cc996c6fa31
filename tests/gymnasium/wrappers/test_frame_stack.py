"""`FrameStackObservation`, of one environment and of a batch."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from gymnasium.core import Env
from gymnasium.spaces import Box, Dict, Discrete, Graph, MultiBinary, MultiDiscrete, OneOf, Sequence, Text, Tuple
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import FrameStackObservation
from gymnasium.wrappers.vector import FrameStackObservation as VectorFrameStackObservation

SPACES = [
    Box(-1, 1, (2, 3), np.float32),
    Box(0, 255, (4, 4), np.uint8),
    Discrete(5, start=2),
    MultiDiscrete([3, 4]),
    MultiBinary(3),
    Text(4),
    Sequence(Discrete(3)),
    Sequence(Box(0, 1, (2,)), stack=True),
    OneOf((Discrete(3), Box(0, 1, (2,)))),
    Graph(Box(0, 1, (2,)), Discrete(3)),
    Tuple((Discrete(4), Text(3))),
    Dict(a=Box(0, 1, (2,)), b=Tuple((Discrete(4), Dict(c=MultiBinary(2))))),
]


class Sampling(Env):
    """Observes samples of any space; ends after `length` steps."""

    action_space = Discrete(2)

    def __init__(self, space, length=7):
        self.observation_space = space
        self.length = length

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        if seed is not None:
            self.observation_space.seed(seed)
        self.t = 0
        return self.observation_space.sample(), {}

    def step(self, action):
        self.t += 1
        return self.observation_space.sample(), 1.0, self.t >= self.length, False, {}


def same(a, b):
    """Whether two values are equal, in types and dtypes too."""
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray) and a.dtype != object:
        return a.dtype == b.dtype and np.array_equal(a, b)
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, (tuple, list, np.ndarray)):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    return a == b


def numbers(observation):
    return observation[:, 0].tolist()


def test_the_last_observations_come_oldest_first(counting):
    env = FrameStackObservation(counting(), 3)
    assert numbers(env.reset()[0]) == [0, 0, 0]
    assert [numbers(env.step(0)[0]) for _ in range(4)] == [[0, 0, 1], [0, 1, 2], [1, 2, 3], [2, 3, 4]]
    assert numbers(env.reset()[0]) == [0, 0, 0]
    assert [value.item() for value in env.obs_queue] == [0, 0, 0]


@pytest.mark.parametrize(
    ("padding", "first"), [("reset", [7, 7, 7]), ("zero", [0, 0, 7]), (np.array([4], np.float32), [4, 4, 7])]
)
def test_an_episode_begins_with_padding(counting, padding, first):
    class Seven(counting):
        def observation(self):
            return np.array([self.t + 7], np.float32)

    env = FrameStackObservation(Seven(), 3, padding_type=padding)
    assert numbers(env.reset()[0]) == first
    env.step(0)
    assert numbers(env.reset()[0]) == first


def test_what_was_returned_does_not_change_and_changing_it_does_no_harm(counting):
    env = FrameStackObservation(counting(), 2)
    first, _ = env.reset()
    second, *_ = env.step(0)
    assert numbers(first) == [0, 0]
    second[:] = 99
    assert numbers(env.step(0)[0]) == [1, 2]


def test_an_environment_may_fill_one_array_again_and_again(counting):
    class Reusing(counting):
        buffer = np.zeros(1, np.float32)

        def observation(self):
            self.buffer[:] = self.t
            return self.buffer

    env = FrameStackObservation(Reusing(), 3, padding_type="zero")
    env.reset()
    env.step(0)
    assert numbers(env.step(0)[0]) == [0, 1, 2]


@pytest.mark.parametrize("space", SPACES, ids=str)
def test_every_space_can_be_stacked(space):
    env = FrameStackObservation(Sampling(space), 3)
    observation, _ = env.reset(seed=1)
    assert observation in env.observation_space
    for _ in range(4):
        observation, *_ = env.step(0)
        assert observation in env.observation_space


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("padding", ["reset", "zero"])
@pytest.mark.parametrize("space", SPACES, ids=str)
def test_a_stack_of_batches_is_a_batch_of_stacks(space, padding, mode):
    """Whatever ends when, and whoever resets."""
    make = [lambda k=k: Sampling(pickle.loads(pickle.dumps(space)), 3 + k) for k in range(3)]
    one = VectorFrameStackObservation(SyncVectorEnv(make, autoreset_mode=mode), 3, padding_type=padding)
    stacked = [lambda f=f: FrameStackObservation(f(), 3, padding_type=padding) for f in make]
    other = SyncVectorEnv(stacked, autoreset_mode=mode)

    assert one.observation_space == other.observation_space
    assert one.single_observation_space == other.single_observation_space
    assert same(one.reset(seed=5), other.reset(seed=5))
    for _ in range(14):
        result, wanted = one.step(np.zeros(3, np.int64)), other.step(np.zeros(3, np.int64))
        assert same(result, wanted)
        ended = result[2] | result[3]
        if mode is AutoresetMode.DISABLED and ended.any():
            mask = {"reset_mask": ended}
            assert same(one.reset(options=mask), other.reset(options=mask))


@pytest.mark.parametrize(("size", "error"), [(0, ValueError), (-2, ValueError), (2.0, TypeError), ("3", TypeError)])
def test_a_stack_has_a_size(counting, size, error):
    with pytest.raises(error, match="stack_size"):
        FrameStackObservation(counting(), size)
    with pytest.raises(error, match="stack_size"):
        VectorFrameStackObservation(SyncVectorEnv([counting]), size)


@pytest.mark.parametrize("padding", ["nothing", np.zeros(2, np.float32), 3])
def test_padding_is_an_observation(counting, padding):
    with pytest.raises(ValueError, match="padding_type must be 'reset', 'zero' or an observation"):
        FrameStackObservation(counting(), 2, padding_type=padding)


def test_an_observation_of_another_shape_is_refused(counting):
    class Growing(counting):
        def observation(self):
            return np.zeros(1 + self.t, np.float32)

    env = FrameStackObservation(Growing(), 2)
    env.reset()
    with pytest.raises(ValueError, match=r"\(1,\).*\(2,\)"):
        env.step(0)
