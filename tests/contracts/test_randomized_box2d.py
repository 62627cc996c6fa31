"""Attributes of Box2D environments that are drawn for each episode."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import palaestra

pytest.importorskip("Box2D")

from gymnasium.envs.registration import make, make_vec
from palaestra import restore, snapshot
from palaestra.randomization import Choice, RandomizeParams, Uniform

SEED, STEPS, LIMIT = 5, 60, 25
PARAMS: dict[str, dict[str, Any]] = {
    "LunarLander-v3": {
        "gravity": Uniform(-11, -2),
        "enable_wind": Choice([False, True]),
        "wind_power": Uniform(5, 15),
        "turbulence_power": Uniform(0.5, 2),
    },
    "BipedalWalker-v3": {"hardcore": Choice([False, True])},
}


@pytest.mark.parametrize("kind", ["sync", "async"])
@pytest.mark.parametrize("env_id", PARAMS)
def test_each_episode_is_that_of_an_environment_made_with_what_was_drawn(env_id: str, kind: str) -> None:
    envs = palaestra.randomization.vector.RandomizeParams(
        make_vec(env_id, 2, kind, max_episode_steps=LIMIT), **PARAMS[env_id]
    )
    alone = RandomizeParams(make(env_id, max_episode_steps=LIMIT), **PARAMS[env_id])
    observations, infos = envs.reset(seed=SEED)
    drawn = {name: infos["params"][name][0].item() for name in PARAMS[env_id]}
    made = make(env_id, **drawn)
    assert np.array_equal(made.reset(seed=SEED)[0], observations[0])
    observation, info = alone.reset(seed=SEED)
    assert np.array_equal(observation, observations[0])
    assert info["params"] == drawn
    in_first, over = True, False
    for _ in range(STEPS):
        actions = envs.action_space.sample()
        observations, _, terminated, truncated, infos = envs.step(actions)
        if over:
            observation, info = alone.reset()
            assert info["params"] == {name: infos["params"][name][0].item() for name in PARAMS[env_id]}
        else:
            observation = alone.step(actions[0])[0]
            if in_first:
                assert np.array_equal(made.step(actions[0])[0], observations[0])
        over = bool(terminated[0] or truncated[0])
        in_first = in_first and not over
        assert np.array_equal(observation, observations[0])
    envs.close()


@pytest.mark.parametrize("env_id", PARAMS)
def test_a_moment_plays_the_episode_again_with_its_params(env_id: str) -> None:
    env = RandomizeParams(make(env_id, max_episode_steps=LIMIT), **PARAMS[env_id])
    env.reset(seed=SEED)
    env.reset()
    actions = [env.action_space.sample() for _ in range(10)]
    for action in actions:
        env.step(action)
    moment = snapshot(env)
    first = [env.step(action)[0] for action in actions] + [env.reset()[0]]
    env.reset()
    restore(env, moment)
    assert np.array_equal(first, [env.step(action)[0] for action in actions] + [env.reset()[0]])


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"gravity": Uniform(-11, 1)}, "below 0"),
        ({"gravty": -9.0}, "gravity"),
        ({"wind_power": Choice(["x"])}, "number"),
    ],
)
def test_what_it_refuses_is_refused_at_once(params: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        RandomizeParams(make("LunarLander-v3"), **params)
