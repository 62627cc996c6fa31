"""Digests of observations: eight bytes for each array of one, by which two runs are compared."""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.spaces import Box, Dict, Discrete, MultiBinary, MultiDiscrete, Space, Text, Tuple
from gymnasium.spaces.batching import iterate
from gymnasium.states.files import form_of
from gymnasium.states.plain import plain

_SIZE = 8
_ARRAYS = Box, Discrete, MultiBinary, MultiDiscrete


class Digester:
    """Makes the digests of a space's values.

    Values are compared in the dtypes of their space, in which a batch of any runner holds them.

    Attributes:
        names: The names of a value's arrays, such as `observation['goal']`.
    """

    def __init__(self, space: Space) -> None:
        self._space = space
        self.names = _names(space, "observation")

    def of(self, value: Any) -> bytes:
        """Returns the digests of a value, one after the other."""
        return b"".join(_digest(content) for content in _contents(self._space, value))

    def of_rows(self, batched: Space, values: Any, rows: list[int]) -> list[bytes]:
        """Returns the digests of some values of a batch from the space `batched`."""
        if not isinstance(self._space, _ARRAYS):
            each = list(iterate(batched, values))
            return [self.of(each[row]) for row in rows]
        array = np.ascontiguousarray(np.asarray(values, self._space.dtype))
        size = array[0].nbytes
        content = array.reshape(-1).view(np.uint8).data
        return [_digest(content[row * size : (row + 1) * size]) for row in rows]

    def table(self, digests: bytes | bytearray) -> NDArray[np.uint64]:
        """Returns digests as numbers, shape (values, arrays of each)."""
        return np.frombuffer(digests, "<u8").reshape(-1, len(self.names))


def _digest(content: Any) -> bytes:
    return blake2b(content, digest_size=_SIZE).digest()


def _names(space: Space, name: str) -> list[str]:
    if isinstance(space, Dict):
        return [part for key, inner in space.spaces.items() for part in _names(inner, f"{name}[{key!r}]")]
    if isinstance(space, Tuple):
        return [part for k, inner in enumerate(space.spaces) for part in _names(inner, f"{name}[{k}]")]
    return [name]


def _contents(space: Space, value: Any) -> list[Any]:
    if isinstance(space, Dict):
        return [part for key, inner in space.spaces.items() for part in _contents(inner, value[key])]
    if isinstance(space, Tuple):
        return [part for k, inner in enumerate(space.spaces) for part in _contents(inner, value[k])]
    if isinstance(space, _ARRAYS):
        return [np.asarray(value, space.dtype).tobytes()]
    if isinstance(space, Text):
        return [str(value).encode()]
    blobs: list[bytes] = []
    form = json.dumps(form_of(plain(value, "an observation"), blobs))
    return [b"".join([form.encode(), *blobs])]
