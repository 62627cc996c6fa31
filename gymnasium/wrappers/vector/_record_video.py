"""Videos of a batch of environments."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.core import ActType, ObsType
from gymnasium.logger import warn
from gymnasium.rendering.tiling import grid_shape, tiled
from gymnasium.utils.record_constructor import RecordConstructorArgs
from gymnasium.vector.vector_env import ArrayType, AutoresetMode, VectorEnv, VectorWrapper
from gymnasium.wrappers._film import Filming, Trigger, always
from gymnasium.wrappers._frames import check_renders_arrays, picture
from gymnasium.wrappers.vector._episodes import Episodes


class RecordVideo(Filming, VectorWrapper[ObsType, ActType, ArrayType], RecordConstructorArgs):
    """Films the environments side by side into `.mp4` files; the counted episodes are those of environment 0.

    Like the `RecordVideo` of a single environment, except that a video of an episode of environment 0 also shows the
    other environments. In the mode SAME_STEP the last picture of an episode is missing.

    Args:
        env: The vector environment, in a mode that renders arrays; depth is filmed in grey.
        video_folder: The folder of the files; made if it is missing.
        video_aspect_ratio: The desired width and height of the grid of pictures, in any unit.
        record_first_only: Whether to film environment 0 alone.
        episode_trigger: Whether to film the episode of this number, as `{name_prefix}-episode-{number}.mp4`.
        step_trigger: Whether to film from the step of this number on, as `{name_prefix}-step-{number}.mp4`.
        video_length: The number of steps filmed after the first frame; 0 films until the episode ends.
        name_prefix: The beginning of the files' names.
        fps: Frames per second, from 0.002 to a million; None for `metadata["render_fps"]`, or 30.
        disable_logger: Without effect, because the encoder is silent.
        gc_trigger: Whether to collect garbage after a video that ends in the episode of this number.

    Raises:
        ValueError: For a render mode without arrays, or a number out of range; at `reset` or `step`, for frames that
            differ or change in size.
        TypeError: If the metadata's `autoreset_mode` is not an `AutoresetMode`.
        OSError: If the folder cannot be made or written to; at `reset`, `step` or `close`, if a video cannot be
            completed, with its name and the reason. All other work is done by then: the environment has moved, and
            the next video is recorded. The frames of the failed one are in `{name}.partial.mp4`.
        gymnasium.error.DependencyNotInstalled: If PyAV, or its encoder, is missing.
    """

    __module__ = "gymnasium.wrappers.vector.rendering"  # the public module, for specs and pickles

    def __init__(
        self,
        env: VectorEnv,
        video_folder: str,
        video_aspect_ratio: tuple[int, int] = (1, 1),
        record_first_only: bool = False,
        episode_trigger: Trigger | None = None,
        step_trigger: Trigger | None = None,
        video_length: int = 0,
        name_prefix: str = "rl-video",
        fps: float | None = None,
        disable_logger: bool = True,
        gc_trigger: Trigger | None = always,
    ) -> None:
        RecordConstructorArgs.__init__(
            self,
            video_folder=video_folder,
            video_aspect_ratio=video_aspect_ratio,
            record_first_only=record_first_only,
            episode_trigger=episode_trigger,
            step_trigger=step_trigger,
            video_length=video_length,
            name_prefix=name_prefix,
            fps=fps,
            disable_logger=disable_logger,
            gc_trigger=gc_trigger,
        )
        VectorWrapper.__init__(self, env)
        check_renders_arrays(env, "RecordVideo")
        self._aspect = _aspect(video_aspect_ratio)
        self._episodes = Episodes(env)
        self._prepare(env, video_folder, episode_trigger, step_trigger, video_length, name_prefix, fps, gc_trigger)
        self.video_aspect_ratio = video_aspect_ratio
        self.record_first_only = record_first_only
        self.disable_logger = disable_logger
        self.render_history: list[list[Any]] = []  # in a list mode: for each environment, the frames taken for videos
        if self._episodes.mode is AutoresetMode.SAME_STEP:
            warn(
                "In the mode SAME_STEP an environment is reset before it can be rendered, so videos lack the last "
                "frame of each episode; use NEXT_STEP to see it"
            )

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Reset; for environment 0 this begins an episode, and perhaps a video."""
        result = self.env.reset(seed=seed, options=options)
        if self._episodes.reset(options)[0]:
            self._advance(begins=True, stepped=False)
        return result

    def step(self, actions: ActType) -> tuple[ObsType, ArrayType, ArrayType, ArrayType, dict[str, Any]]:
        """Step, and film the result."""
        result = self.env.step(actions)
        _, _, begun = self._episodes.step(result[2], result[3])
        self._advance(begins=0 in begun, stepped=True)
        return result

    def render(self) -> Any:
        """Returns the rendered frames; lists begin with the frames already taken for a video."""
        rendered = self.env.render()
        if not self.render_history or rendered is None:
            return rendered
        history, self.render_history = self.render_history, []
        return tuple(taken + list(new) for taken, new in zip(history, rendered, strict=True))

    def close(self, **kwargs: Any) -> None:
        """Close the environments and finish the video."""
        try:
            self.env.close(**kwargs)
        finally:
            if self.recording:
                self.stop_recording()

    def _capture_frame(self) -> None:
        rendered: Any = self.env.render()
        if isinstance(rendered, tuple | list) and rendered and isinstance(rendered[0], list):
            if not all(rendered):  # nothing new
                return
            self.render_history = self.render_history or [[] for _ in rendered]
            for taken, new in zip(self.render_history, rendered, strict=True):
                taken += new
            rendered = [new[-1] for new in rendered]
        frames = rendered[:1] if self.record_first_only and isinstance(rendered, tuple | list) else rendered
        self._film(self._grid(frames))

    def _grid(self, frames: object) -> NDArray[np.uint8] | Any:
        """Returns the frames side by side; other objects are returned unchanged."""
        if not isinstance(frames, tuple | list) or not all(isinstance(frame, np.ndarray) for frame in frames):
            return frames
        pictures = [picture(frame) for frame in frames]
        height, width = pictures[0].shape[:2]
        return tiled(pictures, *grid_shape(len(pictures), height, width, self._aspect))


def _aspect(ratio: object) -> float:
    if not isinstance(ratio, tuple | list) or len(ratio) != 2 or not all(side > 0 for side in ratio):
        raise ValueError(f"video_aspect_ratio must be a pair of positive numbers (width, height), but {ratio!r} came")
    return float(ratio[0] / ratio[1])
