"""Output in a terminal's colours, or plain without a terminal. The only import of rich.

Each function has a namesake in `plain_console`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager

from gymnasium.dependencies import not_installed
from palaestra.cli.lines import folded

try:
    from rich import box
    from rich.console import Console
    from rich.live import Live
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text
except ImportError as reason:
    raise not_installed("rich", "colours in a terminal", reason, "rich") from reason

__all__ = ["echo", "heading", "progress", "table"]

_WIDTH_OF_A_PIPE = 200  # columns; a program that reads a pipe wants no broken lines


def echo(text: str = "", style: str | None = None) -> None:
    """Write a text to stdout."""
    _stdout().print(Text(folded(text), style or ""), soft_wrap=True)


def heading(title: str, remark: str = "") -> None:
    """Write the title of a section, followed by a remark."""
    rest = folded(f"{title}  {remark}" if remark else title).removeprefix(title)
    _stdout().print(Text.assemble((title, "bold cyan"), (rest, "dim")), soft_wrap=True)


def table(rows: Sequence[Sequence[str]], header: Sequence[str] = (), numbers: bool = False) -> None:
    """Write rows of cells; the first column is highlighted, and never broken."""
    grid = Table(box=box.SIMPLE_HEAD if header else None, show_header=bool(header), pad_edge=True, header_style="bold")
    for i, title in enumerate(header or [""] * len(rows[0])):
        grid.add_column(
            title,
            style="" if i else "green",
            justify="right" if i and numbers else "left",
            overflow="fold",
            no_wrap=not i,
            min_width=max(map(len, title.split()), default=None),
        )
    for row in rows:
        grid.add_row(*row)
    out = _stdout()
    if out.is_terminal:
        out.print(grid)
        return
    with out.capture() as text:
        out.print(grid)
    print("\n".join(line.rstrip() for line in text.get().split("\n")), end="")


def progress(total: int, state: Callable[[], tuple[int, str]]) -> AbstractContextManager[None]:
    """Within, a progress bar, redrawn ten times a second; nothing if stderr is not a terminal."""
    return _progress(total, state)


@contextmanager
def _progress(total: int, state: Callable[[], tuple[int, str]]) -> Iterator[None]:
    console = Console(stderr=True, markup=False, highlight=False)

    def bar() -> Table:
        done, text = state()
        count = f"{done}/{total}"
        grid = Table.grid(padding=(0, 1))
        for _ in range(3):
            grid.add_column(no_wrap=True, overflow="ellipsis")
        room = console.width - len(count) - len(text) - 3
        grid.add_row(ProgressBar(total=total, completed=done, width=max(5, min(30, room))), count, text)
        return grid

    if not console.is_terminal:
        yield
        return
    piped = not sys.stdout.isatty()
    with Live(get_renderable=bar, console=console, refresh_per_second=10, transient=True, redirect_stdout=not piped):
        yield


def _stdout() -> Console:
    piped = not sys.stdout.isatty() and "COLUMNS" not in os.environ
    return Console(markup=False, highlight=False, width=_WIDTH_OF_A_PIPE if piped else None)
