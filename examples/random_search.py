"""Augmented random search on a robot: linear policies, changed a little in random directions, learn to run.

    python examples/random_search.py                     HalfCheetah, three million steps
    python examples/random_search.py Swimmer-v5 --directions 4 --iterations 100
    python examples/random_search.py --help              the settings

An action is a weighted sum of the observations. Each iteration tries the present weights, plus and minus some noise, in
one batch of environments, and moves the weights along the noise that returned more on one side than on the other.

Source: Mania, Guy & Recht (2018), "Simple random search of static linear policies is competitive for reinforcement
learning" (there: ARS V2-t). It needs NumPy and MuJoCo only. From a clone: `pip install ".[mujoco]"`.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import gymnasium as gym
from gymnasium.spaces import Box

Array = NDArray[np.float64]

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("env_id", nargs="?", default="HalfCheetah-v5", help="with actions in a Box (HalfCheetah-v5)")
parser.add_argument("--directions", type=int, default=8, help="tried in an iteration, each both ways (8)")
parser.add_argument("--best", type=int, default=4, help="of them, those that change the weights (4)")
parser.add_argument("--iterations", type=int, default=190, help="how often the weights change (190)")
parser.add_argument("--rate", type=float, default=0.02, help="of learning (0.02)")
parser.add_argument("--noise", type=float, default=0.03, help="deviation of the noise on each weight (0.03)")
parser.add_argument("--bonus", type=float, default=0.0, help="taken off each reward, if survival is paid for (0)")
parser.add_argument("--seed", type=int, default=1, help="seed of everything (1)")
parser.add_argument("--out", type=Path, help="a folder for the policy and the learning curve (none)")


class Progress(NamedTuple):
    """One row of the learning curve."""

    steps: int  # of all environments together
    seconds: float  # since the training began
    mean_return: float  # of the policies tried
    best_return: float  # of one of them


class Moments:
    """Mean and deviation of all observations so far, after Chan et al. (1983)."""

    def __init__(self, size: int) -> None:
        self.count, self.mean, self.squares = 0, np.zeros(size), np.zeros(size)

    def add(self, observations: Array) -> None:
        """A batch of shape (n, size)."""
        n, mean = len(observations), observations.mean(axis=0)
        apart, self.count = mean - self.mean, self.count + n
        self.squares += ((observations - mean) ** 2).sum(axis=0) + apart**2 * n * (self.count - n) / self.count
        self.mean = self.mean + apart * n / self.count

    @property
    def deviation(self) -> Array:
        """Where an element never changes, 1."""
        deviation: Array = np.sqrt(self.squares / max(self.count, 1))
        return np.where(deviation > 1e-6, deviation, 1.0)


class Policy(NamedTuple):
    """A linear policy of normalized observations."""

    weights: Array  # shape (numbers in an action, numbers observed)
    mean: Array
    deviation: Array

    def act(self, observations: NDArray[Any]) -> NDArray[np.float32]:
        """The actions for a batch of observations, before they are clipped."""
        return ((observations - self.mean) / self.deviation @ self.weights.T).astype(np.float32)

    @classmethod
    def load(cls, file: Path) -> Policy:
        with np.load(file) as arrays:
            return cls(*(arrays[name] for name in cls._fields))


def returns_of(
    envs: gym.vector.VectorEnv[Any, Any, Any], weights: Array, moments: Moments, bonus: float
) -> tuple[Array, Array, int]:
    """An episode with each policy, `weights` of shape (n, actions, observed): returns less bonus, returns, steps."""
    space = envs.single_action_space
    assert isinstance(space, Box)
    mean, deviation = moments.mean.copy(), moments.deviation  # all policies of an iteration see the same numbers
    earned, total, running = np.zeros(envs.num_envs), np.zeros(envs.num_envs), np.ones(envs.num_envs, bool)
    steps = 0
    observations, _ = envs.reset()
    while running.any():
        moments.add(observations[running])
        actions = np.einsum("nao,no->na", weights, (observations - mean) / deviation)
        observations, rewards, terminated, truncated, _ = envs.step(
            np.clip(actions, space.low, space.high).astype(np.float32)
        )
        earned += (rewards - bonus) * running
        total += rewards * running
        steps += int(running.sum())
        running &= ~(terminated | truncated)  # rewards after the end belong to another episode
    return earned, total, steps


def train(options: argparse.Namespace) -> tuple[Policy, list[Progress]]:
    start, rng = perf_counter(), np.random.default_rng(options.seed)
    envs = gym.make_vec(options.env_id, 2 * options.directions)
    envs.reset(seed=options.seed)
    assert isinstance(envs.single_observation_space, Box) and isinstance(envs.single_action_space, Box)
    (observed,), (acted,) = envs.single_observation_space.shape, envs.single_action_space.shape
    weights, moments = np.zeros((acted, observed)), Moments(observed)
    steps, curve = 0, []
    print(f"Random search on {options.env_id}, {options.directions} directions, seed {options.seed}", flush=True)

    for iteration in range(options.iterations):
        directions = rng.standard_normal((options.directions, acted, observed))
        tried = np.concatenate([weights + options.noise * directions, weights - options.noise * directions])
        earned, total, taken = returns_of(envs, tried, moments, options.bonus)
        forth, back = np.split(earned, 2)
        best = np.maximum(forth, back).argsort()[-options.best :]
        spread = np.concatenate([forth[best], back[best]]).std() + 1e-6
        gradient = ((forth - back)[best, None, None] * directions[best]).mean(axis=0) / spread
        weights = weights + options.rate * gradient
        steps += taken
        curve.append(Progress(steps, perf_counter() - start, float(total.mean()), float(total.max())))
        if iteration % 10 == 9 or iteration + 1 == options.iterations:
            print(
                f"{steps:>10,} steps   mean return {curve[-1].mean_return:8.1f}   best {curve[-1].best_return:8.1f}   "
                f"{curve[-1].seconds:6.1f} s   {steps / curve[-1].seconds:>8,.0f} steps/s",
                flush=True,
            )
    envs.close()
    return Policy(weights, moments.mean, moments.deviation), curve


def main() -> None:
    options = parser.parse_args()
    if not 1 <= options.best <= options.directions or options.iterations < 1:
        parser.error("--iterations has to be at least 1, --best between 1 and --directions")
    policy, curve = train(options)
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
        np.savez(options.out / "policy.npz", **policy._asdict())
        with (options.out / "learning_curve.csv").open("w", newline="") as file:
            csv.writer(file).writerows([Progress._fields, *curve])


if __name__ == "__main__":
    main()
