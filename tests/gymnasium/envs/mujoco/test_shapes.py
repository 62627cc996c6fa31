"""Wrong actions of MuJoCo environments, and results that can be written as JSON."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import numpy as np
import pytest

import gymnasium
from gymnasium.envs.mujoco.inverted_pendulum_v5 import InvertedPendulumEnv
from gymnasium.error import InvalidAction

ROBOTS = sorted(
    spec.id
    for spec in gymnasium.registry.values()
    if str(spec.entry_point).startswith("gymnasium.envs.mujoco") and spec.id != "Pusher-v4"  # of an older engine
)


@pytest.mark.parametrize("shape", [(), (2,), (4,), (1, 3), (3, 1)])
def test_an_action_of_a_wrong_shape_is_an_invalid_action_and_a_value_error(shape: tuple[int, ...]) -> None:
    env = gymnasium.make("Hopper-v5").unwrapped
    env.reset(seed=1)
    before = env.get_state().data.time
    for kind in (InvalidAction, ValueError, AssertionError):
        with pytest.raises(kind) as caught:
            env.step(np.zeros(shape))
        assert "does not have the shape (3,)" in str(caught.value)
        assert str(shape) in str(caught.value)
    assert env.data.time == before
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is type(caught.value) and str(again) == str(caught.value)


def test_the_reward_of_an_inverted_pendulum_is_pythons() -> None:
    env = InvertedPendulumEnv()
    env.reset(seed=1)
    _, reward, _, _, info = env.step(np.zeros(1))
    assert (type(reward), type(info["reward_survive"])) == (int, int)
    env.set_state(np.array([0.0, 1.0]), np.zeros(2))
    assert env.step(np.zeros(1))[1:3] == (0, True)


@pytest.mark.filterwarnings("ignore:.*out of date:DeprecationWarning")
@pytest.mark.parametrize("env_id", ROBOTS)
def test_rewards_and_their_parts_can_be_written_as_json(env_id: str) -> None:
    env = gymnasium.make(env_id)
    env.reset(seed=1)
    _, reward, *_, info = env.step(env.action_space.sample())
    parts = {name: value for name, value in info.items() if name.startswith("reward") and type(value) is not np.float32}
    assert json.loads(json.dumps([reward, parts])) == [reward, parts]


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_keeps_the_spec(copied: Any) -> None:
    env = gymnasium.make("Hopper-v5")
    assert copied(env).spec == env.spec and copied(env.unwrapped).spec == env.unwrapped.spec
