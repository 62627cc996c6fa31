"""The infos of a batch, from the columns of the kernels; equal to `vector.infos.add_info` on single ones."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.functional.boundary import action_reader
from gymnasium.vector._batch.infos import add_info
from palaestra.runner.batch.attributes import Attributes
from palaestra.runner.kernels.forms import add_values
from palaestra.runner.kernels.infos import Report, absent_name
from palaestra.runner.kernels.layout import final_info_name, info_name
from palaestra.runner.kernels.memory import Memory
from palaestra.runner.kernels.runner import Runner

Mask = NDArray[np.bool_]
Rows = NDArray[np.int64] | None
"""The numbers of some rows; None for all."""


def reports_of(runner: Runner, attributes: Attributes) -> CompiledReports | PythonReports:
    """Returns the builder of the infos of a runner's copies."""
    if runner.memory.plan.infos.in_python:
        return PythonReports(runner, attributes)
    return CompiledReports(runner)


class _Reported:
    """The infos of a reset or of a step, in the columns of the kernels.

    Args:
        runner: The runner.
        report: The report of the dynamics, None if there is none.
        last: Whether those of the last step are read, which are kept while a row is reset.
    """

    def __init__(self, runner: Runner, report: Report | None, last: bool = False) -> None:
        self._runner = runner
        leaves = {leaf.column.name: leaf.column for leaf in report.leaves} if report else {}
        self._names = {key: final_info_name(key) if last else info_name(column) for key, column in leaves.items()}
        self._forms = {form.key: form for form in report.forms} if report else {}
        self.keys = [*(key for key in leaves if not key.startswith("_")), *self._forms]
        self._objects = report.objects if report else frozenset()
        self._numpy = report.numpy if report else frozenset()

    def of(self, mask: Mask | None, rows: Rows, without: Container[str] = ()) -> dict[str, Any]:
        """Returns the reports of the rows of `mask` (None for all), without the keys that none of them has."""
        infos: dict[str, Any] = {}
        for key in [key for key in self.keys if key not in without]:
            there = self._there(key, mask, rows)
            if there is None or there.any():
                self.add(infos, key, there, rows)
        return infos

    def add(self, infos: dict[str, Any], key: str, there: Mask | None, rows: Rows) -> None:
        """Write what some rows (None for all) report for a key into `infos`."""
        if key in self._forms:
            there = self._all(rows) if there is None else there
            chosen = np.flatnonzero(there)
            add_values(infos, key, self.values(key, chosen, rows), chosen, len(there))
            return
        column = self._column(key, rows)
        mask = self._all(rows) if there is None else there.copy()
        infos[key] = column.copy() if there is None else _only(column, there)
        if key in self._objects:
            infos[key] = _as_objects(infos[key], mask)
        infos[f"_{key}"] = mask

    def there(self, key: str, rows: Rows) -> Mask:
        """Returns which rows have a key."""
        there = self._there(key, None, rows)
        return self._all(rows) if there is None else there

    def _there(self, key: str, mask: Mask | None, rows: Rows) -> Mask | None:
        """Which rows of `mask` have a key; None for all."""
        if absent_name(key) not in self._names:
            return mask
        present: Mask = ~self._column(absent_name(key), rows)
        return present if mask is None else mask & present

    def _all(self, rows: Rows) -> Mask:
        return np.ones(self._runner.memory.n if rows is None else len(rows), np.bool_)

    def values(self, key: str, chosen: NDArray[np.int64], rows: Rows) -> list[Any]:
        """Returns the values of a key in chosen ones of some rows, as the environments report them."""
        if key in self._forms:
            form = self._forms[key]
            return form.values([self._column(name, rows)[chosen] for name in form.columns], len(chosen))
        column = self._column(key, rows)[chosen]
        values: list[Any] = column.tolist() if column.ndim == 1 and key not in self._numpy else list(column)
        return values

    def mixes_with(self, other: _Reported, key: str) -> bool:
        """Returns whether a key has other types in other reports."""
        if key in self._forms or key in other._forms or self._names[key] != other._names[key]:
            return True
        return (key in self._objects) != (key in other._objects)

    def _column(self, key: str, rows: Rows) -> NDArray[Any]:
        return _taken(self._runner.memory.columns[self._names[key]], rows)


