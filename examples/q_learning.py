"""Tabular Q-learning, on FrozenLake unless you name another environment.

    python examples/q_learning.py                        trains and measures; `first_episode.py` also draws and films
    python examples/q_learning.py Taxi-v4                any environment with few states and few actions
    python examples/q_learning.py MountainCar-v0         a Box becomes a grid of 40 cells along each axis

Source: Watkins & Dayan (1992), "Q-learning", Machine Learning 8.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.progress import track

import gymnasium as gym

ENV_ID = "FrozenLake-v1"
GAMMA = 0.99  # discount: a reward one step later is worth this much
FIRST_RATE, LAST_RATE = 0.2, 0.01  # learning rate: large steps first, small ones to average out the slippery ice
FIRST_EPSILON, LAST_EPSILON = 1.0, 0.02  # share of random actions: explore first, then exploit
CELLS = 40  # of the grid, along each axis of a Box

Policy = Callable[[Any], int]

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("env_id", nargs="?", default=ENV_ID, help=f"with Discrete actions ({ENV_ID})")
parser.add_argument("--episodes", type=int, default=20_000, help="to learn from (20000)")
parser.add_argument("--evaluation", type=int, default=1000, help="episodes of each measurement (1000)")
parser.add_argument("--seed", type=int, default=1, help="seed of everything (1)")
parser.add_argument("--out", type=Path, help="a folder for the table (none)")


class Agent(NamedTuple):
    """The results of training."""

    q: NDArray[np.float64]  # shape (states, actions): the return to expect
    returns: NDArray[np.float64]  # of each training episode; on FrozenLake 1 if the goal was reached, else 0
    steps: int
    speed: float  # training steps per second

    def policy(self, state: int) -> int:
        return int(self.q[state].argmax())


def numbering(space: gym.Space[Any]) -> tuple[int, Callable[[Any], int]]:
    """How many states there are, and the number of an observation's state."""
    if isinstance(space, gym.spaces.Discrete):
        return int(space.n), int
    if isinstance(space, gym.spaces.Tuple):  # of Discrete spaces
        sizes = tuple(int(part.n) for part in space.spaces if isinstance(part, gym.spaces.Discrete))
        return int(np.prod(sizes)), lambda observation: int(np.ravel_multi_index(observation, sizes))
    assert isinstance(space, gym.spaces.Box)
    low, width = space.low, (space.high - space.low) / CELLS
    sizes = (CELLS,) * len(low)

    def cell(observation: NDArray[np.float32]) -> int:
        index = ((observation - low) / width).astype(int).clip(0, CELLS - 1)
        return int(np.ravel_multi_index(tuple(index), sizes))

    return int(np.prod(sizes)), cell


def random_policy(seed: int) -> Policy:
    rng = np.random.default_rng(seed)
    return lambda state: int(rng.integers(4))


def train(episodes: int, seed: int, env_id: str = ENV_ID) -> Agent:
    env = gym.make(env_id)
    assert isinstance(env.action_space, gym.spaces.Discrete)
    actions = int(env.action_space.n)
    rng = np.random.default_rng(seed)
    states, number = numbering(env.observation_space)
    q = np.zeros((states, actions))
    returns = np.zeros(episodes)
    steps, start = 0, perf_counter()

    # The first reset seeds the environment; later ones go on with its stream, so that every episode is different.
    observation, _ = env.reset(seed=seed)
    for episode in track(range(episodes), description=f"Q-learning on {env_id}"):
        done = episode / episodes
        rate = FIRST_RATE + done * (LAST_RATE - FIRST_RATE)
        epsilon = max(LAST_EPSILON, FIRST_EPSILON - 2 * done)

        state, over = number(observation), False
        while not over:
            explore = rng.random() < epsilon
            action = int(rng.integers(actions)) if explore else int(q[state].argmax())
            observation, reward, terminated, truncated, _ = env.step(action)
            next_state = number(observation)

            # After the end there is nothing to come. At the time limit (truncated) there would be: the episode was
            # only cut off, so the value of the next state counts.
            future = 0.0 if terminated else GAMMA * q[next_state].max()
            q[state, action] += rate * (float(reward) + future - q[state, action])

            state = next_state
            steps += 1
            returns[episode] += float(reward)
            over = terminated or truncated
        observation, _ = env.reset()

    env.close()
    return Agent(q, returns, steps, steps / (perf_counter() - start))


def mean_return(policy: Policy, episodes: int, seed: int, env_id: str = ENV_ID) -> float:
    """The mean return; on FrozenLake, the share of episodes that reach the goal within `make`'s limit of 100 steps."""
    env = gym.make(env_id)
    _, number = numbering(env.observation_space)
    total = 0.0
    observation, _ = env.reset(seed=seed + 1)  # not the episodes it was trained on
    for _ in range(episodes):
        over = False
        while not over:
            observation, reward, terminated, truncated, _ = env.step(policy(number(observation)))
            over = terminated or truncated
            total += float(reward)
        observation, _ = env.reset()
    env.close()
    return total / episodes


def main() -> None:
    options = parser.parse_args()
    if min(options.episodes, options.evaluation) < 1:
        parser.error("--episodes and --evaluation have to be at least 1")
    agent = train(options.episodes, options.seed, options.env_id)
    after = mean_return(agent.policy, options.evaluation, options.seed, options.env_id)
    if options.env_id == ENV_ID:
        before = mean_return(random_policy(options.seed), options.evaluation, options.seed)
        print(f"{ENV_ID}: the goal is reached in {before:.1%} of the episodes at random, in {after:.1%} after training")
    else:
        print(f"{options.env_id}: mean return {after:.2f} after training")
    print(f"training: {agent.steps:,} steps, {agent.speed:,.0f} steps/s")
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
        np.savez(options.out / "table.npz", q=agent.q, steps=agent.steps)


if __name__ == "__main__":
    main()
