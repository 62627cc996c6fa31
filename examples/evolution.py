"""Evolution of small networks in compiled environments, by the cross-entropy method, without PyTorch.

    python examples/evolution.py                        CartPole, until it is solved
    python examples/evolution.py Pendulum-v1 --seeds 5  five trainings, each from the start of Python, and their median
    python examples/evolution.py --help                 the settings

A generation is one call of `rollout`: every network of the population plays the same episodes in machine code. The best
ones are kept, and the next generation is drawn around them.

Source: Szita & Lorincz (2006), "Learning Tetris using the noisy cross-entropy method", Neural Computation 18(12). Equal
episodes for all, the common random numbers of simulation, are added here. It needs NumPy only.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import gymnasium as gym
from gymnasium.functional.policies import FuncPolicy, Random

HIDDEN = 8  # units of the network
POPULATION = 128  # networks in a generation
ELITE = 12  # of these, the best ones, which the next generation is drawn around
SPREAD = 4.0  # deviation of the first weights, for observations whose deviation is 1
NOISE, NOISY = 0.3, 30  # added to the deviation, as a share of SPREAD, and shrinking to 0 in so many generations
TESTS = 500  # new episodes for a measurement
GOALS = {"Pendulum-v1": -200.0}  # mean returns at which training ends, where the environment names none
EPISODES = {"Pendulum-v1": 16}  # of each network in a generation: more, where luck decides more

Array = NDArray[np.float64]

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("env_id", nargs="?", default="CartPole-v1", help="compiled, observing a Box (CartPole-v1)")
parser.add_argument("--episodes", type=int, help="of each network in a generation (4; Pendulum 16)")
parser.add_argument("--generations", type=int, default=100, help="at most (100)")
parser.add_argument("--goal", type=float, help="mean return to reach (the environment's `reward_threshold`)")
parser.add_argument("--seed", type=int, default=1, help="seed of everything (1)")
parser.add_argument("--seeds", type=int, help="train with so many seeds from --seed on, each in a process of its own")


class Weights(NamedTuple):
    """The params of a network; the last column of a matrix is the bias."""

    hidden: Array  # shape (HIDDEN, inputs + 1)
    outputs: Array  # shape (outputs, HIDDEN + 1)
    low: Array  # shape (outputs,): the lowest actions of a Box
    high: Array


class Chooser(FuncPolicy[Weights]):
    """Takes the action with the highest output."""

    @staticmethod
    def act(params, observation, rng):
        best, highest = 0, -np.inf
        for i in range(params.outputs.shape[0]):
            value = output(params, observation, i)
            if value > highest:
                best, highest = i, value
        return best


class Steerer(FuncPolicy[Weights]):
    """Takes the outputs as the action, within the bounds."""

    @staticmethod
    def act(params, observation, rng):
        action = params.low.copy()
        for i in range(params.outputs.shape[0]):
            action[i] = min(max(output(params, observation, i), params.low[i]), params.high[i])
        return action


def output(params, observation, i):
    """An output of the network. x / (1 + |x|) stands in for tanh, whose bits depend on the library."""
    units, inputs = params.hidden.shape[0], params.hidden.shape[1] - 1
    total = params.outputs[i, units]
    for j in range(units):
        x = params.hidden[j, inputs]
        for k in range(inputs):
            x += params.hidden[j, k] * observation[k]
        total += params.outputs[i, j] * (x / (1.0 + abs(x)))
    return total


class Shape:
    """Makes networks for the spaces of an environment from vectors of numbers.

    Observations differ in size, so that the numbers are weights of normalized ones. Random actions show their moments.
    """

    def __init__(self, envs: gym.vector.VectorEnv[Any, Any, Any], steps: int, seed: int) -> None:
        space = envs.single_action_space
        observed = gym.rollout(envs, Random(space, seed=seed), steps).observations.astype(np.float64)
        self.mean, self.deviation = observed.mean(axis=(0, 1)), observed.std(axis=(0, 1)) + 1e-8
        self.inputs, self.box = len(self.mean), isinstance(space, gym.spaces.Box)
        self.outputs = space.shape[0] if self.box else int(space.n)
        bounds = (space.low, space.high) if self.box else (np.zeros(0), np.zeros(0))
        self.low, self.high = (bound.astype(np.float64) for bound in bounds)
        self.policy = Steerer() if self.box else Chooser()

    @property
    def size(self) -> int:
        return HIDDEN * (self.inputs + 1) + self.outputs * (HIDDEN + 1)

    def weights(self, numbers: Array) -> Weights:
        first, last = np.split(numbers, [HIDDEN * (self.inputs + 1)])
        hidden = first.reshape(HIDDEN, self.inputs + 1).copy()
        hidden[:, :-1] /= self.deviation
        hidden[:, -1] -= hidden[:, :-1] @ self.mean
        return Weights(hidden, last.reshape(self.outputs, HIDDEN + 1).copy(), self.low, self.high)


def first_returns(rollout: gym.Rollout) -> Array:
    """The return of the first episode of each environment; later ones may be cut off."""
    _, first = np.unique(rollout.episodes.envs, return_index=True)
    return rollout.episodes.returns[first]


def train(options: argparse.Namespace, goal: float) -> bool:
    """Returns whether two measurements in a row reached the goal: one alone may be luck."""
    limit = gym.spec(options.env_id).max_episode_steps
    envs = gym.make_vec(options.env_id, POPULATION * options.episodes)
    tests = gym.make_vec(options.env_id, TESTS)
    envs.reset(seed=options.seed)
    tests.reset(seed=options.seed + 2**40)  # not the episodes it is trained on
    shape = Shape(envs, limit, options.seed)
    policy, rng = shape.policy, np.random.default_rng(options.seed)
    mean, deviation = np.zeros(shape.size), np.full(shape.size, SPREAD)
    played, steps, reached, measured = None, 0, 0, -np.inf

    for generation in range(options.generations):
        tried = rng.normal(mean, deviation, (POPULATION, shape.size))
        policy.params = [weights for numbers in tried for weights in [shape.weights(numbers)] * options.episodes]
        seeds = rng.integers(2**31, size=options.episodes).tolist() * POPULATION
        played = gym.rollout(envs, policy, limit, start=envs.reset(seed=seeds)[0], out=played)
        returns = first_returns(played).reshape(POPULATION, options.episodes).mean(axis=1)
        best = tried[returns.argsort()[-ELITE:]]
        mean = best.mean(axis=0)
        deviation = best.std(axis=0) + NOISE * SPREAD * max(0.0, 1 - generation / NOISY)

        policy.params = shape.weights(mean)
        steps += played.valid.size
        for _ in range(2):
            measured = first_returns(gym.rollout(tests, policy, limit)).mean()
            reached = reached + 1 if measured >= goal else 0
            if not reached:
                break
        if reached >= 2:
            break
    print(
        f"{options.env_id}, seed {options.seed}: mean return {measured:.1f} of {TESTS} new episodes after "
        f"{generation + 1} generations, {steps:,} steps"
    )
    return reached >= 2


def train_apart(arguments: list[str]) -> tuple[float, bool, str]:
    """Train in a new process: seconds from its start to its end, whether it reached the goal, and what it printed."""
    start = perf_counter()
    done = subprocess.run([sys.executable, __file__, *arguments], stdout=subprocess.PIPE, text=True, check=False)
    return perf_counter() - start, done.returncode == 0, done.stdout.strip()


def compare(options: argparse.Namespace, goal: float) -> bool:
    """Train with several seeds, and print the median of the seconds."""
    given = [options.env_id, f"--episodes={options.episodes}", f"--goal={goal}"]
    train_apart([*given, "--generations=1"])  # compiles what is not cached
    times, reached = [], 0
    for seed in range(options.seed, options.seed + options.seeds):
        seconds, solved, line = train_apart([*given, f"--generations={options.generations}", f"--seed={seed}"])
        print(f"{line}, {seconds:.2f} s", flush=True)
        times.append(seconds)
        reached += solved
    print(f"{options.env_id}: {goal:g} reached with {reached} of {options.seeds} seeds; median {median(times):.2f} s")
    return reached == options.seeds


def main() -> None:
    options = parser.parse_args()
    if options.episodes is None:
        options.episodes = EPISODES.get(options.env_id, 4)
    if options.generations < 1 or options.episodes < 1 or (options.seeds is not None and options.seeds < 1):
        parser.error("--generations, --episodes and --seeds have to be at least 1")
    goal = options.goal
    if goal is None:
        goal = GOALS.get(options.env_id, gym.spec(options.env_id).reward_threshold)
    if goal is None:
        parser.error(f"{options.env_id} names no goal: give --goal")
    solved = train(options, goal) if options.seeds is None else compare(options, goal)
    sys.exit(0 if solved else 1)


if __name__ == "__main__":
    main()
