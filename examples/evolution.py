"""Evolution of small policies by the cross-entropy method, without PyTorch.

    python examples/evolution.py                        CartPole, until it is solved
    python examples/evolution.py Pendulum-v1 --seeds 5  five trainings, each from the start of Python, and their median
    python examples/evolution.py --help                 the settings

A generation is one call of `rollout`: every policy of the population plays the same episodes. The best ones are kept,
and the next generation is drawn around them. In compiled environments the policies are networks in machine code.
Elsewhere, as in LunarLander, they are linear, and NumPy decides for all environments at once.

Source: Szita & Lorincz (2006), "Learning Tetris using the noisy cross-entropy method", Neural Computation 18(12). Equal
episodes for all, the common random numbers of simulation, are added here. It needs NumPy only.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import gymnasium as gym
import palaestra
from palaestra.policies import FuncPolicy, Random
from palaestra.runner import CompiledVectorEnv

HIDDEN = 8  # units of a network
NOISY = 30  # generations until `noise` has shrunk to 0
PATIENCE = 60  # generations after which another population begins, since this one may be stuck

Array = NDArray[np.float64]


class Settings(NamedTuple):
    """What differs between environments."""

    goal: float | None = None  # mean return at which training ends; None for the one that the environment names
    population: int = 128  # policies in a generation
    elite: int = 12  # of these, the best ones, which the next generation is drawn around
    episodes: int = 4  # of each policy in a generation: more, where luck decides more
    limit: int | None = None  # their steps at most; None for the environment's limit
    spread: float = 4.0  # deviation of the first weights, for observations whose deviation is 1
    noise: float = 1.2  # added to the deviation at first
    tests: int = 500  # new episodes for a measurement


SETTINGS = {
    "Pendulum-v1": Settings(goal=-200.0, episodes=16),
    # Whoever hovers has not landed when time is up, and gets nothing for it.
    "LunarLander-v3": Settings(population=64, elite=10, episodes=2, limit=400, spread=1.0, noise=0.1, tests=100),
}

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("env_id", nargs="?", default="CartPole-v1", help="observing a Box (CartPole-v1)")
parser.add_argument("--episodes", type=int, help="of each policy in a generation (4; Pendulum 16, LunarLander 2)")
parser.add_argument("--generations", type=int, default=200, help="at most (200)")
parser.add_argument("--goal", type=float, help="mean return to reach (the environment's `reward_threshold`)")
parser.add_argument("--seed", type=int, default=1, help="seed of everything (1)")
parser.add_argument("--seeds", type=int, help="train with so many seeds from --seed on, each in a process of its own")


class Weights(NamedTuple):
    """The params of a network; the last column of a matrix is the bias."""

    hidden: Array  # shape (HIDDEN, inputs + 1)
    outputs: Array  # shape (outputs, HIDDEN + 1)


class Chooser(FuncPolicy[Weights]):
    """Takes the action with the highest output."""

    @staticmethod
    def act(params: Weights, observation: Array, rng: Any) -> int:
        best, highest = 0, -np.inf
        for i in range(params.outputs.shape[0]):
            value = output(params, observation, i)
            if value > highest:
                best, highest = i, value
        return best


class Steerer(FuncPolicy[Weights]):
    """Takes the outputs as the action, which the environment clips."""

    @staticmethod
    def act(params: Weights, observation: Array, rng: Any) -> Array:
        action = np.zeros(params.outputs.shape[0])
        for i in range(params.outputs.shape[0]):
            action[i] = output(params, observation, i)
        return action


def output(params: Weights, observation: Array, i: int) -> float:
    """An output of the network. x / (1 + |x|) stands in for tanh, whose bits depend on the library."""
    units, inputs = params.hidden.shape[0], params.hidden.shape[1] - 1
    total: float = params.outputs[i, units]
    for j in range(units):
        x = params.hidden[j, inputs]
        for k in range(inputs):
            x += params.hidden[j, k] * observation[k]
        total += params.outputs[i, j] * (x / (1.0 + abs(x)))
    return total


class Policies:
    """Makes policies from vectors of `size` numbers, which are weights of observations with mean 0 and deviation 1."""

    size: int

    def __init__(self, space: Any, mean: Array, deviation: Array) -> None:
        self.mean, self.deviation = mean, deviation
        self.inputs, self.box = len(mean), isinstance(space, gym.spaces.Box)
        self.outputs = space.shape[0] if self.box else int(space.n)

    def layer(self, numbers: Array, outputs: int) -> Array:
        """Weights of observations as they are; shape (..., outputs, inputs + 1), the bias last."""
        weights = numbers.reshape(*numbers.shape[:-1], outputs, self.inputs + 1).copy()
        weights[..., :-1] /= self.deviation
        weights[..., -1] -= weights[..., :-1] @ self.mean
        return weights


class Networks(Policies):
    """With a hidden layer, in machine code."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.size = HIDDEN * (self.inputs + 1) + self.outputs * (HIDDEN + 1)
        self.policy = Steerer() if self.box else Chooser()

    def of(self, tried: Array, copies: int) -> FuncPolicy[Weights]:
        """The policies in the rows of `tried`, each in so many environments."""
        each = [weights for numbers in tried for weights in [self.weights(numbers)] * copies]
        self.policy.params = each if len(tried) > 1 else each[0]
        return self.policy

    def weights(self, numbers: Array) -> Weights:
        first, last = np.split(numbers, [HIDDEN * (self.inputs + 1)])
        return Weights(self.layer(first, HIDDEN), last.reshape(self.outputs, HIDDEN + 1).copy())


