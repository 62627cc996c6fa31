"""Dicts whose keys are known: in the heap, the tuple of the keys, then a value for each; `mappings` has the others."""

from __future__ import annotations

import operator
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from palaestra.language.frontend import building
from palaestra.language.frontend.growing import as_other, contents_of, tabled
from palaestra.language.frontend.refusals import NeedsConstant, Refused
from palaestra.language.operations import growing, mappings
from palaestra.language.operations.arithmetic import is_of
from palaestra.language.operations.growing import grows
from palaestra.language.operations.hashing import checked, key_of
from palaestra.language.operations.table import built
from palaestra.language.program import BEYOND, BOOL
from palaestra.language.types import (
    DICTS,
    NONE,
    PYTHON,
    UNBOUND,
    Either,
    Iterated,
    Keys,
    Placed,
    Reference,
    Term,
    constant,
    is_stored,
    loosened,
    tuple_of,
    widened,
)

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

MISSING = Term(NONE)


def is_dict(term: Term) -> bool:
    """Returns whether an object is a dict: of the program, or a constant."""
    return is_of(term, *DICTS)


def allocated(front: FrontEnd, keys: tuple[Any, ...], values: list[Term]) -> Term:
    """Returns a new dict."""
    return front.allocate([constant(Keys(keys)), *values], dict)


def keys_of(front: FrontEnd, term: Term) -> Keys:
    """Returns the keys of a dict, those included that are there on some paths only."""
    if term.known:
        return Keys(term.value)
    keys = building.keys_of(contents_of(front, term))
    if keys is None:
        reason = "the keys of a dict are found when the program runs, and must be known here"
        raise NeedsConstant(reason, "write the items that you need: d[...]")
    return keys


def sure_keys_of(front: FrontEnd, term: Term) -> Keys:
    """Returns the keys of a dict.

    Raises:
        Refused: If some of them are there on some paths only.
    """
    keys = keys_of(front, term)
    for key, value in zip(keys, values_of(front, term), strict=True):
        if may_be_absent(value):
            reason = f"a dict is read as a whole whose key {key!r} is missing, or at another place, on some paths"
            raise Refused(reason, "give it the same keys in the same order on each path")
    return keys


def may_be_absent(term: Term) -> bool:
    """Returns whether what a dict or an object holds may be missing."""
    return UNBOUND in (term.type.options if isinstance(term.type, Either) else (term.type,))


def values_of(front: FrontEnd, term: Term) -> list[Term]:
    """Returns the values of a dict, in the order of its keys."""
    if term.known:
        return [constant(value) for value in term.value.values()]
    return list(contents_of(front, term)[1:])


@built((len, "dict"), folds=False)
def _length(front: FrontEnd, container: Term) -> Term:
    """The number of the keys, of which some are there on some paths only."""
    values = values_of(front, container)
    loose = [one for one in values if may_be_absent(one)]
    total = constant(len(values) - len(loose))
    for one in loose:
        total = front.operate(operator.add, total, front.operate(operator.not_, is_absent(front, one)))
    return total


@built((operator.getitem, "dict"), folds=False)
def _getitem(front: FrontEnd, container: Term, key: Term) -> Term:
    if grows(front, container):
        return mappings.item(front, container, key)
    return _found(front, container, key, lambda: _missing(front, container))


def _missing(front: FrontEnd, container: Term) -> Term:
    """What a constant dict returns for a key that it has not, or raises."""
    if is_of(container, Counter):
        return constant(0)
    if is_of(container, defaultdict) and container.value.default_factory is not None:
        if mappings.is_table(container.value):
            front.writes(container)  # it gets the key
        front.raise_(BEYOND)
    front.raise_("KeyError")


