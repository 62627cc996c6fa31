"""The memory of a process and of those that it has started."""

from __future__ import annotations

import gc
import os
from pathlib import Path


def weigh() -> int:
    """Returns the bytes that this process and its children hold; what several share counts once in all."""
    gc.collect()
    return sum(_proportional(process) for process in _family(os.getpid()))


def _family(process: int) -> list[int]:
    children = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split()
    return [process, *(member for child in children for member in _family(int(child)))]


def _proportional(process: int) -> int:
    lines = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii").splitlines()
    return sum(1024 * int(line.split()[1]) for line in lines if line.startswith(("Pss:", "SwapPss:")))
