"""Episodes of n environments as they are recorded, and written to a file."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.spaces import Space
from palaestra.recording.data_sets import encoding
from palaestra.recording.data_sets.columns import Column, Columns, Rows, blocks, step_size
from palaestra.recording.data_sets.data_set import DataSet
from palaestra.recording.data_sets.encoding import TEXT
from palaestra.recording.data_sets.infos import Infos

_MEMORY = 2**27  # bytes of blocks, of all environments
_OF_ONE = 2**17  # of one
_FLOAT, _INT, _BOOL = np.dtype(np.float64), np.dtype(np.int64), np.dtype(np.bool_)
_LARGEST_OPTION = 60_000  # bytes: an attribute of HDF5 has less than 64 KiB
_FLAGS = 17  # bytes of a step's reward and flags, with its place


class Recorder:
    """Writes each episode that ends; those under way are in blocks.

    Args:
        data_set: Where to.
        observation_space: The space of one environment's observation.
        action_space: That of its action.
        n: The number of environments; None for one whose values are no batches.
        record_infos: Whether to keep infos.
    """

    def __init__(
        self,
        data_set: DataSet,
        observation_space: Space,
        action_space: Space,
        n: int | None,
        record_infos: bool,
    ) -> None:
        self._data_set, self._file = data_set, data_set.file
        n, batched = n or 1, n is not None
        block = block_of(observation_space, action_space, n)
        self._block = block
        self._observations = Columns(observation_space, n, block, batched)
        self._actions = Columns(action_space, n, block, batched)
        self._rewards = Column(n, block, _FLOAT, ())
        self._terminations = Column(n, block, _BOOL, ())
        self._truncations = Column(n, block, _BOOL, ())
        self._infos = Infos(n, block) if record_infos else None
        self._steps = np.full(n, -1, np.int64)  # of the episode under way; -1: there is none
        self._sums: dict[int, list[tuple[int, float, float, float, float]]] = {}
        self._starts: dict[int, tuple[int | None, dict[str, Any]]] = {}

    @property
    def under_way(self) -> NDArray[np.bool_]:
        """A mask of the environments in an episode that is recorded."""
        under_way: NDArray[np.bool_] = self._steps >= 0
        return under_way

    def begin(
        self,
        rows: Rows,
        observations: Any,
        infos: Sequence[Mapping[str, Any]] = (),
        seeds: Sequence[int | None] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        """Begin episodes in some environments, with a batch of all observations."""
        self._steps[rows] = 0
        self._observations.put(rows, self._steps[rows], observations)
        for k, row in enumerate(rows.tolist()):
            self._starts[row] = (None if seeds is None else seeds[row], dict(options or {}))
            if self._infos is not None:
                self._infos.put(row, 0, infos[k], self._file)
        if self._block == 1:
            self._spill(rows, first=True)

    def step(
        self,
        rows: Rows,
        actions: Any,
        observations: Any,
        results: tuple[Any, Any, Any],
        finals: Mapping[int, Any] | None = None,
        infos: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        """Keep a step of some environments.

        Args:
            rows: The environments.
            actions: The batch of all actions.
            observations: The batch of all observations.
            results: All rewards, terminations and truncations.
            finals: The observations that take the place of those in the batch.
            infos: The infos of the rows.
        """
        steps = self._steps[rows]
        following = steps + 1
        self._actions.put(rows, steps, actions)
        for column, values in zip((self._rewards, self._terminations, self._truncations), results, strict=True):
            column.put(rows, steps, np.asarray(values)[rows])
        self._observations.put(rows, following, observations)
        for row, final in (finals or {}).items():
            self._observations.put_one(row, int(self._steps[row]) + 1, final)
        if self._infos is not None:
            for k, row in enumerate(rows.tolist()):
                self._infos.put(row, int(following[k]), infos[k], self._file)
        self._steps[rows] = following
        if (following % self._block == 0).any() or ((following + 1) % self._block == 0).any():
            self._spill(rows, first=False)

    def drop(self, rows: Iterable[int]) -> None:
        """Forget the episodes under way."""
        for row in rows:
            for columns in (self._observations, self._actions):
                columns.drop(row)
            for column in (self._rewards, self._terminations, self._truncations):
                column.chunks[row] = []
            if self._infos is not None:
                self._infos.drop(row)
            self._sums.pop(row, None)
            self._starts.pop(row, None)
            self._steps[row] = -1

    def end(self, rows: Iterable[int]) -> None:
        """Write finished episodes; after this they are in the file, even if the process is killed.

        Raises:
            OSError: If they cannot be written; the file is as before then.
        """
        rows, steps = list(rows), 0
        number = self._data_set.episodes
        addresses = []
        try:
            for k, row in enumerate(rows):
                steps += int(self._steps[row])
                addresses.append(self._written(row, number + k))
            self._file.write()
        finally:
            self.drop(rows)
        self._data_set.commit(addresses, steps)

    def cut(self, rows: Iterable[int]) -> None:
        """Mark the last step of episodes under way as truncated, and write those with a step."""
        begun = [row for row in rows if self._steps[row] > 0]
        for row in begun:
            last = int(self._steps[row]) - 1
            if len(self._truncations.chunks[row]) * self._block > last:
                self._file.mark(self._truncations.chunks[row][-1] + last % self._block)
            self._truncations.values[row, last % self._block] = True
        if begun:
            self.end(begun)

    def _spill(self, rows: Rows, first: bool) -> None:
        """Write full blocks."""
        spilled = set()
        for row in rows.tolist():
            steps = int(self._steps[row])
            if (steps + 1) % self._block == 0:
                self._observations.spill(row, self._file)
                if self._infos is not None:
                    self._infos.spill(row, self._file)
                spilled.add(row)
            if not first and steps % self._block == 0:
                self._sums.setdefault(row, []).append(_sums(self._rewards.values[row]))
                self._actions.spill(row, self._file)
                for column in (self._rewards, self._terminations, self._truncations):
                    column.spill(row, self._file)
                spilled.add(row)
        try:
            self._file.write()
        except OSError:
            self.drop(spilled)
            raise

    def _written(self, row: int, number: int) -> int:
        """Returns the address of an episode's group."""
        length = int(self._steps[row])
        rest = length - len(self._rewards.chunks[row]) * self._block
        sums = list(self._sums.get(row, []))
        if rest:
            sums.append(_sums(self._rewards.values[row, :rest]))
        links = {
            "observations": self._observations.finish(row, length + 1, self._file),
            "actions": self._actions.finish(row, length, self._file),
            "rewards": self._rewards.finish(row, length, self._file),
            "terminations": self._terminations.finish(row, length, self._file),
            "truncations": self._truncations.finish(row, length, self._file),
        }
        links["infos"] = (
            self._file.add(encoding.EMPTY_GROUP) if self._infos is None else self._infos.finish(row, length, self._file)
        )
        seed, options = self._starts[row]
        numbers: dict[str, Any] = {"id": number, "total_steps": length, **_statistics(sums)}
        if seed is not None:
            numbers["seed"] = int(seed)
        numbers.update((f"options/{name}", value) for name, value in options.items())
        attributes = [self._attribute(name, value) for name, value in numbers.items()]
        return self._file.add(encoding.group(links, attributes))

    def _attribute(self, name: str, value: object) -> bytes:
        if isinstance(value, str):
            heap, reference = encoding.string_heap([value], self._file.end)
            self._file.add(heap)
            return encoding.attribute(name, TEXT, (), reference.tobytes())
        if isinstance(value, int | float):
            small = isinstance(value, float) or -(2**63) <= value < 2**63
            return encoding.number(name, value) if small else self._attribute(name, str(value))
        array = np.asarray(value)
        array = array.astype(array.dtype.newbyteorder("<"))
        return encoding.attribute(name, array.dtype, array.shape, array.tobytes())


