"""The walking policy."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

import gymnasium
from gymnasium.envs.box2d import bipedal_policy
from gymnasium.envs.box2d.bipedal_policy import BipedalWalkerHeuristics, Phase


def walked(gait: BipedalWalkerHeuristics, seed: int) -> tuple[float, bytes]:
    """The return of an episode, and all of its actions."""
    env = gymnasium.make("BipedalWalker-v3")
    observation, _ = env.reset(seed=seed)
    total, moves, over = 0.0, b"", False
    while not over:
        action = gait.step_heuristic(observation)
        assert env.action_space.contains(action)
        observation, reward, terminated, truncated, _ = env.step(action)
        total, moves, over = total + reward, moves + action.tobytes(), terminated or truncated
    return total, moves


def test_the_gait_walks_to_the_far_end() -> None:
    gait = BipedalWalkerHeuristics()
    returns = [walked(gait, seed)[0] for seed in range(6)]
    assert min(returns) > 200


def test_the_gait_begins_anew_with_the_episode() -> None:
    used = BipedalWalkerHeuristics()
    walked(used, 0)
    assert walked(used, 3) == walked(BipedalWalkerHeuristics(), 3)


def test_the_phases_follow_each_other() -> None:
    gait = BipedalWalkerHeuristics()
    env = gymnasium.make("BipedalWalker-v3")
    observation, _ = env.reset(seed=1)
    seen = []
    for _ in range(120):
        observation, *_ = env.step(gait.step_heuristic(observation))
        if not seen or seen[-1] != (gait.swinging, gait.phase):
            seen.append((gait.swinging, gait.phase))
    after = {Phase.SWING: Phase.LAND, Phase.LAND: Phase.PUSH, Phase.PUSH: Phase.SWING}
    assert all(after[one] is other for (_, one), (_, other) in pairwise(seen))
    assert {leg for leg, _ in seen} == {0, 1}


def test_the_policy_is_one_gait() -> None:
    env = gymnasium.make("BipedalWalker-v3")
    observation, _ = env.reset(seed=0)
    expected = BipedalWalkerHeuristics().step_heuristic(observation)
    assert np.array_equal(bipedal_policy.walk(observation), expected)
