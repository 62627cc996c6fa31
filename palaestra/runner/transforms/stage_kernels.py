"""The kernels of observations and actions on their way: the change by a wrapper to some rows in one step.

They are functions in the language, of a form, which is known when they are compiled, their context, whose words are in
`layout`, and the rows low..high-1. A negative result refuses a value.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gymnasium.transforms import moments
from palaestra.language.operations.memory import column_at, copy_at, row_at, words_at
from palaestra.runner.kernels.layout import DISABLED, NEXT_STEP
from palaestra.runner.transforms import layout as at
from palaestra.runner.transforms.sums import column_squares, column_sums, moments_of, most_folds, numbers_at, repeat

WORD = 8  # bytes
SINGLE, DOUBLE = np.dtype(np.float32), np.dtype(np.float64)

ALL, REPLACED, FRESH, LAST = range(4)
"""Which observations are counted and normalized: all; all, with the last ones where an episode ended; only the first
ones of new episodes; only the last ones of old episodes."""

LARGE = moments._LARGE
"""The numbers from which on `moments` counts a batch in fewer passes."""


class Normalizing(NamedTuple):
    """What is known of observations that are normalized.

    Attributes:
        given: The dtype of their numbers.
        kind: That of the moments.
        width: How many numbers an observation has.
        mode: The autoreset mode, as a number of `kernels.layout`.
        updates: Whether they count.
        may_be_large: Whether there are so many that `LARGE` numbers may count at once.
    """

    given: Any
    kind: Any
    width: int
    mode: int
    updates: bool
    may_be_large: bool


def normalize(form: Normalizing, context_at: int, low: int, high: int) -> int:
    """`NormalizeObservation`, of all rows at once: in the order in which its methods get the observations."""
    context = words_at(context_at, at.NORMALIZE)
    if form.mode == NEXT_STEP or not is_any_fresh(context):
        normalize_some(form, context, ALL)
        return 0
    # One call in a loop, so that it is written once.
    for turn in range(2):
        if form.mode == DISABLED:
            normalize_some(form, context, FRESH if turn else REPLACED)
        else:
            normalize_some(form, context, ALL if turn else LAST)
    return 0


def is_any_fresh(context: Any) -> bool:
    """Returns whether an episode ended in any row."""
    fresh = column_at(context.fresh, np.bool_)
    found = False
    for i in range(context.n):
        found |= fresh[i]
    return found


def normalize_some(form: Normalizing, context: Any, which: int) -> None:
    """Count and normalize some of the observations; first ones alone are never counted as a large batch."""
    kind, width, count = form.kind, form.width, context.n
    rows_at, normalized_at = context.input, context.output
    if which != ALL:
        count = gather(form, context, which)
        rows_at, normalized_at = context.rows, context.normalized
    if form.given != kind:
        convert(form, rows_at, context.rows, count)
        rows_at = context.rows
    if form.may_be_large and form.updates and count * width >= LARGE and which != FRESH:
        center_large(form, context, rows_at, count)
        scale(form, context, context.deviations, normalized_at, count)
    else:
        if form.updates:
            count_rows(form, context, rows_at, count)
        divide(form, context, rows_at, normalized_at, count)
    if which != ALL:
        scatter(form, context, which)


def takes(which: int, fresh: bool) -> bool:
    """Returns whether a row's observation is among those."""
    return which <= REPLACED or fresh


def takes_last(which: int, fresh: bool) -> bool:
    """Returns whether it is the last one of an episode."""
    return which == LAST or (which == REPLACED and fresh)


def gather(form: Normalizing, context: Any, which: int) -> int:
    """Copy observations one behind the other; returns their number."""
    fresh, size, count = column_at(context.fresh, np.bool_), form.given.itemsize * form.width, 0
    for i in range(context.n):
        if takes(which, fresh[i]):
            source = context.input_last if takes_last(which, fresh[i]) else context.input
            copy_at(row_at(context.rows, size, count), row_at(source, size, i), size)
            count += 1
    return count


