"""NamedTuples whose arrays are read-only on one path and writable on another: all become read-only."""

from __future__ import annotations

from typing import Any

from palaestra.language.jit.backend import Builder, CPUContext, TypingContext, Value, cgutils, conversion_of, types
from palaestra.language.jit.exact.kinds import instance_of, parts_of

_RECORD: Any = types.NamedTuple


def _unified(self: Any, typing_context: TypingContext, other: Any) -> Any:
    """Returns the common type of two NamedTuples that differ in the memory of their arrays only; None for no such."""
    if not isinstance(other, types.BaseNamedTuple) or self.instance_class is not instance_of(other):
        return None
    pairs = zip(parts_of(self), parts_of(other), strict=True)
    parts = [_unified_part(typing_context, a, b) for a, b in pairs]
    return None if None in parts else _RECORD(parts, self.instance_class)


def _unified_part(typing_context: Any, a: Any, b: Any) -> Any:
    if a == b:
        return a
    if isinstance(a, types.Array) and isinstance(b, types.Array) and a.aligned == b.aligned:
        return a.unify(typing_context, b) if a.dtype == b.dtype else None
    return _unified(a, typing_context, b) if isinstance(a, types.NamedTuple) else None


_RECORD.unify = _unified


@conversion_of(types.NamedTuple, types.NamedTuple)
def _convert(context: CPUContext, builder: Builder, source: Value, target: Value, value: Value) -> Value:
    pairs = zip(cgutils.unpack_tuple(builder, value), source.types, target.types, strict=True)
    return context.make_tuple(builder, target, [context.cast(builder, one, a, b) for one, a, b in pairs])
