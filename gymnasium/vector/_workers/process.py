"""A worker process and its parent: who handles interrupts, who runs first, who ends with whom."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import time

_WATCH_PERIOD = 1.0  # s, between two checks that the parent is alive

NO_GUARD = 94  # the exit code of a worker whose main file starts workers when it is imported


def leave_interrupts_to_parent() -> None:
    """Ctrl-C reaches all processes of a terminal; the parent decides about its effect."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def let_parent_finish() -> None:
    """Keep the scheduler from interrupting the parent for this process.

    A worker that wakes up on the parent's core would otherwise delay it by a time slice, in which the workers without a
    request are idle: one in twenty steps of 16 environments of 1 ms took half as long again.
    """
    if hasattr(os, "SCHED_BATCH"):
        with contextlib.suppress(OSError):  # a sandbox may forbid it
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def end_without_guard() -> None:
    """End this process, with `NO_GUARD`, if it is a worker that still imports the program's main file.

    It cannot start workers then, and the parent says so once, in place of a traceback from each of its workers.
    """
    imported = sys.modules.get("__mp_main__")
    if imported is not None and imported is not sys.modules["__main__"]:
        sys.exit(NO_GUARD)


def end_with_parent(starter: int) -> None:
    """End this process, even during an endless step, when the parent is killed.

    `starter` is the process that started this one: the parent, or a server of the parent that outlives it.
    """
    parent = multiprocessing.parent_process()
    assert parent is not None
    while os.getppid() == starter and parent.is_alive():
        time.sleep(_WATCH_PERIOD)
    os._exit(1)
