"""Objects of ordinary classes: in the heap, the names of the attributes, then what each holds.

An attribute is looked for as Python does it: a property of the class, what the object holds, then what the class has.
"""

from __future__ import annotations

import dataclasses
import inspect
import operator
from abc import ABC
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import EnumMeta
from functools import cache
from types import FunctionType, MemberDescriptorType
from typing import TYPE_CHECKING, Any, Generic, Protocol

import numpy as np

from gymnasium._extensions import is_own_module
from gymnasium.core import Env
from gymnasium.functional.func_env import FuncEnv
from gymnasium.spaces.space import Space
from palaestra.language.frontend import groups, pools
from palaestra.language.frontend.building import keys_of
from palaestra.language.frontend.hidden import STREAM
from palaestra.language.frontend.libraries import is_of_library
from palaestra.language.frontend.refusals import Refused
from palaestra.language.frontend.stand_ins import StandIn
from palaestra.language.operations.table import built, entry_of
from palaestra.language.types import (
    CONTAINERS,
    Constant,
    Either,
    Keys,
    Method,
    Placed,
    Reference,
    Super,
    Term,
    constant,
    tuple_of,
)

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

_MISSING = object()
_OWN_ACCESS = "__getattribute__", "__setattr__", "__delattr__"


def is_object(term: Term) -> bool:
    """Returns whether a term is an object of an ordinary class, whose attributes are in the heap, or in a pool."""
    return isinstance(term.type, Reference | Placed) and term.type.of not in CONTAINERS


_OTHERS = ("builtins", "numpy", "collections", "random", "threading", "logging", "enum", "types", "gymnasium")


def is_of_objects(of: type) -> bool:
    """Returns whether a class is one of small objects of the user's own, whose attributes may be a state."""
    if of.__module__.partition(".")[0] in _OTHERS or is_of_library(of) or isinstance(of, EnumMeta):
        return False
    if issubclass(of, (tuple, list, dict, set, deque, str, int, float, np.ndarray, np.generic, Env, Space, FuncEnv)):
        return False
    return not issubclass(of, (BaseException, StandIn)) and not any("__call__" in vars(base) for base in of.__mro__)


@cache
def check_class(of: type) -> None:
    """Check that attributes of a class's objects are looked up as Python does it for most classes.

    Raises:
        Refused: If the class has a way of its own.
    """
    for name in _OWN_ACCESS:
        found = inspect.getattr_static(of, name, None)
        if isinstance(found, FunctionType) and not (
            _is_frozen(of) and found.__name__ in ("__setattr__", "__delattr__")
        ):
            raise Refused(f"{of.__name__} defines {name}", "write attributes and properties")


def attribute_of(front: FrontEnd, owner: Term, name: str) -> Term:
    """Returns an attribute of an object."""
    return _for_each(front, owner, name, lambda one: _attribute_of(front, one, name))


def _for_each(front: FrontEnd, owner: Term, name: str, then: Callable[[Term], Term]) -> Term:
    """What `then` returns for an object; for one in a pool, for those of its classes that have one attribute."""
    if not groups.is_of_several(owner):
        return then(owner)
    alike = pools.alike_by(front, owner, name, lambda of, one: inspect.getattr_static(of, one, _MISSING))
    return groups.each_group(front, owner, alike, then)


def _attribute_of(front: FrontEnd, owner: Term, name: str) -> Term:
    assert isinstance(owner.type, Reference | Placed)
    of = owner.type.of
    if _is_stand_in(of):
        return _method_of_original(owner, of, name)
    list(map(check_class, owner.type.classes if isinstance(owner.type, Placed) else (of,)))
    found = inspect.getattr_static(of, name, _MISSING)
    if entry_of(found) is not None and isinstance(found, property):
        return front.operate(found, owner)
    if isinstance(found, property):
        return _read(front, found, owner, name)
    held = held_in(front, owner, name)
    if held is not None:
        return front.assigned(held, "AttributeError")
    if found is _MISSING and hasattr(of, "__getattr__"):
        raise Refused(f"{of.__name__} defines __getattr__, which would be called", "write attributes and properties")
    if found is _MISSING:
        front.raise_("AttributeError")
    return _of_class(front, found, owner, of, name)


def _is_stand_in(of: type) -> bool:
    return issubclass(of, StandIn)


def _method_of_original(owner: Term, of: Any, name: str) -> Term:
    if entry_of((of, name)) is None:
        raise Refused(f"{name} of a {of.of.__name__} is not in the language", "draw from self.np_random")
    return Term(Method(owner.type, (of, name)), owner.parts)


