"""The rate of `make(ID).step`, all wrappers of `make` included, against the reference's."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from statistics import median

from benchmarks.peers import Peer

ENV_IDS = ("CartPole-v1", "Pendulum-v1", "FrozenLake-v1", "MountainCar-v0", "Taxi-v4", "Blackjack-v1")
COLUMNS = ("step only", "with resets")
WORKER = Path(__file__).with_name("_step_worker.py")

# Nanoseconds per step of ours and of the reference, round by round.
Rounds = list[tuple[float, float]]


def table(peers: tuple[Peer, Peer], rounds: int, steps: int) -> str:
    """Measure, and lay the rates out as a plain-text table."""
    workers = [peer.start(str(WORKER)) for peer in peers]
    try:
        body = "\n".join(_row(env_id, _measure(workers, env_id, rounds, steps)) for env_id in ENV_IDS)
    finally:
        for worker in workers:
            worker.communicate()
    groups = "".join(f"{column:^50}" for column in COLUMNS)
    names = f"{peers[0].name:>12}{peers[1].name:>12}{'ratio':>9}{'':17}" * len(COLUMNS)
    return f"""Steps per second of make(ID).step(action), wrappers included, actions sampled beforehand
median of {rounds} rounds of {steps:,} steps, peers taking turns; in brackets the ratio's lowest and highest round

{"":<16}{groups.rstrip()}
{"":<16}{names.rstrip()}
{body}"""


def _measure(workers: list[subprocess.Popen[str]], env_id: str, rounds: int, steps: int) -> dict[str, Rounds]:
    """Peers take turns within each round, and in going first, so that a slow moment of the machine meets both."""
    found: dict[str, Rounds] = {column: [] for column in COLUMNS}
    for number in range(rounds + 1):
        order = [0, 1] if number % 2 else [1, 0]
        answers = {peer: _ask(workers[peer], f"{env_id} {steps}") for peer in order}
        # The first round warms up.
        for column in COLUMNS if number else ():
            found[column].append((answers[0][column], answers[1][column]))
    return found


def _ask(worker: subprocess.Popen[str], question: str) -> dict[str, float]:
    assert worker.stdin is not None
    assert worker.stdout is not None
    print(question, file=worker.stdin, flush=True)
    answer = worker.stdout.readline()
    if not answer:
        raise SystemExit(f"the worker ended at {question!r}; its traceback is above")
    durations: dict[str, float] = json.loads(answer)
    return durations


def _row(env_id: str, found: dict[str, Rounds]) -> str:
    return f"{env_id:<16}{''.join(_cells(found[column]) for column in COLUMNS)}".rstrip()


def _cells(rounds: Rounds) -> str:
    ours, reference = (1e9 / median(durations) for durations in zip(*rounds, strict=True))
    ratios = [theirs / own for own, theirs in rounds]
    spread = f"[{min(ratios):.1f}-{max(ratios):.1f}]"
    return f"{ours:>12,.0f}{reference:>12,.0f}{median(ratios):>8.1f}x {spread:<16}"
