"""A message at the terminal while a kernel is compiled."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from gymnasium.jit.cache import folder

PATIENCE = 1.0  # s


@contextmanager
def announced(name: str) -> Iterator[None]:
    """Say on stderr, if it is a terminal, that `name` is compiled, once that takes more than a second."""
    if not sys.stderr.isatty():
        yield
        return
    line = f"gymnasium: compiling {name} for this machine; later runs find it in {folder()}"
    timer = threading.Timer(PATIENCE, print, (line,), {"file": sys.stderr, "flush": True})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
