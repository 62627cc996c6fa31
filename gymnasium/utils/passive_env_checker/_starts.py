"""Whether equal seeds begin equal episodes."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from gymnasium.core import Env
from gymnasium.logger import warn
from gymnasium.utils.passive_env_checker._comparison import data_equivalence


class SeededStarts:
    """Compares the first seeded reset of an environment with the next reset with the same seed, once."""

    def __init__(self) -> None:
        self._first: tuple[int, Any] | None = None  # seed and observation
        self._done = False

    def compare(self, env: Env, seed: int | None, options: dict[str, Any] | None, result: Any) -> None:
        """Record the result of a seeded reset without options, or warn if it differs from the last one."""
        if self._done or seed is None or options is not None or not isinstance(result, tuple) or len(result) != 2:
            return
        if self._first is None:
            self._first = seed, deepcopy(result[0])
        elif self._first[0] == seed:
            _check_same(env, seed, self._first[1], result[0])
            self._first, self._done = None, True


def _check_same(env: Env, seed: int, first: object, second: object) -> None:
    if (env.spec is not None and env.spec.nondeterministic) or data_equivalence(first, second):
        return
    if env.unwrapped._np_random_seed != seed:
        warn(
            f"G212: reset(seed={seed}) must seed np_random, but did not, and came to another observation than before; "
            "begin reset() with super().reset(seed=seed)"
        )
    else:
        warn(
            f"G213: Two reset(seed={seed}) must return the same observation, but returned {first!r} and {second!r}; "
            "draw all randomness of reset() from self.np_random"
        )
