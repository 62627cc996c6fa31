"""Videos of collected frames, for example of the render mode `rgb_array_list`."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from gymnasium.logger import error
from gymnasium.rendering.frames import checked_rate
from gymnasium.rendering.video import VideoWriter
from gymnasium.wrappers._film import Trigger, capped_cubic_video_schedule

__all__ = ["capped_cubic_video_schedule", "save_video"]


def save_video(
    frames: list[Any],
    video_folder: str,
    episode_trigger: Trigger | None = None,
    step_trigger: Trigger | None = None,
    video_length: int | None = None,
    name_prefix: str = "rl-video",
    episode_index: int = 0,
    step_starting_index: int = 0,
    save_logger: str | None = None,
    fps: float | None = None,
    durations: Sequence[float] | None = None,
) -> None:
    """Write videos of an episode, whole or from certain steps on, as the triggers decide.

    Without a trigger, the episodes 0, 1, 8, 27, ... 1000, 2000, ... are written. Frame 0 is that of the reset, and
    frame k that of step k - 1.

    Args:
        frames: The pictures, uint8 of shape (height, width, 3).
        video_folder: The folder of the files; made if it is missing.
        episode_trigger: Whether to write the episode of this number, as `{name_prefix}-episode-{number}.mp4`.
        step_trigger: Whether to write from the step of this number on, as `{name_prefix}-step-{number}.mp4`.
        video_length: The number of frames in a video; None for all.
        name_prefix: The beginning of the files' names.
        episode_index: The episode's number.
        step_starting_index: The number of the episode's first step.
        save_logger: Without effect, because the encoder is silent.
        fps: Frames per second.
        durations: Instead of `fps`, the number of seconds for which each frame is shown.

    Raises:
        ValueError: If there are no frames, or not exactly one of `fps` and `durations`, or one is out of range.
        OSError: If the folder cannot be made or written to, or a video cannot be completed.
        gymnasium.error.DependencyNotInstalled: If PyAV is missing.
    """
    if not isinstance(frames, list):
        error(f"save_video expects a list of frames, but a {type(frames).__name__} came; it is read as one")
        frames = list(frames)
    if not frames:
        raise ValueError("A video needs one frame at least, but the list is empty; step or reset before")
    rate, repeats = _timing(fps, durations, len(frames))
    if episode_trigger is None and step_trigger is None:
        episode_trigger = capped_cubic_video_schedule
    folder = os.path.abspath(video_folder)
    os.makedirs(folder, exist_ok=True)

    starts = {}
    if episode_trigger is not None and episode_trigger(episode_index):
        starts[f"{name_prefix}-episode-{episode_index}"] = 0
    if step_trigger is not None:
        for k, step in enumerate(range(step_starting_index, step_starting_index + len(frames) - 1), start=1):
            if step_trigger(step):
                starts[f"{name_prefix}-step-{step}"] = k
    for name, start in starts.items():
        end = None if video_length is None else start + video_length
        _write(os.path.join(folder, f"{name}.mp4"), rate, frames[start:end], repeats[start:end])


def _write(path: str, rate: float, frames: Sequence[Any], repeats: Sequence[int]) -> None:
    """Write a video in which each frame is shown for so many times."""
    with VideoWriter(path, rate) as writer:
        for frame, times in zip(frames, repeats, strict=True):
            for _ in range(times):
                writer.write(frame)


def _timing(fps: float | None, durations: Sequence[float] | None, n: int) -> tuple[float, list[int]]:
    """Returns the frames per second, and the number of repetitions of each of the n frames."""
    if (fps is None) == (durations is None):
        raise ValueError(f"Give either fps or durations for the speed, but fps={fps} and durations={durations} came")
    if durations is None:
        return float(checked_rate(fps)), [1] * n
    if len(durations) != n or not all(0 < seconds < math.inf for seconds in durations):
        raise ValueError(f"durations must be a positive number of seconds for each of {n} frames, but {durations} came")
    exact = [Fraction(float(seconds)).limit_denominator(1000) for seconds in durations]
    if not all(exact):
        raise ValueError(f"durations must be a thousandth of a second at least, but {durations} came")
    tick = Fraction(gcd(*(time.numerator for time in exact)), lcm(*(time.denominator for time in exact)))
    try:
        rate = float(checked_rate(1 / tick))
    except ValueError:
        raise ValueError(
            f"durations must be multiples of a time from 0.000001 to 500 s, but {durations} came"
        ) from None
    return rate, [int(time / tick) for time in exact]
