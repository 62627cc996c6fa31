"""Warnings in the form of the command line: one line, without the place in the source."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from gymnasium.logger import undressed
from palaestra.cli.errors import one_line
from palaestra.cli.lines import folded

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


@contextmanager
def warning_lines() -> Iterator[None]:
    """Within, a warning is written as `palaestra: warning: ...` to stderr."""
    with warnings.catch_warnings():
        warnings.showwarning = _show
        yield


def _show(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    text = one_line(undressed(str(message)))
    print(folded(f"palaestra: warning: {text}", file or sys.stderr), file=file or sys.stderr)
