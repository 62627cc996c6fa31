"""Comparisons, identity and truth."""

from __future__ import annotations

import inspect
import operator
from enum import Enum
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.frontend import groups
from palaestra.language.frontend.growing import length_of, storage_of
from palaestra.language.frontend.hidden import SEEDED, hidden
from palaestra.language.frontend.iteration import items_of
from palaestra.language.frontend.objects import class_of_object, is_object
from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations.arithmetic import as_float, is_numpy, is_of, is_python
from palaestra.language.operations.drawing import any_numbers, python_numbers
from palaestra.language.operations.integers import whole
from palaestra.language.operations.table import Tries, built
from palaestra.language.program import BOOL, FLOAT64, INT64, Value
from palaestra.language.types import (
    CONTAINERS,
    DICTS,
    PYTHON,
    SETS,
    Array,
    Bounded,
    Constant,
    Number,
    Placed,
    Reference,
    Seed,
    Term,
    Tuple,
    constant,
)

FALSE, NONE = constant(False), constant(None)

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

UFUNCS: dict[Any, np.ufunc] = {
    operator.eq: np.equal,
    operator.ne: np.not_equal,
    operator.lt: np.less,
    operator.le: np.less_equal,
    operator.gt: np.greater,
    operator.ge: np.greater_equal,
}


_PAIRS: tuple[Tries, ...] = (
    *(python_numbers("bif", 2), python_numbers("i", 2), any_numbers("biuf", 2)),
    lambda rng: _close(int(rng.integers(-(2**63), 2**63 - 1)) >> int(rng.integers(12)), int(rng.integers(-2, 3)), rng),
)


def _close(x: int, further: int, rng: np.random.Generator) -> tuple[Any, ...]:
    """An int and a float near it."""
    near = float(x) + further
    return (near, x) if rng.random() < 0.5 else (x, near)


def truth(value: Value) -> Term:
    """Returns a bool as Python's."""
    return Term(PYTHON[bool], (value,))


def compared(front: FrontEnd, operation: str, a: Term, b: Term) -> Value:
    """Returns a comparison of two numbers of Python; of an int and a float without rounding the int."""
    are_floats = a.part.kind == FLOAT64, b.part.kind == FLOAT64
    if all(are_floats):
        return front.compare(operation, a.part, b.part)
    if not any(are_floats):
        return front.compare(operation, whole(front, a), whole(front, b))
    if are_floats[1]:
        return _mixed(front, operation, a, b.part)
    return _mixed(front, _REVERSED.get(operation, operation), b, a.part)


_REVERSED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}


def _mixed(front: FrontEnd, operation: str, whole_number: Term, x: Value) -> Value:
    """An int beside a float: rounding keeps the order, so only equal floats leave the ints to be compared."""
    value = as_float(front, whole_number)
    rounded = front.compare(operation, value, x)
    if whole_number.part.kind == BOOL or _is_small(whole_number.part):
        return rounded
    n = whole(front, whole_number)
    is_equal = front.compare("eq", value, x)
    beyond = front.compare("ge", x, front.number(2.0**63, FLOAT64))
    inside = front.compute("and", is_equal, front.compute("not", beyond))
    back = front.emit("select", FLOAT64, inside, x, front.number(0.0, FLOAT64))
    exact = front.compare(operation, n, front.convert(back, INT64))
    larger = front.emit("select", BOOL, beyond, _constant(front, operation in ("ne", "lt", "le")), exact)
    return front.emit("select", BOOL, is_equal, larger, rounded)


def _is_small(value: Value) -> bool:
    return value.operation == "constant" and abs(value.attribute) <= 2**53


def _constant(front: FrontEnd, value: bool) -> Value:
    return front.emit("constant", BOOL, attribute=value)


def _comparison(called: Any, operation: str) -> None:
    @built(called, tries=_PAIRS)
    def build(front: FrontEnd, a: Term, b: Term) -> Term:
        x, y = front.materialized(a), front.materialized(b)
        if is_python(x) and is_python(y):
            return truth(compared(front, operation, x, y))
        if operation in ("eq", "ne") and _is_none_beside_number(x, y):
            return constant(operation == "ne")
        if is_numpy(x) or is_numpy(y):
            return front.operate(UFUNCS[called], a, b)
        if operation in ("eq", "ne") and any(is_object(one) for one in (a, b)):  # whose class has no `__eq__`
            return front.operate(operator.is_ if operation == "eq" else operator.is_not, a, b)
        if is_of(x, *SETS) or is_of(y, *SETS):
            return _of_sets(front, called, x, y)
        if any(isinstance(one.type, Tuple | Reference | Placed) for one in (x, y)):
            return front.operate((called, "sequences"), a, b)
        if operation in ("eq", "ne") and _is_other(x, y):
            return constant(operation == "ne")
        raise Refused(f"a comparison of {a.type} and {b.type} is not in the language")


def _of_sets(front: FrontEnd, called: Any, a: Term, b: Term) -> Term:
    if is_of(a, *SETS) and is_of(b, *SETS):
        return front.operate((called, "set"), a, b)
    if called not in (operator.eq, operator.ne):
        front.raise_("TypeError")
    return constant(called is operator.ne)


def _is_none_beside_number(*terms: Term) -> bool:
    return NONE in terms and any(isinstance(one.type, Number) for one in terms)


def _is_other(a: Term, b: Term) -> bool:
    """Whether one is a number and the other a constant that is none: they differ."""
    plain = (str, bytes, type(None))
    return any(
        isinstance(one.type, Number) and isinstance(other.type, Constant) and isinstance(other.value, plain)
        for one, other in ((a, b), (b, a))
    )


