"""Many simulations of one model: a thread pool inside the engine, or threads around it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from itertools import count
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.mujoco.engine import VERSION, mujoco
from gymnasium.envs.mujoco.simulator import advance, diverged, divergence, place

Ids = NDArray[np.intp]

# All that a later step depends on.
_STATE = mujoco.mjtState.mjSTATE_INTEGRATION


class Batch(Protocol):
    """n simulations. Readings are attributes by the names of `mujoco.MjData`, of shape (n, ...)."""

    qpos: NDArray[np.float64]
    qvel: NDArray[np.float64]

    def reset(self, ids: Ids, starts: Sequence[tuple[NDArray[Any], NDArray[Any]]]) -> None:
        """Put simulations back to the beginning, at these positions and velocities."""
        ...

    def advance(self, ids: Ids | None, controls: NDArray[Any], frames: int) -> None:
        """Move simulations on by `frames` time steps, each under its row of the n controls; None for all."""
        ...

    def diverged(self) -> NDArray[np.bool_]:
        """Returns which have diverged since their reset, shape (n,)."""
        ...

    def data(self, i: int) -> mujoco.MjData:
        """Returns simulation `i`, to look at."""
        ...

    def close(self) -> None:
        """Free the threads."""
        ...


def make_batch(model: mujoco.MjModel, n: int, threads: int | None, needs: Iterable[str]) -> Batch:
    """Returns n simulations that keep the readings `needs` beside positions and velocities.

    The engine's own pool computes no contact forces; where those are needed, or the engine is older than version 4,
    threads of Python step them, which pays since the engine does so without the interpreter's lock.
    """
    threads = min(threads or _cores(), n)
    names = ("qpos", "qvel", *needs)
    if VERSION >= (4,) and "cfrc_ext" not in names:
        return PooledBatch(model, n, threads, names)
    return ThreadedBatch(model, n, threads, names)


def _cores() -> int:
    """Returns how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class PooledBatch:
    """Simulations in `mujoco.batch.Batch`."""

    def __init__(self, model: mujoco.MjModel, n: int, threads: int, names: Iterable[str]) -> None:
        from mujoco.batch import Batch as EngineBatch

        self._batch = EngineBatch(model, n, threads)
        self._ctrl = self._batch.bind("ctrl")
        self._act = self._batch.bind("act") if model.na else None
        self._warnings = self._batch.warning[..., 1]
        for name in names:
            setattr(self, name, self._batch.bind(name))
        self.qpos: NDArray[np.float64]
        self.qvel: NDArray[np.float64]

    def reset(self, ids: Ids, starts: Sequence[tuple[NDArray[Any], NDArray[Any]]]) -> None:
        """Put simulations back to the beginning, at these positions and velocities."""
        self._batch.reset(ids, stage=mujoco.mjtStage.mjSTAGE_NONE.value)
        for i, (qpos, qvel) in zip(ids, starts, strict=True):
            self.qpos[i] = qpos
            self.qvel[i] = qvel
        if self._act is not None:
            self._act[ids] = 0
        self._batch.forward(ids)
        self._warnings[ids] = 0

    def advance(self, ids: Ids | None, controls: NDArray[Any], frames: int) -> None:
        """Move simulations on by `frames` time steps; None for all."""
        if ids is None:
            self._ctrl[:] = controls
        else:
            self._ctrl[ids] = controls[ids]
        self._batch.step(ids, nstep=frames)

    def diverged(self) -> NDArray[np.bool_]:
        """Returns which have diverged since their reset, shape (n,)."""
        found: NDArray[np.bool_] = diverged(self._warnings)
        return found

    def data(self, i: int) -> mujoco.MjData:
        """Returns a copy of simulation `i`, with its readings computed anew."""
        data = self._batch.get_data(i)
        mujoco.mj_forward(self._batch.model, data)
        return data

    def close(self) -> None:
        """Free the threads, with the pool."""
        del self._batch


