"""The functions of `np.random`, which draw from the generator that an environment has of its own for them.

They are methods of a `RandomState`, whose numbers stay as they were before `np.random.Generator`: floats of two words
of 32 bits, normal numbers by the polar method, and whole numbers by masked words.

Source: Marsaglia and Bray (1964), "A convenient method for generating normal variables".
"""

from __future__ import annotations

import inspect
import math
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.frontend.hidden import RANDOM_STATE, own
from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations import arrays, choices, distributions
from palaestra.language.operations.arithmetic import leave_to_python_if
from palaestra.language.operations.draws import (
    NONE,
    ONE,
    ZERO,
    Generator,
    drawn,
    filled,
    filled_as_found,
    found_axes,
    parameter,
    raise_where,
    size_of,
    span_of,
)
from palaestra.language.operations.families import POSITIVE, SCALE, SHARE_ABOVE_0, c_div, c_log, c_pow, in_turn
from palaestra.language.operations.integers import integer
from palaestra.language.operations.rare_families import BELOW_1, drawn_of_counts, older_hypergeometric, older_wald
from palaestra.language.operations.seeds import seeded_with
from palaestra.language.operations.table import built
from palaestra.language.operations.twister import Twister, length_of
from palaestra.language.program import BEYOND, FLOAT64, INT64, Value
from palaestra.language.types import Number, Term, constant, tuple_of

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

TRUE, INT, ONE_FLOAT = constant(True), constant(int), constant(1.0)


class OwnRandomState(Twister):
    """A generator with the numbers of `np.random.RandomState`."""

    def up_to(self, highest: int) -> int:
        """Draws from 0..highest: masked words, until one is not too large; none for 0."""
        leave_to_python_if(highest >= 2**32)
        if highest == 0:
            return 0
        mask = (1 << length_of(highest)) - 1
        number = self.word() & mask
        while number > highest:
            number = self.word() & mask
        return number

    def normal(self) -> float:
        """Draws from the normal distribution of mean 0 and deviation 1, two numbers at a time."""
        if self.has_spare:
            self.has_spare = False
            return self.spare
        x, y, square = 0.0, 0.0, 0.0
        while square >= 1.0 or square == 0.0:
            x = 2.0 * self.random() - 1.0
            y = 2.0 * self.random() - 1.0
            square = x * x + y * y
        factor = math.sqrt(-2.0 * c_log(square) / square)
        self.spare, self.has_spare = factor * x, True
        return factor * y

    def exponential(self) -> float:
        """Draws from the exponential distribution of mean 1."""
        return -c_log(1.0 - self.random())


# Entries: floats.


def _generator(front: FrontEnd) -> Term:
    return own(front, RANDOM_STATE)


def _drawing(front: FrontEnd, function: Any) -> Callable[..., Term]:
    generator = _generator(front)
    return lambda *given: front.call_function(function, (generator, *given), {})


def _check_nothing(front: FrontEnd, *given: Term) -> None:
    pass


def _check_finite(front: FrontEnd, low: Term, span: Term) -> None:
    if span.known:
        raise_where(front, not math.isfinite(span.value), "OverflowError")
        return
    is_finite = front.compare("lt", front.compute("fabs", span.part), front.number(math.inf, FLOAT64))
    front.raise_if(front.compute("not", is_finite), "OverflowError")


def _standard(function: Any, *called: Any) -> None:
    @built(*called, folds=False)
    def build(front: FrontEnd, size: Term = NONE) -> Term:
        return drawn(front, (), size, _check_nothing, _drawing(front, function))


_standard(distributions.random, np.random.random_sample, np.random.random, np.random.ranf, np.random.sample)
_standard(OwnRandomState.normal, np.random.standard_normal)
_standard(OwnRandomState.exponential, np.random.standard_exponential)


def _of_lengths(function: Any, called: Any) -> None:
    @built(called, folds=False)
    def build(front: FrontEnd, *lengths: Term) -> Term:
        size = tuple_of(lengths) if lengths else NONE
        return drawn(front, (), size, _check_nothing, _drawing(front, function))


_of_lengths(distributions.random, np.random.rand)
_of_lengths(OwnRandomState.normal, np.random.randn)


