"""The Mersenne Twister (MT19937) in the language: what `random` and the older half of `np.random` draw from.

Its state are the last 624 words of a sequence, number m at m modulo 624, and how many are made. Python makes 624 words
when the last ones are used up. Here a draw makes the one that it takes, in the place of the one that nothing needs any
more. So there is no loop; and words may be made in a step that does not happen after all: they are the same when they
are drawn again, as long as the count of drawn ones is kept apart.

Source: Matsumoto and Nishimura (1998), "Mersenne Twister: a 623-dimensionally equidistributed uniform pseudo-random
number generator".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from palaestra.language.operations.arithmetic import floating
from palaestra.language.operations.integers import integer
from palaestra.language.operations.table import built
from palaestra.language.program import ADDRESS, FLOAT64, INT64, Value
from palaestra.language.types import Term, tuple_of

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

Words = NDArray[np.uint32]
SIZE, FAR = 624, 397
UPPER, LOWER, MATRIX = 0x80000000, 0x7FFFFFFF, 0x9908B0DF
ARRAY_SEED = 19650218  # with which `init_by_array` begins
UINT32 = np.dtype(np.uint32)


# Words.


def made_of(words: Words) -> int:
    """Returns how many words are made."""
    return int(words[SIZE:].view(np.int64)[0])


def make(words: Words, end: int) -> None:
    """Make the words up to number `end`."""
    begin = made_of(words)
    while begin < end:
        k = begin % SIZE
        count = min(end - begin, SIZE - FAR, max(SIZE - 1 - k, 1))
        at = np.arange(k, k + count)
        both = (words[at] & np.uint32(UPPER)) | (words[(at + 1) % SIZE] & np.uint32(LOWER))
        words[at] = words[(at + FAR) % SIZE] ^ _half(both)
        begin += count
    words[SIZE:].view(np.int64)[0] = begin


def _half(both: Any) -> Any:
    return both >> np.uint32(1) ^ (both & np.uint32(1)) * np.uint32(MATRIX)


def unmake(words: Words, end: int) -> None:
    """Put back the words that those from number `end` on have replaced."""
    for m in range(made_of(words) - 1, end - 1, -1):
        first, second = (_made_of_both(words, number) for number in (m, m - 1))
        words[m % SIZE] = first & UPPER | second & LOWER
    words[SIZE:].view(np.int64)[0] = min(end, made_of(words))


def _made_of_both(words: Words, m: int) -> int:
    """What word m was made of, beside a third one: the first bit of word m - 624, and the others of the next one."""
    half = int(words[m % SIZE]) ^ int(words[(m - SIZE + FAR) % SIZE])
    return (half ^ MATRIX) << 1 & 0xFFFFFFFF | 1 if half & UPPER else half << 1


def block_of(words: Words, count: int) -> tuple[Words, int]:
    """Returns 624 words as Python keeps them, and how many of them are drawn, if `count` are in all."""
    found = words.copy()
    end = SIZE * (max(count - 1, 0) // SIZE + 1)
    make(found, end)
    unmake(found, end)
    return found[:SIZE], count - end + SIZE


def words_of(block: Any) -> Words:
    """Returns the words that go on from a block of Python's."""
    return np.array([*block, SIZE, 0], np.uint32)


def draw(words: Words, place: int, count: int) -> tuple[int, int, int]:
    """Draws a word; returns it, the next one's place, and the count behind it.

    Args:
        words: The words, and how many are made.
        place: The place of the word: `count` modulo 624.
        count: How many have been drawn.
    """
    make(words, count + 1)
    bits = int(words[place])
    bits ^= bits >> 11
    bits ^= bits << 7 & 0x9D2C5680
    bits ^= bits << 15 & 0xEFC60000
    return bits ^ bits >> 18, (place + 1) % SIZE, count + 1


@built(draw, folds=False)
def _draw(front: FrontEnd, words: Term, place: Term, count: Term) -> Term:
    front.writes(words)
    k, number = (front.materialized(term).part for term in (place, count))
    here, end = _place(front, words, k), _place(front, words, front.number(SIZE))
    made = front.emit("load", INT64, end)
    is_new = front.compare("ge", number, made)
    behind = front.compute("add", number, front.number(1))
    word = front.emit("load", UINT32, here)
    word = front.emit("select", UINT32, is_new, _made(front, words, k, word), word)
    front.emit("store", None, here, word)
    front.emit("store", None, end, front.emit("select", INT64, is_new, behind, made))
    drawn = front.convert(_tempered(front, word), INT64)
    return tuple_of(map(integer, (drawn, _around(front, k, 1), behind)))


def _place(front: FrontEnd, words: Term, k: Value) -> Value:
    return front.emit("offset", ADDRESS, words.part, front.compute("mul", k, front.number(UINT32.itemsize)))


