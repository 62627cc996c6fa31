"""The begin: programs of functions."""

from __future__ import annotations

import linecache
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from palaestra.language.frontend import expressions, statements  # noqa: F401  (which register their handlers)
from palaestra.language.frontend.building import NOTHING, Ended, Handler
from palaestra.language.frontend.front import FrontEnd
from palaestra.language.frontend.pools import Widened
from palaestra.language.frontend.refusals import CannotCompile, Refusal, Refused
from palaestra.language.frontend.shelves import Shelves, unify
from palaestra.language.program import (
    ADDRESS,
    INT64,
    Block,
    Kind,
    Label,
    Place,
    Program,
    Region,
    Set,
    Slot,
    Value,
    statements_of,
)
from palaestra.language.types import Array, Bounded, Either, Pool, Reference, Term, Tuple, Type, tuple_of

ROW = "row"


def program_of(
    name: str,
    parameters: Mapping[str, Kind],
    write: Callable[[FrontEnd, dict[str, Value]], Value],
    row: str = "",
    together: bool = False,
    widens: bool = False,
) -> Program:
    """Returns the program that a function writes.

    Args:
        name: Its name.
        parameters: The kinds of its parameters, by name.
        write: Writes it, with the parameters' values; it returns the value of the program's result, an int64.
        row: The parameter that is the number of a row, the last; "" if there is none.
        together: Whether rows raise together, see `Handler`.
        widens: Whether the program may be written again, with pools of other types.

    Raises:
        CannotCompile: If the language does not take an expression; it names all of them.
    """
    front = FrontEnd()
    front.shelves = Shelves(front)
    values = {one: Value("parameter", kind, (), ROW if one == row else one) for one, kind in parameters.items()}
    result, failure, label = Slot(INT64, "result"), Slot(INT64, "failure"), Label("failed")
    front.handlers.append(Handler(label, failure, together))
    body = front.body
    front.region = body
    front.region.append(Set(failure, front.number(0)))
    block = Block(label)
    front.region.append(block)
    front.region = block.body
    try:
        with suppress(Ended):
            front.region.append(Set(result, write(front, values)))
    except Refused as refused:  # of what paths bring along to where they meet
        refused.locate(front.place or Place("", 0, name), name)
        front.refuse(refused)
    except RecursionError:
        reason = "calls, branches or cases are too deep in each other"
        raise CannotCompile([Refusal(front.place or Place("", 0, name), name, reason, "write a loop")]) from None
    if widens and (front.widened or front.shelves.met):
        raise Widened([*front.widened.values()], front.shelves.met)
    if front.refusals:
        raise CannotCompile(front.refusals)
    if front.widened or front.shelves.met:
        raise CannotCompile([_of_shelves(front, name)])
    _check_rooms(body)
    front.region = body
    _return_failure(front, result, failure)
    return Program(name, list(values.values()), body, result, front.places)


def _of_shelves(front: FrontEnd, name: str) -> Refusal:
    """The refusal of containers in containers, where a program has no pools."""
    place = front.shelves.place or Place("", 0, name)
    text = linecache.getline(place.file, place.line).strip() or name
    return Refusal(
        place, text, "a list that grows holds lists or dicts, which is not in the language here", "keep tuples in it"
    )


def _check_rooms(body: Region) -> None:
    """Refuse a program whose arrays are more than a thread's stack may hold, eight rows at a time."""
    rooms = [one for one in statements_of(body) if isinstance(one, Value) and one.operation == "room"]
    if sum(room.attribute for room in rooms) > MOST_BYTES:
        place = max(rooms, key=lambda room: int(room.attribute)).place or Place("", 0, "")
        reason = f"the arrays that are made in a step have more than {MOST_BYTES} bytes"
        raise CannotCompile([Refusal(place, "an array", reason, "make smaller ones, or change those that are there")])


MOST_BYTES = 1 << 18


def _return_failure(front: FrontEnd, result: Slot, failure: Slot) -> None:
    """After an exception the result is the negative number of its place."""
    number = front.get(failure)

    def fail() -> Term:
        front.region.append(Set(result, front.compute("sub", front.number(0), number)))
        return NOTHING

    front.branch(front.compare("ne", number, front.number(0)), fail, lambda: NOTHING)


