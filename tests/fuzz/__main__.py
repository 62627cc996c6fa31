"""Looks for programs that do something else as machine code than in Python.

    python -m tests.fuzz --minutes 60 --jobs 2
    python -m tests.fuzz --program 1000017        # one program again

Each finding is made small, printed and written into a folder.
"""

from __future__ import annotations

import argparse
import resource
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

from tests.fuzz.programs import FORMS, HEADER, form_of, program
from tests.fuzz.shrink import minimised, sign
from tests.fuzz.verdicts import FINDINGS, Verdict
from tests.fuzz.worker import Worker

BETWEEN = 1_000_000  # the numbers of the first programs of two seeds
TOLD = 60.0  # seconds between two lines
SHOWN = 25  # reasons of refusals


class Run:
    """Judges programs in some processes at a time."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.arguments = arguments
        self.kinds: Counter[str] = Counter()
        self.counts: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self._seen: dict[str, int] = {}  # findings that were made small, by their texts
        self._signs: Counter[str] = Counter()
        first = arguments.seed * BETWEEN + arguments.first
        self._numbers = iter(range(first, first + arguments.programs))
        self._lock = threading.Lock()
        self._end = time.monotonic() + 60.0 * arguments.minutes
        self._told = time.monotonic()

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
            while time.monotonic() < self._end:
                with self._lock:
                    number = next(self._numbers, None)
                    text = "" if number is None else program(number, self.arguments.form)
                if number is None:
                    break
                verdict = worker.judge(text, number)
                with self._lock:
                    self._count(number, verdict)
                if verdict.kind in FINDINGS:
                    self._found(worker, number, verdict)
        finally:
            worker.close()

    def _count(self, number: int, verdict: Verdict) -> None:
        self.kinds[f"{self.arguments.form or form_of(number)} {verdict.kind}"] += 1
        self.counts += verdict.counts
        self.refused.update(reason[:100] for reason in verdict.refused)
        if time.monotonic() - self._told > TOLD:
            self._told = time.monotonic()
            print(_line(self.kinds), flush=True)

    def _found(self, worker: Worker, number: int, verdict: Verdict) -> None:
        """Make a finding small, and write it down unless it was found before."""
        with self._lock:
            self._signs[sign(verdict)] += 1
            is_new = self._signs[sign(verdict)] <= self.arguments.shrink
        others: dict[str, Verdict] = {}  # crashes on the way

        def judge(text: str) -> Verdict:
            found = worker.judge(text, number)
            if found.kind == "crash":
                others.setdefault(sign(found), found)
            return found

        if is_new:
            verdict = minimised(judge, verdict)
        self._written(number, verdict, is_new)
        for name, other in others.items():
            if name not in self._signs:
                self._found(worker, number, other)

    def _written(self, number: int, verdict: Verdict, is_small: bool) -> None:
        text = verdict.text.removeprefix(HEADER)
        with self._lock:
            seen = self._seen.setdefault(text, number)
            if seen != number:
                print(f"# {number}: as {seen}", flush=True)
                return
            told = f"# {number} {verdict.kind}: {verdict.reason}".replace("\n", "\n#   ")
            print(f"\n{told}\n{text if is_small else ''}", flush=True)
            folder = Path(self.arguments.found)
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{number}_{verdict.kind}.py").write_text(f"{told}\n{verdict.text}", encoding="utf-8")

    def summary(self) -> str:
        """Returns what came of all programs, what was compared, and the most frequent reasons of refusals."""
        used, total = resource.getrusage(resource.RUSAGE_CHILDREN), max(sum(self.kinds.values()), 1)
        taken = f"{(used.ru_utime + used.ru_stime) / total:.2f} s of the processor for each of {total} programs"
        reasons = (f"{count:6d} {reason}" for reason, count in self.refused.most_common(SHOWN))
        return "\n".join([_line(self.kinds), _line(self.counts), taken, *reasons])


def _line(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))


def show(number: int, form: str) -> int:
    """Make one program again, judge it and print it as it was judged at last."""
    worker = Worker()
    verdict = worker.judge(program(number, form), number)
    worker.close()
    print("\n".join([verdict.text, verdict.kind, verdict.reason, *verdict.refused]))
    return int(verdict.kind in FINDINGS)


def main(words: list[str] | None = None) -> int:
    """Run as the arguments say; returns 1 if anything was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1, help="of all programs")
    parser.add_argument("--programs", type=int, default=BETWEEN, help="how many")
    parser.add_argument("--minutes", type=float, default=1e6, help="for how long")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--first", type=int, default=0, help="the first program of the seed")
    parser.add_argument("--form", choices=FORMS, default="", help="programs of one form only")
    parser.add_argument("--shrink", type=int, default=6, help="findings of one sign to make small, at most")
    parser.add_argument("--found", default="out/fuzz", help="where findings are written")
    parser.add_argument("--program", type=int, help="the number of one program, to be judged and shown")
    arguments: Any = parser.parse_args(words)
    if arguments.program is not None:
        return show(arguments.program, arguments.form)
    run = Run(arguments)
    try:
        run.run()
    except KeyboardInterrupt:
        print("Stopped.")
    print(run.summary())
    return int(any(kind.endswith(FINDINGS) for kind in run.kinds))


if __name__ == "__main__":
    sys.exit(main())
