"""Objects that exist already, of which a number that is found at run time chooses one: tables of what they hold.

An operation of such an object is computed by Python for each that it may be, before the program runs; the program reads
the result from a table. So nothing is left of texts and of the containers of constants but numbers, at last.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from palaestra.language.frontend.refusals import Refused
from palaestra.language.frontend.writing import Writer
from palaestra.language.program import ADDRESS, INT64, Value
from palaestra.language.types import (
    Array,
    Chosen,
    Constant,
    Either,
    Number,
    Term,
    Text,
    Type,
    chosen_from,
    is_choosable,
    plain,
    tuple_of,
    widened,
)


def read(front: Writer, values: Sequence[Any], at: Value) -> Term:
    """Returns the one of some objects that has a number, which is in their range.

    Raises:
        Refused: If they are of types that no table holds together.
    """
    kinds = [Constant(value) for value in values]
    if all(kind == kinds[0] for kind in kinds):
        return Term(kinds[0])
    wide = list(dict.fromkeys(map(widened, kinds)))
    if len(wide) == 1 and isinstance(wide[0], Number):
        return Term(wide[0], (_loaded(front, np.array(values, wide[0].dtype), at),))
    if len(wide) == 1 and isinstance(wide[0], Array):
        return _array(front, values, wide[0], at)
    first = values[0]
    if all(isinstance(one, tuple) and type(one) is type(first) and len(one) == len(first) for one in values):
        return tuple_of([read(front, column, at) for column in zip(*values, strict=True)], type(first))
    if all(map(is_choosable, values)):
        kind, numbers = chosen_from(values)
        return Term(kind, (_loaded(front, np.array(numbers, INT64), at),))
    return _several(front, values, at)


def _loaded(front: Writer, table: np.ndarray[Any, Any], at: Value) -> Value:
    if (table == np.arange(len(table))).all() and table.dtype == INT64:
        return at
    start = front.emit("table", ADDRESS, attribute=table)
    place = front.emit("offset", ADDRESS, start, front.compute("mul", at, front.number(table.itemsize)))
    return front.emit("load", table.dtype, place)


def _array(front: Writer, values: Sequence[Any], kind: Array, at: Value) -> Term:
    table = np.ascontiguousarray(np.stack(values))
    start = front.emit("table", ADDRESS, attribute=table)
    size = front.number(kind.size * kind.dtype.itemsize)
    place = front.emit("offset", ADDRESS, start, front.compute("mul", at, size))
    return Term(plain(kind.dtype, kind.shape, writable=False), (place,))


def _several(front: Writer, values: Sequence[Any], at: Value) -> Term:
    """An object of one of several types: numbers of some, None, or one of the others."""
    groups: dict[Any, list[int]] = {}
    for k, value in enumerate(values):
        kind = widened(Constant(value))
        groups.setdefault("chosen" if is_choosable(value) and value is not None else kind, []).append(k)
    terms, tags = [], np.zeros(len(values), INT64)
    for tag, places in enumerate(groups.values()):
        tags[places] = tag
        filled = [values[k if k in places else places[0]] for k in range(len(values))]
        first = values[places[0]]
        if not (first is None or is_choosable(first) or isinstance(widened(Constant(first)), Number)):
            raise Refused(f"a constant holds {type(first).__name__} and others", "let it hold one type")
        terms.append(read(front, filled, at))
    parts = [part for term in terms for part in term.parts]
    return Term(Either(tuple(term.type for term in terms)), (_loaded(front, tags, at), *parts))


def renumbered(front: Writer, term: Term, kind: Chosen) -> Term:
    """Returns a constant, or one of some objects, as one of others, among which these are."""
    if term.known:
        return Term(kind, (front.number(kind.number_of(term.value)),))
    numbers = [kind.number_of(value) for value in values_in(term.type) or ()]
    return Term(kind, (_loaded(front, np.array(numbers, INT64), number_in(front, term)),))


MOST_TEXTS = 4096


def values_in(kind: Type) -> list[Any] | None:
    """Returns what an object of a type may be, by the number of `number_in`; None if that is not a known set."""
    match kind:
        case Constant(value=value):
            return [value]
        case Chosen(options=options):
            return [*options]
        case Either(options=kinds):
            each = [values_in(one) for one in kinds]
            return None if any(one is None for one in each) else [value for one in each for value in one or ()]
        case Text(template=str(template), items=kinds):
            each = [values_in(one) for one in kinds]
            if any(one is None for one in each) or math.prod(len(one or ()) for one in each) > MOST_TEXTS:
                return None
            return [template.format(*row) for row in itertools.product(*(one or () for one in each))]
    return None


def texts_in(kind: Type) -> Chosen | None:
    """Returns the type of one of the texts that an object of a type may be; None if they are not a known set."""
    values = values_in(kind)
    return chosen_from(values)[0] if values and all(type(one) is str for one in values) else None


def number_in(front: Writer, term: Term) -> Value:
    """Returns which of the objects of `values_in` one is."""
    number = front.number(0)
    match term.type:
        case Chosen():
            return term.part
        case Text(items=kinds):
            for one, kind in zip(term.items(), kinds, strict=True):
                number = front.compute("mul", number, front.number(len(values_in(kind) or ())))
                number = front.compute("add", number, number_in(front, one))
        case Either(options=kinds):
            start = 0
            for k, one in enumerate(term.items()):
                is_k = front.compare("eq", term.parts[0], front.number(k))
                found = front.compute("add", number_in(front, one), front.number(start))
                number = front.emit("select", INT64, is_k, found, number)
                start += len(values_in(one.type) or ())
    return number


def items_in(front: Writer, term: Term) -> list[Term] | None:
    """Returns the items of one of some containers, if all are as long; None for others."""
    assert isinstance(term.type, Chosen)
    each = [_items(one) for one in term.type.options]
    if None in each or len({len(one) for one in each if one is not None}) != 1:
        return None
    return [read(front, column, term.part) for column in zip(*(one for one in each if one is not None), strict=True)]


def counted_in(front: Writer, term: Term) -> tuple[Value, Callable[[Value], Term]] | None:
    """Returns the length of one of some containers, and what reads an item by its number; None for others."""
    assert isinstance(term.type, Chosen)
    each = [_items(one) for one in term.type.options]
    if None in each:
        return None
    rows = [one for one in each if one is not None]
    most = max(map(len, rows))
    some = next((item for row in rows for item in row), None)
    flat = [item for row in rows for item in (*row, *[some] * (most - len(row)))]
    length = _loaded(front, np.array([len(row) for row in rows], INT64), term.part)
    start = front.compute("mul", term.part, front.number(most))
    return length, lambda k: read(front, flat, front.compute("add", start, k))


def _items(value: Any) -> list[Any] | None:
    return None if isinstance(value, (frozenset, set)) or not hasattr(value, "__iter__") else list(value)


def as_chosen(front: Writer, term: Term) -> Term:
    """Returns a constant as one of one."""
    return term if isinstance(term.type, Chosen) else Term(Chosen([term.value]), (front.number(0),))


def type_among(kind: Type) -> type | None:
    """Returns the class of all objects that one of some is; None if they differ."""
    found = {type(one) for one in kind.options} if isinstance(kind, Chosen) else set()
    return found.pop() if len(found) == 1 else None