def function_program(function: Callable[..., Any], kinds: Sequence[Type], rows: bool = False) -> tuple[Program, Type]:
    """Returns a program that calls a function, and the type of what it returns.

    The program has two parameters, addresses: of the arguments' parts, one in every 8 bytes, and of room for the
    result, which is written as `written_size` says. With `rows` it has a row, too, which has arguments and a result of
    its own, one behind the other; behind each result is an int64 that is set to 1, unless the row raises.

    Raises:
        CannotCompile: If the language does not take an expression.
    """
    returned: list[Type] = [NOTHING.type]
    pools: dict[type, Pool] = {}
    merged: dict[type, type] = {}

    def row_of(front: FrontEnd, values: dict[str, Value], name: str, size: int) -> Value:
        if not rows:
            return values[name]
        return front.emit("offset", ADDRESS, values[name], front.compute("mul", values[ROW], front.number(size)))

    def write(front: FrontEnd, values: dict[str, Value]) -> Value:
        front.shelves.merged = merged
        front.shelves.open(pools)
        terms, at = [], 0
        arguments = row_of(front, values, "arguments", 8 * sum(len(kind.kinds) for kind in kinds))
        for kind in kinds:
            parts = []
            for one in kind.kinds:
                parts.append(_load(front, arguments, at, one))
                at += 8
            terms.append(Term(kind, tuple(parts)))
        term = front.materialized(_of_lists(front, front.call_function(function, terms, {})))
        front.lending.check(front.body)
        returned[0] = term.type
        size = written_size(term.type)
        place = row_of(front, values, "results", size + 8)
        _write(front, place, term)
        if rows:
            front.emit("store", None, _further(front, place, size), front.number(1))
        return front.number(0)

    parameters: dict[str, Kind] = {"arguments": ADDRESS, "results": ADDRESS, **({ROW: INT64} if rows else {})}
    for _ in range(ATTEMPTS):
        try:
            row = ROW if rows else ""
            return program_of(function.__name__, parameters, write, row, widens=True), returned[0]
        except Widened as found:
            unify(merged, pools, found)
    reason = "the types of the lists in lists were not found"
    raise CannotCompile([Refusal(Place("", 0, function.__name__), function.__name__, reason, "let each hold one type")])


ATTEMPTS = 30


def written_size(kind: Type) -> int:
    """Returns the bytes of an object that `function_program` writes: parts in 8 bytes each, arrays' items in place.

    Lengths that are found at run time stand before the items, of which there is room for the most.
    """
    match kind:
        case Array(dtype=dtype):
            return 8 * -(-kind.size * dtype.itemsize // 8)
        case Bounded(dtype=dtype, most=most, open=axes):
            return 8 * len(axes) + 8 * -(-math.prod(most) * dtype.itemsize // 8)
        case Tuple(items=items):
            return sum(map(written_size, items))
        case Either(options=options):
            return 8 + sum(map(written_size, options))
    return 8 * len(kind.kinds)


def _of_lists(front: FrontEnd, term: Term) -> Term:
    """An object with tuples instead of the lists in it."""
    if isinstance(term.type, Reference):
        return tuple_of([_of_lists(front, one) for one in front.state.heap[term.type.number]])
    if isinstance(term.type, Either):
        return front.each_option(term, lambda one: _of_lists(front, one))
    if isinstance(term.type, Tuple):
        return tuple_of([_of_lists(front, one) for one in term.items()], term.type.of)
    return term


def _write(front: FrontEnd, place: Value, term: Term) -> None:
    match term.type:
        case Array(shape=shape):
            _write_array(front, place, term.type, term.part, shape)
        case Bounded():
            copy = front.operate(np.copy, term)
            for k, length in enumerate(copy.parts[1:]):
                front.emit("store", None, _further(front, place, 8 * k), length)
            start, size = 8 * (len(copy.parts) - 1), written_size(copy.type)
            front.emit("copy", None, _further(front, place, start), copy.parts[0], front.number(size - start))
        case Tuple():
            for item in term.items():
                _write(front, place, item)
                place = _further(front, place, written_size(item.type))
        case Either():
            front.emit("store", None, place, term.parts[0])
            at = [8]
            for item in term.items():
                at.append(at[-1] + written_size(item.type))
            places = dict(zip(term.type.options, at, strict=False))

            def write_option(one: Term) -> Term:
                _write(front, _further(front, place, places[one.type]), one)
                return NOTHING

            front.each_option(term, write_option)
        case _:
            for k, part in enumerate(term.parts):
                front.emit("store", None, _further(front, place, 8 * k), part)


def _write_array(front: FrontEnd, place: Value, kind: Array, source: Value, shape: tuple[int, ...]) -> None:
    for k, index in enumerate(np.ndindex(*shape)):
        start = _further(front, source, sum(i * step for i, step in zip(index, kind.strides, strict=True)))
        item = front.emit("load", kind.dtype, start)
        front.emit("store", None, _further(front, place, k * kind.dtype.itemsize), item)


def _further(front: FrontEnd, place: Value, size: int) -> Value:
    return front.emit("offset", ADDRESS, place, front.number(size))


def _load(front: FrontEnd, base: Value, at: int, kind: Kind) -> Value:
    if kind is ADDRESS:
        return front.emit("address", ADDRESS, front.emit("load", INT64, _further(front, base, at)))
    return front.emit("load", kind, _further(front, base, at))
