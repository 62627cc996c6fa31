"""Attributes: fields, constants of modules and classes, properties, methods."""

from __future__ import annotations

import inspect
from enum import Enum
from random import Random
from types import FunctionType
from typing import TYPE_CHECKING

import numpy as np

from palaestra.language.frontend import groups
from palaestra.language.frontend.choosing import read, type_among
from palaestra.language.frontend.growing import Unplaced
from palaestra.language.frontend.objects import (
    attribute_of,
    attribute_of_super,
    is_object,
    is_of_objects,
    set_attribute_of,
)
from palaestra.language.frontend.records import check_record
from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations.table import entry_of
from palaestra.language.program import ADDRESS, INT64, Value
from palaestra.language.types import (
    CONTAINERS,
    PYTHON,
    UNBOUND,
    Array,
    Bounded,
    Chosen,
    Constant,
    Former,
    Method,
    Number,
    Packed,
    Placed,
    Reference,
    Stream,
    Super,
    Term,
    Text,
    Tuple,
    Type,
    Words,
    constant,
)

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd


_VALUES = int, float, str, np.generic, np.ndarray, tuple, *CONTAINERS
"""Constants of these have the methods of their type, of which the language has some."""


def class_of(kind: Type) -> type:
    """Returns the class of the objects of a type."""
    match kind:
        case Number(dtype=dtype, python=True):
            return {"b": bool, "i": int, "f": float}[dtype.kind]
        case Number(dtype=dtype):
            return dtype.type
        case Tuple(of=of) | Reference(of=of):
            return of
        case Placed(classes=(_,)):
            return kind.of
        case Packed():
            return tuple
        case Array() | Bounded():
            return np.ndarray
        case Stream():
            return np.random.Generator
        case Text():
            return str
        case Constant(value=value):
            return type(value)
        case Chosen():
            return type_among(kind) or object
        case Former():
            raise Refused(f"{kind} is used, and a reset with a seed makes another", "use self.np_random")
    raise Refused(f"the class of {kind} is not known")


def attribute(front: FrontEnd, term: Term, name: str) -> Term:
    """Returns an attribute of an object."""
    if isinstance(term.type, Constant) and not isinstance(term.value, _VALUES):
        return _known(front, term, name)
    if isinstance(term.type, Chosen) and issubclass(class_of(term.type), Enum):
        return read(front, [getattr(one, name) for one in term.type.options], term.part)
    if is_object(term) and name != "__class__":
        return attribute_of(front, term, name)
    if groups.is_of_several(term):
        return groups.each_class(front, term, lambda one: attribute(front, one, name))
    if isinstance(term.type, Super):
        return attribute_of_super(front, term, name)
    if name == "__class__":
        return constant(class_of(term.type))
    if isinstance(term.type, Words):
        return Term(PYTHON[int], (front.emit("load", INT64, _word(front, term, name)),))
    kind = class_of(term.type)
    if isinstance(term.type, Tuple):
        check_record(kind)
    try:
        found = inspect.getattr_static(kind, name)
    except AttributeError:
        front.raise_("AttributeError")
    if isinstance(term.type, Tuple) and name in term.type.fields:
        return term.item(term.type.fields.index(name))
    if isinstance(found, property) and isinstance(found.fget, FunctionType):
        return front.call_function(found.fget, (term,), {})
    if isinstance(found, staticmethod):
        return constant(found.__func__)
    if isinstance(found, classmethod):
        return Term(Method(Constant(kind), found.__func__))
    if isinstance(found, FunctionType) or (callable(found) and inspect.isroutine(found)):
        return Term(Method(term.type, found), term.parts)
    if entry_of(found) is not None:
        return front.operate(found, term)
    if term.known:
        return _known(front, term, name)
    if hasattr(found, "__get__"):
        raise Refused(f"the attribute {name} of {term.type} is not in the language")
    return constant(found)


def _known(front: FrontEnd, term: Term, name: str) -> Term:
    """An attribute of an object that exists."""
    if isinstance(term.value, (np.random.Generator, np.random.RandomState, Random)):
        raise Refused("a generator that exists before the episode is shared by all copies", "draw from self.np_random")
    try:
        return constant(getattr(term.value, name))
    except AttributeError:
        front.raise_("AttributeError")


def _word(front: FrontEnd, words: Term, name: str) -> Value:
    """The address of a word."""
    assert isinstance(words.type, Words)
    place = words.type.place(name)
    if place is None:
        raise Refused(f"there is no word {name!r}")
    return front.emit("offset", ADDRESS, words.part, front.number(INT64.itemsize * place))


def set_attribute(front: FrontEnd, owner: Term, name: str, term: Term) -> None:
    """Assign an attribute."""
    if is_object(owner):
        set_attribute_of(front, owner, name, term)
        return
    if isinstance(owner.type, Words):
        number = front.materialized(term)
        if not isinstance(number.type, Number) or number.type.dtype.kind == "f":
            raise Refused(f"{term.type} does not fit a word of memory")
        front.emit("store", None, _word(front, owner, name), front.convert(number.part, INT64))
        return
    of = type(owner.value) if owner.known and owner.type != UNBOUND and not isinstance(owner.value, type) else None
    if of is not None and is_of_objects(of) and front.can_place(of):
        raise Unplaced(of)
    if isinstance(owner.type, Number) or owner == constant(None):
        front.raise_("AttributeError")
    if owner.known and isinstance(owner.value, type):
        raise Refused(f"{owner.value.__name__}.{name} is assigned, which all environments share", COUNT)
    raise Refused(f"{owner.type} takes no assignment of its attribute {name}")


COUNT = "keep it in an attribute of the environment, and pass it to what is made with it"
"""The remedy for what belongs to a class, and changes."""
