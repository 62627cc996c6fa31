"""Attributes assigned in compiled batches: they act as in sync, are read back, or are refused with a way out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gymnasium
from gymnasium.envs.classic_control import AcrobotEnv

ACTING: list[tuple[str, dict[str, Any]]] = [
    ("CartPole-v1", {"total_mass": 2.5, "polemass_length": [0.1, 0.2, 0.3]}),
    ("CartPole-v1", {"polemass_length": 0.0, "masspole": [0.2, 0.3, 0.4]}),
    ("CartPole-v1", {"_sutton_barto_reward": True}),
    ("Pendulum-v1", {"last_u": 0.5}),
    ("Pendulum-v1", {"last_u": None}),
    ("FrozenLake-v1", {"initial_state_distrib": [np.eye(16)[9]] * 3, "s": [3, 4, 6]}),
    ("Taxi-v4", {"taxi_orientation": [1, 2, 3]}),
    ("Blackjack-v1", {"dealer_top_card_suit": ["C", "D", "H"]}),
]
KEPT: list[tuple[str, str, Any]] = [
    ("CartPole-v1", "screen", "mine"),
    ("MountainCar-v0", "low", np.zeros(2)),
    ("CliffWalking-v1", "nS", 7),
    ("FrozenLake-v1", "nrow", [1, 2, 3]),
]


@pytest.mark.parametrize(("env_id", "values"), ACTING)
def test_an_assignment_acts_as_in_sync(env_id: str, values: dict[str, Any]) -> None:
    compiled = gymnasium.make_vec(env_id, 3)
    sync = gymnasium.make_vec(env_id, 3, vectorization_mode="sync")
    compiled.reset(seed=1), sync.reset(seed=1)
    for name, value in values.items():
        compiled.set_attr(name, value), sync.set_attr(name, value)
        np.testing.assert_equal(compiled.get_attr(name), sync.get_attr(name))
    compiled.action_space.seed(1)
    for _ in range(30):
        actions = compiled.action_space.sample()
        np.testing.assert_equal(compiled.step(actions)[:4], sync.step(actions)[:4])
    compiled.close(), sync.close()


@pytest.mark.parametrize(("env_id", "name", "value"), KEPT)
def test_an_attribute_that_steps_do_not_read_is_read_back(env_id: str, name: str, value: Any) -> None:
    envs = gymnasium.make_vec(env_id, 3)
    envs.reset(seed=1)
    envs.set_attr(name, value)
    envs.step(envs.action_space.sample())
    np.testing.assert_equal(envs.get_attr(name), tuple(value) if isinstance(value, list) else (value,) * 3)


@pytest.mark.parametrize("name", ["_terminal", "step", "action_space", "func_env", "steps_beyond_terminated"])
def test_what_machine_code_cannot_take_is_refused(name: str) -> None:
    envs = gymnasium.make_vec("Acrobot-v1", 3)
    envs.reset(seed=1)
    with pytest.raises(AttributeError, match=f"'{name}' of AcrobotEnv cannot be set in a compiled batch"):
        envs.set_attr(name, getattr(AcrobotEnv(), name))
