"""A moment of an episode is saved and returned to, exactly: the same law for every environment of ours."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import gymnasium
from gymnasium.envs.registration import registry
from gymnasium.error import ResetNeeded
from tests.contracts.compiled_law import assert_same

FAMILIES = ("classic_control", "toy_text", "mujoco", "box2d")
IDS = [
    env_id
    for env_id, spec in registry.items()
    if str(spec.entry_point).startswith(tuple(f"gymnasium.envs.{family}." for family in FAMILIES))
    and env_id != "Pusher-v4"  # answers that MuJoCo 3 cannot simulate it
]


def made(env_id: str) -> Any:
    return gymnasium.make(env_id).unwrapped


def played(env: Any, actions: list[Any]) -> list[Any]:
    """What comes of the actions, with resets where episodes end."""
    seen = []
    for action in actions:
        seen.append(env.step(action))
        if seen[-1][2]:
            seen.append(env.reset())
    return seen


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore:.*out of date")
@pytest.mark.parametrize("env_id", IDS)
def test_a_moment_is_returned_to_exactly(env_id: str) -> None:
    """In the same environment and in another, after a pickle, resets included."""
    env, other = made(env_id), made(env_id)
    env.action_space.seed(1)
    actions = [env.action_space.sample() for _ in range(40)]
    env.reset(seed=3)
    played(env, actions[:10])

    moment = pickle.loads(pickle.dumps(env.get_state()))
    after = played(env, actions[10:])
    env.set_state(moment)
    other.reset(seed=99)
    other.set_state(moment)

    assert_same(played(env, actions[10:]), after, env_id)
    assert_same(played(other, actions[10:]), after, env_id)
    env.close()
    other.close()


def test_there_is_no_moment_before_the_first_reset() -> None:
    with pytest.raises(ResetNeeded):
        made("CartPole-v1").get_state()


def test_a_moment_of_other_dynamics_is_refused_and_nothing_moves() -> None:
    """Those of a lake of another size are others too."""
    lake, wide = gymnasium.make("FrozenLake-v1").unwrapped, gymnasium.make("FrozenLake8x8-v1").unwrapped
    lake.reset(seed=1)
    wide.reset(seed=2)
    before = lake.get_state()

    with pytest.raises(ValueError, match="FrozenLake"):
        lake.set_state(wide.get_state())
    with pytest.raises(TypeError, match="get_state"):
        lake.set_state(3)

    assert lake.get_state() == before


def test_what_a_user_set_is_saved() -> None:
    """An array that was handed out and changed in place acts at the next step, also at that after a return."""
    env = made("CartPole-v1")
    env.reset(seed=1)
    env.state[0] = 1.5

    moment = env.get_state()

    env.reset(seed=2)
    env.set_state(moment)
    assert env.state[0] == 1.5
