"""What objects are: `isinstance`, `type`, `hasattr`, `getattr`, `callable`, decided by types at compile time."""

from __future__ import annotations

import logging
import operator
import warnings
from abc import ABCMeta
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gymnasium.logger import deprecation, error, warn
from palaestra.language.frontend import groups
from palaestra.language.frontend.attributes import attribute, class_of, set_attribute
from palaestra.language.frontend.binding import LocalFunction
from palaestra.language.frontend.objects import held_in, is_object
from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations.dictionaries import is_absent, may_be_absent
from palaestra.language.operations.drawing import any_number, any_numbers, one_of
from palaestra.language.operations.table import REFUSED, built
from palaestra.language.types import PYTHON, Method, Placed, Reference, Term, constant

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd


def _class(term: Term) -> type:
    """The class of an object.

    Raises:
        Refused: If it is not known.
    """
    if isinstance(term.type, Method) or (term.known and isinstance(term.value, LocalFunction)):
        raise Refused("what a function is, is not in the language")
    return class_of(term.type)


def _known(term: Term, what: str) -> Any:
    if not term.known:
        raise Refused(f"{what} must be known when the program is compiled")
    return term.value


@built(isinstance, folds=False, tries=(lambda rng: (any_number(rng), one_of(rng, int, float, bool, np.floating)),))
def _isinstance(front: FrontEnd, x: Term, of: Term) -> Term:
    classes = _known(of, "the class")
    _check_classes(classes)
    if x.known and not isinstance(x.value, LocalFunction):
        return constant(isinstance(x.value, classes))
    if isinstance(x.type, Placed):
        return _is_of(front, x, classes)
    return constant(issubclass(_class(x), classes))


def _is_of(front: FrontEnd, x: Term, classes: Any) -> Term:
    """Whether an object in a pool is of some classes."""
    assert isinstance(x.type, Placed)
    fitting = [of for of in x.type.classes if issubclass(of, classes)]
    if len(fitting) in (0, len(x.type.classes)):
        return constant(bool(fitting))
    return Term(PYTHON[bool], (groups.is_among(front, x, fitting),))


def _check_classes(classes: Any) -> None:
    """Refuse classes that decide about their instances themselves."""
    for one in classes if isinstance(classes, tuple) else (classes,):
        check = getattr(type(one), "__instancecheck__", None)
        usual = (type.__instancecheck__, ABCMeta.__instancecheck__)
        if isinstance(one, type) and check not in usual:
            raise Refused(f"{one.__name__} decides itself what its instances are")


@built(issubclass, tries=(lambda rng: (one_of(rng, int, bool, np.float64), one_of(rng, int, float)),))
def _issubclass(front: FrontEnd, one: Term, other: Term) -> Term:
    return constant(issubclass(_known(one, "the class"), _known(other, "the class")))


@built(type, folds=False, tries=(any_numbers(),))
def _type(front: FrontEnd, x: Term) -> Term:
    if groups.is_of_several(x):
        return groups.each_class(front, x, lambda one: constant(_class(one)))
    return constant(_class(x))


@built(callable, folds=False, tries=(any_numbers(),))
def _callable(front: FrontEnd, x: Term) -> Term:
    if isinstance(x.type, Method) or (x.known and isinstance(x.value, LocalFunction)):
        return constant(True)
    return constant(callable(x.value) if x.known else _is_called(class_of(x.type)))


def _is_called(of: type) -> bool:
    return any("__call__" in vars(one) for one in of.__mro__)


def _has(x: Term, name: str) -> bool:
    if x.known and not isinstance(x.value, LocalFunction):
        return hasattr(x.value, name)
    of = _class(x)
    if is_object(x) and hasattr(of, "__getattr__") and not hasattr(of, name):
        raise Refused(f"{of.__name__} defines __getattr__, which would be called", "write attributes and properties")
    if isinstance(getattr(of, name, None), property):
        raise Refused(f"whether {x.type} has the property {name} is known only once it is read")
    return hasattr(of, name)


def _held(front: FrontEnd, x: Term, name: str) -> Term | None:
    """What an object of a class holds under a name; None if it is no such object, or has nothing there."""
    if not is_object(x):
        return None
    if isinstance(x.type, Reference):
        front.looked.add((x.type.number, name))  # that there is nothing counts, too
    return held_in(front, x, name)


@built(hasattr, folds=False, tries=(lambda rng: (any_number(rng), one_of(rng, "real", "shape", "nothing")),))
def _hasattr(front: FrontEnd, x: Term, name: Term) -> Term:
    if groups.is_of_several(x):
        return groups.each_class(front, x, lambda one: _hasattr(front, one, name))
    held = _held(front, x, _known(name, "the name of an attribute"))
    if held is not None:
        return front.operate(operator.not_, is_absent(front, held)) if may_be_absent(held) else constant(True)
    return constant(_has(x, _known(name, "the name of an attribute")))


@built(getattr, folds=False, tries=(lambda rng: (any_number(rng), "real"), lambda rng: (any_number(rng), "none", 3)))
def _getattr(front: FrontEnd, x: Term, name: Term, *default: Term) -> Term:
    if groups.is_of_several(x):
        return groups.each_class(front, x, lambda one: _getattr(front, one, name, *default))
    wanted = _known(name, "the name of an attribute")
    held = _held(front, x, wanted)
    if default and held is not None and may_be_absent(held):
        return front.bound(held, lambda: default[0])
    if default and held is None and not _has(x, wanted):
        return default[0]
    return attribute(front, x, wanted)


@built(setattr, folds=False)
def _setattr(front: FrontEnd, x: Term, name: Term, value: Term) -> Term:
    wanted = _known(name, "the name of an attribute")

    def set_it(owner: Term) -> Term:
        set_attribute(front, owner, wanted, value)
        return constant(None)

    return front.split(x, set_it, by_class=False)


_SAY = "report it in the info, or leave it out of reset and step"


def _refuse(called: Any, reason: str, remedy: str = "") -> None:
    """Add a function that is refused, with the reason."""

    @built(called, folds=False, note=REFUSED)
    def build(front: FrontEnd, *terms: Term, **named: Term) -> Term:
        raise Refused(reason, remedy)


_refuse(warnings.warn, "a warning is given", _SAY)
for _says in (warn, error, deprecation):
    _refuse(_says, "a warning is given", _SAY)


def _log(called: Any, level: int, logger_of: Callable[[tuple[Term, ...]], logging.Logger]) -> None:
    """Add a function that logs a message: nothing is left of it where its level is not logged."""

    @built(called, folds=False, note=REFUSED)
    def build(front: FrontEnd, *terms: Term, **named: Term) -> Term:
        if not logger_of(terms).isEnabledFor(level):
            return constant(None)
        raise Refused("a message is logged", _SAY)


@built(logging.getLogger, note=REFUSED)
def _logger(front: FrontEnd, name: Term) -> Term:
    raise Refused("the name of a logger must be known when the program is compiled", "write it as text")


for _name in ("debug", "info", "warning", "error", "critical", "exception", "log"):
    _level = getattr(logging, "ERROR" if _name == "exception" else "CRITICAL" if _name == "log" else _name.upper())
    _log(getattr(logging, _name), _level, lambda terms: logging.getLogger())
    _log(getattr(logging.Logger, _name), _level, lambda terms: terms[0].value)
_refuse(print, "machine code prints nothing", "remove it, or let `render` print")
_refuse(id, "objects have no identity in machine code", "compare them with `==`")
_refuse(hash, "hashes are not in the language", "compare values instead")
_refuse(input, "machine code reads nothing")
_refuse(open, "machine code reads and writes no files", "read it in __init__")
