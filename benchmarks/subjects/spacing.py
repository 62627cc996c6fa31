"""What is done with spaces."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import repeat
from typing import Any

import numpy as np
from timing import seconds_of

from gymnasium import spaces
from gymnasium.vector.utils import batch_space, concatenate, create_empty_array

SPACES: dict[str, Callable[[], Any]] = {
    "Discrete(6)": lambda: spaces.Discrete(6),
    "Box (17,) float32": lambda: spaces.Box(-1, 1, (17,), np.float32),
    "Box (84, 84, 4) uint8": lambda: spaces.Box(0, 255, (84, 84, 4), np.uint8),
    "MultiDiscrete of 8": lambda: spaces.MultiDiscrete([3] * 8),
    "Dict of 3": lambda: spaces.Dict(
        position=spaces.Box(-1, 1, (3,), np.float32), goal=spaces.Discrete(9), held=spaces.MultiBinary(4)
    ),
}
N = 64  # in a batch


@contextmanager
def operation(name: str, space: str) -> Iterator[Callable[[int], float]]:
    """One call of sample, contains or flatten; or of concatenating a batch of 64."""
    made = SPACES[space]()
    made.seed(0)
    act = OPERATIONS[name](made)
    yield lambda times: seconds_of(act, repeat(None, times)) / times


def _sample(space: Any) -> Callable[[Any], Any]:
    return lambda _: space.sample()


def _contains(space: Any) -> Callable[[Any], Any]:
    sample = space.sample()
    return lambda _: space.contains(sample)


def _flatten(space: Any) -> Callable[[Any], Any]:
    sample = space.sample()
    return lambda _: spaces.flatten(space, sample)


def _batch(space: Any) -> Callable[[Any], Any]:
    samples = [space.sample() for _ in range(N)]
    out = create_empty_array(space, N)
    assert batch_space(space, N).contains(concatenate(space, samples, out))
    return lambda _: concatenate(space, samples, out)


OPERATIONS = {"sample": _sample, "contains": _contains, "flatten": _flatten, "concatenate": _batch}
