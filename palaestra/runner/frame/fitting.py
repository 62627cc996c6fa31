"""Between dynamics and columns: values of the dynamics in the form of columns, and rows of columns as values.

In Python, columns are arrays, and NumPy does what is built here.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from palaestra.language.frontend.iteration import items_of
from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations.dictionaries import is_dict, values_of
from palaestra.language.operations.table import built
from palaestra.language.program import ADDRESS, BEYOND, BOOL, FLOAT64, INT64, Value
from palaestra.language.types import (
    Array,
    Column,
    Number,
    Packed,
    Reference,
    Term,
    Tuple,
    constant,
    kept,
    tuple_of,
    unwrapped,
)
from palaestra.language.types import (
    plain as plain_array,
)

LONGEST = 256  # numbers that are converted one behind the other

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd


def plain(number: Any) -> Any:
    """Returns a number as Python's bool, int or float."""
    return number.item() if isinstance(number, np.generic) else number


@built(plain)
def _plain(front: FrontEnd, number: Term) -> Term:
    if not isinstance(number.type, Number):
        raise Refused(f"{number.type} is not a number")
    kind = {"b": bool, "f": float}.get(number.type.dtype.kind, int)
    return front.operate(kind, number)


def long_tuple(array: Any) -> Any:
    """Returns an array of one axis as a tuple of Python's numbers, which may be many."""
    return tuple(array.tolist())


@built(long_tuple, folds=False)
def _long_tuple(front: FrontEnd, array: Term) -> Term:
    assert isinstance(array.type, Array)
    dtype = array.type.dtype
    wide = kept({"b": BOOL, "f": FLOAT64}.get(dtype.kind, INT64))
    numbers = front.operate(np.ndarray.astype, array, constant(wide.dtype))
    return Term(Packed(wide.dtype, *array.type.shape), numbers.parts)


def plain_fields(state: Any) -> Any:
    """Returns a state with Python's numbers, as info functions get it."""
    fields = [plain(field) for field in state]
    return type(state)(*fields) if hasattr(state, "_fields") else tuple(fields)


@built(plain_fields, folds=False)
def _plain_fields(front: FrontEnd, state: Term) -> Term:
    return front.split(state, partial(_plainly, front))


def _plainly(front: FrontEnd, state: Term) -> Term:
    fields, kind = items_of(front, state), state.type
    if fields is None or not isinstance(kind, Tuple):
        return state
    return tuple_of([_plain(front, one) if isinstance(one.type, Number) else one for one in fields], kind.of)


class Waiting(NamedTuple):
    """A param of first states: an option of the next reset in rows that have any, and the usual one in others."""

    flag: Any
    value: Any
    usual: Any


def items(columns: Any, i: int) -> Any:
    """Returns row i of each column in a tree of tuples; the rest stays as it is."""
    if isinstance(columns, np.ndarray):
        return columns[i]
    if isinstance(columns, Waiting):
        return columns.value[i] if columns.flag[i] else items(columns.usual, i)
    if isinstance(columns, tuple):
        rows = [items(one, i) for one in columns]
        return type(columns)(*rows) if hasattr(columns, "_fields") else tuple(rows)
    return columns


@built(items, folds=False)
def _items(front: FrontEnd, columns: Term, i: Term) -> Term:
    if isinstance(columns.type, Column):
        return front.operate(operator.getitem, columns, i)
    if isinstance(columns.type, Tuple) and columns.type.of is Waiting:
        flag, value, usual = columns.items()
        truth = front.truth(_items(front, flag, i))
        assert not isinstance(truth, bool)
        return front.branch(truth, lambda: _items(front, value, i), lambda: _items(front, usual, i))
    if isinstance(columns.type, Tuple):
        rows = [_items(front, one, i) for one in columns.items()]
        for name, row in zip(columns.type.fields, rows, strict=False):
            if len(row.parts) == 1:
                row.part.called(name)
        return tuple_of(rows, columns.type.of)
    return columns


def fetch(column: Any, i: int) -> None:
    """Let the processor fetch row i of a column."""


@built(fetch, folds=False)
def _fetch(front: FrontEnd, column: Term, i: Term) -> Term:
    assert isinstance(column.type, Column)
    row = front.compute("mul", front.convert(front.materialized(i).part, INT64), front.number(column.type.size))
    front.emit("prefetch", None, front.emit("offset", ADDRESS, column.part, row))
    return constant(None)


def read_words(column: Any, i: int) -> Any:
    """Returns the numbers of row i of a column of arrays, one by one."""
    return tuple(column[i])


