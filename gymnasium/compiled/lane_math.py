"""What the mathematics of lanes is made of, in compiled code: choices, bits, and the library for a lane in doubt."""

from __future__ import annotations

import math
from typing import Any

from gymnasium.compiled.backend import compiled, intrinsic, ir, types
from gymnasium.compiled.lanes import FLAGS, FLOATS, INTS, WIDTH, as_lanes, kind_of, vector_function
from gymnasium.compiled.library import pow32, pow64


@intrinsic
def select(typing_context: Any, flags: Any, a: Any, b: Any) -> Any:
    """Returns the lanes of `a` where a flag is set, and of `b` elsewhere."""
    kinds = {kind_of(a), kind_of(b)}
    kind = (kinds.pop() if len(kinds) == 1 else None) or FLOATS

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pairs = zip(arguments, signature.args, (FLAGS, kind, kind), strict=True)
        return builder.select(*(as_lanes(context, builder, value, one, target) for value, one, target in pairs))

    return kind(flags, a, b), generate


@intrinsic
def fma(typing_context: Any, x: Any, y: Any, z: Any) -> Any:
    """Returns `x * y + z`, rounded once."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pairs = zip(arguments, signature.args, strict=True)
        return vector_function(
            builder, "fma", *(as_lanes(context, builder, value, one, FLOATS) for value, one in pairs)
        )

    return FLOATS(x, y, z), generate


@intrinsic
def bits_of(typing_context: Any, x: Any) -> Any:
    """Returns the bits of floats."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], INTS.vector)

    return INTS(FLOATS), generate


@intrinsic
def float_of(typing_context: Any, bits: Any) -> Any:
    """Returns the floats of bits."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], FLOATS.vector)

    return FLOATS(INTS), generate


@intrinsic
def single(typing_context: Any, x: Any) -> Any:
    """Returns floats rounded to single precision."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.fpext(builder.fptrunc(arguments[0], ir.VectorType(ir.FloatType(), WIDTH)), FLOATS.vector)

    return FLOATS(FLOATS), generate


def _asked(function: Any) -> Any:
    """Returns a function of (x, value, doubtful): the value, or `function` of the lanes of x that are doubtful."""

    @intrinsic
    def asked(typing_context: Any, x: Any, value: Any, doubtful: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            x, value, doubtful = arguments
            bits = builder.bitcast(doubtful, ir.IntType(WIDTH))
            none = ir.Constant(bits.type, 0)
            before = builder.block
            with builder.if_then(builder.icmp_unsigned("!=", bits, none), likely=False):
                answered = _answered(context, builder, function, x, value, bits)
                after = builder.block
            result = builder.phi(value.type)
            result.add_incoming(value, before)
            result.add_incoming(answered, after)
            return result

        return FLOATS(FLOATS, FLOATS, FLAGS), generate

    return asked


def _answered(context: Any, builder: Any, function: Any, x: Any, value: Any, bits: Any) -> Any:
    """Writes the loop over the lanes in doubt."""
    row = ir.ArrayType(ir.DoubleType(), WIDTH).as_pointer()
    with builder.goto_entry_block():
        places = [builder.alloca(FLOATS.vector) for _ in range(2)]
    for lanes, place in zip((x, value), places, strict=True):
        builder.store(lanes, place)
    inputs, outputs = (builder.bitcast(place, row) for place in places)
    first = builder.block
    loop, end = builder.append_basic_block("doubtful"), builder.append_basic_block("answered")
    builder.branch(loop)
    builder.position_at_end(loop)
    left = builder.phi(bits.type)
    lane = builder.zext(builder.cttz(left, ir.Constant(ir.IntType(1), 1)), ir.IntType(32))
    zero = ir.Constant(ir.IntType(32), 0)
    number = builder.load(builder.gep(inputs, [zero, lane]))
    answer = context.compile_internal(builder, lambda x: function(x), types.float64(types.float64), [number])
    builder.store(answer, builder.gep(outputs, [zero, lane]))
    rest = builder.and_(left, builder.sub(left, ir.Constant(bits.type, 1)))
    left.add_incoming(bits, first)
    left.add_incoming(rest, builder.block)
    builder.cbranch(builder.icmp_unsigned("!=", rest, ir.Constant(bits.type, 0)), loop, end)
    builder.position_at_end(end)
    return builder.load(places[1])


@compiled
def _pow2(x: Any) -> Any:
    return pow64(x, 2.0)


@compiled
def _pow2f(x: Any) -> Any:
    return types.float64(pow32(types.float32(x), types.float32(2.0)))


library_sin, library_cos, library_pow2, library_pow2f = map(_asked, (math.sin, math.cos, _pow2, _pow2f))
