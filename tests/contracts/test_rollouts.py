"""A rollout equals a loop over `step` written by hand, bit for bit, in every family, runner and autoreset mode."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import numpy as np
import pytest

import gymnasium
import palaestra
from gymnasium.spaces import flatten
from gymnasium.vector import AutoresetMode, VectorEnv
from tests.contracts.test_async_equality import same

N, STEPS, LIMIT = 4, 14, 5

# Discrete, box, multi-discrete and tuple observations and actions; every family.
RUNS = [
    *(("CartPole-v1", how) for how in ("sync", "async", "vector_entry_point", "jax")),
    *(("Blackjack-v1", how) for how in ("sync", "async", "vector_entry_point")),
    *(("Taxi-v4", how) for how in ("sync", "vector_entry_point")),
    *(("Pendulum-v1", how) for how in ("sync", "vector_entry_point")),
    ("MountainCarContinuous-v0", "vector_entry_point"),
    ("LunarLander-v3", "async"),
    ("BipedalWalker-v3", "sync"),
    ("Hopper-v5", "sync"),
    ("Hopper-v5", "vector_entry_point"),
]
every_run = pytest.mark.parametrize("env_id, how", RUNS)
every_mode = pytest.mark.parametrize("mode", AutoresetMode)


def made(env_id: str, how: str, mode: AutoresetMode) -> VectorEnv[Any, Any, Any]:
    options: dict[str, Any] = {"autoreset_mode": mode, **({"num_workers": 2} if how == "async" else {})}
    return gymnasium.make_vec(env_id, N, how, vector_kwargs=options, max_episode_steps=LIMIT)


class Policy:
    """Acts by samples of the space, and returns what it saw."""

    def __init__(self, envs: VectorEnv[Any, Any, Any]) -> None:
        self.space = deepcopy(envs.action_space)
        self.space.seed(3)

    def __call__(self, observations: Any) -> tuple[Any, dict[str, Any]]:
        parts = observations if isinstance(observations, tuple) else (observations,)
        return self.space.sample(), {f"seen{k}": np.array(part) for k, part in enumerate(parts)}


def by_hand(envs: VectorEnv[Any, Any, Any], policy: Policy, mode: AutoresetMode) -> dict[str, Any]:
    """The steps as one would write them."""
    observations, _ = envs.reset(seed=7)
    seen, happened, finals = [observations], [], []
    for t in range(STEPS):
        actions, _ = policy(observations)
        observations, rewards, terminated, truncated, infos = envs.step(actions)
        over = np.asarray(terminated) | np.asarray(truncated)
        for i in np.flatnonzero(over):
            if mode is AutoresetMode.SAME_STEP:
                finals.append((t, i, row(infos["final_obs"], i)))
            elif mode is AutoresetMode.DISABLED:
                finals.append((t, i, row(observations, i)))
        if mode is AutoresetMode.DISABLED and over.any():
            observations, _ = envs.reset(options={"reset_mask": over})
        happened.append((actions, *(np.asarray(each) for each in (rewards, terminated, truncated))))
        seen.append(observations)
    columns = [np.stack(column) for column in zip(*happened, strict=True)]
    return {"observations": stacked(seen), "steps": columns, "finals": finals}


def row(batch: Any, i: int) -> Any:
    return tuple(np.asarray(part)[i] for part in batch) if isinstance(batch, tuple) else np.asarray(batch)[i]


def stacked(batches: list[Any]) -> Any:
    if isinstance(batches[0], tuple):
        return tuple(np.stack([np.asarray(part) for part in parts]) for parts in zip(*batches, strict=True))
    return np.stack([np.asarray(batch) for batch in batches])


@every_mode
@every_run
def test_a_rollout_is_the_loop_written_by_hand(env_id: str, how: str, mode: AutoresetMode) -> None:
    """Over some ids of each family."""
    envs = made(env_id, how, mode)
    expected = by_hand(envs, Policy(envs), mode)

    found = palaestra.rollout(envs, Policy(envs), STEPS, start=envs.reset(seed=7)[0])

    envs.close()
    actions, rewards, terminated, truncated = expected["steps"]
    assert same(found.observations, expected["observations"])
    assert same((found.actions, found.terminated, found.truncated), (actions, terminated, truncated))
    assert same(found.rewards, rewards.astype(np.float64))
    before = found.observations if isinstance(found.observations, tuple) else (found.observations,)
    assert same(found.extras, {f"seen{k}": part[:-1] for k, part in enumerate(before)})
    assert (terminated | truncated).any()
    finals = found.final_observations
    assert list(zip(finals.steps, finals.envs, strict=True)) == [(t, i) for t, i, _ in expected["finals"]]
    for k, (_, _, last) in enumerate(expected["finals"]):
        assert flatten(envs.single_observation_space, row(finals.observations, k)).tolist() == (
            flatten(envs.single_observation_space, last).tolist()
        )


def joined(one: Any, two: Any, steps: int) -> Any:
    """Two rollouts as one."""
    later = {
        name: getattr(two, name)._replace(steps=getattr(two, name).steps + steps)
        for name in ("episodes", "final_observations")
    }
    two = two._replace(observations=tree(lambda part: part[1:], two.observations), **later)
    return tree(lambda a, b: np.concatenate([a, b]), one._replace(running=None), two._replace(running=None))._replace(
        running=two.running
    )


def tree(function: Any, *values: Any) -> Any:
    if isinstance(values[0], dict):
        return {key: tree(function, *(value[key] for value in values)) for key in values[0]}
    if isinstance(values[0], tuple):
        parts = [tree(function, *parts) for parts in zip(*values, strict=True)]
        return values[0]._make(parts) if hasattr(values[0], "_make") else tuple(parts)
    return None if values[0] is None else function(*values)


@every_mode
@pytest.mark.parametrize("memory", [False, True])
@pytest.mark.parametrize("env_id, how", [("CartPole-v1", "vector_entry_point"), ("Blackjack-v1", "sync")])
def test_two_rollouts_are_one_of_both_lengths(env_id: str, how: str, memory: bool, mode: AutoresetMode) -> None:
    """With and without the memory of an earlier one."""
    envs = made(env_id, how, mode)
    expected = palaestra.rollout(envs, Policy(envs), 2 * STEPS, start=envs.reset(seed=7)[0])
    policy = Policy(envs)

    one = palaestra.rollout(envs, policy, STEPS, start=envs.reset(seed=7)[0])
    kept = deepcopy(one)
    two = palaestra.rollout(envs, policy, STEPS, start=one, out=one if memory else None)

    assert same(tuple(joined(kept, two, STEPS)), tuple(expected))
    if memory:
        assert two.rewards is one.rewards
        assert two.actions is one.actions
        assert two.extras["seen0"] is one.extras["seen0"]
    else:
        assert same(tuple(one), tuple(kept))
