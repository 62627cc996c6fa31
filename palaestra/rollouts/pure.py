"""Policies as pure functions, `FuncPolicy`: their random streams, and their actions in Python."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gymnasium.functional.stream import Stream
from gymnasium.spaces import Box, Discrete, Space, Tuple
from gymnasium.vector._batch.trees import Tree
from gymnasium.vector.utils import iterate
from gymnasium.vector.vector_env import VectorEnv
from palaestra.policies import MLP, FuncPolicy
from palaestra.policies.base import params_of
from palaestra.runner.kernels.seeding import generator_at, row_of, seeded_rows
from palaestra.runner.policies.network import Network
from palaestra.runner.rollouts.deciding import decision_of
from palaestra.runner.vector_env import CompiledVectorEnv

_APART = 1 << 127  # far from the seeds of environments, since equal seeds would give equal numbers
_MOST_ENVS = 40  # bits


Pure: TypeAlias = FuncPolicy | MLP
"""Policies that draw from a random stream of each environment."""
PURE = FuncPolicy, MLP


def streams_of(policy: Pure, n: int) -> NDArray[np.uint64]:
    """Returns the random streams of a policy for n environments, rows of `seeding`."""
    return seeded_rows([_APART | policy.seed << _MOST_ENVS | i for i in range(n)])


class OfNetwork:
    """A network as a function of a batch of observations, in machine code where there is any.

    Args:
        policy: The network, with its weights of now.
        streams: The random streams, which advance.
    """

    def __init__(self, policy: MLP, streams: NDArray[np.uint64]) -> None:
        if CompiledVectorEnv.unavailable():
            policy.refresh()
            self._act: Callable[[Tree], Any] = lambda observations: policy.act_batch(observations, streams)
        else:
            self._act = Network(policy, len(streams), streams)

    def __call__(self, observations: Tree) -> Any:
        """Returns the actions and the extras for a batch."""
        return self._act(observations)


class InPython:
    """A pure policy as a function of a batch of observations.

    Args:
        policy: The policy.
        streams: The random streams, which advance when `finish` is called.
        envs: The environments; None if observations are arrays.
    """

    def __init__(
        self, policy: FuncPolicy, streams: NDArray[np.uint64], envs: VectorEnv[Any, Any, Any] | None = None
    ) -> None:
        self._policy, self._streams, self._envs = policy, streams, envs
        self._draws = [Stream(generator_at(row).bit_generator) for row in streams]

    def __call__(self, observations: Tree) -> Any:
        """Returns the actions and the extras for a batch."""
        act, each = self._policy.act, cycle(params_of(self._policy, len(self._draws)))
        if self._envs is None:
            rows = map(_as_given, observations)
        else:
            rows = map(reader(self._envs.single_observation_space), iterate(self._envs.observation_space, observations))
        decisions = [decision_of(act(next(each), row, rng)) for row, rng in zip(rows, self._draws, strict=True)]
        names = getattr(decisions[0].extras, "_fields", ())
        extras = {name: np.array([getattr(one.extras, name) for one in decisions]) for name in names}
        return np.array([one.action for one in decisions]), extras

    def finish(self) -> None:
        """Write where the random streams are."""
        for row, draws in zip(self._streams, self._draws, strict=True):
            row[:] = row_of(draws.bit_generator)


def reader(space: Space) -> Callable[[Any], Any]:
    """Returns the function that converts an observation to the form in which a pure policy takes it."""
    if isinstance(space, Discrete):
        return int
    if isinstance(space, Box) and len(space.shape) == 1:
        return lambda observation: tuple(observation.tolist())
    if isinstance(space, Tuple):
        readers = [reader(part) for part in space.spaces]
        return lambda observation: tuple(read(part) for read, part in zip(readers, observation, strict=True))
    return lambda observation: observation


def _as_given(row: Any) -> Any:
    """Returns a row of a batch of a `Discrete` space or of a `Box` in that form."""
    return tuple(row.tolist()) if row.ndim == 1 and row.dtype.kind == "f" else row.copy() if row.ndim else row.item()
