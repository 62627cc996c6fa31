"""Calls: which function, with which arguments."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any

from palaestra.language.frontend.expressions import LocalFunction
from palaestra.language.frontend.refusals import UNKNOWN, Refused, is_unknown
from palaestra.language.operations.table import entry_of
from palaestra.language.types import Constant, Method, Term, constant, tuple_of

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd


def call(front: FrontEnd, called: Term, terms: Sequence[Term], named: Mapping[str, Term]) -> Term:
    """Returns what a call returns."""
    match called.type:
        case Constant(value=LocalFunction() as function):
            return _local(front, function, terms, named)
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
    names = _checked(inspect.Signature([_parameter(of, name) for name in of._fields]), terms, named)
    if any(map(is_unknown, names.values())):
        return Term(UNKNOWN)
    return tuple_of([names[name] for name in of._fields], of)


def _parameter(of: Any, name: str) -> inspect.Parameter:
    default = of._field_defaults.get(name, inspect.Parameter.empty)
    return inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default)


def bound(function: FunctionType, terms: Sequence[Term], named: Mapping[str, Term]) -> dict[str, Term]:
    """Returns the objects of a function's parameters.

    Raises:
        Refused: If Python would raise TypeError.
    """
    return _checked(inspect.signature(function, follow_wrapped=False), terms, named)


def _checked(signature: inspect.Signature, terms: Sequence[Term], named: Mapping[str, Term]) -> dict[str, Term]:
    try:
        arguments = signature.bind(*terms, **named)
    except TypeError as error:
        raise Refused(str(error)) from None
    names: dict[str, Term] = {}
    for parameter in signature.parameters.values():
        given = arguments.arguments.get(parameter.name)
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            names[parameter.name] = Term(UNKNOWN) if any(map(is_unknown, given or ())) else tuple_of(given or ())
        elif parameter.kind is inspect.Parameter.VAR_KEYWORD:
            if given:
                raise Refused(f"** of the parameter {parameter.name} is not in the language")
            names[parameter.name] = constant({})
        else:
            names[parameter.name] = given if isinstance(given, Term) else constant(parameter.default)
    return names


def _local(front: FrontEnd, function: LocalFunction, terms: Sequence[Term], named: Mapping[str, Term]) -> Term:
    arguments = function.source.definition.args
    kinds = inspect.Parameter
    parameters = [
        *(kinds(one.arg, kinds.POSITIONAL_ONLY) for one in arguments.posonlyargs),
        *(kinds(one.arg, kinds.POSITIONAL_OR_KEYWORD) for one in arguments.args),
        *((kinds(arguments.vararg.arg, kinds.VAR_POSITIONAL),) if arguments.vararg else ()),
        *(kinds(one.arg, kinds.KEYWORD_ONLY) for one in arguments.kwonlyargs),
        *((kinds(arguments.kwarg.arg, kinds.VAR_KEYWORD),) if arguments.kwarg else ()),
    ]
    given = {one.name for one in parameters[: len(terms)]} | named.keys()
    defaults = {name: term for name, term in function.defaults.items() if name not in given}
    for k, parameter in enumerate(parameters):
        if parameter.name in defaults:
            parameters[k] = parameter.replace(default=None, kind=kinds.KEYWORD_ONLY)
    parameters.sort(key=lambda one: one.kind)
    names = _checked(inspect.Signature(parameters), terms, {**named, **defaults})
    return front.run(function.source, names, function.outer)
