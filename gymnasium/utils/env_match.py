"""Comparison of two environments from outside, to test a port or a faster version."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from gymnasium.core import Env
from gymnasium.spaces import Space
from gymnasium.utils.env_checker import data_equivalence

__all__ = ["check_environments_match"]

_INFO_COMPARISONS: Final = ("equivalence", "superset", "skip", "keys-equivalence", "keys-superset")


def check_environments_match(
    env_a: Env,
    env_b: Env,
    num_steps: int,
    seed: int | None = 0,
    skip_obs: bool = False,
    skip_rew: bool = False,
    skip_terminal: bool = False,
    skip_truncated: bool = False,
    skip_render: bool = False,
    info_comparison: str = "equivalence",
) -> None:
    """Check that two environments give equal results for equal seeds and actions.

    The actions are sampled from `env_a.action_space`, seeded. At the end of an episode, both are reset with the same
    seed again. Renderings are compared unless one of the two has none to return.

    Args:
        env_a: One environment.
        env_b: The other.
        num_steps: The number of steps.
        seed: The seed of every reset, and of the actions.
        skip_obs: Whether to leave out the observations, and their spaces.
        skip_rew: Whether to leave out the rewards.
        skip_terminal: Whether to leave out `terminated`.
        skip_truncated: Whether to leave out `truncated`.
        skip_render: Whether to leave out the results of `render`.
        info_comparison: The comparison of infos: `"equivalence"`; `"superset"`, each item of a's is one of b's;
            `"keys-equivalence"` and `"keys-superset"`, the same for the keys only; or `"skip"`.

    Raises:
        AssertionError: If they differ, or if there is no such `info_comparison`.
    """
    if info_comparison not in _INFO_COMPARISONS:
        raise AssertionError(f"info_comparison must be one of {_INFO_COMPARISONS}, but {info_comparison!r} came")
    for name in ("action_space",) if skip_obs else ("action_space", "observation_space"):
        _check_space(name, getattr(env_a, name), getattr(env_b, name))

    rendered = not skip_render and all(env.unwrapped.render_mode not in (None, "human") for env in (env_a, env_b))
    names = ("observation", "reward", "terminated", "truncated")
    skipped = (skip_obs, skip_rew, skip_terminal, skip_truncated)
    compared = [(i, name) for i, (name, skip) in enumerate(zip(names, skipped, strict=True)) if not skip]

    def both_reset(when: str) -> None:
        (obs_a, info_a), (obs_b, info_b) = env_a.reset(seed=seed), env_b.reset(seed=seed)
        if not skip_obs:
            _check_equal(obs_a, obs_b, f"observation of the reset {when}")
        _INFO_CHECKS[info_comparison](info_a, info_b, f"the reset {when}")
        if rendered:
            _check_equal(env_a.render(), env_b.render(), f"rendering of the reset {when}")

    both_reset("before the first step")
    env_a.action_space.seed(seed)
    for t in range(num_steps):
        action = env_a.action_space.sample()
        result_a, result_b = _stepped(env_a, action), _stepped(env_b, action)
        for i, name in compared:
            _check_equal(result_a[i], result_b[i], f"{name} of step {t}")
        _INFO_CHECKS[info_comparison](result_a[4], result_b[4], f"step {t}")
        if rendered:
            _check_equal(env_a.render(), env_b.render(), f"rendering of step {t}")
        if any(result_a[2:4]) or any(result_b[2:4]):
            both_reset(f"after step {t}")


def _stepped(env: Env, action: object) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
    """Returns the results of `step`, with NumPy's bools as Python's."""
    observation, reward, terminated, truncated, info = env.step(action)
    return observation, reward, bool(terminated), bool(truncated), info


def _check_space(name: str, a: Space, b: Space) -> None:
    if a != b:
        raise AssertionError(f"The environments must have the same {name}, but have {a} and {b}")


def _check_equal(a: object, b: object, what: str) -> None:
    if not data_equivalence(a, b):
        raise AssertionError(f"The environments must match, but the {what} is {a!r} in one and {b!r} in the other")


def _check_equal_infos(a: dict[str, Any], b: dict[str, Any], what: str) -> None:
    _check_equal(a, b, f"info of {what}")


def _check_infos_within(a: dict[str, Any], b: dict[str, Any], what: str) -> None:
    _check_keys_within(a, b, what)
    for key, value in a.items():
        _check_equal(value, b[key], f"info {key!r} of {what}")


def _check_equal_keys(a: dict[str, Any], b: dict[str, Any], what: str) -> None:
    if a.keys() != b.keys():
        raise AssertionError(f"The infos of {what} must have the same keys, but have {list(a)} and {list(b)}")


def _check_keys_within(a: dict[str, Any], b: dict[str, Any], what: str) -> None:
    if not a.keys() <= b.keys():
        raise AssertionError(f"The second info of {what} must have the keys {list(a)}, but has {list(b)}")


def _check_nothing(a: dict[str, Any], b: dict[str, Any], what: str) -> None:
    """Accepts any infos."""


_INFO_CHECKS: dict[str, Callable[[dict[str, Any], dict[str, Any], str], None]] = dict(
    zip(
        _INFO_COMPARISONS,
        (_check_equal_infos, _check_infos_within, _check_nothing, _check_equal_keys, _check_keys_within),
        strict=True,
    )
)
