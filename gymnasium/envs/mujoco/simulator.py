"""A single simulation: loading a model, placing it, moving it on."""

from __future__ import annotations

from os import PathLike, path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.mujoco.engine import mujoco
from gymnasium.error import ActionOutsideSpace

ASSETS = path.join(path.dirname(__file__), "assets")

# A path, the text of an MJCF file, or an MjSpec.
ModelSource: TypeAlias = "str | PathLike[str] | mujoco.MjSpec"

# The warnings after which the engine has put the simulation back to its beginning.
_DIVERGED = slice(int(mujoco.mjtWarning.mjWARN_BADQPOS), int(mujoco.mjtWarning.mjWARN_BADQACC) + 1)


def is_text(source: ModelSource) -> bool:
    """Returns whether `source` is the text of an MJCF file: a path does not begin with `<`."""
    return isinstance(source, str) and source.lstrip().startswith("<")


def expand_model_path(model_path: str | PathLike[str]) -> str:
    """Returns the full path of an MJCF file.

    A path that begins with `.` or `/` is taken as it is, one with `~` below the home directory, and any other among
    the models of this package, such as `ant.xml`.

    Raises:
        OSError: If there is no such file.
    """
    name = str(model_path)
    if name.startswith((".", "/")) or path.isabs(name):
        full = name
    elif name.startswith("~"):
        full = path.expanduser(name)
    else:
        full = path.join(ASSETS, name)
    if not path.exists(full):
        raise OSError(
            f"There is no model file {full}. Begin the path with `.` or `/` for a file of your own; the models of this "
            f"package are in {ASSETS}"
        )
    return full


def load_model(source: ModelSource, width: int, height: int) -> mujoco.MjModel:
    """Returns the compiled model, with room for frames of `width` x `height` pixels.

    Raises:
        OSError: If there is no such file.
        ValueError: If the model cannot be compiled; with the engine's reason.
        TypeError: If `source` is none of the above.
    """
    if isinstance(source, mujoco.MjSpec):
        model = source.compile()
    elif is_text(source):
        model = mujoco.MjModel.from_xml_string(source)
    elif isinstance(source, (str, PathLike)):
        model = mujoco.MjModel.from_xml_path(expand_model_path(source))
    else:
        raise TypeError(f"A model is a path, the text of an MJCF file or a mujoco.MjSpec, but a {type(source)} came")
    model.vis.global_.offwidth = max(model.vis.global_.offwidth, width)
    model.vis.global_.offheight = max(model.vis.global_.offheight, height)
    return model


def place(model: mujoco.MjModel, data: mujoco.MjData, qpos: NDArray[Any], qvel: NDArray[Any]) -> None:
    """Put the simulation at these positions and velocities, and compute what follows from them."""
    data.qpos[:] = qpos
    data.qvel[:] = qvel
    if model.na:
        data.act[:] = 0
    mujoco.mj_forward(model, data)


def advance(model: mujoco.MjModel, data: mujoco.MjData, control: NDArray[Any], frames: int) -> None:
    """Move the simulation on by `frames` time steps under a constant control.

    Readings but positions and velocities are those of the last evaluation inside the last time step. Contact forces
    (`cfrc_ext`), which a step leaves out, are computed from it.
    """
    data.ctrl[:] = control
    mujoco.mj_step(model, data, nstep=frames)
    mujoco.mj_rnePostConstraint(model, data)


def checked_control(control: Any, size: int) -> NDArray[Any]:
    """Returns `control` as an array of shape (size,).

    Raises:
        ValueError: If its shape is another.
        gymnasium.error.ActionOutsideSpace: If it holds NaN.
    """
    found = np.asarray(control)
    if found.shape != (size,):
        raise ValueError(f"An action of shape {(size,)} was expected, but one of shape {found.shape} came")
    total = found.dot(found)
    if total != total:
        raise ActionOutsideSpace(f"An action must not hold NaN, but {control!r} came")
    return found


def divergence(data: mujoco.MjData) -> NDArray[np.int32]:
    """Returns a view of how often the simulation has diverged since its reset, and was put back by the engine."""
    view: NDArray[np.int32] = data.warning.number[_DIVERGED]
    return view


def diverged(warnings: NDArray[np.integer]) -> Any:
    """Returns whether a simulation diverged since its reset, and was put back by the engine.

    Args:
        warnings: How often each warning was given, shape (..., 7).
    """
    return warnings[..., _DIVERGED].any(axis=-1)
