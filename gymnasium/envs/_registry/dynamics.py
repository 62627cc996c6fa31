"""Specs of dynamics: both their entry points name one `FuncEnv`, and this module chooses its runner.

One environment is a `FunctionalEnv`; a batch is a `CompiledVectorEnv`.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import Any

from gymnasium._extensions import extension
from gymnasium.core import Env
from gymnasium.specs import EnvSpec, load_env_creator

_HOME = "gymnasium.functional.func_env"


def is_dynamics(value: object) -> bool:
    """Returns whether something is a `FuncEnv`, an instance or a class."""
    # As long as nobody has imported its module, nothing is; another thread may be half-way through it.
    base = getattr(sys.modules.get(_HOME), "FuncEnv", None)
    if base is None:
        return False
    return isinstance(value, base) or (isinstance(value, type) and issubclass(value, base))


def runs_dynamics(spec: EnvSpec) -> bool:
    """Returns whether a spec is one made by `register(id, func_env=...)`."""
    if spec.entry_point is None or spec.vector_entry_point != spec.entry_point:
        return False
    try:
        return is_dynamics(_found(spec))
    except Exception:  # it is raised again when the environment is made
        return False


def _found(spec: EnvSpec) -> Any:
    return load_env_creator(spec.entry_point) if isinstance(spec.entry_point, str) else spec.entry_point


def named(env_id: str, func_env: object) -> Any:
    """Returns the entry point of dynamics: an importable class is replaced with its name.

    Raises:
        TypeError: If `func_env` is neither a `FuncEnv` nor the name of one.
    """
    if isinstance(func_env, str):
        if all(func_env.partition(":")):
            return func_env
    elif is_dynamics(func_env):
        if isinstance(func_env, type):
            home, name = func_env.__module__, func_env.__qualname__
            if getattr(sys.modules.get(home), name, None) is func_env:
                return f"{home}:{name}"
        return func_env
    raise TypeError(
        f'register({env_id!r}): expected a FuncEnv, a class or an instance, or "package.module:Class" as func_env, but '
        f"{func_env!r} came. A class of environments, gymnasium.Env, is an entry_point"
    )


def runnable(found: Any) -> Callable[..., Any]:
    """Returns the constructor of environments for an entry point: itself, or for dynamics their runner."""
    return Single(found) if is_dynamics(found) else found


def batch_creator(spec: EnvSpec) -> Batch:
    """Returns the constructor of the batches of a spec of dynamics."""
    return Batch(_found(spec))


def check_batches(spec: EnvSpec, creator: object) -> None:
    """Raises `TypeError` for a class of environments that was given as dynamics, or as the class of their batches."""
    if isinstance(creator, type) and issubclass(creator, Env):
        raise TypeError(
            f"{spec.id!r}: {spec.vector_entry_point!r} makes one environment, not a batch: register it as "
            "entry_point=..., or its dynamics, a FuncEnv, as func_env=..."
        )


class Single:
    """Makes single environments of a `FuncEnv`, like a class of environments.

    Args:
        func_env: A class or an instance.

    Attributes:
        metadata: The metadata of the dynamics.
    """

    def __init__(self, func_env: Any) -> None:
        self.func_env = func_env
        self.metadata: dict[str, Any] = func_env.metadata
        kind = func_env if isinstance(func_env, type) else type(func_env)
        self.__name__, self.__doc__ = kind.__name__, kind.__doc__

    def __call__(self, render_mode: str | None = None, **kwargs: Any) -> Any:
        """Returns an environment; `kwargs` are fields of the params, or arguments of the dynamics' constructor."""
        from gymnasium.functional.env import FunctionalEnv  # which programs without dynamics need not load

        return FunctionalEnv(self.func_env, render_mode, **kwargs)

    @property
    def __signature__(self) -> inspect.Signature:
        """With the arguments of the constructor, and the fields of the params."""
        arguments: dict[str, inspect.Parameter] = {}
        kind, by_name = inspect.Parameter, inspect.Parameter.KEYWORD_ONLY
        if isinstance(self.func_env, type):
            for one in inspect.signature(self.func_env).parameters.values():
                if one.kind is kind.POSITIONAL_OR_KEYWORD or one.kind is by_name:
                    arguments[one.name] = one.replace(kind=by_name)
            arguments.pop("options", None)
        try:
            params = (self.func_env() if isinstance(self.func_env, type) else self.func_env).default_params
        except Exception:  # for example, it needs arguments
            params = None
        types = getattr(type(params), "__annotations__", {})
        for name in getattr(params, "_fields", ()):
            type_ = types.get(name, kind.empty)
            arguments[name] = kind(name, by_name, default=getattr(params, name), annotation=type_)
        mode = kind("render_mode", kind.POSITIONAL_OR_KEYWORD, default=None, annotation="str | None")
        return inspect.Signature([mode, *arguments.values()])


class Batch:
    """Makes compiled batches of a `FuncEnv`, like a class of batches.

    Attributes:
        metadata: The metadata of the dynamics.
        vector_kwargs: The value that `make_vec` passes for its argument of this name.
    """

    def __init__(self, func_env: object) -> None:
        self._single = Single(func_env)
        self._class: Any = extension("dynamics")
        self.metadata = self._single.metadata
        self.__name__ = self._class.__name__
        self.vector_kwargs: tuple[str, ...] = getattr(self._class, "vector_kwargs")  # noqa: B009

    def __call__(self, num_envs: int, **kwargs: Any) -> Any:
        """Returns a batch; `kwargs` are those of `CompiledVectorEnv`."""
        return self._class(self._single.func_env, num_envs, **kwargs)

    def unavailable(self) -> str:
        """Returns the reason why no environment can be compiled here, or ""."""
        reason: str = self._class.unavailable()
        return reason
