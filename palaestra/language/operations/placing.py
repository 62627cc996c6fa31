"""Items put into arrays and taken out, by their places: inserted, deleted, along an axis, on a diagonal."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.frontend.iteration import items_of
from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations import arrays
from palaestra.language.operations.arrays import Index, array_type
from palaestra.language.operations.drawing import any_array, any_number, one_of
from palaestra.language.operations.shaping import gathered, picked
from palaestra.language.operations.table import built
from palaestra.language.program import INT64, Value
from palaestra.language.types import Bounded, Number, Term, constant, tuple_of

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

NONE, ZERO, FALSE, LAST, RAISE = map(constant, (None, 0, False, -1, "raise"))


# Inserted and deleted.


def _places(front: FrontEnd, obj: Term) -> Any:
    """Places that are known; None for an int that is not."""
    if isinstance(obj.type, Number) and not (obj.known or front.is_size(obj)):
        return None
    if arrays.is_number(obj):
        return front.integer(obj, "a place")
    items = None if obj.known else items_of(front, obj)
    if items is None:
        return arrays.known(obj, "where items are")
    return [front.integer(one, "a place") for one in items]


def _along(front: FrontEnd, arr: Term, axis: Term) -> tuple[Term, int]:
    """An array and an axis; for None the array is flat."""
    array = front.operate(np.ravel, arr) if axis == NONE else arrays.as_array(front, arr)
    at, ndim = 0 if axis == NONE else front.integer(axis, "an axis"), len(array_type(array).shape)
    if not -ndim <= at < ndim:
        front.raise_("AxisError")
    return array, at % ndim


def _place(front: FrontEnd, obj: Term, length: int, behind: int = 0) -> Value:
    """A place that is found when the program runs, counted from the begin: of an item, or behind the last one, too."""
    if not isinstance(obj.type, Number) or obj.part.dtype.kind not in "iu":
        raise Refused(f"{obj.type} is no place of an item", "pass an int")
    return front.materialized(
        front.call_function(_from_begin, (front.operate(int, obj), *map(constant, (length, behind))), {})
    ).part


def _from_begin(place: int, length: int, behind: int) -> int:
    if not -length <= place < length + behind:
        raise IndexError
    return place + length if place < 0 else place


@built(
    np.delete,
    folds=False,
    tries=(
        lambda rng: (any_array(rng, shape=(5,)), int(rng.integers(-6, 6))),
        lambda rng: (any_array(rng, shape=(3, 4)), one_of(rng, [0, -1], slice(1, 3), [2]), 1),
        lambda rng: (any_array(rng, shape=(5,)), rng.random(5) < 0.5),
    ),
)
def _delete(front: FrontEnd, arr: Term, obj: Term, axis: Term = NONE) -> Term:
    array, at = _along(front, arr, axis)
    kind = array_type(array)
    if arrays.is_array(obj) and not obj.known and array_type(obj).dtype == np.bool_ and len(kind.shape) == 1:
        if array_type(obj).shape != kind.shape:
            front.raise_("ValueError")
        return front.operate(operator.getitem, array, front.operate(operator.invert, obj))
    places = _places(front, obj)
    if places is not None:
        numbers = np.arange(kind.size).reshape(kind.shape)
        moved = arrays.answer(front, lambda: np.delete(numbers, places, at))
        return picked(front, array, np.delete(arrays.example_of(kind), places, at), moved)
    place = _place(front, obj, kind.shape[at])

    def source(index: Index) -> Index:
        k = arrays.value_of(front, index[at])
        further = front.convert(front.compare("ge", k, place), INT64)
        return [*index[:at], front.compute("add", k, further), *index[at + 1 :]]

    return gathered(front, array, np.delete(arrays.example_of(kind), 0, at), source)


@built(
    np.insert,
    folds=False,
    tries=(
        lambda rng: (any_array(rng, "f", (4,)), int(rng.integers(-6, 7)), any_number(rng, "f")),
        lambda rng: (any_array(rng, "i", (3, 2)), one_of(rng, 0, [0, 2], -1), one_of(rng, 7, [3, 4]), 1),
        lambda rng: (any_array(rng, "f", (3,)), one_of(rng, 0, [0, 3]), one_of(rng, [0.5, -2.5], (1, 2))),
    ),
)
def _insert(front: FrontEnd, arr: Term, obj: Term, values: Term, axis: Term = NONE) -> Term:
    array, at = _along(front, arr, axis)
    kind = array_type(array)
    numbers = np.arange(kind.size).reshape(kind.shape)
    added = arrays.as_array(front, values, kind.dtype)
    more = kind.size + np.arange(array_type(added).size).reshape(array_type(added).shape)
    both = front.operate(np.concatenate, tuple_of([front.operate(np.ravel, one) for one in (array, added)]))
    places = _places(front, obj)
    if places is not None:
        moved = arrays.answer(front, lambda: np.insert(numbers, places, more, at))
        return picked(front, both, np.insert(arrays.example_of(kind), places, np.zeros_like(more), at), moved)
    if len(kind.shape) != 1 or more.size != 1:
        raise Refused("one number is inserted into a row where the place is found", "concatenate parts of the array")
    place = _place(front, obj, kind.shape[0], 1)

    def source(index: Index) -> Index:
        k = arrays.value_of(front, index[0])
        further = front.convert(front.compare("gt", k, place), INT64)
        is_new = front.compare("eq", k, place)
        return [front.emit("select", INT64, is_new, front.number(kind.size), front.compute("sub", k, further))]

    return gathered(front, both, np.insert(arrays.example_of(kind), 0, 0), source)


# Along an axis.


def _index_along(front: FrontEnd, arr: Term, indices: Term, axis: Term) -> tuple[Term, Term]:
    """An array, and what indexes it: the numbers of each item, but along an axis what is given."""
    array, at = _along(front, arr, axis)
    places = arrays.as_array(front, indices)
    kind, given = array_type(array), array_type(places)
    if given.dtype.kind not in "iu":
        front.raise_("IndexError")
    if len(given.shape) != len(kind.shape):
        front.raise_("ValueError")
    every = np.ix_(*[np.arange(length) for length in kind.shape])
    return array, tuple_of([places if k == at else constant(one) for k, one in enumerate(every)])


def _grid(rng: np.random.Generator) -> tuple[Any, ...]:
    return any_array(rng, shape=(3, 4)), rng.integers(-3, 4, (3, 2)), 1


@built(np.take_along_axis, folds=False, tries=(_grid, lambda rng: (*_grid(rng)[:2], None)))
def _take_along_axis(front: FrontEnd, arr: Term, indices: Term, axis: Term = LAST) -> Term:
    return front.operate(operator.getitem, *_index_along(front, arr, indices, axis))


@built(np.put_along_axis, folds=False, tries=(lambda rng: (*_grid(rng)[:2], any_number(rng, "b"), 1),))
def _put_along_axis(front: FrontEnd, arr: Term, indices: Term, values: Term, axis: Term) -> Term:
    if axis == NONE:
        raise Refused("np.put_along_axis without an axis is not in the language", "write a.ravel()[places] = values")
    return front.operate(operator.setitem, *_index_along(front, arr, indices, axis), values)


@built(
    np.put,
    np.ndarray.put,
    folds=False,
    tries=(lambda rng: (any_array(rng, "f", (2, 3)), rng.integers(-6, 7, 2), any_array(rng, "f", (2,))),),
)
def _put(front: FrontEnd, a: Term, ind: Term, v: Term, mode: Term = RAISE) -> Term:
    array, values = arrays.as_array(front, a), arrays.as_array(front, v)
    places = front.operate(np.ravel, arrays.as_array(front, ind))
    size = array_type(values).size
    if mode != RAISE or not array_type(array).contiguous or size not in (1, array_type(places).size):
        raise Refused("np.put takes one value, or one for each place, and a contiguous array", "write a[places] = v")
    return front.operate(operator.setitem, front.operate(np.ravel, array), places, front.operate(np.ravel, values))


@built(
    np.compress, folds=False, tries=(lambda rng: (rng.random(4) < 0.5, any_array(rng, shape=(5,))),), note="of a row"
)
def _compress(front: FrontEnd, condition: Term, a: Term, axis: Term = NONE) -> Term:
    mask, array = arrays.as_array(front, condition, np.dtype(bool)), arrays.as_array(front, a)
    if len(array_type(array).shape) != 1 or len(array_type(mask).shape) != 1:
        raise Refused("np.compress takes a row here", "write a[mask]")
    length, given = array_type(array).shape[0], array_type(mask).shape[0]
    if given > length:
        raise Refused("np.compress takes no more conditions than items here", "write a[mask]")
    part = front.operate(operator.getitem, array, constant(slice(given)))
    return front.operate(operator.getitem, part, mask)


@built(np.ndarray.compress, folds=False, tries=(lambda rng: (any_array(rng, shape=(3,)), rng.random(3) < 0.5),))
def _compress_method(front: FrontEnd, a: Term, condition: Term, axis: Term = NONE) -> Term:
    return _compress(front, condition, a, axis)


# Diagonals and grids.


@built(
    np.fill_diagonal,
    folds=False,
    tries=(
        lambda rng: (any_array(rng, "f", one_of(rng, (3, 3), (2, 4), (4, 2))), any_number(rng, "f")),
        lambda rng: (any_array(rng, "f", (3, 3)), any_array(rng, "f", (3,))),
        lambda rng: (any_array(rng, "f", (2, 2, 2)), 1.5),
    ),
)
def _fill_diagonal(front: FrontEnd, a: Term, val: Term, wrap: Term = FALSE) -> Term:
    array = arrays.as_array(front, a)
    shape = array_type(array).shape
    if wrap != FALSE:
        raise Refused("np.fill_diagonal with wrap= is not in the language")
    if len(shape) < 2 or (len(shape) > 2 and len(set(shape)) > 1):
        front.raise_("ValueError")
    arrays.check_writable(front, array)
    length = min(shape)
    if not arrays.is_number(val) and array_type(arrays.as_array(front, val)).size not in (1, length):
        raise Refused("np.fill_diagonal takes a number here, or one for each item of the diagonal")

    def diagonal(one: arrays.AnyArray) -> arrays.AnyArray:
        return np.ndarray((length,), one.dtype, one.base, _offset(one), (sum(one.strides),))

    arrays.assign(front, arrays.view(front, array, diagonal), val)
    return NONE


def _offset(one: arrays.AnyArray) -> int:
    """Where an array begins in the memory that it is a view of."""
    assert one.base is not None
    return one.__array_interface__["data"][0] - one.base.__array_interface__["data"][0]  # type: ignore[no-any-return]


@built(np.ix_, folds=False, tries=(lambda rng: (rng.integers(3, size=2), rng.integers(3, size=3)),))
def _ix(front: FrontEnd, *terms: Term) -> Term:
    found = []
    for k, one in enumerate(terms):
        row = front.operate(operator.getitem, front.operate(np.nonzero, one), ZERO) if _is_mask(one) else one
        if isinstance(row.type, Bounded):
            raise Refused("np.ix_ of truths has a length that is found at run time", "pass places")
        array = arrays.as_array(front, row)
        if len(array_type(array).shape) != 1:
            front.raise_("ValueError")
        key = tuple(slice(None) if k == j else None for j in range(len(terms)))
        found.append(arrays.view(front, array, lambda of, key=key: of[key]))  # type: ignore[misc]
    return tuple_of(found)


def _is_mask(term: Term) -> bool:
    return arrays.is_array(term) and not term.known and array_type(term).dtype == np.bool_


def _of_sizes(*several: Any) -> None:
    """Functions of numbers that must be known, or that programs are written for."""
    for called in several:

        @built(called, folds=False, tries=(lambda rng: (int(rng.integers(1, 4)),),))
        def build(front: FrontEnd, *terms: Term, called: Any = called, **named: Term) -> Term:
            given = [front.integer(one, "a size") for one in terms]
            options = {name: front.integer(one, "a size") for name, one in named.items()}
            found = arrays.answer(front, lambda: called(*given, **options))
            return tuple_of([arrays.copied(front, arrays.table_of(front, one)) for one in found])


_of_sizes(np.diag_indices, np.tril_indices, np.triu_indices)


def _of_shape(called: Any) -> None:
    @built(called, folds=False, tries=(lambda rng: (any_array(rng, shape=(3, 3)),),))
    def build(front: FrontEnd, arr: Term, *terms: Term, **named: Term) -> Term:
        given = [front.integer(one, "a diagonal") for one in terms]
        options = {name: front.integer(one, "a diagonal") for name, one in named.items()}
        example = arrays.example_of(array_type(arrays.as_array(front, arr)))
        found = arrays.answer(front, lambda: called(example, *given, **options))
        return tuple_of([arrays.copied(front, arrays.table_of(front, one)) for one in found])


for _called in (np.diag_indices_from, np.tril_indices_from, np.triu_indices_from):
    _of_shape(_called)
