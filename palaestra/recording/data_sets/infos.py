"""Infos of several episodes: a column for each key that was ever reported, and a mask where a step did not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from palaestra.recording.data_sets import encoding
from palaestra.recording.data_sets.columns import Column
from palaestra.recording.data_sets.encoding import TEXT
from palaestra.recording.data_sets.file import TrajectoryFile

_BOOL = np.dtype(np.bool_)
Keys = tuple[str, ...]


class Infos:
    """The infos of n environments; those of a reset are number 0.

    Args:
        n: The number of environments.
        block: The steps that stay in memory.
    """

    def __init__(self, n: int, block: int) -> None:
        self._n, self._block = n, block
        self._columns: dict[Keys, tuple[Column, Column]] = {}  # values, and whether they were reported
        self._spilled = [0] * n
        self._reported: list[dict[Keys, int]] = [{} for _ in range(n)]  # how often, in the episode

    def put(self, row: int, number: int, info: Mapping[str, Any], file: TrajectoryFile) -> None:
        """Keep the info of a step.

        Raises:
            TypeError: If a value cannot be stored, or is of another kind than before.
        """
        found = {keys: _stored(keys, value) for keys, value in _flat(info)}
        for keys, value in found.items():
            self._check(keys, value)
        place = number % self._block
        for keys in found:
            if keys not in self._columns:
                self._columns[keys] = self._column(found[keys], file)
        for keys, (values, mask) in self._columns.items():
            mask.values[row, place] = keys in found
            if keys not in found:
                values.values[row, place] = "" if values.dtype == TEXT else 0
            else:
                values.values[row, place] = found[keys][()]
                self._reported[row][keys] = self._reported[row].get(keys, 0) + 1

    def spill(self, row: int, file: TrajectoryFile) -> None:
        """Add full blocks to the file."""
        self._spilled[row] += 1
        for values, mask in self._columns.values():
            values.spill(row, file)
            mask.spill(row, file)

    def drop(self, row: int) -> None:
        """Forget an episode."""
        self._spilled[row], self._reported[row] = 0, {}
        for values, mask in self._columns.values():
            values.chunks[row], mask.chunks[row] = [], []

    def finish(self, row: int, length: int, file: TrajectoryFile) -> int:
        """Returns the address of the group of infos of an episode."""
        tree: dict[str, Any] = {}
        for keys, times in self._reported[row].items():
            values, mask = self._columns[keys]
            inner = tree
            for key in keys[:-1]:
                inner = inner.setdefault(key, {})
            inner[keys[-1]] = values.finish(row, length + 1, file)
            if times <= length:
                inner[f"_{keys[-1]}"] = mask.finish(row, length + 1, file)
        return _group(tree, file)

    def _column(self, value: np.ndarray, file: TrajectoryFile) -> tuple[Column, Column]:
        """Returns the columns of a new key; blocks that were spilled before have none of it."""
        columns = Column(self._n, self._block, value.dtype, value.shape), Column(self._n, self._block, _BOOL, ())
        for column in columns:
            if any(self._spilled):
                size = encoding.REFERENCE_SIZE if column.dtype == TEXT else column.dtype.itemsize
                empty = file.add(bytes(self._block * int(np.prod(column.shape)) * size))
                column.chunks = [[empty] * count for count in self._spilled]
        return columns

    def _check(self, keys: Keys, value: np.ndarray) -> None:
        if keys not in self._columns:
            return
        known = self._columns[keys][0]
        safe = (known.dtype == TEXT) == (value.dtype == TEXT) and np.can_cast(value.dtype, known.dtype)
        if not safe or value.shape != known.shape:
            raise TypeError(
                f"The info {'/'.join(keys)!r} was {known.dtype} of shape {known.shape} and is {value.dtype} of shape "
                f"{value.shape} now; let it keep its kind, or leave record_infos out"
            )


def row_of(infos: Mapping[str, Any], row: int) -> dict[str, Any]:
    """Returns the info of one environment out of the infos of a batch."""
    found = {}
    for key, value in infos.items():
        mask = infos.get(f"_{key}")
        if isinstance(mask, np.ndarray):
            if mask[row]:
                found[key] = row_of(value, row) if isinstance(value, Mapping) else value[row]
        elif not (key.startswith("_") and key[1:] in infos):
            found[key] = row_of(value, row) if isinstance(value, Mapping) else value[row]
    return found


def _flat(info: Mapping[str, object], above: Keys = ()) -> Iterator[tuple[Keys, Any]]:
    for key, value in info.items():
        keys = (*above, str(key).replace("/", "."))
        if isinstance(value, Mapping):
            yield from _flat(value, keys)
        else:
            yield keys, value


def _stored(keys: Keys, value: object) -> np.ndarray:
    if isinstance(value, str):
        return np.array(value, object)
    array = np.asarray(value)
    if array.dtype == TEXT or not encoding.storable(array.dtype):
        raise TypeError(
            f"The info {'/'.join(keys)!r} cannot be recorded: it must be a number, a string, an array of numbers, or a "
            f"dict of them, but {value!r} came; leave record_infos out, or the info, by a wrapper"
        )
    return array


def _group(tree: Mapping[str, Any], file: TrajectoryFile) -> int:
    links = {key: _group(part, file) if isinstance(part, dict) else part for key, part in tree.items()}
    return file.add(encoding.group(links))
