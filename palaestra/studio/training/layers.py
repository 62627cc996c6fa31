"""Statistics of the wrappers around an environment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from gymnasium.states.layers import walk
from gymnasium.wrappers.utils import RunningMeanStd
from palaestra.studio.training.episodes import rounded

_COMPONENTS: Final = 32


def statistics(env: object) -> dict[str, dict[str, Any]]:
    """Returns the statistics of each wrapper that has some, as JSON: numbers, or lists of one for each component."""
    found = {}
    for layer in walk(env):
        numbers = dict(_of(layer))
        if numbers:
            found[type(layer).__name__] = numbers
    return found


def _of(layer: Any) -> Iterator[tuple[str, Any]]:
    if "episode_count" in vars(layer):  # RecordEpisodeStatistics
        yield "episodes", int(layer.episode_count)
        for name in ("return", "length", "time"):
            queue = getattr(layer, f"{name}_queue", ())
            if len(queue):
                yield f"mean {name}", rounded(np.mean(queue))
    for name, value in vars(layer).items():
        if isinstance(value, RunningMeanStd):
            what = "return" if name.startswith("return") else "observation"
            yield f"{what}s counted", rounded(value.count)
            yield f"{what} mean", _listed(value.mean)
            yield f"{what} deviation", _listed(np.sqrt(value.var))


def _listed(values: object) -> Any:
    flat = np.asarray(values, np.float64).ravel()
    return rounded(flat[0]) if flat.size == 1 else [rounded(value) for value in flat[:_COMPONENTS]]
