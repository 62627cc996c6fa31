"""Values of one sort, step after step, of several episodes: a block of steps in memory, the rest in the file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gymnasium.spaces import Box, Dict, Discrete, MultiBinary, MultiDiscrete, Space, Text, Tuple
from palaestra.recording.data_sets import encoding
from palaestra.recording.data_sets.encoding import TEXT
from palaestra.recording.data_sets.file import TrajectoryFile

Path: TypeAlias = tuple[Any, ...]
Rows: TypeAlias = NDArray[np.intp]


class Column:
    """The values of n environments, each in an episode of its own.

    Args:
        n: The number of environments.
        block: The steps that stay in memory.
        dtype: The type of a value; `TEXT` for strings.
        shape: The shape of a value.
    """

    def __init__(self, n: int, block: int, dtype: np.dtype, shape: tuple[int, ...]) -> None:
        self.dtype = dtype.newbyteorder("<")
        self.shape = shape
        self.block = block
        self.values = np.full((n, block), "", object) if dtype == TEXT else np.zeros((n, block, *shape), self.dtype)
        self.chunks: list[list[int]] = [[] for _ in range(n)]

    def put(self, rows: Rows, steps: NDArray[np.int64], values: Any) -> None:
        """Keep the values of these steps, one for each row."""
        self.values[rows, steps % self.block] = values

    def spill(self, row: int, file: TrajectoryFile) -> None:
        """Add a full block to the file."""
        self.chunks[row].append(file.add(self._stored(row, self.block, file)))

    def finish(self, row: int, length: int, file: TrajectoryFile) -> int:
        """Returns the address of a dataset of the episode's values, which are forgotten here."""
        shape = (length, *self.shape)
        chunks, self.chunks[row] = self.chunks[row], []
        rest = length - len(chunks) * self.block
        if not chunks:
            values = self._stored(row, rest, file)
            return file.add(encoding.dataset(self.dtype, shape, file.add(values), len(values)))
        if rest:
            chunks.append(file.add(self._stored(row, self.block, file)))
        size = encoding.REFERENCE_SIZE if self.dtype == TEXT else self.dtype.itemsize
        tree, root = encoding.chunk_tree(chunks, self.block, self.shape, size, file.end)
        file.add(tree)
        return file.add(encoding.chunked_dataset(self.dtype, shape, self.block, root))

    def _stored(self, row: int, length: int, file: TrajectoryFile) -> bytes:
        """Returns the first values of the block in the form of the file."""
        values = self.values[row, :length]
        if self.dtype != TEXT:
            return values.tobytes()
        heap, references = encoding.string_heap(values.tolist(), file.end)
        file.add(heap)
        return references.tobytes()


class Columns:
    """A column for each part of a space's values.

    Args:
        space: The space.
        n: The number of environments.
        block: The steps that stay in memory.
        batched: Whether values come in batches.
    """

    def __init__(self, space: Space, n: int, block: int, batched: bool) -> None:
        self._batched = batched
        self._tree = _tree(space, (), lambda part: Column(n, block, *stored_as(part)))
        self.parts: list[tuple[Path, Column]] = list(_leaves(self._tree))

    def put(self, rows: Rows, steps: NDArray[np.int64], values: Any) -> None:
        """Keep the values of some rows, out of a batch of all."""
        if not self._batched:
            return self.put_one(0, int(steps[0]), values)
        for path, column in self.parts:
            part = at(values, path)
            part = np.array(part, object) if column.dtype == TEXT else np.asarray(part)
            column.put(rows, steps, part[rows])
        return None

    def put_one(self, row: int, step: int, value: Any) -> None:
        """Keep one value of the space."""
        for path, column in self.parts:
            column.values[row, step % column.block] = at(value, path)

    def spill(self, row: int, file: TrajectoryFile) -> None:
        """Add full blocks to the file."""
        for _, column in self.parts:
            column.spill(row, file)

    def drop(self, row: int) -> None:
        """Forget an episode."""
        for _, column in self.parts:
            column.chunks[row] = []

    def finish(self, row: int, length: int, file: TrajectoryFile) -> int:
        """Returns the address of the episode's values: a dataset, or groups of them."""
        return _finish(self._tree, lambda column: column.finish(row, length, file), file)


def step_size(space: Space) -> int:
    """Returns how many bytes of memory a value takes.

    Raises:
        TypeError: If the format has no place for values of this space.
    """
    kinds = [stored_as(part) for _, part in _leaves(_tree(space, (), lambda part: part))]
    return sum(dtype.itemsize * int(np.prod(shape)) for dtype, shape in kinds)


def stored_as(space: Space) -> tuple[np.dtype, tuple[int, ...]]:
    """Returns the type and the shape of a space's values.

    Raises:
        TypeError: If the format has no place for them.
    """
    if isinstance(space, Text):
        if "\0" in space.character_set:
            raise TypeError(f"HDF5 ends a string at its first NUL, which is a character of {space}")
        return TEXT, ()
    if isinstance(space, Box | Discrete | MultiBinary | MultiDiscrete) and encoding.storable(np.dtype(space.dtype)):
        return np.dtype(space.dtype), space.shape
    raise TypeError(
        f"Minari's format holds Box, Discrete, MultiBinary, MultiDiscrete, Text, Dict and Tuple, of types that HDF5 "
        f"knows, but {space} came; transform it into one of these with a wrapper"
    )


def at(value: Any, path: Path) -> Any:
    """Returns a part of a value."""
    for key in path:
        value = value[key]
    return value


def _tree(space: Space, path: Path, leaf: Callable[[Space], Any]) -> Any:
    """Returns the results of `leaf` for each part; a Dict or Tuple becomes a dict of names in the file."""
    if isinstance(space, Dict):
        return {_checked(name): (name, _tree(part, (*path, name), leaf)) for name, part in space.spaces.items()}
    if isinstance(space, Tuple):
        return {f"_index_{i}": (i, _tree(part, (*path, i), leaf)) for i, part in enumerate(space.spaces)}
    return leaf(space)


def _checked(name: object) -> str:
    if not isinstance(name, str) or not name or "/" in name or "\0" in name or name in (".", ".."):
        raise TypeError(f"A name in an HDF5 file is a string without '/', but a Dict has the key {name!r}; rename it")
    if len(name.encode()) > 255:
        raise TypeError(f"A name in an HDF5 file has at most 255 bytes, but a Dict has the key {name!r}; rename it")
    return name


def _leaves(tree: object, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    if not isinstance(tree, dict):
        yield path, tree
        return
    for key, part in tree.values():
        yield from _leaves(part, (*path, key))


def _finish(tree: Any, finish: Callable[[Column], int], file: TrajectoryFile) -> int:
    if not isinstance(tree, dict):
        return finish(tree)
    links = {name: _finish(part, finish, file) for name, (_, part) in tree.items()}
    return file.add(encoding.group(links))


def blocks(sizes: Sequence[int], n: int, memory: int, of_one: int) -> int:
    """Returns how many steps stay in memory: those of `of_one` bytes an environment, all at most `memory`."""
    budget = min(of_one, memory // n)
    return max(1, min(1024, budget // max(1, sum(sizes))))
