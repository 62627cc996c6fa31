"""In which order NumPy puts the items of an array together: observed on an array that holds the places of its items.

A reduction such as a sum runs over runs of items, each by one call of an inner loop. Which items are a run, and whether
they are copied into a buffer before, depends on the layout, and on the version of NumPy.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from palaestra.language.operations.arrays import bounds_of
from palaestra.language.types import Array


class Run(NamedTuple):
    """One call of an inner loop.

    Attributes:
        results: The numbers of the results, in C's order, one for each item; all are one number for a sum of the items.
        items: Where the items are, in items from the first of the array's memory on.
        is_copied: Whether the items are copied into a buffer before.
    """

    results: tuple[int, ...]
    items: tuple[int, ...]
    is_copied: bool


class Runs(NamedTuple):
    """The runs of a reduction.

    Attributes:
        runs: One after the other.
        iterator: An `nditer` whose views of the result and of the array have the runs as their rows; None if none has.
        first: The places of the items that NumPy begins with where there is no zero or one to begin with.
    """

    runs: tuple[Run, ...]
    iterator: Any
    first: frozenset[int]


_PLAIN: Any = ["external_loop", "reduce_ok"]
_BUFFERED: Any = [*_PLAIN, "buffered", "grow_inner", "delay_bufalloc"]
_OPERANDS: Any = [["readwrite", "allocate"], ["readonly"]]


@lru_cache(maxsize=256)
def runs_of(kind: Array, axes: tuple[int, ...]) -> Runs:
    """Returns the runs of a reduction along axes of an array that has items."""
    places = _places(kind)
    left = iter(range(len(kind.shape)))
    of_result = [-1 if axis in axes else next(left) for axis in range(len(kind.shape))]
    of_both: Any = [of_result, list(range(len(kind.shape)))]
    given: Any = [None, places]
    buffered = np.nditer(given, _BUFFERED, _OPERANDS, op_axes=of_both)
    _number(buffered.operands[0])
    buffered.reset()
    runs = tuple(_run(one, other, places) for one, other in buffered)
    plain = np.nditer(given, _PLAIN, _OPERANDS, op_axes=of_both)
    _number(plain.operands[0])
    rows = [np.atleast_1d(one).reshape(-1, np.atleast_1d(one).shape[-1]) for one in plain.itviews]
    expected = tuple(_run(one, other, places) for one, other in zip(*rows, strict=True))
    is_regular = [run[:2] for run in runs] == [run[:2] for run in expected] and not any(run.is_copied for run in runs)
    key = tuple(0 if axis in axes else slice(None) for axis in range(len(kind.shape)))
    return Runs(runs, plain if is_regular else None, frozenset(_ints(places[(*key, ...)])))


def _places(kind: Array) -> Any:
    """An array of a type whose items are their places in its memory."""
    low, high = bounds_of(kind)
    memory = np.arange((high - low) // kind.dtype.itemsize, dtype=kind.dtype)
    return np.ndarray(kind.shape, kind.dtype, memory, -low, kind.strides)


def _number(result: Any) -> None:
    result[...] = np.arange(result.size).reshape(result.shape)


def _run(results: Any, items: Any, places: Any) -> Run:
    return Run(_ints(results), _ints(items), not np.may_share_memory(items, places))


def _ints(numbers: Any) -> tuple[int, ...]:
    return tuple(int(one) for one in numbers.ravel())
