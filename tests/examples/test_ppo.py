"""The parts of examples/ppo.py, and the loop that stands in for `rollout` on the reference."""

from __future__ import annotations

import argparse
import copy
import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch.distributions import Categorical, Normal

import gymnasium as gym

ROOT = Path(__file__).parents[2]
OPTIONS = argparse.Namespace(seed=3, horizon=60, scale=0.1, gamma=0.9, trace=0.8)


@pytest.fixture
def ppo(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    torch.manual_seed(1)
    yield importlib.import_module("ppo")


@pytest.fixture
def ppo_loop(ppo: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks" / "subjects"))
    yield importlib.import_module("ppo_loop")


def agent_for(ppo: Any, envs: gym.vector.VectorEnv) -> Any:
    """An agent that has seen some observations."""
    inputs = int(np.prod(envs.single_observation_space.shape or ()))
    agent = ppo.Agent(inputs, envs.single_action_space, deviation=0.3)
    agent.adapt(torch.randn(50, inputs) * 0.2 + 0.1)
    return agent


@pytest.mark.parametrize("sizes", [(1,), (7, 1, 30), (100, 100)])
def test_observations_are_normalized_by_the_moments_of_all_so_far(ppo: Any, sizes: tuple[int, ...]) -> None:
    batches = [torch.randn(size, 3) * torch.tensor([5.0, 0.3, 0.0]) + torch.tensor([2.0, -1.0, 7.0]) for size in sizes]
    normalizer = ppo.Normalizer(3)
    for batch in batches:
        normalizer.adapt(batch)

    seen = torch.cat(batches).double()
    deviation = seen.std(dim=0, correction=0).clamp(min=ppo.LEAST_DEVIATION)
    wanted = (seen - seen.mean(dim=0)) / deviation
    assert torch.allclose(normalizer(seen.float()).double(), wanted, atol=1e-3)


def test_before_any_observation_they_are_left_as_they_are(ppo: Any) -> None:
    observations = torch.randn(4, 3)

    assert torch.equal(ppo.Normalizer(3)(observations), observations)


def test_adam_is_that_of_pytorch(ppo: Any) -> None:
    """With its gradient clipped; parameters that need no gradient stay."""
    ours, theirs = (torch.nn.Sequential(torch.nn.Linear(3, 5), torch.nn.Tanh(), torch.nn.Linear(5, 1)) for _ in "ab")
    for module in (ours, theirs):
        module[0].bias.requires_grad_(False)
    theirs.load_state_dict(ours.state_dict())
    adam = ppo.Adam(ours)
    optimizer = torch.optim.Adam([p for p in theirs.parameters() if p.requires_grad], lr=0.01, eps=ppo.EPSILON)
    for scale in (0.01, 1.0, 100.0, 1.0):
        x = torch.randn(20, 3)
        adam.step((ours(x) - scale).square().mean(), rate=0.01)
        optimizer.zero_grad()
        (theirs(x) - scale).square().mean().backward()
        torch.nn.utils.clip_grad_norm_(theirs.parameters(), ppo.MAX_NORM)
        optimizer.step()

    assert all(torch.allclose(a, b, atol=1e-6) for a, b in zip(ours.parameters(), theirs.parameters(), strict=True))


@pytest.mark.parametrize("env_id", ["CartPole-v1", "Pendulum-v1"])
def test_an_agent_judges_actions_as_the_distributions_of_pytorch_do(ppo: Any, env_id: str) -> None:
    envs = gym.make_vec(env_id, 50, vectorization_mode="sync")
    agent = agent_for(ppo, envs)
    observations = torch.from_numpy(envs.reset(seed=1)[0])
    actions = torch.from_numpy(envs.action_space.sample())
    outputs = agent.actor(agent.normalizer(observations))
    distribution: Any = Categorical(logits=outputs) if agent.discrete else Normal(outputs, agent.log_std.exp())

    log_prob, entropy, values = agent.judge(observations, actions)

    assert torch.allclose(log_prob, distribution.log_prob(actions).reshape(50), atol=1e-5)
    assert torch.allclose(entropy, distribution.entropy().mean(), atol=1e-5)
    assert torch.allclose(values, agent.value(observations.numpy()))


@pytest.mark.parametrize("env_id", ["CartPole-v1", "Pendulum-v1"])
def test_an_update_goes_down_the_clipped_loss_of_the_paper(ppo: Any, env_id: str) -> None:
    """Equation 9 of Schulman et al. (2017), with some probabilities beyond the clip on either side."""
    envs = gym.make_vec(env_id, 200)
    ours = agent_for(ppo, envs)
    theirs = copy.deepcopy(ours)
    observations, actions = torch.from_numpy(envs.reset(seed=1)[0]), torch.from_numpy(envs.action_space.sample())
    before = ours.judge(observations, actions)[0].detach() + 0.3 * torch.randn(200)
    advantages, targets = torch.randn(200), torch.randn(200)
    options = argparse.Namespace(epochs=1, minibatches=1, entropy=0.02)

    ppo.learn(ours, ppo.Adam(ours), ppo.Batch(observations, actions, before, advantages, targets), 0.01, options)

    log_prob, entropy, values = theirs.judge(observations, actions)
    advantages = (advantages - advantages.mean()) / advantages.std(correction=0)
    ratio = (log_prob - before).exp()
    clipped = ratio.clamp(1 - ppo.CLIP, 1 + ppo.CLIP)
    assert ((ratio != clipped) & (advantages > 0)).any() and ((ratio != clipped) & (advantages < 0)).any()
    surrogate = torch.min(ratio * advantages, clipped * advantages).mean()
    loss = 0.5 * 0.5 * (values - targets).square().mean() - surrogate - 0.02 * entropy
    ppo.Adam(theirs).step(loss, 0.01)
    assert all(torch.allclose(a, b, atol=1e-6) for a, b in zip(ours.parameters(), theirs.parameters(), strict=True))


@pytest.mark.parametrize("env_id", ["CartPole-v1", "Pendulum-v1"])
def test_the_loop_of_the_benchmark_learns_from_the_same(
    env_id: str, ppo: Any, ppo_loop: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where both take the most likely actions, their batches are equal, over the ends of episodes and of rollouts."""
    first, second = (gym.make_vec(env_id, 5, max_episode_steps=25) for _ in "ab")
    agent = agent_for(ppo, first)
    monkeypatch.setattr(ppo_loop.Loop, "chosen", lambda self, seen: torch.from_numpy(agent.act(seen.numpy())))
    player, loop = ppo.Player(agent, first, OPTIONS), ppo_loop.Loop(agent, second, OPTIONS)
    player.policy.deterministic = True

    for _ in range(3):
        assert np.allclose(np.sort(player.collect()), np.sort(loop.collect()), rtol=1e-5)
        ours, theirs = player.batch(), loop.batch()
        assert len(ours.targets) > 280
        for name, one, other in zip(ppo.Batch._fields, ours, theirs, strict=True):
            assert one.shape == other.shape and one.dtype == other.dtype, name
            assert torch.allclose(one, other, atol=1e-4), name
