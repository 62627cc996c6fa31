"""Snapshots of a compiled batch: of one environment, for `get_state`; of all, for copies and pickles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.functional.env import FunctionalState

if TYPE_CHECKING:
    from gymnasium.compiled.attributes import Attributes
    from gymnasium.compiled.memory import Memory
    from gymnasium.compiled.runner import Runner  # whose Numba is imported when it is needed
    from gymnasium.compiled.streams import Streams


class BatchedState(NamedTuple):
    """A snapshot of one environment of a batch, with its position in the episode."""

    environment: FunctionalState
    elapsed: int
    finished: bool


def state_at(i: int, memory: Memory, attributes: Attributes) -> BatchedState:
    """Returns a snapshot of environment i."""
    columns = memory.columns
    return BatchedState(attributes.at(i).get_state(), int(columns["elapsed"][i]), bool(columns["finished"][i]))


def put_state(i: int, state: Any, memory: Memory, attributes: Attributes, streams: Streams) -> None:
    """Restore a snapshot in environment i.

    Raises:
        TypeError: If `state` is not a snapshot.
        ValueError: If it belongs to other dynamics. Nothing is set in either case.
    """
    if not isinstance(state, BatchedState):
        raise TypeError(f"`set_state` expects what `get_state` of a batch returned, but a {type(state)} came")
    env = attributes.at(i)
    env.set_state(state.environment)
    streams.assign(i, env.np_random, state.environment.seed)
    memory.set_state(i, env._state)
    memory.columns["elapsed"][i], memory.columns["finished"][i] = state.elapsed, state.finished
    # A reset of other environments returns this observation again.
    observed = env.func_env.observation(env._state, env._stream(), env.params)
    for k, leaf in enumerate(memory.plan.observation):
        part = observed
        for index in leaf.indices:
            part = part[index]
        memory.columns[f"observation{k}"][i] = part


class Saved(NamedTuple):
    """A snapshot of all environments."""

    columns: dict[str, NDArray[Any]]
    rows: NDArray[np.uint64]
    seeds: list[int | None]
    params: list[Any]
    running: bool


def saved(memory: Memory, attributes: Attributes, streams: Streams) -> Saved:
    """Returns a snapshot of all environments."""
    seeds, params = list(streams.seeds()), list(attributes.params)
    return Saved(dict(memory.columns), memory.streams, seeds, params, attributes.running)


def put_saved(moment: Saved, runner: Runner, attributes: Attributes, streams: Streams) -> None:
    """Restore a snapshot in all environments."""
    attributes.use(moment.params)
    attributes.running = moment.running
    for name, column in moment.columns.items():
        runner.memory.columns[name][:] = column
    streams.put(moment.rows, moment.seeds)
