"""The common part of all calls of `AsyncVectorEnv`: their order, their waiting, their failures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
        self._assert_is_running()
        check_asked(method, self._state, state)
        timeout = self.timeout if timeout is None else timeout
        try:  # a subclass may poll otherwise, and without waiting
            in_time = self._poll_pipe_envs(timeout) and self._supervisor.wait(self._supervisor.answered, None)
        finally:
            late = self._supervisor.abandon()
            self._note(AsyncState.DEFAULT)
        self._warn_of_notices()
        if state is AsyncState.WAITING_CALL:
            self._raise_failures(closes=False)
        else:
            self._raise_if_errors([not self._supervisor.failures] * self.num_envs)
        if not in_time:
            raise too_late(method, timeout, late)

    def _assert_is_running(self) -> None:
        """Raise `ClosedEnvironmentError` after `close`; for subclasses, which call and override it."""
        self._check_open("_assert_is_running")

    def _poll_pipe_envs(self, timeout: float | None = None) -> bool:
        """Returns whether all workers answer the pending call in time; for subclasses, which call and override it."""
        return self._supervisor.wait(self._supervisor.answered, timeout)

    def _raise_if_errors(self, successes: Iterable[bool]) -> None:
        """Raise the failure of a worker unless all succeeded; for subclasses, which call and override it."""
        if not all(successes):
            self._raise_failures()

    def _warn_of_notices(self) -> None:
        notices, self._supervisor.notices = self._supervisor.notices, []
        for notice in notices:
            warn("%s", notice)

    def _raise_failures(self, closes: bool = True) -> None:
        """Raise the failure, and close, unless the environments are as before. Issue warnings before."""
        self._warn_of_notices()
        if failures := self._supervisor.take_failures():
            if closes or any(worker.gone for worker in self._supervisor.workers):
                self.closed = True
                self._stop(_GRACE)
            raise_last(failures)
