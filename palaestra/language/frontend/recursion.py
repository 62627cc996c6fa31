"""Functions that call themselves: as each call is translated where it is, there must be an end that is known."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from palaestra.language.frontend.building import Builder
from palaestra.language.frontend.refusals import Refused
from palaestra.language.source import Source
from palaestra.language.types import Reference, Term, Type, widened

DEEPEST = 24  # calls of a function in each other
REMEDY = "write a loop with a list of what is left to do"


class Given(NamedTuple):
    """What a function is called with.

    Attributes:
        terms: Its arguments, by name.
        contents: What those of them hold that can be changed.
        newest: The number of the last object that was made before.
    """

    terms: Mapping[str, Term]
    contents: Mapping[int, tuple[Term, ...]]
    newest: int


def given_of(builder: Builder, names: Mapping[str, Term]) -> Given:
    """Returns what a function is called with."""
    numbers = {one.type.number for one in names.values() if isinstance(one.type, Reference)}
    return Given(dict(names), {number: builder.state.heap[number] for number in numbers}, builder.newest)


def check_end(source: Source, given: Given, around: Sequence[Given], endless: set[ast.AST]) -> None:
    """Check that a call ends.

    Args:
        source: The function.
        given: What it is called with.
        around: What the calls of the function around are.
        endless: The functions that are known not to end, which may get another.

    Raises:
        Refused: If it is called by itself with the same types and constants, or too deep in itself.
    """
    is_endless = source.definition in endless or any(_is_same(given, one) for one in around)
    if around and (is_endless or len(around) >= DEEPEST):
        endless.add(source.definition)
        raise Refused(f"`{source.name}` calls itself, and where that ends is not known before it runs", REMEDY)


def _is_same(one: Given, other: Given) -> bool:
    """Whether a call leads to itself: its arguments have the same types, and are the same constants."""
    if one.terms.keys() != other.terms.keys():
        return False
    return all(_is_alike(one, term, other, other.terms[name]) for name, term in one.terms.items())


def _is_alike(one: Given, a: Term, other: Given, b: Term) -> bool:
    first, second = a.type, b.type
    if isinstance(first, Reference) and isinstance(second, Reference):
        if first.number != second.number and first.number <= other.newest:
            return False  # objects that were there before: a chain of them ends
        x, y = one.contents[first.number], other.contents[second.number]
        return first.of is second.of and list(map(_kind_of, x)) == list(map(_kind_of, y))
    return _kind_of(a) == _kind_of(b)


def _kind_of(term: Term) -> Type:
    if isinstance(term.type, Reference):
        return Reference(0, term.type.of)
    return term.type if term.known else widened(term.type)
