"""The effect of a reset's options on an environment of dynamics, found without a reset."""

from __future__ import annotations

from copy import copy
from typing import Any

from gymnasium.functional.env import FunctionalEnv


def start_params(single: FunctionalEnv, params: object, options: dict[str, Any] | None) -> Any:
    """Returns the params for the first state in the environment's own `reset` with these options.

    Raises the exception of that `reset` for options that it does not take.
    """
    asked = copy(single)
    asked.params = params
    found = []

    def begin(seed: int | None, params: object) -> tuple[Any, dict[str, Any]]:
        found.append(params)
        return None, {}

    asked._begin = begin  # type: ignore[method-assign]  # of this copy only
    asked.reset(options=options)
    return found[0]
