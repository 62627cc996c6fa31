"""Stages: changes of observations and actions by wrappers in the loop of a rollout, each a kernel with its context."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.transforms import moments
from gymnasium.transforms.rescale import Affine
from palaestra.runner.kernels.columns import Column
from palaestra.runner.transforms import layout as at
from palaestra.runner.transforms.loading import stage_address


class Batch(NamedTuple):
    """The values of all environments, where kernels read and write them.

    Attributes:
        rows: Shape (n, ...), with further room behind it for lanes.
        lasts: The same, for the last observations of episodes; those of actions are not used.
    """

    rows: np.ndarray
    lasts: np.ndarray

    @classmethod
    def empty(cls, n: int, dtype: np.dtype, shape: tuple[int, ...]) -> Batch:
        """Returns memory for n values of a dtype and a shape."""
        column = Column("values", dtype, shape)
        return cls(column.empty(n), column.empty(n))


class Place(NamedTuple):
    """The environments, as a stage knows them.

    Attributes:
        fresh: Where a step returned the first observation of an episode, shape (n,).
        mode: The autoreset mode, as a number of `kernels.layout`.
    """

    fresh: NDArray[np.bool_]
    mode: int


class Stage(NamedTuple):
    """A kernel with its memory.

    Attributes:
        address: Its address; it takes that of the context, and rows.
        context: The words of `layout`.
        memory: The arrays that the context points to.
        together: Whether it must be called for all rows at once.
    """

    address: int
    context: NDArray[np.int64]
    memory: dict[str, Any]
    together: bool = False


def _stage(name: str, place: Place, values: Batch, out: Batch, **words: Any) -> Stage:
    """Returns a stage whose context has these words, arrays as their addresses."""
    context = np.zeros(at.WORDS, np.int64)
    rows = values.rows
    words |= {
        "N": len(rows),
        "MODE": place.mode,
        "FRESH": place.fresh,
        "INPUT": rows,
        "INPUT_LAST": values.lasts,
        "OUTPUT": out.rows,
        "OUTPUT_LAST": out.lasts,
        "WIDTH": rows[0].size,
        "KIND": at.KINDS.index(rows.dtype.name) if rows.dtype.name in at.KINDS else -1,
    }
    for word, value in words.items():
        context[getattr(at, word)] = value.ctypes.data if isinstance(value, np.ndarray) else value
    return Stage(stage_address(name), context, words, name == "normalize")


def normalizing(
    place: Place, values: Batch, out: Batch, state: moments.Moments, epsilon: float, updates: bool
) -> Stage:
    """Returns the stage that normalizes observations; `moments_in` returns its moments afterwards."""
    width, size = values.rows[0].size, values.rows.size
    dtype = state.mean.dtype
    most = most_folds(width)
    return _stage(
        "normalize",
        place,
        values,
        out,
        MEAN=np.array(state.mean, order="C"),
        VAR=np.array(state.var, order="C"),
        NUMBERS=np.array([state.n, epsilon]),
        UPDATES=updates,
        BATCH=np.empty(size, dtype),
        SQUARES=np.empty(size, dtype),
        SUMS=np.empty(width, dtype),
        SPREAD=np.empty(width, dtype),
        SCALE=np.empty(width, dtype),
        PARTIAL=np.empty(most * width, dtype),
        MOST_FOLDS=most,
        LARGE=moments._LARGE,
    )


def moments_in(stage: Stage) -> moments.Moments:
    """Returns the moments of a stage of `normalizing`."""
    memory = stage.memory
    return moments.Moments(memory["MEAN"], memory["VAR"], float(memory["NUMBERS"][0]))


def most_folds(width: int) -> int:
    """Returns the most rows that `moments` takes side by side, each of so many numbers."""
    return 1 << (moments._ROW // max(width, 1)).bit_length()


def stacking(place: Place, values: Batch, out: Batch, padding: Any) -> Stage:
    """Returns the stage that stacks observations; `out.rows` holds the stacks, also those to begin with."""
    rows = values.rows
    words = {"FRAMES": out.rows.shape[1], "FRAME": rows[0].nbytes}
    if padding is not None:
        words["PADDING"] = np.array(np.broadcast_to(padding, rows.shape[1:]), rows.dtype, order="C")
    return _stage("stack", place, values, out, **words)


class OneHot(NamedTuple):
    """A part of an observation that becomes one-hot vectors.

    Attributes:
        counts: The number of values of each of its numbers, int64.
        starts: The lowest values.
    """

    counts: NDArray[np.int64]
    starts: NDArray[np.int64]


def flattening(place: Place, parts: Sequence[tuple[Batch, OneHot | None]], out: Batch) -> Stage:
    """Returns the stage that writes the parts of observations side by side."""
    item = out.rows.dtype.itemsize
    table = np.zeros((len(parts), at.WORDS_OF_PART), np.int64)
    offset = 0
    for row, (part, one_hot) in zip(table, parts, strict=True):
        row[at.PART], row[at.PART_LAST] = part.rows.ctypes.data, part.lasts.ctypes.data
        row[at.OFFSET] = offset
        if one_hot is None:
            row[at.SIZE] = part.rows[0].nbytes
            offset += part.rows[0].nbytes
        else:
            row[at.SIZE] = one_hot.counts.size
            row[at.COUNTS], row[at.STARTS] = one_hot.counts.ctypes.data, one_hot.starts.ctypes.data
            offset += int(one_hot.counts.sum()) * item
    one = np.ones(1, out.rows.dtype)
    words = {"TABLE": table, "PARTS": len(table), "LENGTH": offset, "ONE": one, "ITEM": item}
    stage = _stage("flatten", place, parts[0][0], out, **words)
    return stage._replace(memory={**stage.memory, "parts": parts})


def packing(parts: Sequence[Batch], out: Batch) -> Stage:
    """Returns the stage that writes the parts of observations, of the dtypes in `KINDS`, side by side as float64."""
    table = np.zeros((len(parts), at.WORDS_OF_PART), np.int64)
    offset = 0
    for row, part in zip(table, parts, strict=True):
        row[at.PART], row[at.PART_KIND] = part.rows.ctypes.data, at.KINDS.index(part.rows.dtype.name)
        row[at.SIZE], row[at.OFFSET] = part.rows[0].size, offset
        offset += part.rows[0].size
    everywhere = Place(np.zeros(0, np.bool_), 0)
    stage = _stage("pack", everywhere, parts[0], out, TABLE=table, PARTS=len(table), LENGTH=offset)
    return stage._replace(memory={**stage.memory, "parts": parts})


def restoring(values: np.ndarray, out: np.ndarray, to: Affine) -> Stage:
    """Returns the stage that maps actions of the new Box of `to` onto the old one, both of the same float dtype."""
    arrays = {
        "LOW": to.old.low,
        "HIGH": to.old.high,
        "GRADIENT": to.gradient,
        "INTERCEPT": to.intercept,
        "OUTER_LOW": to.new.low,
        "OUTER_HIGH": to.new.high,
    }
    return _of_actions("restore", values, out, arrays)


def clipping(values: np.ndarray, out: np.ndarray, low: np.ndarray, high: np.ndarray) -> Stage:
    """Returns the stage that clips actions, to bounds of the same float dtype."""
    return _of_actions("clip", values, out, {"LOW": low, "HIGH": high})


def _of_actions(name: str, values: np.ndarray, out: np.ndarray, arrays: dict[str, np.ndarray]) -> Stage:
    words = {word: np.array(array, values.dtype, order="C") for word, array in arrays.items()}
    everywhere = Place(np.zeros(0, np.bool_), 0)
    return _stage(name, everywhere, Batch(values, values), Batch(out, out), **words)


def table_of(stages: Sequence[Stage]) -> NDArray[np.int64]:
    """Returns the addresses of the kernels and of their contexts, in the order in which they are called."""
    rows = [(stage.address, stage.context.ctypes.data) for stage in stages]
    return np.array(rows, np.int64).reshape(len(rows), 2)
