"""The error of an action outside its space: what was given, what the space takes, and what to write instead."""

from __future__ import annotations

from reprlib import Repr
from typing import Any, Final

import numpy as np

from gymnasium.error import ActionOutsideSpace
from gymnasium.spaces.box import Box
from gymnasium.spaces.discrete import Discrete
from gymnasium.spaces.space import Space

NAN: Final = "NaN comes from a policy that has diverged: look for NaN in its loss and in the observations"

_SHORT = Repr()
_SHORT.maxother = _SHORT.maxstring = 120  # letters


def action_outside(action: object, space: Space) -> ActionOutsideSpace:
    """Returns the error of an action that is not in `space`."""
    text = f"The action {described(action)} is not one of {space}"
    remedy = remedy_for(action, space)
    return ActionOutsideSpace(f"{text}; {remedy}" if remedy else text)


def described(action: object) -> str:
    """Returns an action, shortened, and its type."""
    return f"{_SHORT.repr(action)} of type {type(action).__name__}"


def remedy_for(action: object, space: Space) -> str:
    """Returns what to pass in place of an action that is not in `space`, or ""."""
    if action is None:
        return "the policy returned None: let it return an action"
    if is_of_predict(action):
        return "of a pair of action and state, as `predict` returns, pass `action[0]`"
    numbers = numbers_in(action)
    if isinstance(space, Discrete):
        return _remedy_for_integer(action, numbers, space)
    if not isinstance(space, Box):
        return "`env.action_space.sample()` returns one that is"
    if numbers is None:
        return f"it takes numbers in an array of shape {space.shape}"
    return _remedy_for_array(numbers, space)


def is_of_predict(action: object) -> bool:
    """Whether this may be the pair of action and state that `predict` of Stable-Baselines3 returns."""
    return isinstance(action, tuple) and len(action) == 2 and not isinstance(action[1], (int, float))


def numbers_in(action: object) -> np.ndarray[Any, Any] | None:
    """Returns the real numbers that an action of any kind holds, or None."""
    if isinstance(action, (str, bytes)):
        return None
    try:
        given = np.asarray(action)
        if given.dtype.kind == "O" and any(part is None for part in given.flat):  # which NumPy reads as NaN
            return None
        return given.astype(np.float64) if given.dtype.kind != "c" else None
    except (TypeError, ValueError, RuntimeError):  # such as a tensor on another device
        return None


def _remedy_for_integer(action: object, numbers: np.ndarray[Any, Any] | None, space: Discrete) -> str:
    first, last = int(space.start), int(space.start) + int(space.n) - 1
    takes = f"it takes an integer from {first} to {last}"
    if numbers is None:
        return takes
    if numbers.shape == (space.n,) and space.n > 1:
        return f"{takes}: of one score for each action, take `int(np.argmax(action))`"
    if numbers.size != 1 or not first <= numbers.item() <= last or numbers.item() % 1:
        return takes
    is_plain = numbers.ndim == 0 or not isinstance(action, (list, tuple, np.ndarray))  # a tensor of any shape
    return f"{takes}: pass `int(action{'[0]' * (0 if is_plain else numbers.ndim)})`"


def _remedy_for_array(numbers: np.ndarray[Any, Any], space: Box) -> str:
    if np.isnan(numbers).any():
        return NAN
    takes = f"it takes the shape {space.shape}, not {numbers.shape}"
    if numbers.shape == (1, *space.shape):
        return f"{takes}: of a batch of one, pass `action[0]`"
    if numbers.size == np.prod(space.shape):
        return f"{takes}: pass `np.reshape(action, {space.shape})`"
    return takes if numbers.shape != space.shape else ""
