"""Time to a trained agent: PPO, from the start of the process to the threshold, on ours and on the reference.

    python -m benchmarks.time_to_trained                               everything, in about fifteen minutes
    python -m benchmarks.time_to_trained CartPole-v1 --seeds 1         one environment, one seed

Both peers run the same script, examples/ppo.py, with the same seeds and settings. The time is that of the whole
process: imports, compilation (or machine code from the cache), learning. A run that takes longer than its limit is
ended there.
"""

from __future__ import annotations

import argparse
import csv
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.peers import OURS, REFERENCE_PYTHON, ROOT, Peer, machine

SCRIPT = ROOT / "examples" / "ppo.py"
SEEDS = (1, 2, 3)
FILE = "time_to_trained.txt"


@dataclass(frozen=True)
class Case:
    """An environment, how it is learned, and on what."""

    env_id: str
    threshold: float  # mean return of the last 100 episodes
    limit: float  # seconds that a run may take
    arguments: tuple[str, ...]  # of examples/ppo.py
    modes: tuple[str, ...]  # "PEER" with what its make_vec chooses, or "PEER MODE"


@dataclass(frozen=True)
class Run:
    """One process.

    Attributes:
        seconds: From its start to its end.
        training: Of these, training; the rest are imports.
        stepping: Of the training, what the environments and their wrappers took, the compiled ones' loading included.
        steps: Of all environments together.
    """

    seconds: float
    training: float
    stepping: float
    steps: int


CASES = (
    Case("CartPole-v1", 475, 60, (), ("palaestra", "reference", "reference sync")),
    Case(
        "LunarLander-v3",
        200,
        85,
        (
            "--num-envs=16",
            "--horizon=256",
            "--steps=2000000",
            "--gamma=0.999",
            "--trace=0.98",
            "--minibatches=16",
            "--scale=0.03",
        ),
        ("palaestra", "palaestra sync", "reference", "reference async"),
    ),
)


def run(case: Case, peer: Peer, mode: str, seed: int) -> Run | None:
    """Train once; None if the limit comes before the threshold."""
    with TemporaryDirectory() as folder:
        options = [case.env_id, f"--seed={seed}", f"--threshold={case.threshold}", f"--out={folder}", *case.arguments]
        start = perf_counter()
        process = peer.start(str(SCRIPT), *options, *([f"--mode={mode}"] if mode else []))
        try:
            process.communicate(timeout=case.limit)
        except subprocess.TimeoutExpired:
            process.terminate()
            process.communicate()
            return None
        seconds = perf_counter() - start
        if process.returncode:
            raise SystemExit(f"{peer.name} failed on {case.env_id}; its traceback is above")
        with (Path(folder) / "learning_curve.csv").open(newline="") as file:
            *_, last = csv.DictReader(file)
    if float(last["mean_return"]) < case.threshold:
        return None
    return Run(seconds, float(last["seconds"]), float(last["stepping"]), int(last["steps"]))


def runs(
    case: Case, peers: tuple[Peer, Peer], modes: Sequence[str], seeds: Sequence[int]
) -> dict[str, list[Run | None]]:
    """Every mode with every seed, taking turns in going first."""
    by_name = {peer.name: peer for peer in peers}
    found: dict[str, list[Run | None]] = {mode: [] for mode in modes}
    for number, seed in enumerate(seeds):
        for mode in modes[:: -1 if number % 2 else 1]:
            name, _, how = mode.partition(" ")
            found[mode].append(run(case, by_name[name], how, seed))
    return found


def rows(case: Case, found: dict[str, list[Run | None]]) -> Iterator[str]:
    """One line for each mode: how long, of that in the environments, how many steps, and how many runs got there."""
    for mode, all_runs in found.items():
        arrived = [one for one in all_runs if one is not None]
        reached = f"{len(arrived)} of {len(all_runs)}"
        if not arrived:
            yield f"{case.env_id:<16}{mode:<18}{f'more than {case.limit:.0f} s':>20}{'':>14}{'':>12}{reached:>10}"
            continue
        seconds = [one.seconds for one in arrived]
        spread = f"{median(seconds):.1f} [{min(seconds):.1f}-{max(seconds):.1f}]"
        stepping, steps = median(one.stepping for one in arrived), median(one.steps for one in arrived)
        yield f"{case.env_id:<16}{mode:<18}{spread:>20}{stepping:>14.1f}{steps:>12,.0f}{reached:>10}"


def table(peers: tuple[Peer, Peer], cases: Sequence[Case], modes: Sequence[str], seeds: Sequence[int]) -> str:
    """Measure, and lay the times out as a plain-text table."""
    body = "\n".join(
        line
        for case in cases
        for line in rows(case, runs(case, peers, [mode for mode in case.modes if mode in modes], seeds))
    )
    limits = ", ".join(f"{case.env_id} {case.threshold:g} within {case.limit:.0f} s" for case in cases)
    return f"""Seconds from the start of the process until PPO's last 100 episodes return the threshold on average
({limits}); medians over the seeds {", ".join(map(str, seeds))} that got there, in brackets the extremes

{"":<34}{"seconds":>20}{"environments":>14}{"steps":>12}{"reached":>10}
{body}"""


def main() -> None:
    """Print the machine and the table."""
    names = [case.env_id for case in CASES]
    modes = sorted({mode for case in CASES for mode in case.modes})
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.time_to_trained",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("env_ids", nargs="*", metavar="ENV", help=f"{' or '.join(names)}; all if none is named")
    parser.add_argument("--modes", nargs="+", choices=modes, default=modes, help="what to run on (default: all)")
    parser.add_argument("--seeds", nargs="+", type=int, default=list(SEEDS), help="a run with each (default: 1 2 3)")
    parser.add_argument("--reference", type=Path, default=REFERENCE_PYTHON, help="a Python with gymnasium 1.4.0, torch")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help=f"a folder of results, whose page shows {FILE}")
    options = parser.parse_args()
    if unknown := set(options.env_ids) - set(names):
        parser.error(f"no case is called {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    peers = (OURS, Peer("reference", options.reference))
    cases = [case for case in CASES if case.env_id in (options.env_ids or names)]
    text = f"{machine(peers)}\n\n{table(peers, cases, options.modes, options.seeds)}"
    print(text)
    if options.out is not None:
        (options.out / FILE).write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
