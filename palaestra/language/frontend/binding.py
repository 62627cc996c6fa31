"""The objects of a function's parameters, as Python binds arguments to them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType

from palaestra.language.frontend.building import Names
from palaestra.language.frontend.refusals import UNKNOWN, ReadOnce, Refused, is_unknown
from palaestra.language.source import Source
from palaestra.language.types import Term, constant, tuple_of


class LocalFunction:
    """A function that is defined in a function that is being translated; it reads the names there when it is called."""

    def __init__(self, source: Source, defaults: dict[str, Term], outer: Callable[[str], Term | None]) -> None:
        self.source, self.defaults, self.outer = source, defaults, outer


class Partial:
    """A function with some of its arguments, which are objects of the program."""

    def __init__(self, called: Term, terms: Sequence[Term], named: Mapping[str, Term]) -> None:
        self.called, self.terms, self.named = called, terms, named


class Generator(ReadOnce):
    """A call of a function with `yield`, whose items are computed when a loop runs over it.

    Args:
        source: The function.
        names: Its arguments, by the names of the parameters.
        start: The number of the first item, if they are numbered by `enumerate`.
    """

    def __init__(self, source: Source, names: Names, start: Term | None = None) -> None:
        self.source, self.names, self.start = source, names, start


def generator_in(term: Term) -> Generator | None:
    """Returns the call of a generator function that an object is; None for others."""
    return term.value if term.known and isinstance(term.value, Generator) else None


def check_read_at_once(term: Term) -> None:
    """Check that an object is not a generator, where its items may be read later, or not all.

    Raises:
        Refused: If it is one.
    """
    if generator_in(term):
        raise Refused("a generator computes its items one by one, when they are read", "run over it with `for`")


LISTED = "generator", "listed"
"""The entry that returns the list of a generator's items, which are all computed at once."""
Gather = Callable[[Mapping[str, Term]], Term]
"""Returns the dict of a parameter that takes all other arguments by name."""


def bound(function: FunctionType, terms: Sequence[Term], named: Mapping[str, Term], gather: Gather) -> Names:
    """Returns the objects of a function's parameters.

    Raises:
        Refused: If Python would raise TypeError.
    """
    return checked(inspect.signature(function, follow_wrapped=False), terms, named, gather)


def checked(signature: inspect.Signature, terms: Sequence[Term], named: Mapping[str, Term], gather: Gather) -> Names:
    """Returns the objects of a signature's parameters, by name.

    Raises:
        Refused: If Python would raise TypeError.
    """
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
            names[parameter.name] = gather(given or {})
        else:
            names[parameter.name] = given if isinstance(given, Term) else constant(parameter.default)
    return names


def bound_locally(function: LocalFunction, terms: Sequence[Term], named: Mapping[str, Term], gather: Gather) -> Names:
    """Returns the objects of the parameters of a function that is defined in another."""
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
    return checked(inspect.Signature(parameters), terms, {**named, **defaults}, gather)
