"""Dicts whose keys are known: in the heap, the tuple of the keys, then a value for each."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from palaestra.language.frontend.refusals import NeedsConstant, Refused
from palaestra.language.operations.table import built
from palaestra.language.types import NONE, Reference, Term, constant, tuple_of

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

MISSING = Term(NONE)


def is_dict(term: Term) -> bool:
    """Returns whether an object is a dict of the program."""
    return isinstance(term.type, Reference) and term.type.of is dict


def allocated(front: FrontEnd, keys: tuple[Any, ...], values: list[Term]) -> Term:
    """Returns a new dict."""
    return front.allocate([constant(keys), *values], dict)


def keys_of(front: FrontEnd, term: Term) -> tuple[Any, ...]:
    """Returns the keys of a dict."""
    assert isinstance(term.type, Reference)
    keys: tuple[Any, ...] = front.state.heap[term.type.number][0].value
    return keys


def values_of(front: FrontEnd, term: Term) -> list[Term]:
    """Returns the values of a dict, in the order of its keys."""
    assert isinstance(term.type, Reference)
    return list(front.state.heap[term.type.number][1:])


@built((operator.getitem, "dict"), folds=False)
def _getitem(front: FrontEnd, container: Term, key: Term) -> Term:
    return _found(front, container, key, lambda: front.raise_("KeyError"))


def _found(front: FrontEnd, container: Term, key: Term, otherwise: Any) -> Term:
    keys, values = keys_of(front, container), values_of(front, container)
    if key.known:
        return values[keys.index(key.value)] if key.value in keys else otherwise()

    def rest(k: int) -> Term:
        if k == len(keys):
            found: Term = otherwise()
            return found
        truth = front.truth(front.operate(operator.eq, key, constant(keys[k])))
        if isinstance(truth, bool):
            return values[k] if truth else rest(k + 1)
        return front.branch(truth, lambda: values[k], lambda: rest(k + 1))

    return rest(0)


@built((operator.setitem, "dict"), folds=False)
def _setitem(front: FrontEnd, container: Term, key: Term, value: Term) -> Term:
    if not key.known:
        raise NeedsConstant("a key that is assigned must be known when the program is compiled")
    assert isinstance(container.type, Reference)
    keys, values = keys_of(front, container), values_of(front, container)
    if key.value in keys:
        values[keys.index(key.value)] = value
    else:
        keys, values = (*keys, key.value), [*values, value]
    front.state.heap[container.type.number] = (constant(keys), *values)
    return constant(None)


@built((operator.contains, "dict"), folds=False)
def _contains(front: FrontEnd, container: Term, key: Term) -> Term:
    return front.operate(operator.contains, constant(keys_of(front, container)), key)


@built(dict.get, folds=False)
def _get(front: FrontEnd, container: Term, key: Term, default: Term = MISSING) -> Term:
    return _found(front, _own(container), key, lambda: default)


@built(dict.keys, folds=False)
def _keys(front: FrontEnd, container: Term) -> Term:
    return constant(keys_of(front, _own(container)))


@built(dict.values, folds=False)
def _values(front: FrontEnd, container: Term) -> Term:
    return tuple_of(values_of(front, _own(container)))


@built(dict.items, folds=False)
def _items(front: FrontEnd, container: Term) -> Term:
    pairs = zip(keys_of(front, _own(container)), values_of(front, container), strict=True)
    return tuple_of([tuple_of([constant(key), value]) for key, value in pairs])


@built(dict, folds=False)
def _dict(front: FrontEnd, *terms: Term, **named: Term) -> Term:
    if terms and not is_dict(terms[0]):
        raise Refused(f"dict() of {terms[0].type} is not in the language", "write {...}")
    keys = keys_of(front, terms[0]) if terms else ()
    values = values_of(front, terms[0]) if terms else []
    made = allocated(front, keys, values)
    for name, value in named.items():
        _setitem(front, made, constant(name), value)
    return made


def _own(container: Term) -> Term:
    if not is_dict(container):
        raise Refused(f"this method of {container.type} is not in the language")
    return container
