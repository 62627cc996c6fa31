"""Snapshots of environments: `snapshot`, `restore` and `fork`."""

from palaestra.snapshots.forks import fork
from palaestra.snapshots.snapshot import Snapshot, restore, snapshot

__all__ = ["Snapshot", "fork", "restore", "snapshot"]
