"""Building blocks of wrappers: running statistics, zeros of a space, and maps between Boxes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from gymnasium.spaces.batching import create_zero_array
from gymnasium.transforms import moments
from gymnasium.transforms.moments import Floats, Moments
from gymnasium.transforms.rescale import rescale_box

__all__ = ["RunningMeanStd", "create_zero_array", "rescale_box", "update_mean_var_count_from_moments"]


class RunningMeanStd:
    """Mean and variance of all values seen so far, entry by entry.

    Args:
        epsilon: The weight, in values, of the initial mean 0 and variance 1.
        shape: The shape of a value.
        dtype: The dtype of `mean` and `var`; wider values make it wider.
    """

    def __init__(self, epsilon: float = 1e-4, shape: tuple[int, ...] = (), dtype: DTypeLike = np.float64) -> None:
        self.mean: Floats = np.zeros(shape, dtype)
        self.var: Floats = np.ones(shape, dtype)
        self.count: float = epsilon

    def update(self, x: np.ndarray) -> None:
        """Count a batch of n values, of shape (n, ...)."""
        if len(x):
            self.update_from_moments(*moments.of_batch(np.asarray(x)))

    def update_from_moments(self, batch_mean: Any, batch_var: Any, batch_count: float) -> None:
        """Count a batch with known moments."""
        self.mean, self.var, self.count = update_mean_var_count_from_moments(
            self.mean, self.var, self.count, batch_mean, batch_var, batch_count
        )

    def count_and_normalize(self, x: np.ndarray, epsilon: float) -> NDArray[np.float32]:
        """Count a batch of n > 0 values, and return `(x - mean) / sqrt(var + epsilon)`."""
        before = Moments(self.mean, self.var, self.count)
        (self.mean, self.var, self.count), normalized = moments.counted_and_normalized(x, before, epsilon)
        return normalized

    def get_state(self) -> dict[str, np.ndarray]:
        """Returns the statistics as arrays `mean`, `var` and `count`, in a form for `np.savez`."""
        return {"mean": np.array(self.mean), "var": np.array(self.var), "count": np.array(self.count, np.float64)}

    def set_state(self, state: Mapping[str, np.ndarray]) -> None:
        """Continue from the state that `get_state` returned.

        Raises:
            ValueError: If an array is missing or superfluous, or has another shape; nothing changes then.
        """
        arrays = checked_state(state, {"mean": self.mean.shape, "var": self.var.shape, "count": ()})
        self.mean, self.var, self.count = arrays["mean"], arrays["var"], float(arrays["count"])


def update_mean_var_count_from_moments(
    mean: Any, var: Any, count: float, batch_mean: Any, batch_var: Any, batch_count: float
) -> tuple[Any, Any, float]:
    """Returns mean, variance and count of the union of two samples."""
    return moments.merged(Moments(mean, var, count), Moments(batch_mean, batch_var, batch_count))


def checked_state(state: Mapping[str, object], shapes: Mapping[str, tuple[int, ...]]) -> dict[str, np.ndarray]:
    """Returns copies of the arrays in a state.

    Raises:
        TypeError: If the state is not a mapping.
        ValueError: If they do not have the given shapes.
    """
    check_mapping(state)
    if state.keys() != shapes.keys():
        raise ValueError(f"The state must hold the arrays {list(shapes)}, but holds {list(state)}")
    arrays = {name: np.array(state[name]) for name in shapes}
    for name, shape in shapes.items():
        if arrays[name].shape != shape:
            raise ValueError(f"The state's {name!r} must have the shape {shape}, but has {arrays[name].shape}")
    return arrays


def check_mapping(state: object) -> None:
    """Raises `TypeError` if `state` cannot be a wrapper's state, because it is not a mapping."""
    if not isinstance(state, Mapping):
        raise TypeError(
            f"The state of a wrapper is a dict of arrays, but a {type(state).__name__} came; the state of the "
            "environment inside is set with env.unwrapped.set_state"
        )
