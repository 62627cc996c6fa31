"""Attributes of environments that other implementations store, and that are computed here.

Users read, set and override them under their public names. None of them costs a step of this package's classes
anything: Python finds an attribute of an instance fastest if its class has none of that name.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MethodType
from typing import Any, Generic, overload

from typing_extensions import Self, TypeVar

from gymnasium._extensions import is_own_module

Value = TypeVar("Value", default=Any)


class Later:
    """An attribute that comes to be on first use.

    Args:
        make: Returns its value for an environment.
    """

    def __init__(self, make: Callable[[Any], Any]) -> None:
        self._make = make

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, env: Any, owner: type) -> Any:
        if env is None:
            return self
        value = self._make(env)
        setattr(env, self._name, value)
        return value


def stand_in_for_constructor(cls: type) -> None:
    """Give a user's class with a constructor of its own what the inherited ones set, in case it does not call them.

    The classes of this package list this in `left_out`: a value, or `Later`, by name.
    """
    if "__init__" not in vars(cls) or is_ours(cls):
        return
    for base in cls.__mro__:
        for name, value in vars(base).get("left_out", {}).items():
            if not hasattr(cls, name):
                setattr(cls, name, value)
                if isinstance(value, Later):
                    value.__set_name__(cls, name)


class Derived(Generic[Value]):
    """An attribute that is computed until a value is assigned, which is then read instead."""

    def __init__(self, compute: Callable[[Any], Value]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    @overload
    def __get__(self, env: None, owner: type) -> Self: ...
    @overload
    def __get__(self, env: object, owner: type) -> Value: ...
    def __get__(self, env: Any, owner: type) -> Any:
        return self if env is None else self._compute(env)


class Hook:
    """A method that steps call where a subclass has overridden it or an instance has another one.

    The environment notices by its `_attach`, which an assignment calls.
    """

    def __init__(self, method: Callable[..., Any]) -> None:
        self._method = method
        self.__doc__ = method.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._own = f"_own{name}"

    def __get__(self, env: Any, owner: type) -> Callable[..., Any]:
        if env is None:
            return self._method
        own: Callable[..., Any] | None = getattr(env, self._own, None)
        return MethodType(self._method, env) if own is None else own

    def __set__(self, env: Any, value: Callable[..., Any]) -> None:
        setattr(env, self._own, value)
        env._attach()

    def __delete__(self, env: Any) -> None:
        delattr(env, self._own)
        env._attach()


def is_ours(member: object) -> bool:
    """Returns whether a member of a class is of this package, or is none."""
    return member is None or is_own_module(str(getattr(member, "__module__", "")))


def is_replaced(env: object, name: str) -> bool:
    """Returns whether a method is a user's: overridden in a subclass, or assigned to the instance."""
    # Without `vars(env)`, after which Python would find the environment's attributes more slowly.
    member = getattr(env, name, None)
    return member is not None and not (getattr(member, "__self__", None) is env and is_ours(member))
