"""Pictures of results. Importing this imports matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gymnasium.rendering._libraries import load_matplotlib

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_figures, _tickers = load_matplotlib("figure"), load_matplotlib("ticker")

_SMOOTHED_FROM = 20  # episodes; fewer are clearer without smoothing


def plot_episodes(path: Path, title: str, returns: Sequence[float], lengths: Sequence[int]) -> None:
    """Write a PNG of the return and the length of each episode, with their running means.

    Raises:
        OSError: If the file cannot be written.
    """
    figure: Figure = _figures.Figure(figsize=(8, 6), layout="constrained")
    upper, lower = figure.subplots(2, 1, sharex=True)
    _draw(upper, np.asarray(returns, np.float64), "return", "tab:blue")
    _draw(lower, np.asarray(lengths, np.float64), "length (steps)", "tab:orange")
    figure.suptitle(title)
    lower.set_xlabel("episode")
    lower.xaxis.set_major_locator(_tickers.MaxNLocator(integer=True))
    _save(figure, path)


def _draw(axes: Axes, values: NDArray[np.float64], name: str, color: str) -> None:
    episodes = np.arange(1, len(values) + 1)
    smoothed = len(values) >= _SMOOTHED_FROM
    axes.plot(episodes, values, "o", color=color, markersize=3, alpha=0.4 if smoothed else 1.0)
    if smoothed:
        window = len(values) // 10
        sums = np.concatenate(([0.0], np.cumsum(values)))
        means = (sums[window:] - sums[:-window]) / window
        axes.plot(episodes[window - 1 :], means, color=color, label=f"mean of the last {window}")
        axes.legend(loc="best", frameon=False)
    axes.set_ylabel(name)
    axes.grid(alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)


def plot_bars(path: Path, title: str, names: Sequence[str], values: Sequence[float]) -> None:
    """Write a PNG of one bar for each value, the first on top.

    Raises:
        OSError: If the file cannot be written.
    """
    figure: Figure = _figures.Figure(figsize=(8, 1.2 + 0.4 * len(names)), layout="constrained")
    axes = figure.subplots()
    axes.bar_label(axes.barh(names, values, color="tab:blue"), labels=[f"{value:,.0f}" for value in values], padding=3)
    axes.invert_yaxis()
    axes.margins(x=0.15)
    axes.set_title(title)
    axes.spines[["top", "right"]].set_visible(False)
    _save(figure, path)


def _save(figure: Figure, path: Path) -> None:
    try:
        figure.savefig(path, dpi=120)
    except OSError as error:  # for example, a full disk
        error.filename = str(path)
        path.unlink(missing_ok=True)
        raise
