"""Time to a trained agent: PPO, until its mean return reaches a threshold, on ours and on the reference.

    python -m benchmarks.time_to_trained                               everything, in about twenty minutes
    python -m benchmarks.time_to_trained CartPole-v1 --seeds 1         one environment, one seed

Networks, learning, seeds and settings are the same, those of examples/ppo.py, which collects by `palaestra.rollout`.
The reference runs it with a loop in its place, subjects/ppo_loop.py. Times are those of the training: environments are
made, machine code comes from the cache, the agent acts and learns. A run beyond its limit is ended there.
"""

from __future__ import annotations

import argparse
import csv
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks import learning_curves
from benchmarks.peers import OURS, REFERENCE_PYTHON, ROOT, SUBJECTS, Peer, machine

SCRIPTS = {"palaestra": ROOT / "examples" / "ppo.py", "reference": SUBJECTS / "ppo_loop.py"}
SEEDS = (1, 2, 3, 4, 5)
WARM_UP = 40_000  # steps; Box2D's functions are compiled after 10,000 of a process
FILE = "time_to_trained.txt"


@dataclass(frozen=True)
class Case:
    """An environment, how it is learned, and on what."""

    env_id: str
    threshold: float  # mean return of the last 100 episodes
    limit: float  # seconds that a run may take
    arguments: tuple[str, ...]  # of the scripts
    modes: tuple[str, ...]  # "PEER" with what its make_vec chooses, or "PEER MODE"


@dataclass(frozen=True)
class Run:
    """One process.

    Attributes:
        seconds: From its start to its end.
        training: Of these, training; the rest are imports.
        collecting: Of the training, what the environments took, and the networks acting in them.
        steps: Of all environments together.
        curve: Its learning curve.
    """

    seconds: float
    training: float
    collecting: float
    steps: int
    curve: list[learning_curves.Point]


CASES = (
    Case(
        "CartPole-v1",
        475,
        60,
        ("--num-envs=16", "--horizon=128"),
        ("palaestra", "reference", "reference sync"),
    ),
    Case(
        "LunarLander-v3",
        200,
        150,
        (
            "--num-envs=16",
            "--horizon=128",
            "--minibatches=8",
            "--steps=600000",
            "--gamma=0.999",
            "--trace=0.98",
            "--scale=0.01",
            "--entropy=0",
        ),
        ("palaestra", "reference"),
    ),
    Case(
        "HalfCheetah-v5",
        2000,
        150,
        (
            "--num-envs=32",
            "--horizon=64",
            "--steps=600000",
            "--epochs=5",
            "--rate=1.5e-3",
            "--scale=0.03",
            "--entropy=0",
            "--deviation=0.6",
        ),
        ("palaestra", "reference", "reference async"),
    ),
)


def run(case: Case, peer: Peer, mode: str, seed: int) -> Run | None:
    """Train once; None if the limit comes before the threshold."""
    with TemporaryDirectory() as folder:
        options = [case.env_id, f"--seed={seed}", f"--threshold={case.threshold}", f"--out={folder}", *case.arguments]
        start = perf_counter()
        process = peer.start(str(SCRIPTS[peer.name]), *options, *([f"--mode={mode}"] if mode else []))
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
            rows = [*csv.DictReader(file)]
    last = rows[-1]
    if not float(last["mean_return"]) >= case.threshold:
        return None
    where = case.env_id, f"{peer.name} {mode}".strip(), seed, case.threshold
    curve = [learning_curves.Point(*where, float(row["seconds"]), float(row["mean_return"])) for row in rows]
    return Run(seconds, float(last["seconds"]), float(last["collecting"]), int(last["steps"]), curve)


def runs(
    case: Case, peers: tuple[Peer, Peer], modes: Sequence[str], seeds: Sequence[int]
) -> dict[str, list[Run | None]]:
    """Every mode with every seed, taking turns in going first; a short run before leaves machine code in the cache."""
    by_name = {peer.name: peer for peer in peers}
    found: dict[str, list[Run | None]] = {mode: [] for mode in modes}
    short = replace(case, arguments=(*case.arguments, f"--steps={WARM_UP}"))
    for mode in modes:
        name, _, how = mode.partition(" ")
        run(short, by_name[name], how, seeds[0])
    for number, seed in enumerate(seeds):
        for mode in modes[:: -1 if number % 2 else 1]:
            name, _, how = mode.partition(" ")
            found[mode].append(run(case, by_name[name], how, seed))
    return found