def _found(front: FrontEnd, container: Term, key: Term, otherwise: Any) -> Term:
    key = key_of(front, key)
    keys, values = keys_of(front, container), values_of(front, container)
    if not key.known and container.known and len(keys) > FEW and mappings.is_table(container.value):
        return mappings.get(front, tabled(front, container.value), key, otherwise)
    if key.known:
        return front.bound(values[keys.index(key.value)], otherwise) if key.value in keys else otherwise()

    def rest(k: int) -> Term:
        if k == len(keys):
            found: Term = otherwise()
            return found
        truth = front.truth(front.operate(operator.eq, key, constant(keys[k])))
        if isinstance(truth, bool):
            return front.bound(values[k], otherwise) if truth else rest(k + 1)
        return front.branch(truth, lambda: front.bound(values[k], otherwise), lambda: rest(k + 1))

    return rest(0)


FEW = 24
"""The most keys of a constant dict that are compared one by one, rather than looked for in a table."""


@built((operator.setitem, "dict"), dict.__setitem__, folds=False)
def _setitem(front: FrontEnd, container: Term, key: Term, value: Term) -> Term:
    return _assigned(front, container, key, value, False)


@built((operator.setitem, "held"), folds=False)
def _set_again(front: FrontEnd, container: Term, key: Term, value: Term) -> Term:
    """Assign the value of a key that is there."""
    return _assigned(front, container, key, value, True)


def _assigned(front: FrontEnd, container: Term, key: Term, value: Term, is_held: bool) -> Term:
    front.writes(container)
    if not isinstance(container.type, Reference | Placed):
        raise Refused(f"{container.type} is changed", "make a copy: copy.deepcopy(...)")
    if _is_record(front, container):
        return _assigned_at(front, container, key, value)
    if grows(front, container) or (not (is_held or key.known) and _gets_keys(front, container, key)):
        return mappings.put(front, container, checked(front, key), value)
    checked(front, key)
    keys, values = keys_of(front, container), values_of(front, container)
    if not key.known:
        try:
            values = _replaced(front, keys, values, key, value)
        except NeedsConstant:
            if is_held or not growing.may_grow(front):
                raise
            return mappings.put(front, container, key, value)
    elif key.value in keys:
        k = keys.index(key.value)
        is_loose = k < len(keys) - 1 and may_be_absent(values[k])  # where it was missing, it is the last key now
        values[k] = front.converted(value, loosened(value.type)) if is_loose else value
    else:
        keys, values = Keys((*keys, key.value)), [*values, value]
    assert isinstance(container.type, Reference)
    front.state.heap[container.type.number] = (constant(keys), *values)
    return constant(None)


def _is_record(front: FrontEnd, container: Term) -> bool:
    """Whether a dict is on a shelf, and its keys are known."""
    return front.shelves.place_of(container) is not None and not grows(front, container)


def _assigned_at(front: FrontEnd, container: Term, key: Term, value: Term) -> Term:
    if not key.known:
        raise NeedsConstant("a key that is assigned must be known when the program is compiled", "write `if`")
    place = front.shelves.place_of(container)
    assert place is not None
    front.shelves.assign(place, key.value, value)
    return constant(None)


def _check_not_record(front: FrontEnd, container: Term) -> None:
    if _is_record(front, container):
        raise Refused("a dict in a list loses a key", "give all dicts in it the same keys")


def _gets_keys(front: FrontEnd, container: Term, key: Term) -> bool:
    """Whether a dict may get a key that is found when the program runs.

    A dict of the state that has always had the same keys, more than one, keeps them; so does one with texts.
    """
    assert isinstance(container.type, Reference)
    keys = keys_of(front, container)
    is_open = container.type.number > front.loaded or len(keys) == 1
    is_text = any(isinstance(one, str) for one in keys)
    return growing.may_grow(front) and (not keys or (is_open and not is_text)) and is_stored(widened(key.type))


