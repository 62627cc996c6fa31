"""The rate of `make_vec(ID, n, "sync").step`, autoresets included, against the reference's."""

from __future__ import annotations

import subprocess
from pathlib import Path
from statistics import median

from benchmarks.peers import Peer

CASES = (("CartPole-v1", 64), ("CartPole-v1", 4), ("Pendulum-v1", 64), ("FrozenLake-v1", 64))
WORKER = Path(__file__).with_name("_vector_worker.py")


def table(peers: tuple[Peer, Peer], rounds: int, steps: int) -> str:
    """Measure, and lay the rates out as a plain-text table; `steps` counts those of all environments together."""
    workers = [peer.start(str(WORKER)) for peer in peers]
    try:
        body = "\n".join(_row(env_id, n, _measure(workers, env_id, n, rounds, steps)) for env_id, n in CASES)
    finally:
        for worker in workers:
            worker.communicate()
    return f"""Environment steps per second of make_vec(ID, n, "sync").step(actions), actions sampled beforehand
median of {rounds} rounds of {steps:,} steps, peers taking turns; in brackets the ratio's lowest and highest round

{"":<20}{peers[0].name:>12}{peers[1].name:>12}{"ratio":>9}
{body}"""


def _measure(
    workers: list[subprocess.Popen[str]], env_id: str, n: int, rounds: int, steps: int
) -> list[tuple[float, float]]:
    """Nanoseconds per step of ours and of the reference; the peers take turns in going first, and warm up once."""
    found = []
    question = f"{env_id} {n} {max(1, steps // n)}"
    for number in range(rounds + 1):
        order = [0, 1] if number % 2 else [1, 0]
        answers = {peer: _ask(workers[peer], question) for peer in order}
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


def _row(env_id: str, n: int, rounds: list[tuple[float, float]]) -> str:
    ours, reference = (1e9 / median(durations) for durations in zip(*rounds, strict=True))
    ratios = [theirs / own for own, theirs in rounds]
    spread = f"[{min(ratios):.1f}-{max(ratios):.1f}]"
    return f"{f'{env_id} x{n}':<20}{ours:>12,.0f}{reference:>12,.0f}{median(ratios):>8.1f}x {spread}"
