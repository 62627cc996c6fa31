"""The infos of a batch, from the columns of the kernels; equal to `vector.infos.add_info` on single ones."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.functional.boundary import action_reader
from gymnasium.vector._batch.infos import add_info
from palaestra.runner.batch.attributes import Attributes
from palaestra.runner.kernels.infos import Report, absent_name
from palaestra.runner.kernels.layout import final_info_name, info_name
from palaestra.runner.kernels.memory import Memory
from palaestra.runner.kernels.runner import Runner

Mask = NDArray[np.bool_]


def reports_of(runner: Runner, attributes: Attributes) -> CompiledReports | PythonReports:
    """Returns the builder of the infos of a runner's copies."""
    if runner.memory.plan.infos.in_python:
        return PythonReports(runner, attributes)
    return CompiledReports(runner)


class CompiledReports:
    """Infos of dynamics with compiled info functions, or without any."""

    in_python = False

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        infos = runner.memory.plan.infos
        self._begin = _columns(infos.begin)
        self._step = _columns(infos.step)
        self._begin_absent, self._step_absent = _absent(infos.begin), _absent(infos.step)
        begin, step = infos.begin or Report(None, ()), infos.step or Report(None, ())
        self._begin_objects, self._step_objects = begin.objects, step.objects
        self._begin_numpy, self._step_numpy = begin.numpy, step.numpy
        self.silent = not (self._begin or self._step)  # whether there are never any infos

    def before_step(self, actions: NDArray[Any], rows: NDArray[np.int64] | None) -> None:
        """See `PythonReports`: nothing to keep here."""

    def reset(self, mask: Mask) -> dict[str, Any]:
        """Returns the infos after a reset of the rows of `mask`."""
        found = self._of(self._begin, self._begin_absent, None if mask.all() else mask, None)
        return _as_objects(found, self._begin_objects)

    def step(self, rows: NDArray[np.int64] | None, fresh: int) -> dict[str, Any]:
        """Returns the infos after a step of some rows (None for all), `fresh` of which were reset.

        A row that was reset has the info of the reset.
        """
        n = self._runner.memory.n if rows is None else len(rows)
        if self.silent or fresh in (0, n):
            objects = self._begin_objects if fresh else self._step_objects
            names, absent = (self._begin, self._begin_absent) if fresh else (self._step, self._step_absent)
            return _as_objects(self._of(names, absent, None, rows), objects)
        begun = _taken(self._runner.memory.columns["fresh"], rows)
        infos = self._of(_without(self._step, self._begin), self._step_absent, ~begun, rows)
        infos |= self._of(_without(self._begin, self._step), self._begin_absent, begun.copy(), rows)
        alone = (self._step_objects - self._begin.keys()) | (self._begin_objects - self._step.keys())
        infos = _as_objects(infos, alone)
        for key in self._step.keys() & self._begin.keys():
            infos |= self._of_either(key, begun, rows)
        return infos

    def _of_either(self, key: str, begun: Mask, rows: NDArray[np.int64] | None) -> dict[str, Any]:
        """Returns the reports of a key of steps and resets, in a type that holds those that have it."""
        there = np.where(begun, self._there(self._begin_absent, key, rows), self._there(self._step_absent, key, rows))
        if self._step[key] != self._begin[key] or (key in self._step_objects) != (key in self._begin_objects):
            return self._mixed(key, begun, there, rows)
        column = self._column(self._step[key], rows)
        found = {key: column.copy() if there.all() else _only(column, there), f"_{key}": there} if there.any() else {}
        return _as_objects(found, self._step_objects & {key})

    def _mixed(self, key: str, begun: Mask, there: Mask, rows: NDArray[np.int64] | None) -> dict[str, Any]:
        """Returns the reports of a key that are of one type after a step and of another one after a reset."""
        step, begin = self._column(self._step[key], rows).copy(), self._column(self._begin[key], rows).copy()
        found: dict[str, Any] = {}
        for i in np.flatnonzero(there).tolist():
            column, numpy = (begin, self._begin_numpy) if begun[i] else (step, self._step_numpy)
            is_python = column.ndim == 1 and key not in numpy
            add_info(found, {key: column[i].item() if is_python else column[i]}, i, len(there))
        return found

    def final(self, done: Mask, rows: NDArray[np.int64] | None) -> dict[str, Any]:
        """Returns the merged infos of the last steps of episodes, of the rows of `done`."""
        names = {key: final_info_name(key) for key in self._step}
        absent = {key: final_info_name(absent_name(key)) for key in self._step_absent}
        return _as_objects(self._of(names, absent, done, rows), self._step_objects)

    def _of(
        self, names: dict[str, str], absent: dict[str, str], mask: Mask | None, rows: NDArray[np.int64] | None
    ) -> dict[str, Any]:
        """Returns the reports of the rows of `mask` (None for all), without the keys that none of them has."""
        infos: dict[str, Any] = {}
        for key, name in names.items():
            column, there = self._column(name, rows), mask
            if key in absent:
                there = self._there(absent, key, rows) if mask is None else mask & self._there(absent, key, rows)
                if not there.any():
                    continue
            infos[key] = column.copy() if there is None else _only(column, there)
            infos[f"_{key}"] = np.ones(len(column), np.bool_) if there is None else there.copy()
        return infos

    def _there(self, absent: dict[str, str], key: str, rows: NDArray[np.int64] | None) -> Mask:
        """Returns the rows that have a key."""
        if key not in absent:
            return np.ones(self._runner.memory.n if rows is None else len(rows), np.bool_)
        return ~self._column(absent[key], rows)

    def _column(self, name: str, rows: NDArray[np.int64] | None) -> NDArray[Any]:
        return _taken(self._runner.memory.columns[name], rows)