def _replaced(front: FrontEnd, keys: Keys, values: list[Term], key: Term, value: Term) -> list[Term]:
    """The values after one is assigned to a key that is not known; another key than those is left to Python."""
    is_none = front.emit("constant", BOOL, attribute=True)
    found = []
    for one, before in zip(keys, values, strict=True):
        truth = front.truth(front.operate(operator.eq, key_of(front, key), constant(one)))
        if isinstance(truth, bool) or may_be_absent(before):
            if truth is not False:
                raise NeedsConstant("a key that is assigned must be known when the program is compiled", _PLACES)
            found.append(before)
            continue
        found.append(front.branch(truth, lambda: value, lambda before=before: before))  # type: ignore[misc]
        is_none = front.compute("and", is_none, front.compute("not", truth))
    if is_none.operation == "constant":  # there is none like it
        raise NeedsConstant("a key that is assigned must be known when the program is compiled", _PLACES)
    front.raise_if(is_none, BEYOND)
    return found


_PLACES = "write `if`, or an array whose places are the keys"


@built((operator.contains, "dict"), folds=False)
def _contains(front: FrontEnd, container: Term, key: Term) -> Term:
    if grows(front, container):
        return mappings.contains(front, container, key)
    key = key_of(front, key)
    keys = keys_of(front, container)
    if key.known:
        value = values_of(front, container)[keys.index(key.value)] if key.value in keys else Term(UNBOUND)
        return front.operate(operator.not_, is_absent(front, value))
    return front.operate(operator.contains, constant(tuple(sure_keys_of(front, container))), key)


def is_absent(front: FrontEnd, term: Term) -> Term:
    """Returns whether what may be missing is missing."""
    if not isinstance(term.type, Either):
        return constant(term.type == UNBOUND)
    k = front.number(term.type.options.index(UNBOUND))
    return Term(PYTHON[bool], (front.emit("eq", BOOL, term.parts[0], k),))


@built(dict.get, folds=False)
def _get(front: FrontEnd, container: Term, key: Term, default: Term = MISSING) -> Term:
    if grows(front, _own(container)):
        return mappings.get(front, container, key, lambda: default)
    return _found(front, container, key, lambda: default)


def _view(called: Any) -> None:
    """Add a view, which shows the dict as it is when it is read."""

    @built(called, folds=False)
    def build(front: FrontEnd, container: Term) -> Term:
        return Term(Iterated(called.__name__, (_own(container).type,)), container.parts)


for _called in (dict.keys, dict.values, dict.items):
    _view(_called)


def pairs_in(front: FrontEnd, container: Term) -> list[tuple[Term, Term]]:
    """Returns the keys and values of a dict.

    Raises:
        Refused: If some keys are there on some paths only.
    """
    pairs = zip(sure_keys_of(front, _own(container)), values_of(front, container), strict=True)
    return [(constant(key), value) for key, value in pairs]


@built((dict.keys, "now"), folds=False)
def _keys(front: FrontEnd, container: Term) -> Term:
    return tuple_of([key for key, _ in pairs_in(front, container)])


@built((dict.values, "now"), folds=False)
def _values(front: FrontEnd, container: Term) -> Term:
    return tuple_of([value for _, value in pairs_in(front, container)])


@built((dict.items, "now"), folds=False)
def _items(front: FrontEnd, container: Term) -> Term:
    return tuple_of([tuple_of(pair) for pair in pairs_in(front, container)])


@built((operator.or_, "in place"), folds=False)
def _updated(front: FrontEnd, container: Term, other: Term) -> Term:
    if is_of(container, Counter):
        raise Refused("`|` of Counters is not in the language", "write c.update(...)")
    _update(front, container, other)
    return container


@built(dict.update, folds=False)
def _update(front: FrontEnd, container: Term, *terms: Term, **named: Term) -> Term:
    for term in terms:
        if not is_dict(term) or grows(front, term):
            mappings.update(front, _own(container), term)
            continue
        for key, value in zip(keys_of(front, term), values_of(front, term), strict=True):
            _put(front, _own(container), constant(key), value)
    for name, value in named.items():
        _setitem(front, _own(container), constant(name), value)
    return constant(None)


