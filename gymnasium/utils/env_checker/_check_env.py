"""`check_env`."""

from __future__ import annotations

from gymnasium.core import Env
from gymnasium.logger import warn
from gymnasium.utils.env_checker._findings import remedied
from gymnasium.utils.env_checker._render import check_close, check_render
from gymnasium.utils.env_checker._reset import (
    check_reset_options,
    check_reset_return_info_deprecation,
    check_reset_return_type,
    check_reset_seed_determinism,
    check_seed_deprecation,
)
from gymnasium.utils.env_checker._spaces import check_spaces_of
from gymnasium.utils.env_checker._step import check_returned_data_not_reused, check_step_determinism
from gymnasium.utils.passive_env_checker import env_reset_passive_checker, env_step_passive_checker


def check_env(
    env: Env,
    warn: bool | None = None,
    skip_render_check: bool = False,
    skip_close_check: bool = False,
) -> None:
    """Check that an environment implements the interface, up to the first error; lesser findings are warnings.

    Each message begins with the id of its rule, like those of `find_problems`, which reports all findings.

    Args:
        env: The environment, without wrappers.
        warn: Without effect.
        skip_render_check: Whether to leave the render modes out.
        skip_close_check: Whether to leave closing out.

    Raises:
        TypeError: If `env` is no `Env`, or a space no `Space`.
        AttributeError: If it has no `action_space` or no `observation_space`.
        AssertionError: If it violates the interface.
        gymnasium.error.Error: If `reset` does not take a seed or options, or `step` returns another number of values.
    """
    _check_arguments(env, warn)
    with remedied():
        _check(as_numpy(env), skip_render_check, skip_close_check)


def _check(env: Env, skip_render_check: bool, skip_close_check: bool) -> None:
    check_spaces_of(env, "action")
    check_spaces_of(env, "observation")
    check_seed_deprecation(env)
    check_reset_return_info_deprecation(env)
    check_reset_return_type(env)
    check_reset_seed_determinism(env)
    check_reset_options(env)
    env_reset_passive_checker(env)
    env_step_passive_checker(env, env.action_space.sample())
    check_step_determinism(env)
    check_returned_data_not_reused(env)
    if not skip_render_check:
        check_render(env)
    if not skip_close_check:
        check_close(env)


def _check_arguments(env: object, ignored: object) -> None:
    if ignored is not None:
        warn("check_env's argument `warn` has no effect; use warnings.filterwarnings to silence unwanted warnings")
    check_is_env(env)


def check_is_env(env: object) -> None:
    """Raises `TypeError` if this is not an `Env`; warns if it is wrapped."""
    if not isinstance(env, Env):
        raise TypeError(f"G001: The checker expects a gymnasium.Env, but a {type(env)} came")
    if env.unwrapped is not env:
        warn(f"G002: The checker expects an environment without wrappers, but {env} came; give it env.unwrapped")


def as_numpy(env: Env) -> Env:
    """Returns an environment whose metadata declares JAX or PyTorch as one with NumPy arrays.

    Raises:
        gymnasium.error.DependencyNotInstalled: If that library is missing.
    """
    library = "jax.numpy" if env.metadata.get("jax") else "torch" if env.metadata.get("torch") else None
    if library is None:
        return env
    import numpy as np

    from gymnasium.wrappers.array_conversion import ArrayConversion, module_name_to_namespace

    return ArrayConversion(env, env_xp=module_name_to_namespace(library), target_xp=np)
