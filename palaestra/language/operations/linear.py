"""Systems of linear equations: by the loops of `np.linalg`, which call LAPACK.

A matrix that has no inverse gives NaN; such rows are left to Python, which raises `LinAlgError`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations import arrays
from palaestra.language.operations.arrays import array_type
from palaestra.language.operations.drawing import one_of
from palaestra.language.operations.table import REFUSED, built, written
from palaestra.language.program import BEYOND, FLOAT64
from palaestra.language.types import Term, constant, plain, tuple_of

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

NONE, FALSE, TRUE, LOWER = map(constant, (None, False, True, "L"))


def _matrix(rng: np.random.Generator) -> tuple[Any, ...]:
    size = int(rng.integers(1, 5))
    return (rng.normal(size=(size, size)),)


def _system(rng: np.random.Generator) -> tuple[Any, ...]:
    matrix = rng.normal(size=(3, 3))
    return matrix, rng.normal(size=one_of(rng, (3,), (3, 2)))


def _square(front: FrontEnd, x: Term) -> Term:
    """A square matrix as float64s row by row."""
    kind = array_type(arrays.as_array(front, x))
    if len(kind.shape) != 2 or kind.shape[0] != kind.shape[1]:
        raise Refused(f"{kind} is no square matrix", "pass one of shape (n, n)")
    return _matrix_of(front, x)


def _matrix_of(front: FrontEnd, x: Term) -> Term:
    """A matrix as float64s row by row; of float32s NumPy computes in float32."""
    array = arrays.as_array(front, x)
    kind = array_type(array)
    if len(kind.shape) != 2:
        raise Refused(f"{kind} is no matrix", "pass one of shape (m, n)")
    if kind.dtype != FLOAT64 and kind.dtype.kind == "f":
        raise Refused(f"linear equations of {kind.dtype} are not in the language", "convert them: astype(np.float64)")
    return arrays.copied(front, array, "C", FLOAT64)


def _solved(front: FrontEnd, symbol: str, sources: list[Term], shape: tuple[int, ...], counts: list[int]) -> Term:
    """What a loop gives for one system."""
    result = arrays.new(front, plain(FLOAT64, shape))
    _run(front, symbol, [*sources, result], counts)
    return result


def _run(front: FrontEnd, symbol: str, operands: list[Term], counts: list[int]) -> None:
    """Call a loop for one system: the first axis of each operand is not run over."""
    steps = [0] * len(operands) + [step for one in operands for step in array_type(one).strides]
    words = map(front.number, [*steps, 1, *counts])
    front.emit("loop", None, *(one.part for one in operands), *words, attribute=symbol)


def _finite(front: FrontEnd, result: Term) -> Term:
    """A solution, unless there is none: LAPACK's loop fills it with NaN."""
    first = arrays.load(front, result, (0,) * len(array_type(result).shape))
    front.raise_if(front.compare("ne", first, first), BEYOND)
    return result


@built(np.linalg.inv, tries=(_matrix,))
def _inv(front: FrontEnd, a: Term) -> Term:
    matrix = _square(front, a)
    shape = array_type(matrix).shape
    return _finite(front, _solved(front, "inv:d->d", [matrix], shape, [shape[0]])) if shape[0] else matrix


@built(np.linalg.det, tries=(_matrix,))
def _det(front: FrontEnd, a: Term) -> Term:
    matrix = _square(front, a)
    return arrays.item_of(front, _solved(front, "det:d->d", [matrix], (), [array_type(matrix).shape[0]]), ())


@built(np.linalg.solve, tries=(_system,))
def _solve(front: FrontEnd, a: Term, b: Term) -> Term:
    matrix, right = _square(front, a), arrays.as_array(front, b)
    size, kind = array_type(matrix).shape[0], array_type(right)
    if len(kind.shape) not in (1, 2) or kind.shape[0] != size or not size:
        raise Refused(f"equations with {kind} at the right are not in the language", f"pass one of shape ({size},)")
    right = arrays.copied(front, right, "C", FLOAT64)
    symbol = "solve1:dd->d" if len(kind.shape) == 1 else "solve:dd->d"
    return _finite(front, _solved(front, symbol, [matrix, right], kind.shape, [size, *kind.shape[1:]]))


# Triangles, eigenvalues and singular values.


def _symmetric(rng: np.random.Generator) -> tuple[Any, ...]:
    (matrix,) = _matrix(rng)
    return (matrix @ matrix.T + np.eye(len(matrix)),)


def _some_matrix(rng: np.random.Generator) -> tuple[Any, ...]:
    return (rng.normal(size=one_of(rng, (3, 2), (2, 3), (3, 3))),)


