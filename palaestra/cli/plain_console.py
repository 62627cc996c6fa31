"""Output as plain text, if rich is not installed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext

from palaestra.cli.lines import folded

__all__ = ["echo", "heading", "progress", "table"]


def echo(text: str = "", style: str | None = None) -> None:
    """Write a text to stdout; `style`, such as "bold red", is for terminals that support it."""
    print(folded(text))


def heading(title: str, remark: str = "") -> None:
    """Write the title of a section, followed by a remark."""
    print(folded(f"{title}  {remark}" if remark else title))


def table(rows: Sequence[Sequence[str]], header: Sequence[str] = (), numbers: bool = False) -> None:
    """Write rows of cells under a header.

    Args:
        rows: The cells, each row as long as the header if there is one.
        header: The columns' titles.
        numbers: Whether all columns but the first are numbers, which are aligned to the right.
    """
    lines = [*([header] if header else []), *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    if header:
        print()
    for line in lines:
        cells = [
            cell.rjust(width) if numbers and i else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        before = "  " + "".join(f"{cell}  " for cell in cells[:-1])
        print(folded(before + cells[-1].rstrip(), indent=len(before)).rstrip())
    if header:
        print()


def progress(total: int, state: Callable[[], tuple[int, str]]) -> AbstractContextManager[None]:
    """Within, a progress bar on stderr, if one can be drawn; here there is none.

    Args:
        total: The total amount of work.
        state: Returns the amount done, and a text to show next to the bar.
    """
    return nullcontext()
