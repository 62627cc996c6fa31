"""Writes the page of results, its pictures, and README's table: `python -m benchmarks.report`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import curves, pictures, tables, time_to_trained
from benchmarks.peers import ROOT, described
from benchmarks.results import FOLDER, read

README = ROOT / "README.md"
BEGIN, END = "<!-- benchmarks: begin -->", "<!-- benchmarks: end -->"


class Headline(NamedTuple):
    """A case that README shows, in at most `ROWS` rows together."""

    table: str
    case: str
    title: str
    """In README."""
    peers: tuple[str, ...]
    """The candidates that ours is compared with there."""


ROWS = 20
HEADLINES = (
    Headline("single_step", "CartPole-v1, with resets", "one CartPole", ("reference",)),
    Headline("single_step", "Blackjack-v1, with resets", "one Blackjack", ("reference",)),
    Headline("vector_sync", "CartPole-v1 x 64", "64 CartPoles in one process", ("reference",)),
    Headline(
        "vector_async", "CartPole-v1 x 64", "64 CartPoles in worker processes", ("reference", "SB3 SubprocVecEnv")
    ),
    Headline("compiled", "CartPole-v1 x 4,096", "4,096 CartPoles, compiled", ("EnvPool", "reference, in NumPy")),
    Headline("compiled", "Taxi-v4 x 4,096", "4,096 Taxis, compiled", ("EnvPool",)),
    Headline("plain", "CartPole x 4,096", "4,096 CartPoles, an ordinary class, compiled", ("reference, sync",)),
    Headline("jax_scan", "CartPole-v1, scan", "4,096 CartPoles, JAX", ("gymnax",)),
    Headline("mujoco_batches", "HalfCheetah-v5 x 256", "256 HalfCheetahs", ("EnvPool",)),
    Headline("mujoco_batches", "Humanoid-v5 x 256", "256 Humanoids", ("EnvPool",)),
    Headline("box2d", "LunarLander-v3, resets left out", "one LunarLander", ("reference",)),
    Headline("box2d", "BipedalWalker-v3 x 64", "64 BipedalWalkers", ("EnvPool",)),
    Headline("box2d", "CarRacing-v3, resets left out", "one CarRacing", ("reference",)),
    Headline("pong", "Pong x 32", "32 Pongs", ("ale-py's own",)),
    Headline(
        "rollouts", "a network, 64", "64 CartPoles, a network acts", ("SB3's collect_rollouts", "gymnax's lax.scan")
    ),
    Headline("recording", "RecordTrajectories, a compiled batch", "recording a data set", ("Minari's DataCollector",)),
    Headline("forks", "HalfCheetah-v5, 1 into 128", "a HalfCheetah copied into 128", ("reference, deepcopy",)),
    Headline("frames", "LunarLander-v3", "a picture of LunarLander", ("reference",)),
)


def write(folder: Path) -> None:
    """Write the page and the pictures of the results in a folder; and README's table, if they are those we publish."""
    results = read(folder)
    pictures.draw(results, chosen(results), folder)
    whole = page(results, time_to_trained.section(folder))
    (folder / "README.md").write_text(whole, encoding="utf-8")
    if folder == FOLDER:
        text = README.read_text(encoding="utf-8")
        before, _, rest = text.partition(BEGIN)
        _, end, after = rest.partition(END)
        if end:
            README.write_text(f"{before}{BEGIN}\n{headlines(results)}\n{END}{after}", encoding="utf-8")


def page(results: dict[str, Any], trained: str = "") -> str:
    """Returns all results as Markdown, with the section of `benchmarks.time_to_trained`."""
    every = results["tables"]
    parts = ["# Benchmarks", _about(results)]
    if chosen(results):
        parts.append("![How many times faster than each peer](ratios.svg)")
    for table in every:
        parts.append(tables.text(table).strip())
        if table["x_label"]:
            parts.append(f"![{table['title']}]({table['name']}.svg)")
            parts.append("\n".join(f"- {remark}" for remark in curves.remarks(table, results["machine"])))
    if trained:
        parts.append(trained)
    return "\n\n".join(parts) + "\n"


def headlines(results: dict[str, Any]) -> str:
    """Returns README's table."""
    rows = [row for title, case in chosen(results) for row in tables.case_rows(case, title)]
    return f"{tables.aligned([tables.HEAD, *rows])}\n\n{_machine(results)}"


def chosen(results: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Returns the cases that stand for the others, with their titles and peers, as far as they were measured."""
    found = {(table["name"], case["title"]): case for table in results["tables"] for case in table["cases"]}
    some = []
    for line in HEADLINES:
        if case := found.get((line.table, line.case)):
            own, *others = case["candidates"]
            peers = [other for other in others if other["label"] in line.peers]
            some.append((line.title, {**case, "candidates": [own, *peers]}))
    return some


def _about(results: dict[str, Any]) -> str:
    every = results["tables"]
    rounds = {len(c.get("costs", [])) for t in every for case in t["cases"] for c in case["candidates"]} - {0}
    extremes = " to ".join(map(str, dict.fromkeys([min(rounds), max(rounds)])))
    quick = "**A quick run: these figures show that all runs, and are too noisy to compare.**\n\n"
    return f"""{quick if any(table["quick"] for table in every) else ""}`make bench` measured these
figures in {extremes} rounds. Within a round, all candidates take turns. A figure is the median of the rounds; ±
is half the distance between the extremes. The ratio divides the other's cost by ours: above 1, Palaestra is faster or
smaller. It is the median of the rounds, too, with the extremes in brackets. A *limit* is no competitor: it is the cost
of the machine or the simulator alone. A *goal* is the ratio, or the amount, that this project aims at.
`results.json` holds every number.

{_machine(results)}

{_versions(results["versions"])}"""


def _machine(results: dict[str, Any]) -> str:
    days = sorted({table["measured"][:10] for table in results["tables"]})
    seconds = sum(table["seconds"] for table in results["tables"])
    when = " to ".join(dict.fromkeys([days[0], days[-1]]))
    return f"{described(results['machine'])}; {when}; in {seconds / 60:.1f} minutes."


def _versions(versions: dict[str, dict[str, str]]) -> str:
    lines = [
        f"- {name}: " + (", ".join(f"{package} {number}" for package, number in found.items()) or "not installed")
        for name, found in versions.items()
    ]
    return "\n".join(lines)


def main() -> None:
    """What `python -m benchmarks.report` does."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.report", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER, help="where results.json is")
    write(parser.parse_args().folder.resolve())


if __name__ == "__main__":
    main()
