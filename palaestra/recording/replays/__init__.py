"""Replays: episodes as their spec, their beginning and their actions, from which they run again."""

from palaestra.recording.replays.replay import Replay, ReplayStep
from palaestra.recording.replays.verification import Verification

__all__ = ["Replay", "ReplayStep", "Verification"]
