"""Splits the requests to a batch over its workers, and merges their answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gymnasium.vector._batch.infos import add_info
from gymnasium.vector._workers.board import Board, copied, some_actions
from gymnasium.vector._workers.supervisor import Supervisor

# By worker, (place, seed, options) of each environment to reset.
ResetTasks = dict[int, list[tuple[int, int | None, Any]]]


def reset_tasks(
    supervisor: Supervisor, seeds: Sequence[int | None], options: Sequence[Any], chosen: Sequence[bool]
) -> ResetTasks:
    """Returns the requests to each worker for a reset of the chosen environments."""
    return {
        worker.index: [(env - worker.envs.start, seeds[env], options[env]) for env in worker.envs if chosen[env]]
        for worker in supervisor.workers
    }


def ask_to_reset(supervisor: Supervisor, tasks: ResetTasks) -> None:
    """Send every worker its resets.

    A worker without resets answers too, so that no late result of an abandoned step is written afterwards.
    """
    number = supervisor.next_number()
    for worker in supervisor.workers:
        worker.reset(number, tasks[worker.index])


def ask_to_step(supervisor: Supervisor, board: Board, batch: Any) -> None:
    """Request a step of all environments from every worker, with a checked batch of actions."""
    in_memory = _written(supervisor, board, batch, slice(None))
    number = supervisor.next_step(batch)
    for worker in supervisor.workers:
        rows = slice(worker.envs.start, worker.envs.stop)
        worker.step(number, None, some_actions(batch, rows), in_memory=in_memory)


def ask_to_step_singly(supervisor: Supervisor, board: Board, batch: Any, envs: list[int]) -> None:
    """Request a step of these environments, the rows of the batch; each is answered when it is done."""
    in_memory = _written(supervisor, board, batch, envs)
    number = supervisor.next_number(singly=True)
    batch = copied(batch) if supervisor.keeps_requests else batch
    supervisor.flying.update(dict.fromkeys(envs, number))
    for worker in supervisor.workers:
        rows = [row for row, env in enumerate(envs) if env in worker.envs]
        if rows:
            places = [envs[row] - worker.envs.start for row in rows]
            worker.step(number, places, some_actions(batch, rows), singly=True, in_memory=in_memory)


def merged_infos(supervisor: Supervisor, envs: Sequence[int]) -> dict[str, Any]:
    """Returns the infos of these environments as one dict, row by row."""
    infos: dict[str, Any] = {}
    for row, info in enumerate(supervisor.take_infos(envs)):
        if info:
            add_info(infos, info, row, len(envs))
    if supervisor.resumed:
        for row, env in enumerate(envs):
            if env in supervisor.resumed:
                supervisor.resumed.discard(env)
                add_info(infos, {"worker_resumed": True}, row, len(envs))
    return infos


def _written(supervisor: Supervisor, board: Board, batch: Any, envs: Any) -> bool:
    """Write actions into the memory, if they fit there and no worker may still be reading older ones."""
    return not supervisor.lagging() and board.write_actions(batch, envs)