class ThreadedBatch:
    """Simulations as states, which threads of Python step, each in an `MjData` of its own.

    A state is loaded, stepped, and saved. That costs less than one `MjData` for each simulation, which do not fit
    into the processor's caches together.
    """

    def __init__(self, model: mujoco.MjModel, n: int, threads: int, names: Iterable[str]) -> None:
        self._model = model
        self._states = np.zeros((n, mujoco.mj_stateSize(model, _STATE)))
        self._rows = list(self._states)
        self._all = np.arange(n)
        self._diverged = np.zeros(n, np.bool_)
        self._desks = [_Desk(model, names) for _ in range(threads)]
        self._readings = {name: np.zeros((n, *reading.shape)) for name, reading in self._desks[0].readings.items()}
        self.__dict__ |= self._readings
        first, nq = mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_TIME), model.nq
        self.qpos: NDArray[np.float64] = self._states[:, first : first + nq]
        self.qvel: NDArray[np.float64] = self._states[:, first + nq : first + nq + model.nv]
        # For each simulation where its readings go; making such views takes as long as copying.
        self._targets = [[reading[i] for reading in self._readings.values()] for i in range(n)]
        self._pool = ThreadPoolExecutor(threads - 1) if threads > 1 else None

    def reset(self, ids: Ids, starts: Sequence[tuple[NDArray[Any], NDArray[Any]]]) -> None:
        """Put simulations back to the beginning, at these positions and velocities."""
        desk = self._desks[0]
        for i, (qpos, qvel) in zip(ids.tolist(), starts, strict=True):
            mujoco.mj_resetData(self._model, desk.data)
            place(self._model, desk.data, qpos, qvel)
            desk.save(self._rows[i], self._targets[i])
        self._diverged[ids] = False

    def advance(self, ids: Ids | None, controls: NDArray[Any], frames: int) -> None:
        """Move simulations on by `frames` time steps; None for all."""
        todo = (self._all if ids is None else ids).tolist()
        turn = count()  # shared: its next is taken by whichever thread is free

        def work(desk: _Desk) -> None:
            while (k := next(turn)) < len(todo):
                i = todo[k]
                self._diverged[i] |= desk.advance(self._rows[i], self._targets[i], controls[i], frames)

        helpers = [] if self._pool is None else [self._pool.submit(work, desk) for desk in self._desks[1:]]
        try:
            work(self._desks[0])
        finally:
            wait(helpers)
        for helper in helpers:
            helper.result()

    def diverged(self) -> NDArray[np.bool_]:
        """Returns which have diverged since their reset, shape (n,)."""
        return self._diverged.copy()

    def data(self, i: int) -> mujoco.MjData:
        """Returns a copy of simulation `i`, with its readings computed anew."""
        data = mujoco.MjData(self._model)
        mujoco.mj_setState(self._model, data, self._rows[i], _STATE)
        mujoco.mj_forward(self._model, data)
        return data

    def close(self) -> None:
        """Free the threads."""
        if self._pool is not None:
            self._pool.shutdown()


class _Desk:
    """Where one thread works: an `MjData`, and views of its readings."""

    def __init__(self, model: mujoco.MjModel, names: Iterable[str]) -> None:
        self.model = model
        self.data = mujoco.MjData(model)
        self.readings = {name: getattr(self.data, name) for name in names if name not in ("qpos", "qvel")}
        self._divergence = divergence(self.data)

    def advance(self, row: NDArray[Any], targets: list[NDArray[Any]], control: NDArray[Any], frames: int) -> bool:
        """Move the simulation of a row on, and return whether it diverged."""
        mujoco.mj_setState(self.model, self.data, row, _STATE)
        advance(self.model, self.data, control, frames)
        self.save(row, targets)
        found = any(self._divergence.tolist())
        self._divergence[:] = 0
        return found

    def save(self, row: NDArray[Any], targets: list[NDArray[Any]]) -> None:
        """Copy the state and the readings out."""
        mujoco.mj_getState(self.model, self.data, row, _STATE)
        for target, reading in zip(targets, self.readings.values(), strict=True):
            target[...] = reading
