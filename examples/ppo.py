"""Proximal policy optimisation (PPO) in one file, for any environment with discrete or continuous actions.

    python examples/ppo.py                                 CartPole, until the last 100 episodes return 475 on average
    python examples/ppo.py Pendulum-v1 --gamma 0.9         continuous actions, for as many steps as --steps says
    python examples/ppo.py --help                          the settings

Sources: Schulman et al. (2017), "Proximal policy optimization algorithms"; the advantages are those of Schulman et al.
(2016), "High-dimensional continuous control using generalized advantage estimation"; many details follow Huang et al.
(2022), "The 37 implementation details of proximal policy optimization".

The networks act in `palaestra.rollout`, which computes them in machine code, together with the environment if that is
compiled; PyTorch only learns. The settings for LunarLander and HalfCheetah are in benchmarks/time_to_trained.py.
"""

from __future__ import annotations

import argparse
import csv
import math
from collections import deque
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

import gymnasium as gym
import palaestra
from gymnasium.spaces import Box, Discrete
from gymnasium.wrappers.vector import FlattenObservation
from palaestra.policies import MLP

EPISODES = 100  # of which the mean return is reported
HIDDEN = 64  # units in each of the two layers
CLIP = 0.2  # how far an update may change how likely an action is, as a share
MAX_NORM = 0.5  # of the gradient
BETA_1, BETA_2, EPSILON = 0.9, 0.999, 1e-5  # of Adam
VALUE_WEIGHT = 0.25  # of the critic's squared error in the loss
LEAST_DEVIATION = 1e-2  # of an observation; what hardly moves is not blown up
HALF_LOG_TAU = 0.5 * math.log(2 * math.pi)

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("env_id", nargs="?", default="CartPole-v1", help="the environment (CartPole-v1)")
parser.add_argument("--num-envs", type=int, default=32, help="environments that step together (32)")
parser.add_argument(
    "--mode", choices=("sync", "async", "ray"), help="how they run (as make_vec chooses: CartPole compiled)"
)
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


class Batch(NamedTuple):
    """k transitions to learn from; tensors of shape (k, ...)."""

    observations: Tensor
    actions: Tensor
    log_prob: Tensor  # of the actions, when they were chosen
    advantages: Tensor  # how much better each action went than expected
    targets: Tensor  # what the critic should have expected


class Progress(NamedTuple):
    """How far the training is; one row of the learning curve."""

    steps: int  # of all environments together
    seconds: float  # since the training began
    collecting: float  # of these seconds, the part of the environments and of the networks acting in them
    episodes: int
    mean_return: float  # of the last `EPISODES`

    def __str__(self) -> str:
        return (
            f"{self.steps:>10,} steps {self.episodes:>7,} episodes   mean return {self.mean_return:8.1f}   "
            f"{self.seconds:6.1f} s, {self.collecting / self.seconds:4.0%} of it collecting   "
            f"{self.steps / self.seconds:>8,.0f} steps/s"
        )


class Normalizer(nn.Linear):
    """The first layer of both networks: it gives observations the mean 0 and the deviation 1 of those seen before.

    As a layer it is computed wherever the networks are. Gradients do not change it.
    """

    def __init__(self, inputs: int) -> None:
        super().__init__(inputs, inputs)
        self.requires_grad_(False)
        nn.init.eye_(self.weight)
        nn.init.zeros_(self.bias)
        self.count, self.mean, self.variance = 0, torch.zeros(inputs).double(), torch.zeros(inputs).double()

    def adapt(self, observations: Tensor) -> None:
        """Count further observations, shape (k, inputs), among those seen."""
        new = observations.double()
        self.count += len(new)
        share = len(new) / self.count
        ahead = new.mean(dim=0) - self.mean
        between = (1 - share) * ahead.square()
        self.variance += share * (new.var(dim=0, correction=0) - self.variance + between)
        self.mean += share * ahead
        deviation = self.variance.sqrt().clamp(min=LEAST_DEVIATION)
        self.weight.copy_(torch.diag(1 / deviation))
        self.bias.copy_(-self.mean / deviation)


