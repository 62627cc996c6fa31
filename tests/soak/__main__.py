"""Hours of everything at random: workers killed, recordings, pages that look, snapshots, rollouts.

    python -m tests.soak --minutes 60

It ends at the first result that differs from that of a calm run. Then it prints what it did, and the memory, the open
files and the threads of this process and of the studio's, in ten parts of the time.
"""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import random
import sys
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tests.soak.cycles import CYCLES, Counts, quiet

PARTS = 10
GROWTH = 1.1  # times the memory of the third part that the last one may have


class Use(NamedTuple):
    """What a process holds."""

    memory: float  # MiB
    files: int
    threads: int
    children: int
    studio: float  # MiB of the process that serves the pages


def used() -> Use:
    """Returns what this process holds now."""
    gc.collect()
    own, children = Path("/proc/self"), _children()
    servers = [_memory(child) for child in children if b"studio" in (child / "cmdline").read_bytes()]
    files, threads = len([*(own / "fd").iterdir()]), len([*(own / "task").iterdir()])
    return Use(_memory(own), files, threads, len(children), max(servers, default=0.0))


def _children() -> list[Path]:
    pids = (path.read_text().split() for path in Path("/proc/self/task").glob("*/children"))
    return [Path("/proc") / pid for each in pids for pid in each]


def _memory(process: Path) -> float:
    return int((process / "statm").read_text().split()[1]) * 4096 / 2**20


def table(uses: list[tuple[float, Use]], end: float) -> str:
    """Returns the medians of each part of the time."""
    lines = [f"{'minutes':>12}" + "".join(f"{name:>10}" for name in Use._fields)]
    for part in range(PARTS):
        low, high = part * end / PARTS, (part + 1) * end / PARTS
        inside = [use for at, use in uses if low <= at < high]
        if inside:
            middle = (median(column) for column in zip(*inside, strict=True))
            lines.append(f"{low / 60:5.0f} to{high / 60:4.0f}" + "".join(f"{number:10.0f}" for number in middle))
    return "\n".join(lines)


def main() -> int:
    """Returns 1 if memory, files or threads have grown."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=60.0, help="how long (default: 60)")
    parser.add_argument("--seed", type=int, default=1, help="of all that is random")
    options = parser.parse_args()
    quiet()
    rng, counts = random.Random(options.seed), Counts()
    uses: list[tuple[float, Use]] = []
    began = time.monotonic()
    while (at := time.monotonic() - began) < 60 * options.minutes:
        rng.choice(CYCLES)(rng, counts)
        uses.append((at, used()))
    print(f"{time.monotonic() - began:.0f} s; " + ", ".join(f"{number:,} {name}" for name, number in counts.items()))
    print(table(uses, 60 * options.minutes))
    calm, last = ([use for at, use in uses if low <= at / (60 * options.minutes) < low + 0.1] for low in (0.2, 0.9))
    if not calm or not last:
        return 0
    grown = [
        name
        for k, name in enumerate(Use._fields)
        if median(use[k] for use in last) > GROWTH * median(use[k] for use in calm) + 2
    ]
    print(f"Grown: {', '.join(grown)}" if grown else "Nothing has grown.")
    return int(bool(grown))


if __name__ == "__main__":
    multiprocessing.set_start_method("forkserver")
    sys.exit(main())
