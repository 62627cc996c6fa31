"""Many simulations of one model: a thread pool inside the engine, or threads around it."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from itertools import count
from types import SimpleNamespace
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.mujoco.engine import VERSION, engine_batch, mujoco, without_clock
from gymnasium.envs.mujoco.model_params import ModelFields, Place
from gymnasium.envs.mujoco.simulator import Driver, diverged, needless, place
from gymnasium.utils._counts import cores

Ids = NDArray[np.intp]

# The complete state: everything that a later step depends on.
_STATE = mujoco.mjtState.mjSTATE_INTEGRATION

# The part of it that a step changes besides the time, and its names in `mujoco.MjData`.
_CHANGED = {
    int(mujoco.mjtState.mjSTATE_QPOS): "qpos",
    int(mujoco.mjtState.mjSTATE_QVEL): "qvel",
    int(mujoco.mjtState.mjSTATE_ACT): "act",
    int(mujoco.mjtState.mjSTATE_WARMSTART): "qacc_warmstart",
    int(mujoco.mjtState.mjSTATE_CTRL): "ctrl",
}

_KNOWN = int(mujoco.mjtState.mjSTATE_TIME) | int(mujoco.mjtState.mjSTATE_USER)  # the user's inputs are constant here


class Snapshot(NamedTuple):
    """A snapshot of one simulation.

    Attributes:
        state: The complete state: everything that a later step depends on.
        readings: By name, the task's readings besides positions and velocities, from the last evaluation, and so older.
    """

    state: NDArray[np.float64]
    readings: dict[str, np.ndarray]


class Batch(Protocol):
    """n simulations. Readings are attributes by the names of `mujoco.MjData`, of shape (n, ...)."""

    qpos: NDArray[np.float64]
    qvel: NDArray[np.float64]
    body_mass: NDArray[np.float64] | None
    """The masses of each simulation, shape (n, nbody), if a field of its model was set; else None."""

    def reset(self, ids: Ids, starts: Sequence[tuple[np.ndarray, np.ndarray]]) -> None:
        """Reset simulations to the beginning, at these positions and velocities."""
        ...

    def model(self, i: int) -> mujoco.MjModel:
        """Returns the model of simulation `i`, not to be changed."""
        ...

    def write(self, i: int, place: Place, value: Any) -> None:
        """Set a field of the model of simulation `i`."""
        ...

    def settle(self, ids: Ids) -> None:
        """Compute the values that follow from the fields of these simulations' models."""
        ...

    def advance(self, ids: Ids | None, controls: np.ndarray, frames: int) -> None:
        """Advance simulations by `frames` time steps, each with its row of the n controls; None for all."""
        ...

    def diverged(self) -> NDArray[np.bool_]:
        """Returns a mask of those that have diverged since their reset, shape (n,)."""
        ...

    def snapshot(self, i: int) -> Snapshot:
        """Returns a snapshot of simulation `i`."""
        ...

    def restore(self, i: int, moment: Snapshot) -> None:
        """Restore a snapshot in simulation `i`; it then counts as not diverged."""
        ...

    def data(self, i: int) -> mujoco.MjData:
        """Returns a copy of simulation `i`, with everything that the task does not read computed anew."""
        ...

    def close(self) -> None:
        """Free the threads."""
        ...


def make_batch(model: mujoco.MjModel, n: int, threads: int | None, needs: Iterable[str]) -> Batch:
    """Returns n simulations that keep the readings `needs` besides positions and velocities.

    The engine's own pool computes no contact forces. If they are needed, or the engine is older than version 4, Python
    threads step the simulations; this pays because the engine releases the interpreter's lock.
    """
    threads = min(threads or cores(), n)
    model = copy.copy(model)  # a private copy, because threads cannot switch flags for themselves
    model.opt.disableflags |= needless(model)
    names = ("qpos", "qvel", *needs)
    if VERSION >= (4,) and "cfrc_ext" not in names:
        return PooledBatch(model, n, threads, names)
    return ThreadedBatch(model, n, threads, names)


