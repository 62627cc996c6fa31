"""Looks for dynamics whose compiled trajectories differ from the single environment's.

    python -m tests.fuzz --minutes 60 --jobs 2
    python -m tests.fuzz --program wild-1-17        # one program again

Each finding is made small, printed and written into a folder, by default `tests/fuzz/found`.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import threading
import time
from pathlib import Path
from typing import Any

from tests.fuzz.blame import cause, likeness
from tests.fuzz.cases import case_text, name_of
from tests.fuzz.generator import PROFILES, program
from tests.fuzz.shrink import Shrinker
from tests.fuzz.tally import FINDINGS, Tally
from tests.fuzz.worker import Report, Worker

FOUND = Path(__file__).parent / "found"
MIXTURE = ("tame", "tame", "wild", "tame", "lanes", "wild")  # profiles, in turn
TOLD = 30.0  # seconds between two lines


class Run:
    """Judges programs in some processes at a time."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.arguments = arguments
        self.tally = Tally()
        self._numbers = itertools.count(arguments.first)
        self._lock = threading.Lock()
        self._end = time.monotonic() + 60.0 * arguments.minutes
        self._told = time.monotonic()
        self._alike: dict[str, str] = {}  # the program that was first of its like, before it was made small and after
        self._shrunk: dict[str, str] = {}

    def run(self) -> None:
        """Run until the time or the programs are spent."""
        threads = [threading.Thread(target=self._work, daemon=True) for _ in range(self.arguments.jobs)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _work(self) -> None:
        worker = Worker()
        try:
            while (k := next(self._numbers)) < self.arguments.first + self.arguments.programs:
                if time.monotonic() > self._end:
                    break
                profile = self.arguments.profile or MIXTURE[k % len(MIXTURE)]
                report = worker.examine(profile, self.arguments.seed, k)
                with self._lock:
                    self._count(profile, report)
                if report.verdict.kind in FINDINGS:
                    self._found(worker, report)
        finally:
            worker.close()

    def _count(self, profile: str, report: Report) -> None:
        self.tally.add(profile, report)
        if time.monotonic() - self._told > TOLD:
            self._told = time.monotonic()
            print(self.tally.line(), flush=True)

    def _found(self, worker: Worker, report: Report) -> None:
        """Make a finding small, and write it down unless one like it was found before."""
        alike = likeness(report.source, report.verdict)
        with self._lock:
            seen = self._alike.setdefault(alike, report.name)
            if seen != report.name:
                print(f"{report.name}: as {seen}", flush=True)
                return
        shrinker = Shrinker(worker.judge, report.source, report.settings, report.verdict)
        if self.arguments.shrink > 0:
            self.arguments.shrink -= 1
            shrinker.run()
        name = name_of(shrinker.source, shrinker.verdict)
        with self._lock:
            seen = self._shrunk.setdefault(name, report.name)
            told = cause(shrinker.source, shrinker.verdict).replace("\n", "\n      ")
            print(f"\n{report.name}: {shrinker.verdict}\n    from {told}", flush=True)
            if seen == report.name:
                text = case_text(report.name, shrinker.source, shrinker.verdict, shrinker.settings)
                path = Path(self.arguments.found) / f"{name}.py"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
                print(f"    written to {path}\n", flush=True)


def show(name: str) -> int:
    """Make one program again, judge it and print it."""
    profile, seed, index = name.split("-")
    worker = Worker()
    report = worker.examine(profile, int(seed), int(index))
    worker.close()
    print(program(profile, int(seed), int(index)).source)
    for reason, line in report.refusals:
        print(f"refused: {line}\n    {reason}")
    print(report.verdict)
    return int(report.verdict.kind in FINDINGS)


def main(words: list[str] | None = None) -> int:
    """Run as the arguments say; returns 1 if anything was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1, help="of all programs")
    parser.add_argument("--programs", type=int, default=10**9, help="how many")
    parser.add_argument("--minutes", type=float, default=1e6, help="for how long")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--first", type=int, default=0, help="the index of the first program")
    parser.add_argument("--profile", choices=PROFILES, help="all programs of one profile")
    parser.add_argument("--shrink", type=int, default=40, help="findings to make small, at most")
    parser.add_argument("--found", default=str(FOUND), help="where findings are written")
    parser.add_argument("--program", help="the name of one program, to be shown and judged")
    arguments: Any = parser.parse_args(words)
    if arguments.program:
        return show(arguments.program)
    run = Run(arguments)
    try:
        run.run()
    except KeyboardInterrupt:
        print("Stopped.")
    print(run.tally.summary())
    return int(run.tally.findings() > 0)


if __name__ == "__main__":
    sys.exit(main())
