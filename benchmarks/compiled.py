"""The compiled runner against EnvPool, the reference's own vector class, and our single environment.

python -m benchmarks.compiled       needs .venv-envpool and .venv-reference: make .venv-envpool/.installed
"""

from __future__ import annotations

import argparse
import subprocess
from pathlib import Path
from statistics import median
from typing import NamedTuple

from benchmarks.peers import OURS, REFERENCE_PYTHON, ROOT, Peer, machine

ENVPOOL_PYTHON = ROOT / ".venv-envpool" / "bin" / "python"
WORKER = Path(__file__).with_name("_compiled_worker.py")
ENVPOOL, REFERENCE, SINGLE = "EnvPool, 2 threads", "reference", "our single Env"


class Case(NamedTuple):
    """What is measured, against whom, and the ratio that is wanted."""

    env_id: str
    n: int
    against: str
    wanted: float
    steps: int = 400_000  # a round, of all environments together


CASES = (
    Case("CartPole-v1", 4096, ENVPOOL, 60),
    Case("MountainCar-v0", 4096, ENVPOOL, 60),
    Case("FrozenLake-v1", 4096, ENVPOOL, 60),
    Case("Taxi-v4", 4096, ENVPOOL, 60),
    Case("Pendulum-v1", 4096, ENVPOOL, 40),
    Case("Blackjack-v1", 4096, ENVPOOL, 40),
    Case("Acrobot-v1", 4096, ENVPOOL, 15),
    Case("CartPole-v1", 64, ENVPOOL, 15, 100_000),
    Case("CartPole-v1", 4096, REFERENCE, 3),
    Case("CartPole-v1", 1, SINGLE, 1, 20_000),
)
SIZES = (4096, 65_536, 1_048_576)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.compiled", description=__doc__)
    parser.add_argument("--rounds", type=int, default=9, help="rounds of each, peers taking turns (default: 9)")
    parser.add_argument("--envpool", type=Path, default=ENVPOOL_PYTHON, help="a Python that has envpool")
    parser.add_argument("--reference", type=Path, default=REFERENCE_PYTHON, help="a Python that has gymnasium 1.4.0")
    options = parser.parse_args()
    for python in (options.envpool, options.reference):
        if not python.exists():
            parser.error(f"{python} does not exist: make {python.parents[1].name}/.installed")
    reference = Peer("reference", options.reference)
    print(machine((OURS, reference)))
    workers = {"ours": OURS, ENVPOOL: Peer("envpool", options.envpool), REFERENCE: reference, SINGLE: OURS}
    started = {name: peer.start(str(WORKER)) for name, peer in workers.items()}
    try:
        print("\n" + comparison(started, options.rounds) + "\n\n" + sizes(started["ours"], options.rounds))
    finally:
        for worker in started.values():
            worker.communicate()
    print("\n" + first_step(options.rounds))


def comparison(workers: dict[str, subprocess.Popen[str]], rounds: int) -> str:
    """The rates of all cases, the peers taking turns in going first."""
    lines = [f"Environment steps per second, autoresets included; median of {rounds} rounds, peers taking turns", ""]
    for case in CASES:
        found = []
        for number in range(rounds + 1):
            order = ["ours", case.against] if number % 2 else [case.against, "ours"]
            answers = {name: _asked(workers[name], case, 0 if name == SINGLE else case.n) for name in order}
            found.append((answers["ours"], answers[case.against]))
        ours, theirs = (1e9 / median(durations) for durations in zip(*found[1:], strict=True))
        ratios = [other / own for own, other in found[1:]]
        lines.append(
            f"{f'{case.env_id} x{case.n}':<22}{ours:>14,.0f}   {case.against:<19}{theirs:>12,.0f}"
            f"{median(ratios):>8.1f}x [{min(ratios):.1f}-{max(ratios):.1f}]   wanted {case.wanted:g}x"
        )
    return "\n".join(lines)


def sizes(worker: subprocess.Popen[str], rounds: int) -> str:
    """The cost of a step of CartPole in batches of different sizes."""
    lines = ["Nanoseconds per environment step of CartPole-v1", ""]
    for n in SIZES:
        case = Case("CartPole-v1", n, "", 0, max(400_000, 16 * n))
        durations = [_asked(worker, case, n) for _ in range(rounds + 1)][1:]
        lines.append(f"{n:>12,} environments {median(durations):>8.1f}")
    return "\n".join(lines)


def first_step(rounds: int) -> str:
    """Seconds from the start of Python to the first step of a process that finds its machine code on disk."""
    code = (
        "import time; start = time.time(); import gymnasium; envs = gymnasium.make_vec('CartPole-v1', 4096); "
        "envs.reset(seed=0); envs.step(envs.action_space.sample()); print(time.time() - start)"
    )
    seconds = [float(OURS.output(code)) for _ in range(rounds + 1)][1:]
    return f"Seconds to the first step in a second process, imports included: {median(seconds):.2f}   wanted below 2"


def _asked(worker: subprocess.Popen[str], case: Case, n: int) -> float:
    assert worker.stdin is not None
    assert worker.stdout is not None
    print(f"{case.env_id} {n} {case.steps}", file=worker.stdin, flush=True)
    answer = worker.stdout.readline()
    if not answer:
        raise SystemExit(f"a worker ended at {case}; its traceback is above")
    return float(answer)


if __name__ == "__main__":
    main()
