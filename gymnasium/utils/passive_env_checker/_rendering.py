"""Checks of `render`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gymnasium.core import Env
from gymnasium.logger import warn
from gymnasium.utils.passive_env_checker._findings import described


def env_render_passive_checker(env: Env) -> Any:
    """Check `env`'s render modes, call `env.render()`, check its result, and return it unchanged.

    Raises:
        AssertionError: If `env.render_mode` is not one of the modes, or `render_fps` is not positive.
    """
    modes = env.metadata.get("render_modes")
    if modes is None:
        warn(
            f"G502: metadata must name the render modes, but holds {env.metadata}; add a list "
            '"render_modes", maybe empty'
        )
    else:
        _check_render_modes(modes)
        _check_render_mode(env.render_mode, modes)
        if len(modes) > 0:
            _check_render_fps(env.metadata)
    result = env.render()
    if env.render_mode is not None:
        _check_render_return(env.render_mode, result)
    return result


def _check_render_modes(modes: Any) -> None:
    if not isinstance(modes, (list, tuple)):
        warn(f'G503: metadata["render_modes"] must be a list, but is {described(modes)}')
    elif not all(isinstance(mode, str) for mode in modes):
        warn(f'G504: metadata["render_modes"] must hold strings, but is {modes!r}')


def _check_render_mode(mode: str | None, modes: Any) -> None:
    if mode is not None and mode not in modes:
        raise AssertionError(
            f'G508: render_mode must be None or one of metadata["render_modes"], {modes!r}, but is {mode!r}; add it '
            "there"
        )


def _check_render_fps(metadata: Mapping[str, Any]) -> None:
    fps = metadata.get("render_fps")
    if fps is None:
        warn('G505: An environment that renders must say at how many frames per second; add metadata["render_fps"]')
    elif isinstance(fps, bool) or not isinstance(fps, (int, float, np.integer, np.floating)):
        warn(f'G506: metadata["render_fps"] must be a number, but is {described(fps)}')
    elif not fps > 0:  # NaN fails too
        raise AssertionError(f'G507: metadata["render_fps"] must be positive, but is {fps}')


def _check_render_return(mode: str, frame: Any) -> None:
    """Warn if the result of `render()` does not fit `mode`."""
    who = f"render() in the mode {mode!r}"
    if mode == "human":
        if frame is not None:
            warn(f"G509: {who} must return None, but returned {described(frame)}")
    elif mode in ("ansi", "ascii"):
        if not isinstance(frame, str):
            warn(f"G510: {who} must return a string, but returned {described(frame)}")
    elif mode.endswith("_list"):
        if not isinstance(frame, list):
            warn(f"G511: {who} must return a list, but returned {described(frame)}")
            return
        for item in frame:
            _check_render_return(mode.removesuffix("_list"), item)
    elif mode in ("rgb_array", "depth_array"):
        _check_pixels(mode, frame, who)


def _check_pixels(mode: str, frame: Any, who: str) -> None:
    if not isinstance(frame, np.ndarray):
        warn(f"G512: {who} must return a NumPy array, but returned {described(frame)}")
    elif mode == "depth_array":
        if frame.ndim != 2:
            warn(f"G513: {who} must return an array of shape (height, width), but its shape is {frame.shape}")
    else:
        if frame.dtype != np.uint8:
            warn(f"G514: {who} must return an array of dtype uint8, but its dtype is {frame.dtype}")
        if frame.ndim != 3 or frame.shape[2] != 3:
            warn(f"G515: {who} must return an array of shape (height, width, 3), but its shape is {frame.shape}")
