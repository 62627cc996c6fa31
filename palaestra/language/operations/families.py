"""Distributions whose draws are made of others: gamma, beta, Poisson, binomial and their kin, as NumPy draws them.

Sources: Marsaglia and Tsang (2000), "A simple method for generating gamma variables"; Jöhnk (1964), "Erzeugung von
betaverteilten und gammaverteilten Zufallszahlen"; Knuth (1969), "The art of computer programming", volume 2, for few
events of a Poisson process; Hörmann (1993), "The transformed rejection method for generating Poisson random variables";
Kachitvichyanukul and Schmeiser (1988), "Binomial random variate generation".
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations.arithmetic import as_float, floating
from palaestra.language.operations.distributions import (
    c_exp,
    c_log1p,
    normal,
    random,
    standard_exponential,
    standard_normal,
)
from palaestra.language.operations.drawing import one_of
from palaestra.language.operations.draws import NONE, Generator, check_scale, drawn, parameter, raise_where, sizes
from palaestra.language.operations.table import built
from palaestra.language.program import FLOAT64, INT64
from palaestra.language.types import PYTHON, Number, Term, constant

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

MOST_EVENTS = np.iinfo(np.int64).max - np.sqrt(np.iinfo(np.int64).max) * 10  # of a Poisson process
STIRLING = (
    *(8.333333333333333e-02, -2.777777777777778e-03, 7.936507936507937e-04, -5.952380952380952e-04),
    *(8.417508417508418e-04, -1.917526917526918e-03, 6.410256410256410e-03, -2.955065359477124e-02),
    *(1.796443723688307e-01, -1.39243221690590e00),
)
"""The coefficients of Stirling's series for the logarithm of the gamma function."""


# Functions of C, and what they are in Python.


def c_log(x: float) -> float:
    """Returns `log` of C for a number of at least 0."""
    return math.log(x) if x else -math.inf


def c_expm1(x: float) -> float:
    """Returns `expm1` of C."""
    return math.expm1(x)


def c_pow(x: float, y: float) -> float:
    """Returns `pow` of C for a number of at least 0."""
    return float(np.power(x, y))


def c_div(x: float, y: float) -> float:
    """Returns a quotient; that by 0 is infinite."""
    return float(np.divide(x, y))


def _c(called: Any, symbol: str) -> None:
    @built(called, folds=False)
    def build(front: FrontEnd, *terms: Term) -> Term:
        return floating(front.emit("call", FLOAT64, *[as_float(front, one) for one in terms], attribute=symbol))


_c(c_log, "log")
_c(c_expm1, "expm1")
_c(c_pow, "pow")


@built(c_div)
def _c_div(front: FrontEnd, x: Term, y: Term) -> Term:
    return floating(front.compute("div", as_float(front, x), as_float(front, y)))


# Continuous distributions.


def standard_gamma(rng: np.random.Generator, shape: float) -> float:
    """Draws from the gamma distribution of scale 1."""
    if shape == 1.0:
        return standard_exponential(rng)
    if shape == 0.0:
        return 0.0
    return small_gamma(rng, shape) if shape < 1.0 else large_gamma(rng, shape)


def small_gamma(rng: np.random.Generator, shape: float) -> float:
    """Draws from the gamma distribution of a shape below 1."""
    while True:
        u, v = random(rng), standard_exponential(rng)
        if u <= 1.0 - shape:
            x = c_pow(u, c_div(1.0, shape))
            if x <= v:
                return x
        else:
            y = -c_log((1.0 - u) / shape)
            x = c_pow(1.0 - shape + shape * y, c_div(1.0, shape))
            if x <= v + y:
                return x


def large_gamma(rng: np.random.Generator, shape: float) -> float:
    """Draws from the gamma distribution of a shape above 1."""
    b = shape - 1.0 / 3.0
    c = c_div(1.0, math.sqrt(9.0 * b))
    while True:
        x = standard_normal(rng)
        v = 1.0 + c * x
        while v <= 0.0:
            x = standard_normal(rng)
            v = 1.0 + c * x
        v = v * v * v
        u = random(rng)
        if u < 1.0 - 0.0331 * (x * x) * (x * x):
            return b * v
        if c_log(u) < 0.5 * x * x + b * (1.0 - v + c_log(v)):
            return b * v


