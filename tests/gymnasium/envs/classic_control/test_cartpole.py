"""What is particular to the cart-pole."""

from __future__ import annotations

import numpy as np
import pytest

from gymnasium.envs.classic_control.cartpole import CartPoleEnv


def fall(env):
    """Push to the right until the pole has fallen; return the rewards."""
    env.reset(seed=0)
    rewards, terminated = [], False
    while not terminated:
        _, reward, terminated, _, _ = env.step(1)
        rewards.append(reward)
    return rewards


@pytest.mark.parametrize(("sutton_barto_reward", "each", "last", "after"), [(False, 1, 1, 0), (True, 0, -1, -1)])
def test_rewards(sutton_barto_reward, each, last, after):
    """Of a step, of the one that ends the episode, and of those after it, the first of which is warned of."""
    env = CartPoleEnv(sutton_barto_reward=sutton_barto_reward)
    rewards = fall(env)
    assert rewards == [each] * (len(rewards) - 1) + [last]
    assert env.steps_beyond_terminated == 0
    with pytest.warns(UserWarning, match=r"call reset\(\) first"):
        assert env.step(1)[1] == after
    assert env.step(1)[1] == after
    assert env.steps_beyond_terminated == 2
    env.reset()
    assert env.steps_beyond_terminated is None


def test_derived_constants_follow_their_parts():
    env = CartPoleEnv()
    assert (env.total_mass, env.polemass_length) == (1.1, 0.05)
    env.masspole, env.length = 0.2, 1.0
    assert (env.total_mass, env.polemass_length) == (1.2, 0.2)


@pytest.mark.parametrize(
    ("name", "value", "state"),
    [
        ("x_threshold", 0.1, [0.2, 0, 0, 0]),
        *[("theta_threshold_radians", 0.1, [0, 0, side * 0.15, 0]) for side in (-1, 1)],
    ],
)
def test_thresholds_end_the_episode(name, value, state):
    env = CartPoleEnv()
    for threshold, over in [(getattr(env, name), False), (value, True)]:
        env.reset(seed=0)
        env.state = np.array(state)
        setattr(env, name, threshold)
        assert env.step(1)[2] is over
