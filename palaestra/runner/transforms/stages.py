"""Stages: changes of observations and actions by wrappers in the loop of a rollout, each a kernel with its context."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.transforms import moments
from gymnasium.transforms.rescale import Affine
from palaestra.runner.kernels.columns import Column
from palaestra.runner.transforms import layout, stage_kernels
from palaestra.runner.transforms.layout import Places
from palaestra.runner.transforms.loading import address_of
from palaestra.runner.transforms.stage_kernels import Acting, Flattening, Normalizing, Stacking
from palaestra.runner.transforms.sums import most_folds


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
        kernel: The function in the language: of the form, of the address of the context, and of rows.
        form: What is known when it is compiled.
        context: The words of `layout`.
        memory: The arrays that the context points to.
    """

    kernel: Callable[[Any, int, int, int], int]
    form: Any
    context: NDArray[np.int64]
    memory: dict[str, Any]

    @property
    def address(self) -> int:
        """The address of its machine code, which takes the address of the context, and rows."""
        return address_of(self.kernel, self.form, 3)

    @property
    def together(self) -> bool:
        """Whether it must be called for all rows at once."""
        return self.kernel is stage_kernels.normalize


def _stage(
    kernel: Callable[..., int], form: object, places: Places, place: Place, values: Batch, out: Batch, **words: Any
) -> Stage:
    """Returns a stage whose context has these words, arrays as their addresses."""
    words |= {
        "n": len(values.rows),
        "fresh": place.fresh,
        "input": values.rows,
        "input_last": values.lasts,
        "output": out.rows,
        "output_last": out.lasts,
    }
    return Stage(kernel, form, filled(places, words), words)


def filled(places: Places, words: dict[str, Any]) -> NDArray[np.int64]:
    """Returns the memory of a kernel: words at their places, arrays as their addresses, and 0 for all others."""
    memory = np.zeros(len(places), np.int64)
    for name, value in words.items():
        memory[places[name]] = value.ctypes.data if isinstance(value, np.ndarray) else value
    return memory


def normalizing(
    place: Place, values: Batch, out: Batch, state: moments.Moments, epsilon: float, updates: bool
) -> Stage:
    """Returns the stage that normalizes observations; `moments_in` returns its moments afterwards."""
    width, size = values.rows[0].size, values.rows.size
    kind = state.mean.dtype
    side = most_folds(width) * width
    return _stage(
        stage_kernels.normalize,
        Normalizing(values.rows.dtype, kind, width, place.mode, updates, size >= stage_kernels.LARGE),
        layout.NORMALIZE,
        place,
        values,
        out,
        mean=np.array(state.mean, order="C"),
        var=np.array(state.var, order="C"),
        **{name: np.empty(width, kind) for name in ("sums", "spread", "scale")},
        rows=np.empty(size, kind),
        **{name: np.empty(side, kind) for name in ("partial", "side")},
        seen=np.array([state.n], np.float64),
        epsilon=np.array([epsilon], np.float64),
        normalized=np.empty(size, np.float32),
        deviations=np.empty(size, kind),
    )


def moments_in(stage: Stage) -> moments.Moments:
    """Returns the moments of a stage of `normalizing`."""
    memory = stage.memory
    return moments.Moments(memory["mean"], memory["var"], float(memory["seen"][0]))