def gamma(rng: np.random.Generator, shape: float, scale: float) -> float:
    """Draws from a gamma distribution."""
    return scale * standard_gamma(rng, shape)


def chisquare(rng: np.random.Generator, df: float) -> float:
    """Draws from a chi-square distribution."""
    return 2.0 * standard_gamma(rng, df / 2.0)


def f_ratio(rng: np.random.Generator, dfnum: float, dfden: float) -> float:
    """Draws from an F distribution."""
    above = chisquare(rng, dfnum) * dfden
    return c_div(above, chisquare(rng, dfden) * dfnum)


def standard_t(rng: np.random.Generator, df: float) -> float:
    """Draws from Student's t distribution."""
    above = standard_normal(rng)
    return c_div(math.sqrt(df / 2.0) * above, math.sqrt(standard_gamma(rng, df / 2.0)))


def standard_cauchy(rng: np.random.Generator) -> float:
    """Draws from the Cauchy distribution of scale 1."""
    above = standard_normal(rng)
    return c_div(above, standard_normal(rng))


def beta(rng: np.random.Generator, a: float, b: float) -> float:
    """Draws from a beta distribution."""
    if a > 1.0 or b > 1.0:
        left = standard_gamma(rng, a)
        return c_div(left, left + standard_gamma(rng, b))
    if a < 3e-103 and b < 3e-103:
        return 1.0 if (a + b) * random(rng) < a else 0.0
    while True:
        u, v = random(rng), random(rng)
        x, y = c_pow(u, c_div(1.0, a)), c_pow(v, c_div(1.0, b))
        if x + y <= 1.0 and u + v > 0.0:
            if x > 0.0 and y > 0.0:
                return x / (x + y)
            of_x, of_y = c_div(c_log(u), a), c_div(c_log(v), b)
            below = of_x - of_y if of_x < of_y else 0.0
            return c_exp(below - c_log1p(c_exp(-abs(of_x - of_y))))


def lognormal(rng: np.random.Generator, mean: float, sigma: float) -> float:
    """Draws a number whose logarithm is normally distributed."""
    return c_exp(normal(rng, mean, sigma))


def rayleigh(rng: np.random.Generator, scale: float) -> float:
    """Draws from a Rayleigh distribution."""
    return scale * math.sqrt(2.0 * standard_exponential(rng))


def weibull(rng: np.random.Generator, a: float) -> float:
    """Draws from a Weibull distribution."""
    return 0.0 if a == 0.0 else c_pow(standard_exponential(rng), c_div(1.0, a))


def pareto(rng: np.random.Generator, a: float) -> float:
    """Draws from a Pareto distribution that begins at 0."""
    return c_expm1(c_div(standard_exponential(rng), a))


def power(rng: np.random.Generator, a: float) -> float:
    """Draws from [0, 1] with a density that is a power."""
    return c_pow(-c_expm1(-standard_exponential(rng)), c_div(1.0, a))


def laplace(rng: np.random.Generator, loc: float, scale: float) -> float:
    """Draws from a Laplace distribution."""
    u = random(rng)
    while u == 0.0:
        u = random(rng)
    return loc - scale * c_log(2.0 - u - u) if u >= 0.5 else loc + scale * c_log(u + u)


def gumbel(rng: np.random.Generator, loc: float, scale: float) -> float:
    """Draws from a Gumbel distribution."""
    u = 1.0 - random(rng)
    while u == 1.0:
        u = 1.0 - random(rng)
    return loc - scale * c_log(-c_log(u))


def logistic(rng: np.random.Generator, loc: float, scale: float) -> float:
    """Draws from a logistic distribution."""
    u = random(rng)
    while u == 0.0:
        u = random(rng)
    return loc + scale * c_log(c_div(u, 1.0 - u))


def triangular(rng: np.random.Generator, left: float, mode: float, right: float) -> float:
    """Draws from a triangular distribution."""
    base, left_base = right - left, mode - left
    u = random(rng)
    if u <= left_base / base:
        return left + math.sqrt(u * (left_base * base))
    return right - math.sqrt((1.0 - u) * ((right - mode) * base))


