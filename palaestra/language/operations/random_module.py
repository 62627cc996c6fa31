"""The functions of `random`, which draw from the generator that an environment has of its own for them."""

from __future__ import annotations

import math
import operator
import random
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.frontend.hidden import RANDOM, own
from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations import arrays
from palaestra.language.operations.arithmetic import leave_to_python_if
from palaestra.language.operations.choices import bisected, shuffle_list
from palaestra.language.operations.growing import is_list
from palaestra.language.operations.seeds import seeded_with
from palaestra.language.operations.table import built
from palaestra.language.operations.twister import Twister, length_of
from palaestra.language.types import PYTHON, Number, Term, constant

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd


def item_at(items: Any, place: int) -> Any:
    """Returns an item; a place is not negative."""
    return items[place]


@built(item_at)
def _item_at(front: FrontEnd, items: Term, place: Term) -> Term:
    if not (items.known and isinstance(items.value, range)):
        return front.operate(operator.getitem, items, place)
    start, step = constant(items.value.start), constant(items.value.step)
    return front.operate(operator.add, start, front.operate(operator.mul, place, step))


class OwnRandom(Twister):
    """A generator with the methods of `random.Random`; those that it writes itself are as in Python 3.10 to 3.13."""

    def getrandbits(self, k: int) -> int:
        """Draws an int of k bits."""
        if k < 0:
            raise ValueError("number of bits must be non-negative")
        if k == 0:
            return 0
        leave_to_python_if(k > 63)
        if k <= 32:
            return self.word() >> 32 - k
        low = self.word()
        return low | self.word() >> 64 - k << 32

    def _randbelow(self, n: int) -> int:
        """Draws from 0..n-1."""
        leave_to_python_if(n >= 2**32)
        skipped = 32 - length_of(n)
        drawn = self.word() >> skipped
        while drawn >= n:
            drawn = self.word() >> skipped
        return drawn

    def randrange(self, start: Any, stop: Any = None, step: Any = 1) -> int:
        """Draws an item of a range."""
        first = operator.index(start)
        if stop is None:
            if step != 1:
                raise TypeError("Missing a non-None stop argument")
            if first <= 0:
                raise ValueError("empty range for randrange()")
            return self._randbelow(first)
        width, by = operator.index(stop) - first, operator.index(step)
        if by == 0:
            raise ValueError("zero step for randrange()")
        if by == 1:
            n = width
        elif by > 0:
            n = (width + by - 1) // by
        else:
            n = (width + by + 1) // by
        if n <= 0:
            raise ValueError("empty range for randrange()")
        return first + by * self._randbelow(n)

    def randint(self, a: Any, b: Any) -> int:
        """Draws from a..b."""
        first, width = operator.index(a), operator.index(b) + 1 - operator.index(a)
        if width <= 0:
            raise ValueError("empty range for randrange()")
        return first + self._randbelow(width)

    def choice(self, seq: Any) -> Any:
        """Draws an item."""
        if len(seq) == 0:
            raise IndexError("Cannot choose from an empty sequence")
        return item_at(seq, self._randbelow(len(seq)))

    def places(self, n: int, k: int) -> Any:
        """Draws k different places of n."""
        found = np.zeros(k, np.int64)
        if n <= 21 + (4 ** math.ceil(math.log(k * 3, 4)) if k > 5 else 0):
            left = np.arange(n)
            for i in range(k):
                j = self._randbelow(n - i)
                found[i] = left[j]
                left[j] = left[n - i - 1]
            return found
        for i in range(k):
            j = self._randbelow(n)
            while is_among(found, i, j):
                j = self._randbelow(n)
            found[i] = j
        return found

    def sample(self, population: Any, k: Any) -> Any:
        """Draws k different items."""
        if not 0 <= k <= len(population):
            raise ValueError("Sample larger than population or is negative")
        if k == 0:
            return []
        return [item_at(population, int(place)) for place in self.places(len(population), k)]

    def choices(self, population: Any, weights: Any = None, *, cum_weights: Any = None, k: Any = 1) -> Any:
        """Draws k items, with weights."""
        n = len(population)
        if weights is None and cum_weights is None:
            if n == 0:
                raise IndexError("list index out of range")
            return [item_at(population, int(self.random() * n)) for _ in range(k)]
        if weights is not None and cum_weights is not None:
            raise TypeError("Cannot specify both weights and cumulative weights")
        sums = sums_of(weights) if cum_weights is None else np.array(cum_weights, np.float64)
        if len(sums) != n:
            raise ValueError("The number of weights does not match the population")
        total = float(sums[n - 1])
        if total <= 0.0:
            raise ValueError("Total of weights must be greater than zero")
        if not math.isfinite(total):
            raise ValueError("Total of weights must be finite")
        leave_to_python_if(total > 2.0**53)
        return [item_at(population, bisected(sums, self.random() * total, len(sums) - 1)) for _ in range(k)]

    def mix(self, values: Any) -> None:
        """Shuffle an array."""
        for turn in range(len(values) - 1):
            i = len(values) - 1 - turn
            j = self._randbelow(i + 1)
            value = values[i]
            values[i] = values[j]
            values[j] = value

    def uniform(self, a: Any, b: Any) -> Any:
        """Draws from [a, b)."""
        return a + (b - a) * self.random()

    def gauss(self, mu: Any = 0.0, sigma: Any = 1.0) -> Any:
        """Draws from a normal distribution, two numbers at a time."""
        z = self.spare
        if self.has_spare:
            self.has_spare = False
        else:
            angle = self.random() * (2.0 * math.pi)
            radius = math.sqrt(-2.0 * math.log(1.0 - self.random()))
            z = math.cos(angle) * radius
            self.spare, self.has_spare = math.sin(angle) * radius, True
        return mu + z * sigma

    def triangular(self, low: Any = 0.0, high: Any = 1.0, mode: Any = None) -> Any:
        """Draws from a triangle."""
        u = self.random()
        if mode is not None and high - low == 0:
            return low
        c = 0.5 if mode is None else (mode - low) / (high - low)
        if u > c:
            return high + (low - high) * math.sqrt((1.0 - u) * (1.0 - c))
        return low + (high - low) * math.sqrt(u * c)

    expovariate = random.Random.expovariate
    normalvariate = random.Random.normalvariate
    lognormvariate = random.Random.lognormvariate
    vonmisesvariate = random.Random.vonmisesvariate
    gammavariate = random.Random.gammavariate
    betavariate = random.Random.betavariate
    paretovariate = random.Random.paretovariate
    weibullvariate = random.Random.weibullvariate


