"""A single simulation: loading a model, placing it, advancing it."""

from __future__ import annotations

from os import PathLike, path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.mujoco.engine import mujoco, without_clock
from gymnasium.error import ActionOfWrongShape, ActionOutsideSpace
from gymnasium.spaces.box import Box
from gymnasium.spaces.outside import described, numbers_in, remedy_for

ASSETS = path.join(path.dirname(__file__), "assets")

# A path, the text of an MJCF file, or an MjSpec.
ModelSource: TypeAlias = "str | PathLike[str] | mujoco.MjSpec"

# 0 for engines that search for islands only on request.
_NO_ISLANDS = int(getattr(mujoco.mjtDisableBit, "mjDSBL_ISLAND", 0))

# The solvers for which a test confirms it.
_TRIED_SOLVERS = (mujoco.mjtSolver.mjSOL_NEWTON, mujoco.mjtSolver.mjSOL_PGS)

# The warnings after which the engine has reset the simulation to its beginning.
_DIVERGED = slice(int(mujoco.mjtWarning.mjWARN_BADQPOS), int(mujoco.mjtWarning.mjWARN_BADQACC) + 1)


def is_text(source: ModelSource) -> bool:
    """Returns whether `source` is the text of an MJCF file: a path does not begin with `<`."""
    return isinstance(source, str) and source.lstrip().startswith("<")


def expand_model_path(model_path: str | PathLike[str]) -> str:
    """Returns the full path of an MJCF file.

    A path that begins with `.` or `/` is used unchanged, one with `~` is below the home directory, and any other is
    among the models of this package, such as `ant.xml`.

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
        ValueError: If the model cannot be compiled; it shows the engine's reason.
        TypeError: If `source` has another type.
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


def place(model: mujoco.MjModel, data: mujoco.MjData, qpos: np.ndarray, qvel: np.ndarray) -> None:
    """Set these positions and velocities, and compute all quantities that follow from them."""
    data.qpos[:] = qpos
    data.qvel[:] = qvel
    if model.na:
        data.act[:] = 0
    mujoco.mj_forward(model, data)


class Driver:
    """Advances a simulation and keeps views of its arrays: making them would take as long as the rest of a step.

    Attributes:
        model: The model, `mujoco.MjModel`; changes to it take effect at the next step.
        data: The simulation, `mujoco.MjData`.
    """

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        self.model = model
        self.data = data
        self._ctrl = data.ctrl
        self._options = model.opt
        self._skipped = needless(model)
        self._divergence = divergence(data)

    def advance(self, control: np.ndarray, frames: int) -> None:
        """Advance the simulation by `frames` time steps under a constant control.

        Other readings than positions and velocities are those of the last evaluation in the last time step. Contact
        forces (`cfrc_ext`), which a step leaves out, are computed from it.
        """
        clock = without_clock.clock
        if clock is None or clock.value != without_clock.usual:
            self.run(control, frames)
            return
        clock.value = None  # in place of a `with` statement, which takes a twentieth of a small robot's step
        try:
            self.run(control, frames)
        finally:
            clock.value = without_clock.usual

    def run(self, control: np.ndarray, frames: int) -> None:
        """Do the same where the engine's clock has been stopped, or may go on."""
        self._ctrl[:] = control
        flags = self._options.disableflags
        if flags | self._skipped == flags:
            mujoco.mj_step(self.model, self.data, frames)
        else:
            self._options.disableflags = flags | self._skipped
            try:
                mujoco.mj_step(self.model, self.data, frames)
            finally:
                self._options.disableflags = flags
        mujoco.mj_rnePostConstraint(self.model, self.data)

    def diverged(self) -> bool:
        """Returns whether the simulation diverged since its reset, and the engine reset it."""
        return any(self._divergence.tolist())

    def clear_divergence(self) -> None:
        """Forget that the simulation diverged."""
        self._divergence[:] = 0

    def __reduce__(self) -> tuple[type[Driver], tuple[Any, Any]]:
        """Returns a copy with views of the copied simulation."""
        return Driver, (self.model, self.data)


class Readings:
    """The arrays of a simulation, by the names of `mujoco.MjData`, each made once.

    Attributes:
        body_mass: The masses of each simulation of a batch, if they differ; here None.
    """

    body_mass = None

    def __init__(self, data: mujoco.MjData) -> None:
        self.data = data

    def __getattr__(self, name: str) -> Any:
        reading = getattr(self.data, name)
        if isinstance(reading, np.ndarray):
            self.__dict__[name] = reading
        return reading


def needless(model: mujoco.MjModel) -> int:
    """Returns flags that switch off computations without an effect on the bits of this model's steps.

    The search for independent sets of constraints (islands) finds at most one, with all of them, if all moving bodies
    are in one tree. It takes up to a tenth of a step.
    """
    alone = model.ntree == 1 and model.opt.solver in _TRIED_SOLVERS
    return _NO_ISLANDS if alone else 0


def checked_control(control: object, size: int) -> np.ndarray:
    """Returns `control` as an array of shape (size,).

    Raises:
        gymnasium.error.ActionOfWrongShape: If its shape is different, or it does not consist of numbers.
        gymnasium.error.ActionOutsideSpace: If it holds NaN.
    """
    found = as_control(control, size)
    if found.shape != (size,):
        raise _no_control(control, size)
    total = found.dot(found)
    if total != total:
        raise ActionOutsideSpace(f"An action must not hold NaN, but {control!r} came")
    return found


def as_control(control: object, size: int) -> np.ndarray:
    """Returns `control` as an array of any shape.

    Raises:
        gymnasium.error.ActionOfWrongShape: If it does not consist of numbers; the message says that `size` are needed.
    """
    try:
        found = np.asarray(control)
    except ValueError as error:  # ragged
        raise _no_control(control, size) from error
    if found.dtype.kind not in "biuf" and numbers_in(control) is None:
        raise _no_control(control, size)
    return found


def _no_control(control: object, size: int) -> ActionOfWrongShape:
    needed = f"The action {described(control)} does not have the shape {(size,)}, a number for each actuator"
    return ActionOfWrongShape(f"{needed}; {remedy_for(control, Box(-np.inf, np.inf, (size,), np.float64))}")


def divergence(data: mujoco.MjData) -> NDArray[np.int32]:
    """Returns a view of the number of times that the simulation has diverged since its reset."""
    view: NDArray[np.int32] = data.warning.number[_DIVERGED]
    return view


def diverged(warnings: NDArray[np.integer]) -> Any:
    """Returns whether a simulation diverged since its reset, and the engine reset it.

    Args:
        warnings: The count of each warning, shape (..., 7).
    """
    return warnings[..., _DIVERGED].any(axis=-1)
