"""Polling: waiting without sleep.

Going to sleep and waking up takes a process tens of microseconds, and much longer on a virtual machine. The process may
also wake up on a busy core. Compared with a batch of cheap steps, this is a lot.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")

LONGEST_POLL = 1e-3  # s, the longest useful time to poll
_WANTED = 6e-5  # s, for which others took the core when it was offered; longer means that they need it
_CAN_YIELD = hasattr(os, "sched_yield")


def polled(look: Callable[[], Found], seconds: float) -> Found | None:
    """Returns the result of `look`, or None if there is none for so long or other processes want the core.

    If they do, sleeping is better: a process that wakes up is put on a free core.
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
