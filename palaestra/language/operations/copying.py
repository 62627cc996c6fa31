"""`copy.copy` and `copy.deepcopy`."""

from __future__ import annotations

import copy
from enum import Enum
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from gymnasium.core import Env
from palaestra.language.frontend import groups, growing, pools
from palaestra.language.frontend.building import keys_of
from palaestra.language.frontend.iteration import items_of
from palaestra.language.frontend.objects import check_class
from palaestra.language.frontend.refusals import Refused
from palaestra.language.frontend.writing import root_of
from palaestra.language.operations.drawing import one_of
from palaestra.language.operations.growing import beyond
from palaestra.language.operations.table import built
from palaestra.language.types import (
    CONTAINERS,
    Array,
    Either,
    Keys,
    Number,
    Placed,
    Reference,
    Term,
    Tuple,
    constant,
    tuple_of,
)

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

_SAME = (
    *(int, float, complex, str, bytes, type(None), np.generic, np.dtype, type, range, slice, Enum),
    *(FunctionType, BuiltinFunctionType, ModuleType),
)
_OWN_WAYS = "__copy__", "__deepcopy__", "__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__slots__"
_INSTEAD = "copy its arrays and lists"


def _objects(rng: np.random.Generator) -> tuple[Any, ...]:
    return (one_of(rng, rng.random((2, 3)), (1, rng.random(2), "a"), 2.5, rng.integers(9, size=3).astype(np.int8)),)


@built(copy.copy, folds=False, tries=(_objects,))
def _copy(front: FrontEnd, x: Term) -> Term:
    if isinstance(x.type, Array) or (x.known and type(x.value) is np.ndarray):
        return _copy_of_array(front, x)
    if isinstance(x.type, Reference) or (isinstance(x.type, Placed) and x.type.is_container):
        _check(x.type.of)
        if (storage := growing.storage_of(front, x)) is not None:
            return growing.allocated(front, growing.copied(front, storage))
        return front.allocate(growing.contents_of(front, x), x.type.of)
    if isinstance(x.type, Placed):
        return _copy_of_placed(front, x)
    if isinstance(x.type, Number | Tuple) or (x.known and isinstance(x.value, (*_SAME, tuple))):
        return x
    return _copy_of_constant(front, x, lambda one: one)


def _copy_of_placed(front: FrontEnd, x: Term) -> Term:
    """A new object in a pool that holds what another does."""
    if groups.is_of_several(x):
        return groups.each_class(front, x, lambda one: _copy_of_placed(front, one))
    assert isinstance(x.type, Placed)
    _check(x.type.of, slots=True)
    return pools.copied(front, x)


def _copy_of_array(front: FrontEnd, x: Term) -> Term:
    return front.operate(np.ndarray.copy, x, order=constant("K"))


def _check(of: type, slots: bool = False) -> None:
    """Refuse classes whose objects are copied in a way of their own."""
    if of in CONTAINERS:
        return
    check_class(of)
    ways = _OWN_WAYS[:-1] if slots else _OWN_WAYS
    if issubclass(of, Env) or any(getattr(of, name, None) is not getattr(object, name, None) for name in ways):
        raise Refused(f"a {of.__name__} is copied in a way of its own", _INSTEAD)


def _copy_of_constant(front: FrontEnd, x: Term, inner: Any) -> Term:
    """A copy of a list or dict that exists, with what `inner` makes of the items."""
    if not x.known or type(x.value) not in (list, dict):
        raise Refused(f"a copy of {x.type} is not in the language", _INSTEAD)
    if type(x.value) is list:
        return front.allocate([inner(constant(one)) for one in x.value], list)
    values = [inner(constant(one)) for one in x.value.values()]
    return front.allocate([constant(Keys(x.value)), *values], dict)


@built(copy.deepcopy, folds=False, tries=(_objects,))
def _deepcopy(front: FrontEnd, x: Term) -> Term:
    return _Copier(front).copied(x)


