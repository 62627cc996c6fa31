"""The part of `first_episode.py` that leaves something behind: a picture of the learning, films, and a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

import gymnasium as gym
from gymnasium.rendering import VideoWriter


def draw_learning_curves(path: Path, successes: NDArray[np.float64], returns: NDArray[np.float64]) -> Path:
    figure = Figure(figsize=(11, 4.2), layout="constrained")
    lake, pole = figure.subplots(1, 2)

    window = max(1, len(successes) // 40)
    lake.plot(np.arange(window, len(successes) + 1), np.convolve(successes, np.ones(window) / window, "valid"))
    lake.set(title="FrozenLake-v1, Q-learning", xlabel="training episode", ylim=(0, 1))
    lake.set_ylabel(f"goal reached (mean of {window} episodes)")
    lake.yaxis.set_major_formatter(PercentFormatter(1.0))

    generations = np.arange(1, len(returns) + 1)
    pole.plot(generations, returns.mean(axis=1), marker="o", markersize=4, label="mean of the policies tried")
    quarters = np.percentile(returns, [25, 75], axis=1)
    pole.fill_between(generations, *quarters, alpha=0.2, label="middle half of them")
    pole.set(title="CartPole-v1, cross-entropy method", xlabel="generation", ylabel="return", ylim=(0, 520))
    pole.xaxis.set_major_locator(MaxNLocator(integer=True))
    pole.legend(loc="lower right", frameon=False)

    for axes in (lake, pole):
        axes.grid(alpha=0.3)
        axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=120)
    return path


def picture(env: gym.Env) -> NDArray[np.uint8]:
    drawn = env.render()
    assert isinstance(drawn, np.ndarray)
    return drawn


def record(env_id: str, policy: Callable[[Any], int], path: Path, episodes: int, seed: int) -> Path:
    """Film episodes; each frame goes to the file as it is drawn."""
    env = gym.make(env_id, render_mode="rgb_array")
    fps = env.metadata["render_fps"]
    with VideoWriter(path, fps) as video:
        observation, _ = env.reset(seed=seed)
        for _ in range(episodes):
            over = False
            while not over:
                video.write(picture(env))
                observation, _, terminated, truncated, _ = env.step(policy(observation))
                over = terminated or truncated
            for _ in range(fps):  # the last picture stands for a second
                video.write(picture(env))
            observation, _ = env.reset()
    env.close()
    return path


def print_summary(rows: Sequence[tuple[str, str, str, str, float]], files: Sequence[Path]) -> None:
    table = Table(title="Before and after training")
    table.add_column("environment", style="green")
    table.add_column("measured")
    for name in ("random", "trained", "training steps/s"):
        table.add_column(name, justify="right")
    for *texts, speed in rows:
        table.add_row(*texts, f"{speed:,.0f}")
    console = Console(highlight=False)
    console.print(table)
    for path in files:
        console.print(f"wrote {path}", soft_wrap=True, markup=False)


if __name__ == "__main__":
    raise SystemExit("This is a part of another example; run: python examples/first_episode.py")
