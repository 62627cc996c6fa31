"""Matrix products, by the inner loop of `numpy.matmul`, which determines the order of sums."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

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
    cgutils,
    compiled,
    intrinsic,
    ir,
    meaning_of,
    types,
)
from palaestra.language.jit.exact.kinds import is_array, is_long_tuple
from palaestra.language.jit.exact.loops import words_of
from palaestra.language.jit.symbols import is_readable, loop_symbols


def _loop() -> Any:
    """Returns the call of the loop: three addresses, the sizes m, n and p, and two strides of each array."""
    name, _ = loop_symbols(np.matmul)
    word, pointer = ir.IntType(64), ir.IntType(8).as_pointer()

    def called(typing_context: TypingContext, addresses: Type, sizes: Type, strides: Type) -> Typed:
        def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
            at, sizes, strides = (cgutils.unpack_tuple(builder, argument) for argument in arguments)
            places = [builder.inttoptr(one, pointer) for one in at]
            one, zero = ir.Constant(word, 1), ir.Constant(word, 0)
            taken = [pointer.as_pointer(), word.as_pointer(), word.as_pointer(), pointer]
            function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(ir.VoidType(), taken), name)
            words = [
                words_of(builder, pointer, places),
                words_of(builder, word, [one, *sizes]),
                words_of(builder, word, [zero, zero, zero, *strides]),
            ]
            builder.call(function, [*words, ir.Constant(pointer, None)])
            return context.get_dummy_value()

        return types.void(addresses, sizes, strides), generate

    called.__name__ = "matmul_loop"
    return intrinsic(called)


PRODUCTS: dict[tuple[int, int], Any] = {}
"""Maps the numbers of axes of two arrays of floats to their product."""

DOT: Any = None
"""`np.dot` of two arrays of floats of one axis: `a @ b`, but for one element, and for arrays that run backwards."""
NORM: Any = None
"""`np.linalg.norm` of an array of floats in one piece, or of one axis."""

if is_readable():
    _multiply = _loop()

    @compiled
    def _matrix_vector(a: Any, b: Any) -> Any:
        if a.shape[1] != b.shape[0]:
            raise ValueError("arrays whose shapes do not fit")
        result = np.empty(a.shape[0])
        at, sizes = (a.ctypes.data, b.ctypes.data, result.ctypes.data), (a.shape[0], a.shape[1], 1)
        _multiply(at, sizes, (a.strides[0], a.strides[1], b.strides[0], 0, 8, 0))
        return result

    @compiled
    def _vector_matrix(a: Any, b: Any) -> Any:
        if a.shape[0] != b.shape[0]:
            raise ValueError("arrays whose shapes do not fit")
        result = np.empty(b.shape[1])
        at, sizes = (a.ctypes.data, b.ctypes.data, result.ctypes.data), (1, a.shape[0], b.shape[1])
        _multiply(at, sizes, (0, a.strides[0], b.strides[0], b.strides[1], 0, 8))
        return result

    @compiled
    def _vectors(a: Any, b: Any) -> Any:
        if a.shape[0] != b.shape[0]:
            raise ValueError("arrays whose shapes do not fit")
        result = np.empty(1)
        at, sizes = (a.ctypes.data, b.ctypes.data, result.ctypes.data), (1, a.shape[0], 1)
        _multiply(at, sizes, (0, a.strides[0], b.strides[0], 0, 0, 0))
        return result[0]

    @compiled
    def _matrices(a: Any, b: Any) -> Any:
        if a.shape[1] != b.shape[0]:
            raise ValueError("arrays whose shapes do not fit")
        result = np.empty((a.shape[0], b.shape[1]))
        at, sizes = (a.ctypes.data, b.ctypes.data, result.ctypes.data), (a.shape[0], a.shape[1], b.shape[1])
        strides = (a.strides[0], a.strides[1], b.strides[0], b.strides[1], result.strides[0], 8)
        _multiply(at, sizes, strides)
        return result

    @compiled
    def _norm(a: Any) -> Any:
        flat = np.ravel(a)
        return math.sqrt(_vectors(flat, flat))

    @compiled
    def _forward(a: Any) -> Any:
        return a if a.strides[0] > 0 else a.copy()

    @compiled
    def _dot(a: Any, b: Any) -> Any:
        if a.shape[0] == 1 and b.shape[0] == 1:  # NumPy adds no 0, which would take the sign of -0
            return a[0] * b[0]
        return _vectors(_forward(a), _forward(b))

    NORM, DOT = _norm, _dot
    PRODUCTS = {(2, 1): _matrix_vector, (1, 2): _vector_matrix, (1, 1): _vectors, (2, 2): _matrices}


def product(a: Any, b: Any) -> Any:
    """Replaces `a @ b` in compiled code, for which Numba would require SciPy."""
    return a @ b


@meaning_of(product)
def _product(a: Any, b: Any) -> Meaning:
    arrays = all(is_array(kind) and kind.dtype == types.float64 and not is_long_tuple(kind) for kind in (a, b))
    exact = PRODUCTS.get((a.ndim, b.ndim)) if arrays else None
    return exact and (lambda a, b: exact(a, b))
