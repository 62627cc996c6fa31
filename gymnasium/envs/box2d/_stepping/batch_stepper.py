"""Steps of many environments of one class, in one call of their kernel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.box2d._stepping.layout import ENDED, SKIPPED
from gymnasium.envs.box2d._stepping.stepping import Call, MachineStepper


class Steppable(Protocol):
    """An environment that a `BatchStepper` steps."""

    def machine_stepper(self) -> MachineStepper | None:
        """Returns the function that steps it; None if Python has a part in its steps."""

    def record(self) -> Callable[[Any], None]:
        """Returns the function that records an action in this episode."""


class BatchStepper:
    """Steps environments as they step themselves, once machine code steps those.

    Args:
        envs: Environments of one class.
        width: How many numbers an action has.
        size: How many numbers an observation has.

    Attributes:
        observations: float32, shape (n, size); of the environments that the last `step` took along, like the others.
        rewards: float64, shape (n,).
        terminations: bool, shape (n,).
    """

    def __init__(self, envs: Sequence[Steppable], width: int, size: int) -> None:
        self._envs = envs
        self._call = Call(None, len(envs), width, size)
        self._table = self._call.table.data  # quicker than the array for single numbers
        self._record: list[Callable[[Any], None]] = [_forget] * len(envs)
        self.observations, self.rewards = self._call.observations, self._call.rewards
        self.terminations = np.zeros(len(envs), np.bool_)

    def include(self, i: int) -> bool:
        """Let environment i take part from now on, if it can; to be called again after anybody else has used it."""
        stepper, call = self._envs[i].machine_stepper(), self._call
        if stepper is None or (call.kernel is not None and call.kernel is not stepper.kernel):
            return False
        call.kernel = stepper.kernel
        self._table[i] = stepper.address
        self._record[i] = self._envs[i].record()
        return True

    def exclude(self, i: int) -> None:
        """Leave environment i out from now on."""
        self._table[i] = 0

    def step(self, actions: np.ndarray) -> NDArray[np.bool_]:
        """Step the environments that take part; returns which did, except those whose world somebody has changed."""
        call = self._call
        if call.kernel is None:
            return np.zeros(len(self._envs), np.bool_)
        rows = actions.reshape(len(actions), -1)
        call.moves[:, : rows.shape[1]] = rows
        failure = call.kernel.call(call.words)
        if failure:
            raise call.kernel.error(failure)
        np.equal(call.results, ENDED, out=self.terminations)
        stepped: NDArray[np.bool_] = call.results != SKIPPED
        moves = actions.tolist() if actions.ndim == 1 else map(tuple, actions.tolist())
        for record, move, done in zip(self._record, moves, stepped.tolist(), strict=True):
            if done:
                record(move)
        return stepped


def _forget(move: Any) -> None:
    """Records nothing, for an environment that has not taken part yet."""
