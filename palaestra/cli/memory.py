"""The minimum memory of a batch of environments, and the available memory."""

from __future__ import annotations

import os
import tracemalloc
from contextlib import suppress
from pathlib import Path

import numpy as np

from gymnasium.core import Env
from gymnasium.spaces.batching import create_empty_array
from palaestra.cli.environments import RequestedEnv
from palaestra.cli.errors import CommandError

_FLAGS = 24  # bytes: reward, ends, steps so far
_CGROUP = Path("/sys/fs/cgroup/memory.max")
_MEMINFO = Path("/proc/meminfo")


def check_memory(requested: RequestedEnv, mode: str, num_envs: int) -> None:
    """Raises `CommandError` if so many environments cannot fit; to find out, one of them is made.

    Args:
        requested: The environment.
        mode: `"compiled"` for rows of arrays, anything else for one object each.
        num_envs: The number of environments.
    """
    needed, free = num_envs * _bytes(requested, mode), _free()
    if needed > free:
        raise CommandError(
            f"{num_envs:,} environments of {requested.spec.id!r} need at least {_shown(needed)} of memory, "
            f"but {_shown(free)} are free; choose fewer"
        )


def _bytes(requested: RequestedEnv, mode: str) -> int:
    """Returns the memory of one more environment."""
    with requested.made() as first:
        arrays = 2 * _nbytes(first) + _FLAGS  # one kept and one returned
        if mode == "compiled":
            return arrays
        tracemalloc.start()
        try:
            with requested.made() as second:
                second.reset()
                return arrays + tracemalloc.get_traced_memory()[0]
        finally:
            tracemalloc.stop()


def _nbytes(env: Env) -> int:
    """Returns the bytes of an observation; 0 for one that is not made of arrays."""

    def total(value: object) -> int:
        if isinstance(value, np.ndarray):
            return value.nbytes
        parts = value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else ()
        return sum(map(total, parts))

    return total(create_empty_array(env.observation_space, 1))


def _free() -> float:
    """Returns the bytes available to this process; infinity if the system does not report them."""
    limits = [float("inf")]
    with suppress(OSError, ValueError):
        limits.append(float(_CGROUP.read_text()))
    with suppress(OSError, ValueError, AttributeError):
        limits.append(float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")))
    with suppress(OSError, ValueError):
        fields = dict(line.split(":") for line in _MEMINFO.read_text().splitlines())
        limits.append(1024.0 * int(fields["MemAvailable"].split()[0]))
    return min(limits)


def _shown(size: float) -> str:
    return f"{size / 1e9:,.1f} GB" if size >= 1e8 else f"{size / 1e6:,.1f} MB"
