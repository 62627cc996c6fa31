"""The tables of a MuJoCo robot, read from its model: the joints that it observes, the motors that it has."""

from __future__ import annotations

from typing import Any

import numpy as np

from docs._tools.tables import number, table

_HINGE, _SLIDE, _FREE = 3, 2, 0
_POSITION = {_HINGE: "angle of `{}`, rad", _SLIDE: "position of `{}`, m"}
_VELOCITY = {_HINGE: "angular velocity of `{}`, rad/s", _SLIDE: "velocity of `{}`, m/s"}
_FREE_POSITION = ("x, m", "y, m", "z, m", "quaternion w", "quaternion x", "quaternion y", "quaternion z")
_FREE_VELOCITY = (
    *(f"velocity along {axis}, m/s" for axis in "xyz"),
    *(f"angular velocity about its own {axis}, rad/s" for axis in "xyz"),
)
_BLOCKS = {
    "cinert": "inertia and mass of each body: 10 numbers a body",
    "cvel": "velocity of each body, rotation first: 6 numbers a body",
    "qfrc_actuator": "force that the motors exert on each joint, N or N m",
    "cfrc_ext": "force and torque of contacts on each body: 6 numbers a body",
}


def action_table(env: Any) -> str:
    """Returns a row for each motor."""
    model, space = env.model, env.action_space
    rows = []
    for k in range(model.nu):
        joint, gear = model.actuator_trnid[k][0], model.actuator_gear[k][0]
        unit = "N\u00a0m" if model.jnt_type[joint] == _HINGE else "N"
        rows.append((str(k), number(space.low[k]), number(space.high[k]), f"`{model.joint(joint).name}`",
                     f"{gear:g}\u00a0{unit}"))  # fmt: skip
    return table(("index", "low", "high", "motor at joint", "at a control of 1"), rows)


def observation_table(env: Any) -> str:
    """Returns a row for each position and velocity that is observed, and one for each block of other readings."""
    structure, rows, index = env.observation_structure, [], 0
    names = {
        "qpos": _names(env.model, _POSITION, _FREE_POSITION)[structure.get("skipped_qpos", 0) :],
        "qvel": _names(env.model, _VELOCITY, _FREE_VELOCITY),
    }
    for part, size in structure.items():
        if part == "skipped_qpos" or not size:
            continue
        if part in names:
            assert len(names[part]) == size, f"{part} of {env} has {size} numbers, but {len(names[part])} names"
            rows += [(str(index + k), name, f"`{part}`") for k, name in enumerate(names[part])]
        else:
            rows.append((f"{index} to {index + size - 1}", _BLOCKS[part], f"`{part}`"))
        index += size
    assert (index,) == env.observation_space.shape, f"{index} elements described of {env.observation_space}"
    return table(("index", "meaning", "in MuJoCo"), rows)


def _names(model: Any, of_joint: dict[int, str], of_free: tuple[str, ...]) -> list[str]:
    names: list[str] = []
    for k in np.arange(model.njnt):
        kind, joint = int(model.jnt_type[k]), model.joint(k).name
        names += [f"torso: {name}" for name in of_free] if kind == _FREE else [of_joint[kind].format(joint)]
    return names


def start(env: Any) -> str:
    """Returns the start of an episode of a robot with `reset_noise_scale`."""
    noise = "normal noise of this deviation" if env.task.normal_velocities else "the same noise"
    return (
        "The model's own pose, with uniform noise between -`reset_noise_scale` and `reset_noise_scale` on every "
        f"position, and {noise} on every velocity."
    )