class Agent(nn.Module):
    """Two networks: the actor returns how likely each action is, the critic the expected return."""

    def __init__(self, inputs: int, action_space: gym.Space[Any], deviation: float = 1.0) -> None:
        super().__init__()
        self.discrete = isinstance(action_space, Discrete)
        outputs = int(action_space.n) if isinstance(action_space, Discrete) else math.prod(action_space.shape or ())
        self.normalizer = Normalizer(inputs)
        self.actor = network(inputs, outputs, scale=0.01)  # at first, all actions are about equally likely
        self.critic = network(inputs, 1, scale=1.0)
        self.log_std = None if self.discrete else nn.Parameter(torch.full((outputs,), math.log(deviation)))

    def policy(self, action_space: gym.Space[Any], seed: int) -> MLP:
        """The networks as a policy of `rollout`, which takes their weights of the moment."""
        actor, critic = (nn.Sequential(self.normalizer, part) for part in (self.actor, self.critic))
        return MLP.from_torch(actor, critic, action_space=action_space, log_std=self.log_std, seed=seed)

    def judge(self, observations: Tensor, actions: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The log-probability of each action, the mean entropy, and the value of each observation."""
        seen = self.normalizer(observations)
        outputs, values = self.actor(seen), self.critic(seen).squeeze(-1)
        if self.log_std is None:
            log_probs = outputs.log_softmax(-1)
            chosen = log_probs.gather(-1, actions[:, None]).squeeze(-1)
            return chosen, -(log_probs.exp() * log_probs).sum(-1).mean(), values
        distance = (actions - outputs) * (-self.log_std).exp()
        log_std = self.log_std + HALF_LOG_TAU
        return -0.5 * distance.square().sum(-1) - log_std.sum(), (log_std + 0.5).sum(), values

    @torch.no_grad()
    def value(self, observations: NDArray[Any]) -> Tensor:
        """The expected return from each observation of a batch on."""
        values: Tensor = self.critic(self.normalizer(flat(observations)))
        return values.squeeze(-1)

    @torch.no_grad()
    def act(self, observations: NDArray[Any]) -> NDArray[Any]:
        """The most likely action for each observation of a batch; shape (n, ...) of both."""
        outputs: Tensor = self.actor(self.normalizer(flat(observations)))
        return (outputs.argmax(-1) if self.discrete else outputs).numpy()

    def adapt(self, observations: Tensor) -> None:
        """Take note of observations that have been learned from."""
        self.normalizer.adapt(observations)


def network(inputs: int, outputs: int, scale: float) -> nn.Sequential:
    layers = [nn.Linear(inputs, HIDDEN), nn.Linear(HIDDEN, HIDDEN), nn.Linear(HIDDEN, outputs)]
    for layer, gain in zip(layers, (math.sqrt(2), math.sqrt(2), scale), strict=True):
        nn.init.orthogonal_(layer.weight, gain)
        nn.init.zeros_(layer.bias)
    return nn.Sequential(layers[0], nn.Tanh(), layers[1], nn.Tanh(), layers[2])


def flat(observations: Any) -> Tensor:
    """Observations of any shape as rows of numbers, shape (k, inputs)."""
    return torch.as_tensor(observations, dtype=torch.float32).flatten(1)


def made(options: argparse.Namespace) -> gym.vector.VectorEnv:
    """The vector environment to learn on."""
    envs = gym.make_vec(options.env_id, options.num_envs, vectorization_mode=options.mode)
    space = envs.single_action_space
    if not (isinstance(space, Box) or (isinstance(space, Discrete) and space.start == 0)):
        parser.error(f"{options.env_id} takes actions of {space}; PPO here is for Discrete, from 0 on, and Box")
    return envs if isinstance(envs.single_observation_space, Box) else FlattenObservation(envs)


class Player:
    """Lets an agent act in environments; each rollout goes on where the last one stopped."""

    def __init__(self, agent: Any, envs: gym.vector.VectorEnv, options: argparse.Namespace) -> None:
        self.agent, self.envs, self.options = agent, envs, options
        self.policy = agent.policy(envs.single_action_space, options.seed)
        self.last: Any = envs.reset(seed=options.seed)[0]

    def collect(self) -> NDArray[np.float64]:
        """Play `horizon` steps; the returns of the episodes that ended."""
        rollout = self.last = palaestra.rollout(self.envs, self.policy, self.options.horizon, start=self.last)
        return rollout.episodes.returns

    def batch(self) -> Batch:
        """What there is to learn from the steps."""
        rollout = self.last._replace(rewards=self.options.scale * self.last.rewards)
        advantages, targets = rollout.gae(self.options.gamma, self.options.trace, self.agent.value)
        steps = rollout.flat(advantages=advantages, targets=targets).to_torch()
        extras = steps.extras
        actions = flat(extras["unclipped"]) if "unclipped" in extras else steps.actions
        return Batch(flat(steps.observations), actions, extras["log_prob"], extras["advantages"], extras["targets"])


class Adam:
    """Steps down the gradient of a loss, with all parameters in one vector, and so in few operations.

    Source: Kingma & Ba (2015), "Adam: a method for stochastic optimization", algorithm 1. With networks this small,
    `torch.optim.Adam` takes longer for a step than the networks do; to make one takes a second of imports.
    """

    def __init__(self, module: nn.Module) -> None:
        parameters = [parameter for parameter in module.parameters() if parameter.requires_grad]
        self.vector = nn.utils.parameters_to_vector(parameters).detach()
        self.gradient, self.mean, self.square = (torch.zeros_like(self.vector) for _ in range(3))
        nn.utils.vector_to_parameters(self.vector, parameters)  # which are its parts from now on
        parts = torch.split(self.gradient, [parameter.numel() for parameter in parameters])
        for parameter, part in zip(parameters, parts, strict=True):
            parameter.grad = part.view_as(parameter)
        self.steps = 0

    def step(self, loss: Tensor, rate: float) -> None:
        self.gradient.zero_()
        loss.backward()  # type: ignore[no-untyped-call]  # torch's own
        self.gradient *= (MAX_NORM / self.gradient.norm()).clamp(max=1)
        self.steps += 1
        self.mean.lerp_(self.gradient, 1 - BETA_1)
        self.square.lerp_(self.gradient.square(), 1 - BETA_2)
        deviation = (self.square / (1 - BETA_2**self.steps)).sqrt() + EPSILON
        self.vector.addcdiv_(self.mean, deviation, value=-rate / (1 - BETA_1**self.steps))


def learn(agent: Any, adam: Adam, batch: Batch, rate: float, options: argparse.Namespace) -> None:
    """One update: some passes over the batch, in parts, that keep close to the policy that collected it."""
    deviation, mean = torch.std_mean(batch.advantages, correction=0)
    batch = batch._replace(advantages=(batch.advantages - mean) / (deviation + 1e-8))
    most = batch.advantages + CLIP * batch.advantages.abs()  # that a more, or less, likely action counts for
    for _ in range(options.epochs):
        order = torch.randperm(len(batch.targets))
        parts = zip(*(column[order].chunk(options.minibatches) for column in (*batch, most)), strict=True)
        for observations, actions, before, advantages, targets, limits in parts:
            log_prob, entropy, values = agent.judge(observations, actions)
            surrogate = torch.min(advantages * (log_prob - before).exp(), limits).mean()
            error = nn.functional.mse_loss(values, targets)
            adam.step(VALUE_WEIGHT * error - surrogate - options.entropy * entropy, rate)


def train(options: argparse.Namespace, player: Callable[..., Player] = Player) -> tuple[Agent, list[Progress]]:
    """Train on one environment: the agent, and the progress after each update."""
    start = perf_counter()
    torch.manual_seed(options.seed)
    envs = made(options)
    inputs = math.prod(envs.single_observation_space.shape or ())
    agent = Agent(inputs, envs.single_action_space, options.deviation)
    return agent, improve(agent, player(agent, envs, options), start)


def improve(agent: Any, player: Player, start: float) -> list[Progress]:
    """Train the agent until the threshold or the last step, and close the environments: the progress since `start`."""
    envs, options = player.envs, player.options
    threshold = gym.spec(options.env_id).reward_threshold if options.threshold is None else options.threshold
    adam = Adam(agent)
    size = envs.num_envs * options.horizon
    updates = max(1, options.steps // size)
    until = "the last step" if threshold is None else f"the last {EPISODES} episodes return {threshold:g} on average"
    print(f"PPO on {envs.num_envs} of {options.env_id}, seed {options.seed}, until {until}", flush=True)

    curve: list[Progress] = []
    returns: deque[float] = deque(maxlen=EPISODES)
    collecting, episodes = 0.0, 0
    try:
        for update in range(updates):
            begin = perf_counter()
            ended = player.collect()
            collecting += perf_counter() - begin
            returns.extend(ended)
            episodes += len(ended)
            batch = player.batch()
            learn(agent, adam, batch, options.rate * (1 - update / updates), options)
            agent.adapt(batch.observations)
            mean = float(np.mean(returns)) if returns else math.nan
            curve.append(Progress((update + 1) * size, perf_counter() - start, collecting, episodes, mean))
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
    if min(options.num_envs, options.steps, options.epochs, options.minibatches) < 1:
        parser.error("--num-envs, --steps, --epochs and --minibatches have to be at least 1")
    if options.horizon < 2:
        parser.error("--horizon has to be at least 2: one of the steps may only reset")
    torch.set_num_threads(1)  # networks this small are fastest on one thread, and environments get the others
    agent, curve = train(options)
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
        torch.save(agent.state_dict(), options.out / "agent.pt")
        with (options.out / "learning_curve.csv").open("w", newline="") as file:
            csv.writer(file).writerows([Progress._fields, *curve])


if __name__ == "__main__":
    main()