class PooledBatch:
    """Simulations in `mujoco.batch.Batch`."""

    body_mass: NDArray[np.float64] | None = None

    def __init__(self, model: mujoco.MjModel, n: int, threads: int, names: Iterable[str]) -> None:
        self._model = model
        self._batch = engine_batch(model, n, threads)
        self._ctrl = self._batch.bind("ctrl")
        self._act = self._batch.bind("act") if model.na else None
        self._all_warnings = self._batch.warning
        self._warnings = self._all_warnings[..., 1]
        self._calm = bytes(self._all_warnings.nbytes)
        bound = {name: self._batch.bind(name) for name in names}
        self.__dict__ |= bound
        self._rows = self._batch.state
        self._readings = {name: _writable(bound[name]) for name in names if name not in ("qpos", "qvel")}
        self.qpos: NDArray[np.float64]
        self.qvel: NDArray[np.float64]

    def reset(self, ids: Ids, starts: Sequence[tuple[np.ndarray, np.ndarray]]) -> None:
        """Reset simulations to the beginning, at these positions and velocities."""
        self._batch.reset(ids, stage=mujoco.mjtStage.mjSTAGE_NONE.value)
        for i, (qpos, qvel) in zip(ids, starts, strict=True):
            self.qpos[i] = qpos
            self.qvel[i] = qvel
        if self._act is not None:
            self._act[ids] = 0
        self._batch.forward(ids)
        self._warnings[ids] = 0

    def advance(self, ids: Ids | None, controls: np.ndarray, frames: int) -> None:
        """Advance simulations by `frames` time steps; None for all."""
        if ids is None:
            self._ctrl[:] = controls
        else:
            self._ctrl[ids] = controls[ids]
        with without_clock:
            self._batch.step(ids, nstep=frames)

    def diverged(self) -> NDArray[np.bool_]:
        """Returns a mask of those that have diverged since their reset, shape (n,)."""
        if self._all_warnings.tobytes() == self._calm:  # the usual case, in a thirtieth of the time
            return np.zeros(len(self._warnings), np.bool_)
        found: NDArray[np.bool_] = diverged(self._warnings)
        return found

    def snapshot(self, i: int) -> Snapshot:
        """Returns a snapshot of simulation `i`."""
        return _snapshot(self._rows, self._readings, i)

    def restore(self, i: int, moment: Snapshot) -> None:
        """Restore a snapshot in simulation `i`."""
        _restore(self._rows, self._readings, i, moment)
        self._warnings[i] = 0

    def data(self, i: int) -> mujoco.MjData:
        """Returns a copy of simulation `i`, with everything that the task does not read computed anew."""
        return _shown(self.model(i), self._batch.get_data(i), self._readings, i)

    def model(self, i: int) -> mujoco.MjModel:
        """Returns the model of simulation `i`."""
        return self._model if self.body_mass is None else self._batch.get_model(i)

    def write(self, i: int, place: Place, value: Any) -> None:
        """Set a field of the model of simulation `i`."""
        if self.body_mass is None:
            self.body_mass = self._batch.expand("body_mass")
        rows = self._batch.expand(f"opt.{place.field}" if place.of_options else place.field)
        rows[(i, *place.part)] = value

    def settle(self, ids: Ids) -> None:
        """Compute the values that follow from the fields of these simulations' models."""
        self._batch.set_const(ids)

    def close(self) -> None:
        """Free the threads, with the pool."""
        del self._batch


