"""Environments that are constructed without `make` in a mode of lists, which only a wrapper collects."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gymnasium.envs.registration import load_env_creator, registry, spec
from gymnasium.wrappers import RenderCollection

IDS = sorted(
    each.id
    for each in registry.values()
    if str(each.entry_point).startswith(("gymnasium.envs.classic_control.", "gymnasium.envs.toy_text."))
    or each.id in ("LunarLander-v3", "BipedalWalker-v3", "CarRacing-v3", "Reacher-v5", "phys2d/CartPole-v1")
)


def constructed(env_id: str, mode: str) -> Any:
    """The environment of an id, without wrappers, after a reset and a step."""
    made = spec(env_id)
    env = load_env_creator(str(made.entry_point))(render_mode=mode, **made.kwargs)
    env.reset(seed=1)
    env.action_space.seed(1)
    env.step(env.action_space.sample())
    return env


@pytest.mark.parametrize("env_id", IDS)
def test_it_renders_the_present_frame(env_id: str) -> None:
    """Such as it renders in the mode itself."""
    frame = constructed(env_id, "rgb_array").render()
    env = constructed(env_id, "rgb_array_list")
    np.testing.assert_array_equal(env.render(), frame)
    assert env.render_mode == "rgb_array_list"
    env.close()


@pytest.mark.parametrize("env_id", [env_id for env_id in IDS if env_id.startswith(("FrozenLake-", "Taxi-"))])
def test_it_renders_the_present_text(env_id: str) -> None:
    assert constructed(env_id, "ansi_list").render() == constructed(env_id, "ansi").render()


def test_the_wrapper_around_the_mode_itself_collects() -> None:
    env = RenderCollection(constructed("CartPole-v1", "rgb_array"))
    env.reset()
    env.step(0)
    assert len(env.render()) == 2
