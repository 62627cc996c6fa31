"""Products of matrices and vectors, and norms: by the loop of `np.matmul`, which decides the order of sums."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations import arrays, ufuncs
from palaestra.language.operations.arrays import Index, array_type
from palaestra.language.operations.drawing import any_array, array_like, one_of, some_dtype
from palaestra.language.operations.elementwise import apply
from palaestra.language.operations.table import REFUSED, built, written
from palaestra.language.types import Term, constant

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

NONE, FALSE, TWO = map(constant, (None, False, 2))


def _shapes(*shapes: tuple[int, ...]) -> Any:
    """Returns what draws arrays of some shapes and one dtype."""

    def draw(rng: np.random.Generator) -> tuple[Any, ...]:
        dtype = some_dtype(rng)
        return tuple(array_like(rng, dtype, shape) for shape in shapes)

    return draw


TRIES = (_shapes((3, 4), (4, 2)), _shapes((4,), (4,)), _shapes((3, 4), (4,)), _shapes((2,), (2, 5)))


@built(np.matmul, (np.matmul, "array"), tries=(*TRIES, _shapes((2, 3, 2), (2, 1))))
def _matmul(front: FrontEnd, a: Term, b: Term) -> Term:
    operands = [arrays.as_array(front, one) for one in (a, b)]
    dtypes = ufuncs.resolved(np.matmul, *operands)
    examples = [arrays.example_of(array_type(one)) for one in operands]
    made = np.asarray(arrays.answer(front, lambda: np.matmul(*examples)))
    sources = [_converted(front, one, dtype) for one, dtype in zip(operands, dtypes, strict=False)]
    result = arrays.new(front, arrays.type_like(made))
    if made.size:
        _multiply(front, sources, dtypes, result)
    return result if made.shape else arrays.item_of(front, result, ())


def _converted(front: FrontEnd, array: Term, dtype: Any) -> Term:
    return array if array_type(array).dtype == dtype else arrays.copied(front, array, "K", dtype)


def _multiply(front: FrontEnd, sources: Sequence[Term], dtypes: Sequence[Any], result: Term) -> None:
    """One product, or one for each of the axes in front of the last two."""
    has_rows, has_columns = (len(array_type(one).shape) > 1 for one in sources)
    one, other = (array_type(source).shape for source in sources)
    outer = np.broadcast_shapes(one[:-2], other[:-2])
    m, n, p = one[-2] if has_rows else 1, one[-1], other[-1] if has_columns else 1
    a, b = (_spread(front, source, outer) for source in sources)
    left, right, out = array_type(a).strides, array_type(b).strides, array_type(result).strides
    of_a = (left[-2] if has_rows else 0, left[-1])
    of_b = (right[-2], right[-1]) if has_columns else (right[-1], 0)
    kept = list(out[len(outer) :])
    of_result = (kept.pop(0) if has_rows else 0, kept.pop(0) if has_columns else 0)

    def multiply(index: Index) -> None:
        inner = [(*index, *[0] * (len(array_type(each).shape) - len(outer))) for each in (a, b, result)]
        places = [arrays.place_of(front, each, at) for each, at in zip((a, b, result), inner, strict=True)]
        words = [0, 0, 0, *of_a, *of_b, *of_result, 1, m, n, p]
        symbol = ufuncs.symbol_of(np.matmul, dtypes)
        front.emit("loop", None, *places, *map(front.number, words), attribute=symbol)

    arrays.each(front, outer, multiply)


def _spread(front: FrontEnd, array: Term, outer: tuple[int, ...]) -> Term:
    shape = array_type(array).shape
    return arrays.broadcast(front, array, (*outer, *shape[-2:])) if outer else array


@built(np.dot, np.ndarray.dot, tries=TRIES)
def _dot(front: FrontEnd, a: Term, b: Term) -> Term:
    one, other = (arrays.as_array(front, term) for term in (a, b))
    ndim = {len(array_type(term).shape) for term in (one, other)}
    if 0 in ndim:
        raise Refused("np.dot of a number is not in the language", "write a * b")
    if max(ndim) > 2:
        raise Refused("np.dot of arrays of three axes is not in the language", "write a @ b")
    if ndim == {1}:
        return _dot_of_vectors(front, one, other)
    if any(1 in array_type(term).shape for term in (one, other)):
        raise Refused("np.dot of a matrix with one row or column is not in the language", "write a @ b")
    return _matmul(front, one, other)


def _dot_of_vectors(front: FrontEnd, a: Term, b: Term) -> Term:
    """The sum of one product is that product, of whatever sign; and vectors that run backwards are copied before."""
    if array_type(a).shape != array_type(b).shape:
        front.raise_("ValueError")
    if array_type(a).size == 1:
        single = apply(front, np.multiply, (a, b))
        return arrays.item_of(front, single, (0,))
    if any(array_type(one).strides[0] == 0 for one in (a, b)):
        raise Refused("a product of a repeated number is not in the language", "write .copy() behind it")
    forward = [arrays.copied(front, one, "C") if array_type(one).strides[0] < 0 else one for one in (a, b)]
    return _matmul(front, *forward)


@built(np.inner, tries=(_shapes((4,), (4,)),))
def _inner(front: FrontEnd, a: Term, b: Term) -> Term:
    one, other = (arrays.as_array(front, term) for term in (a, b))
    if any(len(array_type(term).shape) != 1 for term in (one, other)):
        raise Refused("np.inner takes two vectors here", "write a @ b.T")
    return _dot_of_vectors(front, one, other)


@written(np.vdot, tries=(_shapes((4,), (4,)),))
def _vdot(a: Any, b: Any) -> Any:
    return np.dot(np.ravel(a), np.ravel(b))


@written(np.outer, tries=(_shapes((4,), (3,)),))
def _outer(a: Any, b: Any) -> Any:
    return np.multiply(np.ravel(a)[:, None], np.ravel(b)[None, :])


@built(np.kron, tries=(_shapes((2, 2), (1, 3)), _shapes((3,), (2,)), _shapes((2,), (2, 2))))
def _kron(front: FrontEnd, a: Term, b: Term) -> Term:
    pair = [arrays.as_array(front, one) for one in (a, b)]
    shapes = [array_type(one).shape for one in pair]
    ndim = max(map(len, shapes))
    if () in shapes:
        return apply(front, np.multiply, pair)
    full = [(1,) * (ndim - len(shape)) + shape for shape in shapes]
    keys = [(slice(None), None) * ndim, (None, slice(None)) * ndim]
    wide = [
        arrays.view(front, arrays.copied(front, one, "C"), lambda of, shape=shape, key=key: of.reshape(shape)[key])  # type: ignore[misc]
        for one, shape, key in zip(pair, full, keys, strict=True)
    ]
    size = tuple(m * n for m, n in zip(*full, strict=True))
    return front.operate(np.reshape, arrays.copied(front, apply(front, np.multiply, wide), "C"), constant(size))


@built(
    np.tensordot,
    tries=(lambda rng: (*_shapes((2, 3), (3, 2))(rng), 1), lambda rng: (*_shapes((2, 3, 2), (3, 2, 4))(rng), 2)),
)
def _tensordot(front: FrontEnd, a: Term, b: Term, axes: Term = TWO) -> Term:
    pair = [arrays.as_array(front, one) for one in (a, b)]
    if not arrays.is_number(axes):
        raise Refused("np.tensordot takes a number of axes here", "transpose the arrays before")
    count = front.integer(axes, "the number of axes")
    one, other = (array_type(each).shape for each in pair)
    if one[len(one) - count :] != other[:count]:
        front.raise_("ValueError")
    if not 0 < count <= min(len(one), len(other)):
        raise Refused("np.tensordot over these axes is not in the language", "write it with @ and np.multiply.outer")
    left, right = (
        front.operate(np.reshape, each, constant(shape))
        for each, shape in zip(pair, _flat(one, other, count), strict=True)
    )
    found = front.operate(np.dot, left, right)
    return front.operate(np.reshape, found, constant(one[: len(one) - count] + other[count:]))


def _flat(one: tuple[int, ...], other: tuple[int, ...], count: int) -> Any:
    """The shapes of two arrays as matrices, of which the last and the first axes are run over."""
    k = len(one) - count
    return (math.prod(one[:k]), math.prod(one[k:])), (math.prod(other[:count]), math.prod(other[count:]))


@built(np.einsum, folds=False, note=REFUSED)
def _einsum(front: FrontEnd, *terms: Term, **named: Term) -> Term:
    raise Refused("np.einsum adds products in an order of its own", "write a @ b, np.outer(a, b) or np.sum(a * b)")


@built(np.cross, tries=(_shapes((3,), (3,)),))
def _cross(front: FrontEnd, a: Term, b: Term) -> Term:
    operands = [arrays.as_array(front, one) for one in (a, b)]
    if any(array_type(one).shape != (3,) for one in operands):
        raise Refused("np.cross takes two vectors of three numbers here")
    examples = [arrays.example_of(array_type(one)) for one in operands]
    made = arrays.answer(front, lambda: np.cross(examples[0], examples[1]))
    result = arrays.new(front, arrays.type_like(made))
    one, other = (arrays.as_array(front, each, made.dtype) for each in operands)
    front.call_function(_cross_of_three, (result, one, other), {})
    return result


def _cross_of_three(result: Any, a: Any, b: Any) -> None:
    result[0] = a[1] * b[2] - a[2] * b[1]
    result[1] = a[2] * b[0] - a[0] * b[2]
    result[2] = a[0] * b[1] - a[1] * b[0]


@built(
    np.linalg.norm,
    tries=(
        lambda rng: (any_array(rng, "iuf", (3,)),),
        lambda rng: (any_array(rng, "f", (3, 4)),),
        lambda rng: (any_array(rng, "f", (3, 4)), None, int(rng.integers(-2, 2))),
        lambda rng: (any_array(rng, "f", (5,)), np.inf),
        lambda rng: (rng.normal(size=(2, 3)), one_of(rng, "fro", 2, 1, np.inf)),
        lambda rng: (any_array(rng, "f", (5,)), 1),
    ),
)
def _norm(front: FrontEnd, x: Term, ord: Term = NONE, axis: Term = NONE, keepdims: Term = FALSE) -> Term:
    array = arrays.as_array(front, x)
    kind = array_type(array)
    if kind.dtype.kind != "f":
        array = arrays.copied(front, array, "K", np.dtype(np.float64))
    which = arrays.known(ord, "the order of a norm")
    ndim = len(kind.shape)
    is_of_all = which is None or (which == 2 and ndim == 1) or (which in ("fro", "f") and ndim == 2)
    if axis == NONE and is_of_all and keepdims == FALSE:
        return front.call_function(_norm_of_all, (front.operate(np.ravel, array, order=constant("K")),), {})
    if axis == NONE and ndim == 2 and keepdims == FALSE and which in _NORMS_OF_MATRICES:
        return front.call_function(_NORMS_OF_MATRICES[which], (array,), {})
    function = _NORMS.get(which)
    if function is None or (axis == NONE and ndim != 1) or (axis != NONE and not arrays.is_number(axis)):
        raise Refused("this norm is not in the language", "write it out with np.sum and np.abs")
    return front.call_function(function, (array, axis, keepdims), {})


def _norm_of_all(x: Any) -> Any:
    return np.sqrt(np.dot(x, x))


def _norm_2(x: Any, axis: Any, keepdims: Any) -> Any:
    return np.sqrt(np.sum(x * x, axis, keepdims=keepdims))


def _norm_1(x: Any, axis: Any, keepdims: Any) -> Any:
    return np.sum(np.abs(x), axis, keepdims=keepdims)


def _norm_of_largest(x: Any, axis: Any, keepdims: Any) -> Any:
    return np.max(np.abs(x), axis, keepdims=keepdims)


def _norm_of_least(x: Any, axis: Any, keepdims: Any) -> Any:
    return np.min(np.abs(x), axis, keepdims=keepdims)


_NORMS: dict[Any, Any] = {None: _norm_2, 2: _norm_2, 1: _norm_1, np.inf: _norm_of_largest, -np.inf: _norm_of_least}


def _spectral_norm(x: Any) -> Any:
    return np.max(np.linalg.svd(x, compute_uv=False))


def _norm_of_columns(x: Any) -> Any:
    return np.max(np.sum(np.abs(x), 0))


def _norm_of_rows(x: Any) -> Any:
    return np.max(np.sum(np.abs(x), 1))


_NORMS_OF_MATRICES: dict[Any, Any] = {2: _spectral_norm, 1: _norm_of_columns, np.inf: _norm_of_rows}
