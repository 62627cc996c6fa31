"""The names of the numbers of MuJoCo's robots, from their models."""

from __future__ import annotations

from typing import Any, Final

from gymnasium.core import Env

_OWN: Final = "gymnasium.envs.mujoco."
_UNITS: Final = {2: "m", 3: "rad"}
"""Of joints that slide, and of hinges."""
_MOST_LEFT_OUT: Final = 2  # positions of the robot on the floor


def actuators(env: Env, size: int) -> list[list[str]]:
    """Returns the names of a robot's actuators, without units; none if it has another number, or some without names."""
    model: Any = getattr(env.unwrapped, "model", None)
    if getattr(model, "nu", None) != size:
        return []
    names = [str(model.actuator(k).name) for k in range(size)]
    return [[name, ""] for name in names] if all(names) else []


def joints(env: Env, size: int) -> list[list[str]]:
    """Returns names and units of an observation of positions and velocities of all joints; none if it is another one.

    The observations of this package's robots begin with the positions, without those on the floor, and the velocities.
    """
    model: Any = getattr(env.unwrapped, "model", None)
    if model is None or not type(env.unwrapped).__module__.startswith(_OWN):
        return []
    left_out = model.nq + model.nv - size
    kinds = [int(kind) for kind in model.jnt_type]
    if not 0 <= left_out <= _MOST_LEFT_OUT or not set(kinds) <= set(_UNITS):
        return []
    named = [(str(model.joint(k).name), _UNITS[kind]) for k, kind in enumerate(kinds)]
    if not all(name for name, _ in named):
        return []
    positions = [[name, unit] for name, unit in named[left_out:]]
    return positions + [[f"{name} velocity", f"{unit}/s"] for name, unit in named]
