"""The memory of a batch: a column for each value of the environments, and the addresses for the kernels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.spaces.discrete import Discrete
from palaestra.runner.kernels.columns import Column, own_value, padded
from palaestra.runner.kernels.layout import NOBODY, UNLIMITED, Layout, tree_named
from palaestra.runner.kernels.outputs import NO_COPIES, OutputArrays, OutputPool, Results, results_of
from palaestra.runner.kernels.params import values_of
from palaestra.runner.kernels.plan import Plan
from palaestra.runner.kernels.seeding import seeded_rows


class Memory:
    """The columns of n environments.

    Attributes:
        columns: Arrays of shape (n, ...), by their name in the layout.
        streams: A row of `seeding` for each environment, shape (n, 5).
        context: The kernels' addresses of all this.
        table: The copies of the next step, as in `OutputArrays`.
        mode: The autoreset mode, as a number of `layout`.
        limit: The number of steps after which an episode is truncated.
        actions_read: The array of `read_actions_at`.
        counts: The counts of episodes, if steps keep any: the returns of those that run, float64, shape (n,), and how
            many have begun, modulo 256, uint8, shape (n,).

    Args:
        plan: The plan of the columns.
        n: The number of environments.
        mode: The autoreset mode, as a number of `layout`.
        max_episode_steps: The limit, or None.
        before: A memory of the same dynamics with params of another form, from which this one continues.
        running: Whether it holds states, which continue too.

    Raises:
        TypeError: If states cannot continue, because those of these params hold other numbers.
    """

    def __init__(
        self,
        plan: Plan,
        n: int,
        mode: int,
        max_episode_steps: int | None,
        before: Memory | None = None,
        running: bool = False,
    ) -> None:
        self.plan, self.n = plan, n
        self._layout = Layout(plan)
        self.context = np.zeros(len(self._layout.slots), np.int64)
        self.columns = {name: column.empty(n) for name, column in self._layout.columns.items()}
        for k, value in enumerate(plan.first):
            self.columns[f"state{k}"][:] = value
        # The rows beyond n are random streams too: unused lanes draw from them.
        self.streams = np.repeat(seeded_rows([0]), padded(n), axis=0)[:n]
        if before is not None:
            self._continue(before, running)
        self.params: dict[str, list[NDArray[Any]]] = {}
        leaves = [f"observation{k}" for k in range(len(plan.observation))]
        results = (*leaves, "rewards", "terminations", "truncations")
        columns = [self.columns[name] for name in results]
        self._results = results_of(plan.observation_space, columns)
        info_params = self._layout.info_params
        self._outputs = OutputPool(plan.observation_space, columns, list(info_params.values()))
        self._last: OutputArrays | None = None
        self.table = NO_COPIES
        first = self._layout.slots[next(iter(info_params))] if info_params else 0
        self._info_params = slice(first, first + len(info_params))
        self._start, self._usual = (np.array(slots, np.int64) for slots in self._layout.autoreset_slots(plan))
        self._unused_info_params = [column.empty(n) for column in info_params.values()]
        self._unused_addresses = np.array([array.ctypes.data for array in self._unused_info_params], np.int64)
        self.context[self._info_params] = self._unused_addresses
        self._set("copies", len(columns))
        self._set("n", n)
        self.counts: tuple[NDArray[np.float64], NDArray[np.uint8]] | None = None
        self.actions_read: NDArray[Any] | None = None
        if before is not None and before.counts is not None:
            self.keep_counts(*before.counts)
        if before is not None and before.actions_read is not None:
            self.read_actions_at(before.actions_read)
        self.set_mode(mode)
        self.limit = UNLIMITED if max_episode_steps is None else max_episode_steps
        self._set("limit", self.limit)
        self._set("streams", self.streams.ctypes.data)
        for name, array in self.columns.items():
            self._set(name, array.ctypes.data)
        self._set_actions()

    def put(self, name: str, rows: NDArray[Any]) -> None:
        """Write rows into a column that may have more room for the lists in each."""
        self.columns[name][:] = self.longer(name, rows)

    def longer(self, name: str, rows: NDArray[Any]) -> NDArray[Any]:
        """Returns rows with as much room for lists as a column has."""
        shape = self.columns[name].shape[1:]
        if rows.ndim == 1 or rows.shape[1:] == shape:
            return rows
        state = self.plan.state[int(name[5:])] if name.startswith("state") else None
        if state is not None and state.longer is not None:
            return state.longer(rows)
        made = np.zeros((len(rows), *shape), rows.dtype)
        made[:, : rows.shape[1]] = rows
        return made

    def _set_actions(self) -> None:
        """Write which actions there are, of those that are numbers."""
        space = self.plan.action_space
        if isinstance(space, Discrete):
            self._set("lowest", int(space.start))
            self._set("highest", int(space.start) + int(space.n) - 1)

    def _continue(self, before: Memory, running: bool) -> None:
        """Take over the streams, columns and own params of another memory."""
        plan = self.plan
        self.streams = before.streams
        if running and not _may_continue(plan.state, before.plan.state):
            raise TypeError(
                "With these params the states would hold numbers of other kinds or shapes than now: reset with them"
            )
        for name, array in before.columns.items():
            if name in self.columns and _alike(array, self.columns[name]):
                self.columns[name] = array  # the caller's array stays in use
            elif plan.grows and name in self.columns:
                self.put(name, array)
        for k in plan.own:
            if f"params{k}" not in before.columns:
                rows, column = before.params["params"][k], self.columns[f"params{k}"]
                whole: Any = column.base
                whole[:] = rows[-1]  # of unused lanes too
                column[:] = rows[: self.n]

    def set_params(
        self, prefix: str, params: Sequence[Any], apart: frozenset[str] = frozenset(), own: bool = False
    ) -> frozenset[str]:
        """Let kernels read the params named `prefix`: one for all environments, or one for each.

        Args:
            prefix: Their name.
            params: The params.
            apart: The names of the values that are kept for each environment, even if they are equal.
            own: Whether to write also those that have a column.

        Returns:
            The names of the values that differ between environments.

        Raises:
            TypeError: If they do not have the plan's form.
        """
        rows = [values_of(tree_named(prefix, self.plan), one) for one in params]
        arrays, differing, changed = [], set(), {}
        for k, values in enumerate(zip(*rows, strict=True)):
            same = all(value is values[0] or np.array_equal(value, values[0]) for value in values[1:])
            if not same and len({value.shape for value in values}) > 1:
                raise TypeError(f"The params of environments must have the same shapes, but {values} came")
            if f"{prefix}{k}" in self.columns:
                arrays.append(self.columns[f"{prefix}{k}"])
                differing.add(f"{prefix}{k}")
                changed[k] = values
                continue
            if same and f"{prefix}{k}" not in apart:
                arrays.append(values[0][None].copy())
                continue
            differing.add(f"{prefix}{k}")
            arrays.append(
                _with_room(np.stack(values) if len(values) > 1 else np.repeat(values[0][None], self.n, axis=0))
            )
        for k, array in enumerate(arrays):
            self._set(f"{prefix}{k}", array.ctypes.data)
            for axis, size in enumerate(array.shape[1:]):
                if f"{prefix}{k}.{axis}" in self._layout.slots:
                    self._set(f"{prefix}{k}.{axis}", size)
        for k, values in changed.items() if own else ():
            column: Any = self.columns[f"{prefix}{k}"]
            column.base[:] = values[-1]  # of unused lanes too
            column[:] = values[0] if len(values) == 1 else np.stack(values)
        self.params[prefix] = arrays  # alive as long as the kernels read them
        if prefix != "start":
            self.context[self._start] = self.context[self._usual]
        return frozenset(differing)

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Returns the shapes of the params that are arrays, by their names in the layout."""
        found = {}
        for prefix, arrays in self.params.items():
            for k, array in enumerate(arrays):
                found[f"{prefix}{k}"] = array.shape[1:]
                if prefix == "params":
                    found.setdefault(f"start{k}", array.shape[1:])
        return found

    def sizes(self) -> dict[str, int]:
        """Returns the ints among the params that all environments share, by their names in the layout."""
        arrays = enumerate(self.params["params"])
        numbers = {k: int(array[0]) for k, array in arrays if array.shape == (1,) and array.dtype == np.int64}
        return {f"{prefix}{k}": number for k, number in numbers.items() for prefix in ("params", "start")}

    def end_reset(self) -> None:
        """Let steps begin episodes, whose first states are drawn from the usual params instead of those of `start`."""
        self._set("mask", 0)
        self.context[self._start] = self.context[self._usual]

    def hand_out(self, copy: bool) -> Results:
        """Returns the arrays for the results of the next step: the columns, or copies without other references."""
        if not copy:
            self.table = NO_COPIES
            self.context[self._info_params] = self._unused_addresses
            self._last = None
            return self._results
        outputs = self._last = self._outputs.renew()
        self.table = outputs.table
        if outputs.info_params:
            self.context[self._info_params] = outputs.info_param_addresses
        return outputs.results

    @property
    def info_params(self) -> list[NDArray[Any]] | None:
        """The own params in the last step's infos, as `Layout.info_params`; None if nothing was handed out."""
        return None if self._last is None else self._last.info_params

    def hand_over(self, rows: NDArray[np.int64]) -> None:
        """Copy some rows, which were stepped after the others, to the arrays of `hand_out`."""
        if self._last is not None:
            self._outputs.copy_rows(self._last, rows)

    def keep_counts(self, returns: NDArray[np.float64], begun: NDArray[np.uint8]) -> None:
        """Let steps keep counts from now on, see `counts`; resets by the user are not counted."""
        self.counts = returns, begun
        self._set("episode_returns", returns.ctypes.data)
        self._set("begun", begun.ctypes.data)

    def count(self, rows: NDArray[np.int64]) -> None:
        """Count the step of some rows, which were stepped after the others."""
        if self.counts is not None:
            returns, begun = self.counts
            fresh = self.columns["fresh"][rows]
            returns[rows] = np.where(fresh, 0.0, returns[rows] + self.columns["rewards"][rows])
            begun[rows] += fresh

    def distrust(self) -> None:
        """Let the next step check its actions, even those that `check` has taken."""
        self._set("checked", 0)

    @property
    def failed(self) -> int:
        """The environment whose dynamics raised last."""
        return int(self.context[self._layout.slots["failed"]])

    def fail(self, row: int) -> None:
        """Let a row be the one whose dynamics raised last."""
        self._set("failed", row)

    def pad_actions(self, pads: bool) -> None:
        """Let kernels copy the actions to padded memory for lanes, or read them in place."""
        self._actions = self.plan.action.empty(self.n if pads else 0)
        self._set("padded_actions", self._actions.ctypes.data if pads else 0)

    def read_actions_at(self, actions: NDArray[Any]) -> None:
        """Let `rows` read the actions of all rows from an array with the room for lanes of `Column.empty`."""
        self.actions_read = actions
        self._set("actions", actions.ctypes.data)

    def set_functions(self, addresses: Mapping[str, int]) -> None:
        """Let calls reach the functions of kernels, by their slots: `rows` steps rows, `begin` resets some."""
        for slot, address in addresses.items():
            self._set(slot, address)

    def forget_failure(self) -> None:
        """Let no row have raised."""
        self._set("failed", NOBODY)

    def set_mode(self, mode: int) -> None:
        """Let kernels reset environments in this autoreset mode."""
        self.mode = mode
        self._set("mode", mode)

    def set_some(self, count: int) -> None:
        """Let `step_some` step so many rows."""
        self._set("some", count)

    def state(self, i: int, prefix: str = "state", exact: bool = False) -> Any:
        """Returns the state of environment i: copies of arrays and Python's numbers, or exactly those it holds."""
        rows = ((column, self.columns[f"{prefix}{k}"][i]) for k, column in enumerate(self.plan.state))
        return self.plan.state_type(*(row if exact and column.is_numpy else own_value(row) for column, row in rows))

    def set_state(self, i: int, state: Any) -> None:
        """Write the state of environment i.

        Raises:
            TypeError: If its columns cannot hold a value unchanged; nothing is written then.
        """
        arrays = [np.asarray(value) for value in state]
        for column, array in zip(self.plan.state, arrays, strict=True):
            if array.shape != column.shape or not np.can_cast(array.dtype, column.dtype):
                raise TypeError(
                    f"A batch keeps `{column.name}` of its states as {column.dtype} of shape {column.shape}, but "
                    f"{array.dtype} of shape {array.shape} came: {array!r}"
                )
        for k, array in enumerate(arrays):
            self.columns[f"state{k}"][i] = array

    def _set(self, name: str, number: int) -> None:
        self.context[self._layout.slots[name]] = number


def _with_room(rows: NDArray[Any]) -> NDArray[Any]:
    """Returns rows with further ones for unused lanes, which compute what the last row does."""
    return np.concatenate([rows, np.repeat(rows[-1:], padded(len(rows)) - len(rows), axis=0)])


def _may_continue(columns: tuple[Column, ...], before: tuple[Column, ...]) -> bool:
    """Whether states of some columns can be in others: in the same, or in those that have more room for lists."""
    if len(columns) != len(before):
        return False
    pairs = zip(columns, before, strict=True)
    return all(
        (one.name, one.dtype, one.shape[1:]) == (other.name, other.dtype, other.shape[1:])
        and (one.shape == other.shape or (one.shape[:1] > other.shape[:1] > ()))
        for one, other in pairs
    )


def _alike(one: NDArray[Any], other: NDArray[Any]) -> bool:
    return one.dtype == other.dtype and one.shape == other.shape
