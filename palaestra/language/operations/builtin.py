"""Python's built-in functions of numbers and of what loops run over."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

from palaestra.language.frontend.iteration import items_of, numbered
from palaestra.language.frontend.refusals import NeedsConstant, Refused
from palaestra.language.operations.arithmetic import floating
from palaestra.language.operations.drawing import any_numbers, python_numbers
from palaestra.language.operations.integers import BEYOND, integer, whole
from palaestra.language.operations.table import built
from palaestra.language.program import BOOL, FLOAT64, INT64, UINT64, Value
from palaestra.language.types import (
    Array,
    Constant,
    Iterated,
    Number,
    Packed,
    Range,
    Reference,
    Term,
    Tuple,
    constant,
    tuple_of,
)

ZERO, ZERO_FLOAT, FALSE = constant(0), constant(0.0), constant(False)

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd


@built(int, tries=(any_numbers(), python_numbers()), note="64 bits")
def _int(front: FrontEnd, x: Term = ZERO) -> Term:
    term = front.materialized(x)
    if not isinstance(term.type, Number):
        raise Refused(f"int() of {x.type} is not in the language")
    if term.type.dtype.kind != "f":
        return integer(_within(front, term))
    value = front.convert(term.part, FLOAT64)
    front.raise_if(front.compare("ne", value, value), "ValueError")
    size = front.compute("fabs", value)
    front.raise_if(front.compare("ge", size, front.number(2.0**63, FLOAT64)), BEYOND)
    return integer(front.convert(front.compute("trunc", value), INT64))


def _within(front: FrontEnd, term: Term) -> Value:
    """An integer or bool as an int64, if it is one."""
    if term.part.kind == UINT64:
        front.raise_if(front.compare("ge", term.part, front.number(2**63, UINT64)), BEYOND)
    return whole(front, term)


@built(float, tries=(any_numbers(), python_numbers()))
def _float(front: FrontEnd, x: Term = ZERO_FLOAT) -> Term:
    term = front.materialized(x)
    if not isinstance(term.type, Number):
        raise Refused(f"float() of {x.type} is not in the language")
    return floating(front.convert(term.part, FLOAT64))


@built(range)
def _range(front: FrontEnd, *terms: Term) -> Term:
    start, stop, step = {1: (constant(0), *terms, constant(1)), 2: (*terms, constant(1))}.get(len(terms), terms)
    size = front.integer(step, "the step of a range")
    if size == 0:
        front.raise_("ValueError")
    parts = [front.operate(operator.index, one) for one in (start, stop)]
    return Term(Range(), (*(front.materialized(one).part for one in parts), front.number(size)))


@built(operator.index, tries=(any_numbers(),), note="64 bits")
def _index(front: FrontEnd, x: Term) -> Term:
    term = front.materialized(x)
    if not isinstance(term.type, Number) or term.type.dtype.kind == "f" or term.type == Number(BOOL):
        front.raise_("TypeError")
    return integer(_within(front, term))


@built(len, tries=(lambda rng: (python_numbers("if", int(rng.integers(4)))(rng),),))
def _len(front: FrontEnd, x: Term) -> Term:
    match x.type:
        case Tuple(items=items):
            return constant(len(items))
        case Reference():
            return constant(len(items_of(front, x) or ()))
        case Array(shape=(length, *_)) | Packed(length=length):
            return constant(length)
        case Range():
            counted = numbered(front, x)
            assert counted is not None
            return integer(counted.length)
        case Constant(value=list() | dict() | set()):
            return constant(len(x.value))
    raise Refused(f"len() of {x.type} is not in the language")


def _iterated(by: str, sources: tuple[Term, ...]) -> Term:
    parts = tuple(part for source in sources for part in source.parts)
    return Term(Iterated(by, tuple(source.type for source in sources)), parts)


@built(enumerate, folds=False)
def _enumerate(front: FrontEnd, x: Term, start: Term = ZERO) -> Term:
    if start != ZERO:
        items = items_of(front, x)
        if items is None or not start.known:
            raise NeedsConstant("enumerate() from another number needs items that are known one by one")
        return tuple_of([tuple_of([constant(start.value + k), item]) for k, item in enumerate(items)])
    return _iterated("enumerate", (x,))


@built(zip, folds=False)
def _zip(front: FrontEnd, *terms: Term, strict: Term = FALSE) -> Term:
    if strict != FALSE:
        several = [items_of(front, term) for term in terms]
        if len({len(one) if one is not None else -1 for one in several}) > 1 or None in several:
            raise Refused("zip() with strict=True needs items of one known number")
    return _iterated("zip", terms)


@built(reversed, folds=False)
def _reversed(front: FrontEnd, x: Term) -> Term:
    return _iterated("reversed", (x,))
