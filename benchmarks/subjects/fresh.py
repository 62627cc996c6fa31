"""What only a new process shows: how long a program takes to start, and how much memory environments take."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

Run = Callable[[int], float]
BYTECODE = ("PYTHONPYCACHEPREFIX",)
MACHINE_CODE = ("PALAESTRA_CACHE_DIR", "XDG_CACHE_HOME")

IMPORTING = """
import time
start = time.perf_counter()
import numpy
numpy_done = time.perf_counter()
import gymnasium
print(time.perf_counter() - {since})
"""

STEPPING = """
import gymnasium
env = gymnasium.{made}
env.action_space.seed(0)
env.reset(seed=0)
env.step(env.action_space.sample())
"""

WEIGHING = """
import gc, sys, warnings
warnings.simplefilter("ignore")
sys.path.insert(0, {folder!r})
from weight import weigh
import gymnasium
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv

def make(n):
    return {made}

def used(envs):
    envs.action_space.seed(0)
    envs.reset(seed=0)
    for _ in range(3):
        envs.step(envs.action_space.sample())
    return envs

first = used(make({few}))  # whatever is there once
before = weigh()
envs = used(make({n}))
print((weigh() - before) / {n})
"""


@contextmanager
def importing(since: str) -> Iterator[Run]:
    """Seconds of `import gymnasium`, since before NumPy's import ("start") or after it ("numpy_done")."""
    yield lambda times: _mean(lambda: float(_printed(IMPORTING.format(since=since), os.environ)), times)


@contextmanager
def first_step(made: str, cold: bool) -> Iterator[Run]:
    """Seconds from `python script.py` to its end after one step; cold: without bytecode or machine code on disk."""
    with TemporaryDirectory() as folder:
        script = Path(folder, "script.py")
        script.write_text(STEPPING.format(made=made), encoding="utf-8")
        command = [sys.executable, str(script)]

        def once() -> float:
            with _without(BYTECODE + MACHINE_CODE if cold else ()) as environment:
                start = perf_counter()
                subprocess.run(command, check=True, env=environment, stdin=subprocess.DEVNULL)
                return perf_counter() - start

        yield lambda times: _mean(once, times)


@contextmanager
def memory(made: str, n: int, few: int = 1) -> Iterator[Run]:
    """Bytes that one of n environments adds to a process, and to those that it starts."""
    program = WEIGHING.format(made=made, n=n, few=few, folder=str(Path(__file__).parent))
    yield lambda times: _mean(lambda: float(_printed(program, os.environ)), times)


def seconds_told(program: str, cold: bool) -> Run:
    """Returns what runs a program that prints seconds; cold: without machine code on disk."""

    def once() -> float:
        with _without(MACHINE_CODE if cold else ()) as environment:
            return float(_printed(program, environment))

    return lambda times: _mean(once, times)


@contextmanager
def _without(names: tuple[str, ...]) -> Iterator[Mapping[str, str]]:
    """Variables for a process, of which these name an empty folder."""
    with TemporaryDirectory() as nowhere:
        yield {**os.environ, **dict.fromkeys(names, nowhere)}


def _mean(once: Callable[[], float], times: int) -> float:
    return sum(once() for _ in range(times)) / times


def _printed(program: str, environment: Mapping[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    return done.stdout