@built(np.linalg.slogdet, tries=(_matrix,))
def _slogdet(front: FrontEnd, a: Term) -> Term:
    matrix = _square(front, a)
    found = [arrays.new(front, plain(FLOAT64, ())) for _ in range(2)]
    _run(front, "slogdet:d->dd", [matrix, *found], [array_type(matrix).shape[0]])
    return tuple_of([arrays.item_of(front, one, ()) for one in found], _class(np.linalg.slogdet))


def _class(called: Any) -> Any:
    """The class of a function's result, a NamedTuple."""
    return type(called(np.eye(1)))


@built(np.linalg.cholesky, tries=(_symmetric,))
def _cholesky(front: FrontEnd, a: Term, *, upper: Term = FALSE) -> Term:
    matrix = _square(front, a)
    shape = array_type(matrix).shape
    name = "cholesky_up" if arrays.known(upper, "upper=") else "cholesky_lo"
    return _finite(front, _solved(front, f"{name}:d->d", [matrix], shape, [shape[0]]))


@built(np.linalg.eigvalsh, tries=(_symmetric,))
def _eigvalsh(front: FrontEnd, a: Term, UPLO: Term = LOWER) -> Term:
    matrix = _square(front, a)
    size = array_type(matrix).shape[0]
    return _finite(front, _solved(front, f"eigvalsh_{_side(UPLO)}:d->d", [matrix], (size,), [size]))


@built(np.linalg.eigh, tries=(_symmetric,))
def _eigh(front: FrontEnd, a: Term, UPLO: Term = LOWER) -> Term:
    matrix = _square(front, a)
    size = array_type(matrix).shape[0]
    found = [arrays.new(front, plain(FLOAT64, shape)) for shape in ((size,), (size, size))]
    _run(front, f"eigh_{_side(UPLO)}:d->dd", [matrix, *found], [size])
    _finite(front, found[0])
    return tuple_of(found, _class(np.linalg.eigh))


def _side(which: Term) -> str:
    return {"L": "lo", "U": "up"}[str(arrays.known(which, "UPLO=")).upper()]


@built(
    np.linalg.svd,
    tries=(_some_matrix, lambda rng: (*_some_matrix(rng), False), lambda rng: (*_some_matrix(rng), True, False)),
)
def _svd(
    front: FrontEnd, a: Term, full_matrices: Term = TRUE, compute_uv: Term = TRUE, hermitian: Term = FALSE
) -> Term:
    if hermitian != FALSE:
        raise Refused("np.linalg.svd with hermitian= is not in the language", "use np.linalg.eigh")
    matrix = _matrix_of(front, a)
    m, n = array_type(matrix).shape
    least = min(m, n)
    if not arrays.known(compute_uv, "compute_uv="):
        return _finite(front, _solved(front, "svd:d->d", [matrix], (least,), [m, n, least]))
    is_full = bool(arrays.known(full_matrices, "full_matrices="))
    shapes = ((m, m), (least,), (n, n)) if is_full else ((m, least), (least,), (least, n))
    found = [arrays.new(front, plain(FLOAT64, shape)) for shape in shapes]
    _run(front, "svd_f:d->ddd" if is_full else "svd_s:d->ddd", [matrix, *found], [m, n, least])
    _finite(front, found[1])
    return tuple_of(found, _class(np.linalg.svd))


@written(np.linalg.svdvals, tries=(_some_matrix,))
def _svdvals(x: Any) -> Any:
    return np.linalg.svd(x, compute_uv=False)


# What is made of these.


@written(np.linalg.pinv, tries=(_some_matrix,))
def _pinv(a: Any, rcond: Any = 1e-15) -> Any:
    u, s, vt = np.linalg.svd(a, full_matrices=False)
    large = s > rcond * np.max(s)
    inverse = np.where(large, 1 / s, 0.0)
    return np.matmul(np.transpose(vt), np.multiply(inverse[:, None], np.transpose(u)))


@written(np.linalg.matrix_rank, tries=(_some_matrix, lambda rng: (np.outer(*rng.normal(size=(2, 3))),)))
def _matrix_rank(A: Any, tol: Any = None) -> Any:
    s = np.linalg.svd(A, compute_uv=False)
    least = np.max(s) * (max(A.shape) * 2.220446049250313e-16) if tol is None else tol
    return np.count_nonzero(s > least, axis=-1)


