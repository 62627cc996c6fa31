"""The common part of all calls of `AsyncVectorEnv`: their order, their waiting, their failures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.core import ActType, ObsType
from gymnasium.logger import warn
from gymnasium.vector._batch.asking import AsyncShell, AsyncState, check_asked
from gymnasium.vector._workers.board import Board, copied
from gymnasium.vector._workers.dispatch import ResetTasks
from gymnasium.vector._workers.failures import Failure, raise_last
from gymnasium.vector._workers.pending import too_late
from gymnasium.vector._workers.restart import Restarter
from gymnasium.vector._workers.supervisor import Supervisor

_GRACE = 1.0  # s, for environments to close after a failure


class AsyncCalls(AsyncShell[ObsType, ActType]):
    """The private methods of `AsyncVectorEnv` that make, wait for and end calls."""

    copy: bool
    _supervisor: Supervisor
    _restarter: Restarter | None

    def _drop(self) -> None:
        self._supervisor.abandon()
        self._note(AsyncState.DEFAULT)

    def _interrupt(self) -> None:
        self._supervisor.interrupted = True

    def _end_workers(self, timeout: float) -> list[Failure]:
        self._restarter = None
        return self._supervisor.stop(timeout)

    def _board(self) -> Board:
        """Returns the source of the results."""
        board = self._supervisor.board
        if board is None:
            raise self._closed_error("observations")
        return board

    def _observed(self) -> Any:
        observations = self._board().observations()
        return copied(observations) if self.copy else observations

    def _in_flight(self) -> list[int]:
        return [*self._supervisor.flying, *self._supervisor.landed]

    def _finished_flags(self) -> Sequence[bool] | NDArray[np.bool_]:
        return self._board().finished()

    def _note(self, state: AsyncState, tasks: ResetTasks | None = None) -> None:
        """Record the pending call."""
        self._state = state
        if state is not AsyncState.DEFAULT:
            self._supervisor.take_infos(range(self.num_envs))
        if self._restarter is not None:
            self._restarter.reset_tasks = tasks
            self._restarter.calling = state is AsyncState.WAITING_CALL
            self._restarter.episodes_began = not self._reset_needed

    def _wait(self, state: AsyncState, timeout: float | None, method: str | None = None) -> None:
        """Wait for all environments."""
        method = method or f"{state.value}_wait"
        self._check_open(method)
        check_asked(method, self._state, state)
        timeout = self.timeout if timeout is None else timeout
        try:
            in_time = self._supervisor.wait(self._supervisor.answered, timeout)
        finally:
            late = self._supervisor.abandon()
            self._note(AsyncState.DEFAULT)
        self._raise_failures(closes=state is not AsyncState.WAITING_CALL)
        if not in_time:
            raise too_late(method, timeout, late)

    def _raise_failures(self, closes: bool = True) -> None:
        """Raise the failure, and close, unless the environments are as before. Issue warnings before."""
        notices, self._supervisor.notices = self._supervisor.notices, []
        for notice in notices:
            warn("%s", notice)
        if failures := self._supervisor.take_failures():
            if closes or any(worker.gone for worker in self._supervisor.workers):
                self.closed = True
                self._stop(_GRACE)
            raise_last(failures)
