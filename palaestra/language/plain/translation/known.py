"""Values that are known before anything runs: Python itself decides conditions on them, or they are refused."""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Callable
from enum import Enum
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np

from gymnasium._extensions import is_own_module
from gymnasium.spaces.space import Space
from palaestra.language.plain.refusals import Refused
from palaestra.language.plain.translation.records import is_record, overrides

_ATOMS = (type(None), bool, int, float, complex, str, bytes, range, slice, type(...))
_ONE = (type, FunctionType, BuiltinFunctionType, ModuleType)  # a copy of an environment holds the very same
_CONTAINERS = (tuple, list, dict, set, frozenset, OrderedDict)
_BUILT_IN = (int, float, complex, str, bytes, tuple, list, dict, set, frozenset, np.ndarray)


def is_data(value: Any) -> bool:
    """Returns whether a copy of a value is compared, and has the truth value, of the value itself."""
    kind = type(value)
    if kind in _CONTAINERS:
        parts = [*value.keys(), *value.values()] if isinstance(value, dict) else value
        return all(is_data(one) and not isinstance(one, Space) for one in parts)
    if isinstance(value, Enum):
        return not overrides(kind)
    if kind in _ATOMS or isinstance(value, (*_ONE, np.dtype)):
        return True
    if isinstance(value, Space):
        return is_own_module(kind.__module__)
    return isinstance(value, np.generic) and kind is value.dtype.type


def check_plain(value: object) -> None:
    """Refuse what derives from a built-in class, which may behave otherwise."""
    kind = type(value)
    if not isinstance(value, _BUILT_IN) or isinstance(value, (Enum, np.generic)):
        return
    if kind not in (*_ATOMS, *_CONTAINERS, np.ndarray) and not is_record(kind):
        base = next(one for one in _BUILT_IN if isinstance(value, one))
        reason = f"a {kind.__name__} is a {base.__name__} in a way of its own"
        raise Refused(reason, f"make it a {base.__name__}, and write functions of it")


def decided(operator: Callable[[Any, Any], Any], a: Any, b: Any) -> bool | None:
    """Returns the result of a comparison of two values by Python itself; None if it is no flag.

    Raises:
        Refused: If copies of them may be compared otherwise, or if Python raises.
    """
    for one in (a, b):
        if not is_data(one) and not isinstance(one, np.ndarray):
            raise Refused(f"a {type(one).__name__} is compared in a way of its own", "compare numbers or texts")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = operator(a, b)
    except Exception as error:
        raise Refused(f"this comparison raises {type(error).__name__}: {error}", "compare values of one kind") from None
    return bool(found) if isinstance(found, (bool, np.bool_)) else None


def same_object(a: Any, b: Any) -> bool:
    """Returns whether two values are one object.

    Raises:
        Refused: If a copy of an environment may hold another.
    """
    if not any(one is None or isinstance(one, (bool, Enum, *_ONE)) for one in (a, b)):
        raise Refused("`is` compares objects here", "write ==")
    return a is b


def truth_of(value: Any) -> bool:
    """Returns the truth value of what is known.

    Raises:
        Refused: If a copy may have another.
    """
    kind = type(value)
    if is_data(value):
        return bool(value)
    if isinstance(value, np.ndarray) or any(hasattr(kind, one) for one in ("__bool__", "__len__")):
        raise Refused(f"a {kind.__name__} has a truth value of its own", "write a comparison, .any() or .all()")
    return True


def in_order(value: Any) -> Any:
    """Returns a collection; a set as a list.

    Raises:
        Refused: If it is a set whose order depends on more than its items.
    """
    if not isinstance(value, (set, frozenset)):
        return value
    found = list(value)
    if len(found) > 1 and not (all(type(one) is int for one in found) and found == sorted(found)):
        raise Refused("the order of a set decides here", "write sorted(...), or a tuple")
    return found