for _called, _operation in zip(UFUNCS, ("eq", "ne", "lt", "le", "gt", "ge"), strict=True):
    _comparison(_called, _operation)


_IDENTITIES: tuple[Tries, ...] = (
    lambda rng: (*python_numbers("if")(rng), None),
    lambda rng: (*python_numbers("b")(rng), True),
)


def identical(front: FrontEnd, a: Term, b: Term) -> Term:
    """Returns whether two are one object."""
    if any(isinstance(one.type, Seed) for one in (a, b)):
        return _is_of_seed(front, a, b)
    if a.known and b.known and (a.value is b.value or (_is_single(a.value) and _is_single(b.value))):
        return constant(a.value is b.value)
    if any(one.known and any(one.value is made for made in front.sentinels) for one in (a, b)):
        return constant(a.known and b.known and a.value is b.value)
    if isinstance(a.type, Reference) and isinstance(b.type, Reference) and a.type.number == b.type.number:
        return constant(True)
    a, b = (front.shelves.place_of(one) or one for one in (a, b))
    for one in (a, b):  # which may be one before the program: then it matters that states keep them apart
        if isinstance(one.type, Reference) and one.type.of in CONTAINERS and one.type.number <= front.loaded:
            front.changed.add(one.type.number)
    if isinstance(a.type, Reference) and isinstance(b.type, Reference):
        return constant(False)
    if isinstance(a.type, Placed) or isinstance(b.type, Placed):
        return _is_at(front, a, b)
    for one, other in ((a, b), (b, a)):
        if one.known and isinstance(one.value, bool) and other.type == PYTHON[bool]:
            return front.operate(operator.eq, a, b)
        if one.known and _is_single(one.value) and not isinstance(one.value, bool):
            return constant(False)
        if one.known and isinstance(one.value, bool):
            return constant(False)
    raise Refused(f"whether {a.type} is {b.type} depends on how Python keeps objects", "write == instead of `is`")


def _is_at(front: FrontEnd, a: Term, b: Term) -> Term:
    """Whether an object in a pool is another object."""
    if isinstance(a.type, Placed) and isinstance(b.type, Placed) and {*a.type.classes} & {*b.type.classes}:
        return truth(front.compare("eq", a.part, b.part))
    for one, other in ((a, b), (b, a)):
        if isinstance(one.type, Placed) and other.known and isinstance(other.value, one.type.root):
            raise Refused(f"{one.type} is compared with an object that exists already", "keep it in an attribute")
    return constant(False)


def _is_of_seed(front: FrontEnd, a: Term, b: Term) -> Term:
    """Whether the seed that a reset gets is None."""
    reason = "whether a reset has a seed is not known in machine code"
    otherwise = Refused(reason, "pass it on: super().reset(seed=seed)")
    if constant(None) not in (a, b):
        raise otherwise
    if Seed(True) in (a.type, b.type):
        return constant(False)
    answer = front.operate(operator.not_, hidden(front, SEEDED, otherwise))
    front.seeded[answer.part] = False
    return answer


def _is_single(value: Any) -> bool:
    """Whether an object has no copies: those of an environment's constants may be copies of its own."""
    kinds = bool, type(None), type, FunctionType, BuiltinFunctionType, ModuleType, Enum, np.dtype, np.ufunc
    return isinstance(value, kinds) or value is Ellipsis


@built(operator.is_, folds=False, takes_seed=True, tries=_IDENTITIES)
def _is(front: FrontEnd, a: Term, b: Term) -> Term:
    return identical(front, a, b)


@built(operator.is_not, folds=False, takes_seed=True, tries=_IDENTITIES)
def _is_not(front: FrontEnd, a: Term, b: Term) -> Term:
    answer = front.operate(operator.not_, identical(front, a, b))
    if answer.parts and any(isinstance(one.type, Seed) for one in (a, b)):
        front.seeded[answer.part] = True
    return answer


@built(bool, tries=(python_numbers(), any_numbers()))
def _bool(front: FrontEnd, x: Term = FALSE) -> Term:
    term = front.materialized(x)
    match term.type:
        case Number(dtype=dtype):
            part = term.part
            if dtype.kind == "b":
                return truth(part)
            return truth(front.compare("ne", part, front.number(0, dtype)))
        case Tuple(items=items):
            return constant(bool(items))
        case Reference() | Placed() if (storage := storage_of(front, term)) is not None:
            return truth(front.compare("ne", length_of(front, storage), front.number(0)))
        case Reference() | Placed() if is_object(term):
            return _truth_of_object(front, term)
        case Reference(of=of) if of in DICTS:
            return front.operate(bool, front.operate((len, "dict"), term))
        case Reference() | Placed():
            return constant(bool(items_of(front, term)))
        case Array() | Bounded():
            return front.operate((bool, "array"), term)
        case Constant(value=value):
            return constant(bool(value))
    raise Refused(f"the truth of {x.type} is not in the language")


def _truth_of_object(front: FrontEnd, x: Term) -> Term:
    """What the class of an object says about its truth: without a method of its own it is true."""
    if groups.is_of_several(x):
        return groups.each_class(front, x, lambda one: _truth_of_object(front, one))
    of = class_of_object(x)
    for name in ("__bool__", "__len__"):
        found = inspect.getattr_static(of, name, None)
        if isinstance(found, FunctionType):
            return front.operate(bool, front.call_function(found, (x,), {}))
    return constant(True)


@built(operator.not_, tries=(python_numbers(), any_numbers()))
def _not(front: FrontEnd, x: Term) -> Term:
    value = front.operate(bool, x)
    return constant(not value.value) if value.known else truth(front.compute("not", value.part))
