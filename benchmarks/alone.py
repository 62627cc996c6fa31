"""The command that measures tables and prints them: `python -m benchmarks.NAME`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from benchmarks import peers, tables
from benchmarks.cases import Table
from benchmarks.runner import QUICK, Settings, measured


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how to measure."""
    parser.add_argument("--quick", action="store_true", help="few short rounds: to see that all runs, not to compare")
    parser.add_argument("--rounds", type=int, help=f"rounds, candidates taking turns ({Settings.rounds})")
    parser.add_argument("--seconds", type=float, help=f"about how long a round of one lasts ({Settings.seconds})")
    for name in peers.NAMES:
        also = ["--peer"] if name == "envpool" else []
        parser.add_argument(f"--{name}", *also, type=Path, metavar="PYTHON", help=f"instead of .venv-{name}/bin/python")


def run(chosen: Sequence[Table], options: argparse.Namespace, parser: argparse.ArgumentParser) -> list[dict[str, Any]]:
    """Measure tables, behind a progress bar on stderr."""
    settings = QUICK if options.quick else Settings()
    asked = {"rounds": options.rounds, "seconds": options.seconds}
    settings = replace(settings, **{name: value for name, value in asked.items() if value is not None})
    if settings.rounds < 1 or not settings.seconds > 0:
        parser.error("there must be at least one round, and it must last some time")
    for name in peers.NAMES:
        if (python := getattr(options, name)) is not None:
            peers.INTERPRETERS[name] = peers.Peer(name, python)
    with _progress(sum(len(table.cases) for table in chosen)) as tick:
        return measured(chosen, settings, tick)


def main(chosen: Sequence[Table]) -> None:
    """Measure and print the tables of a module."""
    parser = argparse.ArgumentParser(prog=f"python -m benchmarks.{chosen[0].name}")
    add_options(parser)
    options = parser.parse_args()
    results = run(chosen, options, parser)
    print("\n".join([peers.machine(peers.INTERPRETERS.values()), *(tables.text(result) for result in results)]))


@contextmanager
def _progress(total: int) -> Iterator[Callable[[str], None]]:
    """A bar that is drawn between cases only: while one is measured, this process does nothing but wait."""
    columns = (
        BarColumn(30),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=Console(stderr=True, markup=False), auto_refresh=False) as bar:
        task, begun = bar.add_task("", total=total), False

        def tick(text: str) -> None:
            nonlocal begun
            bar.update(task, advance=int(begun), description=text, refresh=True)
            begun = True

        yield tick
        bar.update(task, advance=1, description="", refresh=True)
