"""Distributions that few programs draw from: hypergeometric, von Mises, Wald, Zipf and their kin, as NumPy draws them.

Sources: Stadlober (1989), "Sampling from Poisson, binomial and hypergeometric distributions: ratio of uniforms as a
simple and fast alternative"; Best and Fisher (1979), "Efficient simulation of the von Mises distribution"; Michael,
Schucany and Haas (1976), "Generating random variates using transformations with multiple roots"; Devroye (1986),
"Non-uniform random variate generation", for Zipf's distribution; Kemp (1981), "Efficient generation of logarithmically
distributed pseudo-random variables".
"""

from __future__ import annotations

import math
from decimal import Context, Decimal
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations.arithmetic import leave_to_python_if
from palaestra.language.operations.choices import up_to
from palaestra.language.operations.distributions import c_log1p, random, standard_normal
from palaestra.language.operations.drawing import one_of
from palaestra.language.operations.draws import NONE, Generator, drawn
from palaestra.language.operations.families import (
    POSITIVE,
    SCALE,
    SHARE_ABOVE_0,
    any_number,
    c_div,
    c_expm1,
    c_log,
    c_pow,
    chisquare,
    family,
    gamma,
    in_turn,
    log_gamma,
    outside,
    poisson,
)
from palaestra.language.operations.table import built
from palaestra.language.program import INT64
from palaestra.language.types import PYTHON, Number, Reference, Term, constant

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd


def vonmises(rng: np.random.Generator, mu: float, kappa: float) -> float:
    """Draws an angle around another one."""
    if kappa != kappa:
        return math.nan
    if kappa < 1e-8:
        return math.pi * (2.0 * random(rng) - 1.0)
    if kappa > 1e6 and not is_older(rng):
        near = mu + math.sqrt(1.0 / kappa) * standard_normal(rng)
        if near < -math.pi:
            near += 2.0 * math.pi
        return near - 2.0 * math.pi if near > math.pi else near
    s = 1.0 / kappa + kappa
    if kappa >= 1e-5:
        r = 1.0 + math.sqrt(1.0 + 4.0 * kappa * kappa)
        rho = (r - math.sqrt(2.0 * r)) / (2.0 * kappa)
        s = (1.0 + rho * rho) / (2.0 * rho)
    w, is_found = 0.0, False
    while not is_found:
        z = math.cos(math.pi * random(rng))
        w = (1.0 + s * z) / (s + z)
        y, v = kappa * (s - w), random(rng)
        is_found = y * (2.0 - y) - v >= 0.0 or c_log(c_div(y, v)) + 1.0 - y >= 0.0
    angle = math.acos(w)
    if random(rng) < 0.5:
        angle = -angle
    angle += mu
    size = math.fmod(abs(angle) + math.pi, 2.0 * math.pi) - math.pi
    return -size if angle < 0.0 else size


def is_older(rng: Any) -> bool:
    """Returns whether a generator has the numbers of `np.random.RandomState`."""
    return not isinstance(rng, np.random.Generator)


@built(is_older, folds=False)
def _is_older(front: FrontEnd, rng: Term) -> Term:
    return constant(isinstance(rng.type, Reference))


def wald(rng: np.random.Generator, mean: float, scale: float) -> float:
    """Draws from a Wald distribution."""
    y = standard_normal(rng)
    y = mean * y * y
    d = 1.0 + math.sqrt(1.0 + c_div(4.0 * scale, y))
    x = mean * (1.0 - 2.0 / d)
    return x if random(rng) <= mean / (mean + x) else c_div(mean * mean, x)


def older_wald(rng: np.random.Generator, mean: float, scale: float) -> float:
    """Draws from a Wald distribution, as `np.random.RandomState` does."""
    half = mean / (2.0 * scale)
    y = standard_normal(rng)
    y = mean * y * y
    x = mean + half * (y - math.sqrt(4.0 * scale * y + y * y))
    return x if random(rng) <= mean / (mean + x) else c_div(mean * mean, x)


def noncentral_chisquare(rng: np.random.Generator, df: float, nonc: float) -> float:
    """Draws from a noncentral chi-square distribution."""
    if nonc != nonc:
        return math.nan
    if nonc == 0.0:
        return chisquare(rng, df)
    if df > 1.0:
        central = chisquare(rng, df - 1.0)
        n = standard_normal(rng) + math.sqrt(nonc)
        return central + n * n
    events = poisson(rng, nonc / 2.0)
    return chisquare(rng, df + 2.0 * events)


def noncentral_f(rng: np.random.Generator, dfnum: float, dfden: float, nonc: float) -> float:
    """Draws from a noncentral F distribution."""
    above = noncentral_chisquare(rng, dfnum, nonc) * dfden
    return c_div(above, chisquare(rng, dfden) * dfnum)


