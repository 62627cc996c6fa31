"""Running episodes and recording their results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import numpy as np

from gymnasium.core import Env
from palaestra.cli.interrupt import StopRequest

Policy = Callable[[Any], Any]
"""`policy(observation)` returns an action."""

Viewer = Callable[[Any, str], object]
"""Receives each frame with the words below it: `viewer(env.render(), "step 3, reward 0")`."""


@dataclass
class Tally:
    """The results so far.

    Attributes:
        returns: Sum of the rewards of each finished episode.
        lengths: Number of steps of each finished episode.
        steps: All steps, including those of the current episode.
        started: `perf_counter()` at the start.
        seconds: The duration of the run; None while it lasts.
    """

    returns: list[float] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    steps: int = 0
    started: float = field(default_factory=perf_counter)
    seconds: float | None = None

    def speed(self) -> float:
        """Returns steps per second, rendering included."""
        seconds = perf_counter() - self.started if self.seconds is None else self.seconds
        return self.steps / max(seconds, 1e-9)

    def progress(self) -> tuple[int, str]:
        """Returns the number of finished episodes and a progress text."""
        last = f"last return {self.returns[-1]:g}, " if self.returns else ""
        return len(self.returns), f"episodes, {last}{self.speed():,.0f} steps/s"

    def statistics(self) -> list[tuple[str, ...]]:
        """Returns rows of name, mean, standard deviation, minimum and maximum of the finished episodes."""
        return [_row("return", self.returns), _row("length", self.lengths)]


def play(
    env: Env,
    policy: Policy,
    episodes: int,
    seed: int | None,
    viewers: Sequence[Viewer],
    tally: Tally,
    stop: StopRequest,
) -> None:
    """Run episodes into `tally`, until there are enough or the user wants to stop.

    The first reset gets the seed, the others continue its stream, so the episodes differ.
    """
    tally.started = perf_counter()
    try:
        for episode in range(episodes):
            _play_one(env, policy, None if episode else seed, viewers, tally, stop)
            if stop.made:
                return
    finally:
        tally.seconds = perf_counter() - tally.started


def _play_one(
    env: Env, policy: Policy, seed: int | None, viewers: Sequence[Viewer], tally: Tally, stop: StopRequest
) -> None:
    observation, _ = env.reset(seed=seed)
    _view(env, viewers, "step 0")
    total, length, over = 0.0, 0, False
    while not over:
        if stop.made:
            return
        observation, reward, terminated, truncated, _ = env.step(policy(observation))
        length += 1
        over = terminated or truncated
        end = ", terminated" if terminated else ", truncated" if truncated else ""
        _view(env, viewers, f"step {length}, reward {float(reward):g}{end}")
        total += float(reward)
        tally.steps += 1
    tally.lengths.append(length)
    tally.returns.append(total)


def _view(env: Env, viewers: Sequence[Viewer], words: str) -> None:
    if viewers:
        frame = env.render()
        for viewer in viewers:
            viewer(frame, words)


def _row(name: str, values: Sequence[float]) -> tuple[str, ...]:
    numbers = np.asarray(values, np.float64)
    return name, f"{numbers.mean():.2f}", f"{numbers.std():.2f}", f"{numbers.min():g}", f"{numbers.max():g}"