def rows(case: Case, found: dict[str, list[Run | None]]) -> Iterator[str]:
    """One line for each mode: how long, beside the reference at its fastest, and what of that was what."""
    times = {mode: [one.training if one is not None else inf for one in every] for mode, every in found.items()}
    theirs = min((median(each) for mode, each in times.items() if mode.startswith("reference")), default=inf)
    for mode, every in found.items():
        arrived = [one for one in every if one is not None]
        line, reached = f"{case.env_id:<16}{mode:<16}", f"{len(arrived)} of {len(every)}"
        middle = median(times[mode])
        if middle == inf:
            yield f"{line}{f'more than {case.limit:.0f}':>20}{'':>49}{reached:>9}"
            continue
        slowest = max(times[mode])
        spread = f"{middle:.1f} [{min(times[mode]):.1f}-{f'{slowest:.1f}' if slowest < inf else '...'}]"
        share = f"{middle / theirs:.2f}" if theirs < inf else ""
        collecting = median(one.collecting / one.training for one in arrived)
        each = median(1e6 * one.training / one.steps for one in arrived)
        steps, whole = median(one.steps for one in arrived), median(one.seconds for one in arrived)
        yield f"{line}{spread:>20}{share:>8}{collecting:>11.0%}{each:>9.1f}{steps:>12,.0f}{whole:>10.1f}{reached:>9}"


def text_of(cases: Sequence[Case], found: Sequence[dict[str, list[Run | None]]], seeds: Sequence[int]) -> str:
    """Lay the times out as a plain-text table."""
    body = "\n".join(line for case, each in zip(cases, found, strict=True) for line in rows(case, each))
    limits = ", ".join(f"{case.env_id} {case.threshold:g} within {case.limit:.0f} s" for case in cases)
    return f"""Seconds of training, imports apart, until PPO's last 100 episodes return the threshold on average
({limits}); medians over the seeds {", ".join(map(str, seeds))},
in brackets the extremes; a run that did not get there counts as longer than all others. Of the runs that did: the
share of collecting, the time of a step, the steps and the whole process. The ratio is to the reference at its fastest.

{"":<32}{"seconds":>20}{"ratio":>8}{"collecting":>11}{"us/step":>9}{"steps":>12}{"process":>10}{"reached":>9}
{body}"""


def section(folder: Path) -> str:
    """Returns the section of the page of a folder's results, or "" if the time was not measured there."""
    if not (folder / FILE).exists():
        return ""
    text = f"## Time to a trained agent\n\n```text\n{(folder / FILE).read_text(encoding='utf-8').strip()}\n```"
    if not (folder / learning_curves.PICTURE).exists():
        return text
    return f"{text}\n\n![Mean return against seconds of training, a line for each seed]({learning_curves.PICTURE})"


def points(found: Sequence[dict[str, list[Run | None]]]) -> Iterator[learning_curves.Point]:
    """The curves of the runs that got there, on what each peer's `make_vec` chooses."""
    for each in found:
        for mode in [name for name in each if name in SCRIPTS]:
            for one in each[mode]:
                yield from learning_curves.thinned(one.curve if one is not None else ())


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
    parser.add_argument("--seeds", nargs="+", type=int, default=list(SEEDS), help="a run with each (default: 1 to 5)")
    parser.add_argument("--reference", type=Path, default=REFERENCE_PYTHON, help="a Python with gymnasium 1.4.0, torch")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help=f"a folder of results, whose page shows {FILE}")
    options = parser.parse_args()
    if unknown := set(options.env_ids) - set(names):
        parser.error(f"no case is called {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    peers = (OURS, Peer("reference", options.reference))
    cases = [case for case in CASES if case.env_id in (options.env_ids or names)]
    found = [runs(case, peers, [mode for mode in case.modes if mode in options.modes], options.seeds) for case in cases]
    text = f"{machine(peers)}\n\n{text_of(cases, found, options.seeds)}"
    print(text)
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / FILE).write_text(f"{text}\n", encoding="utf-8")
        learning_curves.write(options.out, [*points(found)])


if __name__ == "__main__":
    main()
