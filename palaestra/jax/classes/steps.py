"""A reset and a step of one environment: functions in the language, which write what comes of them into columns."""

from __future__ import annotations

from typing import Any

from palaestra.runner.frame.steps import first_of, outcome_of, write


def step(dynamics: Any, batch: Any) -> None:
    """Step the environment in the first row of a batch."""
    moved, seen, values, reward, terminated, truncated = outcome_of(dynamics, batch, 0)
    write(batch.observation, 0, seen)
    write(batch.infos, 0, values)  # before the state, of which they may show arrays
    write(batch.state, 0, moved)
    batch.rewards[0] = reward
    batch.terminations[0] = terminated
    batch.truncations[0] = truncated


def begin(dynamics: Any, batch: Any) -> None:
    """Begin an episode in it."""
    state, seen, values = first_of(dynamics, batch, 0)
    write(batch.observation, 0, seen)
    write(batch.first_infos, 0, values)
    write(batch.state, 0, state)
