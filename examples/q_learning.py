"""Tabular Q-learning on FrozenLake.

    python examples/q_learning.py     trains and measures; `first_episode.py` also draws and films

Source: Watkins & Dayan (1992), "Q-learning", Machine Learning 8.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.progress import track

import gymnasium as gym

ENV_ID = "FrozenLake-v1"
GAMMA = 0.99  # discount: a reward one step later is worth this much
FIRST_RATE, LAST_RATE = 0.2, 0.01  # learning rate: large steps first, small ones to average out the slippery ice
FIRST_EPSILON, LAST_EPSILON = 1.0, 0.02  # share of random actions: explore first, then exploit

Policy = Callable[[int], int]


class Agent(NamedTuple):
    """The results of training."""

    q: NDArray[np.float64]  # shape (states, actions): the return to expect
    successes: NDArray[np.float64]  # of each training episode: 1 if the goal was reached, else 0
    speed: float  # training steps per second

    def policy(self, state: int) -> int:
        return int(self.q[state].argmax())


def random_policy(seed: int) -> Policy:
    rng = np.random.default_rng(seed)
    return lambda state: int(rng.integers(4))


def train(episodes: int, seed: int) -> Agent:
    env = gym.make(ENV_ID)
    rng = np.random.default_rng(seed)
    q = np.zeros((env.observation_space.n, env.action_space.n))
    successes = np.zeros(episodes)
    steps, start = 0, perf_counter()

    # The first reset seeds the environment; later ones go on with its stream, so that every episode is different.
    state, _ = env.reset(seed=seed)
    for episode in track(range(episodes), description="Q-learning on FrozenLake"):
        done = episode / episodes
        rate = FIRST_RATE + done * (LAST_RATE - FIRST_RATE)
        epsilon = max(LAST_EPSILON, FIRST_EPSILON - 2 * done)

        over = False
        while not over:
            explore = rng.random() < epsilon
            action = int(rng.integers(env.action_space.n)) if explore else int(q[state].argmax())
            next_state, reward, terminated, truncated, _ = env.step(action)

            # After the end there is nothing to come. At the time limit (truncated) there would be: the episode was
            # only cut off, so the value of the next state counts.
            future = 0.0 if terminated else GAMMA * q[next_state].max()
            q[state, action] += rate * (reward + future - q[state, action])

            state = next_state
            steps += 1
            over = terminated or truncated
        successes[episode] = reward
        state, _ = env.reset()

    env.close()
    return Agent(q, successes, steps / (perf_counter() - start))


def success_rate(policy: Policy, episodes: int, seed: int) -> float:
    """The share of episodes that reach the goal, within the limit of 100 steps that `make` sets."""
    env = gym.make(ENV_ID)
    successes = 0.0
    state, _ = env.reset(seed=seed + 1)  # not the episodes it was trained on
    for _ in range(episodes):
        over = False
        while not over:
            state, reward, terminated, truncated, _ = env.step(policy(state))
            over = terminated or truncated
        successes += reward  # 1 at the goal, 0 everywhere else
        state, _ = env.reset()
    env.close()
    return successes / episodes


def main() -> None:
    before, agent = success_rate(random_policy(seed=1), 1000, seed=1), train(episodes=20_000, seed=1)
    after = success_rate(agent.policy, 1000, seed=1)
    print(f"{ENV_ID}: the goal is reached in {before:.1%} of the episodes at random, in {after:.1%} after training")
    print(f"training: {agent.speed:,.0f} steps/s")


if __name__ == "__main__":
    main()