class ThreadedBatch:
    """Simulations as states, stepped by Python threads, each with its own `MjData`.

    A state is loaded, stepped, and saved. That costs less than one `MjData` for each simulation, because these do not
    fit into the processor's caches together.
    """

    def __init__(self, model: mujoco.MjModel, n: int, threads: int, names: Iterable[str]) -> None:
        self._model = model
        self._states = np.zeros((n, mujoco.mj_stateSize(model, _STATE)))
        self._rows = list(self._states)
        self._all = np.arange(n)
        self._diverged = np.zeros(n, np.bool_)
        self._workspaces = [_Workspace(model, names) for _ in range(threads)]
        self._readings = {name: np.zeros((n, *reading.shape)) for name, reading in self._workspaces[0].readings.items()}
        self.__dict__ |= self._readings
        first, nq = mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_TIME), model.nq
        self.qpos: NDArray[np.float64] = self._states[:, first : first + nq]
        self.qvel: NDArray[np.float64] = self._states[:, first + nq : first + nq + model.nv]
        # The destinations of each simulation's readings; making such views takes as long as copying.
        self._targets = [[reading[i] for reading in self._readings.values()] for i in range(n)]
        self._pool = ThreadPoolExecutor(threads - 1) if threads > 1 else None
        self._models: list[mujoco.MjModel] = []  # of each simulation, if a field was set
        self.body_mass: NDArray[np.float64] | None = None

    def reset(self, ids: Ids, starts: Sequence[tuple[np.ndarray, np.ndarray]]) -> None:
        """Reset simulations to the beginning, at these positions and velocities."""
        workspace = self._workspaces[0]
        for i, (qpos, qvel) in zip(ids.tolist(), starts, strict=True):
            model = self.model(i)
            mujoco.mj_resetData(model, workspace.data)
            place(model, workspace.data, qpos, qvel)
            workspace.save(self._rows[i], self._targets[i])
        self._diverged[ids] = False

    def advance(self, ids: Ids | None, controls: np.ndarray, frames: int) -> None:
        """Advance simulations by `frames` time steps; None for all."""
        todo = (self._all if ids is None else ids).tolist()
        turn = count()  # shared: the next free thread takes the next number

        def work(workspace: _Workspace) -> None:
            while (k := next(turn)) < len(todo):
                i = todo[k]
                if self._models:
                    workspace.use(self._models[i])
                self._diverged[i] |= workspace.advance(self._rows[i], self._targets[i], controls[i], frames)

        with without_clock:
            helpers = (
                [] if self._pool is None else [self._pool.submit(work, workspace) for workspace in self._workspaces[1:]]
            )
            try:
                work(self._workspaces[0])
            finally:
                wait(helpers)
        for helper in helpers:
            helper.result()

    def diverged(self) -> NDArray[np.bool_]:
        """Returns a mask of those that have diverged since their reset, shape (n,)."""
        return self._diverged.copy()

    def snapshot(self, i: int) -> Snapshot:
        """Returns a snapshot of simulation `i`."""
        return _snapshot(self._states, self._readings, i)

    def restore(self, i: int, moment: Snapshot) -> None:
        """Restore a snapshot in simulation `i`."""
        _restore(self._states, self._readings, i, moment)
        self._diverged[i] = False

    def data(self, i: int) -> mujoco.MjData:
        """Returns a copy of simulation `i`, with everything that the task does not read computed anew."""
        model = self.model(i)
        data = mujoco.MjData(model)
        mujoco.mj_setState(model, data, self._rows[i], _STATE)
        return _shown(model, data, self._readings, i)

    def model(self, i: int) -> mujoco.MjModel:
        """Returns the model of simulation `i`."""
        return self._models[i] if self._models else self._model

    def write(self, i: int, place: Place, value: Any) -> None:
        """Set a field of the model of simulation `i`."""
        if not self._models:
            self._models = [copy.copy(self._model) for _ in self._rows]
            self.body_mass = np.stack([model.body_mass for model in self._models])
        ModelFields(SimpleNamespace(model=self._models[i])).write(place, value)
        if place.field == "body_mass" and self.body_mass is not None:
            self.body_mass[i] = self._models[i].body_mass

    def settle(self, ids: Ids) -> None:
        """Compute the values that follow from the fields of these simulations' models."""
        scratch = mujoco.MjData(self._model)
        for i in ids.tolist():
            mujoco.mj_setConst(self._models[i], scratch)

    def close(self) -> None:
        """Free the threads."""
        if self._pool is not None:
            self._pool.shutdown()


