"""Waiting without falling asleep.

To fall asleep and be woken takes a process tens of microseconds, much more where the machine is a virtual one, and it
may wake up on a core where another is busy. Beside a batch of cheap steps that is a lot.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")

AWAKE = 1e-3  # s, for as long as it is worth while
_WANTED = 6e-5  # s, that others had the core when it was offered to them, by which it shows that they need it
_CAN_YIELD = hasattr(os, "sched_yield")


def awaited(look: Callable[[], Found], seconds: float) -> Found | None:
    """Returns what `look` finds, or None if that is nothing for so long or if other processes want the core.

    When they do, it is better to sleep: who wakes up is put on a core that is free.
    """
    if not _CAN_YIELD:
        return None
    now = time.perf_counter()
    ends = now + seconds
    while now < ends:
        os.sched_yield()
        before, now = now, time.perf_counter()
        if found := look():
            return found
        if now - before > _WANTED:
            break
    return None


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
