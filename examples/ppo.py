"""Proximal policy optimisation (PPO) in one file, for any environment with discrete or continuous actions.

    python examples/ppo.py                                 CartPole, until the last 100 episodes return 475 on average
    python examples/ppo.py Pendulum-v1 --gamma 0.9         continuous actions, for as many steps as --steps says
    python examples/ppo.py --help                          the settings

Sources: Schulman et al. (2017), "Proximal policy optimization algorithms"; the advantages are those of Schulman et al.
(2016), "High-dimensional continuous control using generalized advantage estimation"; many details follow Huang et al.
(2022), "The 37 implementation details of proximal policy optimization".

The settings for LunarLander are in benchmarks/time_to_trained.py.
"""

from __future__ import annotations

import argparse
import csv
import math
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.distributions import Categorical, Distribution, Independent, Normal

import gymnasium as gym
from gymnasium.spaces import Box, Discrete
from gymnasium.wrappers.vector import (
    ClipAction,
    FlattenObservation,
    NormalizeObservation,
    RecordEpisodeStatistics,
)

EPISODES = 100  # of which the mean return is reported
HIDDEN = 64  # units in each of the two layers
CLIP = 0.2  # how far an update may change how likely an action is, as a share
MAX_NORM = 0.5  # of the gradient
VALUE_WEIGHT = 0.5  # of the critic's error in the loss

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("env_id", nargs="?", default="CartPole-v1", help="the environment (CartPole-v1)")
parser.add_argument("--num-envs", type=int, default=32, help="environments that step together (32)")
parser.add_argument("--mode", choices=("sync", "async"), help="how they run (as make_vec chooses: CartPole compiled)")
parser.add_argument("--seed", type=int, default=1, help="seed of the environments and the networks (1)")
parser.add_argument("--steps", type=int, default=500_000, help="environment steps at most (500000)")
parser.add_argument("--threshold", type=float, help="mean return at which to stop (the environment's own)")
parser.add_argument("--out", type=Path, help="a folder for the learning curve and the networks (none)")
parser.add_argument("--horizon", type=int, default=64, help="steps of each environment between two updates (64)")
parser.add_argument("--epochs", type=int, default=4, help="passes over these steps in an update (4)")
parser.add_argument("--minibatches", type=int, default=4, help="parts that a pass is made in (4)")
parser.add_argument("--rate", type=float, default=2.5e-3, help="of learning, at first; it falls to zero (0.0025)")
parser.add_argument(
    "--scale", type=float, default=0.05, help="of the rewards, so that returns are about 1 to 10 (0.05)"
)
parser.add_argument("--gamma", type=float, default=0.99, help="discount of a reward one step later (0.99)")
parser.add_argument("--trace", type=float, default=0.95, help="lambda of the advantages (0.95)")
parser.add_argument("--deviation", type=float, default=1.0, help="of continuous actions, at first (1)")
parser.add_argument("--entropy", type=float, default=0.01, help="weight of the bonus for trying things (0.01)")


class Rollout(NamedTuple):
    """The transitions of T steps of n environments; tensors of shape (T, n, ...)."""

    observations: Tensor  # shape (T + 1, n, ...): also the ones after the last step
    actions: Tensor
    rewards: Tensor
    terminated: Tensor
    over: Tensor  # terminated or truncated
    fresh: Tensor  # the step only reset the environment: nothing is to be learned from it


class Progress(NamedTuple):
    """How far the training is; one row of the learning curve."""

    steps: int  # of all environments together
    seconds: float  # since the training began
    stepping: float  # of these seconds, the part of the environments and their wrappers
    episodes: int
    mean_return: float  # of the last `EPISODES`

    def __str__(self) -> str:
        return (
            f"{self.steps:>10,} steps {self.episodes:>7,} episodes   mean return {self.mean_return:8.1f}   "
            f"{self.seconds:6.1f} s, {self.stepping / self.seconds:4.0%} of it in the environments   "
            f"{self.steps / self.seconds:>8,.0f} steps/s"
        )


