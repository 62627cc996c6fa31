"""Plots of a running game."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, SupportsFloat

from gymnasium.rendering._libraries import load_matplotlib


class PlayPlot:
    """A window of plots, for `play`'s callback, of the latest values computed from each step.

        plotter = PlayPlot(lambda before, after, action, reward, *_: [reward], 150, ["reward"])
        play(env, callback=plotter.callback)

    Args:
        callback: Takes the arguments of `play`'s callback, and returns a number for each plot.
        horizon_timesteps: The number of steps shown in the plots.
        plot_names: Their titles.

    Attributes:
        fig: The figure.
        ax: One axes per plot.
        t: Number of steps so far.
        cur_plot: The points now shown in each plot.
        data: The values of each plot.

    Raises:
        gymnasium.error.DependencyNotInstalled: If matplotlib is missing.
    """

    def __init__(
        self, callback: Callable[..., Sequence[float]], horizon_timesteps: int, plot_names: Sequence[str]
    ) -> None:
        self._pyplot = load_matplotlib("pyplot")
        self.data_callback = callback
        self.horizon_timesteps = horizon_timesteps
        self.plot_names = plot_names
        n = len(plot_names)
        self.fig, axes = self._pyplot.subplots(n, squeeze=False)
        self.ax = list(axes[:, 0])
        for axis, name in zip(self.ax, plot_names, strict=True):
            axis.set_title(name)
        self.t = 0
        self.cur_plot: list[Any] = [None] * n
        self.data: list[deque[float]] = [deque(maxlen=horizon_timesteps) for _ in range(n)]

    def callback(
        self,
        obs_t: Any,
        obs_tp1: Any,
        action: Any,
        rew: SupportsFloat,
        terminated: bool,
        truncated: bool,
        info: dict[str, Any],
    ) -> None:
        """Compute the values of a step, and show them.

        Args:
            obs_t: The observation before the step.
            obs_tp1: The observation after it.
            action: The action.
            rew: The reward.
            terminated: Whether the task is over.
            truncated: Whether the episode was cut short.
            info: The info.

        Raises:
            ValueError: If there is not one value for each plot; nothing is shown then.
        """
        points = list(self.data_callback(obs_t, obs_tp1, action, rew, terminated, truncated, info))
        if len(points) != len(self.data):
            raise ValueError(
                f"PlayPlot has {len(self.data)} plots, {', '.join(self.plot_names)}, but its callback returned "
                f"{len(points)} values"
            )
        self.t += 1
        for i, (point, series) in enumerate(zip(points, self.data, strict=True)):
            series.append(point)
            start = self.t - len(series)
            if self.cur_plot[i] is not None:
                self.cur_plot[i].remove()
            self.cur_plot[i] = self.ax[i].scatter(range(start, self.t), list(series), c="blue")
            self.ax[i].set_xlim(start, self.t)
        self._pyplot.pause(1e-6)  # lets the window draw itself
