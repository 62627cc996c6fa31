"""A batch of environments stepped at the same time, in worker processes."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from multiprocessing.process import BaseProcess
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gymnasium.core import ActType, Env, ObsType
from gymnasium.spaces.batching import batch_space
from gymnasium.vector._batch.actions import action_checker
from gymnasium.vector._batch.asking import AsyncState
from gymnasium.vector._batch.functions import checked_functions
from gymnasium.vector._batch.requests import checked_min_envs
from gymnasium.vector._batch.spaces import ObservationMode
from gymnasium.vector._batch.turns import alone, begin_turns
from gymnasium.vector._workers.dispatch import (
    ask_to_reset,
    ask_to_step,
    ask_to_step_singly,
    merged_infos,
    reset_tasks,
)
from gymnasium.vector._workers.pending import too_few
from gymnasium.vector._workers.pipe_worker import PipeWorker
from gymnasium.vector._workers.snapshots import AsyncMoments
from gymnasium.vector._workers.start import Plan, Workers, started
from gymnasium.vector.utils import CloudpickleWrapper as CloudpickleWrapper  # SuperSuit takes it from here
from gymnasium.vector.vector_env import AutoresetMode

__all__ = ["AsyncState", "AsyncVectorEnv"]


class AsyncVectorEnv(AsyncMoments[ObsType, ActType]):
    """Environments in worker processes, several in each; actions and results are in memory shared by all.

    The workers make their environments at the same time; their functions are pickled by cloudpickle unless processes
    are forked. After steps shorter than 3 ms the workers poll for the next one, for 1 ms at most.

    No call outlasts its timeout, whatever a worker does, and the death of a worker is noticed at once:

    - An exception in an environment, or in its constructor, is raised here. It has its own type if it can be pickled,
      and is a `WorkerError` otherwise. It names the environment, the process and the traceback there. A worker that
      dies raises a `WorkerError` with its exit code or signal. After either, the vector environment is closed, unless
      `on_failure` says otherwise. An exception in `call` or `set_attr` leaves it open.
    - A wait without a pending call raises `gymnasium.error.NoAsyncCallError`. A call while another is pending raises
      `gymnasium.error.AlreadyPendingCallError`.
    - After a timeout, `multiprocessing.TimeoutError` names the environments that are not done. They still complete the
      call, but its late result is dropped. The next call can be made at once and returns its own result. After a
      `reset` that timed out, `reset` again before a `step`.
    - `close` asks the workers to close their environments, and kills those that have not done so after a time.

    Args:
        env_fns: Functions without arguments, one per environment, that make the environments.
        shared_memory: Whether observations are in the shared memory. If their space does not allow it (Graph, Sequence,
            custom spaces), they are always pickled.
        copy: Whether each call returns new observations. If False, arrays are reused with new values.
        context: The start method of processes: "fork", "forkserver", "spawn", or None for the system's default
            ("forkserver" instead of "fork" if JAX is loaded, or pyglet has begun to draw: neither survives a fork).
        daemon: Whether the processes are daemons, which may not have child processes.
        worker: A function to run in the processes instead, one for each environment:
            `worker(index, env_fn, pipe, parent_pipe, shared_memory, error_queue, autoreset_mode, semaphore)`. It
            answers the commands that come through the pipe. The spaces are then those of environments made here.
        observation_mode: See `SyncVectorEnv`.
        autoreset_mode: The autoreset mode.
        max_concurrency: The maximum number of environments that step or reset at the same time.
        num_workers: Palaestra only. The number of processes that share the environments; by default the number of
            cores.
        on_failure: Palaestra only. "raise", "restart" or "resume".

            - "restart": Another worker replaces one that died or raised. Its environments are made anew by their
              functions, so values set by `set_attr` are lost, and begin new episodes. Running episodes end as
              truncated, with reward 0 and the last observation, and `infos["worker_restarted"]` is True for them. A
              worker that fails repeatedly raises, and so does a call whose answer is lost with its worker.
            - "resume": Another worker replaces one that died, and nothing is lost. Its environments return to their
              last snapshot and repeat their actions since. All results are those of an undisturbed run, bit for bit,
              and `infos["worker_resumed"]` is True for them in the next. The fourth death at the same request raises.
              An exception raises as with "raise", because it would only be repeated.
        snapshot_every: Palaestra only. With "resume", the number of steps between two snapshots; 1000 by default. There
            is also one at a reset, unless the last is recent. The values of `set_attr` are set again, and methods that
            returned None are called again. Any other method must change nothing that `get_state` does not return. An
            environment without `get_state` repeats its actions since the last reset of all with seeds, so it must
            depend on nothing else. One that comes to another observation raises a `WorkerError`.
        worker_timeout: Palaestra only. With "resume", the time limit, in seconds, for one request to a worker. A worker
            that takes longer is replaced as if it had died. None for no limit.
        timeout: Palaestra only. The time limit, in seconds, of `reset`, `step` and `call`, and of the waits and `recv`
            without a timeout of their own; None for no limit.
        start_timeout: Palaestra only. The time limit, in seconds, for a worker to make its environments.

    Raises:
        ValueError: For any other value of an argument.
        pickle.PicklingError: If a function must be pickled but cannot be.
        RuntimeError: If the environments' spaces do not fit together.
    """

    def __init__(
        self,
        env_fns: Iterable[Callable[[], Env]],
        shared_memory: bool = True,
        copy: bool = True,
        context: str | None = None,
        daemon: bool = True,
        worker: Callable[..., None] | None = None,
        observation_mode: ObservationMode = "same",
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        max_concurrency: int | None = None,
        *,
        num_workers: int | None = None,
        on_failure: Literal["raise", "restart", "resume"] = "raise",
        snapshot_every: int | None = None,
        worker_timeout: float | None = None,
        timeout: float | None = None,
        start_timeout: float | None = 120.0,
    ) -> None:
        self.env_fns = checked_functions(env_fns)
        self.num_envs = len(self.env_fns)
        self.shared_memory = shared_memory
        self.copy = copy
        self.context = context
        self.daemon = daemon
        self.worker = worker
        self.observation_mode = observation_mode
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.max_concurrency = max_concurrency
        self.on_failure = on_failure
        self.timeout = timeout
        plan = Plan(
            tuple(self.env_fns),
            shared_memory,
            context,
            daemon,
            worker,
            observation_mode,
            self.autoreset_mode,
            max_concurrency,
            num_workers,
            on_failure,
            snapshot_every,
            worker_timeout,
            start_timeout,
        )
        self._take(started(plan))

    def _take(self, workers: Workers) -> None:
        begin_turns(self, "_sole")
        self._supervisor = workers.supervisor
        self._restarter = workers.restarter
        self._end = weakref.finalize(self, workers.supervisor.stop, 0.0)
        self.error_queue = workers.error_queue
        self.metadata = {**workers.metadata, "autoreset_mode": self.autoreset_mode}
        self.render_mode = workers.render_mode
        self.observation_space = workers.observation_space
        self.single_observation_space = workers.single_observation_space
        self.single_action_space = workers.single_action_space
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._check_actions = action_checker(self.single_action_space)

    @property
    def processes(self) -> list[BaseProcess]:
        """The worker processes."""
        return [worker.process for worker in self._supervisor.workers]

    @property
    def parent_pipes(self) -> list[Any]:
        """The pipes to the processes of a custom worker; None for one that is closed."""
        return [worker.pipe for worker in self._supervisor.workers if isinstance(worker, PipeWorker)]

    @property
    def observations(self) -> Any:
        """The newest observations, those that `step` returns with `copy=False`."""
        return self._board().observations()

    def _ask_to_reset(self, seeds: Sequence[int | None], mask: NDArray[np.bool_], options: list[Any]) -> None:
        tasks = reset_tasks(self._supervisor, seeds, options, mask.tolist())
        self._note(AsyncState.WAITING_RESET, tasks)
        ask_to_reset(self._supervisor, tasks)

    @alone
    def reset_wait(self, timeout: float | None = None) -> tuple[ObsType, dict[str, Any]]:
        """Returns the first observations and infos of the pending reset; for its errors, see the class."""
        self._wait(AsyncState.WAITING_RESET, timeout)
        self._reset_needed = False
        return self._observed(), merged_infos(self._supervisor, range(self.num_envs))

    def _ask_to_step(self, actions: object) -> None:
        self._note(AsyncState.WAITING_STEP)
        ask_to_step(self._supervisor, self._board(), actions)

    @alone
    def step_wait(
        self, timeout: float | None = None
    ) -> tuple[ObsType, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Returns the results of the pending step; for its errors, see the class."""
        self._wait(AsyncState.WAITING_STEP, timeout)
        board = self._board()
        infos = merged_infos(self._supervisor, range(self.num_envs))
        return self._observed(), board.rewards.copy(), board.terminations.copy(), board.truncations.copy(), infos

    @alone
    def send(self, actions: ActType, env_ids: Sequence[int] | NDArray[np.integer] | None = None) -> None:
        """Send actions to some environments, which act at once; those of one worker act one after the other."""
        self._check_nothing_pending("send")
        ids = self._checked_send(env_ids)
        batch = self._check_actions(actions, len(ids))
        self._note(AsyncState.DEFAULT)
        ask_to_step_singly(self._supervisor, self._board(), batch, ids)

    @alone
    def recv(
        self, min_envs: int = 1, timeout: float | None = None
    ) -> tuple[ObsType, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Wait until `min_envs` of the environments in flight are done, in any order."""
        self._check_nothing_pending("recv")
        supervisor = self._supervisor
        wanted = checked_min_envs(min_envs, len(supervisor.flying) + len(supervisor.landed))
        timeout = self.timeout if timeout is None else timeout
        in_time = supervisor.wait(lambda: len(supervisor.landed) >= wanted, timeout)
        self._raise_failures()
        if not in_time:
            raise too_few(timeout, wanted, len(supervisor.landed), sorted(supervisor.flying))
        ids, supervisor.landed = supervisor.landed, []
        board = self._board()
        infos = merged_infos(self._supervisor, ids)
        infos["env_id"] = np.array(ids, np.int64)
        return board.observations_of(ids), board.rewards[ids], board.terminations[ids], board.truncations[ids], infos

    def _ask_to_call(self, name: str, args: tuple[object, ...], kwargs: dict[str, Any]) -> None:
        number = self._supervisor.next_number()
        self._note(AsyncState.WAITING_CALL)
        for worker in self._supervisor.workers:
            worker.call(number, name, args, kwargs)

    @alone
    def call_wait(self, timeout: float | None = None) -> tuple[Any, ...]:
        """Returns the results of the pending call; for its errors, see the class."""
        self._wait(AsyncState.WAITING_CALL, timeout)
        return tuple(value for worker in self._supervisor.workers for value in worker.values)

    def _check_beginnings(self, method: str) -> None:
        super()._check_beginnings(method)
        if self.worker is not None:
            raise TypeError(f"The `worker` function of AsyncVectorEnv does not know `{method}`: leave it out")

    def _try_options(self, options: Mapping[int, dict[str, Any] | None]) -> None:
        if self.worker is None:
            super()._try_options(options)

    def _remember(self, name: str, values: Any) -> None:
        if self._restarter is not None:
            self._restarter.beginnings[name] = values

    def _ask_to_set(self, name: str, values: Any) -> None:
        number = self._supervisor.next_number()
        self._note(AsyncState.WAITING_CALL)
        for worker in self._supervisor.workers:
            worker.set_attr(number, name, values[worker.envs.start : worker.envs.stop])