class CompiledReports:
    """Infos of dynamics with compiled info functions, or without any."""

    in_python = False

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        infos = runner.memory.plan.infos
        self._begin, self._step = _Reported(runner, infos.begin), _Reported(runner, infos.step)
        self._last = _Reported(runner, infos.step, last=True)
        self._both = frozenset(self._begin.keys).intersection(self._step.keys)
        self.silent = not (self._begin.keys or self._step.keys)  # whether there are never any infos

    def before_step(self, actions: NDArray[Any], rows: Rows) -> None:
        """See `PythonReports`: nothing to keep here."""

    def reset(self, mask: Mask) -> dict[str, Any]:
        """Returns the infos after a reset of the rows of `mask`."""
        return self._begin.of(None if mask.all() else mask, None)

    def step(self, rows: Rows, fresh: int) -> dict[str, Any]:
        """Returns the infos after a step of some rows (None for all), `fresh` of which were reset.

        A row that was reset has the info of the reset.
        """
        n = self._runner.memory.n if rows is None else len(rows)
        if self.silent or fresh in (0, n):
            return (self._begin if fresh else self._step).of(None, rows)
        begun = _taken(self._runner.memory.columns["fresh"], rows)
        infos = self._step.of(~begun, rows, self._both) | self._begin.of(begun, rows, self._both)
        for key in [key for key in self._step.keys if key in self._both]:
            there = np.where(begun, self._begin.there(key, rows), self._step.there(key, rows))
            if self._step.mixes_with(self._begin, key):
                self._add_mixed(infos, key, begun, there, rows)
            elif there.any():
                self._step.add(infos, key, None if there.all() else there, rows)
        return infos

    def _add_mixed(self, infos: dict[str, Any], key: str, begun: Mask, there: Mask, rows: Rows) -> None:
        """Write the reports of a key that are of one type after a step and of another one after a reset."""
        found: dict[int, Any] = {}
        for reported, mask in ((self._step, there & ~begun), (self._begin, there & begun)):
            chosen = np.flatnonzero(mask)
            found |= zip(chosen.tolist(), reported.values(key, chosen, rows), strict=True)
        if found:
            chosen = np.flatnonzero(there)
            add_values(infos, key, [found[i] for i in chosen.tolist()], chosen, len(there))

    def final(self, done: Mask, rows: Rows) -> dict[str, Any]:
        """Returns the merged infos of the last steps of episodes, of the rows of `done`."""
        return self._last.of(done, rows)


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

    def before_step(self, actions: NDArray[Any], rows: Rows) -> None:
        """Keep the states, the actions and the params of a step, which is about to change the states."""
        for i in self._rows(rows):
            self._before[i] = self._memory.state(i), self._read(actions[i]), self._attributes.param(i)

    def reset(self, mask: Mask) -> dict[str, Any]:
        """See `CompiledReports.reset`."""
        rows = np.flatnonzero(mask).tolist()
        return _batched([(i, self._begun(i)) for i in rows], len(mask))

    def step(self, rows: Rows, fresh: int) -> dict[str, Any]:
        """See `CompiledReports.step`."""
        numbers, was_reset = self._rows(rows), self._memory.columns["fresh"]
        each = (self._begun(i) if was_reset[i] else self._stepped(i) for i in numbers)
        return _batched(enumerate(each), len(numbers))

    def final(self, done: Mask, rows: Rows) -> dict[str, Any]:
        """See `CompiledReports.final`."""
        numbers = self._rows(rows)
        return _batched([(k, self._stepped(numbers[k])) for k in np.flatnonzero(done).tolist()], len(numbers))

    def _rows(self, rows: Rows) -> list[int]:
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


def _as_objects(column: NDArray[Any], mask: Mask) -> NDArray[Any]:
    """Returns NumPy's bools as objects, and None where there are none, as `add_info` makes them."""
    objects = np.full(len(mask), None, object)
    for i in np.flatnonzero(mask):
        objects[i] = column[i]
    return objects


def _taken(column: NDArray[Any], rows: Rows) -> NDArray[Any]:
    return column if rows is None else column[rows]


def _only(column: NDArray[Any], mask: Mask) -> NDArray[Any]:
    """Returns a copy of the rows of `mask`, zeros for the others."""
    kept = np.zeros_like(column)
    kept[mask] = column[mask]
    return kept
