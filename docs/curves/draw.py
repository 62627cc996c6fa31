"""Draws the learning curves of the tutorials: `python -m docs.curves.draw`.

A training script with `--out FOLDER` writes `learning_curve.csv`; those in this folder are copies, named
`TASK-METHOD-SEED.csv`. The drawings go into docs/_static/curves.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

import matplotlib
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter

HERE = Path(__file__).parent
OUT = HERE.parent / "_static" / "curves"
BACKGROUND = "#fbfbf8"  # readable on a page of either colour

Curve = tuple[list[float], list[float]]


def curve(name: str) -> Curve:
    """Returns the steps and the mean returns of a file, without the rows before the first episode's end."""
    with (HERE / f"{name}.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["mean_return"] != "nan"]
    return [float(row["steps"]) for row in rows], [float(row["mean_return"]) for row in rows]


def draw(name: str, curves: Sequence[tuple[str, str]], label: str, line: tuple[float, str] | None = None) -> Path:
    """Draw named files over each other, with a line at a return that matters; returns the drawing."""
    figure = Figure(figsize=(7, 3.6), layout="constrained", facecolor=BACKGROUND)
    axes = figure.subplots()
    axes.set_facecolor(BACKGROUND)
    for file, legend in curves:
        axes.plot(*curve(file), label=legend, linewidth=1.8)
    if line is not None:
        axes.axhline(line[0], color="0.45", linewidth=1, linestyle="--", label=line[1])
    axes.set(xlabel="steps of the environments", ylabel=label, xlim=(0, None))
    axes.xaxis.set_major_formatter(EngFormatter(sep=""))
    axes.grid(alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    OUT.mkdir(parents=True, exist_ok=True)
    file_ = OUT / f"{name}.svg"
    figure.savefig(file_, metadata={"Date": None})
    return file_


def main() -> None:
    """Draw them all."""
    # Letters as outlines look alike on every machine; the salt makes the same file of the same curves.
    matplotlib.rcParams.update({"svg.fonttype": "path", "svg.hashsalt": "curves", "font.size": 11})
    hundred = "mean return of the last 100 episodes"
    draw("lunar_lander", [("lunar_lander-ppo-1", "PPO, seed 1")], hundred, (200, "solved"))
    cheetah = [("half_cheetah-random_search-1", "random search, seed 1")]
    draw("half_cheetah", cheetah, "mean return of the policies tried", (4800, "solved"))
    draw("pong", [("pong-ppo-1", "PPO, seed 1")], hundred, (21, "a perfect game"))


if __name__ == "__main__":
    main()