def _around(front: FrontEnd, k: Value, step: int) -> Value:
    """The place so many words further, around the end."""
    is_before = front.compare("lt", k, front.number(SIZE - step))
    further, back = (front.compute("add", k, front.number(by)) for by in (step, step - SIZE))
    return front.emit("select", INT64, is_before, further, back)


def _bits(front: FrontEnd, operation: str, word: Value, number: int) -> Value:
    return front.compute(operation, word, front.number(number, UINT32))


def _made(front: FrontEnd, words: Term, k: Value, word: Value) -> Value:
    following, far = (front.emit("load", UINT32, _place(front, words, _around(front, k, by))) for by in (1, FAR))
    both = front.compute("or", _bits(front, "and", word, UPPER), _bits(front, "and", following, LOWER))
    odd = front.compute("mul", _bits(front, "and", both, 1), front.number(MATRIX, UINT32))
    return front.compute("xor", front.compute("xor", far, _bits(front, "shr", both, 1)), odd)


def _tempered(front: FrontEnd, word: Value) -> Value:
    word = front.compute("xor", word, _bits(front, "shr", word, 11))
    word = front.compute("xor", word, _bits(front, "and", _bits(front, "shl", word, 7), 0x9D2C5680))
    word = front.compute("xor", word, _bits(front, "and", _bits(front, "shl", word, 15), 0xEFC60000))
    return front.compute("xor", word, _bits(front, "shr", word, 18))


def unit(high: int, low: int) -> float:
    """Returns a float in [0, 1) of 27 bits of a word and 26 of another one."""
    return ((high >> 5) * 67108864 + (low >> 6)) * 2.0**-53


@built(unit)
def _unit(front: FrontEnd, high: Term, low: Term) -> Term:
    upper = front.compute("shl", front.compute("shr", high.part, front.number(5)), front.number(26))
    both = front.compute("or", upper, front.compute("shr", low.part, front.number(6)))
    return floating(front.compute("mul", front.convert(both, FLOAT64), front.number(2.0**-53, FLOAT64)))


def length_of(n: int) -> int:
    """Returns `n.bit_length()` of an int in 1..2**32-1."""
    return n.bit_length()


@built(length_of)
def _length_of(front: FrontEnd, n: Term) -> Term:
    """The exponent of the number as a float, which is exact."""
    bits = front.emit("bits", INT64, front.convert(front.materialized(n).part, FLOAT64))
    return integer(front.compute("sub", front.compute("shr", bits, front.number(52)), front.number(1022)))


# Generators.


class Twister:
    """A generator.

    Attributes:
        words: The last 624 words, and as an int64 how many are made.
        place: The place of the next one.
        count: How many have been drawn.
        spare: A normal number that was drawn together with the last one, if `has_spare`.
    """

    def __init__(self) -> None:
        self.words: Words = words_of([0] * SIZE)
        self.place, self.count = 0, SIZE
        self.spare, self.has_spare = 0.0, False

    def word(self) -> int:
        """Draws 32 bits."""
        bits, self.place, self.count = draw(self.words, self.place, self.count)
        return bits

    def random(self) -> float:
        """Draws from [0, 1)."""
        return unit(self.word(), self.word())

    def wide(self) -> Any:
        """Draws 64 bits, of which `distributions.unit` makes the float of `random`."""
        high, low = self.word(), self.word()
        return np.uint64(high >> 5) << np.uint64(37) | np.uint64(low >> 6) << np.uint64(11)

    def begin(self, seed: int) -> None:
        """Begin as the authors' `init_genrand` does with a number of 32 bits."""
        for k in range(SIZE):
            self.words[k] = seed
            seed = 1812433253 * (seed ^ seed >> 30) + k + 1 & 0xFFFFFFFF
        self.words[SIZE] = SIZE
        self.words[SIZE + 1] = 0
        self.place, self.count, self.spare, self.has_spare = 0, SIZE, 0.0, False

    def begin_with(self, low: int, high: int) -> None:
        """Begin as `init_by_array` does with one or two numbers of 32 bits."""
        self.begin(ARRAY_SEED)
        words, i = self.words, 1
        before = int(words[0])
        for k in range(SIZE):
            key = high + 1 if k % 2 and high else low
            before = (int(words[i]) ^ (before ^ before >> 30) * 1664525) + key & 0xFFFFFFFF
            words[i] = before
            i += 1
            if i >= SIZE:
                words[0] = before
                i = 1
        for _ in range(SIZE - 1):
            before = (int(words[i]) ^ (before ^ before >> 30) * 1566083941) - i & 0xFFFFFFFF
            words[i] = before
            i += 1
            if i >= SIZE:
                words[0] = before
                i = 1
        words[0] = UPPER
