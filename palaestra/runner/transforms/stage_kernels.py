"""The kernels of observations and actions on their way: the change by a wrapper to some rows in one step.

Numba compiles them. Sizes and dtypes are read when they run, so that all environments share their machine code. Each
takes its context and the rows low..high-1.
"""

from __future__ import annotations

import numpy as np

from palaestra.language.jit.addresses import Words, copied_at, rows_at
from palaestra.language.jit.backend import compiled, kernel
from palaestra.runner.kernels.layout import DISABLED, NEXT_STEP
from palaestra.runner.transforms import layout as at
from palaestra.runner.transforms.sums import column_sums_at, inlined, moments_of

ALL, REPLACED, FRESH, LAST = range(4)
"""Which observations are counted and normalized: all; all, with the last ones where an episode ended; only the first
ones of new episodes; only the last ones of old episodes."""


@inlined
def is_taken(which: int, fresh: np.bool_) -> bool | np.bool_:
    """Whether a row's observation is among those."""
    return which <= REPLACED or fresh


@inlined
def is_last(which: int, fresh: np.bool_) -> bool | np.bool_:
    """Whether it is the last one of an episode."""
    return which == LAST or (which == REPLACED and fresh)


@inlined
def gather(context: Words, which: int, inputs: np.ndarray, lasts: np.ndarray, batch: np.ndarray) -> int:
    """Copy observations into a flat batch; returns their number."""
    n, width, count = context[at.N], context[at.WIDTH], 0
    fresh = rows_at(context[at.FRESH], (n,), np.bool_)
    for i in range(n):
        if is_taken(which, fresh[i]):
            last = is_last(which, fresh[i])
            for j in range(width):
                batch[count * width + j] = lasts[i * width + j] if last else inputs[i * width + j]
            count += 1
    return count


@inlined
def count_moments(context: Words, batch: np.ndarray, count: int, mean: np.ndarray, var: np.ndarray) -> None:
    """Count the first rows of a flat batch: `moments.merged`."""
    width, most = context[at.WIDTH], context[at.MOST_FOLDS]
    numbers, kind = rows_at(context[at.NUMBERS], (2,), np.float64), batch.dtype.type
    squares = rows_at(context[at.SQUARES], (batch.size,), batch.dtype)
    partial = rows_at(context[at.PARTIAL], (most * width,), batch.dtype)
    sums = rows_at(context[at.SUMS], (width,), batch.dtype)
    spread = rows_at(context[at.SPREAD], (width,), batch.dtype)
    moments_of(batch, count, width, most, squares, partial, sums, spread)
    before, now, both = kind(numbers[0]), kind(count), kind(numbers[0] + count)
    for j in range(width):
        delta = sums[j] - mean[j]
        total = var[j] * before + spread[j] * now + delta * delta * before * now / both
        mean[j] += delta * now / both
        var[j] = total / both
    numbers[0] += count


@inlined
def center_large(context: Words, batch: np.ndarray, count: int, mean: np.ndarray, var: np.ndarray) -> None:
    """Count a large batch, and write its deviations from the mean over it: `moments.counted_and_normalized`."""
    width, most, size = context[at.WIDTH], context[at.MOST_FOLDS], batch.itemsize
    numbers, kind = rows_at(context[at.NUMBERS], (2,), np.float64), batch.dtype.type
    sums = rows_at(context[at.SUMS], (width,), batch.dtype)
    squares = rows_at(context[at.SQUARES], (batch.size,), np.float32)
    spread = rows_at(context[at.SPREAD], (width,), np.float32)
    column_sums_at(context[at.BATCH], count, width, most, context[at.PARTIAL], context[at.SUMS], size)
    before, both, share = kind(numbers[0]), kind(numbers[0] + count), kind(count / (numbers[0] + count))
    for j in range(width):
        sums[j] = (sums[j] / kind(count) - mean[j]) * share
        mean[j] += sums[j]
    for i in range(count):
        for j in range(width):
            deviation = np.float32(batch[i * width + j] - mean[j])
            batch[i * width + j], squares[i * width + j] = deviation, deviation * deviation
    column_sums_at(context[at.SQUARES], count, width, most, context[at.PARTIAL], context[at.SPREAD], 4)
    for j in range(width):
        var[j] = ((var[j] + sums[j] * sums[j]) * before + spread[j]) / both
    numbers[0] += count


