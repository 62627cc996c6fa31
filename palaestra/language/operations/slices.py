"""Slices whose bounds are found when the program runs."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from palaestra.language.frontend.refusals import NeedsConstant
from palaestra.language.operations import arrays
from palaestra.language.operations.arrays import Axis
from palaestra.language.program import INT64, Value
from palaestra.language.types import Term

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd


class Slice(tuple[object, ...]):
    """The bounds of a slice, some of which are not known."""


@dataclass
class Cut:
    """A slice with a bound that is computed: its bounds are ints, numbers of the program, or None."""

    start: Value | int | None
    stop: Value | int | None
    step: int


def cut_of(front: FrontEnd, term: Term) -> Cut | slice:
    """Returns the slice that an object of the class `Slice` is."""
    start, stop, step = (_bound(front, one) for one in term.items())
    if isinstance(step, Value):
        raise NeedsConstant("the step of a slice of an array must be known when the program is compiled")
    if step == 0:
        front.raise_("ValueError")
    if not isinstance(start, Value) and not isinstance(stop, Value):
        return slice(start, stop, step)
    return Cut(start, stop, 1 if step is None else step)


def _bound(front: FrontEnd, term: Term) -> Value | int | None:
    if term.known and term.value is None:
        return None
    whole_number = front.operate(operator.index, term)
    return int(whole_number.value) if whole_number.known else whole_number.part


def distance(start: Value | int | None, stop: Value | int | None) -> int | None:
    """Returns how much larger the second of two ints is, if that is known."""
    if not isinstance(start, Value) or not isinstance(stop, Value):
        return None
    (one, of_start), (other, of_stop) = _sum_of(start), _sum_of(stop)
    return of_stop - of_start if one is other else None


def _sum_of(value: Value) -> tuple[Value, int]:
    total = 0
    while value.operation in ("add", "sub") and value.arguments[1].operation == "constant":
        sign = 1 if value.operation == "add" else -1
        value, by = value.arguments
        total += sign * by.attribute
    return value, total


def cut_axis(front: FrontEnd, axis: Axis, cut: Cut) -> tuple[Value, Axis]:
    """Returns the number of the first item of a slice along an axis, and the axis of the slice."""
    length = arrays.value_of(front, axis.length)
    is_up, one = cut.step > 0, front.number(1)
    low = front.number(0 if is_up else -1)
    high = length if is_up else front.compute("sub", length, one)
    first = _clipped(front, cut.start, length, low, high, low if is_up else high)
    last = _clipped(front, cut.stop, length, low, high, high if is_up else low)
    apart = front.compute("sub", *((last, first) if is_up else (first, last)))
    if abs(cut.step) > 1:
        step = front.number(abs(cut.step))
        apart = front.compute("div", front.compute("add", apart, front.compute("sub", step, one)), step)
    none = front.number(0)
    count = front.emit("select", INT64, front.compare("gt", apart, none), apart, none)
    most, usual = _known_lengths(axis, cut)
    return first, Axis(count, most, usual, axis.stride * cut.step)


def _clipped(
    front: FrontEnd, bound: Value | int | None, length: Value, low: Value, high: Value, default: Value
) -> Value:
    """A bound of a slice, counted from the begin, and within the axis."""
    if bound is None:
        return default
    at = front.number(max(-(2**62), min(bound, 2**62))) if isinstance(bound, int) else bound
    is_negative = front.compare("lt", at, front.number(0))
    at = front.emit("select", INT64, is_negative, front.compute("add", at, length), at)
    at = front.emit("select", INT64, front.compare("lt", at, low), low, at)
    return front.emit("select", INT64, front.compare("gt", at, high), high, at)


def _known_lengths(axis: Axis, cut: Cut) -> tuple[int, int | None]:
    """The most items that a slice may have, and how many it has unless the end of the axis cuts it."""
    most = -(-axis.most // abs(cut.step))
    if not isinstance(cut.start, Value) and not isinstance(cut.stop, Value):
        usual = None if axis.usual is None else len(range(axis.usual)[cut.start : cut.stop : cut.step])
        return most, usual
    apart = distance(cut.start, cut.stop)
    if cut.step == 1 and apart is not None and apart >= 0:
        return min(most, apart), min(most, apart)
    if cut.step == 1 and isinstance(cut.stop, int) and cut.stop >= 0:
        most = min(most, cut.stop)
    if cut.step == 1 and isinstance(cut.start, int) and cut.start < 0:
        most = min(most, -cut.start)
    return most, None
