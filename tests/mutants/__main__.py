"""Puts small faults into a copy of the packages, one at a time, and tells which ones the tests beside them miss.

    python -m tests.mutants --count 300                    as many, anywhere
    python -m tests.mutants --seed 2 gymnasium/wrappers/  others, in the modules whose path begins so

A survivor is a fault that no test noticed. `EQUIVALENT` in `known.py` lists those that change nothing that anyone could
see, each with its reason; they do not count.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.mutants.beside import tests_of
from tests.mutants.faults import Fault, fault, places
from tests.mutants.known import EQUIVALENT

ROOT = Path(__file__).parents[2]
PACKAGES = ("gymnasium", "palaestra")
WANTED = 0.9


def noticed(copy: Path, tests: list[str], timeout: float) -> bool | None:
    """Whether the tests fail in the copy; None if they take too long, as with an endless loop."""
    # On a busy machine a sound test may take longer than its limit, which would count as noticed.
    limits = ["-o", "timeout=0"]
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n0", "-p", "no:cacheprovider", *limits, *tests]
    environment = {**os.environ, "PYTHONPATH": str(copy), "CI": "true"}
    process = subprocess.Popen(
        command,
        cwd=copy,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        return process.wait(timeout) != 0
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return None


def chosen(prefixes: list[str], count: int, seed: int) -> list[tuple[str, Fault]]:
    """Faults drawn from all places of the modules that have tests beside them."""
    paths = sorted(path.relative_to(ROOT).as_posix() for name in PACKAGES for path in (ROOT / name).rglob("*.py"))
    paths = [path for path in paths if tests_of(path) and (not prefixes or path.startswith(tuple(prefixes)))]
    sources = {path: (ROOT / path).read_text(encoding="utf-8") for path in paths}
    found = [(path, place) for path in paths for place in range(places(sources[path]))]
    drawn = random.Random(seed).sample(found, min(count, len(found)))
    return [(path, fault(sources[path], place)) for path, place in drawn]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", help="beginnings of paths (all)")
    parser.add_argument("--count", type=int, default=300, help="of faults (300)")
    parser.add_argument("--seed", type=int, default=1, help="of the choice (1)")
    parser.add_argument("--timeout", type=float, default=180.0, help="seconds of the tests of one fault (180)")
    options = parser.parse_args()
    missed, equal, tried = [], 0, 0
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copy = Path(folder)
        for name in (*PACKAGES, "tests", "docs", "examples", "benchmarks"):
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", "_build", "results"))
        for file in filter(Path.is_file, ROOT.glob("*.*")):
            shutil.copy(file, copy)
        sound: set[tuple[str, ...]] = set()
        for path, one in chosen(options.paths, options.count, options.seed):
            beside = tests_of(path)
            if tuple(beside) not in sound and noticed(copy, beside, 10 * options.timeout) is not False:
                sys.exit(f"{' '.join(beside)} fail without a fault")
            sound.add(tuple(beside))
            target = copy / path
            before = target.read_text(encoding="utf-8")
            target.write_text(one.source, encoding="utf-8")
            result = noticed(copy, beside, options.timeout)
            target.write_text(before, encoding="utf-8")
            tried += 1
            word = {True: "noticed", False: "SURVIVED", None: "noticed (endless)"}[result]
            if result is False and (path, before.splitlines()[one.line - 1].strip(), one.what) in EQUIVALENT:
                word, equal = "equivalent", equal + 1
            elif result is False:
                missed.append(f"{path}:{one.line}: {one.what}")
            print(f"{tried:>4} {word:<18} {path}:{one.line}: {one.what}", flush=True)
    counted = tried - equal
    print(f"\n{counted - len(missed)} of {counted} faults were noticed; {equal} more change nothing")
    print("\n".join(missed))
    sys.exit(counted - len(missed) < WANTED * counted)


if __name__ == "__main__":
    main()
