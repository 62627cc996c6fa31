"""Arrays that a state shares with the one before, or with itself, are what they are in Python."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from gymnasium.functional import FuncEnv
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode
from tests.palaestra.language.jit.exact.twins import assert_same_episodes, assert_same_states, twins

N = 11


class Shared(NamedTuple):
    position: Any
    before: Any  # what was the position
    left: Any
    right: Any  # which swap
    still: Any
    first: Any
    second: Any  # one array in two fields
    turned: Any
    square: Any  # transposed
    row: Any  # a part of the square
    wide: Any


class Sharing(FuncEnv):
    """Each field of the next state is, in another way, an array of this one."""

    observation_space = Box(-np.inf, np.inf, (6,), np.float64)
    action_space = Discrete(3)

    @staticmethod
    def initial(rng, params):
        first = np.array([rng.random(), rng.random()])
        square = np.array([[rng.random(), 2.0], [3.0, rng.random()]])
        return Shared(
            np.array([0.0, rng.random()]),
            np.zeros(2),
            np.array([1.0, rng.random()]),
            np.array([2.0, rng.random()]),
            np.array([5.0, rng.random()]),
            first,
            first,
            np.array([rng.random(), rng.random(), 7.0]),
            square,
            square[1],
            np.ones(2),
        )

    @staticmethod
    def transition(state, action, rng, params):
        fresh = state.first * 0.5 + rng.random()
        return Shared(
            state.position + action,
            state.position,
            state.right,
            state.left,
            state.still,
            fresh,
            fresh,
            state.turned[::-1],
            state.square.T,
            state.square[1],
            state.wide if action == 1 else state.first,
        )

    @staticmethod
    def observation(state, rng, params):
        return (state.before[1], state.left[1], state.turned[0], state.square[0, 1], state.row[0], state.wide[0])

    @staticmethod
    def reward(state, action, next_state, rng, params):
        return float(next_state.position[0] - state.position[0] + state.turned[0] - next_state.turned[0])

    @staticmethod
    def terminal(state, rng, params):
        return bool(state.position[0] > 6.0)


@pytest.mark.parametrize("mode", AutoresetMode, ids=lambda mode: mode.name)
def test_states_that_share_arrays_are_those_of_sync(mode: AutoresetMode) -> None:
    assert_same_episodes(*twins(Sharing(), N, mode), 40)


def test_a_state_that_was_read_does_not_change() -> None:
    ours = twins(Sharing(), N)[0]
    ours.reset(seed=1)
    held = ours.get_attr("state")
    seen = [[np.copy(part) for part in state] for state in held]
    ours.step(np.ones(N, np.int64))
    for state, was in zip(held, seen, strict=True):
        assert all(np.array_equal(part, other) for part, other in zip(state, was, strict=True))


def test_one_environment_after_another() -> None:
    ours, sync = twins(Sharing(), N)
    for envs in (ours, sync):
        envs.reset(seed=2)
        for i in range(N):
            envs.send([i % 3], [i])
        envs.recv(N)
    assert_same_states(ours, sync)
