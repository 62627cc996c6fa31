"""Which rows of a batch have an episode that ends, or one that begins: one rule for all autoreset modes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.logger import warn
from gymnasium.vector.vector_env import AutoresetMode, VectorEnv


def autoreset_mode(env: VectorEnv[Any, Any, Any]) -> AutoresetMode:
    """Returns when the environments are reset; NEXT_STEP, with a warning, if their metadata do not say.

    Raises:
        TypeError: If the metadata say something else than an `AutoresetMode`.
    """
    mode = env.metadata.get("autoreset_mode")
    if mode is None:
        warn(
            f"{env} does not say in metadata['autoreset_mode'] when it resets, so {AutoresetMode.NEXT_STEP} is "
            f"assumed: {env.metadata}"
        )
        return AutoresetMode.NEXT_STEP
    if not isinstance(mode, AutoresetMode):
        raise TypeError(f"metadata['autoreset_mode'] must be an AutoresetMode, but {mode!r} came with {env}")
    return mode


class Episodes:
    """Follows the episodes of a batch.

    Attributes:
        mode: When finished environments are reset.
        finished: A mask of the environments whose episode is over and whose reset has not come yet.
    """

    def __init__(self, env: VectorEnv[Any, Any, Any]) -> None:
        self.mode = autoreset_mode(env)
        self.finished = np.zeros(env.num_envs, np.bool_)

    def reset(self, options: Any) -> NDArray[np.bool_]:
        """Returns a mask of the environments that a reset with these options, which has succeeded, was about."""
        mask = options.get("reset_mask") if isinstance(options, Mapping) else None
        begun = np.ones_like(self.finished) if mask is None else np.array(mask, np.bool_)
        self.finished = self.finished & ~begun
        return begun

    def step(self, terminations: Any, truncations: Any) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Returns the masks of the episodes that this step ended, and of those whose first observation it returned."""
        ended = np.logical_or(terminations, truncations)
        if self.mode is AutoresetMode.SAME_STEP:
            return ended, ended
        begun, self.finished = self.finished, ended
        return ended, begun
