"""The identity of a simulation's model: states of other robots are refused."""

from __future__ import annotations

from hashlib import sha256

from gymnasium.envs.mujoco.engine import mujoco

# The structure and its joints. Numbers such as masses and gravity are left out: they are not part of a state.
_STRUCTURE = (
    "body_parentid",
    "jnt_type",
    "jnt_bodyid",
    "actuator_trntype",
    "actuator_trnid",
    "actuator_dyntype",
    "eq_type",
    "sensor_type",
)


def identity(model: mujoco.MjModel) -> str:
    """Returns the model's name, its sizes, and a digest of its structure and of its names."""
    digest = sha256(model.names)
    for name in _STRUCTURE:
        digest.update(getattr(model, name).tobytes())
    own_name = model.names.partition(b"\0")[0].decode(errors="replace")
    return f"{own_name} ({model.nq} positions, {model.nv} velocities, {model.nu} actuators, {digest.hexdigest()[:16]})"


def check_identity(expected: str, found: str) -> None:
    """Check that a state belongs to the model in which it is set.

    Raises:
        ValueError: If it belongs to another.
    """
    if found != expected:
        raise ValueError(
            f"`set_state` expects a state of its own model, {expected}, but one of {found} came: set it in an "
            "environment of that robot"
        )