# Discrete distributions.


def geometric(rng: np.random.Generator, p: float) -> int:
    """Draws the number of trials up to the first success."""
    if p < 0.333333333333333333333333:
        trials = c_div(-standard_exponential(rng), c_log1p(-p))
        return math.ceil(trials) if trials < 2.0**63 else 2**63 - 1
    x, total, product, q = 1, p, p, 1.0 - p
    u = random(rng)
    while u > total:
        product *= q
        total += product
        x += 1
    return x


def poisson(rng: np.random.Generator, lam: float) -> int:
    """Draws the number of events of a Poisson process."""
    if lam >= 10.0:
        return many_events(rng, lam)
    if lam == 0.0:
        return 0
    x, product, least = 0, random(rng), c_exp(-lam)
    while product > least:
        x += 1
        product *= random(rng)
    return x


def many_events(rng: np.random.Generator, lam: float) -> int:
    """Draws the number of events of a Poisson process with a mean of at least 10."""
    root, of_lam = math.sqrt(lam), c_log(lam)
    b = 0.931 + 2.53 * root
    a = -0.059 + 0.02483 * b
    inverse, enough = 1.1239 + 1.1328 / (b - 3.4), 0.9277 - 3.6224 / (b - 2.0)
    while True:
        u = random(rng) - 0.5
        v = random(rng)
        us = 0.5 - abs(u)
        if us == 0.0:  # the quotient below is infinite, and rejected
            continue
        k = math.floor((2.0 * a / us + b) * u + lam + 0.43)
        if us >= 0.07 and v <= enough:
            return k
        if k < 0 or (us < 0.013 and v > us):
            continue
        if c_log(v) + c_log(inverse) - c_log(a / (us * us) + b) <= -lam + k * of_lam - log_gamma(k + 1.0):
            return k


def log_gamma(x: float) -> float:
    """Returns the logarithm of the gamma function for a positive number, by Stirling's series."""
    if x == 1.0 or x == 2.0:
        return 0.0
    n = int(7.0 - x) if x < 7.0 else 0
    x0 = x + n
    x2 = (1.0 / x0) * (1.0 / x0)
    series = STIRLING[9]
    for k in range(8, -1, -1):
        series = series * x2 + STIRLING[k]
    result = series / x0 + 0.5 * 1.8378770664093453 + (x0 - 0.5) * c_log(x0) - x0
    for _ in range(n):
        result -= c_log(x0 - 1.0)
        x0 -= 1.0
    return result


def binomial(rng: np.random.Generator, n: int, p: float) -> int:
    """Draws the number of successes in n trials."""
    if n == 0 or p == 0.0:
        return 0
    share = p if p <= 0.5 else 1.0 - p
    successes = few_successes(rng, n, share) if share * n <= 30.0 else many_successes(rng, n, share)
    return successes if p <= 0.5 else n - successes


def few_successes(rng: np.random.Generator, n: int, p: float) -> int:
    """Draws a number of successes whose mean is at most 30, by the inverse of their distribution."""
    q = 1.0 - p
    none = c_exp(n * c_log1p(-p))
    limit = n * p + 10.0 * math.sqrt(n * p * q + 1.0)
    most = int(limit) if limit < n else n
    x, height, u = 0, none, random(rng)
    while u > height:
        x += 1
        if x > most:
            x, height, u = 0, none, random(rng)
        else:
            u -= height
            height = ((n - x + 1) * p * height) / (x * q)
    return x


