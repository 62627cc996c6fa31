"""The learning curves of `time_to_trained`, beside the reference's: a small file, and its drawing.

python -m benchmarks.learning_curves        draws benchmarks/results/time_to_trained.csv anew
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmarks.pictures import STYLE
from benchmarks.results import FOLDER

TABLE, PICTURE = "time_to_trained.csv", "time_to_trained.svg"
POINTS = 50  # of a curve, at most
COLOURS = {"palaestra": "#1b5e9e", "reference": "#d1495b"}


class Point(NamedTuple):
    """A point of a learning curve, and where it belongs."""

    env_id: str
    mode: str
    seed: int
    threshold: float  # of the mean return
    seconds: float  # of training
    mean_return: float  # of the last 100 episodes


def thinned(curve: Sequence[Point]) -> list[Point]:
    """Returns at most `POINTS` of a curve, the last one among them, and none before the first episode's end."""
    ended = [point for point in curve if point.mean_return == point.mean_return]
    every = -(-len(ended) // POINTS)
    return ended[::-1][:: max(1, every)][::-1]


def write(folder: Path, points: Sequence[Point]) -> None:
    """Write the file and the drawing into a folder."""
    with (folder / TABLE).open("w", newline="", encoding="utf-8") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(Point._fields)
        lines.writerows((*point[:4], f"{point.seconds:.3f}", f"{point.mean_return:.1f}") for point in points)
    draw(folder)


def read(folder: Path) -> list[Point]:
    """Returns the points in a folder's file."""
    with (folder / TABLE).open(newline="", encoding="utf-8") as file:
        return [Point(row[0], row[1], int(row[2]), *map(float, row[3:])) for row in list(csv.reader(file))[1:]]


def draw(folder: Path) -> None:
    """Draw the curves in a folder's file: a panel for each environment, a line for each run."""
    curves: dict[str, dict[tuple[str, int], list[Point]]] = {}
    for point in read(folder):
        curves.setdefault(point.env_id, {}).setdefault((point.mode, point.seed), []).append(point)
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(4.4, 2.4 * len(curves)), layout="constrained")
        for axes, (env_id, lines) in zip(
            figure.subplots(len(curves), squeeze=False)[:, 0], curves.items(), strict=True
        ):
            _panel(axes, env_id, lines)
        figure.savefig(folder / PICTURE, metadata={"Date": None})


def _panel(axes: Axes, env_id: str, lines: dict[tuple[str, int], list[Point]]) -> None:
    labelled = set()
    for (mode, _), points in lines.items():
        seconds, returns = [point.seconds for point in points], [point.mean_return for point in points]
        axes.plot(seconds, returns, color=COLOURS[mode], lw=1.2, label=None if mode in labelled else mode)
        labelled.add(mode)
        threshold = points[0].threshold
    axes.axhline(threshold, color="0.45", lw=1, ls="--")
    axes.set_title(f"{env_id}: mean return against seconds of training", loc="left", fontsize=10)
    axes.set_xlim(0, None)
    axes.legend(frameon=False, fontsize=8, loc="lower right")


if __name__ == "__main__":
    draw(FOLDER)
