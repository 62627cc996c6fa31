"""The memory that a vector environment shares with its workers: actions, observations, rewards and flags.

One block holds a column of n rows for each. Worker and parent compute the same layout from the same `Layout`. The
worker writes the rows of its environments, and the parent reads them once the worker reports that it is done.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import secrets
import socket
import sys
import tempfile
import weakref
from collections.abc import Callable, Sequence
from multiprocessing import sharedctypes
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.error import CustomSpaceError
from gymnasium.spaces.array_space import ArraySpace
from gymnasium.spaces.batching import concatenate
from gymnasium.spaces.dict import Dict
from gymnasium.spaces.discrete import Discrete
from gymnasium.spaces.sharing import create_shared_memory, read_from_shared_memory, write_to_shared_memory
from gymnasium.spaces.space import Space
from gymnasium.spaces.tuple import Tuple
from gymnasium.vector._batch.actions import knows_its_values

_ALIGNMENT = 64  # bytes, a cache line
_NAME_BYTES = 16

RowWriter = Callable[[int, Any], None]


def can_share_memory() -> bool:
    """Returns whether a block of memory can be sent to another process."""
    return sys.platform == "win32" or hasattr(socket, "AF_UNIX")


class Memory:
    """A block of memory without a name in any file system, so it disappears with the last process that maps it."""

    def __init__(self, size: int, handle: Any = None) -> None:
        """Map a new block, or the block of a `handle`."""
        self.size = size
        if sys.platform == "win32":
            self._handle = handle or secrets.token_hex(_NAME_BYTES // 2).encode()
            self.buffer = mmap.mmap(-1, size, tagname=self._handle.decode())
        else:
            self._handle: int = _unnamed_file(size) if handle is None else handle
            self._close = weakref.finalize(self, os.close, self._handle)
            self.buffer = mmap.mmap(self._handle, size)

    def send(self, end: socket.socket) -> None:
        """Send the block to the process at the other end."""
        if sys.platform == "win32":
            end.send(self._handle)
        else:
            socket.send_fds(end, [b"m"], [self._handle])

    @classmethod
    def receive(cls, end: socket.socket, size: int) -> Memory:
        """Map the block that the process at the other end sends.

        Raises:
            EOFError: If that process is gone.
        """
        if sys.platform == "win32":
            handle: Any = end.recv(_NAME_BYTES, socket.MSG_WAITALL)
        else:
            _, handles, _, _ = socket.recv_fds(end, 1, 1)
            handle = handles[0] if handles else None
        if not handle:
            raise EOFError("The process that owns the memory is gone")
        return cls(size, handle)

    def close_handle(self) -> None:
        """Close the handle, after which the block cannot be passed on; existing maps stay."""
        if sys.platform != "win32":
            self._close()


def _unnamed_file(size: int) -> int:
    if hasattr(os, "memfd_create"):
        handle = os.memfd_create("gymnasium-arena")
    else:
        with tempfile.TemporaryFile() as file:
            handle = os.dup(file.fileno())
    os.truncate(handle, size)
    return handle


class Layout(NamedTuple):
    """The contents of the memory.

    Attributes:
        n: The number of environments.
        observation_space: The space of a single observation; None if they are not in the memory.
        action_space: The space of a single action; None if they are not in the memory.
    """

    n: int
    observation_space: Space | None
    action_space: Space | None

    def size(self) -> int:
        """Returns its size in bytes."""
        allocator = _Allocator(None)
        self.allocate(allocator)
        return max(allocator.size, 1)

    def allocate(self, allocator: _Allocator) -> tuple[Any, ...]:
        """Returns the memory of the rewards, the actions, the terminations, the truncations and the observations."""

        def values(space: Space | None) -> Any:
            return None if space is None else create_shared_memory(space, self.n, allocator)

        rewards, actions = allocator.Array("d", self.n), values(self.action_space)
        terminations, truncations = (allocator.Array(ctypes.c_bool, self.n) for _ in range(2))
        return rewards, actions, terminations, truncations, values(self.observation_space)


class Arena:
    """The memory with its columns.

    Attributes:
        rewards: float64, shape (n,).
        terminations, truncations: bool, shape (n,).
        actions: The batch of actions, None if they are not in the memory.
    """

    def __init__(self, layout: Layout, memory: Memory) -> None:
        allocator = _Allocator(memory.buffer)
        rewards, actions, terminations, truncations, self._observations = layout.allocate(allocator)
        self._layout = layout
        # What must survive a worker that dies while it writes; rewards are written again before they are read.
        self._kept = allocator.arrays[allocator.arrays.index(terminations) :]
        self._memory = memory
        self._rows = [column.rows(memory.buffer, layout.n) for column in self._kept]
        self.rewards: NDArray[np.float64] = np.frombuffer(rewards.get_obj(), np.float64)
        self.terminations: NDArray[np.bool_] = np.frombuffer(terminations.get_obj(), np.bool_)
        self.truncations: NDArray[np.bool_] = np.frombuffer(truncations.get_obj(), np.bool_)
        self.actions: Any = None
        if layout.action_space is not None:
            self.actions = read_from_shared_memory(layout.action_space, actions, layout.n)

    def observations(self) -> Any:
        """Returns the batch of observations: views of the memory, or copies of encoded values (Text, OneOf)."""
        assert self._layout.observation_space is not None
        return read_from_shared_memory(self._layout.observation_space, self._observations, self._layout.n)

    def observation_writer(self) -> RowWriter:
        """Returns the function that writes the observation of one environment."""
        assert self._layout.observation_space is not None
        return _row_writer(self._layout.observation_space, self._observations, self._layout.n)

    def unchanged(self, env: int, write: Callable[[], None]) -> bool:
        """Whether the rows of an environment are the same bytes after `write`."""
        before = [rows[env].tobytes() for rows in self._rows]
        write()
        return before == [rows[env].tobytes() for rows in self._rows]

    def saved(self) -> Saved:
        """Returns a copy of the observations and flags."""
        return Saved(self._memory.buffer, self._kept, self._layout.n)


class Saved:
    """A copy of the observations and flags, for the case that a worker dies while it writes some."""

    def __init__(self, buffer: mmap.mmap, columns: list[_Column], n: int) -> None:
        copy = bytearray(buffer)
        whole = slice(columns[0].start, columns[-1].stop)
        self._whole, self._whole_copy = memoryview(buffer)[whole], memoryview(copy)[whole]
        self._rows = [(column.rows(buffer, n), column.rows(copy, n)) for column in columns]

    def save(self) -> None:
        """Copy all."""
        self._whole_copy[:] = self._whole

    def save_rows(self, envs: Sequence[int]) -> None:
        """Copy those of some environments."""
        for rows, copy in self._rows:
            copy[envs] = rows[envs]

    def restore_rows(self, envs: Sequence[int]) -> None:
        """Put the copy of some back."""
        for rows, copy in self._rows:
            rows[envs] = copy[envs]


def fits_arena(space: Space) -> bool:
    """Whether values of the space can be in shared memory; dynamic and user-defined spaces cannot."""
    try:
        create_shared_memory(space, 1, _Allocator(None))
    except (AttributeError, CustomSpaceError, TypeError):
        return False
    return True


def is_arrays(space: Space) -> bool:
    """Whether values of the space are arrays, or tuples and dicts of arrays, as far as is known."""
    if not knows_its_values(space):
        return False
    if isinstance(space, Tuple):
        return all(map(is_arrays, space.spaces))
    if isinstance(space, Dict):
        return all(map(is_arrays, space.spaces.values()))
    return isinstance(space, ArraySpace)


class _Column:
    """A stretch of the memory, with the attributes of a `multiprocessing.Array` that spaces use."""

    def __init__(self, array: Any, start: int) -> None:
        self._array = array
        self.start = start
        self.stop = start + ctypes.sizeof(array)

    def get_obj(self) -> Any:
        """The ctypes array."""
        return self._array

    def rows(self, buffer: mmap.mmap | bytearray, n: int) -> NDArray[np.uint8]:
        """The bytes of the n rows in a buffer."""
        return np.frombuffer(buffer, np.uint8)[self.start : self.stop].reshape(n, -1)


class _Allocator:
    """Replaces the multiprocessing context in `create_shared_memory`: its arrays are cut from `buffer`.

    Without a buffer it only adds up the size.
    """

    def __init__(self, buffer: mmap.mmap | None) -> None:
        self.buffer = buffer
        self.size = 0
        self.arrays: list[_Column] = []

    def Array(self, kind: Any, size: int) -> _Column | None:  # noqa: N802  (the context's name for it)
        """Returns room for `size` values of a ctypes type or a typecode."""
        item = sharedctypes.typecode_to_type.get(kind, kind)  # type: ignore[attr-defined]  # not in typeshed
        start = self.size
        self.size += -(-ctypes.sizeof(item) * size // _ALIGNMENT) * _ALIGNMENT
        if self.buffer is None:
            return None
        column = _Column((item * size).from_buffer(self.buffer, start) if size else (item * 0)(), start)
        if size:
            self.arrays.append(column)
        return column


def _row_writer(space: Space, memory: Any, n: int) -> RowWriter:
    """Returns the function that writes one value of the space into the memory of n."""
    if isinstance(space, ArraySpace):
        return _array_writer(space, read_from_shared_memory(space, memory, n))
    if isinstance(space, Tuple):
        parts = [_row_writer(part, column, n) for part, column in zip(space.spaces, memory, strict=True)]

        def write_tuple(i: int, value: Any) -> None:
            for write, item in zip(parts, value, strict=True):
                write(i, item)

        return write_tuple
    if isinstance(space, Dict):
        fields = {key: _row_writer(part, memory[key], n) for key, part in space.spaces.items()}

        def write_dict(i: int, value: Any) -> None:
            for key, write in fields.items():
                write(i, value[key])

        return write_dict
    return lambda i, value: write_to_shared_memory(space, i, value, memory)


def _array_writer(space: ArraySpace[Any], rows: NDArray[Any]) -> RowWriter:
    """Assigns values of exactly the right type; others take the slower path that checks shape and kind."""
    shape, scalar = space.shape, isinstance(space, Discrete)
    dtype = np.dtype(space.dtype.str)  # the one object that arrays share; that of an unpickled space is a copy

    def write(i: int, value: Any) -> None:
        kind = type(value)
        exact = kind is np.ndarray and value.dtype is dtype and value.shape == shape
        if exact or (scalar and (kind is int or kind is np.int64)):
            rows[i] = value
        else:
            concatenate(space, (value,), rows[i : i + 1])

    return write