def scatter(form: Normalizing, context: Any, which: int) -> None:
    """Copy normalized observations to where they belong."""
    fresh, size, count = column_at(context.fresh, np.bool_), SINGLE.itemsize * form.width, 0
    for i in range(context.n):
        if takes(which, fresh[i]):
            target = context.output_last if takes_last(which, fresh[i]) else context.output
            copy_at(row_at(target, size, i), row_at(context.normalized, size, count), size)
            count += 1


def convert(form: Normalizing, source: int, target: int, count: int) -> None:
    """Write observations as numbers of the moments' dtype, perhaps in their place."""
    given, rows = column_at(source, form.given), numbers_at(target, form.kind)
    for k in range(count * form.width):
        rows[k] = given[k]


def count_rows(form: Normalizing, context: Any, rows_at: int, count: int) -> None:
    """Count observations: `moments.merged`."""
    kind, width = form.kind, form.width
    seen, mean, var = numbers_at(context.seen, DOUBLE), numbers_at(context.mean, kind), numbers_at(context.var, kind)
    sums, spread = numbers_at(context.sums, kind), numbers_at(context.spread, kind)
    both_at = context.sums, context.spread
    moments_of(kind, width, rows_at, count, context.side, context.partial, context.deviations, both_at)
    before, now, both = kind.type(seen[0]), kind.type(count), kind.type(seen[0] + count)
    for j in range(width):
        delta = sums[j] - mean[j]
        total = var[j] * before + spread[j] * now + delta * delta * before * now / both
        mean[j] = mean[j] + delta * now / both
        var[j] = total / both
    seen[0] = seen[0] + count


def center_large(form: Normalizing, context: Any, rows_at: int, count: int) -> None:
    """Count a large batch, and write its deviations from the mean: `moments.counted_and_normalized`."""
    kind, width = form.kind, form.width
    seen, mean, var = numbers_at(context.seen, DOUBLE), numbers_at(context.mean, kind), numbers_at(context.var, kind)
    sums, squares = numbers_at(context.sums, kind), numbers_at(context.spread, SINGLE)
    column_sums(kind, width, rows_at, count, context.partial, context.sums)
    before, both = kind.type(seen[0]), kind.type(seen[0] + count)
    share = kind.type(count / (seen[0] + count))
    for j in range(width):
        sums[j] = (sums[j] / kind.type(count) - mean[j]) * share
        mean[j] = mean[j] + sums[j]
    repeat(kind, width, context.mean, context.side, count)
    subtract(form, context, rows_at, count)
    column_squares(SINGLE, width, context.deviations, count, None, context.partial, context.normalized, context.spread)
    for j in range(width):
        var[j] = ((var[j] + sums[j] * sums[j]) * before + squares[j]) / both
    seen[0] = seen[0] + count


def subtract(form: Normalizing, context: Any, rows_at: int, count: int) -> None:
    """Write the deviations from the mean as float32."""
    kind, numbers = form.kind, count * form.width
    center, side = numbers_at(context.side, kind), form.width * most_folds(form.width)
    for first in range(0, numbers, side):
        row = numbers_at(row_at(rows_at, kind.itemsize, first), kind)
        deviations = numbers_at(row_at(context.deviations, SINGLE.itemsize, first), SINGLE)
        for j in range(min(side, numbers - first)):
            deviations[j] = np.float32(row[j] - center[j])


def divide(form: Normalizing, context: Any, rows_at: int, normalized_at: int, count: int) -> None:
    """Normalize observations: `moments.normalized`."""
    kind, numbers = form.kind, count * form.width
    write_scale(form, context)
    repeat(kind, form.width, context.mean, context.side, count)
    repeat(kind, form.width, context.scale, context.partial, count)
    center, divisor = numbers_at(context.side, kind), numbers_at(context.partial, kind)
    side = form.width * most_folds(form.width)
    for first in range(0, numbers, side):
        row = numbers_at(row_at(rows_at, kind.itemsize, first), kind)
        normalized = numbers_at(row_at(normalized_at, SINGLE.itemsize, first), SINGLE)
        for j in range(min(side, numbers - first)):
            normalized[j] = np.float32((row[j] - center[j]) / divisor[j])


