"""A single wrapper's transformation, taken out of it for use on batches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gymnasium.core import Env
from gymnasium.spaces import Space


class OnlySpaces(Env[Any, Any]):
    """An environment that a wrapper can be put around to learn what it would do, and that never runs."""

    def __init__(self, observation_space: Space[Any], action_space: Space[Any]) -> None:
        self.observation_space = observation_space
        self.action_space = action_space


def batch_function(wrapper: Any) -> Callable[[Any], Any] | None:
    """Returns what does to a batch what `wrapper.func` does to one value, if the wrapper knows that."""
    transform = getattr(wrapper, "_transform", None)
    return transform.many if transform is not None and wrapper.func is transform.one else None
