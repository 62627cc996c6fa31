"""Running an environment and writing down what came of it."""

from __future__ import annotations

from typing import Any


def step_row(step: tuple[Any, ...]) -> tuple[Any, ...]:
    """A step in a form that `==` compares: arrays of the info as lists."""
    *values, info = step
    return (*values, {key: value.tolist() if hasattr(value, "tolist") else value for key, value in info.items()})


def rollout(env: Any, actions: list[int]) -> list[tuple[Any, ...]]:
    """The rows of these actions, with a reset after every end."""
    rows = []
    for action in actions:
        rows.append(step_row(env.step(action)))
        if rows[-1][2]:
            rows.append(step_row(env.reset()))
    return rows


def sampled_actions(env: Any, n: int, seed: int = 0) -> list[int]:
    env.action_space.seed(seed)
    return [int(env.action_space.sample()) for _ in range(n)]