@inlined
def normalize_batch(
    context: Words, which: int, large: bool, batch: np.ndarray, mean: np.ndarray, var: np.ndarray
) -> None:
    """Write the rows of a flat batch, normalized, to where they came from; those of a large one are deviations."""
    n, width, k = context[at.N], context[at.WIDTH], 0
    epsilon = var.dtype.type(rows_at(context[at.NUMBERS], (2,), np.float64)[1])
    scale = rows_at(context[at.SCALE], (width,), var.dtype)
    for j in range(width):
        scale[j] = np.sqrt(var[j] + epsilon)
    fresh = rows_at(context[at.FRESH], (n,), np.bool_)
    outputs = rows_at(context[at.OUTPUT], (n * width,), np.float32)
    lasts = rows_at(context[at.OUTPUT_LAST], (n * width,), np.float32)
    for i in range(n):
        if is_taken(which, fresh[i]):
            last = is_last(which, fresh[i])
            for j in range(width):
                if large:
                    value = np.float32(batch[k]) * np.float32(batch.dtype.type(1) / scale[j])
                else:
                    value = np.float32((batch[k] - mean[j]) / scale[j])
                if last:
                    lasts[i * width + j] = value
                else:
                    outputs[i * width + j] = value
                k += 1


@inlined
def count_and_normalize(
    context: Words, which: int, count: int, batch: np.ndarray, mean: np.ndarray, var: np.ndarray
) -> None:
    """Count the rows of a batch, if moments are not frozen, and normalize them; first observations are never large."""
    large = count * context[at.WIDTH] >= context[at.LARGE] and context[at.UPDATES] and which != FRESH
    if large:
        center_large(context, batch, count, mean, var)
    elif context[at.UPDATES]:
        count_moments(context, batch, count, mean, var)
    normalize_batch(context, which, large, batch, mean, var)


@compiled
def normalize_some(context_at: int, which: int) -> None:
    """Count and normalize some of the observations."""
    context = rows_at(context_at, (at.WORDS,), np.int64)
    width, size = context[at.WIDTH], context[at.N] * context[at.WIDTH]
    inputs_at, lasts_at = context[at.INPUT], context[at.INPUT_LAST]
    if context[at.KIND] == at.FLOAT32:
        batch = rows_at(context[at.BATCH], (size,), np.float32)
        mean, var = rows_at(context[at.MEAN], (width,), np.float32), rows_at(context[at.VAR], (width,), np.float32)
        inputs, lasts = rows_at(inputs_at, (size,), np.float32), rows_at(lasts_at, (size,), np.float32)
        count_and_normalize(context, which, gather(context, which, inputs, lasts, batch), batch, mean, var)
        return
    wide = rows_at(context[at.BATCH], (size,), np.float64)
    center, spread = rows_at(context[at.MEAN], (width,), np.float64), rows_at(context[at.VAR], (width,), np.float64)
    if context[at.KIND] == at.FLOAT64:
        doubles, last_doubles = rows_at(inputs_at, (size,), np.float64), rows_at(lasts_at, (size,), np.float64)
        count = gather(context, which, doubles, last_doubles, wide)
    else:
        numbers, last_numbers = rows_at(inputs_at, (size,), np.int64), rows_at(lasts_at, (size,), np.int64)
        count = gather(context, which, numbers, last_numbers, wide)
    count_and_normalize(context, which, count, wide, center, spread)


