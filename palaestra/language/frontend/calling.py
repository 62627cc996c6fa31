"""Calls: which function, with which arguments."""

from __future__ import annotations

import functools
import inspect
import operator
import sys
from collections.abc import Mapping, Sequence
from enum import EnumMeta, Flag
from types import FunctionType, MethodType
from typing import Any

from gymnasium.spaces.space import Space
from palaestra.language.frontend.binding import LocalFunction, Partial, bound_locally, checked
from palaestra.language.frontend.front import FrontEnd
from palaestra.language.frontend.generators import check_yields_none
from palaestra.language.frontend.objects import is_object, is_of_objects, made
from palaestra.language.frontend.records import check_record
from palaestra.language.frontend.refusals import UNKNOWN, Refused, is_unknown
from palaestra.language.frontend.wrapping import call_cached, got, is_cached, is_getter
from palaestra.language.operations.foreign import Foreign, call_foreign
from palaestra.language.operations.table import entry_of
from palaestra.language.types import Constant, Method, Number, Super, Term, Tuple, constant, tuple_of


def call(front: FrontEnd, called: Term, terms: Sequence[Term], named: Mapping[str, Term]) -> Term:
    """Returns what a call returns."""
    match called.type:
        case Constant(value=LocalFunction() as function):
            check_yields_none(function)
            names = bound_locally(function, terms, named, front.gathered)
            return front.run(function.source, names, function.outer)
        case Constant(value=Partial() as partial):
            return call(front, partial.called, [*partial.terms, *terms], {**partial.named, **named})
        case Constant(value=value):
            return _object(front, value, terms, named)
        case Method(receiver=receiver, function=function):
            return _object(front, function, (Term(receiver, called.parts), *terms), named)
    raise Refused(f"{called.type} is called, which is not in the language")


def _object(front: FrontEnd, called: Any, terms: Sequence[Term], named: Mapping[str, Term]) -> Term:
    if front.stand_ins:
        called = front.stand_ins.get(called, called)
    if isinstance(called, Foreign):
        return call_foreign(front, called, terms)
    if entry_of(called) is not None:
        return front.operate(called, *terms, **named)
    if isinstance(getattr(called, "py_func", None), FunctionType) and hasattr(called, "targetoptions"):
        if called.targetoptions.get("fastmath"):
            raise Refused("a function that is compiled with fastmath rounds in its own way", "leave fastmath out")
        return front.call_function(called.py_func, terms, named)  # as its author wrote it
    if isinstance(called, FunctionType):
        if called.__name__ == "_replace" and terms and isinstance(terms[0].type, Tuple) and terms[0].type.fields:
            return _record_with(front, terms[0], named)
        return front.call_function(called, terms, named)
    if isinstance(called, MethodType) and isinstance(called.__self__, Space) and called.__name__ in ("sample", "seed"):
        return front.operate(Space.sample)
    if isinstance(called, MethodType):
        return _object(front, called.__func__, (constant(called.__self__), *terms), named)
    if called is super:
        return _super(front, terms)
    if isinstance(called, type) and issubclass(called, tuple) and hasattr(called, "_fields"):
        return _named_tuple(front, called, terms, named)
    if isinstance(called, EnumMeta) and len(terms) == 1 and not named:
        return _member(front, called, terms[0])
    if isinstance(called, type) and is_of_objects(called):
        return made(front, called, terms, named)
    if isinstance(called, functools.partial):
        before, keywords = map(constant, called.args), {name: constant(one) for name, one in called.keywords.items()}
        return call(front, constant(called.func), [*before, *terms], {**keywords, **named})
    if is_getter(called) and len(terms) == 1 and not named:
        return got(front, called, terms[0])
    if is_cached(called):
        return call_cached(front, called, terms, named)
    return front.operate(called, *terms, **named)


def _named_tuple(front: FrontEnd, of: Any, terms: Sequence[Term], named: Mapping[str, Term]) -> Term:
    check_record(of)
    names = checked(inspect.Signature([_parameter(of, name) for name in of._fields]), terms, named, front.gathered)
    if any(map(is_unknown, names.values())):
        return Term(UNKNOWN)
    return tuple_of([names[name] for name in of._fields], of)


def _record_with(front: FrontEnd, record: Term, named: Mapping[str, Term]) -> Term:
    """A NamedTuple with other values of some fields, which `_replace` returns."""
    assert isinstance(record.type, Tuple)
    fields = record.type.fields
    if not named.keys() <= {*fields}:
        front.raise_("ValueError" if sys.version_info < (3, 13) else "TypeError")
    items = [named.get(name, item) for name, item in zip(fields, record.items(), strict=True)]
    return tuple_of(items, record.type.of)


def _parameter(of: Any, name: str) -> inspect.Parameter:
    default = of._field_defaults.get(name, inspect.Parameter.empty)
    return inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default)


def _member(front: FrontEnd, of: Any, value: Term) -> Term:
    """The member of an Enum with a value."""
    if value.known:
        return _known_member(front, of, value.value)
    if not (isinstance(value.type, Number) and not issubclass(of, Flag)) or "_missing_" in vars(of):
        raise Refused(f"{of.__name__} of {value.type} is not in the language", "write a table of the members")
    members = list(of)

    def rest(k: int) -> Term:
        if k == len(members):
            front.raise_("ValueError")
        truth = front.truth(front.operate(operator.eq, value, constant(members[k].value)))
        if isinstance(truth, bool):
            return constant(members[k]) if truth else rest(k + 1)
        return front.branch(truth, lambda: constant(members[k]), lambda: rest(k + 1))

    return rest(0)


def _known_member(front: FrontEnd, of: Any, value: Any) -> Term:
    try:
        return constant(of(value))
    except ValueError:
        front.raise_("ValueError")


def _super(front: FrontEnd, terms: Sequence[Term]) -> Term:
    """`super()` in a method, or `super(Class, self)`."""
    if terms:
        after, receiver = terms if len(terms) == 2 else (terms[0], terms[0])
        if not (after.known and isinstance(after.value, type) and is_object(receiver)):
            raise Refused("super() of something else than a class and self", "write super()")
        return Term(Super(receiver.type, after.value), receiver.parts)
    activation = front.activations[-1]
    definition = activation.source.definition
    first = [*definition.args.posonlyargs, *definition.args.args]
    receiver = front.named(first[0].arg) if first else constant(None)
    if not is_object(receiver):
        raise Refused("super() outside of a method of an object", "call the method of the class")
    return Term(Super(receiver.type, activation.source.lookup("__class__")), receiver.parts)