class Agent(nn.Module):
    """Two networks: the actor returns the probability of each action, the critic the expected return."""

    def __init__(self, inputs: int, action_space: gym.Space[Any], deviation: float = 1.0) -> None:
        super().__init__()
        self.discrete = isinstance(action_space, Discrete)
        outputs = int(action_space.n) if isinstance(action_space, Discrete) else math.prod(action_space.shape or ())
        self.actor = network(inputs, outputs, scale=0.01)  # at first, all actions are about equally likely
        self.critic = network(inputs, 1, scale=1.0)
        self.log_std = None if self.discrete else nn.Parameter(torch.full((outputs,), math.log(deviation)))
        # Moments of the observations, once training is over: the networks have only seen normalized ones.
        self.register_buffer("mean", torch.zeros(inputs))
        self.register_buffer("deviation", torch.ones(inputs))

    def policy(self, observations: Tensor) -> Distribution:
        out = self.actor(observations)
        if self.log_std is None:
            return Categorical(logits=out, validate_args=False)
        return Independent(Normal(out, self.log_std.exp(), validate_args=False), 1, validate_args=False)

    def value(self, observations: Tensor) -> Tensor:
        return self.critic(observations).squeeze(-1)

    @torch.no_grad()
    def act(self, observations: NDArray[Any]) -> NDArray[Any]:
        """The most likely action for each raw observation of a batch; shape (n, ...) of both."""
        flat = torch.as_tensor(observations, dtype=torch.float32).reshape(len(observations), -1)
        policy = self.policy((flat - self.mean) / self.deviation)
        return policy.mode.numpy()


def network(inputs: int, outputs: int, scale: float) -> nn.Sequential:
    layers = [nn.Linear(inputs, HIDDEN), nn.Linear(HIDDEN, HIDDEN), nn.Linear(HIDDEN, outputs)]
    for layer, gain in zip(layers, (math.sqrt(2), math.sqrt(2), scale), strict=True):
        nn.init.orthogonal_(layer.weight, gain)
        nn.init.zeros_(layer.bias)
    return nn.Sequential(layers[0], nn.Tanh(), layers[1], nn.Tanh(), layers[2])


def made(options: argparse.Namespace) -> tuple[gym.vector.VectorEnv, NormalizeObservation, RecordEpisodeStatistics]:
    """The vector environment to learn on, and two wrappers in it: one has the moments, one the rewards as they are."""
    envs = gym.make_vec(options.env_id, options.num_envs, vectorization_mode=options.mode)
    space = envs.single_action_space
    if not (isinstance(space, Box) or (isinstance(space, Discrete) and space.start == 0)):
        parser.error(f"{options.env_id} takes actions of {space}; PPO here is for Discrete, from 0 on, and Box")
    if envs.metadata["autoreset_mode"] is not gym.vector.AutoresetMode.NEXT_STEP:
        parser.error(f"{options.env_id} has to reset in a step of its own: AutoresetMode.NEXT_STEP")
    counted = RecordEpisodeStatistics(envs, buffer_length=EPISODES)
    normalized: Any = NormalizeObservation(FlattenObservation(counted))
    return ClipAction(normalized) if isinstance(space, Box) else normalized, normalized, counted


class Collector:
    """Lets the agent act, and records the transitions; a further call continues from there."""

    def __init__(self, envs: gym.vector.VectorEnv, horizon: int, seed: int) -> None:
        self.envs, self.horizon = envs, horizon
        start = perf_counter()
        self.observations, _ = envs.reset(seed=seed)
        self.stepping = perf_counter() - start
        self.over = np.zeros(envs.num_envs, bool)

    @torch.no_grad()
    def collect(self, agent: Agent) -> Rollout:
        seen, happened = [torch.from_numpy(self.observations)], []
        for _ in range(self.horizon):
            actions = agent.policy(seen[-1]).sample()
            start = perf_counter()
            observations, rewards, terminated, truncated, _ = self.envs.step(actions.numpy())
            self.stepping += perf_counter() - start
            fresh, self.over = self.over, terminated | truncated
            happened.append((actions, *map(torch.from_numpy, (rewards, terminated, self.over, fresh))))
            seen.append(torch.from_numpy(observations))
        self.observations = observations
        actions, rewards, *flags = (torch.stack(column) for column in zip(*happened, strict=True))
        return Rollout(torch.stack(seen), actions, rewards.float(), *flags)


def advantages_of(rollout: Rollout, values: Tensor, options: argparse.Namespace) -> Tensor:
    """How much better each step went than expected; `values` has shape (T + 1, n), the result (T, n).

    The step that ends an episode still returns that episode's last observation, so a truncated one, which would have
    continued, gets the critic's value there; after a terminated one nothing follows.
    """
    advantages = torch.empty_like(rollout.rewards)
    errors = options.scale * rollout.rewards + options.gamma * values[1:] * ~rollout.terminated - values[:-1]
    following = torch.zeros_like(errors[0])
    for t in reversed(range(len(errors))):
        following = errors[t] + options.gamma * options.trace * following * ~rollout.over[t]
        advantages[t] = following
    return advantages


