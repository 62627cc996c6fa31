"""The common part of all calls of `RayVectorEnv`: their order, their waiting, their failures."""

from __future__ import annotations

import multiprocessing
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.core import ActType, ObsType
from gymnasium.error import AlreadyPendingCallError
from gymnasium.logger import warn
from gymnasium.vector._batch.asking import AsyncShell, AsyncState, check_asked
from gymnasium.vector._batch.infos import add_info
from gymnasium.vector._workers.failures import Failure, raise_last
from palaestra.ray.batches import joined, merged_infos
from palaestra.ray.collecting import AsyncRollouts
from palaestra.ray.replacement import Resuming
from palaestra.ray.supervisor import Supervisor
from palaestra.ray.worker import Worker

_GRACE = 1.0  # s, for environments to close after a failure


class RayCalls(AsyncShell[ObsType, ActType]):
    """The private methods of `RayVectorEnv` that make, wait for and end calls."""

    _supervisor: Supervisor
    _finished: NDArray[np.bool_]
    _asked: dict[int, int]  # the pending call: the number of the request of each worker that has one
    _collecting: AsyncRollouts | None = None

    def _drop(self) -> None:
        self._state = AsyncState.DEFAULT
        for worker in self._supervisor.workers:
            worker.drop()

    def _interrupt(self) -> None:
        self._supervisor.interrupted = True

    def _end_workers(self, timeout: float) -> list[Failure]:
        return self._supervisor.stop(timeout)

    def _in_flight(self) -> list[int]:
        return [env for envs in self._supervisor.in_flight.values() for env in envs]

    def _finished_flags(self) -> NDArray[np.bool_]:
        return self._finished

    def _check_nothing_pending(self, method: str) -> None:
        super()._check_nothing_pending(method)
        if self._collecting is not None:
            raise AlreadyPendingCallError(
                f"`{method}` was called while rollouts are collected: `close` them first", "call"
            )

    def _ask(self, state: AsyncState, kind: str, contents: Mapping[int, tuple[object, ...]]) -> None:
        """Ask workers, by their indices."""
        self._supervisor.poll()
        self._state = state
        self._asked = {k: self._supervisor.workers[k].ask(kind, each) for k, each in contents.items()}

    def _ask_all(self, state: AsyncState, kind: str, *contents: object) -> None:
        """Ask all workers the same."""
        self._ask(state, kind, {worker.index: contents for worker in self._supervisor.workers})

    def _wait(self, state: AsyncState, timeout: float | None, method: str | None = None) -> dict[int, Any]:
        """Wait for the pending call. Returns the results, by worker."""
        method = method or f"{state.value}_wait"
        self._check_open(method)
        check_asked(method, self._state, state)
        timeout = self.timeout if timeout is None else timeout
        supervisor, late = self._supervisor, []
        try:
            in_time = supervisor.wait(self._has_answers, timeout)
        finally:
            self._state = AsyncState.DEFAULT
            values = {k: supervisor.workers[k].values.pop(number, None) for k, number in self._asked.items()}
            late = [supervisor.workers[k] for k, number in self._asked.items() if number in supervisor.workers[k].open]
            for worker in late:
                worker.drop()
        self._raise_failures(closes=state is not AsyncState.WAITING_CALL)
        if not in_time:
            raise _too_late(method, timeout, late)
        return values

    def _has_answers(self) -> bool:
        workers = self._supervisor.workers
        return all([number not in workers[k].open for k, number in self._asked.items()])

    def _landed(self) -> int:
        return sum(len(self._supervisor.in_flight[key]) for key in self._supervisor.completed)

    def _await_landed(self, wanted: int, timeout: float | None, method: str) -> None:
        """Wait until so many environments that step separately are done."""
        in_time = self._supervisor.wait(lambda: self._landed() >= wanted, timeout, everyone=False)
        self._raise_failures()
        if not in_time:
            raise multiprocessing.TimeoutError(
                f"`{method}` waited {timeout} s for {wanted} environments, of which {self._landed()} are done: call it "
                "again"
            )

    def _raise_failures(self, closes: bool = True) -> None:
        """Raise the failure, and close, unless the environments are as before. Issue warnings before."""
        supervisor = self._supervisor
        notices, supervisor.notices = supervisor.notices, []
        failures = supervisor.take_failures()
        if failures and (closes or any(worker.gone for worker in supervisor.workers)):
            self.closed = True
            self._stop(_GRACE)
        for notice in notices:
            warn("%s", notice)
        if failures:
            raise_last(failures)

    def _observed(self) -> Any:
        """Returns the newest observations of all environments, in new memory."""
        return joined(self.single_observation_space, [worker.observations for worker in self._supervisor.workers])

    def _merged(self, parts: Sequence[tuple[dict[str, Any], Sequence[int]]]) -> dict[str, Any]:
        """Returns the infos of batches of these environments as one dict."""
        infos = merged_infos([(one, len(envs)) for one, envs in parts]) if any(one for one, _ in parts) else {}
        replacement = self._supervisor.replacement
        if isinstance(replacement, Resuming) and replacement.resumed:
            ids = [env for _, envs in parts for env in envs]
            for row, env in enumerate(ids):
                if env in replacement.resumed:
                    replacement.resumed.discard(env)
                    add_info(infos, {"worker_resumed": True}, row, len(ids))
        return infos

    def _worker_of(self, env: int) -> Worker:
        return next(worker for worker in self._supervisor.workers if env in worker.envs)


def _too_late(method: str, timeout: float | None, workers: Sequence[Worker]) -> multiprocessing.TimeoutError:
    """Returns the error for actors that did not answer in time."""
    envs = [env for worker in workers for env in worker.envs]
    names = ", ".join(worker.called() for worker in workers)
    return multiprocessing.TimeoutError(
        f"`{method}` waited {timeout} s, and the environments {envs} are not done ({names}). Their results will be "
        "dropped"
    )
