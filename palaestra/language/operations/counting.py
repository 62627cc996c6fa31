"""The functions of `math` of integers: gcd, lcm, factorial, comb, perm, isqrt, and products of several numbers."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any

from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations.drawing import any_number
from palaestra.language.operations.searching import listed
from palaestra.language.operations.table import REFUSED, Tries, built, written
from palaestra.language.types import Term, constant

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

ONE = constant(1)


def _ints(low: int, high: int, count: int = 1) -> Tries:
    """Draws some ints."""
    return lambda rng: tuple(int(rng.integers(low, high)) for _ in range(count))


def _anything(count: int) -> Tries:
    """Draws ints and bools, some of them large or of NumPy."""
    return lambda rng: tuple(any_number(rng, "bi") for _ in range(count))


@written(math.gcd, tries=(_ints(-99, 99, 2), _ints(-99, 99, 3), _ints(-(2**62), 2**62, 2)), note="64 bits")
def _gcd(*integers: Any) -> Any:
    result = 0
    for one in integers:
        result = _gcd_of_two(result, operator.index(one))
    return result


def _gcd_of_two(a: int, b: int) -> int:
    while b != 0:
        a, b = b, a % b
    return abs(a)


@written(math.lcm, tries=(_ints(-99, 99, 2), _ints(-30, 30, 3)), note="64 bits")
def _lcm(*integers: Any) -> Any:
    result = 1
    for one in integers:
        number = operator.index(one)
        result = 0 if number == 0 or result == 0 else abs(result // _gcd_of_two(result, number) * number)
    return result


@written(math.factorial, tries=(_ints(-2, 25),), note="64 bits")
def _factorial(n: Any) -> Any:
    left = operator.index(n)
    if left < 0:
        raise ValueError
    result = 1
    while left > 1:
        result *= left
        left -= 1
    return result


@written(math.comb, tries=(_ints(-2, 30, 2), _ints(0, 8, 2)), note="64 bits")
def _comb(n: Any, k: Any) -> Any:
    of, count = operator.index(n), operator.index(k)
    if of < 0 or count < 0:
        raise ValueError
    if count > of:
        return 0
    if count > of - count:
        count = of - count
    result, turn = 1, 0
    while turn < count:
        result = result * (of - turn) // (turn + 1)
        turn += 1
    return result


@written(math.perm, tries=(_ints(-2, 20, 2), _ints(-1, 22)), note="64 bits")
def _perm(n: Any, k: Any = None) -> Any:
    if k is None:
        return _factorial(n)
    of, count = operator.index(n), operator.index(k)
    if of < 0 or count < 0:
        raise ValueError
    if count > of:
        return 0
    result = 1
    while count > 0:
        result *= of
        of -= 1
        count -= 1
    return result


@written(math.isqrt, tries=(_ints(-2, 99), _ints(0, 2**63 - 1), _anything(1)))
def _isqrt(n: Any) -> Any:
    number = operator.index(n)
    if number < 0:
        raise ValueError
    if number == 0:
        return 0
    root = int(math.sqrt(number))
    while root > number // root:
        root -= 1
    while number - root * root > 2 * root:
        root += 1
    return root


def _few(kinds: str) -> Tries:
    """Draws a tuple of a few numbers."""
    return lambda rng: (tuple(any_number(rng, kinds) for _ in range(int(rng.integers(0, 4)))),)


@built(math.prod, tries=(_few("i"), _few("f"), _few("bif")))
def _prod(front: FrontEnd, x: Term, *, start: Term = ONE) -> Term:
    total = start
    for item in listed(front, x, "math.prod()"):
        total = front.operate(operator.mul, total, item)
    return total


@built(math.fsum, note=REFUSED)
def _fsum(front: FrontEnd, x: Term) -> Term:
    raise Refused("math.fsum() adds with as many digits as it takes", "write sum()")


@built(math.gamma, math.lgamma, note=REFUSED)
def _gamma(front: FrontEnd, x: Term) -> Term:
    raise Refused("Python computes math.gamma() and math.lgamma() in its own way", "use math.factorial, or a table")


@written(int.bit_count, tries=(_ints(-(2**63), 2**63 - 1), _ints(-9, 9)))
def _bit_count(x: Any) -> Any:
    number = operator.index(x)
    left = number if number >= 0 else ~number
    count = 0
    if number < 0:  # the size is one more: the ones below its lowest zero become one
        count = 1
        while left & 1:
            left >>= 1
    while left:
        count += left & 1
        left >>= 1
    return count


@written(int.bit_length, tries=(_ints(-(2**63), 2**63 - 1), _ints(-9, 9)))
def _bit_length(x: Any) -> Any:
    left, count = operator.index(x), 0
    if left < 0:
        left = -(left + 1) if left == -9223372036854775808 else -left
        count = 1 if operator.index(x) == -9223372036854775808 else 0
    while left > 0:
        left >>= 1
        count += 1
    return count
