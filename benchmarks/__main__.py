"""Runs the benchmarks one after the other and prints their tables."""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks import import_time, single_step
from benchmarks.peers import OURS, REFERENCE_PYTHON, Peer, machine


def main() -> None:
    """What `python -m benchmarks` does."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="import_time, single_step; all if none is named")
    parser.add_argument("--rounds", type=int, default=9, help="rounds of each, peers taking turns (default: 9)")
    parser.add_argument("--steps", type=int, default=20_000, help="steps in one round (default: 20000)")
    parser.add_argument("--reference", type=Path, default=REFERENCE_PYTHON, help="a Python that has gymnasium 1.4.0")
    options = parser.parse_args()
    if unknown := set(options.names) - {"import_time", "single_step"}:
        parser.error(f"no benchmark is called {', '.join(sorted(unknown))}")
    if options.rounds < 1 or options.steps < 1:
        parser.error("there must be at least one round, and one step in it")
    if not options.reference.exists():
        parser.error(f"{options.reference} does not exist; `make bench` installs the reference there")

    peers = (OURS, Peer("reference", options.reference))
    print(machine(peers))
    if not options.names or "import_time" in options.names:
        print("\n" + import_time.table(peers, options.rounds))
    if not options.names or "single_step" in options.names:
        print("\n" + single_step.table(peers, options.rounds, options.steps))


if __name__ == "__main__":
    main()
