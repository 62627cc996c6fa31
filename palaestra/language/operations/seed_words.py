"""The start of a PCG64 stream from an int: NumPy's `SeedSequence` as operations of a program.

Source: O'Neill (2015), "Developing a seed_seq alternative" (`seed_seq_fe128`), as NumPy uses it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from palaestra.language.operations import streams
from palaestra.language.program import ADDRESS, UINT64, Value

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

UINT32 = np.dtype(np.uint32)
POOL = 4
INIT_A, MULT_A, INIT_B, MULT_B = 0x43B0D7E5, 0x931E8875, 0x8B51F9DD, 0x58F38DED
MIX_LEFT, MIX_RIGHT, SHIFT = 0xCA01F9DD, 0x4973F715, 16


class _Hash:
    """A hash of words, whose constants change from call to call."""

    def __init__(self, front: FrontEnd, constant: int, multiplier: int) -> None:
        self._front, self._constant, self._multiplier = front, constant, multiplier

    def __call__(self, word: Value) -> Value:
        word = self._front.compute("xor", word, _word(self._front, self._constant))
        self._constant = self._constant * self._multiplier & 0xFFFFFFFF
        return _folded(self._front, self._front.compute("mul", word, _word(self._front, self._constant)))


def _word(front: FrontEnd, number: int) -> Value:
    return front.number(number, UINT32)


def _folded(front: FrontEnd, word: Value) -> Value:
    return front.compute("xor", word, front.compute("shr", word, _word(front, SHIFT)))


def start(front: FrontEnd, stream: Value, seed: Value) -> None:
    """Let a stream begin as that of `np.random.PCG64(seed)`.

    Args:
        front: The front end.
        stream: The address of its five words.
        seed: int64, not negative.
    """
    bits = front.convert(seed, UINT64)
    halves = bits, front.compute("shr", bits, streams.word(front, 32))
    pool = _mixed(front, [*(front.convert(one, UINT32) for one in halves), _word(front, 0), _word(front, 0)])
    hashed = _Hash(front, INIT_B, MULT_B)
    words = [front.convert(hashed(pool[k % POOL]), UINT64) for k in range(2 * POOL)]
    high, low, increment_high, increment_low = (
        front.compute("or", words[k], front.compute("shl", words[k + 1], streams.word(front, 32)))
        for k in range(0, 2 * POOL, 2)
    )
    one = streams.word(front, 1)
    over = front.compute("shr", increment_low, streams.word(front, 63))
    increment_high = front.compute("or", front.compute("shl", increment_high, one), over)
    increment_low = front.compute("or", front.compute("shl", increment_low, one), one)
    low = front.compute("add", low, increment_low)
    carry = front.convert(front.compare("lt", low, increment_low), UINT64)
    high = front.compute("add", front.compute("add", high, increment_high), carry)
    put(front, stream, [low, high, increment_low, increment_high, streams.word(front, 0)])
    streams.next64(front, stream)


def put(front: FrontEnd, stream: Value, words: list[Value]) -> None:
    """Let a stream have these words."""
    for k, one in enumerate(words):
        front.emit("store", None, front.emit("offset", ADDRESS, stream, front.number(8 * k)), one)


def _mixed(front: FrontEnd, entropy: list[Value]) -> list[Value]:
    """The pool of words into which a seed is mixed."""
    hashed = _Hash(front, INIT_A, MULT_A)
    pool = [hashed(one) for one in entropy]
    for source in range(POOL):
        for target in range(POOL):
            if source != target:
                left = front.compute("mul", _word(front, MIX_LEFT), pool[target])
                right = front.compute("mul", _word(front, MIX_RIGHT), hashed(pool[source]))
                pool[target] = _folded(front, front.compute("sub", left, right))
    return pool