def is_among(values: Any, count: int, value: int) -> bool:
    """Returns whether a number is among the first ones of an array."""
    found = False
    for k in range(count):
        found = found or int(values[k]) == value
    return found


def sums_of(weights: Any) -> Any:
    """Returns the sums of the first weights, float64; sums of ints are exact below 2**53."""
    sums = np.zeros(len(weights))
    total = 0
    for k, weight in enumerate(weights):
        total = weight if k == 0 else total + weight
        sums[k] = total
    return sums


# Entries.

NONE, NEWER = constant(None), constant(2)


@cache
def is_ours() -> bool:
    """Returns whether this Python's `random` draws as `OwnRandom` does, as far as trying shows."""
    theirs, ours = random.Random(7), OwnRandom()
    ours.begin_with(7, 0)
    pair: tuple[Any, Any] = theirs, ours
    first, second = ([_tried(one, k) for k in (0, 1, 2, 5, 30, 200)] for one in pair)
    return first == second


def _tried(one: Any, k: int) -> Any:
    items = [*range(k + 1)]
    drawn = one.randint(-k, k), one.randrange(k + 1), one.choice(items), one.gauss(k, 2.0), one.uniform(k, 2 * k)
    return *drawn, one.sample(items, min(k, 30)), one.choices(items, k=3), one.choices(items, [*items[1:], 1], k=2)


def _generator(front: FrontEnd) -> Term:
    if not is_ours():
        raise Refused("the draws of `random` in this Python are not known to the bit", "draw from self.np_random")
    return own(front, RANDOM)


def _of_method(called: Any, function: Any) -> None:
    @built(called, folds=False)
    def build(front: FrontEnd, *terms: Term, **named: Term) -> Term:
        return front.call_function(function, (_generator(front), *terms), named)


for _name in (
    *("random", "uniform", "randint", "randrange", "choice", "choices", "sample", "gauss", "getrandbits"),
    *("normalvariate", "lognormvariate", "expovariate", "vonmisesvariate", "gammavariate", "betavariate"),
    *("paretovariate", "weibullvariate"),
):
    _of_method(getattr(random, _name), getattr(OwnRandom, _name))


@built(random.triangular, folds=False)
def _triangular(front: FrontEnd, *terms: Term, **named: Term) -> Term:
    if any(isinstance(one.type, Number) and not one.type.python for one in (*terms, *named.values())):
        raise Refused("a triangle of numbers of NumPy is not in the language", "convert them: float(...)")
    return front.call_function(OwnRandom.triangular, (_generator(front), *terms), named)


@built(random.shuffle, folds=False)
def _shuffle(front: FrontEnd, x: Term) -> Term:
    generator = _generator(front)

    def mix(array: Term) -> None:
        front.call_function(OwnRandom.mix, (generator, array), {})

    if is_list(x):
        shuffle_list(front, x, mix)
        return constant(None)
    if not arrays.is_array(x) or len(arrays.array_type(x).shape) != 1:
        raise Refused(f"a shuffle of {x.type} is not in the language", "shuffle a list of numbers, or their places")
    array = arrays.open_array(front, x)
    arrays.check_writable(front, array)
    mix(array)
    return constant(None)


@built(random.seed, folds=False, takes_seed=True)
def _seed(front: FrontEnd, a: Term = NONE, version: Term = NEWER) -> Term:
    if version != NEWER:
        raise Refused("another version of random.seed() than 2 is not in the language")
    return seeded_with(front, RANDOM, a, lambda: _checked_seed(a), begin)


def _checked_seed(seed: Term) -> Term:
    """An int."""
    if seed.type != PYTHON[int] and not (seed.known and isinstance(seed.value, int)):
        raise Refused(f"random.seed() of {seed.type} is not in the language", "seed with an int")
    if seed.known and abs(seed.value) >= 2**64:
        raise Refused("random.seed() of more than 64 bits is not in the language", "seed with a smaller int")
    return seed


def begin(generator: OwnRandom, seed: int) -> None:
    """Seed a generator."""
    size = abs(seed)
    generator.begin_with(size & 0xFFFFFFFF, size >> 32)
