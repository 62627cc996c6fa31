"""The trial of machine code for an environment with legs: part of an episode, to be compared with Python's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gymnasium.envs.box2d._engine.bindings import Point
from gymnasium.envs.box2d._stepping.program import MachineCode


def play(env: Any, body: str, way: Point, actions: Iterable[object], code: MachineCode | None) -> list[Any]:
    """Move an environment's parts to another place and act there; returns the observations.

    Args:
        env: A `LeggedEnv`.
        body: The name of its attribute that is the hull.
        way: From the place of the start, m.
        actions: One for each step.
        code: The machine code that runs the steps; None for Python.
    """
    env._find_code = lambda: code
    rows: list[Any] = [env.reset(seed=0)[0].tobytes()]
    for part in (getattr(env, body), *env.legs):
        part.position = (part.position.x + way[0], part.position.y + way[1])
    for action in actions:
        observation, reward, terminated, *_ = env.step(action)
        rows.append((observation.tobytes(), reward, terminated, env._marks.tolist()))
    return rows
