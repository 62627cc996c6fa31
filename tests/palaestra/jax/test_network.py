"""A network under JAX, as rollouts use it, gives what it gives under NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("jax")

from gymnasium.envs._jax.keys import policy_keys
from gymnasium.envs._jax.program import Program
from gymnasium.spaces import Box, Discrete
from palaestra.jax.policies import policy_of
from tests.palaestra.rollouts.networks import network

N = 5


@pytest.mark.parametrize(
    ("outputs", "space", "options"),
    [(2, Discrete(2), {}), (1, Box(-2.0, 2.0, (1,), np.float32), {"log_std": np.zeros(1)})],
    ids=["categorical", "Gaussian"],
)
def test_a_network_agrees_with_numpy(outputs: int, space: Any, options: dict[str, Any]) -> None:
    policy = network(4, outputs, space, deterministic=True, **options)
    known = policy_of(policy)
    act = Program(lambda observations, keys, params: known.act(params, observations, keys))
    observations = np.random.default_rng(1).normal(size=(N, 4)).astype(np.float32)

    came, told = act(observations, policy_keys(policy.seed, N), known.params(policy, N))
    actions, extras = policy.act_batch(observations, np.zeros((N, 5), np.uint64))

    assert np.allclose(came, actions, 1e-5, 1e-5)
    assert told.keys() == extras.keys()
    for name, extra in extras.items():
        assert np.allclose(told[name], extra, 1e-4, 1e-5)
