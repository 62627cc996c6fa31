"""`fork`: the state of one environment of a batch, copied into others."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import signature
from typing import Any

from gymnasium.states.layers import layers_of
from gymnasium.utils.seeding import np_random
from palaestra.error import CannotSnapshot
from palaestra.snapshots.snapshot import number_of


def fork(envs: Any, source: int, into: Sequence[int] | None = None, seeds: int | Sequence[int] | None = None) -> None:
    """Copy the state of one environment of a batch into others.

    The others then have the same future: the same actions give the same bits. With `seeds` their random numbers differ
    from here on.

    Args:
        envs: A `VectorEnv`. A wrapper around it that keeps a memory, such as statistics, is refused: fork the batch
            inside.
        source: The environment whose state is copied.
        into: The others; None for all of them.
        seeds: An int, for environment i of the batch `seeds + i`; or a seed for each of `into`.

    Raises:
        TypeError: If `envs` is not a `VectorEnv`.
        IndexError: If an environment does not exist.
        ValueError: If an environment is named twice, or there is not one seed for each. Nothing has changed then.
        palaestra.error.CannotSnapshot: If the state of a layer is unknown; with `seeds`, for a batch under JAX, whose
            environments share one key.
        gymnasium.error.ResetNeeded: Before the first reset.
    """
    n = number_of(envs)
    if n is None:
        raise TypeError(f"fork copies within a batch, a VectorEnv, but the single environment {envs} came")
    others = [i for i in range(n) if i != source] if into is None else [int(i) for i in into]
    for i in (source, *others):
        if not 0 <= i < n:
            raise IndexError(f"There are environments 0 to {n - 1}, but {i} was asked for")
    if len(set(others)) < len(others):
        raise ValueError(f"`into` names an environment twice: {others}")
    each = _seeds(seeds, others)
    layers = layers_of(envs)
    if len(layers) > 1:
        raise ValueError(f"{layers[0][0]} keeps one memory for all environments: fork the batch inside, `envs.env`")
    _, batch = layers[-1]
    if hasattr(batch, "fork"):
        batch.fork(source, others, each)
        return
    if each is not None and "seed" not in signature(batch.set_state).parameters:
        raise CannotSnapshot(f"{type(batch).__name__} has one source of random numbers for all: leave `seeds` out")
    state = batch.get_state(source)
    for k, i in enumerate(others):
        if each is None:
            batch.set_state(i, state)
        else:
            batch.set_state(i, state, each[k])


def _seeds(seeds: int | Sequence[int] | None, others: list[int]) -> list[int] | None:
    if seeds is None:
        return None
    each = [seeds + i for i in others] if isinstance(seeds, int) else [int(seed) for seed in seeds]
    if len(each) != len(others):
        raise ValueError(f"{len(others)} seeds are needed, one for each of `into`, but {len(each)} came")
    for seed in each:
        np_random(seed)  # refuses an invalid seed
    return each
