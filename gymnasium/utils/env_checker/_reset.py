"""Checks of `reset`: its signature, its results, and the effect of seeds."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from gymnasium.core import Env
from gymnasium.error import Error
from gymnasium.logger import warn
from gymnasium.utils.passive_env_checker._comparison import data_equivalence
from gymnasium.utils.passive_env_checker._findings import described, misfit, named
from gymnasium.utils.passive_env_checker._observations import as_declared


def check_seed_deprecation(env: Env) -> None:
    """Warn of a method `seed`, which Gym had before 0.26."""
    if callable(getattr(env, "seed", None)):
        warn("G206: The seed comes with reset(seed=...), but there is a method `seed` too, which nothing calls")


def check_reset_return_info_deprecation(env: Env) -> None:
    """Warn of reset's argument `return_info`, which Gym had before 0.26."""
    if "return_info" in inspect.signature(env.reset).parameters:
        warn("G205: reset() always returns the info, but takes the argument `return_info`, which nothing gives")


def check_reset_return_type(env: Env) -> None:
    """Check the results of `reset`.

    Raises:
        AssertionError: If they are not an observation of the space and an info.
    """
    result: Any = env.reset()
    if not isinstance(result, tuple):
        raise AssertionError(f"G207: reset() must return a tuple (observation, info), but returned {described(result)}")
    if len(result) != 2:
        raise AssertionError(f"G208: reset() must return (observation, info), but returned {len(result)} values")
    observation, info = result
    _check_contained(env, observation)
    if not isinstance(info, dict):
        raise AssertionError(f"G410: The info that reset() returns must be a dict, but is {described(info)}")


def check_reset_options(env: Env) -> None:
    """Check that `reset` takes options.

    Raises:
        gymnasium.error.Error: If its signature does not.
        AssertionError: If it raises a `TypeError` for empty ones.
    """
    _check_takes(env, "options", "G204")
    try:
        env.reset(options={})
    except TypeError as error:
        raise AssertionError(f"G211: reset(options={{}}) must work, but raised TypeError: {error}") from error


def check_reset_seed_determinism(env: Env) -> None:
    """Check that equal seeds give equal episodes, and different seeds different random numbers.

    Raises:
        gymnasium.error.Error: If `reset` takes no seed.
        AssertionError: If they do not, or an observation is not in its space.
    """
    _check_takes(env, "seed", "G202")
    try:
        _check_seeds(env)
    except TypeError as error:
        raise AssertionError(f"G218: reset(seed=123) must work, but raised TypeError: {error}") from error
    seed = inspect.signature(env.reset).parameters.get("seed")
    if seed is not None and seed.default is not None:
        shown = "none" if seed.default is seed.empty else repr(seed.default)
        warn(f"G203: reset()'s argument `seed` must have the default None, but its default is {shown}")


def is_deterministic(env: Env) -> bool:
    """Whether equal seeds guarantee equal episodes: unless the spec denies it."""
    return env.spec is None or not env.spec.nondeterministic


def random_state(env: Env) -> Any:
    """Returns the state of the environment's random numbers; an older simulator may draw them from a RandomState."""
    source: Any = env.unwrapped.np_random
    return source.get_state(legacy=False) if isinstance(source, np.random.RandomState) else source.bit_generator.state


def _check_seeds(env: Env) -> None:
    first = _reset(env, 123)
    if env.unwrapped._np_random is None:
        raise AssertionError("G212: reset(seed=123) must seed np_random, but left it unset")
    first_state = random_state(env)
    second = _reset(env)
    third = _reset(env, 123)
    third_state = random_state(env)
    fourth = _reset(env)
    seeded_alike = data_equivalence(first_state, third_state, exact=True)
    if not seeded_alike and env.unwrapped._np_random_seed != 123:
        raise AssertionError("G212: reset(seed=123) must seed np_random, but left it as it was")
    if is_deterministic(env):
        _check_equal(first, third, "G213", "Two reset(seed=123)")
        _check_equal(second, fourth, "G214", "The resets without seed that follow reset(seed=123)")
    if not seeded_alike:
        raise AssertionError("G216: Two reset(seed=123) must leave np_random in the same state, but did not")
    _reset(env, 456)
    if data_equivalence(first_state, random_state(env), exact=True):
        raise AssertionError(
            "G217: Different seeds must give different random numbers, but reset(seed=123) and reset(seed=456) leave "
            "np_random in the same state"
        )


def _reset(env: Env, seed: int | None = None) -> Any:
    observation, _ = env.reset() if seed is None else env.reset(seed=seed)
    _check_contained(env, observation)
    return observation


def _check_contained(env: Env, observation: object) -> None:
    if as_declared(observation, env.observation_space) not in env.observation_space:
        raise AssertionError(
            f"G408: The observation that reset() returns must be in {named(env.observation_space)}, but "
            f"{misfit(observation, env.observation_space)}"
        )
    if observation not in env.observation_space:
        raise AssertionError(
            f"G403: The observation that reset() returns must have the dtypes of {named(env.observation_space)}, but "
            f"is {described(observation)}"
        )


def _check_equal(a: object, b: object, rule: str, who: str) -> None:
    if not data_equivalence(a, b):
        raise AssertionError(f"{rule}: {who} must return the same observation, but returned {a!r} and {b!r}")
    if not data_equivalence(a, b, exact=True):
        warn(f"G215: {who} must return the same observation, but {a!r} and {b!r} differ in their last digits")


def _check_takes(env: Env, name: str, rule: str) -> None:
    parameters = inspect.signature(env.reset).parameters
    if name not in parameters and not any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        raise Error(
            f"{rule}: reset() must take the keyword `{name}`, but that of {type(env.unwrapped).__name__} does not"
        )
