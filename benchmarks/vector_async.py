"""The rate of `AsyncVectorEnv.step` against the reference's, and against our own `SyncVectorEnv`.

`python -m benchmarks.vector_async` prints the table by itself.
"""

from __future__ import annotations

import argparse
import subprocess
from pathlib import Path
from statistics import median

from benchmarks.peers import OURS, REFERENCE_PYTHON, Peer, machine

# An id, or microseconds of a step; how many environments; environment steps in a round, as a share of those asked.
CASES = (("CartPole-v1", 64, 1.0), ("5", 32, 1.0), ("5", 64, 1.0), ("1000", 16, 0.1))
COLUMNS = ("async", "reference", "sync")
WORKER = Path(__file__).with_name("_vector_async_worker.py")


def table(peers: tuple[Peer, Peer], rounds: int, steps: int) -> str:
    """Measure, and lay the rates out as a plain-text table; `steps` counts those of all environments together."""
    workers = [peer.start(str(WORKER)) for peer in peers]
    try:
        body = "\n".join(_row(env, n, _measure(workers, env, n, rounds, int(steps * part))) for env, n, part in CASES)
    finally:
        for worker in workers:
            worker.communicate()
    names = "".join(f"{name:>12}" for name in COLUMNS)
    return f"""Environment steps per second of AsyncVectorEnv.step, ours and the reference's, and of our SyncVectorEnv;
actions sampled beforehand; median of {rounds} rounds of {steps:,} steps, taking turns; in brackets the extremes

{"":<20}{names}{"async / reference":>26}{"async / sync":>24}
{body}"""


def _measure(
    workers: list[subprocess.Popen[str]], env: str, n: int, rounds: int, steps: int
) -> list[tuple[float, ...]]:
    """Nanoseconds per step in the order of `COLUMNS`; they take turns in going first, and warm up once."""
    found = []
    for number in range(rounds + 1):
        runs = [(0, 0, "async"), (1, 1, "async"), (2, 0, "sync")]
        answers = {
            column: _ask(workers[peer], f"{runner} {env} {n} {max(1, steps // n)}")
            for column, peer, runner in runs[:: 1 if number % 2 else -1]
        }
        found.append(tuple(answers[column] for column in range(len(COLUMNS))))
    return found[1:]


def _ask(worker: subprocess.Popen[str], question: str) -> float:
    assert worker.stdin is not None
    assert worker.stdout is not None
    print(question, file=worker.stdin, flush=True)
    answer = worker.stdout.readline()
    if not answer:
        raise SystemExit(f"the worker ended at {question!r}; its traceback is above")
    return float(answer)


def _row(env: str, n: int, rounds: list[tuple[float, ...]]) -> str:
    rates = "".join(f"{1e9 / median(column):>12,.0f}" for column in zip(*rounds, strict=True))
    name = f"{env} us x{n}" if env.isdigit() else f"{env} x{n}"
    return f"{name:<20}{rates}{_ratio(rounds, 1):>26}{_ratio(rounds, 2):>24}"


def _ratio(rounds: list[tuple[float, ...]], other: int) -> str:
    ratios = [durations[other] / durations[0] for durations in rounds]
    return f"{median(ratios):.2f}x [{min(ratios):.2f}-{max(ratios):.2f}]"


def main() -> None:
    """Print the machine and the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.vector_async", description=__doc__)
    parser.add_argument("--rounds", type=int, default=9, help="rounds of each, taking turns (default: 9)")
    parser.add_argument("--steps", type=int, default=20_000, help="environment steps in a round (default: 20000)")
    parser.add_argument("--reference", type=Path, default=REFERENCE_PYTHON, help="a Python that has gymnasium 1.4.0")
    options = parser.parse_args()
    peers = (OURS, Peer("reference", options.reference))
    print(f"{machine(peers)}\n\n{table(peers, options.rounds, options.steps)}")


if __name__ == "__main__":
    main()