def _read(front: FrontEnd, found: property, owner: Term, name: str) -> Term:
    if not isinstance(found.fget, FunctionType):
        raise Refused(f"the property {name} cannot be read here")
    return front.call_function(found.fget, (owner,), {})


def _of_class(front: FrontEnd, found: Any, owner: Term, of: type, name: str) -> Term:
    """What a class has, seen from an object."""
    if isinstance(found, MemberDescriptorType):  # a slot in which there is nothing yet
        front.raise_("AttributeError")
    if isinstance(found, staticmethod):
        return constant(found.__func__)
    if isinstance(found, classmethod):
        return Term(Method(Constant(of), found.__func__))
    if isinstance(found, FunctionType):
        return Term(Method(owner.type, _in_place_of(found, of, name)), owner.parts)
    for kind, read in DESCRIPTORS.items():
        if isinstance(found, kind):
            return read(front, owner, found)
    if hasattr(type(found), "__get__") and not isinstance(found, type):
        raise Refused(f"the attribute {name} of {of.__name__} is computed in a way of its own", "write a property")
    return constant(found)


Read = Callable[["FrontEnd", Term, Any], Term]
DESCRIPTORS: dict[type, Read] = {}
"""Maps the classes of descriptors to what reads an attribute, given the front end, the object and the descriptor."""


def inherited(kind: type) -> Callable[[Read], Read]:
    """Register how attributes are read that a descriptor computes."""

    def register(read: Read) -> Read:
        DESCRIPTORS[kind] = read
        return read

    return register


def _in_place_of(function: FunctionType, of: type, name: str) -> Any:
    """What stands for a method: for one of this package's base classes, an entry of the table."""
    if is_own_module(function.__module__ or "") and not is_own_module(of.__module__):
        for base in of.__mro__:
            if entry_of((base, name)) is not None:
                return base, name
    return function


def held_in(front: FrontEnd, owner: Term, name: str) -> Term | None:
    """Returns what an object holds under a name, or None; reading it is noted."""
    if isinstance(owner.type, Placed):
        return pools.held(front, owner, name)
    held = held_by(front, owner).get(name)
    if held is not None:
        assert isinstance(owner.type, Reference)
        front.looked.add((owner.type.number, name))
    return held


def held_by(front: FrontEnd, owner: Term) -> dict[str, Term]:
    """Returns what an object holds, by the names of its attributes."""
    if isinstance(owner.type, Placed):
        found = {name: pools.held(front, owner, name) for name in pools.names_held(front, owner)}
        return {name: term for name, term in found.items() if term is not None}
    assert isinstance(owner.type, Reference)
    contents = front.state.heap[owner.type.number]
    return dict(zip(keys_of(contents) or (), contents[1:], strict=True))


def set_attribute_of(front: FrontEnd, owner: Term, name: str, term: Term) -> None:
    """Assign an attribute of an object."""

    def assign(one: Term) -> Term:
        _set_attribute_of(front, one, name, term)
        return constant(None)

    _for_each(front, owner, name, assign)


def _set_attribute_of(front: FrontEnd, owner: Term, name: str, term: Term) -> None:
    assert isinstance(owner.type, Reference | Placed)
    list(map(check_class, owner.type.classes if isinstance(owner.type, Placed) else (owner.type.of,)))
    found = inspect.getattr_static(owner.type.of, name, None)
    if entry_of(found) is not None and isinstance(found, property):
        front.operate((found, "set"), owner, term)
        return
    if isinstance(found, property):
        if not isinstance(found.fset, FunctionType):
            front.raise_("AttributeError")
        front.call_function(found.fset, (owner, term), {})
        return
    if hasattr(type(found), "__set__") and not isinstance(found, MemberDescriptorType):
        raise Refused(f"the attribute {name} is assigned in a way of its own", "write a property")
    if _is_frozen(owner.type.of):
        front.raise_("FrozenInstanceError")
    if isinstance(owner.type, Placed):
        pools.set_held(front, owner, name, term)
        return
    front.writes(owner)
    if isinstance(term.type, Reference) and _is_stand_in(term.type.of):
        if issubclass(owner.type.of, Env) and name == STREAM:
            front.operate((Env.np_random, "set"), owner, term)
            return
        front.operate((term.type.of, "kept"), term)
    held = held_by(front, owner) | {name: front.without_seed(term)}
    front.state.heap[owner.type.number] = (constant(Keys(held)), *held.values())


def _is_frozen(of: type) -> bool:
    return dataclasses.is_dataclass(of) and of.__dataclass_params__.frozen  # type: ignore[attr-defined]


