"""Starts the workers of a vector environment, and collects the properties of their environments."""

from __future__ import annotations

import contextlib
import multiprocessing
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from gymnasium.core import Env
from gymnasium.error import CustomSpaceError
from gymnasium.spaces.sharing import create_shared_memory, read_from_shared_memory
from gymnasium.spaces.space import Space
from gymnasium.utils._counts import cores, positive
from gymnasium.vector._batch.spaces import ObservationMode, common_action_space, observation_spaces
from gymnasium.vector._workers.arena import Arena, Layout, Memory, can_share_memory, fits_arena, is_arrays
from gymnasium.vector._workers.board import Board
from gymnasium.vector._workers.handle import ArenaWorker
from gymnasium.vector._workers.journal import Journal
from gymnasium.vector._workers.pipe_worker import PipeWorker, check_worker
from gymnasium.vector._workers.preflight import pickled_functions
from gymnasium.vector._workers.protocol import STARTED, Report, Setup
from gymnasium.vector._workers.restart import Restarter
from gymnasium.vector._workers.resume import Resumer
from gymnasium.vector._workers.supervisor import Supervisor
from gymnasium.vector.vector_env import AutoresetMode

SNAPSHOT_EVERY = 1000  # steps; a snapshot takes as long as about ten


@dataclass(frozen=True)
class Plan:
    """The plan of a workers: arguments of `AsyncVectorEnv`, which documents them."""

    env_fns: tuple[Callable[[], Env], ...]
    shared_memory: bool
    context: str | None
    daemon: bool
    worker: Callable[..., None] | None
    observation_mode: ObservationMode
    autoreset_mode: AutoresetMode
    max_concurrency: int | None
    num_workers: int | None
    on_failure: str
    snapshot_every: int | None
    worker_timeout: float | None
    start_timeout: float | None

    def __post_init__(self) -> None:
        """Check the values beyond their types, before any process is started."""
        for name in ("max_concurrency", "num_workers", "snapshot_every"):
            number = getattr(self, name)
            if number is not None:
                positive(name, number)
        if self.on_failure not in ("raise", "restart", "resume"):
            raise ValueError(f"`on_failure` must be 'raise', 'restart' or 'resume', but {self.on_failure!r} came")
        limit = self.worker_timeout
        if limit is not None and (isinstance(limit, bool) or not isinstance(limit, (int, float)) or not limit > 0):
            raise ValueError(f"`worker_timeout` must be a positive number of seconds or None, but {limit!r} came")
        for name in ("snapshot_every", "worker_timeout"):
            if self.on_failure != "resume" and getattr(self, name) is not None:
                raise ValueError(f"`{name}` is for on_failure='resume', but on_failure={self.on_failure!r} came")
        if self.worker is not None:
            check_worker(self.worker)
            if self.on_failure != "raise" or self.num_workers is not None:
                raise ValueError(f"`on_failure={self.on_failure!r}` and `num_workers` are not for a custom `worker`")

    def shares(self) -> list[range]:
        """Returns the environments of each worker.

        A worker runs one environment at a time, so `max_concurrency` workers never run more.
        """
        n = len(self.env_fns)
        workers = min(n, self.num_workers or cores(), self.max_concurrency or n)
        bounds = [n * i // workers for i in range(workers + 1)]
        return [range(first, last) for first, last in pairwise(bounds)]


@dataclass(frozen=True)
class Workers:
    """Workers that are ready.

    Attributes:
        supervisor: Waits for them.
        board: Holds their results.
        restarter: Replaces them; None if failures are raised.
        observation_space: Of a batch.
        single_observation_space: Of one environment.
        single_action_space: Of one environment.
        metadata: Of the first environment, like `render_mode`.
        render_mode: Of the first environment.
        error_queue: Of a custom worker.
    """

    supervisor: Supervisor
    board: Board
    restarter: Restarter | None
    observation_space: Space
    single_observation_space: Space
    single_action_space: Space
    metadata: dict[str, Any]
    render_mode: str | None
    error_queue: Any = None


def started(plan: Plan) -> Workers:
    """Returns the workers of the plan, ready.

    On any error, no process is left.
    """
    return _arena_workers(plan) if plan.worker is None else _pipe_workers(plan, plan.worker)


def _arena_workers(plan: Plan) -> Workers:
    if not can_share_memory():
        raise OSError(
            "AsyncVectorEnv passes memory to its workers through a Unix socket (`socket.AF_UNIX`), which this system "
            "lacks: choose vectorization_mode='sync'"
        )
    context = _context(plan.context)
    workers = [ArenaWorker(index, share) for index, share in enumerate(plan.shares())]
    functions: list[Any] = [plan.env_fns[worker.envs.start : worker.envs.stop] for worker in workers]
    if context.get_start_method() != "fork":
        functions = [
            pickled_functions(share, worker.envs.start) for worker, share in zip(workers, functions, strict=True)
        ]
    supervisor = Supervisor(workers, plan.start_timeout)

    def start(worker: ArenaWorker) -> None:
        worker.start(context, functions[worker.index], plan.autoreset_mode, plan.daemon, workers)
        supervisor.watch(worker)

    try:
        for worker in workers:
            start(worker)
            worker.awaited = STARTED
        supervisor.wait(supervisor.answered, None)
        for failure in supervisor.take_failures():
            raise failure.exception()
        return _equipped(plan, supervisor, workers, start)
    except BaseException:
        supervisor.stop(0.0)
        raise


def _equipped(
    plan: Plan, supervisor: Supervisor, workers: Sequence[ArenaWorker], start: Callable[[ArenaWorker], None]
) -> Workers:
    """Give the workers the memory for their environments."""
    n, reports = len(plan.env_fns), [worker.report for worker in workers]
    batched, single, action_space = _spaces(plan, reports)
    layout = Layout(
        n,
        single if plan.shared_memory and fits_arena(single) else None,
        action_space if is_arrays(action_space) else None,
    )
    memory = Memory(layout.size())
    arena = Arena(layout, memory)
    board = Board(single, n, None if layout.observation_space is None else arena.observations, arena)
    setup, restarter = Setup(layout, {}, []), None
    if plan.on_failure == "restart":
        restarter = Restarter(supervisor, start, memory, layout, board, plan.autoreset_mode)
        supervisor.renew = restarter
    elif plan.on_failure == "resume":
        resumer = Resumer(supervisor, start, memory, layout, board, plan.snapshot_every or SNAPSHOT_EVERY)
        supervisor.renew, supervisor.keeps_requests, setup = resumer, True, resumer.setup()
        for worker in workers:
            worker.journal = Journal(worker.envs, plan.worker_timeout)
    for worker in workers:
        worker.share(memory, setup)
    supervisor.board = board
    supervisor.saved = None if supervisor.renew is None else arena.saved()
    if supervisor.renew is None:
        memory.close_handle()
    return Workers(
        supervisor, board, restarter, batched, single, action_space, reports[0].metadata, reports[0].render_mode
    )


def _spaces(plan: Plan, reports: Sequence[Report]) -> tuple[Space, Space, Space]:
    """Returns the space of a batch of observations, of a single one, and of a single action."""
    action_space = common_action_space([space for report in reports for space in report.action_spaces])
    batched, single = observation_spaces(
        plan.observation_mode, [space for report in reports for space in report.observation_spaces]
    )
    return batched, single, action_space


def _pipe_workers(plan: Plan, worker: Callable[..., None]) -> Workers:
    context = _context(plan.context)
    report, n = _report_of(plan), len(plan.env_fns)
    batched, single, action_space = _spaces(plan, [report])
    memory = _shared_observations(single, n, context) if plan.shared_memory else None
    board = Board(single, n, None if memory is None else lambda: read_from_shared_memory(single, memory, n))
    semaphore = None if plan.max_concurrency is None else context.BoundedSemaphore(int(plan.max_concurrency))
    errors = context.SimpleQueue()
    workers = [PipeWorker(index, board, errors) for index in range(n)]
    supervisor = Supervisor(workers, plan.start_timeout)
    supervisor.board = board
    try:
        for each, env_fn in zip(workers, plan.env_fns, strict=True):
            each.start(context, worker, env_fn, plan.daemon, memory, plan.autoreset_mode, semaphore)
            supervisor.watch(each)
    except BaseException:
        supervisor.stop(0.0)
        raise
    return Workers(supervisor, board, None, batched, single, action_space, report.metadata, report.render_mode, errors)


def _report_of(plan: Plan) -> Report:
    """Returns the properties of the environments, from some made here, because a custom worker does not report them."""
    count = len(plan.env_fns) if plan.observation_mode == "different" else 1
    spaces = []
    for env_fn in plan.env_fns[:count]:
        env = env_fn()
        spaces.append((env.observation_space, env.action_space))
        metadata, render_mode = env.metadata, env.render_mode
        env.close()
    observation, action = zip(*(spaces * (len(plan.env_fns) // count)), strict=True)
    return Report(list(observation), list(action), metadata, render_mode)


def _shared_observations(space: Space, n: int, context: Any) -> Any:
    try:
        return create_shared_memory(space, n, context)
    except CustomSpaceError as error:
        raise ValueError(
            f"A custom worker cannot share observations of {space}: choose shared_memory=False to pickle them, or "
            "register the space for gymnasium.vector.utils.create_shared_memory"
        ) from error


def _context(name: str | None) -> Any:
    """Returns the start method of processes: by default not a fork that would hang."""
    if name is None and _is_fork_unsafe() and multiprocessing.get_start_method() == "fork":
        name = "forkserver"
    try:
        return multiprocessing.get_context(name)
    except ValueError as error:
        there = [each for each in ("fork", "forkserver", "spawn") if _is_there(each)]
        raise ValueError(f"`context` is one of {there} on this system, or None, but {name!r} came") from error


def _is_fork_unsafe() -> bool:
    """Returns whether JAX is loaded, or pyglet (as in Miniworld) has a graphics context: a fork lacks their threads."""
    return "jax" in sys.modules or getattr(sys.modules.get("pyglet.gl"), "current_context", None) is not None


def _is_there(name: str) -> bool:
    with contextlib.suppress(ValueError):
        multiprocessing.get_context(name)
        return True
    return False
