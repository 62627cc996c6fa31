"""Choices between lanes, and their rounding to single precision, in compiled code."""

from __future__ import annotations

from palaestra.language.jit.backend import (
    Builder,
    CPUContext,
    Signature,
    Type,
    Typed,
    TypingContext,
    Value,
    Values,
    intrinsic,
    ir,
)
from palaestra.language.jit.lanes import WIDTH
from palaestra.language.jit.lanes.types import FLAGS, FLOATS, as_lanes, kind_of


@intrinsic
def select(typing_context: TypingContext, flags: Type, a: Type, b: Type) -> Typed:
    """Returns the lanes of `a` where a flag is set, and those of `b` elsewhere."""
    kinds = {kind_of(a), kind_of(b)}
    kind = (kinds.pop() if len(kinds) == 1 else None) or FLOATS

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        pairs = zip(arguments, signature.args, (FLAGS, kind, kind), strict=True)
        return builder.select(*(as_lanes(context, builder, value, one, target) for value, one, target in pairs))

    return kind(flags, a, b), generate


@intrinsic
def single(typing_context: TypingContext, x: Type) -> Typed:
    """Returns floats rounded to single precision."""

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        return builder.fpext(builder.fptrunc(arguments[0], ir.VectorType(ir.FloatType(), WIDTH)), FLOATS.vector)

    return FLOATS(FLOATS), generate
