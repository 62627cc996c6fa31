"""Replaces failed workers with new ones, for `on_failure="restart"`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gymnasium.logger import info, warn
from gymnasium.vector._workers.arena import Layout, Memory
from gymnasium.vector._workers.board import Board
from gymnasium.vector._workers.failures import Failure
from gymnasium.vector._workers.handle import ArenaWorker, WorkerHandle
from gymnasium.vector._workers.protocol import Setup, Unanswered
from gymnasium.vector._workers.supervisor import Supervisor
from gymnasium.vector.vector_env import AutoresetMode

_ATTEMPTS = 3


class Restarter:
    """Restarts workers, and sends them the requests of the failed ones again.

    The environments of a new worker replace those of the old one. The first step ends each running episode as truncated
    (see `LostMember`), so only these episodes are lost.

    Attributes:
        reset_tasks: By worker, the requests of the current reset; None if there is none.
        calling: Whether the current request is a call, which a new environment cannot answer for an old one.
        memory: The memory shared with the workers.
        episodes_began: Whether the environments have been reset once.
        beginnings: The values set under the names of `beginnings`, of all environments.
    """

    def __init__(
        self,
        supervisor: Supervisor,
        start: Callable[[ArenaWorker], None],
        memory: Memory,
        layout: Layout,
        board: Board,
        mode: AutoresetMode,
    ) -> None:
        self.reset_tasks: dict[int, list[tuple[int, int | None, Any]]] | None = None
        self.calling = False
        self.episodes_began = False
        self.beginnings: dict[str, Any] = {}
        self._supervisor = supervisor
        self._start = start
        self.memory = memory
        self._layout = layout
        self._board = board
        self._mode = mode

    def __call__(self, worker: WorkerHandle, failures: list[Failure], missing: Unanswered) -> bool:
        """Start a worker in place of one that failed.

        Returns:
            False if the failure must be raised: after a few attempts without any answer in between, and during a call,
            whose result is lost with the old worker (the new one is started anyway, unless the call only raised an
            exception).
        """
        assert isinstance(worker, ArenaWorker)
        if worker.attempts >= _ATTEMPTS or (self.calling and not worker.gone):
            return False
        for failure in failures:
            warn("%s; its worker is started anew", failure.in_one_line())
            info("%s", failure.in_full())
        attempts = worker.attempts + 1
        self._supervisor.discard(worker)
        self._supervisor.restore(worker, missing)
        self._start(worker)
        worker.attempts = attempts
        worker.share(self.memory, self._setup(worker))
        self._ask_again(worker, missing.awaited is not None and not self.calling)
        return not self.calling

    def _setup(self, worker: ArenaWorker) -> Setup:
        rows = slice(worker.envs.start, worker.envs.stop)
        beginnings = [(name, values[rows]) for name, values in self.beginnings.items()]
        if not self.episodes_began:
            return Setup(self._layout, {}, [], beginnings=beginnings)
        finished = self._board.finished() & (self._mode is not AutoresetMode.SAME_STEP)
        lost = {place: self._board.observation(env) for place, env in enumerate(worker.envs) if not finished[env]}
        over = [place for place, env in enumerate(worker.envs) if finished[env]]
        return Setup(self._layout, lost, over, beginnings=beginnings)

    def _ask_again(self, worker: ArenaWorker, awaiting: bool) -> None:
        number = self._supervisor.next_number()
        if awaiting and self.reset_tasks is not None:
            worker.reset(number, self.reset_tasks[worker.index])
        elif awaiting:
            # Neither a lost episode nor a finished one uses its action.
            worker.step(number, None, [None] * len(worker.envs))
        flying = [env for env in worker.envs if env in self._supervisor.flying]
        if flying:
            self._supervisor.flying.update(dict.fromkeys(flying, number))
            places = [env - worker.envs.start for env in flying]
            worker.step(number, places, [None] * len(places), singly=True)
