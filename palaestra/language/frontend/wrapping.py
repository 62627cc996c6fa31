"""Callables that are made of others: partials, getters of items and attributes, and functions with a cache."""

from __future__ import annotations

import functools
import operator
from collections.abc import Mapping, Sequence
from types import FunctionType
from typing import TYPE_CHECKING, Any

from palaestra.language.frontend.attributes import attribute
from palaestra.language.frontend.binding import Partial
from palaestra.language.frontend.refusals import Refused
from palaestra.language.frontend.writing import is_within
from palaestra.language.operations.table import built
from palaestra.language.program import EFFECTS, Value, statements_of
from palaestra.language.types import Chosen, Constant, Either, Number, Term, Text, Tuple, Type, constant, tuple_of

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

Named = Mapping[str, Term]


@built(functools.partial, folds=False)
def _partial(front: FrontEnd, func: Term, *args: Term, **keywords: Term) -> Term:
    return constant(Partial(func, args, keywords))


for _getter in (operator.itemgetter, operator.attrgetter):
    built(_getter)(lambda front, *terms: _refuse_getter())


def _refuse_getter() -> Term:
    raise Refused("a getter of what is found when the program runs is not in the language", "write a lambda")


def is_getter(called: Any) -> bool:
    """Returns whether a callable is an `itemgetter` or `attrgetter`."""
    return isinstance(called, (operator.itemgetter, operator.attrgetter))


def got(front: FrontEnd, getter: Any, term: Term) -> Term:
    """Returns what a getter returns for an object."""
    names = getter.__reduce__()[1]  # as it is pickled
    if isinstance(getter, operator.itemgetter):
        found = [front.operate(operator.getitem, term, constant(name)) for name in names]
    else:
        found = [
            functools.reduce(lambda one, part: attribute(front, one, part), name.split("."), term) for name in names
        ]
    return found[0] if len(found) == 1 else tuple_of(found)


def is_cached(called: Any) -> bool:
    """Returns whether a callable is a function with `functools.cache` or `functools.lru_cache`."""
    return hasattr(called, "cache_info") and isinstance(getattr(called, "__wrapped__", None), FunctionType)


def call_cached(front: FrontEnd, called: Any, terms: Sequence[Term], named: Named) -> Term:
    """Translate the call of a function with a cache like that of the function, if that cannot be seen.

    Raises:
        Refused: If the function draws, changes something or returns what may be changed, if it is given objects that
            may change, or arguments of several types: to the cache 1, 1.0 and True are one.
    """
    types = tuple(front.materialized(one).type for one in (*terms, *named.values()))
    region, length, draws = front.region, len(front.region), front.draws
    answer = front.call_function(called.__wrapped__, terms, named)
    own = {one for one in statements_of(region[length:]) if isinstance(one, Value)}
    changes = any(one.operation in EFFECTS and not is_within(one, own) for one in own)
    if changes or (front.draws and not draws) or not all(map(_is_fixed, (*types, answer.type))):
        raise Refused("a function with a cache changes, draws or returns what may be changed", "leave the cache out")
    if front.cached.setdefault(called, types) != types:
        raise Refused("a function with a cache is called with arguments of several types", "leave the cache out")
    return answer


def _is_fixed(kind: Type) -> bool:
    """Whether objects of a type cannot change."""
    match kind:
        case Tuple(items=items) | Either(options=items):
            return all(map(_is_fixed, items))
        case Constant(value=value):
            return value.__hash__ is not None
    return isinstance(kind, (Number, Chosen, Text))