class _Workspace:
    """The workspace of one thread: an `MjData`, and views of its readings."""

    def __init__(self, model: mujoco.MjModel, names: Iterable[str]) -> None:
        self.model = model
        self.data = mujoco.MjData(model)
        self.readings = {name: getattr(self.data, name) for name in names if name not in ("qpos", "qvel")}
        self._driver = Driver(model, self.data)
        self._parts = _changed_parts(model, self.data)

    def use(self, model: mujoco.MjModel) -> None:
        """Advance under this model from now on, of the same structure."""
        self._driver.model = model

    def advance(self, row: np.ndarray, targets: list[np.ndarray], control: np.ndarray, frames: int) -> bool:
        """Advance the simulation of a row, and return whether it diverged."""
        self._load(row)
        self._driver.run(control, frames)
        if self._parts is None:
            self.save(row, targets)
        else:
            row[0] = self.data.time
            for part, array in self._parts:
                row[part] = array
            self._report(targets)
        found = self._driver.diverged()
        if found:
            self._driver.clear_divergence()
        return found

    def _load(self, row: np.ndarray) -> None:
        # The engine's own function would release the interpreter's lock, and threads would wait for one another.
        if self._parts is None:
            mujoco.mj_setState(self.model, self.data, row, _STATE)
            return
        self.data.time = row.item(0)
        for part, array in self._parts:
            array[:] = row[part]

    def save(self, row: np.ndarray, targets: list[np.ndarray]) -> None:
        """Copy the state and the readings into the batch."""
        mujoco.mj_getState(self.model, self.data, row, _STATE)
        self._report(targets)

    def _report(self, targets: list[np.ndarray]) -> None:
        for target, reading in zip(targets, self.readings.values(), strict=True):
            target[...] = reading


def _changed_parts(model: mujoco.MjModel, data: mujoco.MjData) -> list[tuple[slice, np.ndarray]] | None:
    """Returns the offsets in a state, after the time, of the arrays that a step changes; None if it changes more."""
    parts, first = [], 0
    for bit in (1 << k for k in range(int(mujoco.mjtState.mjNSTATE))):
        size = mujoco.mj_stateSize(model, bit & int(_STATE))
        if size and bit in _CHANGED:
            parts.append((slice(first, first + size), getattr(data, _CHANGED[bit])))
        elif size and not bit & _KNOWN:
            return None
        first += size
    return parts


def _writable(bound: np.ndarray) -> np.ndarray:
    """Returns a writable view of data that the engine only copies out: a restored snapshot has readings too."""
    view = bound.view()
    view.setflags(write=True)
    return view


def _snapshot(states: np.ndarray, readings: dict[str, np.ndarray], i: int) -> Snapshot:
    return Snapshot(states[i].copy(), {name: reading[i].copy() for name, reading in readings.items()})


def _restore(states: np.ndarray, readings: dict[str, np.ndarray], i: int, moment: Snapshot) -> None:
    states[i] = moment.state
    for name, reading in readings.items():
        reading[i] = moment.readings[name]


def _shown(model: mujoco.MjModel, data: mujoco.MjData, readings: dict[str, np.ndarray], i: int) -> mujoco.MjData:
    """Returns a complete simulation: computed anew, except the task's readings and the solver's starting point."""
    state = np.empty(mujoco.mj_stateSize(model, _STATE))
    mujoco.mj_getState(model, data, state, _STATE)
    mujoco.mj_forward(model, data)
    mujoco.mj_setState(model, data, state, _STATE)
    for name, reading in readings.items():
        getattr(data, name)[...] = reading[i]
    return data