@kernel
def normalize(context_at: int, low: int, high: int) -> int:
    """`NormalizeObservation`, of all rows at once: in the order in which its methods get the observations."""
    context = rows_at(context_at, (at.WORDS,), np.int64)
    mode, ended = context[at.MODE], False
    if mode != NEXT_STEP:
        for one in rows_at(context[at.FRESH], (context[at.N],), np.bool_):
            ended |= one
    # One call, which is compiled once.
    for turn in range(1 + ended):
        which = LAST if turn < ended else ALL
        if mode == DISABLED:
            which = FRESH if turn else REPLACED
        normalize_some(context_at, which)
    return 0


@kernel
def stack(context_at: int, low: int, high: int) -> int:
    """`FrameStackObservation`."""
    context = rows_at(context_at, (at.WORDS,), np.int64)
    frames, frame = context[at.FRAMES], context[at.FRAME]
    fresh = rows_at(context[at.FRESH], (high,), np.bool_)
    for i in range(low, high):
        first, newest = context[at.OUTPUT] + i * frames * frame, context[at.INPUT] + i * frame
        if fresh[i] and context[at.MODE] != NEXT_STEP:
            last = context[at.OUTPUT_LAST] + i * frames * frame
            copied_at(last, first + frame, (frames - 1) * frame)
            copied_at(last + (frames - 1) * frame, context[at.INPUT_LAST] + i * frame, frame)
        for k in range(frames - 1):
            if fresh[i]:
                copied_at(first + k * frame, context[at.PADDING] if context[at.PADDING] else newest, frame)
            else:
                copied_at(first + k * frame, first + (k + 1) * frame, frame)
        copied_at(first + (frames - 1) * frame, newest, frame)
    return 0


@inlined
def flatten_row(context: Words, table: Words, column: int, i: int, target: int) -> bool:
    """Write the flat value of row i to an address; returns whether its discrete numbers are in range."""
    length, item = context[at.LENGTH], context[at.ITEM]
    flat = rows_at(target, (length,), np.uint8)
    for k in range(length):
        flat[k] = 0
    valid = True
    for part in range(len(table)):
        size, to = table[part, at.SIZE], target + table[part, at.OFFSET]
        if not table[part, at.COUNTS]:
            copied_at(to, table[part, column] + i * size, size)
            continue
        counts = rows_at(table[part, at.COUNTS], (size,), np.int64)
        starts = rows_at(table[part, at.STARTS], (size,), np.int64)
        numbers = rows_at(table[part, column] + 8 * i * size, (size,), np.int64)
        for k in range(size):
            index = numbers[k] - starts[k]
            if 0 <= index < counts[k]:
                copied_at(to + index * item, context[at.ONE], item)
            else:
                valid = False
            to += counts[k] * item
    return valid


@kernel
def flatten(context_at: int, low: int, high: int) -> int:
    """`FlattenObservation`."""
    context = rows_at(context_at, (at.WORDS,), np.int64)
    table = rows_at(context[at.TABLE], (context[at.PARTS], at.WORDS_OF_PART), np.int64)
    fresh = rows_at(context[at.FRESH], (high,), np.bool_)
    valid = True
    for i in range(low, high):
        valid &= flatten_row(context, table, at.PART, i, context[at.OUTPUT] + i * context[at.LENGTH])
        if fresh[i] and context[at.MODE] != NEXT_STEP:
            valid &= flatten_row(context, table, at.PART_LAST, i, context[at.OUTPUT_LAST] + i * context[at.LENGTH])
    return 0 if valid else at.NOT_A_VALUE


@inlined
def pack_part(part: Words, packed: np.ndarray, values: np.ndarray, low: int, high: int) -> None:
    """Write a part, a row of the table of parts, of some rows."""
    size, offset = part[at.SIZE], part[at.OFFSET]
    for i in range(low, high):
        for k in range(size):
            packed[i, offset + k] = values[i * size + k]