def _deep_rows(x: Any) -> Any:
    """Returns a list of copies of the lists in a list; what is one list twice is left to Python."""
    made: list[Any] = []
    for k in range(len(x)):
        for j in range(k):
            if x[k] is x[j]:
                beyond()
        made.append(copy.deepcopy(x[k]))
    return made


class _Copier:
    """Copies an object with all that it holds; what is one object in it stays one."""

    def __init__(self, front: FrontEnd) -> None:
        self._front, self._made, self._arrays = front, dict[Any, Term](), set[Any]()

    def copied(self, x: Term) -> Term:
        """Returns a copy."""
        match x.type:
            case Reference(number=number):
                return self._made.get(number) or self._copy_of_object(x)
            case Array():
                return self._copy_of_array(x)
            case Tuple(of=of):
                return tuple_of([self.copied(one) for one in x.items()], of)
            case Number():
                return x
            case Placed() if x.type.is_container:
                return self._copy_on_shelf(x)
            case Placed():
                return self._copy_of_placed(x)
            case Either():
                return self._front.each_option(x, _Copier(self._front).copied)
        return self._copy_of_constant(x)

    def _copy_on_shelf(self, x: Term) -> Term:
        """A copy of a list in a list, if it is the only one: others may be the same."""
        storage = growing.storage_of(self._front, x)
        if storage is None or pools.refers(growing.kind_of(storage).item) or "placed" in self._made:
            raise Refused("a deep copy of lists that may be one is not in the language", _INSTEAD)
        self._made["placed"] = x
        return growing.allocated(self._front, growing.copied(self._front, storage))

    def _copy_of_placed(self, x: Term) -> Term:
        """A copy of an object in a pool, if it is the only one: others in a list, say, may be the same."""
        if pools.may_refer(self._front, x) or "placed" in self._made:
            raise Refused("a deep copy of objects that may refer to each other is not in the language", _INSTEAD)
        self._made["placed"] = x
        return _copy_of_placed(self._front, x)

    def _copy_of_object(self, x: Term) -> Term:
        assert isinstance(x.type, Reference)
        _check(x.type.of)
        if (storage := growing.storage_of(self._front, x)) is not None:
            item = growing.kind_of(storage).item
            if isinstance(item, Placed) and item.is_container and x.type.of is list:
                return self._front.call_function(_deep_rows, (x,), {})
            if pools.refers(item):
                raise Refused(f"a deep copy of a {x.type.of.__name__} of objects is not in the language", _INSTEAD)
            copy = growing.copied(self._front, storage)
            made = self._made[x.type.number] = growing.allocated(self._front, copy)
            return made
        contents = self._front.state.heap[x.type.number]
        made = self._made[x.type.number] = self._front.allocate([], x.type.of)
        assert isinstance(made.type, Reference)
        start = 0 if keys_of(contents) is None else 1
        items = [self.copied(one) for one in contents[start:]]
        self._front.state.heap[made.type.number] = (*contents[:start], *items)
        return made

    def _copy_of_array(self, x: Term) -> Term:
        root = root_of(self._front.materialized(x).part)
        if root in self._arrays:
            raise Refused("a deep copy of two arrays that may be one is not in the language", _INSTEAD)
        self._arrays.add(root)
        return _copy_of_array(self._front, x)

    def _copy_of_constant(self, x: Term) -> Term:
        value = x.value if x.known else None
        if type(value) is np.ndarray:
            return self._copy_of_array(x)
        if x.known and isinstance(value, tuple):
            return tuple_of([self.copied(one) for one in items_of(self._front, x) or []], type(value))
        if x.known and isinstance(value, _SAME):
            return x
        if id(value) in self._made:
            raise Refused("a deep copy of two lists that are one is not in the language", _INSTEAD)
        self._made[id(value)] = x
        return _copy_of_constant(self._front, x, self.copied)
