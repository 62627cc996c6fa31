"""Choices between lanes, and their rounding to single precision, in compiled code."""

from __future__ import annotations

from typing import Any

from gymnasium.jit.backend import intrinsic, ir
from gymnasium.jit.lanes import WIDTH
from gymnasium.jit.lanes.types import FLAGS, FLOATS, as_lanes, kind_of


@intrinsic
def select(typing_context: Any, flags: Any, a: Any, b: Any) -> Any:
    """Returns the lanes of `a` where a flag is set, and those of `b` elsewhere."""
    kinds = {kind_of(a), kind_of(b)}
    kind = (kinds.pop() if len(kinds) == 1 else None) or FLOATS

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pairs = zip(arguments, signature.args, (FLAGS, kind, kind), strict=True)
        return builder.select(*(as_lanes(context, builder, value, one, target) for value, one, target in pairs))

    return kind(flags, a, b), generate


@intrinsic
def single(typing_context: Any, x: Any) -> Any:
    """Returns floats rounded to single precision."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.fpext(builder.fptrunc(arguments[0], ir.VectorType(ir.FloatType(), WIDTH)), FLOATS.vector)

    return FLOATS(FLOATS), generate
