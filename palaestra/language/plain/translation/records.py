"""Records: NamedTuples, and frozen dataclasses, which are tuples with names for their parts."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from types import FunctionType
from typing import Any

# Names that change neither operators nor how attributes are found.
_PLAIN = frozenset(
    [
        *("__init__", "__new__", "__post_init__", "__init_subclass__", "__subclasshook__", "__set_name__"),
        *("__doc__", "__module__", "__qualname__", "__firstlineno__", "__static_attributes__", "__classcell__"),
        *("__annotations__", "__annotate__", "__annotate_func__", "__annotations_cache__", "__abstractmethods__"),
        *(
            "__orig_bases__",
            "__parameters__",
            "__slotnames__",
            "__class_getitem__",
            "__match_args__",
            "__slots__",
            "__dict__",
        ),
        *("__dataclass_fields__", "__dataclass_params__", "__hash__", "__repr__", "__str__", "__format__", "__dir__"),
        *("__deepcopy__", "__copy__", "__replace__", "__getnewargs__", "__getstate__", "__setstate__"),
        *("__reduce__", "__reduce_ex__", "__sizeof__", "__weakref__"),
    ]
)
_LIBRARIES = ("builtins", "enum", "typing", "collections", "abc", "numpy")


def overrides(kind: type) -> bool:
    """Returns whether a class has operators, a truth value, a length or attributes in a way of its own."""
    own = [base for base in kind.__mro__ if base.__module__.partition(".")[0] not in _LIBRARIES]
    return any(_is_special(name, value) for base in own for name, value in vars(base).items())


def _is_special(name: str, value: object) -> bool:
    if not (name.startswith("__") and name.endswith("__")) or name in _PLAIN:
        return False
    return not is_written(value)


def is_written(function: object) -> bool:
    """Returns whether `dataclass` has written a function."""
    function = getattr(function, "__wrapped__", function)
    return isinstance(function, FunctionType) and function.__code__.co_filename == "<string>"


def is_record(kind: object) -> bool:
    """Returns whether a class is that of a NamedTuple, or a frozen dataclass without an initialization of its own."""
    if not isinstance(kind, type) or not (issubclass(kind, tuple) or is_dataclass(kind)) or overrides(kind):
        return False
    if issubclass(kind, tuple):
        return hasattr(kind, "_fields") and is_written(kind.__new__)
    if hasattr(kind, "__post_init__") or not is_written(kind.__init__):
        return False
    return bool(kind.__dataclass_params__.frozen) and all(one.init for one in fields(kind))  # type: ignore[attr-defined]


def is_compared_as_tuple(a: type | None, b: type | None, ordered: bool) -> bool:
    """Returns whether values of two records, or tuples (None), are compared as the tuples of their parts."""
    if all(one is None or issubclass(one, tuple) for one in (a, b)):
        return True
    params: Any = getattr(a, "__dataclass_params__", None)
    return a is b and bool(params.order if ordered else params.eq)


def fields_of(record: type | None) -> tuple[str, ...]:
    """Returns the names of the parts of a record; none for None."""
    if record is None:
        return ()
    return getattr(record, "_fields", None) or tuple(one.name for one in fields(record))


def parts_of_record(value: object) -> tuple[Any, ...] | None:
    """Returns a tuple, or the parts of a record; None for other values."""
    if type(value) is tuple:
        return value
    return tuple(getattr(value, key) for key in fields_of(type(value))) if is_record(type(value)) else None
