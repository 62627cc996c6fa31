"""One process for each task: what a task leaves behind reaches no other, and one that dies or hangs is a finding."""

from __future__ import annotations

import multiprocessing
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from typing import NamedTuple, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")

FORK = multiprocessing.get_context("fork")  # since all is imported once, before
PATIENCE = 300.0  # seconds for a task


class Running(NamedTuple):
    """A process at work."""

    number: int
    process: ForkProcess
    deadline: float


def perform_all(
    tasks: Sequence[Task], perform: Callable[[Task], Result], lost: Callable[[str], Result], jobs: int
) -> Iterator[tuple[Task, Result]]:
    """Yields tasks and their results, as they come.

    Args:
        tasks: What there is to do.
        perform: What does it.
        lost: What makes a result of the reason why there is none.
        jobs: How many processes there are at a time.
    """
    todo = list(range(len(tasks)))[::-1]
    running: dict[Connection, Running] = {}
    while todo or running:
        while todo and len(running) < jobs:
            index = todo.pop()
            ours, theirs = FORK.Pipe(duplex=False)
            process = FORK.Process(target=_report, args=(theirs, perform, tasks[index]))
            process.start()
            theirs.close()
            running[ours] = Running(index, process, time.monotonic() + PATIENCE)
        ready = [pipe for pipe in wait(list(running), 1.0) if isinstance(pipe, Connection)]
        late = [pipe for pipe, work in running.items() if pipe not in ready and time.monotonic() > work.deadline]
        for pipe in late:
            running[pipe].process.kill()
        for pipe in ready + late:
            index, process, _ = running.pop(pipe)
            yield tasks[index], _received(pipe, process, lost)


def _received(pipe: Connection, process: ForkProcess, lost: Callable[[str], Result]) -> Result:
    try:
        result: Result = pipe.recv()
    except EOFError:
        process.join()
        return lost(f"no answer in {PATIENCE:.0f} s, or none at all; the exit code is {process.exitcode}")
    process.join()
    return result


def _report(pipe: Connection, perform: Callable[[Task], Result], task: Task) -> None:
    # Libraries in C print by themselves, too, and what they print of hundreds of environments nobody reads.
    silence = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(silence, stream.fileno())
    # Some packages write files of fixed names into the folder for temporary files.
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TMPDIR"] = tempfile.tempdir = folder
        pipe.send(perform(task))
