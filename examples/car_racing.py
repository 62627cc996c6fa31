"""Cross-entropy method on CarRacing: seven weights on what the picture shows learn to drive round the track.

    python examples/car_racing.py --out out/car_racing     some minutes on two cores
    python examples/car_racing.py --generations 1 --population 4 --elite 2 --steps 20     to see that everything works

A network that learns from the pixels needs hours. Here the picture is first reduced to five numbers: how far to the
side the road is at four distances before the car, and how fast the car drives. Steering is a weighted sum of the four;
gas and brake depend on the speed and on how much the road bends. The weights that it finds
return some 850 on average.

Source: Szita & Lorincz (2006), "Learning Tetris using the noisy cross-entropy method", Neural Computation 18(12).
It needs Box2D and Pygame. From a clone: `pip install ".[box2d]"`.
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

Array = NDArray[np.float64]

ROWS = (60, 52, 44, 36)  # of the picture of 96, where the road is looked for: the car is at 70
MIDDLE, REACH = 47.5, 22  # columns: the car's, and how far the road may be from where it was in the row below
SPEED_BAR = slice(84, 95), slice(12, 14)  # white, as high as the car is fast
WEIGHTS = 7

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--generations", type=int, default=8, help="of policies (8)")
parser.add_argument("--population", type=int, default=24, help="policies tried in a generation (24)")
parser.add_argument("--elite", type=int, default=6, help="of these, the best ones, which the next is drawn around (6)")
parser.add_argument("--steps", type=int, default=400, help="of each drive in training; a lap takes some 700 (400)")
parser.add_argument("--seed", type=int, default=1, help="seed of everything (1)")
parser.add_argument("--out", type=Path, help="a folder for the policy and the learning curve (none)")


class Progress(NamedTuple):
    """One row of the learning curve."""

    steps: int  # of all environments together
    seconds: float  # since the training began
    mean_return: float  # of the policies tried, in the first steps of an episode
    best_return: float  # of one of them


class Policy(NamedTuple):
    """Steers by four weights, and drives by three."""

    weights: Array  # shape (WEIGHTS,)

    def act(self, observations: NDArray[np.uint8]) -> NDArray[np.float32]:
        return driven(np.stack([features(picture) for picture in observations]), self.weights)

    @classmethod
    def load(cls, file: Path) -> Policy:
        with np.load(file) as arrays:
            return cls(arrays["weights"])


def features(picture: NDArray[np.uint8]) -> Array:
    """Where the road is at four distances, from -1 left to 1 right, and the speed, about 1 when fast; shape (5,)."""
    red, green = picture[..., 0].astype(int), picture[..., 1].astype(int)
    road = np.abs(green - red) < 20  # grey; grass is green
    found, middle = [], MIDDLE
    for row in ROWS:
        columns = np.flatnonzero(road[row])
        near = columns[np.abs(columns - middle) < REACH]
        middle = near.mean() if len(near) else middle
        found.append((middle - MIDDLE) / MIDDLE)
    return np.array([*found, picture[SPEED_BAR][..., 0].sum() / 255 / 8])


def driven(seen: Array, weights: Array) -> NDArray[np.float32]:
    """The actions, shape (n, 3), for features of shape (n, 5) and weights of shape (7,) or (n, 7)."""
    offsets, speed = seen[:, :4], seen[:, 4]
    steering = (offsets * weights[..., :4]).sum(axis=1)
    bend = np.abs(offsets[:, 3] - offsets[:, 0])
    push = weights[..., 4] + weights[..., 5] * speed + weights[..., 6] * bend
    return np.stack([np.clip(steering, -1, 1), np.clip(push, 0, 1), np.clip(-push, 0, 1)], axis=1).astype(np.float32)


def returns_of(envs: gym.vector.VectorEnv[Any, Any, Any], tried: Array, steps: int) -> Array:
    """What each policy earns in the first steps of an episode."""
    total, running = np.zeros(envs.num_envs), np.ones(envs.num_envs, bool)
    observations, _ = envs.reset()
    for _ in range(steps):
        seen = np.stack([features(picture) for picture in observations])
        observations, rewards, terminated, truncated, _ = envs.step(driven(seen, tried))
        total += rewards * running
        running &= ~(terminated | truncated)
    return total


def train(options: argparse.Namespace) -> tuple[Policy, list[Progress]]:
    start, rng = perf_counter(), np.random.default_rng(options.seed)
    envs = gym.make_vec("CarRacing-v3", options.population)
    envs.reset(seed=options.seed)
    mean, spread = np.zeros(WEIGHTS), np.array([2.0, 2.0, 2.0, 2.0, 1.0, 1.0, 1.0])
    curve: list[Progress] = []
    for generation in range(options.generations):
        tried = rng.normal(mean, spread, (options.population, WEIGHTS))
        total = returns_of(envs, tried, options.steps)
        best = tried[total.argsort()[-options.elite :]]
        mean, spread = best.mean(axis=0), best.std(axis=0) + 0.3 * (1 - generation / options.generations)
        steps = (generation + 1) * options.steps * options.population
        curve.append(Progress(steps, perf_counter() - start, float(total.mean()), float(total.max())))
        print(
            f"{steps:>10,} steps   mean return {curve[-1].mean_return:8.1f}   best {curve[-1].best_return:8.1f}   "
            f"{curve[-1].seconds:6.1f} s",
            flush=True,
        )
    envs.close()
    return Policy(mean), curve


def main() -> None:
    options = parser.parse_args()
    if not 1 <= options.elite <= options.population or min(options.generations, options.steps) < 1:
        parser.error("--generations and --steps have to be at least 1, --elite between 1 and --population")
    policy, curve = train(options)
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
        np.savez(options.out / "policy.npz", weights=policy.weights)
        with (options.out / "learning_curve.csv").open("w", newline="") as file:
            csv.writer(file).writerows([Progress._fields, *curve])


if __name__ == "__main__":
    main()
