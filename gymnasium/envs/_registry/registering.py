"""Registering environments."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import RLock
from types import ModuleType
from typing import TYPE_CHECKING, Any

from gymnasium.envs._registry import dynamics
from gymnasium.envs._registry.finding import find_highest_version
from gymnasium.error import RegistrationError
from gymnasium.logger import warn
from gymnasium.specs import EnvSpec, WrapperSpec, get_env_id, parse_env_id, registry

if TYPE_CHECKING:
    from gymnasium.functional.func_env import FuncEnv


current_namespace: str | None = None

# If two threads register conflicting ids, one is refused. Code that shows a warning may register, too.
_lock = RLock()


@contextmanager
def namespace(ns: str | None) -> Iterator[None]:
    """Within the `with` block, environments are registered in the namespace `ns`, regardless of their ids.

    Raises:
        gymnasium.error.Error: If `ns` holds a character that a namespace cannot.
    """
    global current_namespace
    parse_env_id(get_env_id(ns, "name", None))
    outer, current_namespace = current_namespace, ns
    try:
        yield
    finally:
        current_namespace = outer


def register(
    id: str,
    entry_point: Callable[..., Any] | str | None = None,
    reward_threshold: float | None = None,
    nondeterministic: bool = False,
    max_episode_steps: int | None = None,
    order_enforce: bool = True,
    disable_env_checker: bool = False,
    additional_wrappers: Iterable[WrapperSpec] = (),
    vector_entry_point: Callable[..., Any] | str | None = None,
    kwargs: dict[str, Any] | None = None,
    *,
    func_env: type[FuncEnv] | FuncEnv | str | None = None,
) -> None:
    """Register an environment, so that `make` finds it under `id`.

    Dynamics are registered with `func_env` alone: `make` runs them as a `FunctionalEnv`, `make_vec` as a
    `CompiledVectorEnv`, or as its `vectorization_mode` says.

        gymnasium.register("Room-v0", func_env=Room, max_episode_steps=100)

    The other arguments are the fields of `EnvSpec`; without `func_env` at least one of the two entry points is needed.
    `kwargs` is stored without a copy. An id that is already registered is replaced, with a warning.

    Args:
        id: `[namespace/]name[-vN]`.
        entry_point: See `EnvSpec`.
        reward_threshold: See `EnvSpec`.
        nondeterministic: See `EnvSpec`.
        max_episode_steps: See `EnvSpec`.
        order_enforce: See `EnvSpec`.
        disable_env_checker: See `EnvSpec`.
        additional_wrappers: See `EnvSpec`.
        vector_entry_point: See `EnvSpec`.
        kwargs: See `EnvSpec`; for dynamics, fields of their params and arguments of their constructor.
        func_env: Palaestra only. A `FuncEnv`: the class, an instance, or `"package.module:Class"`, which is imported
            when it is needed. The spec stores it as both entry points, an importable class by its name.

    Raises:
        gymnasium.error.Error: If the id is malformed.
        gymnasium.error.RegistrationError: If the same name is registered without a version and `id` has one, or the
            other way round.
        TypeError, ValueError: If another argument has an invalid value.
    """
    ns, name, version = parse_env_id(id)
    wrappers = tuple(additional_wrappers)
    if func_env is None and dynamics.is_dynamics(entry_point) and vector_entry_point is None:
        func_env, entry_point = entry_point, None  # type: ignore[assignment]  # the class is callable
    if func_env is not None:
        _check_alone(id, entry_point, vector_entry_point)
        entry_point = vector_entry_point = dynamics.named(id, func_env)
    _check_entry_points(id, entry_point, vector_entry_point)
    _check_arguments(id, wrappers, kwargs)
    if current_namespace is not None:
        _warn_of_other_namespace(id, (kwargs or {}).get("namespace"))
        ns = current_namespace
    new = EnvSpec(
        id=get_env_id(ns, name, version),
        entry_point=entry_point,
        reward_threshold=reward_threshold,
        nondeterministic=nondeterministic,
        max_episode_steps=_checked_steps(id, max_episode_steps),
        order_enforce=order_enforce,
        disable_env_checker=disable_env_checker,
        kwargs={} if kwargs is None else kwargs,
        additional_wrappers=wrappers,
        vector_entry_point=vector_entry_point,
    )
    with _lock:
        _check_conflict(new)
        if new.id in registry:
            warn(f"Overriding environment {new.id!r}, since that id is already in registry")
        registry[new.id] = new


def register_envs(env_module: ModuleType) -> None:
    """Do nothing: a way to name a module that registers its environments when it is imported.

    It shows readers, and tools that remove unused imports, the purpose of the import.
    """


def _warn_of_other_namespace(env_id: str, named: object) -> None:
    if named is not None and named != current_namespace:
        warn(
            f"register({env_id!r}): kwargs names the namespace {named!r}, but the environment goes into the namespace "
            f"{current_namespace!r} of the surrounding `with namespace(...)`"
        )


def _check_alone(env_id: str, entry_point: object, vector_entry_point: object) -> None:
    for name, value in (("entry_point", entry_point), ("vector_entry_point", vector_entry_point)):
        if value is not None:
            raise ValueError(
                f"register({env_id!r}): func_env is run singly and in batches by itself, but {value!r} came as {name} "
                "too: leave one of them out"
            )


def _check_entry_points(env_id: str, entry_point: object, vector_entry_point: object) -> None:
    if entry_point is None and vector_entry_point is None:
        raise ValueError(
            f"register({env_id!r}): give entry_point or vector_entry_point, or both; or func_env, which runs as both"
        )
    for name, value in (("entry_point", entry_point), ("vector_entry_point", vector_entry_point)):
        if not (value is None or isinstance(value, str) or callable(value) or dynamics.is_dynamics(value)):
            raise TypeError(
                f'register({env_id!r}): expected a callable or "package.module:attribute" as {name}, but {value!r} came'
            )


def _check_arguments(env_id: str, wrappers: tuple[object, ...], kwargs: object) -> None:
    for wrapper in wrappers:
        if not isinstance(wrapper, WrapperSpec):
            raise TypeError(f"register({env_id!r}): expected WrapperSpec in additional_wrappers, but {wrapper!r} came")
    if kwargs is not None and not isinstance(kwargs, dict):
        raise TypeError(f"register({env_id!r}): expected a dict as kwargs, but a {type(kwargs)} came")


def _checked_steps(env_id: str, steps: int | None) -> int | None:
    if steps is None:
        return None
    expected = f"register({env_id!r}): expected a positive integer or None as max_episode_steps, but {steps!r} came"
    if isinstance(steps, bool):
        raise TypeError(expected)
    try:
        steps = operator.index(steps)
    except TypeError:
        raise TypeError(expected) from None
    if steps <= 0:
        raise ValueError(expected)
    return steps


def _check_conflict(new: EnvSpec) -> None:
    """A name is registered with or without versions, so that the meaning of an id without a version is clear."""
    unversioned = get_env_id(new.namespace, new.name, None)
    latest = find_highest_version(new.namespace, new.name)
    if new.version is None and latest is not None:
        raise RegistrationError(
            f"Cannot register the unversioned {new.id!r}: the versioned "
            f"{get_env_id(new.namespace, new.name, latest)!r} is taken; give the new id a version"
        )
    if new.version is not None and unversioned in registry:
        raise RegistrationError(
            f"Cannot register the versioned {new.id!r}: the unversioned {unversioned!r} is taken; give that a version"
        )