def attribute_of_super(front: FrontEnd, term: Term, name: str) -> Term:
    """Returns an attribute of `super()`."""
    assert isinstance(term.type, Super)
    owner, after = Term(term.type.receiver, term.parts), term.type.after
    if groups.is_of_several(owner):
        return groups.each_class(
            front, owner, lambda one: attribute_of_super(front, Term(Super(one.type, after), one.parts), name)
        )
    of = owner.type.of if isinstance(owner.type, Reference | Placed) else owner.value
    found = next((vars(one)[name] for one in _behind(of, after) if name in vars(one)), _MISSING)
    if found is _MISSING:
        front.raise_("AttributeError")
    if isinstance(found, property):
        return front.operate(found, owner) if entry_of(found) is not None else _read(front, found, owner, name)
    return _of_class(front, found, owner, of, name)


def _behind(of: type, after: type) -> Iterator[type]:
    mro = of.__mro__
    return iter(mro[mro.index(after) + 1 :])


# Operators.


@built(("object", "operator"), folds=False)
def _operator(front: FrontEnd, name: Term, owner: Term, other: Term) -> Term:
    return operated(front, name.value, owner, other) or constant(NotImplemented)


@built(("object", "method"), folds=False)
def _method(front: FrontEnd, name: Term, owner: Term, *terms: Term) -> Term:
    def called(one: Term) -> Term:
        found = inspect.getattr_static(class_of_object(one), name.value, None)
        if not isinstance(found, FunctionType):
            return constant(NotImplemented)
        answer = front.call_function(found, (one, *terms), {})
        return front.operate(bool, answer) if name.value == "__contains__" else answer

    return groups.each_class(front, owner, called) if groups.is_of_several(owner) else called(owner)


def operated(front: FrontEnd, name: str, owner: Term, other: Term) -> Term | None:
    """Returns what a special method of an object's class returns for another operand; None if it has none.

    A dataclass that compares fields does what the `__eq__` does that Python writes for it.
    """
    for several in (owner, other):
        if groups.is_of_several(several) and _defines(several, name):
            return _operated_by_class(front, name, owner, other)
    of = class_of_object(owner)
    found = inspect.getattr_static(of, f"__{name}__", None)
    if dataclasses.is_dataclass(of) and name in ("eq", "ne") and f"__{name}__" not in _written_in(of):
        return _compared(front, name, owner, other) if of.__dataclass_params__.eq else None  # type: ignore[attr-defined]
    if not isinstance(found, FunctionType):
        answer = operated(front, "eq", owner, other) if name == "ne" else None
        return answer and front.operate(operator.not_, answer)
    if is_object(other) and class_of_object(other) is not of and issubclass(class_of_object(other), of):
        reason = f"of {of.__name__} and {class_of_object(other).__name__}, Python lets the derived class decide"
        raise Refused(reason, "call a method")
    answer = front.call_function(found, (owner, other), {})
    for kind in answer.type.options if isinstance(answer.type, Either) else (answer.type,):
        if isinstance(kind, Constant) and kind.value is NotImplemented:
            raise Refused(f"__{name}__ of {of.__name__} returns NotImplemented for {other.type}", "call a method")
    return answer


def _defines(term: Term, name: str) -> bool:
    """Whether one of the classes that an object in a pool may be of has a special method, or a field to compare."""
    assert isinstance(term.type, Placed)
    names = [f"__{one}__" for one in ({name, "eq"} if name == "ne" else {name})]
    return any(
        isinstance(inspect.getattr_static(of, one, None), FunctionType) for of in term.type.classes for one in names
    )


def _operated_by_class(front: FrontEnd, name: str, owner: Term, other: Term) -> Term | None:
    """What `operated` returns for an object that may be of several classes."""
    if not groups.is_of_several(owner):
        return groups.each_class(front, other, lambda one: _operated_on(front, name, owner, one))
    return groups.each_class(front, owner, lambda one: _operated_on(front, name, one, other))


def _operated_on(front: FrontEnd, name: str, owner: Term, other: Term) -> Term:
    answer = operated(front, name, owner, other)
    if answer is None:
        called = getattr(operator, f"__{name}__")
        return front.operate(called, owner, other)
    return answer


def class_of_object(term: Term) -> type:
    """Returns the class of an object, of the program or a constant."""
    return term.type.of if isinstance(term.type, Reference | Placed) else type(term.value)


