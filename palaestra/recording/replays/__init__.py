"""Replays: episodes as their spec, their beginning and their actions, from which they run again."""

from gymnasium.replays.replay import Replay, ReplayStep
from gymnasium.replays.verification import Verification

__all__ = ["Replay", "ReplayStep", "Verification"]
