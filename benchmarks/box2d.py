"""A single step of the Box2D environments against the reference's, and what of it the engine takes.

    python -m benchmarks.box2d --reference .venv-reference/bin/python

Both peers simulate with the same engine and the same solver settings, so its time is a floor that neither can pass.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from statistics import median
from subprocess import Popen
from time import perf_counter_ns

import gymnasium
from benchmarks.peers import OURS, REFERENCE_PYTHON, Peer, machine
from benchmarks.single_step import WORKER
from gymnasium.envs.box2d import engine

# The number of steps in a round: about as long for each.
STEPS = {"LunarLander-v3": 3000, "BipedalWalker-v3": 1500, "BipedalWalkerHardcore-v3": 1500, "CarRacing-v3": 150}


def main() -> None:
    """What `python -m benchmarks.box2d` does."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.box2d", description=__doc__)
    parser.add_argument("--rounds", type=int, default=9, help="rounds of each, peers taking turns (default: 9)")
    parser.add_argument("--reference", type=Path, default=REFERENCE_PYTHON, help="a Python that has gymnasium 1.4.0")
    options = parser.parse_args()
    peers = (OURS, Peer("reference", options.reference))
    print(machine(peers))
    print("\nMicroseconds per step, resets left out; medians, in brackets the ratio's lowest and highest round")
    print(f"{'':<26}{'palaestra':>10}{'reference':>11}{'ratio':>8}{'':<14}{'world.Step':>11}")
    workers = [peer.start(str(WORKER)) for peer in peers]
    try:
        for env_id, steps in STEPS.items():
            print(_row(env_id, _rounds(workers, env_id, steps, options.rounds), engine_time(env_id, steps)))
    finally:
        for worker in workers:
            worker.communicate()


def _rounds(workers: list[Popen[str]], env_id: str, steps: int, rounds: int) -> list[tuple[float, float]]:
    """Peers take turns, and in going first; the first round warms up."""
    found = []
    for number in range(rounds + 1):
        order = [0, 1] if number % 2 else [1, 0]
        answers = {peer: _ask(workers[peer], f"{env_id} {steps}") for peer in order}
        found.append((answers[0] / 1e3, answers[1] / 1e3))
    return found[1:]


def _ask(worker: Popen[str], question: str) -> float:
    assert worker.stdin is not None
    assert worker.stdout is not None
    print(question, file=worker.stdin, flush=True)
    return float(json.loads(worker.stdout.readline())["step only"])


def _row(env_id: str, found: list[tuple[float, float]], engine_us: float) -> str:
    ours, reference = (median(column) for column in zip(*found, strict=True))
    ratios = [theirs / own for own, theirs in found]
    spread = f"[{min(ratios):.1f}-{max(ratios):.1f}]"
    return f"{env_id:<26}{ours:>10.1f}{reference:>11.1f}{median(ratios):>7.2f}x {spread:<14}{engine_us:>11.1f}"


def engine_time(env_id: str, steps: int) -> float:
    """Microseconds of a step within the engine, its calls of our contact listener included."""
    env = gymnasium.make(env_id)
    env.action_space.seed(0)
    env.reset(seed=0)
    spent = []
    whole = engine.advance

    def timed(world: engine.World) -> None:
        start = perf_counter_ns()
        whole(world)
        spent.append(perf_counter_ns() - start)

    engine.advance = timed
    try:
        for _ in range(steps):
            _, _, terminated, truncated, _ = env.step(env.action_space.sample())
            if terminated or truncated:
                env.reset()
    finally:
        engine.advance = whole
    return sum(spent) / len(spent) / 1e3


if __name__ == "__main__":
    main()