@kernel
def pack(context_at: int, low: int, high: int) -> int:
    """Write the parts of observations side by side, as float64."""
    context = rows_at(context_at, (at.WORDS,), np.int64)
    packed = rows_at(context[at.OUTPUT], (high, context[at.LENGTH]), np.float64)
    table = rows_at(context[at.TABLE], (context[at.PARTS], at.WORDS_OF_PART), np.int64)
    for k in range(len(table)):
        part = table[k]
        count = high * part[at.SIZE]
        if part[at.PART_KIND] == at.FLOAT32:
            pack_part(part, packed, rows_at(part[at.PART], (count,), np.float32), low, high)
        elif part[at.PART_KIND] == at.FLOAT64:
            pack_part(part, packed, rows_at(part[at.PART], (count,), np.float64), low, high)
        else:
            pack_part(part, packed, rows_at(part[at.PART], (count,), np.int64), low, high)
    return 0


@inlined
def restore_rows(context: Words, outer: np.ndarray, inner: np.ndarray, low: int, high: int) -> None:
    """Write the inner actions of some rows; arrays are flat."""
    width = context[at.WIDTH]
    least, most = rows_at(context[at.LOW], (width,), inner.dtype), rows_at(context[at.HIGH], (width,), inner.dtype)
    gradient = rows_at(context[at.GRADIENT], (width,), inner.dtype)
    intercept = rows_at(context[at.INTERCEPT], (width,), inner.dtype)
    lower = rows_at(context[at.OUTER_LOW], (width,), inner.dtype)
    upper = rows_at(context[at.OUTER_HIGH], (width,), inner.dtype)
    for i in range(low, high):
        for j in range(width):
            y = outer[i * width + j]
            x = (y - intercept[j]) / gradient[j]
            # Beyond a bound only if the action is, and not by rounding.
            if x < least[j] and not y < lower[j]:
                x = least[j]
            if x > most[j] and not y > upper[j]:
                x = most[j]
            inner[i * width + j] = x


@kernel
def restore(context_at: int, low: int, high: int) -> int:
    """`RescaleAction`: see `transforms.rescale.restored`."""
    context = rows_at(context_at, (at.WORDS,), np.int64)
    size = high * context[at.WIDTH]
    if context[at.KIND] == at.FLOAT32:
        outer, inner = rows_at(context[at.INPUT], (size,), np.float32), rows_at(context[at.OUTPUT], (size,), np.float32)
        restore_rows(context, outer, inner, low, high)
    else:
        wide = rows_at(context[at.INPUT], (size,), np.float64)
        restore_rows(context, wide, rows_at(context[at.OUTPUT], (size,), np.float64), low, high)
    return 0


@inlined
def clip_rows(context: Words, outer: np.ndarray, inner: np.ndarray, low: int, high: int) -> None:
    """Write the inner actions of some rows; arrays are flat."""
    width = context[at.WIDTH]
    least, most = rows_at(context[at.LOW], (width,), inner.dtype), rows_at(context[at.HIGH], (width,), inner.dtype)
    for i in range(low, high):
        for j in range(width):
            x = outer[i * width + j]
            x = least[j] if x < least[j] else x
            inner[i * width + j] = most[j] if x > most[j] else x


@kernel
def clip(context_at: int, low: int, high: int) -> int:
    """`ClipAction`."""
    context = rows_at(context_at, (at.WORDS,), np.int64)
    size = high * context[at.WIDTH]
    if context[at.KIND] == at.FLOAT32:
        outer, inner = rows_at(context[at.INPUT], (size,), np.float32), rows_at(context[at.OUTPUT], (size,), np.float32)
        clip_rows(context, outer, inner, low, high)
    else:
        wide = rows_at(context[at.INPUT], (size,), np.float64)
        clip_rows(context, wide, rows_at(context[at.OUTPUT], (size,), np.float64), low, high)
    return 0
