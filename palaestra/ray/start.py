"""Starts the actors of a vector environment."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.core import Env
from gymnasium.spaces.space import Space
from gymnasium.utils._counts import positive
from gymnasium.vector._batch.functions import checked_functions
from gymnasium.vector._batch.spaces import ObservationMode, common_action_space, observation_spaces
from gymnasium.vector._workers.failures import WorkerError
from gymnasium.vector._workers.preflight import pickled_functions
from gymnasium.vector.sync_vector_env import SyncVectorEnv
from gymnasium.vector.vector_env import AutoresetMode, VectorEnv
from palaestra.ray import cluster
from palaestra.ray.journal import Journal
from palaestra.ray.protocol import Report
from palaestra.ray.replacement import Restarting, Resuming, Setups
from palaestra.ray.supervisor import Supervisor
from palaestra.ray.worker import Worker

Maker = Callable[[int], VectorEnv]

SNAPSHOT_EVERY = 1000  # steps
_EACH = {"num_cpus": 1.0}


@dataclass(frozen=True)
class Plan:
    """Arguments of `RayVectorEnv`, which documents them, checked before anything is started."""

    num_envs: int
    num_workers: int | None
    resources: Mapping[str, float] | None
    placement: str
    address: str | None
    runtime_env: Mapping[str, Any] | None
    on_failure: str
    snapshot_every: int | None
    worker_timeout: float | None
    start_timeout: float | None

    def __post_init__(self) -> None:
        for name in ("num_workers", "snapshot_every"):
            if getattr(self, name) is not None:
                positive(name, getattr(self, name))
        if self.on_failure not in ("raise", "restart", "resume"):
            raise ValueError(f"`on_failure` must be 'raise', 'restart' or 'resume', but {self.on_failure!r} came")
        if self.placement not in cluster.PLACEMENTS:
            choices = ", ".join(map(repr, cluster.PLACEMENTS))
            raise ValueError(f"`placement` must be one of {choices}, but {self.placement!r} came")
        if self.snapshot_every is not None and self.on_failure != "resume":
            raise ValueError(f"`snapshot_every` is for on_failure='resume', but on_failure={self.on_failure!r} came")
        for name in ("worker_timeout", "start_timeout"):
            limit = getattr(self, name)
            if limit is not None and not (_is_number(limit) and limit > 0):
                raise ValueError(f"`{name}` must be a positive number of seconds or None, but {limit!r} came")
        for name, amount in self.each().items():
            if not (isinstance(name, str) and _is_number(amount) and 0 <= amount < math.inf):
                raise ValueError(f"`resources` must be numbers from 0 on by names, but {name!r}: {amount!r} came")

    def each(self) -> Mapping[str, float]:
        """Returns the resources of each actor."""
        if self.resources is not None and not isinstance(self.resources, Mapping):
            raise TypeError(f"`resources` must be a dict such as {_EACH}, but a {type(self.resources)} came")
        return {**_EACH, **(self.resources or {})}

    def shares(self) -> list[range]:
        """Returns the environments of each actor."""
        n = self.num_envs
        room = cluster.processors() // (self.each()["num_cpus"] or 1.0)
        workers = min(n, self.num_workers or max(1, int(room)))
        bounds = [n * i // workers for i in range(workers + 1)]
        return [range(first, last) for first, last in pairwise(bounds)]


@dataclass(frozen=True)
class Actors:
    """Actors that are ready."""

    supervisor: Supervisor
    report: Report
    observation_space: Space
    single_observation_space: Space
    finished: NDArray[np.bool_]


def maker_of(
    env_fns: Iterable[Callable[[], Env]] | Maker, num_envs: int | None, modes: Mapping[str, object]
) -> tuple[Any, int]:
    """Returns the makers of the environments, a function or a list of them, and the number of environments.

    Raises:
        TypeError: If `env_fns` is neither a function nor an iterable of functions.
        ValueError: If the number is missing or does not fit, or a mode is given beside a function.
    """
    if callable(env_fns):
        if num_envs is None:
            raise ValueError("A function that makes batches needs `num_envs` beside it")
        for name, mode in modes.items():
            if mode is not None:
                raise ValueError(f"A function that makes batches chooses their modes itself: leave `{name}` out")
        return env_fns, positive("num_envs", num_envs)
    functions = list(checked_functions(env_fns))
    if num_envs not in (None, len(functions)):
        raise ValueError(f"There are {len(functions)} env_fns, but num_envs={num_envs!r} came: leave it out")
    return functions, len(functions)


def _in_turn(
    functions: Sequence[Callable[[], Env]], mode: AutoresetMode, observed: ObservationMode, num_envs: int
) -> VectorEnv:
    """Returns the batch of single environments, whose observations may differ in bounds unless the whole forbids it."""
    alike: ObservationMode = "same" if observed == "same" else "different"
    return SyncVectorEnv(functions, observation_mode=alike, autoreset_mode=mode)


def started(plan: Plan, maker: object, mode: AutoresetMode, observed: ObservationMode) -> Actors:
    """Returns the actors of the plan, ready.

    On any error, nothing is left on the cluster.
    """
    cpus = plan.each()["num_cpus"] * (plan.num_workers or 1)
    connection = cluster.Connection.open(plan.address, cpus)
    try:
        shares = plan.shares()
        placement = cluster.Placement(plan.each(), len(shares), plan.placement, plan.runtime_env)
        resumes = plan.on_failure == "resume"
        finished = np.zeros(plan.num_envs, np.bool_)
        workers = [
            Worker(k, share, Journal() if resumes else None, finished[share.start : share.stop])
            for k, share in enumerate(shares)
        ]
        supervisor = Supervisor(workers, connection, placement, plan.start_timeout, plan.worker_timeout)
    except BaseException:
        connection.release()
        raise
    try:
        if not placement.wait(plan.start_timeout):
            raise WorkerError(f"The actors had no place within {plan.start_timeout} s: {placement.account()}")
        every = (plan.snapshot_every or SNAPSHOT_EVERY) if resumes else None
        setups = Setups(partial(_pickled, maker, mode, observed), every)
        for worker in workers:
            worker.start(placement, setups(worker))
        supervisor.wait(supervisor.answered, None)
        for failure in supervisor.take_failures():
            raise failure.exception()
        supervisor.know_nodes()
        report, spaces = _common(workers, observed)
        if plan.on_failure != "raise":
            supervisor.replacement = Resuming(supervisor, setups) if resumes else Restarting(supervisor, setups)
        return Actors(supervisor, report, *spaces, finished)
    except BaseException:
        supervisor.stop(0.0)
        raise


def _pickled(maker: Any, mode: AutoresetMode, observed: ObservationMode, envs: range) -> bytes:
    if callable(maker):
        return pickled_functions([maker], 0)
    functions = maker[envs.start : envs.stop]
    pickled_functions(functions, envs.start)  # names the one that does not pickle
    return pickled_functions([partial(_in_turn, functions, mode, observed)], 0)


def _common(workers: Sequence[Worker], observed: ObservationMode) -> tuple[Report, tuple[Space, Space]]:
    """Returns the reports of all actors, and the spaces of a batch of observations and of one.

    Raises:
        RuntimeError: If they differ.
    """
    reports = [worker.report for worker in workers if worker.report is not None]
    for worker, report in zip(workers, reports, strict=True):
        if report.num_envs != len(worker.envs):
            raise RuntimeError(
                f"A batch of {len(worker.envs)} environments was needed, but one of {report.num_envs} came"
            )
    common_action_space([report.single_action_space for report in reports])
    each = [report.observation_spaces or [report.single_observation_space] * report.num_envs for report in reports]
    return reports[0], observation_spaces(observed, [space for spaces in each for space in spaces])


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)
