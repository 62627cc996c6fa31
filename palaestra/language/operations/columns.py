"""Columns: what the frame of a batch reads and writes, row by row."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations.table import built
from palaestra.language.program import ADDRESS, INT64, Set, Slot, Value
from palaestra.language.types import PYTHON, Array, Column, Number, Stream, Term, Tuple, constant, tuple_of

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd


def _place(front: FrontEnd, column: Term, index: Term) -> Value:
    assert isinstance(column.type, Column)
    size = front.number(column.type.size)
    return front.emit("offset", ADDRESS, column.part, front.compute("mul", front.convert(index.part, INT64), size))


@built((operator.getitem, "column"))
def _getitem(front: FrontEnd, column: Term, index: Term) -> Term:
    assert isinstance(column.type, Column)
    place = _place(front, column, front.materialized(index))
    item = column.type.item
    return Term(item, (place if isinstance(item, Array) else front.emit("load", column.type.dtype, place),))


@built((operator.setitem, "column"))
def _setitem(front: FrontEnd, column: Term, index: Term, value: Term) -> Term:
    assert isinstance(column.type, Column)
    place = _place(front, column, front.materialized(index))
    term = front.materialized(value)
    if column.type.shape:
        return _set_array(front, column.type, place, term)
    if not isinstance(term.type, Number):
        raise Refused(f"{term.type} does not fit {column.type}")
    front.emit("store", None, place, front.convert(term.part, column.type.dtype))
    return constant(None)


def _set_array(front: FrontEnd, column: Column, place: Value, term: Term) -> Term:
    if not isinstance(term.type, Array) or (term.type.dtype, term.type.shape) != (column.dtype, column.shape):
        raise Refused(f"{term.type} does not fit {column}")
    if not term.type.contiguous:
        raise Refused("an array with gaps does not fit a column")
    if column.size:
        front.emit("copy", None, place, term.part, front.number(column.size))
    return constant(None)


def stream_at(streams: Any, i: int) -> Any:
    """Returns the random generator whose words are row i of `streams`, which draws advance."""
    raise NotImplementedError("streams are rows of memory in machine code only")


@built(stream_at)
def _stream_at(front: FrontEnd, streams: Term, i: Term) -> Term:
    return Term(Stream(), (_place(front, streams, front.materialized(i)),))


def attempt(function: Any, *arguments: Any) -> Any:
    """Returns whether a function raises for some arguments, and what it returns if it does not."""
    try:
        return False, function(*arguments)
    except Exception:
        return True, None


@built(attempt, folds=False, takes_options=True)
def _attempt(front: FrontEnd, function: Term, *terms: Term) -> Term:
    """What is returned is read from slots: the paths that raise do not set them."""
    handler = front.begin_attempt()
    places = len(front.places)
    term = front.block("attempt", lambda _: front.materialized(front.call(function, terms, {})))
    if not front.live:  # it always raises
        front.end_attempt(handler)
        return constant((True, None))
    if len(front.places) == places:
        front.end_attempt(handler)
        return tuple_of([constant(False), term])
    slots = [Slot(part.kind, "result") for part in term.parts if part.kind is not None]
    front.region += [Set(slot, part) for slot, part in zip(slots, term.parts, strict=True)]
    failure = front.end_attempt(handler)
    failed = front.compare("ne", failure, front.number(0))
    result = Term(term.type, tuple(map(front.get, slots)))
    return _pair(Term(PYTHON[bool], (failed,)), result)


def _pair(a: Term, b: Term) -> Term:
    return Term(Tuple((a.type, b.type)), (*a.parts, *b.parts))
