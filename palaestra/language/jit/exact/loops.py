"""Functions compiled by other libraries, called at their addresses: the C library's, and NumPy's inner loops.

NumPy's `exp` is not the C library's: it has its own, which is vectorised.
"""

from __future__ import annotations

from typing import Any

import numpy as np

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
    types,
)
from palaestra.language.jit.symbols import C_FUNCTIONS, c_symbol, loop_symbols


def c_function(name: str) -> Any:
    """Returns a function of the C library, hidden from LLVM."""
    return types.ExternalFunction(c_symbol(name), types.float64(*[types.float64] * C_FUNCTIONS[name]))


def loop_of(ufunc: np.ufunc, count: int) -> tuple[Any, Any]:
    """Returns two compiled functions for the loop of `ufunc` with `count` float arguments and one result.

    The first takes and returns floats. The second takes the addresses of the arguments and of the result, then the
    strides of all of them, then the number of elements.
    """
    name, data = loop_symbols(ufunc)
    word, pointer = ir.IntType(64), ir.IntType(8).as_pointer()

    def call(builder: Builder, places: Value, strides: Value, n: Value) -> None:
        words = [words_of(builder, pointer, places), words_of(builder, word, [n]), words_of(builder, word, strides)]
        taken = [pointer.as_pointer(), word.as_pointer(), word.as_pointer(), pointer]
        function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(ir.VoidType(), taken), name)
        held = ir.Constant(pointer, None)
        if data is not None:
            plain = ir.FunctionType(ir.VoidType(), [])
            held = builder.bitcast(cgutils.get_or_insert_function(builder.module, plain, data), pointer)
        builder.call(function, [*words, held])

    def of_numbers(typing_context: TypingContext, *numbers: Type) -> Typed:
        def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
            places = [cgutils.alloca_once(builder, ir.DoubleType()) for _ in range(count + 1)]
            for place, number in zip(places, arguments, strict=False):
                builder.store(number, place)
            # NumPy passes no stride for a single number, which tells the loop of powers that the exponent is shared.
            none = ir.Constant(word, 0)
            raw = [builder.bitcast(place, pointer) for place in places]
            call(builder, raw, [none] * (count + 1), ir.Constant(word, 1))
            return builder.load(places[-1])

        return types.float64(*[types.float64] * count), generate

    def of_arrays(typing_context: TypingContext, *words: Type) -> Typed:
        def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
            places = [builder.inttoptr(address, pointer) for address in arguments[: count + 1]]
            call(builder, places, arguments[count + 1 : -1], arguments[-1])
            return context.get_dummy_value()

        return types.void(*[types.int64] * (2 * count + 3)), generate

    numbers: Any = [
        lambda typing_context, a: of_numbers(typing_context, a),
        lambda typing_context, a, b: of_numbers(typing_context, a, b),
        lambda typing_context, a, b, c: of_numbers(typing_context, a, b, c),
    ][count - 1]
    arrays: Any = [
        lambda typing_context, a, r, sa, sr, n: of_arrays(typing_context, a, r, sa, sr, n),
        lambda typing_context, a, b, r, sa, sb, sr, n: of_arrays(typing_context, a, b, r, sa, sb, sr, n),
        lambda typing_context, a, b, c, r, sa, sb, sc, sr, n: of_arrays(typing_context, a, b, c, r, sa, sb, sc, sr, n),
    ][count - 1]
    numbers.__name__, arrays.__name__ = f"{ufunc.__name__}_number", f"{ufunc.__name__}_array"
    return intrinsic(numbers), intrinsic(arrays)


def words_of(builder: Builder, kind: Type, values: Values) -> Value:
    """Returns the address of the first of some values in memory."""
    place = cgutils.alloca_once(builder, kind, size=len(values))
    for k, value in enumerate(values):
        builder.store(value, builder.gep(place, [ir.Constant(ir.IntType(32), k)]))
    return place
