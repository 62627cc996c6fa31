"""Looks for statements whose compiled values differ from Python's.

    python -m tests.fuzz.expressions --minutes 3 --seed 1

A machine code that raises where Python goes on is counted, and is no finding.
"""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import resource
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from tests.fuzz.expression_duel import Difference, Duel, Tally
from tests.fuzz.expression_programs import BLOCK, STATEMENTS, Program, Writer

TOLD = 2  # differences of a template that are printed
COLLECTED = 16  # programs, after which garbage is collected
EVERY = 60.0  # seconds between two lines


def duel(name: str, statements: int) -> Duel:
    """Returns the program of a name, compared with Python."""
    made = Duel(Writer(name, statements).write())
    made.fight()
    return made


def told(program: Program, difference: Difference) -> str:
    """Returns the lines about a difference."""
    values = program.calls[difference.call]
    used = ", ".join(f"{name}={values[name]!r}" for name in sorted(difference.statement.names & values.keys()))
    return "\n".join(
        [
            f"{program.name}, call {difference.call}: {difference.statement.text}",
            f"    with {used}",
            f"    compiled: {difference.ours}",
            f"    Python:   {difference.theirs}",
        ]
    )


def counted(tally: Tally) -> str:
    """Returns a line of counts."""
    return (
        f"{tally.programs:,} programs, {tally.statements:,} statements with {tally.expressions:,} expressions, "
        f"{tally.evaluations:,} evaluations of statements compared"
    )


def blocks(seed: int, numbers: range, statements: int, end: float) -> Iterator[tuple[Tally, list[tuple[str, str]]]]:
    """Yields what was compared in each program, and the template and the lines of each difference.

    Each block of programs has a process of its own, whose memory ends with it; one that dies ends with an error.
    """
    size = BLOCK // statements
    for first in range(numbers.start, numbers.stop, size):
        ours, theirs = multiprocessing.Pipe(duplex=False)
        arguments = (theirs, seed, range(first, min(first + size, numbers.stop)), statements, end)
        process = multiprocessing.get_context("fork").Process(target=_block, args=arguments)
        process.start()
        theirs.close()
        with suppress(EOFError):
            while True:
                yield ours.recv()
        process.join()
        if process.exitcode:
            raise RuntimeError(f"the process of the programs {seed}-{first} to {seed}-{first + size - 1} died")
        if time.monotonic() > end:
            return


def _block(pipe: Any, seed: int, numbers: range, statements: int, end: float) -> None:
    for k in numbers:
        if time.monotonic() > end:
            return
        one = duel(f"{seed}-{k}", statements)
        lines = [(found.statement.template, told(one.program, found)) for found in one.found]
        pipe.send((one.tally, lines))
        del one
        if (k + 1) % COLLECTED == 0:
            gc.collect()  # Numba's objects refer to each other


def main(words: list[str] | None = None) -> int:
    """Run as the arguments say; returns 1 if anything differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.expressions", description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=1.0, help="for how long")
    parser.add_argument("--seed", type=int, default=1, help="of all programs")
    parser.add_argument("--programs", type=int, default=10**9, help="how many")
    parser.add_argument("--statements", type=int, default=STATEMENTS, help="of a program, at most")
    arguments = parser.parse_args(words)
    end = time.monotonic() + 60.0 * arguments.minutes
    tally, seen, due = Tally(), Counter[str](), time.monotonic() + EVERY
    for added, lines in blocks(arguments.seed, range(arguments.programs), arguments.statements, end):
        tally.add(added)
        for template, text in lines:
            seen[template] += 1
            if seen[template] <= TOLD:
                print(text, flush=True)
        if time.monotonic() > due:
            due = time.monotonic() + EVERY
            print(counted(tally), flush=True)
    print(counted(tally), flush=True)
    print(f"{tally.refused.total()} statements refused, {tally.lost} calls not compared, {tally.raised} exceptions")
    print(f"{tally.others.total()} of another type, {tally.refusals.total()} in machine code only")
    print(f"{seen.total()} silent differences in {len(seen)} templates")
    used = sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    print(f"{used:.0f} s of processor, {1000 * used / max(1, tally.expressions):.0f} ms for an expression")
    return int(bool(seen))


if __name__ == "__main__":
    sys.exit(main())
