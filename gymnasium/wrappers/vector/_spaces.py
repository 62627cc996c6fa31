"""A single wrapper's transformation, extracted for use on batches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gymnasium.core import Env
from gymnasium.spaces import Space


class OnlySpaces(Env):
    """An environment that never runs: a wrapper is put around it only to learn its transformation."""

    def __init__(self, observation_space: Space, action_space: Space) -> None:
        self.observation_space = observation_space
        self.action_space = action_space


def batch_function(wrapper: Any) -> Callable[[Any], Any] | None:
    """Returns the function that applies `wrapper.func` to a whole batch, if the wrapper has one."""
    transform = getattr(wrapper, "_transform", None)
    return transform.many if transform is not None and wrapper.func is transform.one else None