@built(read_words, folds=False)
def _read_words(front: FrontEnd, column: Term, i: Term) -> Term:
    row = front.operate(operator.getitem, column, i)
    assert isinstance(row.type, Array)
    kind = Number(row.type.dtype)
    size = kind.dtype.itemsize
    places = [front.emit("offset", ADDRESS, row.part, front.number(k * size)) for k in range(row.type.size)]
    return tuple_of([Term(kind, (front.emit("load", kind.dtype, place),)) for place in places])


def write_words(column: Any, i: int, numbers: Any) -> None:
    """Write numbers into row i of a column of arrays."""
    column[i] = numbers


@built(write_words, folds=False)
def _write_words(front: FrontEnd, column: Term, i: Term, numbers: Term) -> Term:
    row = front.operate(operator.getitem, column, i)
    assert isinstance(row.type, Array)
    for k, number in enumerate(numbers.items()):
        _store(front, row.part, k * row.type.dtype.itemsize, front.convert(number.part, row.type.dtype))
    return constant(None)


def has_drawn() -> bool:
    """Returns whether the program may have drawn from a random stream so far."""
    return True


@built(has_drawn, folds=False)
def _has_drawn(front: FrontEnd) -> Term:
    return constant(front.draws)


def fit_parts(paths: Any, columns: Any, value: Any) -> Any:
    """Returns the parts of a value, in the form of their columns.

    Args:
        paths: The place of each part in the value: the numbers of the items that lead to it.
        columns: The column of each part.
        value: The value: a number, an array, or tuples and dicts of these.

    Raises:
        OverflowError: If an integer does not fit its column.
    """
    return tuple(_fit_in_python(column, _part(value, path)) for column, path in zip(columns, paths, strict=True))


def _part(value: Any, path: Sequence[int]) -> Any:
    for k in path:
        value = (list(value.values()) if isinstance(value, dict) else value)[k]
    return value


def _fit_in_python(column: Any, value: Any) -> Any:
    return np.array(value, column.dtype)[()]


@built(fit_parts, folds=False)
def _fit_parts(front: FrontEnd, paths: Term, columns: Term, value: Term) -> Term:
    fitted = []
    for path, column in zip(paths.value, items_of(front, columns) or [], strict=True):
        part = value
        for k in path:
            inner = values_of(front, part) if is_dict(part) else items_of(front, part)
            if inner is None or k >= len(inner):
                raise Refused(f"{value.type} has other parts than at first")
            part = inner[k]
        fitted.append(front.split(part, partial(fitted_to, front, column.type)))
    return tuple_of(fitted)


def fitted_to(front: FrontEnd, column: Any, term: Term) -> Term:
    """Returns a value in the form of an item of a column: a number, or a contiguous array."""
    value = front.materialized(term)
    if isinstance(value.type, Array) and not value.type.shape:
        value = front.operate(operator.getitem, value, constant(()))
    if not column.shape:
        if not isinstance(value.type, Number):
            raise Refused(f"{term.type} does not fit {column}")
        return Term(Number(column.dtype), (fitted_number(front, column.dtype, value),))
    if isinstance(value.type, Array):
        return _fitted_array(front, column, value)
    numbers = _flat(front, value, column.shape)
    kind = plain_array(column.dtype, column.shape)
    place = front.emit("room", ADDRESS, attribute=kind.size * column.dtype.itemsize)
    for k, number in enumerate(numbers):
        fitted = front.split(number, partial(fitted_to, front, Column(column.dtype)))
        _store(front, place, k * column.dtype.itemsize, fitted.part)
    return Term(kind, (place,))


def _store(front: FrontEnd, place: Value, at: int, number: Value) -> None:
    front.emit("store", None, front.emit("offset", ADDRESS, place, front.number(at)), number)


def _flat(front: FrontEnd, term: Term, shape: tuple[int, ...]) -> list[Term]:
    """The numbers of nested tuples of a shape."""
    if not shape:
        return [term]
    inner = items_of(front, term)
    if inner is None or len(inner) != shape[0]:
        raise Refused(f"{term.type} has another shape than its space")
    return [number for one in inner for number in _flat(front, one, shape[1:])]


