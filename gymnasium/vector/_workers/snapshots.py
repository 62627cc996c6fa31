"""Moments of environments in worker processes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from multiprocessing.process import BaseProcess
from typing import Any

from gymnasium.core import ActType, ObsType
from gymnasium.states.plain import CannotSnapshot, plain, rebuilt
from gymnasium.vector._batch.asking import AsyncState
from gymnasium.vector._batch.member import MembersState, MemberState, checked_env, places_and_states
from gymnasium.vector._batch.turns import alone
from gymnasium.vector._workers.calls import AsyncCalls
from gymnasium.vector._workers.handle import WorkerHandle
from gymnasium.vector._workers.protocol import STATE


class AsyncMoments(AsyncCalls[ObsType, ActType]):
    """The methods of `AsyncVectorEnv` that keep and put moments."""

    worker: Callable[..., None] | None
    _showing: tuple[int, list[BaseProcess]] = 0, []  # the request for scenes, and the processes that were asked

    @alone
    def get_state(self, i: int | None = None) -> MemberState | MembersState:
        """Returns this moment of environment `i`, or for None of the whole batch: as of `SyncVectorEnv`.

        Raises:
            palaestra.error.CannotSnapshot: Also where there is a `worker` function, which knows nothing of moments.
        """
        self._check_ready("get_state")
        self._check_keeps_moments()
        number = self._supervisor.next_number()
        self._note(AsyncState.WAITING_CALL)
        for worker in self._supervisor.workers:
            worker.call(number, STATE, (), {})
        self._wait(AsyncState.WAITING_CALL, None, "get_state")
        states, board = [value for worker in self._supervisor.workers for value in worker.values], self._board()
        each = [
            state._replace(observation=plain(board.observation(k), "an observation")) for k, state in enumerate(states)
        ]
        return MembersState(tuple(each)) if i is None else each[checked_env(i, self.num_envs)]

    @alone
    def set_state(self, i: int | None, state: MemberState | MembersState, seed: int | None = None) -> None:
        """Put environment `i`, or for None the whole batch, where `get_state` was called: as of `SyncVectorEnv`."""
        self._check_ready("set_state")
        self._check_keeps_moments()
        board = self._board()
        values: list[Any] = [None] * self.num_envs
        for k, one in places_and_states(i, state, self.num_envs):
            like = board.observation(k)
            observation = like if one.observation is None else rebuilt(one.observation, like)
            values[k] = one._replace(observation=observation), seed
        number = self._supervisor.next_number()
        self._note(AsyncState.WAITING_CALL)
        for worker in self._supervisor.workers:
            worker.set_attr(number, STATE, values[worker.envs.start : worker.envs.stop])
        self._wait(AsyncState.WAITING_CALL, None, "set_state")

    @alone
    def _scenes(self, count: int) -> list[bytes] | None:
        """Returns the scenes of the first environments, pickled; nothing on the way, and None if some have none.

        The first call asks the workers, which answer while they wait for other requests. The answers arrive with those
        to later steps.
        """
        workers = [worker for worker in self._supervisor.workers if worker.envs.start < count]
        asked, processes = self._showing
        if processes != [worker.process for worker in workers]:  # not asked yet, or since then, one was replaced
            self._ask_for_scenes(workers, count)
            return []
        shown = [worker.shown[1] for worker in workers if worker.shown is not None and worker.shown[0] == asked]
        if len(shown) < len(workers):
            return []
        self._showing = 0, []
        return shown if all(shown) else None

    def _ask_for_scenes(self, workers: Sequence[WorkerHandle], count: int) -> None:
        self._check_ready("scenes")
        self._check_keeps_moments()
        number = self._supervisor.next_number(singly=True)
        for worker in workers:
            worker.show(number, count - worker.envs.start)
        self._showing = number, [worker.process for worker in workers]

    def _check_keeps_moments(self) -> None:
        if self.worker is not None:
            raise CannotSnapshot("The `worker` function of AsyncVectorEnv keeps no moments: leave it out")
