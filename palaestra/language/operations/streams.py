"""PCG64 in programs: the words of a stream, and numbers below another one.

A stream is the address of five words: its state (low, high), its increment (low, high), and the spare half of the last
draw of 32 bits with, above it, the bit that says whether it is still unused.

Sources: O'Neill (2014), "PCG: a family of simple fast space-efficient statistically good algorithms for random number
generation"; Lemire (2019), "Fast random integer generation in an interval".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from palaestra.language.frontend.building import NOTHING
from palaestra.language.operations.ziggurat import MULTIPLIER
from palaestra.language.program import ADDRESS, BEYOND, BOOL, FLOAT64, UINT64, Set, Slot, Value
from palaestra.language.types import Term

if TYPE_CHECKING:
    from palaestra.language.frontend.building import Target
    from palaestra.language.frontend.front import FrontEnd

HALF = 2**32
FLOAT32 = np.dtype(np.float32)


def word(front: FrontEnd, value: int) -> Value:
    """Returns a constant of 64 bits."""
    return front.number(value, UINT64)


def _place(front: FrontEnd, stream: Value, index: int) -> Value:
    front.draws = True
    return front.emit("offset", ADDRESS, stream, front.number(8 * index)) if index else stream


def _load(front: FrontEnd, stream: Value, index: int) -> Value:
    return front.emit("load", UINT64, _place(front, stream, index))


def _store(front: FrontEnd, stream: Value, index: int, value: Value) -> None:
    front.emit("store", None, _place(front, stream, index), value)


def next64(front: FrontEnd, stream: Value) -> Value:
    """Advance a stream by a step, and return its 64 bits (XSL-RR)."""
    low, high, increment_low, increment_high = (_load(front, stream, k) for k in range(4))
    factor_low, factor_high = word(front, MULTIPLIER % 2**64), word(front, MULTIPLIER >> 64)
    upper = front.compute("add", front.compute("mul", high, factor_low), front.compute("mul", low, factor_high))
    upper = front.compute("add", upper, front.emit("mulhi", UINT64, low, factor_low))
    low = front.compute("add", front.compute("mul", low, factor_low), increment_low)
    carry = front.convert(front.compare("lt", low, increment_low), UINT64)
    high = front.compute("add", front.compute("add", upper, increment_high), carry)
    _store(front, stream, 0, low)
    _store(front, stream, 1, high)
    return _rotated(front, front.compute("xor", high, low), front.compute("shr", high, word(front, 58)))


def _rotated(front: FrontEnd, value: Value, turn: Value) -> Value:
    """The bits of a word, turned to the right by less than 64."""
    back = front.compute("and", front.compute("sub", word(front, 0), turn), word(front, 63))
    return front.compute("or", front.compute("shr", value, turn), front.compute("shl", value, back))


def next32(front: FrontEnd, stream: Value) -> Value:
    """Returns the unused half of a draw of 64 bits, or the lower half of a new draw; as 64 bits."""
    spare, drawn = _load(front, stream, 4), Slot(UINT64, "half")
    lower = front.compute("and", spare, word(front, HALF - 1))

    def use() -> Term:
        _store(front, stream, 4, lower)
        front.region.append(Set(drawn, lower))
        return NOTHING

    def renew() -> Term:
        fresh = next64(front, stream)
        upper = front.compute("shr", fresh, word(front, 32))
        _store(front, stream, 4, front.compute("or", upper, word(front, HALF)))
        front.region.append(Set(drawn, front.compute("and", fresh, word(front, HALF - 1))))
        return NOTHING

    front.branch(front.compare("ge", spare, word(front, HALF)), use, renew)
    return front.get(drawn)


def unit(front: FrontEnd, bits: Value) -> Value:
    """Returns a float64 in [0, 1) of the upper 53 bits of a word."""
    whole = front.convert(front.compute("shr", bits, word(front, 11)), FLOAT64)
    return front.compute("mul", whole, front.number(2.0**-53, FLOAT64))


def unit32(front: FrontEnd, bits: Value) -> Value:
    """Returns a float32 in [0, 1) of the upper 24 bits of half a word."""
    whole = front.convert(front.compute("shr", bits, word(front, 8)), FLOAT32)
    return front.compute("mul", whole, front.number(2.0**-24, FLOAT32))


def until(front: FrontEnd, write: Callable[[], tuple[Value, Value]]) -> Value:
    """Write a loop whose turn gives a number and whether it is the last; returns that of the last turn."""
    kept: list[Slot] = []

    def turn(again: Target, out: Target) -> None:
        value, is_last = write()
        kept[:] = [Slot(value.kind or BOOL, "drawn")]
        front.region.append(Set(kept[0], value))

        def stop() -> Term:
            front.leave(out)
            return NOTHING

        front.branch(is_last, stop, lambda: NOTHING)

    front.loop("draw", (), turn)
    return front.get(kept[0])


def below(front: FrontEnd, stream: Value, n: Value) -> Value:
    """Returns a number in 0..n-1 with NumPy's draws: half a word where that is enough, and none for n = 1.

    An n that is known only at run time and needs a whole word is left to Python.

    Args:
        front: The front end.
        stream: The stream.
        n: uint64; 0 stands for 2**64.
    """
    if n.operation == "constant":
        return _below_known(front, stream, n.attribute)
    less = front.compute("sub", n, word(front, 1))
    front.raise_if(front.compare("ge", less, word(front, HALF)), BEYOND)
    is_only = front.compare("eq", less, word(front, 0))
    return chosen(front, is_only, lambda: word(front, 0), lambda: _below_half(front, stream, n))


def chosen(front: FrontEnd, condition: Value, then: Callable[[], Value], otherwise: Callable[[], Value]) -> Value:
    """Returns the word of the taken side of a branch."""
    slot = Slot(UINT64, "below")

    def side(write: Callable[[], Value]) -> Callable[[], Term]:
        def written() -> Term:
            front.region.append(Set(slot, write()))
            return NOTHING

        return written

    front.branch(condition, side(then), side(otherwise))
    return front.get(slot)


def _below_known(front: FrontEnd, stream: Value, n: int) -> Value:
    """The same for a known n: where it divides the number of words, every draw is one."""
    if n == 1:
        return word(front, 0)
    if n == 0:
        return next64(front, stream)
    draws, write = (HALF, _product32) if n <= HALF else (2**64, _product64)
    threshold = draws % n

    def turn() -> tuple[Value, Value]:
        number, rest = write(front, stream, word(front, n))
        return number, front.compare("ge", rest, word(front, threshold))

    return until(front, turn) if threshold else turn()[0]


def _product32(front: FrontEnd, stream: Value, n: Value) -> tuple[Value, Value]:
    """The product of half a word and n, at most 2**32: its upper half and its lower one."""
    product = front.compute("mul", next32(front, stream), n)
    return front.compute("shr", product, word(front, 32)), front.compute("and", product, word(front, HALF - 1))


def _product64(front: FrontEnd, stream: Value, n: Value) -> tuple[Value, Value]:
    """The product of a word and n: its upper word and its lower one."""
    bits = next64(front, stream)
    return front.emit("mulhi", UINT64, bits, n), front.compute("mul", bits, n)


def _below_half(front: FrontEnd, stream: Value, n: Value) -> Value:
    def turn() -> tuple[Value, Value]:
        number, rest = _product32(front, stream, n)
        return number, _is_fair(front, rest, n)

    return until(front, turn)


def _is_fair(front: FrontEnd, rest: Value, n: Value) -> Value:
    """Whether a product of half a word is kept: all whose rest is n or more are, and of the others most."""
    slot = Slot(BOOL, "is_fair")
    front.region.append(Set(slot, front.emit("constant", BOOL, attribute=True)))

    def divide() -> Term:
        threshold = front.compute("rem", front.compute("sub", word(front, HALF), n), n)
        front.region.append(Set(slot, front.compare("ge", rest, threshold)))
        return NOTHING

    front.branch(front.compare("lt", rest, n), divide, lambda: NOTHING)
    return front.get(slot)


def up_to(front: FrontEnd, stream: Value, highest: Value) -> Value:
    """Returns a number in 0..highest, uint64, as `shuffle` draws it: bits, until they make one; none for 0.

    `highest` is below 2**32.
    """
    mask = highest
    for shift in (1, 2, 4, 8, 16):
        mask = front.compute("or", mask, front.compute("shr", mask, word(front, shift)))

    def turn() -> tuple[Value, Value]:
        bits = front.compute("and", next32(front, stream), mask)
        return bits, front.compare("le", bits, highest)

    def drawn() -> Value:
        return until(front, turn)

    return chosen(front, front.compare("eq", highest, word(front, 0)), lambda: word(front, 0), drawn)
