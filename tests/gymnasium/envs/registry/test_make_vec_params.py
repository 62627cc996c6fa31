"""`make_vec(id, n, params=...)`: settings that differ between the environments of one batch."""

from __future__ import annotations

import numpy as np
import pytest

from gymnasium.envs.registration import make, make_vec


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_each_environment_is_one_made_with_its_params(mode: str) -> None:
    gravity = np.array([5.0, 9.8, 20.0])
    envs = make_vec("Pendulum-v1", 3, mode, params={"g": gravity, "m": 2.0})
    singles = [make("Pendulum-v1", g=float(g)) for g in gravity]
    observations, infos = envs.reset(seed=4)
    assert infos["params"]["g"].tolist() == gravity.tolist()
    for i, single in enumerate(singles):
        single.unwrapped.params = single.unwrapped.params._replace(m=2.0)
        assert np.array_equal(single.reset(seed=4 + i)[0], observations[i])
    for _ in range(20):
        actions = envs.action_space.sample()
        observations, rewards, *_ = envs.step(actions)
        for i, single in enumerate(singles):
            observation, reward, *_ = single.step(actions[i])
            assert np.array_equal(observation, observations[i])
            assert reward == rewards[i]
    envs.close()


def test_the_spec_remakes_it() -> None:
    envs = make_vec("CartPole-v1", 2, "sync", params={"length": [0.4, 0.6]})
    again = make_vec(type(envs.spec).from_json(envs.spec.to_json()))
    assert [params.length for params in again.get_attr("params")] == [0.4, 0.6]


@pytest.mark.parametrize(
    ("params", "message"),
    [({"length": [0.4]}, "1 values for 2"), ({"lenght": 0.4}, "did you mean 'length'"), ({"length": "a"}, "length")],
)
def test_what_does_not_fit_is_refused(params: dict[str, object], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        make_vec("CartPole-v1", 2, "sync", params=params)
