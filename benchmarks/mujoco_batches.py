"""The rate of MuJoCo batches against EnvPool and against bare calls of the engine, and of a single step.

    python -m benchmarks.mujoco_batches --peer PYTHON [--rounds 7] [--steps 20]

PYTHON is that of a virtual environment with `gymnasium[mujoco]==1.4.0` and `envpool`. All run on two threads, take
turns, and act with the same actions.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks._mujoco_worker import THREADS, N
from benchmarks.peers import OURS, Peer, machine

BATCHES = ("HalfCheetah-v5", "Ant-v5", "Humanoid-v5", "Walker2d-v5")
SINGLE = "HalfCheetah-v5"
WORKER = str(Path(__file__).with_name("_mujoco_worker.py"))


def rounds_of(workers: dict[str, Any], env_id: str, rounds: int, steps: int) -> dict[str, list[float]]:
    """Durations of each candidate, who take turns in going first."""
    found: dict[str, list[float]] = {name: [] for name in workers}
    for number in range(rounds + 1):
        names = list(workers)
        for name in names[number % len(names) :] + names[: number % len(names)]:
            process, candidate = workers[name]
            print(f"{candidate} {env_id} {steps}", file=process.stdin, flush=True)
            found[name].append(float(process.stdout.readline()))
    return {name: durations[1:] for name, durations in found.items()}


def ratio(found: dict[str, list[float]], other: str) -> str:
    """How many times faster than `other` we are: the median of the rounds, the least and the greatest."""
    ratios = [b / a for a, b in zip(found["ours"], found[other], strict=True)]
    return f"{median(ratios):.2f} [{min(ratios):.2f}-{max(ratios):.2f}]"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mujoco_batches", description=__doc__)
    parser.add_argument("--peer", type=Path, required=True, help="a Python with gymnasium[mujoco]==1.4.0 and envpool")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--steps", type=int, default=20, help=f"steps of {N} environments in a round")
    options = parser.parse_args()
    peers = OURS, Peer("reference", options.peer)
    print(machine(peers))

    processes = {name: peer.start(WORKER) for name, peer in (("us", peers[0]), ("peer", peers[1]))}
    batch = {
        "ours": (processes["us"], "ours"),
        "envpool": (processes["peer"], "envpool"),
        "bare": (processes["us"], "bare"),
    }
    print(f"\nSteps of one environment a second, {N} of them on {THREADS} threads; ours over theirs [least-greatest]")
    for env_id in BATCHES:
        found = rounds_of(batch, env_id, options.rounds, options.steps)
        rates = "".join(f"{name:>9} {N * options.steps * 1e9 / median(found[name]):>9,.0f}" for name in batch)
        print(f"{env_id:<16}{rates}   envpool x{ratio(found, 'envpool')}   bare x{ratio(found, 'bare')}")

    one = {"ours": (processes["us"], "single"), "reference": (processes["peer"], "single")}
    steps = options.steps * N // 4
    found = rounds_of(one, SINGLE, options.rounds, steps)
    costs = {name: median(durations) / steps / 1000 for name, durations in found.items()}
    print(f"\n{SINGLE}, a single step: ours {costs['ours']:.1f} us, reference {costs['reference']:.1f} us, "
          f"x{ratio(found, 'reference')}")  # fmt: skip
    for process in processes.values():
        process.communicate()


if __name__ == "__main__":
    main()