def block_of(observation_space: Space, action_space: Space, n: int) -> int:
    """Returns how many steps of each episode stay in memory.

    Raises:
        TypeError: If the format has no place for values of a space.
    """
    return blocks([step_size(observation_space), step_size(action_space), _FLAGS], n, _MEMORY, _OF_ONE)


def checked_options(options: Mapping[str, object] | None) -> dict[str, Any]:
    """Returns the options of a reset in a form that can be stored; those in a dict as `name/inner`.

    Raises:
        TypeError: If one can not.
    """
    found: dict[str, Any] = {}
    for name, value in (options or {}).items():
        if isinstance(value, Mapping):
            found.update((f"{name}/{inner}", one) for inner, one in checked_options(value).items())
        elif value is None or isinstance(value, str):
            found[str(name)] = str(value)
        else:
            array = np.asarray(value)
            if not encoding.storable(array.dtype) or array.dtype == TEXT or array.nbytes > _LARGEST_OPTION:
                raise TypeError(
                    f"The option {name!r} of reset cannot be recorded: it must be a number, a string, an array of up "
                    f"to {_LARGEST_OPTION} bytes, or a dict of them, but {value!r} came"
                )
            found[str(name)] = np.array(array)
    return found


def _sums(rewards: NDArray[np.float64]) -> tuple[int, float, float, float, float]:
    """Returns the number, the sum, the sum of squares about the mean, the maximum and the minimum."""
    with np.errstate(all="ignore"):  # of infinite rewards, too
        total = float(rewards.sum())
        deviations = rewards - total / len(rewards)
        return len(rewards), total, float(deviations @ deviations), rewards.max(), rewards.min()


def _statistics(parts: Sequence[tuple[int, float, float, float, float]]) -> dict[str, float]:
    count = sum(part[0] for part in parts)
    total = sum(part[1] for part in parts)
    mean = total / count
    offsets = [part[1] / part[0] - mean for part in parts]
    squares = sum(part[2] + part[0] * offset * offset for part, offset in zip(parts, offsets, strict=True))
    return {
        "rewards_sum": total,
        "rewards_mean": mean,
        "rewards_std": math.sqrt(squares / count),
        "rewards_max": float(max(part[3] for part in parts)),
        "rewards_min": float(min(part[4] for part in parts)),
    }