def negative_binomial(rng: np.random.Generator, n: float, p: float) -> int:
    """Draws the number of failures before so many successes."""
    return poisson(rng, gamma(rng, n, (1.0 - p) / p))


def logseries(rng: np.random.Generator, p: float) -> int:
    """Draws from a logarithmic distribution."""
    r = c_log1p(-p)
    while True:
        v = random(rng)
        if v >= p:
            return 1
        q = -c_expm1(r * random(rng))
        if v <= q * q:
            count = math.floor(1.0 + c_log(v) / c_log(q))
            if count >= 1 and v != 0.0:
                return count
        else:
            return 1 if v >= q else 2


def zipf(rng: np.random.Generator, a: float) -> int:
    """Draws from Zipf's distribution."""
    if a >= 1025.0:
        return 1
    less = a - 1.0
    b = c_pow(2.0, less)
    least = c_pow(2.0**63, -less)
    while True:
        u = random(rng)
        u = u * least + (1.0 - u)
        v = random(rng)
        x = np.floor(c_pow(u, -1.0 / less))
        if 1.0 <= x <= 2.0**63:
            t = c_pow(1.0 + 1.0 / x, less)
            if v * x * (t - 1.0) / (b - 1.0) <= t / b:
                leave_to_python_if(x == 2.0**63)
                return int(x)


# Without replacement.


def hypergeometric(rng: np.random.Generator, good: int, bad: int, sample: int) -> int:
    """Draws how many of a sample are good."""
    if 10 <= sample <= good + bad - 10:
        return _by_ratio(rng, good, bad, sample)
    total = good + bad
    taken = total - sample if sample > total // 2 else sample
    left, good_left = total, good
    while taken > 0 and good_left > 0 and left > good_left:
        left -= 1
        if up_to(rng, left) < good_left:
            good_left -= 1
        taken -= 1
    if left == good_left:
        good_left -= taken
    return good_left if sample > total // 2 else good - good_left


def _by_ratio(rng: np.random.Generator, good: int, bad: int, sample: int) -> int:
    """Draws by a ratio of two uniform numbers."""
    total = good + bad
    taken = min(sample, total - sample)
    few, many = min(good, bad), max(good, bad)
    p, q = few / total, many / total
    a = taken * p + 0.5
    spread = math.sqrt(float(total - taken) * taken * p * q / (total - 1) + 0.5)
    h = 1.7155277699214135 * spread + 0.8989161620588988
    m = math.floor(float(taken + 1) * (few + 1) / (total + 2))
    g = _log_ways(m, few, many, taken)
    b = min(float(min(taken, few) + 1), float(math.floor(a + 16.0 * spread)))
    k = _accepted(rng, (a, h, b), g, lambda k: _log_ways(k, few, many, taken))
    found = taken - k if good > bad else k
    return good - found if taken < sample else found


def _accepted(rng: np.random.Generator, hat: tuple[float, float, float], g: float, log_ways: Any) -> int:
    """Draws from under a hat, its middle, width and end, until the ratio of uniforms accepts one."""
    a, h, b = hat
    while True:
        u = random(rng)
        v = random(rng)
        x = a + c_div(h * (v - 0.5), u)
        if not 0.0 <= x < b:
            continue
        k = math.floor(x)
        t = g - log_ways(k)
        if u * (4.0 - u) - 3.0 <= t or (u * (u - t) < 1.0 and 2.0 * c_log(u) <= t):
            return k


def _log_ways(k: int, few: int, many: int, taken: int) -> float:
    return log_factorial(k) + log_factorial(few - k) + log_factorial(taken - k) + log_factorial(many - taken + k)


@cache
def _logs_of_factorials() -> tuple[float, ...]:
    """The logarithms of 0! to 125!, to the last bit."""
    return tuple(float(Context(prec=30).ln(Decimal(math.factorial(k)))) for k in range(126))


LOGS = np.array(_logs_of_factorials())


def log_factorial(k: int) -> float:
    """Returns the logarithm of a factorial: of a large one by Stirling's series."""
    if k < 126:
        return float(LOGS[k])
    return (k + 0.5) * c_log(float(k)) - k + (0.9189385332046728 + (1.0 / k) * (1 / 12.0 - 1 / (360.0 * k * k)))


def older_hypergeometric(rng: np.random.Generator, good: int, bad: int, sample: int) -> int:
    """Draws how many of a sample are good, as `np.random.RandomState` does."""
    if sample > 10:
        return _by_older_ratio(rng, good, bad, sample)
    if sample <= 0:
        return 0
    rest, few = bad + good - sample, float(min(bad, good))
    y, k = few, sample
    while y > 0.0:
        y -= math.floor(random(rng) + y / (rest + k))
        k -= 1
        if k == 0:
            break
    found = int(few - y)
    return sample - found if good > bad else found


