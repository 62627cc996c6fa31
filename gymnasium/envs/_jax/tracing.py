"""Dynamics prepared for JAX: copies of their functions with names that JAX can trace.

A copy differs from its function only in its globals: functions of `ops` and `math` are replaced with their traced
counterparts, functions of the dynamics with copies, and NumPy with `jax.numpy`; constant tuples and arrays can be
indexed by traced integers.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from numbers import Number
from types import CodeType, FunctionType, MethodType, ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from gymnasium.envs._jax.diagnosis import explained
from gymnasium.envs._jax.func_env import KeyedFuncEnv
from gymnasium.envs._jax.library import jax, jnp
from gymnasium.envs._jax.ops import COUNTERPARTS, MODULES
from gymnasium.functional.func_env import FuncEnv
from gymnasium.functional.mistakes import PARAMETERS, impurities, takes_no_params
from gymnasium.functional.rebinding import is_of_values, names_in, rebound, used_of
from gymnasium.params.draws import weighted

_ELSEWHERE = "As they are, these dynamics run in Python and compiled: gymnasium.make, gymnasium.make_vec"

FUNCTIONS = ("initial", "transition", "observation", "reward", "terminal", "state_info", "transition_info")


class TracedFunctions:
    """The functions of a `FuncEnv`, by name, in a form that JAX can trace; `rng` is passed on unchanged.

    Functions that call `jax.random` were written for JAX. They are used unchanged, and expect a key as `rng`.

    Args:
        func_env: The dynamics.

    Attributes:
        written_for_jax: Whether they expect a key.

    Raises:
        TypeError: If a function uses files, clocks or other random numbers, which JAX would read only once; raised by a
            function, if it cannot be traced, with the line and the reason.
    """

    initial: Callable[..., Any]
    transition: Callable[..., Any]
    observation: Callable[..., Any]
    reward: Callable[..., Any]
    terminal: Callable[..., Any]
    state_info: Callable[..., Any]
    transition_info: Callable[..., Any]

    def __init__(self, func_env: FuncEnv) -> None:
        functions = {name: getattr(func_env, name) for name in FUNCTIONS}
        self.written_for_jax = isinstance(func_env, KeyedFuncEnv) or any(
            _takes_key(function, type(func_env), set()) for function in functions.values()
        )
        copies = _Copies()
        for name, function in functions.items():
            copy = function if self.written_for_jax else copies.of(function)
            traced = explained(copy, f"{type(func_env).__name__}.{name}", copies.codes, _ELSEWHERE)
            setattr(self, name, traced if takes_no_params(function, name) else _given_none(traced, name))
        impure = list(impurities(copies.functions()))
        if impure:
            raise TypeError(f"{type(func_env).__name__} cannot run under JAX: {'; '.join(impure)}")


def _given_none(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Returns a function that passes None for params that are not given, since `function` requires them."""
    n = len(PARAMETERS[name])
    return lambda *arguments: function(*arguments, *(None,) * (n - len(arguments)))


def traced_act(policy: Any) -> tuple[Callable[..., Any], bool]:
    """Returns `act` of a policy in a form that JAX can trace, and whether it was written for JAX and expects a key.

    Raises:
        TypeError: As `TracedFunctions`.
    """
    written_for_jax = _takes_key(policy.act, type(policy), set())
    copies = _Copies()
    act = policy.act if written_for_jax else copies.of(policy.act)
    name = f"{type(policy).__name__}.act"
    impure = list(impurities(copies.functions()))
    if impure:
        raise TypeError(f"{name} cannot run under JAX: {'; '.join(impure)}")
    return explained(act, name, copies.codes), written_for_jax


