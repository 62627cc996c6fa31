"""An environment that fails in a chosen way, for tests of worker processes."""

from __future__ import annotations

import faulthandler
import os
import signal
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from gymnasium.core import Env
from gymnasium.spaces import Box, Discrete

GOOD, BAD = 0, 1


class OddError(Exception):
    """Its constructor takes other arguments than its `args`."""

    def __init__(self, code: int, place: str) -> None:
        super().__init__(f"{code} at {place}")
        self.code = code


class Faulty(Env[Any, Any]):
    """Observes how often it was stepped; the action `BAD` sets off its fault, as does making it if that says so."""

    observation_space = Box(0, 1000, (2,), np.int64)
    action_space = Discrete(2)

    def __init__(self, fault: str | None = None) -> None:
        self.fault = fault
        self.t = 0
        if fault == "constructor":
            raise OddError(7, "making it")
        if fault == "slow constructor":
            time.sleep(60)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.t = 0
        return np.array([self.t, 0]), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self.t += 1
        info = {}
        if action == BAD and self.fault is not None:
            info = FAULTS[self.fault]() or {}
        return np.array([self.t, int(action)]), float(self.t), False, False, info

    def die(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def pid(self) -> int:
        return os.getpid()


def _raise(make: Callable[[], BaseException]) -> None:
    raise make()


def _segfault() -> None:
    faulthandler.disable()  # pytest's would print a page
    os.kill(os.getpid(), signal.SIGSEGV)


def _endless() -> None:
    while True:
        time.sleep(0.01)


FAULTS: dict[str, Callable[[], Any]] = {
    "SIGKILL": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "SIGSEGV": _segfault,
    "SIGSTOP": lambda: os.kill(os.getpid(), signal.SIGSTOP),
    "exit": lambda: os._exit(3),
    "SystemExit": lambda: _raise(partial(SystemExit, 3)),
    "KeyboardInterrupt": lambda: _raise(partial(KeyboardInterrupt, "stop")),
    "GeneratorExit": lambda: _raise(partial(GeneratorExit, "done")),
    "exception": lambda: _raise(partial(KeyError, "lost")),
    "odd": lambda: _raise(partial(OddError, 7, "stepping")),
    "unpicklable": lambda: _raise(lambda: RuntimeError("holds a lock", threading.Lock())),
    "unpicklable info": lambda: {"lock": threading.Lock()},
    "endless": _endless,
    "late exception": lambda: time.sleep(0.1) or _raise(partial(KeyError, "lost")),
    "slow": lambda: time.sleep(0.3),
}


def faulty(fault: str | None, n: int = 3) -> list[Callable[[], Faulty]]:
    """Functions that make n environments, of which the last has the fault."""
    return [*[Faulty] * (n - 1), partial(Faulty, fault)]


def batch(*actions: int) -> Any:
    return np.array(actions, np.int64)