def _put(front: FrontEnd, container: Term, key: Term, value: Term) -> None:
    """Assign a value that may be missing."""
    before = _found(front, container, key, lambda: Term(UNBOUND)) if may_be_absent(value) else value
    _setitem(front, container, key, front.bound(value, lambda: before))


@built((operator.or_, "sequences"), folds=False)
def _either(front: FrontEnd, a: Term, b: Term) -> Term:
    if not (is_dict(a) and is_dict(b)):
        raise Refused(f"`|` of {a.type} and {b.type} is not in the language", "combine dicts, or numbers")
    if is_of(a, Counter) or is_of(b, Counter):
        raise Refused("`|` of a Counter and a dict is not in the language", "write c.update(...)")
    return _updated(front, _copy(front, a), b)


@built(dict.copy, folds=False)
def _copy(front: FrontEnd, container: Term) -> Term:
    if grows(front, _own(container)):
        return growing.copy(front, container)
    return allocated(front, keys_of(front, _own(container)), values_of(front, container))


@built(dict.setdefault, folds=False)
def _setdefault(front: FrontEnd, container: Term, key: Term, default: Term = MISSING) -> Term:
    if not grows(front, _own(container)):
        found = _found(front, container, key, lambda: default)
        _setitem(front, container, key, found)
        return found
    return mappings.set_default(front, container, checked(front, key), lambda: default)


@built(dict.pop, folds=False)
def _pop(front: FrontEnd, container: Term, key: Term, *default: Term) -> Term:
    front.writes(_own(container))

    def otherwise() -> Term:
        return default[0] if default else front.raise_("KeyError")

    if grows(front, container) or (not key.known and growing.may_grow(front)):
        return mappings.pop(front, container, key, otherwise)
    _check_not_record(front, container)
    found = _found(front, container, key, otherwise)
    if not key.known:
        raise NeedsConstant("a key that is removed must be known when the program is compiled", "write `if`")
    held = dict(zip(keys_of(front, container), values_of(front, container), strict=True))
    held.pop(key.value, None)
    assert isinstance(container.type, Reference)
    front.state.heap[container.type.number] = (constant(Keys(held)), *held.values())
    return found


@built(dict.popitem, folds=False)
def _pop_item(front: FrontEnd, container: Term) -> Term:
    return mappings.pop_item(front, _own(container))


@built(dict.clear, folds=False)
def _clear(front: FrontEnd, container: Term) -> Term:
    if grows(front, _own(container)):
        return growing.clear(front, container)
    front.writes(container)
    _check_not_record(front, container)
    assert isinstance(container.type, Reference)
    front.state.heap[container.type.number] = (constant(Keys()),)
    return constant(None)


@built(dict, folds=False, takes_seed=True)
def _dict(front: FrontEnd, *terms: Term, **named: Term) -> Term:
    is_copy = bool(terms) and is_dict(terms[0])
    if is_copy and grows(front, terms[0]):
        made = front.allocate([as_other(front, growing.storage(front, terms[0]), dict)], dict)
    else:
        made = _copy(front, terms[0]) if is_copy else allocated(front, (), [])
    for term in () if is_copy else terms:
        mappings.update(front, made, term)
    for name, value in named.items():
        _setitem(front, made, constant(name), value)
    return made


@built(dict.fromkeys, folds=False)
def _from_keys(front: FrontEnd, keys: Term, value: Term = MISSING) -> Term:
    return front.call_function(_made_of_keys, (keys, value), {})


def _made_of_keys(keys: Any, value: Any) -> Any:
    made: dict[Any, Any] = {}
    for key in keys:
        made[key] = value
    return made


def _own(container: Term) -> Term:
    if not is_dict(container):
        raise Refused(f"this method of {container.type} is not in the language")
    return container
