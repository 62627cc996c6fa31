"""Q-learning compiled whole: dynamics that learn, and one step of theirs is an episode of Taxi.

    python examples/q_learning_compiled.py                Taxi, eight trainings at once, and what their agents reach
    python examples/q_learning_compiled.py FrozenLake-v1  or another compiled environment with Discrete observations

`QLearning` keeps the table of values as its state. Its transition plays an episode by the functions of the
environment's own dynamics, and learns at each step of it. So the compiled runner makes machine code of environment and
learning together, and one `rollout` is the training of all seeds. `q_learning.py` does the same in plain Python.

Source: Watkins & Dayan (1992), "Q-learning", Machine Learning 8. It needs NumPy only.
"""

from __future__ import annotations

import argparse
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import gymnasium as gym
import palaestra
from gymnasium.functional import FuncEnv
from gymnasium.spaces import Box, Discrete
from palaestra.policies import FuncPolicy, Tabular
from palaestra.runner import CompiledVectorEnv

GAMMA = 0.99  # discount: a reward one step later is worth this much
FIRST_RATE, LAST_RATE = 0.2, 0.01  # learning rate: large steps first, small ones to average out the slippery ice
LAST_EPSILON = 0.02  # share of random actions in the second half; in the first it falls from 1
TESTS = 10_000  # new episodes for a measurement
LIMIT = 1000  # steps of an episode, where the environment has no limit

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("env_id", nargs="?", default="Taxi-v4", help="compiled, with Discrete observations (Taxi-v4)")
parser.add_argument("--episodes", type=int, default=20_000, help="to learn from (20000)")
parser.add_argument("--seeds", type=int, default=8, help="trainings at once (8)")
parser.add_argument("--seed", type=int, default=1, help="seed of the first (1)")


class Lessons(NamedTuple):
    """The params: the environment and the length of a training."""

    task: Any  # params of the environment
    limit: int  # steps of an episode
    states: int
    actions: int
    episodes: int


class Learned(NamedTuple):
    """The state of a training."""

    values: NDArray[np.float64]  # shape (states, actions): the return to expect
    episode: int
    steps: int
    earned: float  # the return of the last episode


def q_learning(dynamics: FuncEnv, limit: int, episodes: int) -> FuncEnv:
    """Returns dynamics that learn in an environment by Q-learning, an episode at each step.

    They observe the share of the training that is done. An action is (learning rate, epsilon), the reward the return.
    """
    task = type(dynamics)
    assert isinstance(dynamics.observation_space, Discrete) and isinstance(dynamics.action_space, Discrete)
    sizes = int(dynamics.observation_space.n), int(dynamics.action_space.n)

    class QLearning(FuncEnv):
        observation_space = Box(0.0, 1.0, (1,), np.float64)
        action_space = Box(0.0, 1.0, (2,), np.float64)

        def get_default_params(self, **kwargs: Any) -> Lessons:
            return Lessons(dynamics.default_params, limit, *sizes, episodes)._replace(**kwargs)

        @staticmethod
        def initial(rng: Any, params: Any = None) -> Learned:
            return Learned(np.zeros((params.states, params.actions)), 0, 0, 0.0)

        @staticmethod
        def transition(state: Any, action: Any, rng: Any, params: Any = None) -> Learned:
            rate, epsilon = action
            values, steps, earned = state.values.copy(), 0, 0.0
            now = task.initial(rng, params.task)
            s, over = task.observation(now, rng, params.task), False
            while not over and steps < params.limit:
                a = rng.integers(params.actions) if rng.random() < epsilon else best(values, s)
                now, before = task.transition(now, a, rng, params.task), now
                reward = task.reward(before, a, now, rng, params.task)
                over = task.terminal(now, rng, params.task)
                then = task.observation(now, rng, params.task)

                # After the end there is nothing to come. At the time limit there would be.
                future = 0.0 if over else GAMMA * values[then, best(values, then)]
                values[s, a] += rate * (reward + future - values[s, a])
                s, steps, earned = then, steps + 1, earned + reward
            return Learned(values, state.episode + 1, state.steps + steps, earned)

        @staticmethod
        def observation(state: Any, rng: Any, params: Any = None) -> tuple[float]:
            return (state.episode / params.episodes,)

        @staticmethod
        def reward(state: Any, action: Any, next_state: Any, rng: Any, params: Any = None) -> Any:
            return next_state.earned

        @staticmethod
        def terminal(state: Any, rng: Any, params: Any = None) -> bool:
            return False

    return QLearning()


def best(values: NDArray[np.float64], s: int) -> int:
    """The first action of the highest value in a state."""
    found = 0
    for a in range(values.shape[1]):
        if values[s, a] > values[s, found]:
            found = a
    return found


class Schedule(FuncPolicy[None]):
    """Explores first, then exploits, and learns in ever smaller steps."""

    @staticmethod
    def act(params: None, observation: NDArray[np.float64], rng: Any) -> tuple[float, float]:
        done = observation[0]
        return FIRST_RATE + done * (LAST_RATE - FIRST_RATE), max(LAST_EPSILON, 1.0 - 2.0 * done)


def mean_return(envs: CompiledVectorEnv, values: NDArray[np.float64], limit: int, seed: int) -> float:
    """The mean return of the greedy policy, over the first episode of each environment."""
    played = palaestra.rollout(envs, Tabular(values), limit, start=envs.reset(seed=seed)[0])
    _, first = np.unique(played.episodes.envs, return_index=True)
    return float(played.episodes.returns[first].mean())


def main() -> None:
    options = parser.parse_args()
    if min(options.episodes, options.seeds) < 1:
        parser.error("--episodes and --seeds have to be at least 1")
    limit = gym.spec(options.env_id).max_episode_steps or LIMIT
    tests = gym.make_vec(options.env_id, TESTS)
    if not isinstance(tests, CompiledVectorEnv) or not isinstance(tests.single_observation_space, Discrete):
        parser.error(f"{options.env_id} is not compiled, or its observations are not Discrete")

    dynamics = q_learning(tests.single_env.func_env, limit, options.episodes)
    learners = CompiledVectorEnv(dynamics, options.seeds)
    start = perf_counter()
    palaestra.rollout(learners, Schedule(), options.episodes, start=learners.reset(seed=options.seed)[0])
    seconds, states = perf_counter() - start, learners.get_attr("state")

    for seed, state in enumerate(states, start=options.seed):
        mean = mean_return(tests, state.values, limit, seed + 2**40)  # not the episodes it was trained on
        print(f"{options.env_id}, seed {seed}: mean return {mean:.2f} of {TESTS:,} new episodes")
    steps = sum(state.steps for state in states)
    print(f"{options.seeds} trainings of {options.episodes:,} episodes, {steps:,} steps, took {seconds:.2f} s")


if __name__ == "__main__":
    main()