def scale(form: Normalizing, context: Any, deviations_at: int, normalized_at: int, count: int) -> None:
    """Normalize deviations from the mean: those of a large batch."""
    kind, numbers = form.kind, count * form.width
    write_scale(form, context)
    scales = numbers_at(context.scale, kind)
    factors = numbers_at(context.sums, SINGLE)
    for j in range(form.width):
        factors[j] = np.float32(kind.type(1) / scales[j])
    repeat(SINGLE, form.width, context.sums, context.partial, count)
    factor, side = numbers_at(context.partial, SINGLE), form.width * most_folds(form.width)
    for first in range(0, numbers, side):
        row = numbers_at(row_at(deviations_at, SINGLE.itemsize, first), SINGLE)
        normalized = numbers_at(row_at(normalized_at, SINGLE.itemsize, first), SINGLE)
        for j in range(min(side, numbers - first)):
            normalized[j] = row[j] * factor[j]


def write_scale(form: Normalizing, context: Any) -> None:
    """Write the standard deviation of each column."""
    var, scales = numbers_at(context.var, form.kind), numbers_at(context.scale, form.kind)
    epsilon = form.kind.type(numbers_at(context.epsilon, DOUBLE)[0])
    for j in range(form.width):
        scales[j] = np.sqrt(var[j] + epsilon)


class Stacking(NamedTuple):
    """What is known of observations that are stacked: how many there are in a stack, and the bytes of each."""

    frames: int
    size: int
    mode: int


def stack(form: Stacking, context_at: int, low: int, high: int) -> int:
    """`FrameStackObservation`."""
    context = words_at(context_at, at.STACK)
    size, older = form.size, form.size * (form.frames - 1)
    fresh = column_at(context.fresh, np.bool_)
    for i in range(low, high):
        first, newest = row_at(context.output, older + size, i), row_at(context.input, size, i)
        if form.mode != NEXT_STEP and fresh[i]:
            last = row_at(context.output_last, older + size, i)
            copy_at(last, first + size, older)
            copy_at(last + older, row_at(context.input_last, size, i), size)
        for k in range(form.frames - 1):
            source = row_at(first, size, k + 1)
            if fresh[i]:
                source = context.padding if context.padding else newest
            copy_at(row_at(first, size, k), source, size)
        copy_at(first + older, newest, size)
    return 0


class Flattening(NamedTuple):
    """What is known of observations that are flattened: the bytes of a flat value and of its numbers among it."""

    length: int
    item: int
    mode: int


def flatten(form: Flattening, context_at: int, low: int, high: int) -> int:
    """`FlattenObservation`."""
    context = words_at(context_at, at.FLATTEN)
    fresh = column_at(context.fresh, np.bool_)
    valid = True
    for i in range(low, high):
        valid &= flatten_row(form, context, at.PART, i, row_at(context.output, form.length, i))
        if form.mode != NEXT_STEP and fresh[i]:
            valid &= flatten_row(form, context, at.PART_LAST, i, row_at(context.output_last, form.length, i))
    return 0 if valid else at.NOT_A_VALUE


def flatten_row(form: Flattening, context: Any, source: int, i: int, target: int) -> bool:
    """Write the flat value of row i to an address; returns whether its discrete numbers are in range."""
    table, flat = column_at(context.table, np.int64, (at.WORDS_OF_PART,)), column_at(target, np.uint8)
    for k in range(form.length):
        flat[k] = np.uint8(0)
    valid = True
    for k in range(context.parts):
        part = table[k]
        size, to = part[at.SIZE], target + part[at.OFFSET]
        if part[at.COUNTS]:
            valid &= mark(form, context, part, row_at(part[source], WORD * size, i), to)
        else:
            copy_at(to, row_at(part[source], size, i), size)
    return valid


def mark(form: Flattening, context: Any, part: Any, numbers_from: int, to: int) -> bool:
    """Write one at the place of each discrete number; returns whether all are in range."""
    counts, starts = column_at(part[at.COUNTS], np.int64), column_at(part[at.STARTS], np.int64)
    numbers, valid = column_at(numbers_from, np.int64), True
    for k in range(part[at.SIZE]):
        index = numbers[k] - starts[k]
        if 0 <= index < counts[k]:
            copy_at(row_at(to, form.item, index), context.one, form.item)
        else:
            valid = False
        to = row_at(to, form.item, counts[k])
    return valid