@built(np.random.uniform, folds=False)
def _uniform(front: FrontEnd, low: Term = ZERO, high: Term = ONE, size: Term = NONE) -> Term:
    first, end = parameter(front, low), parameter(front, high)
    given = first, span_of(front, end, first)
    return drawn(front, given, size, _check_finite, _drawing(front, distributions.uniform))


def _as_newer(called: Any, newer: Any) -> None:
    """A function whose numbers are made of floats and normal ones as those of `Generator` are."""

    @built(called, folds=False)
    def build(front: FrontEnd, *terms: Term, **named: Term) -> Term:
        return front.operate(newer, _generator(front), *terms, **named)


for _name in (
    *("normal", "lognormal", "exponential", "standard_gamma", "gamma", "beta", "chisquare", "f", "standard_t"),
    *("standard_cauchy", "weibull", "laplace", "gumbel", "logistic", "triangular", "poisson", "binomial"),
    *("vonmises", "noncentral_chisquare", "noncentral_f", "negative_binomial"),
    *("dirichlet", "multinomial", "multivariate_normal"),
):
    _as_newer(getattr(np.random, _name), getattr(Generator, _name))


def _older(called: Any, draw: Any, check: Any, *defaults: Term, dtype: Any = FLOAT64) -> None:
    """A function whose numbers `Generator` makes in another way; the parameters without defaults come first."""
    names = [*inspect.signature(draw).parameters][1:]

    @built(called, folds=False)
    def build(front: FrontEnd, *terms: Term, **named: Term) -> Term:
        given = dict(zip([*names, "size"], terms, strict=False)) | named
        given = dict(zip(names[len(names) - len(defaults) :], defaults, strict=True)) | given
        if not {*names} <= given.keys() <= {*names, "size"}:
            front.raise_("TypeError")
        floats = [parameter(front, given[name]) for name in names]
        return drawn(front, floats, given.get("size", NONE), check, _drawing(front, draw), dtype)


def older_power(rng: OwnRandomState, a: float) -> float:
    """Draws from [0, 1] with a density that is a power."""
    return c_pow(1.0 - distributions.c_exp(-rng.exponential()), c_div(1.0, a))


def older_pareto(rng: OwnRandomState, a: float) -> float:
    """Draws from a Pareto distribution that begins at 0."""
    return distributions.c_exp(c_div(rng.exponential(), a)) - 1.0


def older_rayleigh(rng: OwnRandomState, scale: float) -> float:
    """Draws from a Rayleigh distribution."""
    return scale * math.sqrt(-2.0 * distributions.c_log1p(-rng.random()))


def older_geometric(rng: OwnRandomState, p: float) -> int:
    """Draws the number of trials up to the first success."""
    if p < 0.333333333333333333333333:
        return math.ceil(c_div(distributions.c_log1p(-rng.random()), c_log(1.0 - p)))
    x, total, product = 1, p, p
    u = rng.random()
    while u > total:
        product *= 1.0 - p
        total += product
        x += 1
    return x


def older_logseries(rng: OwnRandomState, p: float) -> int:
    """Draws from a logarithmic distribution."""
    r = distributions.c_log1p(-p)
    while True:
        v = rng.random()
        if v >= p:
            return 1
        q = 1.0 - distributions.c_exp(r * rng.random())
        if v <= q * q:
            count = math.floor(1.0 + c_log(v) / c_log(q))
            if count >= 1 and v != 0.0:
                return count
        else:
            return 1 if v >= q else 2


_older(np.random.power, older_power, POSITIVE)
_older(np.random.pareto, older_pareto, POSITIVE)
_older(np.random.rayleigh, older_rayleigh, SCALE, ONE_FLOAT)
_older(np.random.wald, older_wald, in_turn(POSITIVE, POSITIVE))
_older(np.random.geometric, older_geometric, SHARE_ABOVE_0, dtype=INT64)
_older(np.random.logseries, older_logseries, BELOW_1, dtype=INT64)


# Entries: whole numbers.


