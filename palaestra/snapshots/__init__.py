"""Snapshots of environments: `snapshot`, `restore` and `fork`."""

from gymnasium.snapshots.forks import fork
from gymnasium.snapshots.snapshot import Snapshot, restore, snapshot

__all__ = ["Snapshot", "fork", "restore", "snapshot"]
