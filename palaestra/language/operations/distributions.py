"""One number of each distribution, in the language, as NumPy's generators draw it.

The ziggurats take their words in one place: a turn of the loop takes a word, and `stage` says what for. So a call is
one step of the stream as code, and rows that are stepped together take their words together.

Source: Marsaglia and Tsang (2000), "The ziggurat method for generating random variables".
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.operations import streams, ziggurat
from palaestra.language.operations.arithmetic import as_float, floating
from palaestra.language.operations.table import built
from palaestra.language.program import ADDRESS, BOOL, FLOAT64, INT64, UINT64, Value
from palaestra.language.types import PYTHON, Number, Reference, Term, tuple_of

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd
    from palaestra.language.operations.ziggurat import Ziggurat

FIRST, WEDGE, TAIL, TAIL_TEST = range(4)  # the stages of a draw: what the next word is for
NORMAL_TAIL = 3.6541528853610087963519472518  # the end of the ziggurat's lowest layer
NORMAL_TAIL_INVERSE = 0.27366123732975827203338247596
EXPONENTIAL_TAIL = 7.69711747013104972


# Primitives, and what they are in Python.


def next_word(rng: np.random.Generator) -> Any:
    """Returns the next 64 bits of a stream."""
    return np.uint64(rng.bit_generator.random_raw())


def unit(bits: Any) -> float:
    """Returns a float in [0, 1) of the upper 53 bits of a word."""
    return (int(bits) >> 11) * 2.0**-53


def normal_layer(bits: Any) -> tuple[float, bool, int]:
    """Returns what a word draws: a number (of the tail, its sign counts), whether that is enough, and its layer."""
    table = ziggurat.of_normal()
    layer, rest = int(bits) & 0xFF, int(bits) >> 9 & (1 << 52) - 1
    x = rest * float(table.width[layer])
    is_enough = bool(rest < table.share[layer])
    if layer == 0 and not is_enough:
        return -x if rest >> 8 & 1 else x, is_enough, layer
    return -x if int(bits) >> 8 & 1 else x, is_enough, layer


def normal_tail(x: float, beyond: float) -> float:
    """Returns a number of the tail, with the sign of another number."""
    return math.copysign(NORMAL_TAIL + beyond, x)


def exponential_layer(bits: Any) -> tuple[float, bool, int]:
    """Returns what a word draws: a number, whether that is enough, and its layer."""
    table = ziggurat.of_exponential()
    layer, rest = int(bits) >> 3 & 0xFF, int(bits) >> 11
    return rest * float(table.width[layer]), bool(rest < table.share[layer]), layer


def normal_height(layer: int, share: float) -> float:
    """Returns a height between the densities of a layer's begin and its end."""
    return _height(ziggurat.of_normal(), layer, share)


def exponential_height(layer: int, share: float) -> float:
    """Returns a height between the densities of a layer's begin and its end."""
    return _height(ziggurat.of_exponential(), layer, share)


def _height(table: Ziggurat, layer: int, share: float) -> float:
    high, low = float(table.density[layer - 1]), float(table.density[layer])
    return (high - low) * share + low


def c_exp(x: float) -> float:
    """Returns `exp` of C."""
    return math.exp(x)


def c_log1p(x: float) -> float:
    """Returns `log1p` of C for a number above -1."""
    return math.log1p(x)


@built(next_word, folds=False)
def _next_word(front: FrontEnd, rng: Term) -> Term:
    if isinstance(rng.type, Reference):
        return front.call_function(rng.type.of.wide, (rng,), {})  # type: ignore[attr-defined]  # see `Twister`
    return Term(Number(UINT64), (streams.next64(front, rng.part),))


@built(unit)
def _unit(front: FrontEnd, bits: Term) -> Term:
    return floating(streams.unit(front, bits.part))


def _c(called: Any, symbol: str) -> None:
    @built(called, folds=False)
    def build(front: FrontEnd, x: Term) -> Term:
        return floating(front.emit("call", FLOAT64, as_float(front, x), attribute=symbol))


_c(c_exp, "exp")
_c(c_log1p, "log1p")


def _entry(front: FrontEnd, table: Any, layer: Value) -> Value:
    """The number of a layer in a table."""
    start = front.emit("table", ADDRESS, attribute=table)
    place = front.emit("offset", ADDRESS, start, front.compute("shl", layer, front.number(3)))
    return front.emit("load", table.dtype, place)


def _layer(
    front: FrontEnd, bits: Value, shift: int, table: Ziggurat, skipped: int
) -> tuple[Value, Value, Value, Value]:
    """The layer of a word, the distance in it, the number that they make, and whether it surely lies in it."""

    def shifted(by: int) -> Value:
        return front.compute("shr", bits, streams.word(front, by)) if by else bits

    layer = front.convert(front.compute("and", shifted(shift), streams.word(front, 0xFF)), INT64)
    rest = shifted(shift + 8 + skipped)
    if skipped:
        rest = front.compute("and", rest, streams.word(front, 2**52 - 1))
    x = front.compute("mul", front.convert(rest, FLOAT64), _entry(front, table.width, layer))
    return layer, rest, x, front.compare("lt", rest, _entry(front, table.share, layer))


