"""Values of a space, of n environments and several steps, as arrays whose first axis is time."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.spaces import Dict, Space, Tuple
from gymnasium.spaces.batching import create_empty_array
from gymnasium.vector._batch.trees import Tree, empty, host, leaves, mapped


def batch_of(space: Space[Any], batch: Any, n: int, name: str) -> Tree:
    """Returns a batch of n values as a tree of arrays; those of a space without a fixed shape as an array of objects.

    Raises:
        TypeError: If it has not the structure of the space.
        ValueError: If it has another shape.
    """
    if isinstance(space, Dict):
        if not isinstance(batch, dict) or batch.keys() != space.spaces.keys():
            raise TypeError(f"The {name} must be a dict with the keys {list(space.spaces)}, but {_kind(batch)} came")
        return {key: batch_of(part, batch[key], n, f"{name}[{key!r}]") for key, part in space.spaces.items()}
    if isinstance(space, Tuple):
        if not isinstance(batch, tuple) or len(batch) != len(space.spaces):
            raise TypeError(f"The {name} must be a tuple of {len(space.spaces)} batches, but {_kind(batch)} came")
        return tuple(batch_of(part, batch[k], n, f"{name}[{k}]") for k, part in enumerate(space.spaces))
    like = create_empty_array(space, 1)
    if not isinstance(like, np.ndarray):
        return _objects(batch, n, name)
    shape = n, *like.shape[1:]
    try:
        array: NDArray[Any] = host(batch)
    except ValueError:  # parts of several shapes
        raise ValueError(f"The {name} must be an array of the shape {shape}, but {_kind(batch)} came") from None
    if array.shape != shape:
        raise ValueError(f"The {name} must have the shape {shape}, but one of {array.shape} came")
    # What is to come may need the dtype of the space, even if this batch does not.
    return array.astype(np.result_type(array, like), copy=False)


def _objects(batch: Any, n: int, name: str) -> NDArray[Any]:
    items = list(batch)
    if len(items) != n:
        raise ValueError(f"The {name} must be {n} values, but {len(items)} came")
    return filled(np.full(n, None, object), items)


def _kind(batch: Any) -> str:
    if isinstance(batch, dict):
        return f"the keys {list(batch)}"
    return f"a tuple of {len(batch)}" if isinstance(batch, tuple) else f"a {type(batch)}"


def filled(array: NDArray[Any], items: Any) -> NDArray[Any]:
    """Returns `array` with one item in each row; an item may be an array without being spread over the row."""
    for i, item in enumerate(items):
        array[i] = item
    return array


class Series:
    """A tree of arrays of shape (steps, n, ...).

    Attributes:
        arrays: The tree.
        name: The name of the values in messages.
    """

    __slots__ = ("arrays", "name")

    def __init__(self, arrays: Tree, name: str) -> None:
        self.arrays = arrays
        self.name = name

    @classmethod
    def for_batch(cls, batch: Tree, steps: int, name: str, n: int, out: Tree = None) -> Series:
        """Returns memory for batches of n like `batch`: a new tree of arrays, or `out`.

        Raises:
            ValueError: If `out` has other shapes or dtypes.
        """
        if out is None:
            return cls(mapped(lambda leaf: empty((steps, n, *leaf.shape[1:]), leaf.dtype), batch), name)
        wanted = {path: ((steps, n, *leaf.shape[1:]), leaf.dtype) for path, leaf in leaves(batch, name)}
        given = {path: (leaf.shape, leaf.dtype) for path, leaf in leaves(out, name)}
        check_memory(wanted, given)
        return cls(out, name)

    def of(self, rows: slice) -> Series:
        """Returns the series of some environments, in the same memory."""
        return Series(mapped(lambda array: array[:, rows], self.arrays), self.name)

    def row(self, t: int) -> Tree:
        """Returns the batch of step `t`, in this memory; of objects their tuple."""
        if type(self.arrays) is np.ndarray and not self.arrays.dtype.hasobject:
            return self.arrays[t]
        return mapped(lambda array: tuple(array[t]) if array.dtype.hasobject else array[t], self.arrays)

    def put(self, t: int, batch: Tree) -> None:
        """Write the batch of step `t`.

        Raises:
            ValueError: If it has another shape.
            TypeError: If it has a dtype whose values would change.
        """
        _put(self.arrays, t, batch, self.name)

    def put_rows(self, t: int, rows: NDArray[np.intp], batch: Tree, origins: NDArray[np.intp]) -> None:
        """Write the rows `origins` of a batch into the rows `rows` of step `t`."""

        def write(array: NDArray[Any], values: Any) -> None:
            if array.dtype.hasobject:
                for i, k in zip(rows, origins, strict=True):
                    array[t, i] = values[k]
            else:
                array[t, rows] = host(values)[origins]

        mapped(write, self.arrays, batch)

    def like(self, k: int) -> Tree:
        """Returns new memory for k values."""
        return mapped(lambda array: empty((k, *array.shape[2:]), array.dtype), self.arrays)


def _put(arrays: Tree, t: int, batch: Any, name: str) -> None:
    if type(arrays) is not np.ndarray:
        for key in arrays if isinstance(arrays, dict) else range(len(arrays)):
            _put(arrays[key], t, batch[key], f"{name}[{key!r}]")
        return
    row = arrays[t]
    if arrays.dtype.hasobject:
        filled(row, batch)
        return
    value = batch if type(batch) is np.ndarray else host(batch)
    if value.shape != row.shape:
        raise ValueError(f"The {name} had the shape {row.shape}, but in row {t} one of {value.shape} came")
    if value.dtype != row.dtype and not np.can_cast(value.dtype, row.dtype):
        raise TypeError(f"The {name} had the dtype {row.dtype}, but in row {t} {value.dtype} came")
    row[...] = value


def check_memory(wanted: dict[str, tuple[Any, Any]], given: dict[str, tuple[Any, Any]]) -> None:
    """Check that arrays have the wanted shapes and dtypes.

    Raises:
        ValueError: If one is missing, superfluous or different.
    """
    if wanted.keys() != given.keys():
        raise ValueError(f"`out` must hold {sorted(wanted)}, but it holds {sorted(given)}; leave out `out`")
    for name, (shape, dtype) in wanted.items():
        if given[name] != (shape, dtype):
            came = f"{given[name][1]} of the shape {given[name][0]}"
            raise ValueError(f"`out` must hold {name} as {dtype} of the shape {shape}, but as {came}; leave out `out`")
