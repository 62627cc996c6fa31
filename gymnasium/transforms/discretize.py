"""Boxes cut into a grid of equal cells, and the maps from values to cells and back."""

from __future__ import annotations

from functools import partial
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.spaces import Box, Discrete, MultiDiscrete
from gymnasium.transforms.transform import Transform, required_box


class Grid(NamedTuple):
    """A Box whose entry `d` is cut into `bins[d]` intervals of equal length.

    Attributes:
        box: The Box.
        bins: The number of intervals of each entry.
        edges: The edges of the intervals of each entry, `bins[d] + 1` numbers.
        multidiscrete: Whether a cell is an array of interval indices instead of one row-major index.
    """

    box: Box
    bins: tuple[int, ...]
    edges: tuple[NDArray[np.float64], ...]
    multidiscrete: bool


def grid(purpose: str, space: Any, bins: int | tuple[int, ...], multidiscrete: bool) -> Grid:
    """Returns the grid over a Box.

    Args:
        purpose: The purpose of the grid, for messages.
        space: The Box.
        bins: The number of intervals, for every entry or for each.
        multidiscrete: See `Grid`.

    Raises:
        TypeError: If the space is not a Box, or `bins` neither an integer nor a tuple or list of integers.
        ValueError: If a bound is infinite, or both bounds of an entry are equal; if `bins` has another length than the
            Box, or is not positive everywhere.
    """
    box = required_box(purpose, space)
    if not (box.is_bounded() and np.isfinite(box.low).all() and np.isfinite(box.high).all()):
        raise ValueError(
            f"{purpose} needs finite bounds, but low={box.low} and high={box.high}; first bound the values with a "
            "wrapper of your own"
        )
    if (box.low == box.high).any():
        raise ValueError(
            f"{purpose} needs bounds that differ, but low={box.low} and high={box.high}; leave the entries out in "
            "which they are equal"
        )
    counts = _checked_bins(bins, prod(box.shape))
    bounds = zip(box.low.ravel(), box.high.ravel(), counts, strict=True)
    edges = tuple(np.linspace(low, high, n + 1, dtype=np.float64) for low, high, n in bounds)
    return Grid(box, counts, edges, multidiscrete)


def cells(over: Grid) -> Discrete | MultiDiscrete:
    """Returns the space of the grid's cells."""
    return MultiDiscrete(over.bins) if over.multidiscrete else Discrete(prod(over.bins))


def cell(value: np.ndarray, over: Grid) -> Any:
    """Returns the cell of a value: an int64 array of shape (d,), or an int."""
    found = cells_of(np.asarray(value)[np.newaxis], over)[0]
    return found if over.multidiscrete else int(found)


def cells_of(batch: np.ndarray, over: Grid) -> NDArray[np.int64]:
    """Returns the cell of each of n values, int64 of shape (n, d) or (n,). Values outside count as the border cell."""
    values = np.asarray(batch).reshape(len(batch), -1)
    columns = [np.digitize(values[:, d], edges[1:-1]) for d, edges in enumerate(over.edges)]
    return _encoded(np.stack(columns, axis=1).astype(np.int64), over)


def interval(chosen: object, over: Grid) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Returns the lower and the upper bounds of a cell, in the Box's shape."""
    (index,) = _decoded([chosen], over)
    lows = [edges[i] for i, edges in zip(index, over.edges, strict=True)]
    highs = [edges[i + 1] for i, edges in zip(index, over.edges, strict=True)]
    return np.reshape(lows, over.box.shape), np.reshape(highs, over.box.shape)


def center(chosen: object, over: Grid) -> np.ndarray:
    """Returns the centre of a cell, in the Box's shape and dtype."""
    middle: np.ndarray = centers_of([chosen], over)[0]
    return middle


def centers_of(batch: object, over: Grid) -> np.ndarray:
    """Returns the centre of each of n cells, of shape (n, *box.shape); rounded if the Box holds integers.

    An index beyond the grid counts as the last in its direction.
    """
    index = _decoded(batch, over)
    columns = [middles(edges)[index[:, d]] for d, edges in enumerate(over.edges)]
    values = np.stack(columns, axis=1)
    if over.box.dtype.kind != "f":
        np.rint(values, out=values)
    return values.reshape(-1, *over.box.shape).astype(over.box.dtype)


def nearest_cell(value: np.ndarray, over: Grid) -> Any:
    """Returns the cell whose centre is nearest to a value: an int64 array of shape (d,), or an int."""
    entries = np.asarray(value).ravel()
    index = [np.abs(middles(edges) - x).argmin() for x, edges in zip(entries, over.edges, strict=True)]
    found = _encoded(np.array([index], np.int64), over)[0]
    return found if over.multidiscrete else int(found)


def middles(edges: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns the midpoints of intervals."""
    return (edges[:-1] + edges[1:]) / 2


def observing(over: Grid) -> Transform:
    """Returns the transformation of values of the Box to cells."""
    return Transform(cells(over), partial(cell, over=over), partial(cells_of, over=over))


def acting(over: Grid) -> Transform:
    """Returns the transformation of cells to values of the Box, their centres."""
    return Transform(cells(over), partial(center, over=over), partial(centers_of, over=over))


def _encoded(index: NDArray[np.int64], over: Grid) -> NDArray[np.int64]:
    return index if over.multidiscrete else np.ravel_multi_index(tuple(index.T), over.bins).astype(np.int64)


def _decoded(batch: object, over: Grid) -> NDArray[np.int64]:
    """Returns the interval indices of n cells, of shape (n, d), within the grid."""
    given = np.asarray(batch)
    if over.multidiscrete:
        index: NDArray[np.int64] = np.clip(given.reshape(len(given), -1), 0, np.subtract(over.bins, 1))
        return index
    flat = np.clip(given.reshape(-1), 0, prod(over.bins) - 1)
    return np.stack(np.unravel_index(flat, over.bins), axis=1)


def _checked_bins(bins: object, n_dims: int) -> tuple[int, ...]:
    counts = (bins,) * n_dims if isinstance(bins, (int, np.integer)) else bins
    if not isinstance(counts, (tuple, list)) or not all(isinstance(n, (int, np.integer)) for n in counts):
        raise TypeError(
            f"`bins` must be an integer or a tuple of integers, but {bins!r} (of type {type(bins).__name__}) came"
        )
    if len(counts) != n_dims:
        raise ValueError(f"`bins` must have an entry for each of the Box's {n_dims}, but has {len(counts)}: {bins!r}")
    if any(n <= 0 for n in counts):
        raise ValueError(f"`bins` must be positive, but this came: {bins!r}")
    return tuple(int(n) for n in counts)
