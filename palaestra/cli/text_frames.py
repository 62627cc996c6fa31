"""Frames of the render mode "ansi", for readers without colours."""

from __future__ import annotations

import re
import sys

from palaestra.cli.warning_lines import ESCAPE

_HIGHLIGHT = re.compile(r"\x1b\[(?:\d+;)*4\d(?:;\d+)*m(.*?)\x1b\[0m")
_MARKS = "\0", "\1"


def print_frame(frame: object, words: str) -> None:
    """Write words and a frame below them: unchanged to a terminal, and without colours to a pipe."""
    text = str(frame).strip("\n")
    print(f"{words}\n{text if sys.stdout.isatty() else without_colour(text)}\n", flush=True)


def without_colour(text: str) -> str:
    """Returns a text with highlighted parts in brackets.

    In a grid every letter gets as much room as one in brackets, so the columns stay aligned.
    """
    before, after = _MARKS
    lines = ESCAPE.sub("", _HIGHLIGHT.sub(rf"{before}\1{after}", text)).split("\n")
    widths = [_width(line) for line in lines]
    grids = {width for line, width in zip(lines, widths, strict=True) if before in line and widths.count(width) > 1}
    spread = (_spread(line) if width in grids else line for line, width in zip(lines, widths, strict=True))
    return "\n".join(spread).replace(before, "[").replace(after, "]")


def _width(line: str) -> int:
    return sum(letter not in _MARKS for letter in line)


def _spread(line: str) -> str:
    before, after = _MARKS
    return re.sub(rf"[^{before}{after}](?![^{before}]*{after})", r" \g<0> ", line)
