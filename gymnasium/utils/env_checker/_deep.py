"""Checks that take longer: many actions, copies, rendering while acting, and other processes."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from copy import deepcopy
from time import monotonic
from typing import Any

import cloudpickle
import numpy as np

from gymnasium.core import Env
from gymnasium.error import DependencyNotInstalled, UnsupportedMode
from gymnasium.logger import warn
from gymnasium.spaces import Discrete
from gymnasium.utils.env_checker._episodes import SEED, continued, first_difference, trajectory
from gymnasium.utils.env_checker._findings import Check, is_finding
from gymnasium.utils.env_checker._processes import trajectory_elsewhere
from gymnasium.utils.env_checker._reset import is_deterministic
from gymnasium.utils.ezpickle import EzPickle
from gymnasium.utils.passive_env_checker import env_reset_passive_checker, env_step_passive_checker
from gymnasium.utils.passive_env_checker._comparison import data_equivalence

_FUZZ_STEPS = 1000
_FUZZ_SECONDS = 3.0


def deep_checks(env: Env, no_step: tuple[str, ...], unequal: tuple[str, ...]) -> Iterator[Check]:
    """Returns the checks.

    Args:
        env: The environment.
        no_step: The rules after which these checks are pointless.
        unequal: The rules after which a comparison of episodes is pointless.
    """
    yield Check("step", "G706", lambda: _check_random_actions(env), no_step)
    yield Check("step", "G706", lambda: _check_wrong_action(env), no_step)
    if not is_deterministic(env):
        return
    yield Check("render", "G501", lambda: _check_looking(env), (*no_step, *unequal, "G501", "G517"))
    yield Check("pickle", "G703", lambda: _check_pickle(env), (*no_step, *unequal))
    yield Check("deepcopy", "G705", lambda: _check_deepcopy(env), (*no_step, *unequal))
    yield Check("other process", "G701", lambda: _check_other_process(env), (*no_step, *unequal))


def _check_random_actions(env: Env) -> None:
    """Check every step of many, over several episodes."""
    env.action_space.seed(SEED)
    env.reset(seed=SEED)
    end = monotonic() + _FUZZ_SECONDS
    for t in range(_FUZZ_STEPS):
        if monotonic() > end:
            return
        action = env.action_space.sample()
        given = deepcopy(action)
        result = _checked_step(env, given, t)
        if not data_equivalence(action, given, exact=True):
            raise AssertionError(f"G707: step() must leave the action as it is, but made {given!r} of {action!r}")
        if result[2] or result[3]:
            env_reset_passive_checker(env)


def _checked_step(env: Env, action: object, t: int) -> Any:
    shown = repr(action)
    try:
        return env_step_passive_checker(env, action)
    except Exception as error:
        if is_finding(error):
            raise
        raise AssertionError(
            f"G706: Every action must be possible, but step {t} after reset(seed={SEED}), with the action {shown}, "
            f"raised {type(error).__name__}: {error}"
        ) from error


def _check_wrong_action(env: Env) -> None:
    """Warn if an action outside a discrete space is accepted."""
    space = env.action_space
    if not isinstance(space, Discrete):
        return
    env.reset(seed=SEED)
    action = space.start + space.n
    try:
        env.step(action)
    except Exception:
        return
    warn(f"G708: An action outside of {space} must be refused, but step({action}) raised nothing")


def _check_looking(env: Env) -> None:
    """Check that rendering does not change the episode, and that all frames have one size."""
    modes = [mode for mode in env.metadata.get("render_modes", []) if mode != "human"]
    if env.spec is None or not modes:
        return
    mode = "rgb_array" if "rgb_array" in modes else modes[0]
    try:
        made = env.spec.make(render_mode=mode)
    except (DependencyNotInstalled, UnsupportedMode):
        return  # already reported
    shapes = set()

    def look() -> None:
        frame = made.render()
        if isinstance(frame, np.ndarray):
            shapes.add(frame.shape)

    try:
        unseen = trajectory(made)
        seen = trajectory(made, look)
    except (DependencyNotInstalled, UnsupportedMode):
        return
    finally:
        made.close()
    i = first_difference(unseen, seen)
    if i is not None:
        raise AssertionError(f"G520: An episode must not depend on being rendered, but it did from call {i} on")
    if len(shapes) > 1:
        warn(f"G521: All frames must be of one shape, but these came: {sorted(shapes)}")


def _check_pickle(env: Env) -> None:
    """Check that an environment can be sent to another process."""
    try:
        copy = pickle.loads(cloudpickle.dumps(env))
    except Exception as error:
        warn(f"G702: It should be possible to pickle the environment, but that raised {type(error).__name__}: {error}")
        return
    i = first_difference(trajectory(env), trajectory(copy))
    copy.close()
    if i is not None:
        raise AssertionError(
            f"G703: An environment read from its pickle must act as the original, but differs from call {i} on"
        )


def _check_deepcopy(env: Env) -> None:
    """Check that a copy made within an episode continues like the original.

    An `EzPickle` is made anew when it is copied, and documents this.
    """
    env.reset(seed=SEED)
    for _ in range(3):
        _, _, terminated, truncated, _ = env.step(env.action_space.sample())
        if terminated or truncated:
            env.reset()
    try:
        copy = deepcopy(env)
    except Exception as error:
        warn(f"G704: It should be possible to copy the environment, but that raised {type(error).__name__}: {error}")
        return
    if isinstance(env.unwrapped, EzPickle):
        return
    env.action_space.seed(SEED)
    original = continued(env, 20)
    copy.action_space.seed(SEED)
    i = first_difference(original, continued(copy, 20))
    if i is not None:
        warn(f"G705: A copy made within an episode should act as the original, but differs from call {i} on")


def _check_other_process(env: Env) -> None:
    if env.spec is None:
        return  # already reported
    i = first_difference(trajectory(env), trajectory_elsewhere(env.spec))
    if i is not None:
        raise AssertionError(
            f"G701: Another process must come to the same with the same seed, but it did otherwise from call {i} on "
            "(0 is the reset)"
        )
