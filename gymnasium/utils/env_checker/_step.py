"""Checks of `step`: the results of equal actions, and whether returned values stay unchanged."""

from __future__ import annotations

from copy import deepcopy
from itertools import combinations

import numpy as np

from gymnasium.core import Env
from gymnasium.error import Error
from gymnasium.logger import warn
from gymnasium.utils.env_checker._reset import is_deterministic, random_state
from gymnasium.utils.passive_env_checker import data_shares_objects
from gymnasium.utils.passive_env_checker._comparison import data_equivalence
from gymnasium.utils.passive_env_checker._findings import described


def check_step_determinism(env: Env, seed: int = 123) -> None:
    """Check that equal actions after equal seeds have equal results, unless the spec denies it.

    Raises:
        AssertionError: If they do not, or if the first step is truncated.
    """
    if not is_deterministic(env):
        return
    env.action_space.seed(seed)
    action = env.action_space.sample()
    results, states = [], []
    for _ in range(2):
        env.reset(seed=seed)
        results.append(env.step(deepcopy(action)))
        states.append(random_state(env))
    if not data_equivalence(states[0], states[1], exact=True):
        raise AssertionError("G309: Equal steps must leave np_random in the same state, but did not")
    first, second = results
    if len(first) == 4:  # as in the old Gym, of which the passive checker only warns
        raise Error(
            "G303: step() must return (observation, reward, terminated, truncated, info), but returned 4 values"
        )
    _check_same(first[0], second[0], "G310", "observation")
    _check_same(first[1], second[1], "G311", "reward")
    if not data_equivalence(first[2], second[2], exact=True):
        raise AssertionError(
            f"G312: Equal steps must have the same `terminated`, but it was {first[2]} and {second[2]}"
        )
    for result in results:
        if not isinstance(result[3], (bool, np.bool_)) or result[3]:
            raise AssertionError(f"G313: `truncated` must be False after the first step, but is {described(result[3])}")
    _check_same(first[4], second[4], "G314", "info")


def _check_same(a: object, b: object, rule: str, name: str) -> None:
    if not data_equivalence(a, b):
        raise AssertionError(f"{rule}: Equal steps must return the same {name}, but returned {a!r} and {b!r}")
    if not data_equivalence(a, b, exact=True):
        warn(f"G315: Equal steps must return the same {name}, but {a!r} and {b!r} differ in their last digits")


def check_returned_data_not_reused(env: Env, seed: int = 123) -> None:
    """Check that each call returns a new observation and a new info.

    Raises:
        AssertionError: If two calls return the same object, or arrays that share memory.
    """
    env.action_space.seed(seed)
    calls = [("reset()", *env.reset(seed=seed))]
    for i in ("first", "second"):
        observation, _, terminated, truncated, info = env.step(env.action_space.sample())
        calls.append((f"the {i} step()", observation, info))
        if terminated or truncated:
            break
    calls.append(("the next reset()", *env.reset()))
    for (earlier, *before), (later, *after) in combinations(calls, 2):
        for name, a, b in zip(("observation", "info"), before, after, strict=True):
            if data_shares_objects(a, b):
                raise AssertionError(
                    f"G411: Each call must return an {name} of its own, but that of {later} shares memory with that "
                    f"of {earlier}"
                )