@built(np.linalg.matrix_power, tries=(lambda rng: (*_matrix(rng), one_of(rng, 0, 1, 2, 3, 5, -2)),))
def _matrix_power(front: FrontEnd, a: Term, n: Term) -> Term:
    exponent, base = front.integer(n, "an exponent"), arrays.as_array(front, a)
    kind = array_type(base)
    if kind.shape != kind.shape[:1] * 2:
        raise Refused(f"{kind} is no square matrix", "pass one of shape (n, n)")
    if exponent == 0:
        return front.operate(np.eye, constant(kind.shape[0]), dtype=constant(kind.dtype))
    if exponent < 0:
        base, exponent = _inv(front, base), -exponent
    return front.call_function(_power, (base, constant(exponent)), {})


def _power(base: Any, exponent: Any) -> Any:
    if exponent == 3:
        return (base @ base) @ base
    result, left = None, exponent
    while left > 0:
        if left % 2:
            result = base if result is None else result @ base
        left //= 2
        if left > 0:
            base = base @ base
    return result


@built(np.linalg.cond, tries=(_some_matrix, lambda rng: (*_some_matrix(rng), -2)))
def _cond(front: FrontEnd, x: Term, p: Term = NONE) -> Term:
    if p not in (NONE, constant(2), constant(-2)):
        raise Refused("np.linalg.cond with this p= is not in the language", "leave it out")
    return front.call_function(_condition, (_matrix_of(front, x), constant(p == constant(-2))), {})


def _condition(x: Any, is_inverse: Any) -> Any:
    s = np.linalg.svd(x, compute_uv=False)
    found = s[-1] / s[0] if is_inverse else s[0] / s[-1]
    return np.float64(np.inf) if found != found else found


@built(
    np.linalg.lstsq,
    tries=(
        lambda rng: (rng.normal(size=(4, 2)), rng.normal(size=4)),
        lambda rng: (rng.normal(size=one_of(rng, (4, 2), (4, 4), (4, 5))), rng.normal(size=(4, 3))),
    ),
)
def _lstsq(front: FrontEnd, a: Term, b: Term, rcond: Term = NONE) -> Term:
    matrix, right = _matrix_of(front, a), arrays.as_array(front, b)
    m, n = array_type(matrix).shape
    shape = array_type(right).shape
    if shape[:1] != (m,) or len(shape) > 2 or not m or not n:
        raise Refused(f"np.linalg.lstsq of {array_type(matrix)} and {array_type(right)} is not in the language")
    right = arrays.copied(front, front.operate(np.reshape, right, constant((m, -1))), "C", FLOAT64)
    many = array_type(right).shape[1]
    limit = constant(float(np.finfo(np.float64).eps) * max(m, n)) if rcond == NONE else rcond
    least = arrays.array_of(front, limit, FLOAT64)
    least_rank = min(m, n)
    x, rests, s = (arrays.new(front, plain(FLOAT64, one)) for one in ((n, many), (many,), (least_rank,)))
    rank = arrays.new(front, plain(np.dtype(np.int32), ()))
    _run(front, "lstsq:ddd->ddid", [matrix, right, least, x, rests, rank, s], [m, n, many, least_rank])
    _finite(front, x)
    count = arrays.item_of(front, rank, ())
    if m > n:
        front.raise_if(front.compare("ne", count.part, front.number(n, np.dtype(np.int32))), BEYOND)
    else:
        rests = arrays.new_plain(front, FLOAT64, (0,))
    found = front.operate(np.reshape, x, constant((shape[1:] and (n, many)) or (n,)))
    return tuple_of([found, rests, count, s])


def _refuse(*several: Any) -> None:
    for called in several:

        @built(called, folds=False, note=REFUSED)
        def build(front: FrontEnd, *terms: Term, called: Any = called, **named: Term) -> Term:
            raise Refused(f"np.linalg.{called.__name__} is not in the language", "compute it in __init__")


_refuse(np.linalg.eig, np.linalg.eigvals, np.linalg.qr, np.linalg.tensorinv, np.linalg.tensorsolve)
_refuse(np.linalg.multi_dot, np.linalg.vector_norm, np.linalg.matrix_norm)


@written(np.polyfit, tries=(lambda rng: (rng.normal(size=5), rng.normal(size=5), one_of(rng, 1, 2)),))
def _polyfit(x: Any, y: Any, deg: Any) -> Any:
    points, values = np.asarray(x) + 0.0, np.asarray(y) + 0.0
    if points.ndim != 1 or values.shape[0] != points.shape[0] or len(points) == 0:
        raise TypeError
    powers = np.vander(points, deg + 1)
    scale = np.sqrt(np.sum(powers * powers, axis=0))
    found = np.linalg.lstsq(powers / scale, values, len(points) * 2.220446049250313e-16)[0]
    return (found.T / scale).T
