"""Pictures of the results, narrow enough to be read on a phone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib

from benchmarks.curves import lines
from benchmarks.figures import ratio

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # after the choice, which needs no display

_OURS = ("#1b5e9e", "#2a9d8f", "#7b4fa3", "#4d9de0")
_THEIRS = ("#d1495b", "#e08e45", "#8c8c8c", "#b5a642")
STYLE = {
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.grid.which": "major",
    "grid.color": "#e5e5e5",
    "axes.axisbelow": True,
    "savefig.bbox": "tight",
    "savefig.facecolor": "white",
    "svg.hashsalt": "benchmarks",  # the same results give the same file
}
_WIDTH = 4.4  # inches


def draw(results: dict[str, Any], chosen: list[tuple[str, dict[str, Any]]], folder: Path) -> None:
    """Write a picture for each plot, and one of the ratios of chosen cases."""
    with plt.rc_context(STYLE):
        if chosen:
            _save(_ratios(chosen), folder / "ratios.svg")
        for table in results["tables"]:
            if table["x_label"]:
                _save(_growth(table), folder / f"{table['name']}.svg")


def _save(figure: Any, path: Path) -> None:
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def _growth(table: dict[str, Any]) -> Any:
    """The cost of a step against what grows, both logarithmic; ours in full lines, the peers' broken."""
    figure, axes = plt.subplots(figsize=(_WIDTH, 3.6))
    kinds = {candidate["label"]: candidate["foreign"] for case in table["cases"] for candidate in case["candidates"]}
    used = {True: 0, False: 0}
    for label, (x, seconds) in lines(table).items():
        foreign = kinds[label]
        colour = (_THEIRS if foreign else _OURS)[used[foreign] % 4]
        used[foreign] += 1
        axes.plot(x, 1e6 * seconds, "o--" if foreign else "o-", color=colour, label=label, lw=1.8, ms=4)
    axes.set(xscale="log", yscale="log", xlabel=table["x_label"])
    axes.set_title("microseconds for a step of one environment", loc="left", fontsize=10)
    ticks = [case["x"] for case in table["cases"]]
    axes.set_xticks(ticks, [case["title"] for case in table["cases"]], rotation=45 if len(ticks) > 5 else 0)
    axes.minorticks_off()
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    figure.legend(loc="upper center", bbox_to_anchor=(0.5, -0.1 if len(ticks) > 5 else -0.03), ncols=2, frameon=False)
    return figure


def _ratios(chosen: list[tuple[str, dict[str, Any]]]) -> Any:
    """How many times faster ours is than each peer, case by case; a tick marks the goal."""
    bars = []
    for title, case in chosen:
        own, *others = case["candidates"]
        peers = [other for other in others if other["foreign"] and "failed" not in other and "failed" not in own]
        bars += [(f"{title}: {other['label']}", ratio(other, own), other["wanted"]) for other in peers]
    figure, axes = plt.subplots(figsize=(_WIDTH, 0.46 * len(bars) + 0.8))
    for y, (label, found, goal) in enumerate(bars):
        left, right = sorted((1.0, found.median))
        axes.annotate(label, (1, y - 0.25), (3, 0), textcoords="offset points", va="bottom", fontsize=9)
        axes.barh(y, right - left, left=left, height=0.4, color=_OURS[0] if found.median >= 1 else _THEIRS[0])
        axes.plot([found.least, found.greatest], [y, y], color="#222222", lw=1)
        axes.annotate(
            f"{found.median:.{2 if found.median < 10 else 0}f}x",
            (max(found.greatest, 1), y),
            (4, 0),
            textcoords="offset points",
            va="center",
            fontsize=9,
        )
        if goal:
            axes.plot([goal, goal], [y - 0.28, y + 0.28], color=_THEIRS[1], lw=2)
    axes.axvline(1, color="#222222", lw=0.8)
    axes.set(
        yticks=[], xscale="log", ylim=(len(bars) - 0.5, -0.8), xlabel="times the peer's rate, or its cost over ours"
    )
    axes.spines.left.set_visible(False)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}x")
    axes.set_title("black: extremes; orange: goal", loc="left", fontsize=10)
    return figure
