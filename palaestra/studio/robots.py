"""The names of the numbers of MuJoCo's robots, from their models."""

from __future__ import annotations

from typing import Any, Final

from gymnasium.core import Env

_OWN: Final = "gymnasium.envs.mujoco."
_FREE, _SLIDE, _HINGE = 0, 2, 3  # kinds of joints
_UNITS: Final = {_SLIDE: "m", _HINGE: "rad"}
_MOST_LEFT_OUT: Final = 2  # positions of the robot on the floor
_AXES: Final = ("x", "y", "z")
_ROOTS: Final = {"rootx": "body x", "rooty": "body pitch", "rootz": "body height"}  # joints between body and world
_INERTIA: Final = ("xx", "yy", "zz", "xy", "xz", "yz")

Labels = list[list[str]]


def actuators(env: Env, size: int) -> Labels:
    """Returns the names of a robot's actuators, without units; none if it has another number, or some without names."""
    model: Any = getattr(env.unwrapped, "model", None)
    if getattr(model, "nu", None) != size:
        return []
    names = [str(model.actuator(k).name) for k in range(size)]
    return [[name, ""] for name in names] if all(names) else []


def joints(env: Env, size: int) -> Labels:
    """Returns names and units of an observation of positions and velocities of all joints; none if it is another one.

    The observations of this package's robots begin with the positions, without those on the floor, and the velocities.
    Those of some go on with the forces of contacts on the bodies, or with inertias, velocities and forces too.
    """
    model: Any = getattr(env.unwrapped, "model", None)
    if model is None or not type(env.unwrapped).__module__.startswith(_OWN):
        return []
    positions, velocities = _moving(model)
    for rest in ([], _contacts(model), [*_inertias(model), *_speeds(model), *_forces(model), *_contacts(model)]):
        left_out = len(positions) + len(velocities) + len(rest) - size
        if 0 <= left_out <= _MOST_LEFT_OUT:
            return [*positions[left_out:], *velocities, *rest]
    return []


def _moving(model: Any) -> tuple[Labels, Labels]:
    """Returns the positions and the velocities of all joints; too few if one has no name, or is a ball."""
    positions: Labels = []
    velocities: Labels = []
    for k, kind in enumerate(map(int, model.jnt_type)):
        name = str(model.joint(k).name)
        name = _ROOTS.get(name, name)
        if kind == _FREE:
            positions += [[f"{name} {axis}", "m"] for axis in _AXES]
            positions += [[f"{name} quaternion {axis}", ""] for axis in ("w", *_AXES)]
            velocities += [[f"{name} {axis} velocity", "m/s"] for axis in _AXES]
            velocities += [[f"{name} angular velocity {axis}", "rad/s"] for axis in _AXES]
        elif kind in _UNITS and name:
            positions.append([name, _UNITS[kind]])
            velocities.append([f"{name} velocity", f"{_UNITS[kind]}/s"])
    return positions, velocities


def _bodies(model: Any) -> list[str]:
    """Returns the names of all bodies but the world."""
    return [str(model.body(k).name) or f"body {k}" for k in range(1, model.nbody)]


def _contacts(model: object) -> Labels:
    torques = [[f"contact torque on {{}} {axis}", "N m"] for axis in _AXES]
    forces = [[f"contact force on {{}} {axis}", "N"] for axis in _AXES]
    return [[text.format(body), unit] for body in _bodies(model) for text, unit in (*torques, *forces)]


def _speeds(model: object) -> Labels:
    turns = [[f"angular velocity of {{}} {axis}", "rad/s"] for axis in _AXES]
    moves = [[f"velocity of {{}} {axis}", "m/s"] for axis in _AXES]
    return [[text.format(body), unit] for body in _bodies(model) for text, unit in (*turns, *moves)]


def _inertias(model: object) -> Labels:
    moments = [f"inertia of {{}} {pair}" for pair in _INERTIA]
    places = [f"mass times place of {{}} {axis}" for axis in _AXES]
    return [[text.format(body), ""] for body in _bodies(model) for text in (*moments, *places, "mass of {}")]


def _forces(model: Any) -> Labels:
    """Returns the forces of actuators on all joints but the free one."""
    names = [str(model.joint(k).name) for k in range(model.njnt) if int(model.jnt_type[k]) in _UNITS]
    return [[f"actuator force at {name}", ""] for name in names]