class Products(Policies):
    """Linear ones, as one product of matrices for all environments."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.size = self.outputs * (self.inputs + 1)

    def of(self, tried: Array, copies: int) -> Callable[[Array], Array]:
        """See `Networks`."""
        weights = self.layer(tried, self.outputs).swapaxes(1, 2)

        def act(observations: Array) -> Array:
            rows = observations.reshape(len(tried), copies, self.inputs)
            outputs = (rows @ weights[:, :-1] + weights[:, -1:]).reshape(-1, self.outputs)
            return outputs if self.box else outputs.argmax(axis=1)

        return act


def first_returns(rollout: palaestra.Rollout) -> Array:
    """The return of the first episode of each environment; later ones may be cut off."""
    _, first = np.unique(rollout.episodes.envs, return_index=True)
    return rollout.episodes.returns[first]


def train(options: argparse.Namespace, settings: Settings) -> bool:
    """Returns whether two measurements in a row reached the goal: one alone may be luck."""
    population, episodes, goal = settings.population, settings.episodes, settings.goal
    longest = gym.spec(options.env_id).max_episode_steps
    assert goal is not None and longest is not None
    limit = settings.limit or longest
    envs = gym.make_vec(options.env_id, population * episodes, max_episode_steps=limit)
    tests = gym.make_vec(options.env_id, settings.tests)
    envs.reset(seed=options.seed)
    tests.reset(seed=options.seed + 2**40)  # not the episodes it is trained on
    space, compiled = envs.single_action_space, isinstance(envs, CompiledVectorEnv)
    seen = palaestra.rollout(envs, Random(space, seed=options.seed), limit).observations.astype(np.float64)
    policies = (Networks if compiled else Products)(space, seen.mean(axis=(0, 1)), seen.std(axis=(0, 1)) + 1e-8)
    rng = np.random.default_rng(options.seed)
    played, steps = None, 0
    means: list[float] = []

    for generation in range(options.generations):
        age = generation % PATIENCE
        if age == 0:
            mean, deviation = np.zeros(policies.size), np.full(policies.size, settings.spread)
        tried = rng.normal(mean, deviation, (population, policies.size))
        seeds = rng.integers(2**31, size=episodes).tolist() * population
        played = palaestra.rollout(
            envs, policies.of(tried, episodes), limit, start=envs.reset(seed=seeds)[0], out=played
        )
        returns = first_returns(played).reshape(population, episodes).mean(axis=1)
        best = returns.argsort()[-settings.elite :]
        mean = tried[best].mean(axis=0)
        deviation = tried[best].std(axis=0) + settings.noise * max(0.0, 1 - age / NOISY)
        steps += played.valid.size
        if returns[best].mean() >= goal or generation + 1 == options.generations:
            policy, means = policies.of(mean[None], settings.tests), []
            while len(means) < 2 and min(means, default=goal) >= goal:
                means.append(float(first_returns(palaestra.rollout(tests, policy, longest)).mean()))
            if min(means) >= goal:
                break
    print(
        f"{options.env_id}, seed {options.seed}: mean return {means[-1]:.1f} of {settings.tests} new episodes after "
        f"{generation + 1} generations, {steps:,} steps"
    )
    envs.close()
    tests.close()
    return min(means) >= goal


def train_apart(arguments: list[str]) -> tuple[float, bool, str]:
    """Train in a new process: seconds from its start to its end, whether it reached the goal, and what it printed."""
    start = perf_counter()
    done = subprocess.run([sys.executable, __file__, *arguments], stdout=subprocess.PIPE, text=True, check=False)
    return perf_counter() - start, done.returncode == 0, done.stdout.strip()


def compare(options: argparse.Namespace, settings: Settings) -> bool:
    """Train with several seeds, and print the median of the seconds."""
    given = [options.env_id, f"--episodes={settings.episodes}", f"--goal={settings.goal}"]
    train_apart([*given, "--generations=1"])  # compiles what is not cached
    times, reached = [], 0
    for seed in range(options.seed, options.seed + options.seeds):
        seconds, solved, line = train_apart([*given, f"--generations={options.generations}", f"--seed={seed}"])
        print(f"{line}, {seconds:.2f} s", flush=True)
        times.append(seconds)
        reached += solved
    print(
        f"{options.env_id}: {settings.goal:g} reached with {reached} of {options.seeds} seeds; median "
        f"{median(times):.2f} s"
    )
    return bool(reached == options.seeds)


def main() -> None:
    options = parser.parse_args()
    settings = SETTINGS.get(options.env_id, Settings())
    given = {name: value for name in ("episodes", "goal") if (value := getattr(options, name)) is not None}
    settings = settings._replace(**given)
    if options.generations < 1 or settings.episodes < 1 or (options.seeds is not None and options.seeds < 1):
        parser.error("--generations, --episodes and --seeds have to be at least 1")
    if settings.goal is None:
        settings = settings._replace(goal=gym.spec(options.env_id).reward_threshold)
    if settings.goal is None:
        parser.error(f"{options.env_id} names no goal: give --goal")
    solved = train(options, settings) if options.seeds is None else compare(options, settings)
    sys.exit(0 if solved else 1)


if __name__ == "__main__":
    main()