def learn(agent: Agent, optimizer: torch.optim.Optimizer, rollout: Rollout, options: argparse.Namespace) -> None:
    """One update: some passes over the rollout, in minibatches, that keep close to the policy that collected it."""
    learned = ~rollout.fresh
    observations, actions = rollout.observations[:-1][learned], rollout.actions[learned]
    with torch.no_grad():
        values = agent.value(rollout.observations)
        advantages = advantages_of(rollout, values, options)
        returns = (advantages + values[:-1])[learned]
        before = agent.policy(observations).log_prob(actions)
    advantages = advantages[learned]

    for _ in range(options.epochs):
        for i in torch.randperm(len(actions)).chunk(options.minibatches):
            policy = agent.policy(observations[i])
            ratio = (policy.log_prob(actions[i]) - before[i]).exp()
            gain = (advantages[i] - advantages[i].mean()) / (advantages[i].std() + 1e-8)
            surrogate = torch.min(gain * ratio, gain * ratio.clamp(1 - CLIP, 1 + CLIP)).mean()
            error = 0.5 * (agent.value(observations[i]) - returns[i]).square().mean()
            loss = VALUE_WEIGHT * error - surrogate - options.entropy * policy.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), MAX_NORM)
            optimizer.step()


def train(options: argparse.Namespace) -> tuple[Agent, list[Progress]]:
    """Train on one environment: the agent, and the progress after each update."""
    start = perf_counter()
    torch.manual_seed(options.seed)
    envs, normalized, counted = made(options)
    inputs = math.prod(envs.single_observation_space.shape or ())
    agent = Agent(inputs, envs.single_action_space, options.deviation)
    curve = improve(agent, envs, counted, options, start)
    moments = normalized.obs_rms
    agent.mean.copy_(torch.from_numpy(moments.mean))
    agent.deviation.copy_(torch.from_numpy(np.sqrt(moments.var + normalized.epsilon)))
    return agent, curve


def improve(
    agent: Agent,
    envs: gym.vector.VectorEnv,
    counted: RecordEpisodeStatistics,
    options: argparse.Namespace,
    start: float,
) -> list[Progress]:
    """Train the agent until the threshold or the last step, and close the environments: the progress since `start`."""
    threshold = envs.spec.reward_threshold if options.threshold is None else options.threshold
    optimizer = torch.optim.Adam(agent.parameters(), eps=1e-5)
    collector = Collector(envs, options.horizon, options.seed)
    batch = envs.num_envs * options.horizon
    updates = max(1, options.steps // batch)
    until = "the last step" if threshold is None else f"the last {EPISODES} episodes return {threshold:g} on average"
    print(f"PPO on {envs.num_envs} of {options.env_id}, seed {options.seed}, until {until}", flush=True)

    curve: list[Progress] = []
    try:
        for update in range(updates):
            optimizer.param_groups[0]["lr"] = options.rate * (1 - update / updates)
            learn(agent, optimizer, collector.collect(agent), options)
            returns = counted.return_queue
            mean = float(np.mean(returns)) if returns else math.nan
            steps, seconds = (update + 1) * batch, perf_counter() - start
            curve.append(Progress(steps, seconds, collector.stepping, counted.episode_count, mean))
            done = threshold is not None and len(returns) == EPISODES and mean >= threshold
            if done or update % 10 == 9 or update + 1 == updates:
                print(curve[-1], flush=True)
            if done:
                break
    except KeyboardInterrupt:
        print("stopped; what has been learned so far is kept", flush=True)
    envs.close()
    return curve


def main(train: Callable[[argparse.Namespace], tuple[nn.Module, list[Progress]]] = train) -> None:
    options = parser.parse_args()
    if min(options.num_envs, options.steps, options.horizon, options.epochs, options.minibatches) < 1:
        parser.error("--num-envs, --steps, --horizon, --epochs and --minibatches have to be at least 1")
    torch.set_num_threads(1)  # networks this small are fastest on one thread, and environments get the others
    agent, curve = train(options)
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
        torch.save(agent.state_dict(), options.out / "agent.pt")
        with (options.out / "learning_curve.csv").open("w", newline="") as file:
            csv.writer(file).writerows([Progress._fields, *curve])


if __name__ == "__main__":
    main()
