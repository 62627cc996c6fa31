"""The rows of a batch in which an episode ends or begins, by one rule for all autoreset modes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gymnasium.logger import warn
from gymnasium.vector.vector_env import AutoresetMode, VectorEnv


def autoreset_mode(env: VectorEnv) -> AutoresetMode:
    """Returns the autoreset mode of an environment; NEXT_STEP, with a warning, if its metadata lack it.

    Raises:
        TypeError: If the metadata hold anything but an `AutoresetMode`.
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


Rows: TypeAlias = NDArray[np.intp]


class Episodes:
    """Follows the episodes of a batch.

    At each step, few environments of a large batch end an episode, so these are kept as rows, not as a mask.

    Attributes:
        mode: The autoreset mode.
    """

    _lent: NDArray[np.bool_] | None = None  # the mask that was handed out, and maybe written into

    def __init__(self, env: VectorEnv) -> None:
        self.mode = autoreset_mode(env)
        self._n = env.num_envs
        self._finished: Rows = np.zeros(0, np.intp)

    @property
    def finished(self) -> NDArray[np.bool_]:
        """A mask of the environments whose episode is over and whose reset is pending; writing into it counts."""
        if self._lent is None:
            self._lent = np.zeros(self._n, np.bool_)
            self._lent[self._finished] = True
        return self._lent

    @finished.setter
    def finished(self, mask: NDArray[np.bool_]) -> None:
        self._lent = np.asarray(mask, np.bool_)

    def _take_back(self) -> None:
        if self._lent is not None:
            self._finished, self._lent = np.flatnonzero(self._lent), None

    def reset(self, options: Any) -> NDArray[np.bool_]:
        """Returns a mask of the environments affected by a successful reset with these options."""
        mask = options.get("reset_mask") if isinstance(options, Mapping) else None
        begun = np.ones(self._n, np.bool_) if mask is None else np.array(mask, np.bool_)
        self._take_back()
        self._finished = self._finished[~begun[self._finished]]
        return begun

    def step(self, terminations: Any, truncations: Any) -> tuple[NDArray[np.bool_], Rows, Rows]:
        """Follow a step.

        Returns:
            The mask of the episodes that it ended, their rows, and the rows that returned a first observation.
        """
        ended = np.logical_or(terminations, truncations)
        rows = ended.nonzero()[0]
        if self.mode is AutoresetMode.SAME_STEP:
            return ended, rows, rows
        self._take_back()
        begun, self._finished = self._finished, rows
        return ended, rows, begun
