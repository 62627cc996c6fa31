"""Sorted arrays, and what is found by sorting: row by row, in the order of NumPy.

Equal floats of two signs, and places of equal numbers, may be in any order in NumPy: they are left to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations import arrays
from palaestra.language.operations.arrays import Index
from palaestra.language.operations.drawing import any_array
from palaestra.language.operations.reductions import along, by_rows, each_row, one_axis
from palaestra.language.operations.table import built, written
from palaestra.language.program import BEYOND
from palaestra.language.types import Term, constant

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

NONE, LAST = constant(None), constant(-1)
STABLE = "stable", "mergesort"
LONGEST = 512
TRIES = (lambda rng: (any_array(rng, shape=(5,)),), lambda rng: (any_array(rng, shape=(3, 6)), 0))


@built(np.sort, tries=TRIES, note="zeros of one sign")
def _sort(front: FrontEnd, a: Term, axis: Term = LAST, kind: Term = NONE) -> Term:
    array = front.operate(np.ravel, a) if axis == NONE else arrays.open_array(front, a)
    result = arrays.copied(front, array, "K")
    _sort_in_place(front, result, constant(0) if axis == NONE else axis, kind)
    return result


@built(np.ndarray.sort, folds=False, tries=TRIES, note="zeros of one sign")
def _sort_in_place(front: FrontEnd, a: Term, axis: Term = LAST, kind: Term = NONE) -> Term:
    array, at = one_axis(front, a, axis)
    arrays.check_writable(front, array)
    _check_length(array, at)
    has_zeros = arrays.kind_of(array).dtype.kind == "f" and not _is_kept(kind)

    def sort(row: Term, index: Index) -> None:
        if has_zeros:
            mixed = front.materialized(front.call_function(_has_both_zeros, (row,), {}))
            front.raise_if(mixed.part, BEYOND)
        front.call_function(sort_row, (row,), {})

    if 0 not in arrays.kind_of(array).most:
        each_row(front, array, at, sort)
    return NONE


def _is_kept(kind: Term) -> bool:
    """Whether a kind of sorting keeps the order of equal numbers."""
    return arrays.known(kind, "a kind of sorting") in STABLE


def _check_length(array: Term, axis: int) -> None:
    if arrays.kind_of(array).most[axis] > LONGEST:
        raise Refused(f"more than {LONGEST} numbers are sorted, which is slow here")


def sort_row(row: Any) -> None:
    """Sort a row, in place."""
    for k in range(1, len(row)):
        item = row[k]
        at = k
        while at > 0 and _is_before(item, row[at - 1]):
            row[at] = row[at - 1]
            at -= 1
        row[at] = item


def _is_before(a: Any, b: Any) -> Any:
    return a < b or (b != b and a == a)


def _has_both_zeros(row: Any) -> Any:
    """Whether zeros of both signs are in a row."""
    plus = False
    minus = False
    for item in row:
        if item == 0:
            if np.signbit(item):
                minus = True
            else:
                plus = True
    return plus and minus


@built(np.argsort, np.ndarray.argsort, tries=TRIES, note="no ties")
def _argsort(front: FrontEnd, a: Term, axis: Term = LAST, kind: Term = NONE) -> Term:
    array, at = one_axis(front, a, axis)
    _check_length(array, at)
    is_stable = _is_kept(kind)

    def write(row: Term, places: Term) -> None:
        ties = front.materialized(front.call_function(_sort_places, (row, places), {}))
        if not is_stable:
            front.raise_if(ties.part, BEYOND)

    return along(front, array, at, lambda one: np.argsort(one, axis=at), write)


def _sort_places(row: Any, places: Any) -> Any:
    """Write the places of a row's items in their order; returns whether two of them are alike."""
    for k in range(len(row)):
        item = row[k]
        at = k
        while at > 0 and _is_before(item, row[places[at - 1]]):
            places[at] = places[at - 1]
            at -= 1
        places[at] = k
    ties = False
    for k in range(1, len(row)):
        if not _is_before(row[places[k - 1]], row[places[k]]):
            ties = True
    return ties


@written(np.lexsort, folds=False, tries=(lambda rng: ((rng.integers(3, size=5), any_array(rng, "f", (5,))),),))
def _lexsort(keys: Any) -> Any:
    if len(keys) == 0:
        raise TypeError("lexsort needs at least one key")
    order = np.arange(len(keys[0]))
    for k in range(len(keys)):
        if len(keys[k]) != len(keys[0]):
            raise ValueError("the keys have different lengths")
        order = order[np.argsort(np.asarray(keys[k])[order], kind="stable")]
    return order


@built(np.median, tries=(*TRIES, lambda rng: (any_array(rng, shape=(4, 3)),)))
def _median(front: FrontEnd, a: Term, axis: Term = NONE) -> Term:
    return by_rows(front, np.median, a, axis, _median_row)


def _median_row(row: Any) -> Any:
    if len(row) == 0:
        return np.mean(row)
    ordered = np.array(row)
    sort_row(ordered)
    n = len(ordered)
    last = ordered[n - 1]
    if row.dtype.kind == "f" and last != last:
        return last
    return np.mean(ordered[(n - 1) // 2 : n // 2 + 1])
