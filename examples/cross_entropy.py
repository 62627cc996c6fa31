"""The cross-entropy method on CartPole: try many random policies, keep the best, draw new ones around them.

    python examples/cross_entropy.py     trains and measures; `first_episode.py` also draws and films

Source: Szita & Lorincz (2006), "Learning Tetris using the noisy cross-entropy method", Neural Computation 18(12).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.progress import track

import gymnasium as gym

ENV_ID = "CartPole-v1"
POPULATION = 1000  # policies tried in a generation
ELITE = 100  # of these, the best ones, which the next generation is drawn around
EPISODES = 2  # for each policy: one alone may be luck
NOISE = 0.3  # added to the spread, and shrinking to 0, so that the search does not settle too soon

Policy = Callable[[NDArray[np.float32]], int]

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--generations", type=int, default=15, help="of policies (15)")
parser.add_argument("--seed", type=int, default=1, help="seed of everything (1)")
parser.add_argument("--out", type=Path, help="a folder for the weights (none)")


class Agent(NamedTuple):
    """The results of training."""

    weights: NDArray[np.float64]  # shape (4,): one for each number observed
    returns: NDArray[np.float64]  # shape (generations, POPULATION): mean return of each policy tried
    steps: int  # of all environments together
    speed: float  # training steps per second

    def policy(self, observation: NDArray[np.float32]) -> int:
        return linear(self.weights, observation)


class Score(NamedTuple):
    """The results of a measurement."""

    mean_return: float
    full: float  # share of episodes in which the pole stood until the time limit


def linear(weights: NDArray[np.float64], observation: NDArray[np.float32]) -> int:
    """Push to the right (1) where the weighted sum is positive, else to the left (0)."""
    return int(weights @ observation > 0)


def random_policy(seed: int) -> Policy:
    rng = np.random.default_rng(seed)
    return lambda observation: int(rng.integers(2))


def train(generations: int, seed: int) -> Agent:
    envs = gym.make_vec(ENV_ID, POPULATION * EPISODES)  # compiled: all of them take a step in one call
    envs.reset(seed=seed)
    rng = np.random.default_rng(seed)
    mean, spread = np.zeros(4), np.ones(4)
    returns = np.zeros((generations, POPULATION))
    steps, start = 0, perf_counter()

    for generation in track(range(generations), description="Cross-entropy on CartPole"):
        tried = rng.normal(mean, spread, (POPULATION, 4))
        returns[generation], longest = mean_returns(envs, tried)
        steps += longest * envs.num_envs
        best = tried[returns[generation].argsort()[-ELITE:]]
        mean = best.mean(axis=0)
        spread = best.std(axis=0) + NOISE * (1 - generation / generations)

    envs.close()
    return Agent(mean, returns, steps, steps / (perf_counter() - start))


def mean_returns(envs: gym.vector.VectorEnv, tried: NDArray[np.float64]) -> tuple[NDArray[np.float64], int]:
    """Let every policy balance `EPISODES` poles, all at the same time: their mean returns, and the steps it took."""
    weights = np.repeat(tried, EPISODES, axis=0)  # shape (num_envs, 4): who acts in which environment
    total, running, steps = np.zeros(envs.num_envs), np.ones(envs.num_envs, bool), 0
    observations, _ = envs.reset()
    while running.any():
        actions = (weights * observations).sum(axis=1) > 0
        observations, rewards, terminated, truncated, _ = envs.step(actions.astype(np.int64))
        total += rewards * running
        running &= ~(terminated | truncated)  # rewards after the end belong to another episode
        steps += 1
    return total.reshape(-1, EPISODES).mean(axis=1), steps


def run(env: gym.Env, policy: Policy) -> tuple[float, bool]:
    """One episode: its return, and whether it went on until the time limit."""
    observation, _ = env.reset()
    total, terminated, truncated = 0.0, False, False
    while not (terminated or truncated):
        observation, reward, terminated, truncated, _ = env.step(policy(observation))
        total += float(reward)
    return total, truncated and not terminated


def evaluate(policy: Policy, episodes: int, seed: int) -> Score:
    env = gym.make(ENV_ID)
    env.reset(seed=seed + 1)  # not the episodes it was trained on
    returns, full = zip(*(run(env, policy) for _ in range(episodes)), strict=True)
    env.close()
    return Score(float(np.mean(returns)), float(np.mean(full)))


def main() -> None:
    options = parser.parse_args()
    if options.generations < 1:
        parser.error("--generations has to be at least 1")
    before = evaluate(random_policy(options.seed), 100, options.seed)
    agent = train(options.generations, options.seed)
    after = evaluate(agent.policy, 100, options.seed)
    print(f"{ENV_ID}: mean return {before.mean_return:.1f} of random policies, {after.mean_return:.1f} after training")
    print(f"{after.full:.0%} of the episodes last the full 500 steps; training: {agent.speed:,.0f} steps/s")
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
        np.savez(options.out / "policy.npz", weights=agent.weights, steps=agent.steps)


if __name__ == "__main__":
    main()