def pack(form: None, context_at: int, low: int, high: int) -> int:
    """Write the parts of observations side by side, as float64."""
    context = words_at(context_at, at.PACK)
    table = column_at(context.table, np.int64, (at.WORDS_OF_PART,))
    for k in range(context.parts):
        part = table[k]
        for number, kind in enumerate(at.KINDS):
            if part[at.PART_KIND] == number:
                pack_part(kind, part, context.output, context.length, low, high)
    return 0


def pack_part(kind: str, part: Any, packed_at: int, length: int, low: int, high: int) -> None:
    """Write a part, a row of the table of parts, of some rows."""
    place, size = packed_at + WORD * part[at.OFFSET], part[at.SIZE]
    values = column_at(part[at.PART], kind)
    for i in range(low, high):
        packed = column_at(row_at(place, WORD * length, i), np.float64)
        for j in range(size):
            packed[j] = values[size * i + j]


TOGETHER = 64
"""The actions for which bounds stand side by side, so that loops run over many numbers."""


class Acting(NamedTuple):
    """What is known of actions.

    Attributes:
        kind: The dtype of their numbers.
        width: How many numbers an action has.
        keeps: Whether NumPy's `clip` keeps a zero beside a bound that is the zero of the other sign.
    """

    kind: Any
    width: int
    keeps: bool

    @property
    def side(self) -> int:
        """The numbers of `TOGETHER` actions."""
        return self.width * TOGETHER


def restore(form: Acting, context_at: int, low: int, high: int) -> int:
    """`RescaleAction`, the map: see `transforms.rescale.restored`. It compares nothing, so that no number is fenced."""
    context, kind, end = words_at(context_at, at.RESTORE), form.kind, form.width * high
    gradient, intercept = numbers_at(context.gradient, kind), numbers_at(context.intercept, kind)
    for first in range(form.width * low, end, form.side):
        outer = numbers_at(row_at(context.input, kind.itemsize, first), kind)
        inner = numbers_at(row_at(context.output, kind.itemsize, first), kind)
        for j in range(min(form.side, end - first)):
            inner[j] = (outer[j] - intercept[j]) / gradient[j]
    return 0


def bound(form: Acting, context_at: int, low: int, high: int) -> int:
    """`RescaleAction`, afterwards: inner actions are beyond a bound only if outer ones are, and not by rounding."""
    context, size, end = words_at(context_at, at.RESTORE), form.kind.itemsize, form.width * high
    for first in range(form.width * low, end, form.side):
        outer_at, inner_at = row_at(context.input, size, first), row_at(context.output, size, first)
        bound_side(form, context, outer_at, inner_at, min(form.side, end - first))
    return 0


def bound_side(form: Acting, context: Any, outer_at: int, inner_at: int, count: int) -> None:
    """Put some numbers side by side between the bounds that they left by rounding."""
    outer, inner = numbers_at(outer_at, form.kind), numbers_at(inner_at, form.kind)
    lower, upper = numbers_at(context.lower, form.kind), numbers_at(context.upper, form.kind)
    least, most = numbers_at(context.least, form.kind), numbers_at(context.most, form.kind)
    for j in range(count):
        x, y = inner[j], outer[j]
        if x < least[j] and not y < lower[j]:
            inner[j] = least[j]
        if x > most[j] and not y > upper[j]:
            inner[j] = most[j]


def clip(form: Acting, context_at: int, low: int, high: int) -> int:
    """`ClipAction`."""
    context, kind, end = words_at(context_at, at.CLIP), form.kind, form.width * high
    least, most = numbers_at(context.least, kind), numbers_at(context.most, kind)
    for first in range(form.width * low, end, form.side):
        outer = numbers_at(row_at(context.input, kind.itemsize, first), kind)
        inner = numbers_at(row_at(context.output, kind.itemsize, first), kind)
        for j in range(min(form.side, end - first)):
            x = outer[j]
            x = x if (x >= least[j] if form.keeps else x > least[j]) | (x != x) else least[j]
            inner[j] = x if (x <= most[j] if form.keeps else x < most[j]) | (x != x) else most[j]
    return 0
