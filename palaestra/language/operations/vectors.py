"""Draws of several numbers that belong together: Dirichlet, multinomial, multivariate normal and hypergeometric.

Source: Devroye (1986), "Non-uniform random variate generation".
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations import arrays
from palaestra.language.operations.arithmetic import leave_to_python_if
from palaestra.language.operations.arrays import array_type
from palaestra.language.operations.drawing import one_of
from palaestra.language.operations.draws import NONE, Generator, size_of
from palaestra.language.operations.families import beta, binomial, c_div, standard_gamma
from palaestra.language.operations.rare_families import hypergeometric
from palaestra.language.operations.table import REFUSED, built
from palaestra.language.program import FLOAT64, INT64, Value
from palaestra.language.types import PYTHON, Number, Reference, Term, constant

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

MARGINALS = constant("marginals")


def drawn_rows(front: FrontEnd, dtype: Any, length: int, size: Term, write: Callable[[Term], None]) -> Term:
    """Returns an array of a size whose last axis has a length: `write` draws each row, an array of that axis."""
    shape = np.empty(()).shape if size == NONE else arrays.answer(front, lambda: np.empty(size_of(front, size))).shape
    result = arrays.new_plain(front, dtype, (*shape, length))
    arrays.assign(front, result, constant(0))
    if result_size := math.prod(shape):
        rows = front.operate(np.reshape, result, constant((result_size, length)))

        def row(k: Value | int) -> None:
            write(arrays.array_at(arrays.place_of(front, rows, (k, 0)), dtype, [arrays.known_axis(length, 8)]))

        if result_size == 1:
            row(0)
        else:
            arrays.count(front, result_size, row)
    return result


def _vector(front: FrontEnd, term: Term, what: str, dtype: Any = FLOAT64) -> Term:
    """A row of parameters."""
    row = arrays.as_array(front, term, dtype)
    kind = array_type(row)
    if len(kind.shape) != 1 or not kind.shape[0]:
        raise Refused(f"{what} is {kind}", "pass one row of numbers")
    return arrays.copied(front, row, "C")


def _generators(rng: np.random.Generator) -> np.random.Generator:
    return np.random.default_rng(int(rng.integers(100)))


# Dirichlet.


@built(
    Generator.dirichlet,
    folds=False,
    tries=(lambda rng: (_generators(rng), rng.random(3) * one_of(rng, 3.0, 0.09, -1.0)),),
)
def _dirichlet(front: FrontEnd, rng: Term, alpha: Term, size: Term = NONE) -> Term:
    row = _vector(front, alpha, "the parameter of a Dirichlet distribution")
    is_older = isinstance(rng.type, Reference)
    front.call_function(_check_alpha, (row, constant(is_older)), {})
    function = _shares_of_gammas if is_older else _shares

    def write(result: Term) -> None:
        front.call_function(function, (rng, row, result), {})

    return drawn_rows(front, FLOAT64, array_type(row).shape[0], size, write)


def _check_alpha(alpha: Any, zero_too: Any) -> None:
    for one in alpha:
        if one < 0.0 or (zero_too and one <= 0.0):
            raise ValueError


def _shares(rng: Any, alpha: Any, result: Any) -> None:
    if np.max(alpha) >= 0.1:
        _shares_of_gammas(rng, alpha, result)
        return
    sums = np.zeros(len(alpha))
    total = 0.0
    for k in range(len(alpha) - 1, -1, -1):
        total += float(alpha[k])
        sums[k] = total
    left = 1.0
    for k in range(len(alpha) - 1):
        share = beta(rng, float(alpha[k]), float(sums[k + 1]))
        result[k] = left * share
        left *= 1.0 - share
        if sums[k + 1] == 0.0:
            break
    result[len(alpha) - 1] = left


def _shares_of_gammas(rng: Any, alpha: Any, result: Any) -> None:
    total = 0.0
    for k in range(len(alpha)):
        result[k] = standard_gamma(rng, float(alpha[k]))
        total = total + float(result[k])
    inverse = c_div(1.0, total)
    for k in range(len(alpha)):
        result[k] = float(result[k]) * inverse


# Multinomial.


@built(
    Generator.multinomial,
    folds=False,
    tries=(
        lambda rng: (_generators(rng), one_of(rng, 0, 5, 100, -1), rng.dirichlet(np.ones(3)) * one_of(rng, 1.0, 2.0)),
    ),
)
def _multinomial(front: FrontEnd, rng: Term, n: Term, pvals: Term, size: Term = NONE) -> Term:
    trials = front.materialized(n)
    if not isinstance(trials.type, Number) or trials.type.dtype.kind not in "iu":
        raise Refused(f"the number of trials is {trials.type}", "pass an int; for several, draw in a loop")
    count = Term(PYTHON[int], (front.convert(trials.part, INT64),))
    row = _vector(front, pvals, "the shares of a multinomial distribution")
    front.call_function(_check_shares, (count, row), {})

    def write(result: Term) -> None:
        front.call_function(_counts, (rng, count, row, result), {})

    return drawn_rows(front, INT64, array_type(row).shape[0], size, write)


def _check_shares(n: int, shares: Any) -> None:
    """Check shares, of which all but the last are added with their rests."""
    total, lost = float(shares[0]), 0.0
    for k in range(1, len(shares) - 1):
        more = float(shares[k]) - lost
        both = total + more
        lost = (both - total) - more
        total = both
    for one in shares:
        if not 0.0 <= one <= 1.0:
            raise ValueError
    if n < 0 or (len(shares) > 1 and total > 1.0 + 1e-12):
        raise ValueError


def _counts(rng: Any, n: int, shares: Any, result: Any) -> None:
    share, left = 1.0, n
    for k in range(len(shares) - 1):
        found = binomial(rng, left, c_div(float(shares[k]), share))
        result[k] = found
        left -= found
        if left <= 0:
            break
        share -= float(shares[k])
    if left > 0:
        result[len(shares) - 1] = left


# Several colors.


@built(
    Generator.multivariate_hypergeometric,
    folds=False,
    tries=(lambda rng: (_generators(rng), rng.integers(3, 9, 3), int(rng.integers(-1, 12))),),
)
def _multivariate_hypergeometric(
    front: FrontEnd, rng: Term, colors: Term, nsample: Term, size: Term = NONE, method: Term = MARGINALS
) -> Term:
    sample, row = front.materialized(nsample), arrays.as_array(front, colors)
    if method != MARGINALS or array_type(row).dtype.kind not in "iu" or not isinstance(sample.type, Number):
        raise Refused("these arguments of multivariate_hypergeometric() are not in the language", "pass ints")
    row = _vector(front, row, "the numbers of items", INT64)
    count = front.operate(int, sample)
    front.call_function(_check_colors, (row, count), {})

    def write(result: Term) -> None:
        front.call_function(_colors, (rng, row, count, result), {})

    return drawn_rows(front, INT64, array_type(row).shape[0], size, write)


def _check_colors(colors: Any, sample: int) -> None:
    total = 0
    for one in colors:
        if one < 0 or one >= 1000000000:
            raise ValueError
        total += int(one)
    if sample < 0 or sample > total or total >= 1000000000:
        raise ValueError


def _colors(rng: Any, colors: Any, sample: int, result: Any) -> None:
    total = 0
    for one in colors:
        total += int(one)
    is_most = sample > total // 2
    left = total - sample if is_most else sample
    rest = total
    for k in range(len(colors) - 1):
        if left <= 0:
            break
        rest -= int(colors[k])
        found = hypergeometric(rng, int(colors[k]), rest, left)
        result[k] = found
        left -= found
    if left > 0:
        result[len(colors) - 1] = left
    if is_most:
        for k in range(len(colors)):
            result[k] = colors[k] - result[k]


# Normal numbers.


def _system(rng: np.random.Generator) -> tuple[Any, ...]:
    matrix = rng.normal(size=(3, 3))
    return _generators(rng), rng.normal(size=3), matrix @ matrix.T, one_of(rng, None, 2, (2, 2))


@built(Generator.multivariate_normal, folds=False, tries=(_system,))
def _multivariate_normal(front: FrontEnd, rng: Term, mean: Term, cov: Term, size: Term = NONE) -> Term:
    row, matrix = arrays.as_array(front, mean), arrays.as_array(front, cov)
    shapes = array_type(row).shape, array_type(matrix).shape
    if len(shapes[0]) != 1 or shapes[1] != shapes[0] * 2:
        front.raise_("ValueError")
    whole = np.empty(()) if size == NONE else arrays.answer(front, lambda: np.empty(size_of(front, size)))
    is_older, shape = isinstance(rng.type, Reference), constant((math.prod(whole.shape), *shapes[0]))
    if is_older:
        x = front.operate(np.random.standard_normal, shape)
    else:
        x = front.operate(Generator.standard_normal, rng, shape)
    function = _correlated_by_rows if is_older else _correlated
    found = front.call_function(function, (x, row, matrix), {})
    return front.operate(np.reshape, found, constant((*whole.shape, *shapes[0])))


def _correlated(x: Any, mean: Any, cov: Any) -> Any:
    u, s, vh = np.linalg.svd(cov)
    _check_covariance(s, vh, cov)
    return mean + np.matmul(x, (u * np.sqrt(s)).T)


def _correlated_by_rows(x: Any, mean: Any, cov: Any) -> Any:
    _, s, vh = np.linalg.svd(cov)
    _check_covariance(s, vh, cov)
    return mean + np.matmul(x, np.sqrt(s)[:, None] * vh)


def _check_covariance(s: Any, vh: Any, cov: Any) -> None:
    """Leave matrices to Python of which it says that they are no covariances."""
    leave_to_python_if(not np.allclose(np.matmul(vh.T * s, vh), cov, rtol=1e-8, atol=1e-8))


# Refused.


def _refuse(called: Any, reason: str, remedy: str) -> None:
    @built(called, folds=False, note=REFUSED)
    def build(front: FrontEnd, *terms: Term, **named: Term) -> Term:
        raise Refused(reason, remedy)


_refuse(Generator.bytes, "bytes are no object of the language", "draw integers(256, size=n, dtype=np.uint8)")
_refuse(Generator.spawn, "a new generator is made in step or reset", "draw from self.np_random")
