"""Fences around floats chosen by conditions, through which LLVM does not look. They cost no instruction.

LLVM joins two choices with one constant: `max(0.0, max(x, 0.0))` becomes `max(x, 0.0)`, which differs if x is -0.0 or
NaN.
"""

from __future__ import annotations

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
    compiled,
    intrinsic,
    ir,
    types,
)
from palaestra.language.jit.lanes.types import FLOATS


def has_floats(kind: Type) -> bool:
    """Returns whether a value of a type is a float, lanes of floats, or a tuple with one of these."""
    if isinstance(kind, types.BaseTuple):
        parts: Any = kind
        return any(map(has_floats, parts.types))
    return isinstance(kind, types.Float) or kind is FLOATS


@intrinsic
def fenced(typing_context: TypingContext, value: Type) -> Typed:
    """Returns the value, with a fence around each of its floats."""

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        context.nrt.incref(builder, signature.return_type, arguments[0])
        return _fenced(context, builder, signature.return_type, arguments[0])

    return value(value), generate


@compiled
def fenced_float(number: Any) -> Any:
    """Returns a number as a float with a fence around it."""
    return fenced(float(number))


def _fenced(context: CPUContext, builder: Builder, kind: Type, value: Value) -> Value:
    if not has_floats(kind):
        return value
    if isinstance(kind, types.BaseTuple):
        parts: Any = kind
        for k, part in enumerate(parts.types):
            inner = _fenced(context, builder, part, builder.extract_value(value, k))
            value = builder.insert_value(value, inner, k)
        return value
    bits = "f32" if isinstance(value.type, ir.FloatType) else "f64"
    suffix = f"v{value.type.count}f64" if isinstance(value.type, ir.VectorType) else bits
    signature = ir.FunctionType(value.type, [value.type])
    fence = cgutils.get_or_insert_function(builder.module, signature, f"llvm.arithmetic.fence.{suffix}")
    return builder.call(fence, [value])
