"""Simulations as plain data for snapshots, and back: no bytes of a file reach the engine's own reader of `MjData`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.mujoco.engine import mujoco
from gymnasium.envs.mujoco.identity import check_identity, identity
from gymnasium.states.plain import CannotSnapshot

_STATE: Final = mujoco.mjtState.mjSTATE_INTEGRATION  # everything that a later step depends on
_LARGEST: Final = float(mujoco.mjMAXVAL)  # beyond, the engine resets a simulation and writes a log
_OF_CONSTRAINTS: Final = ("efc_", "iefc_", "efm_", "iacc", "ifrc_")  # whose sizes change from step to step
_OF_STATE: Final = frozenset(
    {
        *("qpos", "qvel", "act", "qacc_warmstart", "ctrl", "qfrc_applied", "xfrc_applied", "mocap_pos", "mocap_quat"),
        *("userdata", "history", "plugin_state", "plastic"),
    }
)
_PARTS: Final = ("model", "state", "warnings", "readings")

# Of newer engines: what they keep besides numbers, or beyond the state.
_MORE_STATE: Final = [
    getattr(mujoco.mjtState, name)
    for name in ("mjSTATE_HISTORY", "mjSTATE_PLUGIN", "mjSTATE_PLASTIC")
    if hasattr(mujoco.mjtState, name)
]
_SLEEP: Final = int(getattr(mujoco.mjtEnableBit, "mjENBL_SLEEP", 0))


def fields_of(data: mujoco.MjData) -> dict[str, Any]:
    """Returns a simulation as plain data: its state, and its readings, which may be older.

    Contacts and forces of constraints are left out: a step computes them first.

    Raises:
        CannotSnapshot: If its model has plugins, delays or sleeping bodies.
    """
    model = data.model
    if model.opt.enableflags & _SLEEP or any(mujoco.mj_stateSize(model, part) for part in _MORE_STATE):
        raise CannotSnapshot(
            f"A simulation of {identity(model)} has plugins, delays or sleeping bodies, which are no plain data: use "
            "fallback='deepcopy', or the environment's own get_state"
        )
    state = np.empty(mujoco.mj_stateSize(model, _STATE))
    mujoco.mj_getState(model, data, state, _STATE)
    readings = {name: np.array(getattr(data, name)) for name in _readings()}
    return {"model": identity(model), "state": state, "warnings": np.array(data.warning.number), "readings": readings}


def simulation_of(fields: Mapping[str, Any], like: mujoco.MjData) -> mujoco.MjData:
    """Returns the simulation of which these are the fields.

    Args:
        fields: The result of `fields_of`, which may be a stranger's.
        like: A simulation of the same model.

    Raises:
        ValueError: If they are those of another model, or hold numbers that no simulation has.
    """
    _check(fields, like)
    model = like.model
    data = mujoco.MjData(model)
    mujoco.mj_setState(model, data, fields["state"], _STATE)
    mujoco.mj_forward(model, data)
    check_magnitude(data.qacc)
    mujoco.mj_setState(model, data, fields["state"], _STATE)  # its starting point for the solver has changed
    for name, reading in fields["readings"].items():
        getattr(data, name)[...] = reading
    data.warning.number[:] = fields["warnings"]
    return data


def _check(fields: Mapping[str, Any], like: mujoco.MjData) -> None:
    if "bytes" in fields:
        raise ValueError(
            "The snapshot of this simulation was written by an earlier version, as bytes that the engine cannot read "
            "safely: take it again"
        )
    if tuple(fields) != _PARTS or not isinstance(fields["model"], str) or not isinstance(fields["readings"], dict):
        raise ValueError(
            f"The snapshot of a simulation has {', '.join(_PARTS)}, but {', '.join(map(str, fields))} came"
        )
    check_identity(identity(like.model), fields["model"])
    state = fields["state"]
    _check_array("state", state, np.empty(mujoco.mj_stateSize(like.model, _STATE)))
    check_magnitude(state)
    _check_array("warnings", fields["warnings"], like.warning.number)
    for name, reading in fields["readings"].items():
        if name not in _readings():
            raise ValueError(f"{name!r:.80} is no reading of a simulation")
        _check_array(name, reading, getattr(like, name))


def check_magnitude(state: NDArray[np.float64]) -> None:
    """Check numbers, which the engine would answer with a reset and a line in its log.

    Raises:
        ValueError: If one is NaN, or too large.
    """
    if not (np.abs(state) <= _LARGEST).all():
        raise ValueError(f"A simulation has numbers up to {_LARGEST:g}, but {np.max(np.abs(state))} came")


def _check_array(name: str, value: object, like: np.ndarray) -> None:
    if not isinstance(value, np.ndarray) or (value.dtype, value.shape) != (like.dtype, like.shape):
        raise ValueError(f"{name!r} of a simulation is {like.dtype} of shape {like.shape}, but {value!r:.80} came")


@cache
def _readings() -> tuple[str, ...]:
    """Returns the names of the arrays of numbers whose sizes depend on the model alone, in the order of their names."""
    data = mujoco.MjData(mujoco.MjModel.from_xml_string("<mujoco/>"))
    return tuple(
        name
        for name in dir(data)
        if not name.startswith(("_", *_OF_CONSTRAINTS))
        and name not in _OF_STATE
        and isinstance(value := getattr(data, name), np.ndarray)
        and value.dtype == np.float64
    )