def _compared(front: FrontEnd, name: str, owner: Term, other: Term) -> Term:
    of = class_of_object(owner)
    if not is_of_class(other, of):
        return constant(name == "ne")
    names = [one.name for one in dataclasses.fields(of) if one.compare]
    if front.comparing.count(of) > 1:
        raise Refused(
            f"objects of {of.__name__} refer to others of their class, which a comparison compares, too",
            "write @dataclass(eq=False)",
        )
    front.comparing.append(of)
    try:
        return _compared_fields(front, name, owner, other, names)
    finally:
        front.comparing.pop()


def _compared_fields(front: FrontEnd, name: str, owner: Term, other: Term, names: list[str]) -> Term:
    pair = [tuple_of([_field(front, term, key) for key in names]) for term in (owner, other)]
    return front.operate(operator.eq if name == "eq" else operator.ne, *pair)


def is_of_class(term: Term, of: type) -> bool:
    """Returns whether a term is an object of exactly this class."""
    return (is_object(term) or term.known) and class_of_object(term) is of


def _field(front: FrontEnd, owner: Term, name: str) -> Term:
    return constant(getattr(owner.value, name)) if owner.known else attribute_of(front, owner, name)


# Making.


def made(front: FrontEnd, of: type, terms: Sequence[Term], named: Mapping[str, Term]) -> Term:
    """Returns a new object of a class, as its `__init__` leaves it.

    Raises:
        Refused: If the class makes its objects in a way of its own.
    """
    _check_made(of)
    owner = front.allocate([constant(Keys())], of)
    begin = inspect.getattr_static(of, "__init__", None)
    if begin is object.__init__:
        if terms or named:
            front.raise_("TypeError")
    elif dataclasses.is_dataclass(of) and "__init__" not in _written_in(of):
        _fill_record(front, owner, of, terms, named)
    elif isinstance(begin, FunctionType):
        front.call_function(begin, (owner, *terms), named)
    else:
        raise Refused(f"{of.__name__} makes its objects in a way of its own")
    return pools.placed(front, owner) if pools.is_placed(front, of) else owner


@cache
def _check_made(of: type) -> None:
    check_class(of)
    own = type(of).__call__ is type.__call__ and of.__new__ in (object.__new__, _GENERIC_NEW)
    bases = [base for base in of.__mro__ if base not in (object, Generic, Protocol, ABC)]
    if not own or any(base.__module__ == "builtins" for base in bases):
        raise Refused(f"objects of {of.__name__} are not in the language", "keep numbers and arrays")


_GENERIC_NEW = getattr(Generic, "__new__", object.__new__)


def _written_in(of: type) -> set[str]:
    """The methods of a dataclass that a person has written."""
    found = set()
    for base in of.__mro__[:-1]:
        for name, value in vars(base).items():
            if isinstance(value, FunctionType) and value.__code__.co_filename != "<string>":
                found.add(name)
    return found


def _fill_record(front: FrontEnd, owner: Term, of: type, terms: Sequence[Term], named: Mapping[str, Term]) -> None:
    """Assign the fields of a dataclass, as the `__init__` does that Python writes for it."""
    try:
        given = inspect.signature(of).bind(*terms, **named).arguments
    except TypeError as error:
        raise Refused(str(error)) from None
    held: dict[str, Term] = {}
    for one in dataclasses.fields(of):
        if one.name in given:
            held[one.name] = given[one.name]
        elif one.default_factory is not dataclasses.MISSING:
            held[one.name] = _default(front, one.default_factory)
        elif one.default is not dataclasses.MISSING:
            held[one.name] = constant(one.default)
    assert isinstance(owner.type, Reference)
    front.state.heap[owner.type.number] = (constant(Keys(held)), *held.values())
    after = inspect.getattr_static(of, "__post_init__", None)
    if isinstance(after, FunctionType):
        front.call_function(after, (owner,), {})


def _default(front: FrontEnd, factory: Any) -> Term:
    """What a field of a dataclass holds that is not given."""
    if entry_of(factory) is not None:
        return front.operate(factory)
    return made(front, factory, (), {}) if isinstance(factory, type) else front.call_function(factory, (), {})


@built(dataclasses.replace, folds=False)
def _replace(front: FrontEnd, owner: Term, **named: Term) -> Term:
    if not is_object(owner):
        raise Refused(f"dataclasses.replace of {owner.type} is not in the language")
    if groups.is_of_several(owner):
        return groups.each_class(front, owner, lambda one: _replace(front, one, **named))
    of = class_of_object(owner)
    held = held_by(front, owner)
    fields = {one.name: held[one.name] for one in dataclasses.fields(of) if one.init}
    return made(front, of, (), {**fields, **named})
