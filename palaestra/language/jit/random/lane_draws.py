"""The random streams of lanes: the draws of `draws.py` for eight rows at once, except for resting rows."""

from __future__ import annotations

from typing import Any

from palaestra.language.jit.backend import (
    Builder,
    CPUContext,
    Meaning,
    Signature,
    Type,
    Typed,
    TypingContext,
    Value,
    Values,
    compiled,
    intrinsic,
    ir,
    method_of,
    models,
    register_model,
    types,
)
from palaestra.language.jit.lanes import WIDTH
from palaestra.language.jit.lanes.types import FLAGS, FLOATS, INTS, LanesType, as_lanes, raise_if
from palaestra.language.jit.random.pcg64 import stream_at
from palaestra.language.jit.random.seeding import WORDS


class LaneStreamsType(types.Type):
    """The type of the streams of eight rows."""

    def __init__(self) -> None:
        super().__init__(name="PCG64Streams8")


lane_streams_type = LaneStreamsType()
_tuple: Any = types.Tuple
_PARTS = _tuple((types.int64, FLAGS))


@register_model(LaneStreamsType)
class _LaneStreamsModel(models.StructModel):
    def __init__(self, manager: object, kind: Type) -> None:
        super().__init__(manager, kind, [("address", types.int64), ("moving", FLAGS)])  # type: ignore[no-untyped-call]


@intrinsic
def lane_streams_at(typing_context: TypingContext, address: Type, resting: Type) -> Typed:
    """Returns the streams from the row at an address on; those of resting lanes do not advance, and give zeros."""

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        resting = as_lanes(context, builder, arguments[1], signature.args[1], FLAGS)
        return context.make_tuple(builder, _PARTS, (arguments[0], builder.not_(resting)))

    return lane_streams_type(types.int64, resting), generate


@intrinsic
def _address(typing_context: TypingContext, rng: Type) -> Typed:
    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        return builder.extract_value(arguments[0], 0)

    return types.int64(rng), generate


@intrinsic
def _is_moving(typing_context: TypingContext, rng: Type, lane: Type) -> Typed:
    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        return builder.extract_element(builder.extract_value(arguments[0], 1), arguments[1])

    return types.boolean(rng, types.int64), generate


def _lanes_of(kind: LanesType) -> tuple[Any, Any]:
    """Returns functions that make zeros, and replace one lane."""

    @intrinsic
    def zeros(typing_context: TypingContext) -> Typed:
        def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
            return ir.Constant(kind.vector, None)

        return kind(), generate

    @intrinsic
    def with_lane(typing_context: TypingContext, lanes: Type, lane: Type, number: Type) -> Typed:
        def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
            return builder.insert_element(arguments[0], arguments[2], arguments[1])

        return kind(kind, types.int64, kind.number), generate

    return zeros, with_lane


_no_floats, _with_float = _lanes_of(FLOATS)
_no_ints, _with_int = _lanes_of(INTS)


@compiled
def _random(rng: Any) -> Any:
    drawn = _no_floats()
    for lane in range(WIDTH):
        if _is_moving(rng, lane):
            drawn = _with_float(drawn, lane, stream_at(_address(rng) + 8 * WORDS * lane).random())
    return drawn


@compiled
def _standard_normal(rng: Any) -> Any:
    drawn = _no_floats()
    for lane in range(WIDTH):
        if _is_moving(rng, lane):
            drawn = _with_float(drawn, lane, stream_at(_address(rng) + 8 * WORDS * lane).standard_normal())
    return drawn


@compiled
def _integers(rng: Any, low: int, high: int) -> Any:
    drawn = _no_ints()
    for lane in range(WIDTH):
        if _is_moving(rng, lane):
            drawn = _with_int(drawn, lane, stream_at(_address(rng) + 8 * WORDS * lane).integers(low, high))
    return drawn


@method_of(LaneStreamsType, "random")
def _streams_random(rng: Type) -> Meaning:
    return lambda rng: _random(rng)


@intrinsic
def _checked_span(typing_context: TypingContext, low: Type, high: Type) -> Typed:
    """`high - low`, which must be neither negative nor infinite."""

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        pairs = zip(arguments, signature.args, strict=True)
        low, high = (as_lanes(context, builder, value, kind, FLOATS) for value, kind in pairs)
        span = builder.fsub(high, low)
        infinite = ir.Constant(FLOATS.vector, [float("inf")] * WIDTH)
        wrong = builder.or_(_is_negative(builder, span), builder.fcmp_unordered("==", span, infinite))
        raise_if(context, builder, wrong, ValueError, "high - low < 0")
        return span

    return FLOATS(low, high), generate


@intrinsic
def _checked_scale(typing_context: TypingContext, scale: Type) -> Typed:
    """The scale, which must not be negative."""

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        lanes = as_lanes(context, builder, arguments[0], signature.args[0], FLOATS)
        raise_if(context, builder, _is_negative(builder, lanes), ValueError, "scale < 0")
        return lanes

    return FLOATS(scale), generate


def _is_negative(builder: Builder, lanes: Value) -> Value:
    """Whether the sign bit is set, also that of zero."""
    bits = builder.bitcast(lanes, INTS.vector)
    return builder.icmp_signed("<", bits, ir.Constant(INTS.vector, [0] * WIDTH))


@method_of(LaneStreamsType, "uniform")
def _streams_uniform(rng: Type, low: Any = 0.0, high: Any = 1.0) -> Meaning:
    return lambda rng, low=0.0, high=1.0: low * 1.0 + _checked_span(low, high) * _random(rng)


@method_of(LaneStreamsType, "standard_normal")
def _streams_standard_normal(rng: Type) -> Meaning:
    return lambda rng: _standard_normal(rng)


@method_of(LaneStreamsType, "normal")
def _streams_normal(rng: Type, loc: Any = 0.0, scale: Any = 1.0) -> Meaning:
    return lambda rng, loc=0.0, scale=1.0: loc * 1.0 + _checked_scale(scale) * _standard_normal(rng)


@method_of(LaneStreamsType, "integers")
def _streams_integers(rng: Type, low: Type, high: Any = None) -> Meaning:
    if isinstance(low, LanesType) or isinstance(high, LanesType):
        return None
    if high is None or isinstance(high, (types.NoneType, types.Omitted)):
        return lambda rng, low, high=None: _integers(rng, 0, low)
    return lambda rng, low, high=None: _integers(rng, low, high)
