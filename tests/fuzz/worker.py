"""Processes that judge programs; one that hangs or dies is replaced, and that is a verdict, too."""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
import resource
import signal
import sys
import traceback
from contextlib import suppress
from typing import Any

from tests.fuzz.verdicts import Verdict

RENEWED = 150  # programs, after which a worker ends, and the memory of what it compiled with it
DEADLINE = 25  # s of the processor, for a program
PATIENCE = 40.0  # times as much on the clock: the machine may be busy, and the process of low priority
MEMORY = 8 << 30  # bytes of addresses; a program that fills the memory is no reason to stop the machine


class Worker:
    """One process.

    Args:
        deadline: Seconds of the processor for a program.
    """

    def __init__(self, deadline: int = DEADLINE) -> None:
        self._deadline = deadline
        self._process: Any = None
        self._pipe: Any = None
        self._done = 0

    def judge(self, text: str, seed: int) -> Verdict:
        """Returns the verdict of a program's text, for arguments or actions of a seed."""
        if self._process is None or self._done >= RENEWED:
            self.close()
            self._start()
        self._done += 1
        try:
            self._pipe.send((text, seed))
            if self._pipe.poll(self._deadline * PATIENCE):
                verdict: Verdict = self._pipe.recv()
                return verdict
            code: int | None = -signal.SIGXCPU
        except (EOFError, OSError):
            self._process.join(10)
            code = self._process.exitcode
        self.close()
        if code == -signal.SIGXCPU:
            return Verdict("hang", f"no verdict within {self._deadline} s", text)
        return Verdict("crash", f"the process ended with {_ending(code)}", text)

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, other = context.Pipe()
        self._process = context.Process(target=_serve, args=(other, self._deadline), daemon=True)
        self._process.start()
        other.close()
        self._done = 0

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._pipe.close()
        self._process = None


def _ending(code: int | None) -> str:
    if code is not None and code < 0:
        with suppress(ValueError):
            return signal.Signals(-code).name
    return f"exit code {code}"


def _serve(pipe: Any, deadline: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    faulthandler.enable()
    faulthandler.register(signal.SIGXCPU, chain=True)  # what took long is told, and the process ends
    sys.stdout = open(os.devnull, "w")  # noqa: SIM115  # programs may print
    with suppress(EOFError, OSError):
        while True:
            text, seed = pipe.recv()
            used = resource.getrusage(resource.RUSAGE_SELF)
            end = int(used.ru_utime + used.ru_stime) + 1 + deadline
            resource.setrlimit(resource.RLIMIT_CPU, (end, resource.RLIM_INFINITY))
            try:
                verdict = judged(text, seed)
            except Exception:  # a mistake of the fuzzer's own, or no program any more
                verdict = Verdict("broken", traceback.format_exc()[-600:], text)
            pipe.send(verdict)


def judged(text: str, seed: int) -> Verdict:
    """Returns the verdict of a program's text, in this process."""
    from tests.fuzz.episodes import judged_environment
    from tests.fuzz.functions import judged_function

    is_function = "\nclass E(" not in text
    return (judged_function if is_function else judged_environment)(text, seed)
