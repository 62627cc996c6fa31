"""What wrappers cost around environments of no cost, against the reference's."""

from __future__ import annotations

import subprocess
from pathlib import Path
from statistics import median

from benchmarks.peers import Peer

WORKER = Path(__file__).with_name("_wrapper_worker.py")
# Title, name of the worker's environment, steps in a round.
CASES = (
    ("environment of no cost", "free", 50_000),
    ("make's wrappers around it", "stack", 50_000),
    ("NormalizeObservation 4096 x (17,) float32", "float32", 100),
    ("NormalizeObservation 4096 x (17,) float64", "float64", 100),
    ("FrameStackObservation 256 x (84, 84) uint8, 4", "frames", 5),
)


def table(peers: tuple[Peer, Peer], rounds: int) -> str:
    """Measure, and lay the durations out as a plain-text table."""
    workers = [peer.start(str(WORKER)) for peer in peers]
    try:
        body = "\n".join(_row(title, _measure(workers, name, rounds, steps)) for title, name, steps in CASES)
    finally:
        for worker in workers:
            worker.communicate()
    return f"""Microseconds per step of wrappers around an environment of no cost
median of {rounds} rounds, peers taking turns; in brackets the ratio's lowest and highest round

{"":<46}{peers[0].name:>12}{peers[1].name:>12}{"ratio":>9}
{body}"""


def _measure(workers: list[subprocess.Popen[str]], name: str, rounds: int, steps: int) -> list[tuple[float, float]]:
    """Nanoseconds per step of ours and of the reference; the peers take turns in going first, and warm up once."""
    found = []
    for number in range(rounds + 1):
        order = [0, 1] if number % 2 else [1, 0]
        answers = {peer: _ask(workers[peer], f"{name} {steps}") for peer in order}
        found.append((answers[0], answers[1]))
    return found[1:]


def _ask(worker: subprocess.Popen[str], question: str) -> float:
    assert worker.stdin is not None
    assert worker.stdout is not None
    print(question, file=worker.stdin, flush=True)
    answer = worker.stdout.readline()
    if not answer:
        raise SystemExit(f"the worker ended at {question!r}; its traceback is above")
    return float(answer)


def _row(title: str, rounds: list[tuple[float, float]]) -> str:
    ours, reference = (median(durations) / 1e3 for durations in zip(*rounds, strict=True))
    ratios = [theirs / own for own, theirs in rounds]
    spread = f"[{min(ratios):.1f}-{max(ratios):.1f}]"
    return f"{title:<46}{ours:>12,.2f}{reference:>12,.2f}{median(ratios):>8.1f}x {spread}"
