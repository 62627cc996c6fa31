"""NamedTuples: the language has the methods of tuples, and refuses classes that replace them."""

from __future__ import annotations

from functools import cache
from types import FunctionType

from palaestra.language.frontend.refusals import Refused

_HARMLESS = frozenset(
    (
        *("__repr__", "__str__", "__format__", "__getnewargs__", "__replace__", "__reduce__", "__reduce_ex__"),
        *("__hash__", "__sizeof__", "__copy__", "__deepcopy__", "__getstate__", "__init_subclass__"),
    )
)
"""Methods that dynamics do not call."""


def check_record(of: type) -> None:
    """Check that objects of a class behave like tuples.

    Raises:
        Refused: If the class has a special method of its own.
    """
    own = _own_methods(of)
    if own:
        reason = f"{of.__name__} defines {own[0]}, in whose place machine code does what a tuple does"
        raise Refused(reason, "write a function")


@cache
def _own_methods(of: type) -> list[str]:
    mro = of.__mro__[: of.__mro__.index(tuple)] if tuple in of.__mro__ else ()
    return sorted(
        name
        for one in mro
        for name, value in vars(one).items()
        if name.startswith("__") and name not in _HARMLESS and _is_own(name, value)
    )


def _is_own(name: str, value: object) -> bool:
    function = value.__func__ if isinstance(value, (staticmethod, classmethod)) else value
    if not isinstance(function, FunctionType):
        return False
    return not (name == "__new__" and "_tuple_new" in function.__code__.co_names)  # that of `namedtuple`