@built(np.random.randint, folds=False)
def _randint(front: FrontEnd, low: Term, high: Term = NONE, size: Term = NONE, dtype: Term = INT) -> Term:
    if dtype not in (INT, constant(np.int64)):
        raise Refused("another dtype than int in randint() is not in the language", "convert it: astype(...)")
    first, end = (constant(0), low) if high == NONE else (low, high)
    bounds = [_whole(front, one, "a bound of randint()") for one in (first, end)]
    front.raise_if(front.compare("ge", *bounds), "ValueError")
    front.raise_if(front.compare("gt", bounds[1], front.number(2**62)), BEYOND)
    front.raise_if(front.compare("lt", bounds[0], front.number(-(2**62))), BEYOND)
    highest = integer(front.compute("sub", front.compute("sub", bounds[1], front.number(1)), bounds[0]))
    generator = _generator(front)

    def draw(k: object = None) -> Value:
        place = front.materialized(front.operate(choices.up_to, generator, highest)).part
        return front.compute("add", bounds[0], place)

    axes = found_axes(front, size)
    if axes is not None:
        return filled_as_found(front, INT64, axes, lambda: draw)
    made = arrays.answer(front, lambda: np.random.RandomState(0).randint(1, size=size_of(front, size)))
    if isinstance(made, np.ndarray):
        return filled(front, arrays.type_like(made), draw)
    return integer(draw()) if dtype == INT else Term(Number(INT64), (draw(),))


@built(np.random.random_integers, folds=False)
def _random_integers(front: FrontEnd, low: Term, high: Term = NONE, size: Term = NONE) -> Term:
    first, last = (constant(1), low) if high == NONE else (low, high)
    return _randint(front, first, front.operate(operator.add, last, constant(1)), size, constant(np.int64))


@built(np.random.hypergeometric, folds=False)
def _hypergeometric(front: FrontEnd, ngood: Term, nbad: Term, nsample: Term, size: Term = NONE) -> Term:
    return drawn_of_counts(front, older_hypergeometric, _generator(front), (ngood, nbad, nsample), size, 2**62)


def _whole(front: FrontEnd, term: Term, what: str) -> Any:
    number = front.materialized(term)
    if not isinstance(number.type, Number) or number.type.dtype.kind not in "iu" or number.type.dtype == np.uint64:
        raise Refused(f"{what} is {term.type}", "pass an int")
    return front.convert(number.part, INT64)


@built(np.random.choice, folds=False)
def _choice(front: FrontEnd, a: Term, size: Term = NONE, replace: Term = TRUE, p: Term = NONE) -> Term:
    generator = _generator(front)
    if not arrays.is_number(a) and len(arrays.array_type(arrays.as_array(front, a)).shape) != 1:
        front.raise_("ValueError")
    if p != NONE or bool(arrays.known(replace, "an argument of choice")):
        return front.operate(Generator.choice, generator, a, size, replace, p)
    order = front.operate(np.random.permutation, _count_of(front, a))
    if size == NONE:
        if not arrays.array_type(order).size:
            front.raise_("ValueError")
        places = front.operate(int, front.operate(operator.getitem, order, constant(0)))
    else:
        places = _first(front, order, arrays.answer(front, lambda: np.empty(size_of(front, size), np.int64)))
    return places if arrays.is_number(a) else front.operate(operator.getitem, arrays.as_array(front, a), places)


def _count_of(front: FrontEnd, a: Term) -> Term:
    return a if arrays.is_number(a) else constant(arrays.array_type(arrays.as_array(front, a)).shape[0])


def _first(front: FrontEnd, order: Term, made: Any) -> Term:
    """The first places of an order, in a shape."""
    (length,) = arrays.array_type(order).shape
    if made.size > length:
        front.raise_("ValueError")
    places = front.operate(operator.getitem, order, constant(slice(made.size)))
    return front.operate(np.reshape, places, constant(made.shape))


@built(np.random.shuffle, folds=False)
def _shuffle(front: FrontEnd, x: Term) -> Term:
    return front.operate(Generator.shuffle, _generator(front), x)


@built(np.random.permutation, folds=False)
def _permutation(front: FrontEnd, x: Term) -> Term:
    return front.operate(Generator.permutation, _generator(front), x)


# Seeds.


@built(np.random.seed, folds=False, takes_seed=True)
def _seed(front: FrontEnd, seed: Term = NONE) -> Term:
    return seeded_with(front, RANDOM_STATE, seed, lambda: integer(_whole(front, seed, "a seed")), begin)


def begin(generator: OwnRandomState, seed: int) -> None:
    """Seed a generator."""
    if not 0 <= seed < 2**32:
        raise ValueError("Seed must be between 0 and 2**32 - 1")
    generator.begin(seed)
