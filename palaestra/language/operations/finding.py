"""What finds items whose number is not known before: places at which something is true, and different numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.frontend.building import NOTHING
from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations import arrays
from palaestra.language.operations.arithmetic import leave_to_python_if
from palaestra.language.operations.arrays import Index, axes_of
from palaestra.language.operations.drawing import any_array, one_of, some_shape
from palaestra.language.operations.table import built, written
from palaestra.language.program import BOOL, INT64, Set, Slot, Value
from palaestra.language.types import Bounded, Term, constant, tuple_of

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

FALSE = constant(False)


# Places at which something is true.


def places(front: FrontEnd, mask: Term, together: bool = False) -> list[Term]:
    """Returns for each axis of an array the numbers of the items that are not zero, in C's order.

    Args:
        front: The front end.
        mask: The array.
        together: Whether the numbers of an item are the row of one array, which is returned alone.
    """
    counter = Slot(INT64, "place")
    kind = arrays.kind_of(mask)
    ndim = len(kind.most)
    shape = (kind.whole.size, ndim) if together else (kind.whole.size,)
    found = [arrays.new_plain(front, INT64, shape) for _ in range(1 if together else ndim)]
    front.region.append(Set(counter, front.number(0)))

    def item(index: Index) -> None:
        is_true = arrays.cast(front, arrays.load(front, mask, index), BOOL)
        front.branch(is_true, lambda: note(index), lambda: NOTHING)

    def note(index: Index) -> Term:
        at = front.get(counter)
        for k, one in enumerate(index):
            target, place = (found[0], (at, k)) if together else (found[k], (at,))
            arrays.store(front, target, place, arrays.value_of(front, one))
        front.region.append(Set(counter, front.compute("add", at, front.number(1))))
        return NOTHING

    arrays.each(front, arrays.lengths_of(mask), item)
    count = front.get(counter)
    return [_shortened(one, count) for one in found]


def _shortened(array: Term, count: Value) -> Term:
    """The first items of an array."""
    first, *rest = axes_of(array)
    return arrays.array_at(array.part, arrays.kind_of(array).dtype, [first._replace(length=count, usual=None), *rest])


def _sparse(rng: np.random.Generator) -> tuple[Any, ...]:
    """Draws an array in which many items are zero."""
    shape = some_shape(rng)
    array = any_array(rng, shape=shape)
    return (np.where(rng.random(shape) < 0.5, array, np.zeros((), array.dtype)),)


def _places(called: Any, *others: Any) -> Callable[[Callable[[FrontEnd, Term], Term]], None]:
    """Add functions that find places: NumPy itself finds those in what is known, and what it raises."""

    def add(find: Callable[[FrontEnd, Term], Term]) -> None:
        @built(called, *others, folds=False, tries=(_sparse,))
        def build(front: FrontEnd, a: Term) -> Term:
            if a.known:
                return _as_new(front, arrays.answer(front, lambda: called(a.value)))
            array = arrays.open_array(front, a)
            arrays.answer(front, lambda: called(arrays.example_of(arrays.kind_of(array).whole)))
            return find(front, array)

    return add


def _as_new(front: FrontEnd, found: Any) -> Term:
    if isinstance(found, tuple):
        return tuple_of([_as_new(front, one) for one in found])
    return arrays.copied(front, arrays.table_of(front, found))


@_places(np.nonzero, np.ndarray.nonzero)
def _nonzero(front: FrontEnd, array: Term) -> Term:
    return tuple_of(places(front, array))


@_places(np.flatnonzero)
def _flatnonzero(front: FrontEnd, array: Term) -> Term:
    (found,) = places(front, front.operate(np.ravel, array))
    return found


@_places(np.argwhere)
def _argwhere(front: FrontEnd, array: Term) -> Term:
    if not axes_of(array):
        raise Refused("np.argwhere of a number is not in the language")
    (found,) = places(front, array, together=True)
    return found


# Different numbers.


@built(
    np.unique,
    folds=False,
    tries=(
        lambda rng: (any_array(rng, shape=one_of(rng, (8,), (3, 2), (0,))),),
        lambda rng: (any_array(rng, "iu", (8,)), False, False, True),
        lambda rng: (any_array(rng, "if", (2, 3)), True, True),
    ),
    note="zeros of one sign",
)
def _unique(
    front: FrontEnd, ar: Term, return_index: Term = FALSE, return_inverse: Term = FALSE, return_counts: Term = FALSE
) -> Term:
    if return_inverse != FALSE and isinstance(ar.type, Bounded):
        raise Refused("np.unique with the places of items of a found length is not in the language", "write a loop")
    flat = front.operate(np.ravel, arrays.open_array(front, ar))
    ordered = front.operate(np.sort, flat)
    (axis,) = axes_of(ordered)
    values, counts = (arrays.new_plain(front, dtype, (axis.most,)) for dtype in (arrays.kind_of(ordered).dtype, INT64))
    count = front.materialized(front.call_function(_distinct, (ordered, values, counts), {})).part
    found = [_shortened(one, count) for one in (values, counts)]
    firsts, inverse = (arrays.new_plain(front, INT64, (axis.most,)) for _ in range(2))
    if return_index != FALSE or return_inverse != FALSE:
        front.call_function(_note_places, (flat, found[0], firsts, inverse), {})
    others: tuple[tuple[Term, Callable[[], Term]], ...] = (
        (return_index, lambda: _shortened(firsts, count)),
        (return_inverse, lambda: front.operate(np.reshape, inverse, constant(arrays.array_type(ar).shape))),
        (return_counts, lambda: found[1]),
    )
    wanted = [give() for option, give in others if arrays.known(option, "an option of np.unique")]
    return tuple_of([found[0], *wanted]) if wanted else found[0]


def _note_places(row: Any, values: Any, firsts: Any, inverse: Any) -> None:
    """Write the first place of each number, and for each item the place of its number."""
    for k in range(len(row) - 1, -1, -1):
        at = 0
        while row[k] != values[at] and (row[k] == row[k] or values[at] == values[at]):
            at += 1
        firsts[at] = k
        inverse[k] = at


def _distinct(ordered: Any, values: Any, counts: Any) -> int:
    """Write each number once, with how often it is there; returns how many there are. A NaN is like another one."""
    count = 0
    for k in range(len(ordered)):
        x = ordered[k]
        if count == 0 or (x != values[count - 1] and (x == x or values[count - 1] == values[count - 1])):
            values[count] = x
            counts[count] = 0
            count += 1
        counts[count - 1] += 1
    return count


# Sets of numbers.


def _two_sets(rng: np.random.Generator) -> tuple[Any, ...]:
    return rng.integers(6, size=4), any_array(rng, "iu", one_of(rng, (3,), (2, 3)))


@written(np.union1d, folds=False, tries=(_two_sets,))
def _union1d(ar1: Any, ar2: Any) -> Any:
    return np.unique(np.concatenate((np.ravel(ar1), np.ravel(ar2))))


@written(np.intersect1d, folds=False, tries=(_two_sets,))
def _intersect1d(ar1: Any, ar2: Any) -> Any:
    both = np.union1d(ar1, ar2)
    return both[_are_in(both, ar1) & _are_in(both, ar2)]


@written(np.setxor1d, folds=False, tries=(_two_sets,))
def _setxor1d(ar1: Any, ar2: Any) -> Any:
    both = np.union1d(ar1, ar2)
    leave_to_python_if(bool(np.any(both != both)))
    return both[_are_in(both, ar1) ^ _are_in(both, ar2)]


@written(np.setdiff1d, folds=False, tries=(_two_sets,))
def _setdiff1d(ar1: Any, ar2: Any) -> Any:
    one = np.unique(ar1)
    return one[~_are_in(one, ar2)]


def _are_in(row: Any, others: Any) -> Any:
    """Whether each number of a row is among others."""
    found = row != row
    found &= False
    for one in np.ravel(others):
        found |= row == one
    return found
