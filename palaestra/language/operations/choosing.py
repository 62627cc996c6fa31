"""Operations of objects that exist already, of which a number chooses one: computed for each, and read from a table."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.frontend.choosing import as_chosen, read
from palaestra.language.frontend.front import OF_CHOSEN
from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations.table import Entry, built
from palaestra.language.program import INT64, Value
from palaestra.language.types import Array, Chosen, Either, Number, Term, Tuple, constant

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

MOST = 4096
"""The most combinations of objects for which an operation is computed."""
WIDEST = 1 << 16
"""The most places of a table of keys."""
NOTHING = constant(NotImplemented)


@built(OF_CHOSEN, folds=False, takes_options=True)
def _operated(front: FrontEnd, entry: Term, *terms: Term, **named: Term) -> Term:
    """The result of an operation, or NotImplemented."""
    called = entry.value.called
    if called is operator.getitem and _is_found(terms[1]):
        return _item(front, *terms)
    if called in (dict.get, operator.contains) and not named and _is_found(terms[1]):
        return _looked_up(front, called, *terms)
    try:
        return _computed(front, entry.value, terms, named)
    except Refused:
        return NOTHING


def _is_found(key: Term) -> bool:
    """Whether an index or a key is a number, or a tuple of numbers, that is found at run time."""
    if isinstance(key.type, Tuple):
        return key.type.of is tuple and all(one.known or _is_found(one) for one in key.items())
    kinds = key.type.options if isinstance(key.type, Either) else (key.type,)
    return all(isinstance(one, Number) for one in kinds)


# For each of some objects.


def _computed(front: FrontEnd, entry: Entry, terms: Sequence[Term], named: dict[str, Term]) -> Term:
    """What Python computes, for each combination of the objects that the arguments may be."""
    function = _function_of(entry)
    given = [*terms, *named.values()]
    chosen = [one for one in given if isinstance(one.type, Chosen)]
    sizes = [len(one.type.options) for one in chosen if isinstance(one.type, Chosen)]
    if function is None or not all(one.known or one in chosen for one in given) or prod(sizes) > MOST:
        return NOTHING
    at = front.number(0)
    for one, size in zip(chosen, sizes, strict=True):
        at = front.compute("add", front.compute("mul", at, front.number(size)), one.part)
    results: list[Any] = []
    errors: list[str | None] = []
    for values in product(*(one.type.options if isinstance(one.type, Chosen) else (one.value,) for one in given)):
        keywords = dict(zip(named, values[len(terms) :], strict=True))
        try:
            with np.errstate(all="ignore"):
                results.append(function(*values[: len(terms)], **keywords))
            errors.append(None)
        except Exception as error:
            results.append(None)
            errors.append(type(error).__name__)
    held = {id(one) for term in given for value in _values_of(term) for one in _held_in(value)}
    if any(isinstance(one, (list, dict, set)) and id(one) not in held for one in results):
        return NOTHING  # a new object, which may be changed
    found = read(front, _without_errors(front, results, errors, at), at)
    return front.operate(np.copy, found) if isinstance(found.type, Array) else found


def _function_of(entry: Entry) -> Callable[..., Any] | None:
    called = entry.called
    if isinstance(called, tuple):
        return (lambda value: tuple(called[0](value))) if called[1:] == ("now",) else None
    return called if entry.folds or called in _PURE else None


_PURE = {len, operator.contains, operator.getitem, list.index, list.count, dict.get, dict.__contains__}


def _values_of(term: Term) -> Sequence[Any]:
    return term.type.options if isinstance(term.type, Chosen) else [term.value]


def _held_in(value: Any, depth: int = 4) -> Iterator[Any]:
    """Yields an object, and what it holds."""
    yield value
    if depth and isinstance(value, (list, tuple, dict)):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _held_in(one, depth - 1)


def _without_errors(front: FrontEnd, results: list[Any], errors: list[str | None], at: Value) -> list[Any]:
    """Raise where Python raises; elsewhere, the results."""
    good = [result for result, error in zip(results, errors, strict=True) if error is None]
    names = dict.fromkeys(error for error in errors if error)
    for name in names:
        if not good and len(names) == 1:
            front.raise_(name)
        raises = read(front, [error == name for error in errors], at)
        front.raise_if(front.materialized(raises).part, name)
    return [good[0] if error and good else result for result, error in zip(results, errors, strict=True)]


# Items.


def _item(front: FrontEnd, container: Term, index: Term) -> Term:
    """The item of a place or a key."""
    options = _values_of(container)
    if all(type(one) is dict for one in options):
        return _looked_up(front, operator.getitem, container, index)
    if all(isinstance(one, np.ndarray) for one in options):
        return _item_of_array(front, container, index)
    if not all(type(one) in (list, tuple, str, range) for one in options) or isinstance(index.type, Tuple):
        return NOTHING
    lengths = [len(one) for one in options]
    some = next((one[0] for one in options if len(one)), None)
    if not max(lengths):
        front.raise_("IndexError")
    k = as_chosen(front, container).part
    at = _from_begin(front, index, front.materialized(read(front, lengths, k)).part)
    most = max(lengths)
    flat = [item for one in options for item in (*one, *[some] * (most - len(one)))]
    return read(front, flat, front.compute("add", front.compute("mul", k, front.number(most)), at))


def _from_begin(front: FrontEnd, index: Term, length: Value) -> Value:
    """An index, counted from the begin; it raises if there is no such item."""
    at = front.materialized(front.operate(int, front.operate(operator.index, index))).part
    at = front.emit("select", INT64, front.compare("lt", at, front.number(0)), front.compute("add", at, length), at)
    outside = front.compute("or", front.compare("lt", at, front.number(0)), front.compare("ge", at, length))
    front.raise_if(outside, "IndexError")
    return at


def _item_of_array(front: FrontEnd, container: Term, index: Term) -> Term:
    """An item of an array of texts or objects."""
    indices = list(index.items()) if isinstance(index.type, Tuple) else [index]
    array = container.value if container.known else None
    if array is None or len(indices) != array.ndim or array.dtype.kind not in "SUO":
        return NOTHING
    at = front.number(0)
    for one, length in zip(indices, array.shape, strict=True):
        place = _from_begin(front, one, front.number(length))
        at = front.compute("add", front.compute("mul", at, front.number(length)), place)
    return read(front, [array[place] for place in np.ndindex(array.shape)], at)


def _looked_up(front: FrontEnd, called: Any, container: Term, key: Term, *default: Term) -> Term:
    """What is found for a key that is a number, or a tuple of numbers: `d[key]`, `d.get(key)` or `key in d`."""
    options = _values_of(container)
    if not all(type(one) is dict for one in options):
        return NOTHING
    parts = [front.split(one, front.materialized) for one in (key.items() if isinstance(key.type, Tuple) else [key])]
    ranges = _ranges(options, len(parts) if isinstance(key.type, Tuple) else None)
    if ranges is None or not all(_is_whole(front.materialized(one)) for one in parts):
        return NOTHING
    span = prod(high - low + 1 for low, high in ranges)
    if span * len(options) > WIDEST:
        return NOTHING
    inside, at = _place_of(front, parts, ranges)
    whole = front.compute("add", front.compute("mul", as_chosen(front, container).part, front.number(span)), at)
    table: list[Any] = [_MISSING] * (span * len(options))
    for k, one in enumerate(options):
        for each, value in one.items():
            table[k * span + _flat(each if isinstance(each, tuple) else (each,), ranges)] = value
    held = front.materialized(read(front, [value is not _MISSING for value in table], whole)).part
    held = front.compute("and", held, inside)
    if called is operator.contains:
        return front.operate(bool, Term(Number(np.dtype(np.bool_), python=True), (held,)))
    some = next((value for value in table if value is not _MISSING), None)
    filled = [some if value is _MISSING else value for value in table]
    if called is operator.getitem:
        front.raise_if(front.compare("eq", held, front.materialized(constant(False)).part), "KeyError")
        return read(front, filled, whole)
    otherwise = default[0] if default else constant(None)
    return front.branch(held, lambda: read(front, filled, whole), lambda: otherwise)


_MISSING = object()


def _is_whole(term: Term) -> bool:
    return isinstance(term.type, Number) and term.type.dtype.kind in "biu"


def _ranges(dicts: Sequence[Any], count: int | None) -> list[tuple[int, int]] | None:
    """The least and the most of the ints that keys are, or of each of a tuple's; None for other keys."""
    keys = [key for one in dicts for key in one]
    rows = [(key,) if count is None else key for key in keys]
    if not rows or not all(isinstance(row, tuple) and len(row) == (count or 1) for row in rows):
        return None
    if any(type(one) not in (int, bool) and not isinstance(one, np.integer) for row in rows for one in row):
        return None
    return [(int(min(column)), int(max(column))) for column in zip(*rows, strict=True)]


def _flat(key: tuple[Any, ...], ranges: list[tuple[int, int]]) -> int:
    at = 0
    for one, (low, high) in zip(key, ranges, strict=True):
        at = at * (high - low + 1) + int(one) - low
    return at


def _place_of(front: FrontEnd, parts: list[Term], ranges: list[tuple[int, int]]) -> tuple[Value, Value]:
    """Whether a key is in the table, and its place; 0 for others."""
    inside, at = front.materialized(constant(True)).part, front.number(0)
    for part, (low, high) in zip(parts, ranges, strict=True):
        number = front.convert(front.materialized(part).part, INT64)
        within = front.compute(
            "and", front.compare("ge", number, front.number(low)), front.compare("le", number, front.number(high))
        )
        inside = front.compute("and", inside, within)
        further = front.compute("sub", number, front.number(low))
        at = front.compute("add", front.compute("mul", at, front.number(high - low + 1)), further)
    return inside, front.emit("select", INT64, inside, at, front.number(0))