@built(normal_layer)
def _normal_layer(front: FrontEnd, bits: Term) -> Term:
    layer, rest, x, is_inside = _layer(front, bits.part, 0, ziggurat.of_normal(), 1)
    is_tail = front.compare("eq", layer, front.number(0))
    is_tail = front.compute("and", is_tail, front.compute("not", is_inside))
    is_negative = _has_bit(front, bits.part, 8)
    is_negative = front.emit("select", BOOL, is_tail, _has_bit(front, rest, 8), is_negative)
    return _results(front.emit("select", FLOAT64, is_negative, front.compute("neg", x), x), is_inside, layer)


@built(normal_tail)
def _normal_tail(front: FrontEnd, x: Term, beyond: Term) -> Term:
    size = front.compute("add", front.number(NORMAL_TAIL, FLOAT64), beyond.part)
    return floating(front.compute("copysign", size, x.part))


@built(exponential_layer)
def _exponential_layer(front: FrontEnd, bits: Term) -> Term:
    layer, _, x, is_inside = _layer(front, bits.part, 3, ziggurat.of_exponential(), 0)
    return _results(x, is_inside, layer)


def _has_bit(front: FrontEnd, bits: Value, number: int) -> Value:
    one = front.compute("and", bits, streams.word(front, 1 << number))
    return front.compare("ne", one, streams.word(front, 0))


def _results(*values: Value) -> Term:
    kinds = {BOOL: bool, INT64: int, FLOAT64: float}
    return tuple_of([Term(PYTHON[kinds[value.dtype]], (value,)) for value in values])


def _built_height(called: Any, table: Any) -> None:
    @built(called)
    def build(front: FrontEnd, layer: Term, share: Term) -> Term:
        density = table().density
        above = front.compute("sub", layer.part, front.number(1))
        high, low = _entry(front, density, above), _entry(front, density, layer.part)
        height = front.compute("mul", front.compute("sub", high, low), share.part)
        return floating(front.compute("add", height, low))


_built_height(normal_height, ziggurat.of_normal)
_built_height(exponential_height, ziggurat.of_exponential)


# Distributions.


def random(rng: np.random.Generator) -> float:
    """Draws from [0, 1)."""
    return unit(next_word(rng))


def uniform(rng: np.random.Generator, low: float, span: float) -> float:
    """Draws from [low, low + span)."""
    return low + span * unit(next_word(rng))


def standard_normal(rng: np.random.Generator) -> float:
    """Draws from the normal distribution of mean 0 and deviation 1."""
    stage, layer, x, beyond = FIRST, 0, 0.0, 0.0
    is_enough = False  # all names are set before the loop: a name that may be unbound is a number more to carry
    while True:
        bits = next_word(rng)
        if stage == FIRST:
            x, is_enough, layer = normal_layer(bits)
            if is_enough:
                return x
            stage = WEDGE if layer else TAIL
        elif stage == WEDGE:
            if normal_height(layer, unit(bits)) < c_exp(-0.5 * x * x):
                return x
            stage = FIRST
        elif stage == TAIL:
            beyond = -NORMAL_TAIL_INVERSE * c_log1p(-unit(bits))
            stage = TAIL_TEST
        else:
            if -2.0 * c_log1p(-unit(bits)) > beyond * beyond:
                return normal_tail(x, beyond)
            stage = TAIL


def _or_older(called: Any, name: str) -> None:
    """A draw for which a generator with the older numbers has a method of its own."""

    @built(called, folds=False)
    def build(front: FrontEnd, rng: Term) -> Term:
        is_older = isinstance(rng.type, Reference)
        return front.call_function(getattr(rng.type.of, name) if is_older else called, (rng,), {})  # type: ignore[attr-defined]


def normal(rng: np.random.Generator, loc: float, scale: float) -> float:
    """Draws from a normal distribution."""
    return loc + scale * standard_normal(rng)


def standard_exponential(rng: np.random.Generator) -> float:
    """Draws from the exponential distribution of mean 1."""
    stage, layer, x, is_enough = FIRST, 0, 0.0, False
    while True:
        bits = next_word(rng)
        if stage == FIRST:
            x, is_enough, layer = exponential_layer(bits)
            if is_enough:
                return x
            stage = WEDGE if layer else TAIL
        elif stage == TAIL:
            return EXPONENTIAL_TAIL - c_log1p(-unit(bits))
        else:
            if exponential_height(layer, unit(bits)) < c_exp(-x):
                return x
            stage = FIRST


def exponential(rng: np.random.Generator, scale: float) -> float:
    """Draws from an exponential distribution."""
    return scale * standard_exponential(rng)


_or_older(standard_normal, "normal")
_or_older(standard_exponential, "exponential")