def _fitted_array(front: FrontEnd, column: Column, value: Term) -> Term:
    kind = value.type
    assert isinstance(kind, Array)
    if kind.shape != column.shape:
        raise Refused(f"{kind} has another shape than its space, {column.shape}")
    if kind.dtype == column.dtype and kind.contiguous:
        return value
    if kind.size > LONGEST:
        raise Refused(f"{kind} is converted to {column.dtype}, number by number", f"keep it as {column.dtype}")
    made = plain_array(column.dtype, column.shape)
    place = front.emit("room", ADDRESS, attribute=made.size * column.dtype.itemsize)
    for k, index in enumerate(np.ndindex(*column.shape)):
        at = front.number(sum(j * step for j, step in zip(index, kind.strides, strict=True)))
        item = front.emit("load", kind.dtype, front.emit("offset", ADDRESS, value.part, at))
        number = fitted_number(front, column.dtype, Term(Number(kind.dtype), (item,)))
        _store(front, place, k * column.dtype.itemsize, number)
    return Term(made, (place,))


def fitted_number(front: FrontEnd, dtype: np.dtype[Any], number: Term) -> Value:
    """Returns a number as another kind, as `np.array(number, dtype)` does; integers that do not fit raise."""
    value = number.part
    given = value.dtype
    if dtype == given:
        return value
    if dtype.kind == "b":
        return front.compare("ne", value, front.number(0, given))
    if given.kind == "f" and dtype.kind in "iu":
        raise Refused(f"a {given} is returned where {dtype} is kept: write int(...), or widen the space")
    if dtype.kind in "iu" and given.kind in "iu" and not np.can_cast(given, dtype):
        wide = front.convert(value, dtype)
        front.raise_if(front.compare("ne", front.convert(wide, given), value), BEYOND)
        if given.kind != dtype.kind and given.itemsize <= dtype.itemsize:
            front.raise_if(front.compare("lt", value, front.number(0, given)), BEYOND)
        return wide
    is_python = isinstance(number.type, Number) and number.type.python
    if dtype.kind == "f" and is_python and given != BOOL:
        value = front.convert(value, FLOAT64)  # as Python rounds an int
    return front.convert(value, dtype)


def fit_state(columns: Any, state: Any, before: Any) -> Any:
    """Returns the fields of a state in the form of their columns; arrays are not those of other columns.

    Args:
        columns: The column of each field.
        state: The state.
        before: The state whose arrays are rows of the columns; None if there is none.
    """
    return tuple(_fit_in_python(column, field) for column, field in zip(columns, state, strict=True))


@built(fit_state, folds=False)
def _fit_state(front: FrontEnd, columns: Term, state: Term, before: Term) -> Term:
    return front.split(state, lambda one: _fit_fields(front, columns, one, before))


def _fit_fields(front: FrontEnd, columns: Term, state: Term, before: Term) -> Term:
    fields, kept = items_of(front, state), items_of(front, columns) or []
    if fields is None or len(fields) != len(kept) or isinstance(state.type, Reference):
        raise Refused(f"{state.type} does not have the fields of the first state")
    old: list[Any] = [None] * len(fields) if before == constant(None) else items_of(front, before) or []
    names = getattr(columns.type, "fields", ()) or [f"field {k}" for k in range(len(fields))]
    each = zip(fields, kept, old, names, strict=True)
    return tuple_of(
        [front.split(field, partial(_fit_field, front, column, one, name)) for field, column, one, name in each]
    )


def _fit_field(front: FrontEnd, column: Term, before: Term | None, name: str, field: Term) -> Term:
    kind = column.type
    assert isinstance(kind, Column)
    value = front.materialized(unwrapped(field, "index"))
    if not kind.shape:
        if not isinstance(value.type, Number) or value.type.dtype != kind.dtype:
            raise Refused(
                f"the state's {name} is {value.type} here, but was {kind.item} at first",
                "let each function return the same kind (1.0 rather than 1, or the other way round)",
            )
        front.is_loose |= value.type != kind.item
        return Term(Number(kind.dtype), value.parts)
    if not isinstance(value.type, Array) or (value.type.dtype, value.type.shape) != (kind.dtype, kind.shape):
        raise Refused(f"the state's {name} is {value.type} here, but was {kind.item} at first")
    if before is not None and value.parts == before.parts:
        return value
    return value if value.type.writable and value.type.contiguous else _copied(front, value)


def _copied(front: FrontEnd, value: Term) -> Term:
    kind = value.type
    assert isinstance(kind, Array)
    made = plain_array(kind.dtype, kind.shape)
    place = front.emit("room", ADDRESS, attribute=max(made.size * kind.dtype.itemsize, 1))
    if kind.contiguous:
        front.emit("copy", None, place, value.part, front.number(made.size * kind.dtype.itemsize, INT64))
        return Term(made, (place,))
    return _fitted_array(front, Column(kind.dtype, kind.shape), value)
