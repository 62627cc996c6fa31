"""Making an environment from its spec: first the constructor, then the wrappers."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from gymnasium.core import Env, Wrapper
from gymnasium.envs._registry import render_mode
from gymnasium.envs._registry.arguments import refusal
from gymnasium.envs._registry.dynamics import Single
from gymnasium.envs._registry.finding import find_spec
from gymnasium.envs._registry.guarding import creator_of
from gymnasium.envs._registry.suggestions import not_an_id
from gymnasium.error import Error, NotAnId
from gymnasium.specs import EnvSpec, WrapperSpec, load_env_creator


def make(
    id: str | EnvSpec,
    max_episode_steps: int | None = None,
    disable_env_checker: bool | None = None,
    **kwargs: object,
) -> Env:
    """Make the environment of an id, or of a spec, with the wrappers that belong to it.

    From the inside out: `PassiveEnvChecker`, `OrderEnforcing`, `TimeLimit`, the spec's own wrappers, and the one that
    supplies `render_mode` if the environment itself does not have it.

    Args:
        id: `[namespace/]name[-vN]`, also behind `module:`, which is imported first; or a spec.
        max_episode_steps: Replaces the spec's limit; -1 for none.
        disable_env_checker: Whether to leave `PassiveEnvChecker` out; replaces the spec's choice.
        **kwargs: Arguments of the environment's constructor, in addition to those of the spec.

    Raises:
        gymnasium.error.Error: If the id is malformed or unknown, or has no entry point for one environment.
        gymnasium.error.UnsupportedMode: If the environment lists its render modes, but not the requested one.
        gymnasium.error.NotAnId: If `id` is neither an id nor a spec; it is a TypeError, too.
        TypeError: If the constructor does not take the arguments, or returns no `Env`.
        ValueError: If a wrapper of the spec cannot be remade.
    """
    spec = _spec(id)
    merged = {**deepcopy(spec.kwargs), **kwargs}
    creator = _creator(spec)
    requested = merged.get("render_mode")
    mode, rendering = render_mode.resolved(creator, requested, spec.id)
    if mode != requested:
        merged["render_mode"] = mode
    env = _constructed(creator, spec.id, merged, rendering)
    try:
        _set_spec(env, _bare(spec, merged))
        if disable_env_checker is None:
            disable_env_checker = spec.disable_env_checker
        return _wrapped(env, spec, max_episode_steps, disable_env_checker, rendering)
    except Exception:
        env.close()
        raise


def _spec(id: str | EnvSpec) -> EnvSpec:
    if isinstance(id, str):
        return find_spec(id)
    if not isinstance(id, EnvSpec):
        raise NotAnId(not_an_id("make", id))
    return id


def _creator(spec: EnvSpec) -> Callable[..., Any]:
    if spec.entry_point is None:
        raise Error(f"{spec.id!r} cannot be made one at a time: it has no entry_point; try gymnasium.make_vec")
    try:
        return creator_of(spec.entry_point)
    except Error as error:
        raise type(error)(f"{spec.id!r} cannot be made: {error}") from error


def _constructed(creator: Callable[..., Any], env_id: str, kwargs: dict[str, Any], rendering: str | None) -> Env:
    try:
        env = creator(**kwargs)
    except TypeError as error:
        if rendering == render_mode.HUMAN and "unexpected keyword argument 'render_mode'" in str(error):
            raise Error(
                f"render_mode='human' cannot work with {env_id!r}: it has no human mode of its own, and HumanRendering "
                "cannot wrap an environment of the old API, whose constructor takes no render_mode"
            ) from error
        if isinstance(creator, Single) and not kwargs:
            raise
        raise type(error)(refusal(error, creator, env_id, kwargs)) from error
    if not isinstance(env, Env):
        raise TypeError(_not_an_env(env_id, env))
    return env


def _not_an_env(env_id: str, env: object) -> str:
    if any(cls.__module__.partition(".")[0] == "gym" for cls in type(env).__mro__):
        return (
            f"The entry point of {env_id!r} made a {type(env)} of the old Gym, whose environments are incompatible; "
            "make it inherit from gymnasium.Env, or convert it with the shimmy package"
        )
    return f"The entry point of {env_id!r} made a {type(env)}; make it inherit from gymnasium.Env"


def _bare(spec: EnvSpec, kwargs: dict[str, Any]) -> EnvSpec:
    """Returns the spec of the environment without wrappers; each wrapper adds itself to a copy."""
    return EnvSpec(
        id=spec.id,
        entry_point=spec.entry_point,
        reward_threshold=spec.reward_threshold,
        nondeterministic=spec.nondeterministic,
        max_episode_steps=None,
        order_enforce=False,
        disable_env_checker=True,
        kwargs=kwargs,
        additional_wrappers=(),
        vector_entry_point=spec.vector_entry_point,
    )


def _set_spec(env: Env, bare: EnvSpec) -> None:
    """Set the spec of the environment inside all wrappers, replacing one that an entry point made it from."""
    env.unwrapped.spec = bare
    while isinstance(env, Wrapper):
        env._cached_spec = None
        env = env.env


def _wrapped(
    env: Env, spec: EnvSpec, max_episode_steps: int | None, disable_env_checker: bool, rendering: str | None
) -> Env:
    # Late, to keep the import fast for programs that make nothing.
    from gymnasium.wrappers._fields import from_field
    from gymnasium.wrappers.common import OrderEnforcing, PassiveEnvChecker, TimeLimit

    remaining = _remaining_wrappers(env, spec)
    if not disable_env_checker:
        env = from_field(PassiveEnvChecker(env))
    if spec.order_enforce:
        env = from_field(OrderEnforcing(env))
    if max_episode_steps is None:
        max_episode_steps = spec.max_episode_steps
    if max_episode_steps is not None and max_episode_steps != -1:
        env = from_field(TimeLimit(env, max_episode_steps))
    for wrapper in remaining:
        env = _rebuilt(wrapper, env)
    return env if rendering is None else load_env_creator(rendering)(env)


def _remaining_wrappers(env: Env, spec: EnvSpec) -> tuple[WrapperSpec, ...]:
    """Returns the wrappers of the spec that the creator did not add itself."""
    made = () if env.spec is None else env.spec.additional_wrappers
    if len(made) <= len(spec.additional_wrappers):
        for own, saved in zip(made, spec.additional_wrappers, strict=False):
            if own != saved:
                raise ValueError(
                    f"The spec of {spec.id!r} does not fit its environment: the entry point puts {own} around it where "
                    f"the spec has {saved}"
                )
    return tuple(spec.additional_wrappers[len(made) :])


def _rebuilt(wrapper: WrapperSpec, env: Env) -> Env:
    from gymnasium.wrappers._fields import from_list

    if wrapper.kwargs is None:
        raise ValueError(
            f"{wrapper.name} cannot be made again: its arguments are unknown, since it does not inherit from "
            "gymnasium.utils.RecordConstructorArgs"
        )
    return from_list(load_env_creator(wrapper.entry_point)(env=env, **_own(wrapper.kwargs)))


def _own(kwargs: dict[str, Any]) -> dict[str, Any]:
    """Returns a copy of a wrapper's arguments, which it may seed or change; uncopyable ones are unchanged."""
    try:
        return deepcopy(kwargs)
    except Exception:  # such an object, for example a module, may raise anything
        return kwargs
