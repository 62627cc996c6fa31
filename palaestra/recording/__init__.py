"""Episodes that outlive their process: replays, which run again, and data sets in Minari's format.

The wrappers here record one environment, those of `palaestra.recording.vector` a batch.
"""

from __future__ import annotations

from palaestra.recording import data_sets, replays, vector
from palaestra.recording.record_actions import RecordActions
from palaestra.recording.record_replays import RecordReplays
from palaestra.recording.record_trajectories import RecordTrajectories

__all__ = ["RecordActions", "RecordReplays", "RecordTrajectories", "data_sets", "replays", "vector"]
