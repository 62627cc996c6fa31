"""Checks of `reset` and `step`."""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from gymnasium.core import Env
from gymnasium.error import Error, InvalidAction
from gymnasium.logger import ERROR, at_level, deprecation, warn
from gymnasium.spaces.outside import action_outside, is_of_predict
from gymnasium.spaces.space import Space
from gymnasium.utils.passive_env_checker._findings import described
from gymnasium.utils.passive_env_checker._observations import check_obs


def env_reset_passive_checker(env: Env, **kwargs: Any) -> Any:
    """Call `env.reset(**kwargs)`, check its signature and result, and return the result unchanged.

    Raises:
        AssertionError: If the info is not a dict, or the observation has other parts than its space.
    """
    _check_reset_signature(env)
    with _hints_of_old_draws():
        result = env.reset(**kwargs)
    if not isinstance(result, tuple):
        warn(f"G207: reset() must return a tuple (observation, info), but returned {described(result)}")
    elif len(result) != 2:
        warn(f"G208: reset() must return (observation, info), but returned {len(result)} values: {result!r}")
    else:
        observation, info = result
        check_obs(observation, env.observation_space, "reset")
        _check_info(info, "reset")
    return result


# Methods of RandomState, which np_random was before Gym 0.26, and those of Generator.
_DRAWS = {"randint": "integers", "rand": "random", "randn": "standard_normal", "random_sample": "random"}


@contextmanager
def _hints_of_old_draws() -> Iterator[None]:
    """Within, the error of a method that NumPy's Generator has under another name says that name."""
    try:
        yield
    except AttributeError as error:
        if isinstance(error.obj, np.random.Generator) and error.name in _DRAWS:
            error.args = (f"{error}; np_random is a Generator: write np_random.{_DRAWS[error.name]}(...)",)
        raise


@contextmanager
def _hints_of_predict(action: object, space: Space) -> Iterator[None]:
    """After a step with the pair that `predict` returns, whatever it raises: a warning that says what to pass."""
    try:
        yield
    except InvalidAction:  # which says so itself
        raise
    except Exception:
        _warn_of_predict(action, space)
        raise
    _warn_of_predict(action, space)


def _warn_of_predict(action: object, space: Space) -> None:
    if not is_of_predict(action):
        return
    with at_level(ERROR):  # without the warning of a Box about a tuple
        is_inside = space.contains(action)
    if not is_inside:
        warn(str(action_outside(action, space)))


def _check_reset_signature(env: Env) -> None:
    parameters = inspect.signature(env.reset).parameters
    takes_any = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values())
    if "seed" in parameters:
        default = parameters["seed"].default
        if default is not None:
            shown = "none" if default is inspect.Parameter.empty else repr(default)
            warn(
                f"G203: reset()'s argument `seed` must have the default None, by which a reset continues the random "
                f"numbers, but its default is {shown}; write `seed=None`"
            )
    elif not takes_any:
        deprecation(_missing_argument("G202", env, "seed", "seed: int | None = None"))
    if "options" not in parameters and not takes_any:
        deprecation(_missing_argument("G204", env, "options", "options: dict | None = None"))


def _missing_argument(rule: str, env: Env, name: str, declaration: str) -> str:
    return (
        f"{rule}: reset() must take the keyword `{name}`, but that of {type(env).__name__} does not; declare "
        f"`def reset(self, *, {declaration}, ...)`"
    )


def env_step_passive_checker(env: Env, action: object) -> Any:
    """Call `env.step(action)`, check its result, and return it unchanged.

    Raises:
        AssertionError: If the result is not a tuple, the info no dict, or the observation has other parts than its
            space.
        gymnasium.error.Error: If the tuple has neither 5 nor (as before Gym 0.26) 4 elements.
    """
    with _hints_of_old_draws(), _hints_of_predict(action, env.action_space):
        result = env.step(action)
    expected = "step() must return (observation, reward, terminated, truncated, info)"
    if not isinstance(result, tuple):
        raise AssertionError(f"G302: {expected}, but returned {described(result)}")
    if len(result) == 5:
        _check_flag("terminated", result[2])
        _check_flag("truncated", result[3])
    elif len(result) == 4:
        deprecation(
            f"G303: {expected}, but returned 4 values; split `done` into `terminated` (the task is over) and "
            "`truncated` (cut short, as by a time limit)"
        )
        _check_flag("done", result[2])
    else:
        raise Error(f"G304: {expected}, but returned {len(result)} values: {result!r}")
    check_obs(result[0], env.observation_space, "step")
    _check_reward(result[1])
    _check_info(result[-1], "step")
    return result


def _check_info(info: object, method_name: str) -> None:
    if not isinstance(info, dict):
        raise AssertionError(f"G410: The info that {method_name}() returns must be a dict, but is {described(info)}")


def _check_flag(name: str, value: object) -> None:
    if not isinstance(value, (bool, np.bool_)):
        warn(
            f"G305: The `{name}` that step() returns must be a bool, but is {described(value)}; convert it with "
            "bool(...)"
        )


def _is_number(reward: Any) -> bool:
    """Whether a reward represents one number, of any type."""
    if isinstance(reward, (str, bytes)):
        return False
    if isinstance(reward, np.ndarray):
        return reward.size == 1
    try:
        float(reward)
    except (TypeError, ValueError):
        return False
    return True


def _check_reward(reward: Any) -> None:
    kind = type(reward)
    if not _is_number(reward):
        warn(f"G316: The reward returned by `step()` must be one number, but is {described(reward)}")
    elif not (np.issubdtype(kind, np.integer) or np.issubdtype(kind, np.floating)):
        warn(
            f"G306: The reward returned by `step()` must be a number (int, float or NumPy's), but is "
            f"{described(reward)}; convert it with float(...)"
        )
    elif math.isnan(reward):
        warn("G307: The reward returned by `step()` must be a number, but is NaN; look for a 0/0 or an inf - inf in it")
    elif math.isinf(reward):
        warn(f"G308: The reward returned by `step()` must be finite, but is {reward}; bound it")
