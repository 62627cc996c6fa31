"""A message at the terminal while a kernel is compiled."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from gymnasium.jit.cache import folder

PATIENCE = 1.0  # s

_announced: set[str] = set()


@contextmanager
def announced(name: str) -> Iterator[None]:
    """Say on stderr, if it is a terminal, that `name` is compiled, when that takes more than a second.

    This is said once for all of its kernels.
    """
    if not sys.stderr.isatty() or name in _announced:
        yield
        return
    timer = threading.Timer(PATIENCE, _announce, (name,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _announce(name: str) -> None:
    _announced.add(name)
    place = folder()
    later = "" if place is None else f"; later runs find it in {place}"
    print(f"gymnasium: compiling {name} for this machine{later}", file=sys.stderr, flush=True)
