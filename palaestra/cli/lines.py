"""Sentences that break between words, where a person reads them."""

from __future__ import annotations

import os
import sys
import textwrap
from typing import TextIO


def folded(text: str, stream: TextIO | None = None, indent: int | None = None) -> str:
    """Returns a sentence in lines as wide as the terminal; unchanged for programs, and if it has lines already.

    Args:
        text: The text.
        stream: Where it is written to; None for stdout.
        indent: The number of columns before the sentence, which further lines leave free; None for its spaces.
    """
    columns = _columns(sys.stdout if stream is None else stream)
    if not columns or len(text) <= columns or "\n" in text:
        return text
    indent = len(text) - len(text.lstrip()) if indent is None else indent
    if indent > columns // 2:  # too little room beside it
        return text
    return textwrap.fill(
        text[indent:].rstrip(),
        columns,
        initial_indent=text[:indent],
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _columns(stream: TextIO) -> int:
    """Returns the width of a terminal, 0 if the stream is none."""
    try:
        return os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):  # a pipe, a file, or a stream without one
        return 0
