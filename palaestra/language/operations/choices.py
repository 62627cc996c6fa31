"""Choices, permutations and shuffles, with the numbers of NumPy's `Generator`.

Sources: Bentley and Floyd (1987), "A sample of brilliance", for choices without repetition; Durstenfeld (1964),
"Algorithm 235: random permutation"; Kahan (1965), "Further remarks on reducing truncation errors", for sums.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.frontend.iteration import items_of
from palaestra.language.frontend.refusals import NeedsConstant, Refused
from palaestra.language.operations import arrays, streams
from palaestra.language.operations.drawing import one_of
from palaestra.language.operations.draws import NONE, Generator, asked, filled, size_of
from palaestra.language.operations.integers import BEYOND, integer, whole
from palaestra.language.operations.table import built
from palaestra.language.program import BOOL, FLOAT64, INT64, UINT64, Value
from palaestra.language.types import PYTHON, Number, Reference, Term, Tuple, constant, plain

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

TRUE, FIRST_AXIS, FALSE = map(constant, (True, 0, False))
MANY = 10_000  # values, from which on a large part of them is drawn by a shuffle
PART = {True: 50, False: 20}  # the part that is large, one of so many, with a shuffle behind it or without
TOLERANCE = float(np.sqrt(np.finfo(np.float64).eps))  # of a sum of probabilities


# Primitives, and what they are in Python.


def below(rng: np.random.Generator, n: int) -> int:
    """Draws from 0..n-1, at least one number, as `integers` does."""
    return int(rng.integers(n))


def up_to(rng: np.random.Generator, highest: int) -> int:
    """Draws from 0..highest, as `shuffle` does: masked words, until one is not too large."""
    return int(rng.permutation(highest + 1)[-1])


@built(below, folds=False)
def _below(front: FrontEnd, rng: Term, n: Term) -> Term:
    count = front.convert(whole(front, front.materialized(n)), UINT64)
    return integer(front.convert(streams.below(front, rng.part, count), INT64))


@built(up_to, folds=False)
def _up_to(front: FrontEnd, rng: Term, highest: Term) -> Term:
    most = front.convert(whole(front, front.materialized(highest)), UINT64)
    return integer(front.convert(streams.up_to(front, rng.part, most), INT64))


# Functions in the language.


def shuffle(rng: np.random.Generator, values: Any) -> None:
    """Shuffle numbers of one axis."""
    for turn in range(len(values) - 1):
        i = len(values) - 1 - turn
        j = up_to(rng, i)
        value = values[j]
        values[j] = values[i]
        values[i] = value


def _mix(rng: np.random.Generator, values: Any, turns: int) -> None:
    """Shuffle numbers, from the last on, as `choice` does."""
    for turn in range(turns):
        i = len(values) - 1 - turn
        j = below(rng, i + 1)
        value = values[j]
        values[j] = values[i]
        values[i] = value


def _different(rng: np.random.Generator, n: int, places: Any, is_mixed: bool) -> None:
    """Draw different numbers in 0..n-1: one that comes again stands for the highest that could come."""
    for k in range(len(places)):
        highest = n - len(places) + k
        drawn = below(rng, highest + 1)
        is_taken = False
        for before in range(k):
            is_taken = is_taken or int(places[before]) == drawn
        places[k] = highest if is_taken else drawn
    if is_mixed:
        _mix(rng, places, len(places) - 1)


def _sum_shares(p: Any, shares: Any, tolerance: float) -> None:
    """Check probabilities, and write the sums of the first ones, the last of which is 1.0."""
    exact, lost = float(p[0]), 0.0
    for k in range(1, len(p)):
        more = float(p[k]) - lost
        both = exact + more
        lost = (both - exact) - more
        exact = both
    for k in range(len(p)):
        if not float(p[k]) >= 0.0:
            raise ValueError("probabilities are not non-negative")
    if not abs(exact - 1.0) <= tolerance:
        raise ValueError("probabilities do not sum to 1")
    _accumulate(p, shares)


def _accumulate(p: Any, shares: Any) -> None:
    total = float(p[0])
    shares[0] = total
    for k in range(1, len(p)):
        total = total + float(p[k])
        shares[k] = total
    for k in range(len(p)):
        shares[k] = float(shares[k]) / total


def _weighed(rng: np.random.Generator, shares: Any) -> int:
    """Draw a place by the sums of the first probabilities."""
    drawn = rng.random()
    low, high = 0, len(shares)
    while low < high:
        middle = (low + high) // 2
        if drawn < float(shares[middle]):
            high = middle
        else:
            low = middle + 1
    return low


def _weighed_different(rng: np.random.Generator, p: Any, shares: Any, places: Any) -> None:
    """Draw different places: those that come again are drawn anew, with the probabilities of the others."""
    possible = 0
    for k in range(len(p)):
        possible += float(p[k]) > 0.0
    if possible < len(places):
        raise ValueError("fewer non-zero entries in p than size")
    count = 0
    while count < len(places):
        for k in range(count):
            p[int(places[k])] = 0.0
        _accumulate(p, shares)
        for _ in range(len(places) - count):
            drawn = _weighed(rng, shares)
            is_taken = False
            for before in range(count):
                is_taken = is_taken or int(places[before]) == drawn
            if not is_taken:
                places[count] = drawn
                count += 1
