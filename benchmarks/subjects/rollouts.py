"""A policy in a batch of environments, whose steps are kept: by `rollout`, and by loops as people write them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

import numpy as np
import torch
from environments import maker
from torch import nn
from torch.distributions import Categorical

import gymnasium
import palaestra

Run = Callable[[int], float]
STEPS = 128  # of a rollout, as in CleanRL's PPO
HIDDEN = 64


class Agent(nn.Module):
    """The networks of CleanRL's PPO: two hidden layers for the actor, and as many for the critic."""

    def __init__(self, inputs: int, actions: int) -> None:
        super().__init__()
        self.actor, self.critic = _network(inputs, actions), _network(inputs, 1)

    def act(self, observations: Any) -> tuple[Any, Any, Any, Any]:
        distribution = Categorical(logits=self.actor(observations))
        action = distribution.sample()
        return action, distribution.log_prob(action), distribution.entropy(), self.critic(observations)

    def forward(self, observations: Any) -> tuple[Any, dict[str, Any]]:
        """As a policy of `rollout`; it computes the same as the loop's, the entropy that is not used included."""
        action, log_prob, _, value = self.act(observations)
        return action, {"log_prob": log_prob, "value": value.squeeze(-1)}


def _network(inputs: int, outputs: int) -> nn.Sequential:
    layers = (nn.Linear(inputs, HIDDEN), nn.Tanh(), nn.Linear(HIDDEN, HIDDEN), nn.Tanh(), nn.Linear(HIDDEN, outputs))
    return nn.Sequential(*layers)


def _numpy_policy(observations: Any) -> tuple[Any, dict[str, Any]]:
    return (observations[:, 2] > 0).astype(np.int64), {"value": observations[:, 0]}


@contextmanager
def by_rollout(env: str, n: int, policy: str, **options: Any) -> Iterator[Run]:
    """A step of one environment; the work is rollouts."""
    torch.set_num_threads(1)
    overlap = {"overlap": options.pop("overlap")} if "overlap" in options else {}
    wrapped, plain = options.pop("wrapped", False), options.pop("plain", False)
    envs = _made(env, n, **options)
    if wrapped:
        envs = _wrapped(envs, plain)
    act: Any = _numpy_policy if policy == "numpy" else _agent(envs)
    if policy == "mlp":
        from palaestra.policies import MLP  # not in the reference

        act = MLP.from_torch(act.actor, act.critic, action_space=envs.single_action_space)
    last = palaestra.rollout(envs, act, STEPS, **overlap)

    def run(times: int) -> float:
        nonlocal last
        start = perf_counter()
        for _ in range(times):
            last = palaestra.rollout(envs, act, STEPS, start=last, out=last, **overlap)
        return (perf_counter() - start) / times / STEPS / n

    yield run
    envs.close()


@contextmanager
def by_loop_over_tensors(env: str, n: int, kind: str = "native") -> Iterator[Run]:
    """The same by a loop in the manner of CleanRL's PPO, which counts episodes by a wrapper."""
    torch.set_num_threads(1)
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(_made(env, n, kind))
    agent: Any = _agent(envs)
    shape = envs.single_observation_space.shape
    observations, actions = torch.zeros((STEPS, n, *shape)), torch.zeros((STEPS, n))
    log_probs, rewards, dones, values = (torch.zeros((STEPS, n)) for _ in range(4))
    state = [torch.Tensor(envs.reset(seed=0)[0]), torch.zeros(n)]

    def collect() -> None:
        following, done = state
        for step in range(STEPS):
            observations[step] = following
            dones[step] = done
            with torch.no_grad():
                action, log_prob, _, value = agent.act(following)
                values[step] = value.flatten()
            actions[step] = action
            log_probs[step] = log_prob
            came, reward, terminated, truncated, _ = envs.step(action.cpu().numpy())
            rewards[step] = torch.tensor(reward).view(-1)
            following, done = torch.Tensor(came), torch.Tensor(np.logical_or(terminated, truncated))
        state[:] = following, done

    yield _timed(collect, n)
    envs.close()


@contextmanager
def by_loop_over_arrays(env: str, n: int) -> Iterator[Run]:
    """A step of one environment with a policy in NumPy, kept in lists that are stacked at the end."""
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(_made(env, n))
    state = [envs.reset(seed=0)[0]]

    def collect() -> list[Any]:
        following, happened = state[0], []
        for _ in range(STEPS):
            actions, extras = _numpy_policy(following)
            seen = following
            following, rewards, terminated, truncated, _ = envs.step(actions)
            happened.append((seen, actions, rewards, terminated, truncated, extras["value"]))
        state[0] = following
        return [np.stack(column) for column in zip(*happened, strict=True)]

    yield _timed(collect, n)
    envs.close()


@contextmanager
def by_collect_rollouts(env: str, n: int) -> Iterator[Run]:
    """The same by PPO of Stable-Baselines3, whose default networks are these, on its `DummyVecEnv`."""
    from stable_baselines3 import PPO
    from stable_baselines3.common.vec_env import DummyVecEnv

    torch.set_num_threads(1)
    # PPO warns of minibatches that do not divide the steps; none is learned here.
    model = PPO("MlpPolicy", DummyVecEnv([maker(env)] * n), n_steps=STEPS, batch_size=STEPS, seed=0, device="cpu")
    _, callback = model._setup_learn(total_timesteps=1)
    assert model.env is not None

    def collect() -> None:
        model.collect_rollouts(model.env, callback, model.rollout_buffer, STEPS)

    yield _timed(collect, n)
    model.env.close()


def _timed(collect: Callable[[], object], n: int) -> Run:
    def run(times: int) -> float:
        start = perf_counter()
        for _ in range(times):
            collect()
        return (perf_counter() - start) / times / STEPS / n

    return run


def _made(env: str, n: int, kind: str = "native") -> Any:
    if kind == "native":
        return gymnasium.make_vec(env, n)
    each = [maker(env)] * n
    if kind == "async":
        return gymnasium.vector.AsyncVectorEnv(each)
    return gymnasium.vector.SyncVectorEnv(each)


def _wrapped(envs: Any, plain: bool) -> Any:
    """As for PPO. Machine code does not take a subclass of a wrapper for the wrapper."""
    vector = gymnasium.wrappers.vector
    clip = type("Clip", (vector.ClipReward,), {}) if plain else vector.ClipReward
    return clip(vector.NormalizeObservation(vector.RecordEpisodeStatistics(envs)), -1.0, 1.0)


def _agent(envs: Any) -> Agent:
    torch.manual_seed(0)
    return Agent(envs.single_observation_space.shape[0], int(envs.single_action_space.n))