def traced_draw(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Returns a function that draws the param `name` in a form that JAX can trace.

    Raises:
        TypeError: As `TracedFunctions`.
    """
    if function is weighted:
        return _weighted
    copies = _Copies()
    draw = copies.of(function)
    impure = list(impurities(copies.functions()))
    if impure:
        raise TypeError(f"{name!r} cannot be drawn under JAX: {'; '.join(impure)}")
    return explained(draw, f"the draw of {name!r}", copies.codes)


def _weighted(bounds: Any, rng: Any, episode: object) -> Any:
    """As `weighted`, without a loop."""
    return bounds.values[(jnp.asarray(bounds.reached)[:-1] <= rng.random()).sum()]


class _Copies:
    """Copies functions, each once.

    Attributes:
        codes: The code objects of the copied functions.
    """

    def __init__(self) -> None:
        self.codes: set[CodeType] = set()
        self._done: dict[FunctionType, FunctionType] = {}
        self._namespaces: dict[tuple[Any, frozenset[str]], SimpleNamespace] = {}

    def functions(self) -> list[FunctionType]:
        """Returns the copies."""
        return list(self._done)

    def of(self, function: object) -> Any:
        """Returns the copy of a function or method, and any other object unchanged."""
        if isinstance(function, MethodType):
            return MethodType(self.of(function.__func__), function.__self__)
        return self._function(function) if isinstance(function, FunctionType) else function

    def _function(self, function: FunctionType) -> FunctionType:
        if function not in self._done:
            self.codes.add(function.__code__)
            rebound(function, partial(self._done.__setitem__, function), self._value)
        return self._done[function]

    def _value(self, name: str, value: object, used: list[str]) -> Any:
        """Returns the replacement of a global; `used` are the names in the function that has it."""
        if isinstance(value, ModuleType):
            return self._module(value, used)
        if isinstance(value, type):
            return value if is_of_values(value) else self._namespace(value, used)
        if isinstance(value, (tuple, list)) and value and all(isinstance(part, (Number, tuple)) for part in value):
            return value if hasattr(value, "_fields") else Constants(value)
        if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
            return jnp.asarray(value)
        if callable(value):
            counterpart = _counterpart(value)
            return self.of(value) if counterpart is None else counterpart
        return value

    def _module(self, module: ModuleType, used: list[str]) -> Any:
        root = module.__name__.partition(".")[0]
        if module.__name__ in MODULES:
            return MODULES[module.__name__]
        return module if root == "jax" else self._namespace(module, used)

    def _namespace(self, owner: object, used: list[str]) -> SimpleNamespace:
        """Returns the used members of a module or class."""
        parts = dict(used_of(owner, used))
        key = owner, frozenset(parts)
        if key not in self._namespaces:
            self._namespaces[key] = namespace = SimpleNamespace()  # before its parts, which may name it again
            vars(namespace).update({name: self._value(name, value, used) for name, value in parts.items()})
        return self._namespaces[key]


class Constants(tuple[Any, ...]):
    """A tuple that can also be indexed by a traced integer."""

    def __getitem__(self, place: Any) -> Any:
        """Returns an element, or, for a traced integer, the same as a traced number or array."""
        return jnp.asarray(tuple(self))[place] if isinstance(place, jax.Array) else super().__getitem__(place)


def _counterpart(value: Any) -> Any:
    try:
        return COUNTERPARTS.get(value)
    except TypeError:  # not hashable
        return None


def _takes_key(function: object, owner: type, seen: set[Any]) -> bool:
    """Whether a function, or one that it calls, uses `jax.random` or a part of it; methods are those of `owner`."""
    plain = getattr(function, "__wrapped__", getattr(function, "__func__", function))
    if isinstance(plain, MethodType):
        plain = plain.__func__
    if not isinstance(plain, FunctionType) or plain in seen:
        return False
    seen.add(plain)
    names = set(names_in(plain.__code__))
    found = [plain.__globals__[name] for name in names & plain.__globals__.keys()]
    found += [cell.cell_contents for cell in plain.__closure__ or ()]
    if any(value is jax.random or getattr(value, "__module__", "") in _RANDOM for value in found):
        return True
    if any(value is jax for value in found) and "random" in names:
        return True
    methods = [
        vars(base)[name] for base in owner.__mro__[:-1] if base is not FuncEnv for name in names & vars(base).keys()
    ]
    return any(_takes_key(value, owner, seen) for value in [*found, *methods])


_RANDOM = ("jax.random", "jax._src.random")
