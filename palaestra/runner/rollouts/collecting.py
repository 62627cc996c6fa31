"""The loop of a policy and its environments: some steps of all rows in one call, without Python.

Rows are independent of each other, so threads share them, and none waits for another before the end.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from palaestra.language.program import WIDTH
from palaestra.runner.frame.calls import TASK, TASK_PLACES
from palaestra.runner.kernels.layout import LEFT, RAISED
from palaestra.runner.kernels.pool import ROWS_TOGETHER
from palaestra.runner.kernels.runner import Runner
from palaestra.runner.transforms.stages import Stage, table_of


class Acting(Protocol):
    """The kernels of a policy.

    Attributes:
        context: Their memory.
        streams: The random streams, shape (n, 5).
        act: The address of the kernel that decides for rows; it returns a negative number if a result is not finite.
        act_left: The address of the one that decides for rows that it left; 0 if it leaves none.
        actions: The actions, in the form of a batch of the action space.
        extras: Its further decisions, by name, of shape (n,).
        steps_of_a_thread: The least number of steps, of all environments together, for which a thread pays.
    """

    context: NDArray[np.int64]
    streams: NDArray[np.uint64]
    act: int
    act_left: int
    actions: np.ndarray
    extras: dict[str, np.ndarray]
    steps_of_a_thread: int

    def prepare(self, observations: np.ndarray) -> None:
        """Take the changes of the policy, compile missing kernels, and read observations from a column.

        Raises:
            TypeError, ValueError: If the policy cannot be compiled, or takes other observations.
        """


class Recorded(NamedTuple):
    """The arrays that a rollout of T steps fills.

    Attributes:
        before: Pairs of a column, shape (n, ...), and an array, shape (T, n, ...): its value after the policy acted.
        after: Such pairs, for the value after the step.
        last: Such pairs, for the value after a step that ended an episode; other rows of the array are not written.
        returns: The sums of rewards of the running episodes, shape (n,).
        lengths: Their lengths, shape (n,).
        over: Whether they are over, so that the next step only resets, shape (n,).
        valid: Whether a step was more than a reset, shape (T, n).
        ended_returns: The return of the episode that a step ended, shape (T, n); anything elsewhere.
        ended_lengths: Its length.
    """

    before: list[tuple[np.ndarray, np.ndarray]]
    after: list[tuple[np.ndarray, np.ndarray]]
    last: list[tuple[np.ndarray, np.ndarray]]
    returns: NDArray[np.float64]
    lengths: NDArray[np.int64]
    over: NDArray[np.bool_]
    valid: NDArray[np.bool_]
    ended_returns: NDArray[np.float64]
    ended_lengths: NDArray[np.int64]


class Stopped(Exception):
    """A rollout that ended before its last step.

    Attributes:
        step: The step.
        acting: Whether the policy was to act, and not the environment to step.
        raised: Whether dynamics or a policy raised; else an action or an observation is outside its space.
    """

    def __init__(self, step: int, acting: bool, raised: bool) -> None:
        super().__init__(step, acting, raised)
        self.step, self.acting, self.raised = step, acting, raised


def collect(
    runner: Runner, acting: Acting, recorded: Recorded, inward: Sequence[Stage] = (), outward: Sequence[Stage] = ()
) -> None:
    """Let a policy act and the environments step, until the arrays are full.

    Args:
        runner: The environments.
        acting: The policy.
        recorded: The arrays.
        inward: The changes of the actions on their way to the environments.
        outward: The changes of the observations on their way to the policy.

    Raises:
        Stopped: If something raised, or a value is outside its space.
    """
    runner.prepare_rows()
    steps, n = recorded.valid.shape
    together = any(stage.together for stage in (*inward, *outward))
    threads = 1 if together else max(1, min(runner.most_threads, steps * n // acting.steps_of_a_thread))
    kernel = runner.collecting()
    words = {
        "context": runner.memory.context,
        "together": n if together else ROWS_TOGETHER,
        **_tables(recorded, inward, outward),
        "steps": steps,
        "policy": acting.context,
        "act": acting.act,
        "act_left": acting.act_left,
        "returns": recorded.returns,
        "lengths": recorded.lengths,
        "over": recorded.over,
        "valid": recorded.valid,
        "ended_returns": recorded.ended_returns,
        "ended_lengths": recorded.ended_lengths,
    }
    rows = WIDTH * -(-n // (WIDTH * threads))
    tasks = []
    for low in range(0, n, rows):
        numbers = {**words, "low": low, "high": min(low + rows, n), "first": 0, "step": 0, "acting": 0, "left": 0}
        tasks.append(np.array([_word(numbers[name]) for name in TASK], np.int64))
    memory = words, acting, recorded, inward, outward
    _run_all(kernel, tasks, (*memory, runner.memory))
    while tasks := [task for task in tasks if task[TASK_PLACES["left"]]]:
        _make_room(runner, tasks)
        _run_all(runner.collecting(again=True), tasks, (*memory, runner.memory))


def _make_room(runner: Runner, tasks: Sequence[NDArray[np.int64]]) -> None:
    """Let lists have more room for rows that have none, and let tasks go on with that."""
    row = int(np.flatnonzero(runner.memory.columns["skipped"])[0])
    runner.make_room(row, runner.memory.actions_read)
    runner.prepare_rows()
    for task in tasks:
        task[TASK_PLACES["context"]] = _word(runner.memory.context)


def _run_all(kernel: Any, tasks: Sequence[NDArray[np.int64]], memory: Any) -> None:
    """Do tasks, each in a thread of its own.

    The threads hold the memory, and nobody leaves before them: they would write into what is used for something else.
    """
    if len(tasks) == 1:
        _run(kernel, tasks[0])
        return
    pool = _pool(os.getpid())
    others: list[Future[None]] = []
    try:
        for task in tasks[1:]:
            others.append(pool.submit(_run, kernel, task, memory))
        _run(kernel, tasks[0], memory)
    finally:
        errors = _ended(others)
    if errors:
        raise errors[0]


def _ended(others: list[Future[None]]) -> list[BaseException]:
    """Wait for the end of all, even if the user interrupts, and return their exceptions."""
    try:
        return [error for other in others if (error := other.exception()) is not None]
    except KeyboardInterrupt:
        _ended(others)
        raise


@cache
def _pool(process: int) -> ThreadPoolExecutor:
    """Returns the threads of a process; those of its parent are not in a process that was forked."""
    return ThreadPoolExecutor(thread_name_prefix="gymnasium-rollout")


def _run(kernel: Any, task: NDArray[np.int64], memory: Any = None) -> None:
    """Do a task, whose addresses lead into `memory`, unless it is left because lists have no room.

    Raises:
        Stopped: If it ended before its last step.
    """
    code = kernel(task)
    task[TASK_PLACES["left"]] = code == LEFT
    if code < 0 and code != LEFT:
        raise Stopped(int(task[TASK_PLACES["step"]]), bool(task[TASK_PLACES["acting"]]), code == RAISED)


def _tables(recorded: Recorded, inward: Sequence[Stage], outward: Sequence[Stage]) -> dict[str, Any]:
    """The tables of copies and of stages, and their lengths."""
    before, after, last = map(_table, (recorded.before, recorded.after, recorded.last))
    return {
        "before": before,
        "copies_before": len(before),
        "after": after,
        "copies_after": len(after),
        "last": last,
        "copies_last": len(last),
        "inward": table_of(inward),
        "stages_inward": len(inward),
        "outward": table_of(outward),
        "stages_outward": len(outward),
    }


def _table(pairs: list[tuple[np.ndarray, np.ndarray]]) -> NDArray[np.int64]:
    """The copies of each row of a column into a row of each step: addresses, sizes in bytes."""
    rows = [(one.ctypes.data, other.ctypes.data, one[0].nbytes, other.strides[0]) for one, other in pairs]
    return np.array(rows, np.int64).reshape(len(pairs), 4)


def _word(value: Any) -> int:
    return int(value.ctypes.data if isinstance(value, np.ndarray) else value)