def stacking(place: Place, values: Batch, out: Batch, padding: Any) -> Stage:
    """Returns the stage that stacks observations; `out.rows` holds the stacks, also those to begin with."""
    rows, words = values.rows, {}
    if padding is not None:
        words["padding"] = np.array(np.broadcast_to(padding, rows.shape[1:]), rows.dtype, order="C")
    form = Stacking(out.rows.shape[1], rows[0].nbytes, place.mode)
    return _stage(stage_kernels.stack, form, layout.STACK, place, values, out, **words)


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
    table = np.zeros((len(parts), layout.WORDS_OF_PART), np.int64)
    offset = 0
    for row, (part, one_hot) in zip(table, parts, strict=True):
        row[layout.PART], row[layout.PART_LAST] = part.rows.ctypes.data, part.lasts.ctypes.data
        row[layout.OFFSET] = offset
        if one_hot is None:
            row[layout.SIZE] = part.rows[0].nbytes
            offset += part.rows[0].nbytes
        else:
            row[layout.SIZE] = one_hot.counts.size
            row[layout.COUNTS], row[layout.STARTS] = one_hot.counts.ctypes.data, one_hot.starts.ctypes.data
            offset += int(one_hot.counts.sum()) * item
    one = np.ones(1, out.rows.dtype)
    words = {"table": table, "parts": len(table), "one": one}
    form = Flattening(offset, item, place.mode)
    stage = _stage(stage_kernels.flatten, form, layout.FLATTEN, place, parts[0][0], out, **words)
    return stage._replace(memory={**stage.memory, "values": parts})


def packing(parts: Sequence[Batch], out: Batch) -> Stage:
    """Returns the stage that writes the parts of observations, of the dtypes in `KINDS`, side by side as float64."""
    table = np.zeros((len(parts), layout.WORDS_OF_PART), np.int64)
    offset = 0
    for row, part in zip(table, parts, strict=True):
        row[layout.PART], row[layout.PART_KIND] = part.rows.ctypes.data, layout.KINDS.index(part.rows.dtype.name)
        row[layout.SIZE], row[layout.OFFSET] = part.rows[0].size, offset
        offset += part.rows[0].size
    everywhere = Place(np.zeros(0, np.bool_), 0)
    words = {"table": table, "parts": len(table), "length": offset}
    stage = _stage(stage_kernels.pack, None, layout.PACK, everywhere, parts[0], out, **words)
    return stage._replace(memory={**stage.memory, "values": parts})


def restoring(values: np.ndarray, out: np.ndarray, to: Affine) -> list[Stage]:
    """Returns the stages that map actions of the new Box of `to` onto the old one, both of the same float dtype."""
    arrays = {
        "least": to.old.low,
        "most": to.old.high,
        "gradient": to.gradient,
        "intercept": to.intercept,
        "lower": to.new.low,
        "upper": to.new.high,
    }
    return [
        _of_actions(one, layout.RESTORE, values, out, arrays) for one in (stage_kernels.restore, stage_kernels.bound)
    ]


def clipping(values: np.ndarray, out: np.ndarray, low: np.ndarray, high: np.ndarray) -> list[Stage]:
    """Returns the stage that clips actions, to bounds of the same float dtype."""
    return [_of_actions(stage_kernels.clip, layout.CLIP, values, out, {"least": low, "most": high})]


def _of_actions(
    kernel: Callable[..., int], places: Places, values: np.ndarray, out: np.ndarray, arrays: dict[str, np.ndarray]
) -> Stage:
    rows = (stage_kernels.TOGETHER, 1)
    words = {word: np.tile(np.array(array, values.dtype, order="C").ravel(), rows) for word, array in arrays.items()}
    everywhere = Place(np.zeros(0, np.bool_), 0)
    form = Acting(values.dtype, values[0].size, _keeps_zeros(values.dtype, values[0].size))
    return _stage(kernel, form, places, everywhere, Batch(values, values), Batch(out, out), **words)


def _keeps_zeros(kind: np.dtype, width: int) -> bool:
    """Whether NumPy's `clip` keeps zeros beside bounds of the other sign: it does if an action has one number."""
    zeros = np.zeros(width, kind)
    return bool(np.signbit(np.clip(np.array([-zeros]), zeros, zeros + 1)).all())


def table_of(stages: Sequence[Stage]) -> NDArray[np.int64]:
    """Returns the addresses of the kernels and of their contexts, in the order in which they are called."""
    rows = [(stage.address, stage.context.ctypes.data) for stage in stages]
    return np.array(rows, np.int64).reshape(len(rows), 2)
