"""Python's built-in functions of numbers and of what loops run over."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

import numpy as np

from palaestra.language.frontend.iteration import items_of, numbered, unpacked
from palaestra.language.frontend.refusals import ONCE, NeedsConstant, Refused
from palaestra.language.operations import arrays, growing
from palaestra.language.operations.arithmetic import floating
from palaestra.language.operations.drawing import any_numbers, python_numbers
from palaestra.language.operations.integers import integer, whole
from palaestra.language.operations.table import built
from palaestra.language.program import BEYOND, BOOL, FLOAT64, INT64, UINT64, Value
from palaestra.language.types import (
    CONTAINERS,
    DICTS,
    Array,
    Bounded,
    Constant,
    Iterated,
    Number,
    Packed,
    Placed,
    Range,
    Reference,
    Term,
    Text,
    Tuple,
    constant,
)

ZERO, ZERO_FLOAT, FALSE = constant(0), constant(0.0), constant(False)

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd


@built(int, tries=(any_numbers(), python_numbers()), note="64 bits")
def _int(front: FrontEnd, x: Term = ZERO) -> Term:
    term = _number_in(front, x)
    if not isinstance(term.type, Number):
        raise Refused(f"int() of {x.type} is not in the language")
    if term.type.dtype.kind != "f":
        return integer(_within(front, term))
    value = front.convert(term.part, FLOAT64)
    front.raise_if(front.compare("ne", value, value), "ValueError")
    size = front.compute("fabs", value)
    front.raise_if(front.compare("ge", size, front.number(2.0**63, FLOAT64)), BEYOND)
    return integer(front.convert(front.compute("trunc", value), INT64))


def _number_in(front: FrontEnd, x: Term) -> Term:
    """A number, also that of an array without axes."""
    term = front.materialized(x)
    return front.operate(np.ndarray.item, term) if isinstance(term.type, Array) and not term.type.shape else term


def _within(front: FrontEnd, term: Term) -> Value:
    """An integer or bool as an int64, if it is one."""
    if term.part.kind == UINT64:
        front.raise_if(front.compare("ge", term.part, front.number(2**63, UINT64)), BEYOND)
    return whole(front, term)


@built(float, tries=(any_numbers(), python_numbers()))
def _float(front: FrontEnd, x: Term = ZERO_FLOAT) -> Term:
    term = _number_in(front, x)
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
    return Term(Range(size), tuple(front.materialized(one).part for one in parts))


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
        case Reference() | Placed() if growing.grows(front, x):
            return integer(growing.size(front, x))
        case Reference(of=of) if of in DICTS:
            return front.operate((len, "dict"), x)
        case Reference() | Placed():
            return constant(len(items_of(front, x) or ()))
        case Array(shape=(length, *_)) | Packed(length=length):
            return constant(length)
        case Bounded():
            return arrays.int_of(arrays.lengths_of(x)[0])
        case Range():
            counted = numbered(front, x)
            assert counted is not None
            return integer(counted.length)
        case Iterated(by=by) if by in ONCE:
            front.raise_("TypeError")
        case Iterated():
            counted = numbered(front, x)
            return integer(counted.length) if counted else constant(len(unpacked(front, x)))
        case Constant(value=value) if isinstance(value, CONTAINERS):
            return constant(len(value))
        case Text():
            raise NeedsConstant(
                "the length of a text must be known when the program is compiled", "count what is in it"
            )
    raise Refused(f"len() of {x.type} is not in the language")


def _iterated(by: str, sources: tuple[Term, ...]) -> Term:
    parts = tuple(part for source in sources for part in source.parts)
    return Term(Iterated(by, tuple(source.type for source in sources)), parts)


@built(object, folds=False)
def _object(front: FrontEnd) -> Term:
    if front.turns:
        raise Refused("object() in a loop is another object in each turn", "make it before the loop")
    made = object()
    front.sentinels.append(made)
    return constant(made)


@built(enumerate, folds=False)
def _enumerate(front: FrontEnd, x: Term, start: Term = ZERO) -> Term:
    return _iterated("enumerate", (x, front.operate(int, front.operate(operator.index, start))))


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
