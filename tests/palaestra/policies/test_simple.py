"""The ready policies of a few lines."""

from __future__ import annotations

import numpy as np
import pytest

import gymnasium
import palaestra
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box, Discrete, MultiDiscrete, Tuple
from gymnasium.wrappers.vector import TransformObservation
from palaestra.policies import Linear, Random, Tabular


def test_ready_policies_refuse_what_does_not_fit():
    with pytest.raises(TypeError, match="Random draws from"):
        Random(Box(-np.inf, np.inf, (1,)))
    with pytest.raises(TypeError, match="Linear acts in"):
        Linear(np.zeros((2, 4)), Discrete(2, start=1))
    with pytest.raises(ValueError, match=r"needs weights of the shape \(2, inputs\)"):
        Linear(np.zeros((3, 4)), Discrete(2))
    with pytest.raises(ValueError, match="Tabular needs"):
        Tabular(np.zeros((3, 4), np.float32))
    with pytest.raises(ValueError, match="must be a probability"):
        Tabular(np.zeros((3, 4)), 1.5)


@pytest.mark.parametrize("mode", [None, "sync"])
@pytest.mark.parametrize(
    ("env_id", "policy", "error", "match"),
    [
        ("CartPole-v1", Tabular(np.zeros((5, 2))), TypeError, "Tabular acts on observations of a Discrete space"),
        ("FrozenLake-v1", Tabular(np.zeros((15, 4))), ValueError, "values of 15 states, but .* from 0 to 15"),
        ("FrozenLake-v1", Linear(np.zeros((4, 16)), Discrete(4)), TypeError, "numbers along one axis"),
        (
            "CartPole-v1",
            Linear(np.zeros((2, 3)), Discrete(2)),
            ValueError,
            r"\(2, 3\), but observations have 4 numbers",
        ),
    ],
)
def test_policies_for_other_observations_are_refused_before_anything_moves(mode, env_id, policy, error, match):
    envs = gymnasium.make_vec(env_id, 2, vectorization_mode=mode)
    with pytest.raises(error, match=match):
        palaestra.rollout(envs, policy, 4)
    with pytest.raises(ResetNeeded):
        envs.step(envs.action_space.sample())


def twice(states):
    """Each state as two equal numbers."""
    return np.stack([states, states], 1)


WEIGHTS = np.array([[-1.0, 0.5], [0.5, -1.0], [0.1, 0.0], [0.0, 0.2]])
VALUES = np.random.default_rng(0).random((16, 4))


@pytest.mark.parametrize(
    ("space", "change", "policy"),
    [
        (Tuple((Discrete(16), Discrete(16))), lambda states: (states, states), Linear(WEIGHTS, Discrete(4))),
        (MultiDiscrete([16, 16]), twice, Linear(WEIGHTS, Discrete(4))),
        (Box(0, 15, (2, 1), np.int64), lambda states: twice(states)[:, :, None], Linear(WEIGHTS, Discrete(4))),
        (Box(0, 99, (), np.int64), lambda states: states, Tabular(VALUES)),
        (MultiDiscrete([16]), lambda states: states[:, None], Tabular(VALUES)),
    ],
)
def test_numbers_and_states_may_come_in_other_spaces(space, change, policy):
    """The actions are those for the same numbers in a `Box`, and for the same states in a `Discrete` space."""
    envs = gymnasium.make_vec("FrozenLake-v1", 2, "sync")
    plain = Box(0, 15, (2,), np.int64) if isinstance(policy, Linear) else None
    usual = envs if plain is None else TransformObservation(envs, twice, single_observation_space=plain)
    expected = palaestra.rollout(usual, policy, 9, start=usual.reset(seed=1)[0]).actions
    other = TransformObservation(gymnasium.make_vec("FrozenLake-v1", 2, "sync"), change, single_observation_space=space)
    assert np.array_equal(palaestra.rollout(other, policy, 9, start=other.reset(seed=1)[0]).actions, expected)


def test_a_function_of_ones_own_may_look_at_other_observations():
    policy = Linear(np.zeros((4, 16)), Discrete(4))
    policy.act = lambda params, observation, rng: int(observation) % 4
    assert palaestra.rollout(gymnasium.make_vec("FrozenLake-v1", 2, "sync"), policy, 3).actions.shape == (3, 2)


def test_a_subclass_may_look_up_other_observations():
    class Hand(Tabular):
        @staticmethod
        def act(params, observation, rng):
            return 1 if params.values[observation[0], 1] > 0 else 0

    envs = gymnasium.make_vec("Blackjack-v1", 2)
    assert palaestra.rollout(envs, Hand(np.ones((32, 2))), 4).actions.all()