def many_successes(rng: np.random.Generator, n: int, p: float) -> int:
    """Draws a number of successes whose mean is above 30, below a triangle, parallelograms and exponential tails."""
    q = 1.0 - p
    top = n * p + p
    m, spread = math.floor(top), n * p * q
    p1 = math.floor(2.195 * math.sqrt(spread) - 4.6 * q) + 0.5
    middle = m + 0.5
    left, right = middle - p1, middle + p1
    c = 0.134 + 20.5 / (15.3 + m)
    a = (top - left) / (top - left * p)
    of_left = a * (1.0 + a / 2.0)
    a = (right - top) / (right * q)
    of_right = a * (1.0 + a / 2.0)
    p2 = p1 * (1.0 + 2.0 * c)
    p3 = p2 + c / of_left
    p4 = p3 + c / of_right
    while True:
        u = random(rng) * p4
        v = random(rng)
        if u <= p1:
            return math.floor(middle - p1 * v + u)
        if u <= p2:
            x = left + (u - p1) / c
            v = v * c + 1.0 - abs(m - x + 0.5) / p1
            if v > 1.0:
                continue
            y = math.floor(x)
        elif v == 0.0:
            continue
        elif u <= p3:
            y = math.floor(left + c_log(v) / of_left)
            if y < 0:
                continue
            v = v * (u - p2) * of_left
        else:
            y = math.floor(right - c_log(v) / of_right)
            if y > n:
                continue
            v = v * (u - p3) * of_right
        if is_below(v, y, n, p, m, spread, middle):
            return y


def is_below(v: float, y: int, n: int, p: float, m: int, spread: float, middle: float) -> bool:
    """Whether a height is below that of the binomial distribution at y, relative to that at m."""
    q, k = 1.0 - p, abs(y - m)
    if not (k > 20 and k < spread / 2.0 - 1.0):
        return v <= relative_height(y, n, p / q, m)
    rho = (k / spread) * ((k * (k / 3.0 + 0.625) + 0.16666666666666666) / spread + 0.5)
    t = -k * k / (2.0 * spread)
    height = c_log(v)
    if height < t - rho:
        return True
    if height > t + rho:
        return False
    x1, f1, z, w = y + 1.0, m + 1.0, n + 1.0 - m, n - y + 1.0
    limit = middle * c_log(f1 / x1) + (n - m + 0.5) * c_log(z / w) + (y - m) * c_log(w * p / (x1 * q))
    return height <= limit + correction(f1) + correction(z) + correction(x1) + correction(w)


def relative_height(y: int, n: int, odds: float, m: int) -> float:
    """Returns the share of the binomial distribution's height at y in that at m."""
    height, a = 1.0, odds * (n + 1)
    for i in range(m + 1, y + 1):
        height *= a / i - odds
    for i in range(y + 1, m + 1):
        height /= a / i - odds
    return height


def correction(x: float) -> float:
    """Returns the rest of Stirling's series for a factorial."""
    x2 = x * x
    return (13680.0 - (462.0 - (132.0 - (99.0 - 140.0 / x2) / x2) / x2) / x2) / x / 166320.0


# Checks of parameters, before anything is drawn.

Check = Callable[..., None]


def _where(write: Callable[[FrontEnd, Any], Any], decide: Callable[[Any], bool]) -> Check:
    """What raises ValueError for a parameter: by a condition that is written, or by the number where it is known."""

    def check(front: FrontEnd, term: Term) -> None:
        raise_where(front, decide(term.value) if term.known else write(front, term.part), "ValueError")

    return check


def outside(least: float, most: float, above: str) -> Check:
    """Returns what refuses numbers outside of bounds, and NaN; `above` is "gt" if the lower one is outside, or "ge"."""

    def write(front: FrontEnd, x: Any) -> Any:
        fits = front.compare(above, x, front.number(least, FLOAT64))
        return front.compute("not", front.compute("and", fits, front.compare("le", x, front.number(most, FLOAT64))))

    return _where(write, lambda x: not ((x > least if above == "gt" else x >= least) and x <= most))


POSITIVE = _where(lambda front, x: front.compare("le", x, front.number(0.0, FLOAT64)), lambda x: bool(x <= 0.0))
SCALE = check_scale
SHARE, SHARE_ABOVE_0 = outside(0.0, 1.0, "ge"), outside(0.0, 1.0, "gt")
EVENTS = outside(0.0, float(MOST_EVENTS), "ge")


def any_number(front: FrontEnd, term: Term) -> None:
    """Refuse nothing."""


def in_turn(*checks: Check) -> Check:
    """Returns what checks each parameter."""

    def check(front: FrontEnd, *terms: Term) -> None:
        for one, term in zip(checks, terms, strict=True):
            one(front, term)

    return check


