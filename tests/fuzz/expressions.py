"""Looks for statements whose compiled values differ from Python's.

    python -m tests.fuzz.expressions --minutes 3 --seed 1

A machine code that raises where Python goes on is counted, and is no finding.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from collections import Counter

from tests.fuzz.expression_duel import Difference, Duel, Tally
from tests.fuzz.expression_programs import Program, Writer

TOLD = 2  # differences of a template that are printed
EVERY = 60.0  # seconds between two lines


def duel(name: str) -> Duel:
    """Returns the program of a name, compared with Python."""
    made = Duel(Writer(name).write())
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


def main(words: list[str] | None = None) -> int:
    """Run as the arguments say; returns 1 if anything differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.expressions", description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=1.0, help="for how long")
    parser.add_argument("--seed", type=int, default=1, help="of all programs")
    arguments = parser.parse_args(words)
    end = time.monotonic() + 60.0 * arguments.minutes
    tally, seen, due = Tally(), Counter[str](), time.monotonic() + EVERY
    for k in itertools.count():
        if time.monotonic() > end:
            break
        one = duel(f"{arguments.seed}-{k}")
        tally.add(one.tally)
        if time.monotonic() > due:
            due = time.monotonic() + EVERY
            print(counted(tally), flush=True)
        for difference in one.found:
            template = difference.statement.template
            seen[template] += 1
            if seen[template] <= TOLD:
                print(told(one.program, difference), flush=True)
    print(counted(tally), flush=True)
    print(f"{tally.refused.total()} statements refused, {tally.lost} calls not compared, {tally.raised} exceptions")
    print(f"{tally.others.total()} of another type, {tally.refusals.total()} in machine code only")
    print(f"{seen.total()} silent differences in {len(seen)} templates")
    return int(bool(seen))


if __name__ == "__main__":
    sys.exit(main())
