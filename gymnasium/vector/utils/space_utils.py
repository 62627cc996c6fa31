"""Batches of values; each space implements its own operations, see `gymnasium.spaces.batching`."""

from __future__ import annotations

from gymnasium.spaces.batching import (
    batch_differing_spaces,
    batch_space,
    concatenate,
    create_empty_array,
    iterate,
)

__all__ = ["batch_differing_spaces", "batch_space", "concatenate", "create_empty_array", "iterate"]
