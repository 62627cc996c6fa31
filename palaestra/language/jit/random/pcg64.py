"""PCG64 inside compiled code: a stream, its words, and numbers below another one.

A stream is one machine word, the address of a row of `seeding`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from palaestra.language.jit.backend import (
    Builder,
    CPUContext,
    Signature,
    Type,
    Typed,
    TypingContext,
    Value,
    Values,
    cgutils,
    intrinsic,
    ir,
    models,
    register_model,
    types,
)
from palaestra.language.jit.random.seeding import MULTIPLIER

_WORD, _WIDE = ir.IntType(64), ir.IntType(128)
_HALF = ir.Constant(_WORD, 0xFFFFFFFF)


class StreamType(types.Type):
    """The type of a stream in compiled code."""

    def __init__(self) -> None:
        super().__init__(name="PCG64Stream")


stream_type = StreamType()


@register_model(StreamType)
class _StreamModel(models.PrimitiveModel):
    def __init__(self, manager: object, kind: Type) -> None:
        super().__init__(manager, kind, ir.IntType(64))  # type: ignore[no-untyped-call]  # Numba is partly typed


@intrinsic
def stream_at(typing_context: TypingContext, address: Type) -> Typed:
    """Returns the stream of the row at an address."""

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        return arguments[0]

    return stream_type(types.int64), generate


def _words(builder: Builder, address: Value, index: int, bits: int) -> Value:
    """The pointer to the row's words from `index` on, as one integer of `bits`."""
    at = builder.add(address, ir.Constant(_WORD, 8 * index))
    return builder.inttoptr(at, ir.IntType(bits).as_pointer())


def _write_next64(builder: Builder, address: Value) -> Value:
    """Advance the stream by a step, and return its 64 bits (XSL-RR)."""
    state_at = _words(builder, address, 0, 128)
    increment = builder.load(_words(builder, address, 2, 128), align=8)
    product = builder.mul(builder.load(state_at, align=8), ir.Constant(_WIDE, MULTIPLIER))
    state = builder.add(product, increment)
    builder.store(state, state_at, align=8)
    high = builder.trunc(builder.lshr(state, ir.Constant(_WIDE, 64)), _WORD)
    folded = builder.xor(high, builder.trunc(state, _WORD))
    turn = builder.lshr(high, ir.Constant(_WORD, 58))
    back = builder.and_(builder.neg(turn), ir.Constant(_WORD, 63))
    return builder.or_(builder.lshr(folded, turn), builder.shl(folded, back))


def _write_next32(builder: Builder, address: Value) -> Value:
    """The unused half of a draw of 64 bits, or the lower half of a new draw; as 64 bits."""
    spare_at = _words(builder, address, 4, 64)
    spare = builder.load(spare_at, align=8)
    left = builder.trunc(builder.lshr(spare, ir.Constant(_WORD, 32)), ir.IntType(1))
    with builder.if_else(left) as (use, renew):
        with use:
            kept = builder.and_(spare, _HALF)
            builder.store(kept, spare_at, align=8)
            used = builder.block
        with renew:
            fresh = _write_next64(builder, address)
            upper = builder.lshr(fresh, ir.Constant(_WORD, 32))
            builder.store(builder.or_(upper, ir.Constant(_WORD, 1 << 32)), spare_at, align=8)
            lower = builder.and_(fresh, _HALF)
            renewed = builder.block
    result = builder.phi(_WORD)
    result.add_incoming(kept, used)
    result.add_incoming(lower, renewed)
    return result


def _drawn(name: str, write: Callable[[Any, Any], Any]) -> Any:
    """Returns a function of a stream that draws a word."""

    def called(typing_context: TypingContext, rng: Type) -> Typed:
        return types.uint64(rng), lambda context, builder, signature, arguments: write(builder, arguments[0])

    called.__name__ = name
    return intrinsic(called)


next64, next32 = _drawn("next64", _write_next64), _drawn("next32", _write_next32)


def _write_product32(builder: Builder, address: Value, n: Value) -> tuple[Value, Value]:
    """The product of half a word and n, at most 2^32: its upper half and its lower one."""
    product = builder.mul(_write_next32(builder, address), n)
    return builder.lshr(product, ir.Constant(_WORD, 32)), builder.and_(product, _HALF)


def _write_product64(builder: Builder, address: Value, n: Value) -> tuple[Value, Value]:
    """The product of a word and n: its upper word and its lower one."""
    product = builder.mul(builder.zext(_write_next64(builder, address), _WIDE), builder.zext(n, _WIDE))
    return builder.trunc(builder.lshr(product, ir.Constant(_WIDE, 64)), _WORD), builder.trunc(product, _WORD)


def _write_below(
    builder: Builder, address: Value, n: Value, product: Callable[..., tuple[Any, Any]], draws: int
) -> None:
    """Return a number in 0..n-1: Lemire (2019), "Fast random integer generation in an interval".

    There are `draws` numbers, as a word: 2^64 is 0.
    """
    few, again, done = (builder.append_basic_block() for _ in range(3))
    first, rest = product(builder, address, n)
    begun = builder.block
    builder.cbranch(builder.icmp_unsigned("<", rest, n), few, done)
    builder.position_at_end(few)
    threshold = builder.urem(builder.sub(ir.Constant(_WORD, draws), n), n)
    builder.cbranch(builder.icmp_unsigned("<", rest, threshold), again, done)
    builder.position_at_end(again)
    other, rest = product(builder, address, n)
    repeated = builder.block
    builder.cbranch(builder.icmp_unsigned("<", rest, threshold), again, done)
    builder.position_at_end(done)
    number = builder.phi(_WORD)
    for value, block in ((first, begun), (first, few), (other, repeated)):
        number.add_incoming(value, block)
    builder.ret(number)


@intrinsic
def below(typing_context: TypingContext, rng: Type, n: Type) -> Typed:
    """A number in 0..n-1; where half a word is enough for it, it takes no more."""

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        kind = ir.FunctionType(_WORD, [_WORD, _WORD])
        function = cgutils.get_or_insert_function(builder.module, kind, "gymnasium_below")
        if not function.blocks:
            function.linkage = "linkonce_odr"
            inner = ir.IRBuilder(function.append_basic_block())
            address, n = function.args
            with inner.if_then(inner.icmp_unsigned("==", n, ir.Constant(_WORD, 1))):
                inner.ret(ir.Constant(_WORD, 0))
            with inner.if_then(inner.icmp_unsigned("<=", n, ir.Constant(_WORD, 1 << 32))):
                _write_below(inner, address, n, _write_product32, 1 << 32)
            _write_below(inner, address, n, _write_product64, 0)
        return builder.call(function, arguments)

    return types.uint64(rng, types.uint64), generate
