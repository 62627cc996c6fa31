"""Conversion between the result of `step` before Gym 0.26, `(obs, reward, done, info)`, and the present one.

The old form distinguished a time limit from the end of the task by the info `"TimeLimit.truncated"`.
"""

from __future__ import annotations

from typing import Any, SupportsFloat, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gymnasium.core import ObsType

__all__ = [
    "DoneStepType",
    "TerminatedTruncatedStepType",
    "convert_to_done_step_api",
    "convert_to_terminated_truncated_step_api",
    "step_api_compatibility",
]

Flags: TypeAlias = bool | NDArray[np.bool_]
Infos: TypeAlias = dict[str, Any] | list[dict[str, Any]]

DoneStepType: TypeAlias = tuple[ObsType | np.ndarray, SupportsFloat | np.ndarray, Flags, Infos]
"""`(observation, reward, done, info)`; of a vector environment, each holds a row or an info per environment."""

TerminatedTruncatedStepType: TypeAlias = tuple[ObsType | np.ndarray, SupportsFloat | np.ndarray, Flags, Flags, Infos]
"""`(observation, reward, terminated, truncated, info)`."""

_KEY = "TimeLimit.truncated"


def step_api_compatibility(
    step_returns: DoneStepType[Any] | TerminatedTruncatedStepType[Any],
    output_truncation_bool: bool = True,
    is_vector_env: bool = False,
) -> DoneStepType[Any] | TerminatedTruncatedStepType[Any]:
    """Returns the result of `step` in the new form or, unless `output_truncation_bool`, in the old one.

    Args:
        step_returns: The result of a `step`, in either form.
        output_truncation_bool: Whether to return the new form.
        is_vector_env: Whether it comes from a vector environment.
    """
    if output_truncation_bool:
        return convert_to_terminated_truncated_step_api(step_returns, is_vector_env)
    return convert_to_done_step_api(step_returns, is_vector_env)


def convert_to_terminated_truncated_step_api(
    step_returns: DoneStepType[Any] | TerminatedTruncatedStepType[Any], is_vector_env: bool = False
) -> TerminatedTruncatedStepType[Any]:
    """Returns the result of `step` in the new form, with `"TimeLimit.truncated"` removed from the info.

    A result in this form is returned unchanged. The given info is not modified, and `convert_to_done_step_api` restores
    an equal one.

    Args:
        step_returns: The result of a `step`, in either form.
        is_vector_env: Whether it comes from a vector environment, whose infos are a list of dicts or a dict of arrays.

    Raises:
        AssertionError: If there are neither 4 nor 5 values.
        TypeError: If the infos of a vector environment are neither a dict nor a list.
    """
    if len(step_returns) == 5:
        return step_returns
    _check_length(step_returns, 4)
    observation, reward, done, info = step_returns
    if not is_vector_env:
        limited, info = _taken(_checked_dict(info), done, False)
        return observation, reward, bool(done and not limited), bool(done and limited), info
    ends, infos = _taken_from_all(info, np.asarray(done))
    return observation, reward, np.logical_and(done, ~ends), np.logical_and(done, ends), infos


def convert_to_done_step_api(
    step_returns: TerminatedTruncatedStepType[Any] | DoneStepType[Any], is_vector_env: bool = False
) -> DoneStepType[Any]:
    """Returns the result of `step` in the old form; at the end of an episode, the info marks a mere truncation.

    A result in this form is returned unchanged. The given info is not modified.

    Args:
        step_returns: The result of a `step`, in either form.
        is_vector_env: Whether it comes from a vector environment, whose infos are a list of dicts or a dict of arrays.

    Raises:
        AssertionError: If there are neither 4 nor 5 values.
        TypeError: If the infos of a vector environment are neither a dict nor a list.
    """
    if len(step_returns) == 4:
        return step_returns
    _check_length(step_returns, 5)
    observation, reward, terminated, truncated, info = step_returns
    if not is_vector_env:
        over = bool(terminated or truncated)
        return observation, reward, over, _put(info, over, bool(truncated and not terminated))
    done = np.logical_or(terminated, truncated)
    limited = np.logical_and(truncated, np.logical_not(terminated))
    if isinstance(info, list):
        infos: Infos = [_put(one, bool(done[i]), bool(limited[i])) for i, one in enumerate(info)]
    else:
        infos = _put(info, done, limited)
    return observation, reward, done, infos


class _Taken(dict[str, Any]):
    """An info in the new form that remembers the old info's entry about the time limit.

    Attributes:
        said: The item that was removed, or nothing.
        done: A mask of the episodes that were over.
        limited: A mask of those ended by the time limit.
    """

    said: dict[str, Any]
    done: Flags
    limited: Flags


def _check_length(values: Any, n: int) -> None:
    if len(values) != n:
        raise AssertionError(
            f"step() must return 5 values, or as before Gym 0.26 4, but returned {len(values)}: {values!r}"
        )


def _checked_dict(info: object) -> dict[str, Any]:
    if not isinstance(info, dict):
        raise TypeError(f"The info must be a dict, or a list of dicts for a vector environment, but {type(info)} came")
    return info


def _put(info: Any, done: Flags, limited: Flags) -> dict[str, Any]:
    """Returns the info in the old form, as it was if it came in that form and the flags are unchanged."""
    if isinstance(info, _Taken) and np.array_equal(info.done, done) and np.array_equal(info.limited, limited):
        return {**info, **info.said}
    return {**_checked_dict(info), _KEY: limited} if np.any(done) else info


def _taken(info: dict[str, Any], done: Flags, default: Flags) -> tuple[Any, dict[str, Any]]:
    """Returns whether the time limit ended the episode, and a copy of the info without it."""
    rest = _Taken(info)
    said = rest.pop(_KEY, default)
    rest.said = {_KEY: info[_KEY]} if _KEY in info else {}
    rest.done, rest.limited = done, np.logical_and(done, said)
    # Most infos agree with the flags: then there is nothing to remember, and a plain dict is enough.
    plain = bool(rest.said) == np.any(done) and np.array_equal(said, rest.limited)
    return said, dict(rest) if plain else rest


def _taken_from_all(infos: Infos, done: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], Infos]:
    """Returns a mask of the episodes that the time limit ended, and a copy of the infos without it."""
    if isinstance(infos, list):
        taken = [_taken(info, bool(done[i]), False) for i, info in enumerate(infos)]
        return np.array([limited for limited, _ in taken], np.bool_), [rest for _, rest in taken]
    limited, rest = _taken(_checked_dict(infos), done, np.zeros(done.shape, np.bool_))
    return np.asarray(limited, np.bool_), rest
