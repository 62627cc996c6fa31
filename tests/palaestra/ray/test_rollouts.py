"""Rollouts on a cluster, which the actors collect by themselves, are those of one machine."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gymnasium
import palaestra
from gymnasium.error import AlreadyPendingCallError, ResetNeeded
from gymnasium.vector import AutoresetMode
from palaestra.policies import MLP, Layer
from tests.contracts.test_async_equality import same
from tests.palaestra.ray.making import ON_A_CLUSTER, kill, on_ray_by_id

pytestmark = ON_A_CLUSTER


def network(envs: Any) -> MLP:
    rng = np.random.default_rng(4)
    inputs, outputs = envs.single_observation_space.shape[0], envs.single_action_space.n
    actor = [Layer(rng.normal(size=(8, inputs)), rng.normal(size=8), "tanh"), Layer(rng.normal(size=(outputs, 8)))]
    return MLP(actor, [Layer(rng.normal(size=(1, inputs)))], action_space=envs.single_action_space, seed=4)


@pytest.mark.parametrize(
    ("env_id", "mode", "inner"),
    [
        ("CartPole-v1", AutoresetMode.SAME_STEP, "sync"),
        ("CartPole-v1", AutoresetMode.NEXT_STEP, None),
        ("LunarLander-v3", AutoresetMode.DISABLED, None),
    ],
)
def test_a_rollout_is_that_of_one_machine(
    env_id: str, mode: AutoresetMode, inner: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever the number of actors; a rollout goes on where the last one ended."""
    envs = on_ray_by_id(env_id, 5, autoreset_mode=mode, inner=inner)
    local = gymnasium.make_vec(env_id, 5, "sync", vector_kwargs={"autoreset_mode": mode}, max_episode_steps=8)
    found, expected = envs.reset(seed=1)[0], local.reset(seed=1)[0]
    for policy in (network(local), lambda observations: (observations[:, 0] > 0).astype(int)):
        for _ in range(2):
            expected = palaestra.rollout(local, policy, 20, start=expected)  # first, which compiles the network for all
            found = palaestra.rollout(envs, policy, 20, start=found, explain=True, overlap=True)
            assert same_rollout(found, expected)
    assert capsys.readouterr().out.count("rollout: actors") == 4
    with pytest.raises(ValueError, match="shape"):  # which closes nothing
        palaestra.rollout(envs, lambda observations: np.zeros(1, int), 5, start=found, overlap=True)
    for each in (envs, local):
        each.reset(seed=2)
    assert same(envs.step(np.zeros(5, int))[:4], local.step(np.zeros(5, int))[:4])


def same_rollout(one: Any, other: Any) -> bool:
    if isinstance(one, tuple):
        return all(map(same_rollout, one, other))
    return same(one, other)


def test_rollouts_resume() -> None:
    """An actor that dies between or in rollouts is replaced by one that repeats them."""
    results = []
    for kills in (False, True):
        envs = on_ray_by_id("CartPole-v1", 4, on_failure="resume", snapshot_every=50)
        latest: Any = envs.reset(seed=1)[0]
        parts = []
        for t in range(4):
            if kills and t == 2:
                kill(envs, 1)
            latest = palaestra.rollout(envs, network(envs), 20, start=latest)
            parts.append(latest)
        results.append(parts)
    assert all(map(same_rollout, *results))


def test_rollouts_as_they_come() -> None:
    """Those of each actor go on from each other, and tell the version of their policy."""
    envs = on_ray_by_id("CartPole-v1", 4)
    policy = network(envs)
    parts: dict[int, list[Any]] = {0: [], 2: []}
    versions = []
    first = envs.reset(seed=1)[0]
    with envs.async_rollouts(policy, 5, start=first) as rollouts:
        for part in rollouts:
            parts[part.envs.start].append(part.rollout)
            versions.append(part.version)
            if len(versions) == 4:
                rollouts.update(policy)
            with pytest.raises(AlreadyPendingCallError):
                envs.step(np.zeros(4, int))
            if len(versions) == 12:
                break
    assert set(versions[:5]) == {0}
    assert max(versions) == 1
    with pytest.raises(ResetNeeded):
        envs.step(np.zeros(4, int))
    expected = palaestra.rollout(envs, policy, 5 * len(parts[0]), start=envs.reset(seed=1)[0])
    found = np.concatenate([part.rewards for part in parts[0]])
    assert (found == expected.rewards[:, :2]).all()
