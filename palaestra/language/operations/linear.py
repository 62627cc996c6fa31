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
from palaestra.language.operations.table import built
from palaestra.language.program import BEYOND, FLOAT64
from palaestra.language.types import Term, plain

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd


def _matrix(rng: np.random.Generator) -> tuple[Any, ...]:
    size = int(rng.integers(1, 5))
    return (rng.normal(size=(size, size)),)


def _system(rng: np.random.Generator) -> tuple[Any, ...]:
    matrix = rng.normal(size=(3, 3))
    return matrix, rng.normal(size=one_of(rng, (3,), (3, 2)))


def _square(front: FrontEnd, x: Term) -> Term:
    """A matrix as float64s row by row; of float32s NumPy computes in float32."""
    array = arrays.as_array(front, x)
    kind = array_type(array)
    if len(kind.shape) != 2 or kind.shape[0] != kind.shape[1]:
        raise Refused(f"{kind} is no square matrix", "pass one of shape (n, n)")
    if kind.dtype != FLOAT64 and kind.dtype.kind == "f":
        raise Refused(f"linear equations of {kind.dtype} are not in the language", "convert them: astype(np.float64)")
    return arrays.copied(front, array, "C", FLOAT64)


def _solved(front: FrontEnd, symbol: str, sources: list[Term], shape: tuple[int, ...], counts: list[int]) -> Term:
    """What a loop gives for one system; the first axis of each operand is not run over."""
    result = arrays.new(front, plain(FLOAT64, shape))
    operands = [*sources, result]
    steps = [0] * len(operands) + [step for one in operands for step in array_type(one).strides]
    words = map(front.number, [*steps, 1, *counts])
    front.emit("loop", None, *(one.part for one in operands), *words, attribute=symbol)
    return result


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
