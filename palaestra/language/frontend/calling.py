"""Calls: which function, with which arguments."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from types import FunctionType, MethodType
from typing import Any

from palaestra.language.frontend.binding import LocalFunction, bound_locally, checked
from palaestra.language.frontend.front import FrontEnd
from palaestra.language.frontend.records import check_record
from palaestra.language.frontend.refusals import UNKNOWN, Refused, is_unknown
from palaestra.language.operations.table import entry_of
from palaestra.language.types import Constant, Method, Term, constant, tuple_of


def call(front: FrontEnd, called: Term, terms: Sequence[Term], named: Mapping[str, Term]) -> Term:
    """Returns what a call returns."""
    match called.type:
        case Constant(value=LocalFunction() as function):
            names = bound_locally(function, terms, named)
            return front.run(function.source, names, function.outer)
        case Constant(value=value):
            return _object(front, value, terms, named)
        case Method(receiver=receiver, function=function):
            return _object(front, function, (Term(receiver, called.parts), *terms), named)
    raise Refused(f"{called.type} is called, which is not in the language")


def _object(front: FrontEnd, called: Any, terms: Sequence[Term], named: Mapping[str, Term]) -> Term:
    if entry_of(called) is not None:
        return front.operate(called, *terms, **named)
    if isinstance(called, FunctionType):
        return front.call_function(called, terms, named)
    if isinstance(called, MethodType):
        return _object(front, called.__func__, (constant(called.__self__), *terms), named)
    if isinstance(called, type) and issubclass(called, tuple) and hasattr(called, "_fields"):
        return _named_tuple(called, terms, named)
    return front.operate(called, *terms, **named)


def _named_tuple(of: Any, terms: Sequence[Term], named: Mapping[str, Term]) -> Term:
    check_record(of)
    names = checked(inspect.Signature([_parameter(of, name) for name in of._fields]), terms, named)
    if any(map(is_unknown, names.values())):
        return Term(UNKNOWN)
    return tuple_of([names[name] for name in of._fields], of)


def _parameter(of: Any, name: str) -> inspect.Parameter:
    default = of._field_defaults.get(name, inspect.Parameter.empty)
    return inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default)