def _check_triangle(front: FrontEnd, *corners: Term) -> None:
    left, mode, right = (front.materialized(one).part for one in corners)
    for comparison, a, b in (("gt", left, mode), ("gt", mode, right), ("eq", left, right)):
        front.raise_if(front.compare(comparison, a, b), "ValueError")


# Methods.


def family(called: Any, draw: Any, check: Check, *defaults: Term | None, dtype: Any = FLOAT64) -> None:
    """Add a method whose parameters have the names of those of a function, and defaults, None for none."""
    first, *names = inspect.signature(draw).parameters
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    every = zip(("front", first, *names, "size"), (None, None, *defaults, NONE), strict=True)
    signature = inspect.Signature([inspect.Parameter(n, kind, default=d or inspect.Parameter.empty) for n, d in every])

    def build(*terms: Any, **named: Any) -> Term:
        taken = signature.bind(*terms, **named)
        taken.apply_defaults()
        front, rng, *given, size = taken.arguments.values()
        floats = [parameter(front, one) for one in given]
        return drawn(front, floats, size, check, lambda *one: front.call_function(draw, (rng, *one), {}), dtype)

    build.__signature__ = signature  # type: ignore[attr-defined]
    built(called, folds=False, tries=sizes(*[_some] * len(names)))(build)


def _some(rng: np.random.Generator) -> float:
    return float(one_of(rng, 0.3, 0.7, 1.0, 0.05, 2.5, 12.0, 40.0, 0.0, -1.0, abs(rng.normal())))


ZERO, ONE = constant(0.0), constant(1.0)
AROUND = in_turn(any_number, SCALE)
family(Generator.standard_gamma, standard_gamma, SCALE, None)
family(Generator.gamma, gamma, in_turn(SCALE, SCALE), None, ONE)
family(Generator.chisquare, chisquare, POSITIVE, None)
family(Generator.f, f_ratio, in_turn(POSITIVE, POSITIVE), None, None)
family(Generator.standard_t, standard_t, POSITIVE, None)
family(Generator.standard_cauchy, standard_cauchy, in_turn())
family(Generator.beta, beta, in_turn(POSITIVE, POSITIVE), None, None)
family(Generator.lognormal, lognormal, AROUND, ZERO, ONE)
family(Generator.rayleigh, rayleigh, SCALE, ONE)
family(Generator.weibull, weibull, SCALE, None)
family(Generator.pareto, pareto, POSITIVE, None)
family(Generator.power, power, POSITIVE, None)
family(Generator.laplace, laplace, AROUND, ZERO, ONE)
family(Generator.gumbel, gumbel, AROUND, ZERO, ONE)
family(Generator.logistic, logistic, AROUND, ZERO, ONE)
family(Generator.triangular, triangular, _check_triangle, None, None, None)
family(Generator.geometric, geometric, SHARE_ABOVE_0, None, dtype=INT64)
family(Generator.poisson, poisson, EVENTS, ONE, dtype=INT64)


def _trials(rng: np.random.Generator) -> tuple[Any, ...]:
    n, p = one_of(rng, 0, 1, 7, 60, 1000, -1), one_of(rng, 0.0, 0.2, 0.5, 0.9, 1.0, 1.5, np.array([0.1, 0.6]))
    return (np.random.default_rng(int(rng.integers(100))), n, p, one_of(rng, None, 2, (3, 2)))


@built(Generator.binomial, folds=False, tries=(_trials,))
def _binomial(front: FrontEnd, rng: Term, n: Term, p: Term, size: Term = NONE) -> Term:
    trials = front.materialized(n)
    if not isinstance(trials.type, Number) or trials.type.dtype.kind not in "iu":
        raise Refused(f"the number of trials is {trials.type}", "pass an int; for several, draw in a loop")
    count = front.convert(trials.part, INT64)
    share = parameter(front, p)
    front.raise_if(front.compare("lt", count, front.number(0)), "ValueError")
    number = Term(PYTHON[int], (count,))
    return drawn(front, [share], size, SHARE, lambda one: front.call_function(binomial, (rng, number, one), {}), INT64)