class PythonReports:
    """Infos of dynamics with info functions called in Python, a row at a time."""

    in_python = True
    silent = False

    def __init__(self, runner: Runner, attributes: Attributes) -> None:
        self._runner, self._attributes = runner, attributes
        self._func_env = runner.func_env
        self._read = action_reader(self._func_env.action_space)
        self._before: dict[int, tuple[Any, Any, Any]] = {}

    @property
    def _memory(self) -> Memory:
        return self._runner.memory

    def before_step(self, actions: NDArray[Any], rows: NDArray[np.int64] | None) -> None:
        """Keep the states, the actions and the params of a step, which is about to change the states."""
        for i in self._rows(rows):
            self._before[i] = self._memory.state(i), self._read(actions[i]), self._attributes.param(i)

    def reset(self, mask: Mask) -> dict[str, Any]:
        """See `CompiledReports.reset`."""
        rows = np.flatnonzero(mask).tolist()
        return _batched([(i, self._begun(i)) for i in rows], len(mask))

    def step(self, rows: NDArray[np.int64] | None, fresh: int) -> dict[str, Any]:
        """See `CompiledReports.step`."""
        numbers, was_reset = self._rows(rows), self._memory.columns["fresh"]
        each = (self._begun(i) if was_reset[i] else self._stepped(i) for i in numbers)
        return _batched(enumerate(each), len(numbers))

    def final(self, done: Mask, rows: NDArray[np.int64] | None) -> dict[str, Any]:
        """See `CompiledReports.final`."""
        numbers = self._rows(rows)
        return _batched([(k, self._stepped(numbers[k])) for k in np.flatnonzero(done).tolist()], len(numbers))

    def _rows(self, rows: NDArray[np.int64] | None) -> list[int]:
        return list(range(self._memory.n)) if rows is None else rows.tolist()

    def _begun(self, i: int) -> dict[str, Any]:
        return self._func_env.state_info(self._memory.state(i), self._attributes.param(i))

    def _stepped(self, i: int) -> dict[str, Any]:
        state, action, params = self._before[i]
        return self._func_env.transition_info(state, action, self._memory.state(i, "last"), params)


def _batched(infos: Iterable[tuple[int, dict[str, Any]]], n: int) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    for i, info in infos:
        add_info(merged, info, i, n)
    return merged


def _columns(report: Report | None) -> dict[str, str]:
    """Returns the name of the column of each key that is reported: those that begin with `_` are not."""
    leaves = report.leaves if report else ()
    return {leaf.column.name: info_name(leaf.column) for leaf in leaves if not leaf.column.name.startswith("_")}


def _absent(report: Report | None) -> dict[str, str]:
    """Returns the name of the column that tells where a key is missing, of each key that comes at times."""
    columns = {leaf.column.name: leaf.column for leaf in (report.leaves if report else ())}
    return {key: info_name(columns[absent_name(key)]) for key in columns if absent_name(key) in columns}


def _as_objects(infos: dict[str, Any], keys: frozenset[str]) -> dict[str, Any]:
    """Returns infos with NumPy's bools as objects, and None where there are none, as `add_info` makes them."""
    for key in keys & infos.keys():
        rows, mask = infos[key], infos[f"_{key}"]
        infos[key] = np.full(len(mask), None, object)
        for i in np.flatnonzero(mask):
            infos[key][i] = rows[i]
    return infos


def _taken(column: NDArray[Any], rows: NDArray[np.int64] | None) -> NDArray[Any]:
    return column if rows is None else column[rows]


def _without(names: dict[str, str], others: dict[str, str]) -> dict[str, str]:
    return {key: name for key, name in names.items() if key not in others}


def _only(column: NDArray[Any], mask: Mask) -> NDArray[Any]:
    """Returns a copy of the rows of `mask`, zeros for the others."""
    kept = np.zeros_like(column)
    kept[mask] = column[mask]
    return kept
