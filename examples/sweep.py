"""How a policy does in 4,096 worlds at once: a heat map of its return over two params of CartPole.

    python examples/sweep.py                              gravity and length of the pole
    python examples/sweep.py --rows masspole=0.05:3 --columns force_mag=2:30
    python examples/sweep.py --out sweep.png --help       the settings

Each environment of one compiled batch has params of its own, `make_vec(..., params=...)`, and one `rollout` plays them
all. The policy is a rule of two numbers, tuned for the usual params. It needs NumPy, Numba and matplotlib.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import gymnasium as gym
import palaestra
from palaestra.policies import FuncPolicy

Array = NDArray[np.float64]

STEPS = 500  # of an episode of CartPole


class Axis(NamedTuple):
    """A param and its range."""

    name: str
    low: float
    high: float

    def values(self, size: int) -> Array:
        """Returns values at equal distances."""
        return np.linspace(self.low, self.high, size)


def axis(text: str) -> Axis:
    """Reads `name=low:high`."""
    name, _, bounds = text.partition("=")
    low, _, high = bounds.partition(":")
    return Axis(name, float(low), float(high))


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--rows", type=axis, default=Axis("gravity", 2.0, 60.0), help="NAME=LOW:HIGH (gravity=2:60)")
parser.add_argument("--columns", type=axis, default=Axis("length", 0.05, 3.0), help="likewise (length=0.05:3)")
parser.add_argument("--size", type=int, default=64, help="values of each (64)")
parser.add_argument("--episodes", type=int, default=4, help="in each world (4)")
parser.add_argument("--seed", type=int, default=1, help="of the first environment (1)")
parser.add_argument("--out", type=Path, default=Path("sweep.png"), help="the picture (sweep.png)")


class Gains(NamedTuple):
    """The params of the rule."""

    angle: float
    velocity: float


class Balance(FuncPolicy[Gains]):
    """Pushes towards the side to which the pole leans and falls."""

    @staticmethod
    def act(params: Gains, observation: Any, rng: Any) -> int:
        """Returns 1 for a push to the right."""
        return 1 if params.angle * observation[2] + params.velocity * observation[3] > 0 else 0


def mean_returns(rows: Axis, columns: Axis, size: int, episodes: int, seed: int) -> Array:
    """Returns the mean return of the first episodes in each world, shape (size, size)."""
    first, second = np.meshgrid(rows.values(size), columns.values(size), indexing="ij")
    params = {rows.name: first.ravel(), columns.name: second.ravel()}
    envs = gym.make_vec("CartPole-v1", size * size, params=params)
    observations, _ = envs.reset(seed=seed)
    total, count = np.zeros(size * size), np.zeros(size * size, np.int64)
    played: Any = observations
    policy = Balance(Gains(angle=1.0, velocity=0.3))
    while count.min() < episodes:
        played = palaestra.rollout(envs, policy, STEPS, start=played)
        ended = played.episodes
        for env, value in zip(ended.envs.tolist(), ended.returns.tolist(), strict=True):
            if count[env] < episodes:
                total[env] += value
                count[env] += 1
    envs.close()
    return (total / count).reshape(size, size)


def draw(returns: Array, rows: Axis, columns: Axis, path: Path) -> None:
    """Draws the heat map."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 4.2), layout="constrained")
    extent = (columns.low, columns.high, rows.low, rows.high)
    picture = axes.imshow(returns, origin="lower", aspect="auto", extent=extent, cmap="viridis", vmin=0, vmax=STEPS)
    axes.set_xlabel(columns.name)
    axes.set_ylabel(rows.name)
    figure.colorbar(picture, label="mean return")
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main() -> None:
    """Plays, draws and tells."""
    args = parser.parse_args()
    began = perf_counter()
    returns = mean_returns(args.rows, args.columns, args.size, args.episodes, args.seed)
    seconds = perf_counter() - began
    draw(returns, args.rows, args.columns, args.out)
    worst = np.unravel_index(returns.argmin(), returns.shape)
    at = args.rows.values(args.size)[worst[0]], args.columns.values(args.size)[worst[1]]
    print(f"{returns.size:,} worlds, {args.episodes} episodes in each: {seconds:.1f} s, with the compilation")
    print(f"mean return {returns.mean():.0f}; {(returns >= STEPS).mean():.0%} of the worlds are solved")
    print(f"worst: {returns.min():.0f} at {args.rows.name} {at[0]:.2f}, {args.columns.name} {at[1]:.2f}")
    print(f"picture: {args.out}")


if __name__ == "__main__":
    main()
