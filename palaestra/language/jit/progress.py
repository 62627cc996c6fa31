"""A message while a kernel is compiled."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from gymnasium.logger import info
from palaestra.language.jit.cache import folder

PATIENCE = 1.0  # s

_announced: set[str] = set()  # at a terminal
_noted: set[str] = set()  # elsewhere


@contextmanager
def announced(name: str) -> Iterator[None]:
    """Say that `name` is compiled: at a terminal when it takes more than a second, elsewhere at info level.

    This is said once for all of its kernels.
    """
    if not sys.stderr.isatty():
        if name not in _noted:
            _noted.add(name)
            info(_line(name))
        yield
        return
    if name in _announced:
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
    print(f"palaestra: {_line(name)}", file=sys.stderr, flush=True)


def _line(name: str) -> str:
    place = folder()
    later = "" if place is None else f"; later runs find it in {place}"
    return f"compiling {name} for this machine{later}"
