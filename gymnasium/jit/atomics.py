"""Words of memory shared by threads, in compiled code."""

from __future__ import annotations

import platform
from typing import Any

from gymnasium.jit.backend import intrinsic, ir, types

_WORD = ir.IntType(64)
_IS_X86 = platform.machine().lower() in ("x86_64", "amd64")


@intrinsic
def load(typing_context: Any, address: Any) -> Any:
    """Returns the word at an address; all earlier writes are visible afterwards (acquire)."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = builder.inttoptr(arguments[0], _WORD.as_pointer())
        return builder.load_atomic(pointer, "seq_cst", align=8)

    return types.int64(types.int64), generate


@intrinsic
def store(typing_context: Any, address: Any, value: Any) -> Any:
    """Write the word at an address, and publish all earlier writes (release)."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = builder.inttoptr(arguments[0], _WORD.as_pointer())
        builder.store_atomic(arguments[1], pointer, "seq_cst", align=8)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), generate


@intrinsic
def add(typing_context: Any, address: Any, value: Any) -> Any:
    """Add to the word at an address, and return its previous value."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = builder.inttoptr(arguments[0], _WORD.as_pointer())
        return builder.atomic_rmw("add", pointer, arguments[1], "seq_cst")

    return types.int64(types.int64, types.int64), generate


@intrinsic
def pause(typing_context: Any) -> Any:
    """Tell the processor that this is a waiting loop."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if _IS_X86:
            kind = ir.FunctionType(ir.VoidType(), [])
            builder.call(builder.module.declare_intrinsic("llvm.x86.sse2.pause", (), kind), [])
        return context.get_dummy_value()

    return types.void(), generate