def _by_older_ratio(rng: np.random.Generator, good: int, bad: int, sample: int) -> int:
    total, few, many = good + bad, min(good, bad), max(good, bad)
    taken = min(sample, total - sample)
    p = few / total
    a = taken * p + 0.5
    spread = math.sqrt(float(total - taken) * sample * p * (1.0 - p) / (total - 1) + 0.5)
    h = 1.7155277699214135 * spread + 0.8989161620588988
    g = _older_log_ways(math.floor(float(taken + 1) * (few + 1) / (total + 2)), few, many, taken)
    b = min(min(taken, few) + 1.0, float(math.floor(a + 16.0 * spread)))
    k = _accepted(rng, (a, h, b), g, lambda k: _older_log_ways(k, few, many, taken))
    found = taken - k if good > bad else k
    return good - found if taken < sample else found


def _older_log_ways(k: int, few: int, many: int, taken: int) -> float:
    return (
        log_gamma(k + 1.0) + log_gamma(few - k + 1.0) + log_gamma(taken - k + 1.0) + log_gamma(many - taken + k + 1.0)
    )


# Methods.


def is_ours(draw: Any, called: Any, *parameters: float) -> bool:
    """Returns whether NumPy draws the numbers of a function: that has changed from version to version."""
    pairs = [(np.random.default_rng(seed), np.random.default_rng(seed)) for seed in range(8)]
    return all(draw(one, *parameters) == called(other, *parameters) for one, other in pairs)


ABOVE_1, BELOW_1 = outside(1.0, math.inf, "gt"), outside(0.0, 1.0 - 2.0**-53, "ge")
family(Generator.vonmises, vonmises, in_turn(any_number, SCALE), None, None)
for _wald in (wald, older_wald):
    if is_ours(_wald, Generator.wald, 1.0, 2.0):
        family(Generator.wald, _wald, in_turn(POSITIVE, POSITIVE), None, None)
family(Generator.noncentral_chisquare, noncentral_chisquare, in_turn(POSITIVE, SCALE), None, None)
family(Generator.noncentral_f, noncentral_f, in_turn(POSITIVE, POSITIVE, SCALE), None, None, None)
if is_ours(logseries, Generator.logseries, 0.7):
    family(Generator.logseries, logseries, BELOW_1, None, dtype=INT64)
if is_ours(zipf, Generator.zipf, 1.3):
    family(Generator.zipf, zipf, ABOVE_1, None, dtype=INT64)


def _check_failures(front: FrontEnd, n: Term, p: Term) -> None:
    in_turn(outside(0.0, math.inf, "gt"), SHARE_ABOVE_0)(front, n, p)


family(Generator.negative_binomial, negative_binomial, _check_failures, None, None, dtype=INT64)


def _samples(rng: np.random.Generator) -> tuple[Any, ...]:
    counts = one_of(rng, (3, 4, 5), (20, 30, 15), (5, 2, 6), (200, 300, 150), (7, 0, 3), (2, 2, 5))
    return (np.random.default_rng(int(rng.integers(100))), *counts, one_of(rng, None, 3))


@built(Generator.hypergeometric, folds=False, tries=(_samples,))
def _hypergeometric(front: FrontEnd, rng: Term, ngood: Term, nbad: Term, nsample: Term, size: Term = NONE) -> Term:
    return drawn_of_counts(front, hypergeometric, rng, (ngood, nbad, nsample), size, 10**9)


def drawn_of_counts(
    front: FrontEnd, draw: Any, rng: Term, counts: tuple[Term, Term, Term], size: Term, most: int
) -> Term:
    """Returns draws from a hypergeometric distribution, whose parameters are ints."""
    given: list[Term] = []
    for one in counts:
        number = front.materialized(one)
        if not isinstance(number.type, Number) or number.type.dtype.kind not in "iu":
            raise Refused(f"a number of items is {number.type}", "pass an int; for several, draw in a loop")
        given.append(Term(PYTHON[int], (front.convert(number.part, INT64),)))
    good, bad, sample = (one.part for one in given)
    for count in (good, bad, sample):
        front.raise_if(front.compare("lt", count, front.number(0)), "ValueError")
    for count in (good, bad):
        front.raise_if(front.compare("ge", count, front.number(most)), "ValueError")
    front.raise_if(front.compare("lt", front.compute("add", good, bad), sample), "ValueError")
    return drawn(front, [], size, lambda front: None, lambda: front.call_function(draw, (rng, *given), {}), INT64)
