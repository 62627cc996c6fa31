"""Wrappers whose observation depends on earlier ones."""

from __future__ import annotations

from gymnasium.wrappers._delay import DelayObservation
from gymnasium.wrappers._normalize import NormalizeObservation
from gymnasium.wrappers._skip import MaxAndSkipObservation
from gymnasium.wrappers._stack import FrameStackObservation
from gymnasium.wrappers._time import TimeAwareObservation

__all__ = [
    "DelayObservation",
    "FrameStackObservation",
    "MaxAndSkipObservation",
    "NormalizeObservation",
    "TimeAwareObservation",
]
