"""Batches in shared memory; each space implements its own operations, see `gymnasium.spaces.sharing`."""

from __future__ import annotations

from gymnasium.spaces.sharing import create_shared_memory, read_from_shared_memory, write_to_shared_memory

__all__ = ["create_shared_memory", "read_from_shared_memory", "write_to_shared_memory"]
