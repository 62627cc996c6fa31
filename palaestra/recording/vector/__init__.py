"""Wrappers that record the episodes of a batch."""

from __future__ import annotations

from palaestra.recording.vector.record_actions import RecordActions
from palaestra.recording.vector.record_replays import RecordReplays
from palaestra.recording.vector.record_trajectories import RecordTrajectories

__all__ = ["RecordActions", "RecordReplays", "RecordTrajectories"]
