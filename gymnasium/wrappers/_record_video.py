"""Videos of one environment."""

from __future__ import annotations

from typing import Any, Generic

from gymnasium.core import ActType, Env, ObsType, RenderFrame, Wrapper
from gymnasium.utils.record_constructor import RecordConstructorArgs
from gymnasium.wrappers._film import Filming, Trigger, always
from gymnasium.wrappers._frames import check_renders_arrays
from gymnasium.wrappers.common import StepResult


class RecordVideo(
    Filming, Wrapper[ObsType, ActType, ObsType, ActType], RecordConstructorArgs, Generic[ObsType, ActType]
):
    """Films episodes, or clips of a given length, into `.mp4` files.

    Each frame goes to the encoder at once: memory does not grow with the length, and the file can be played up to its
    last second even if the process is killed. `close`, or the end of the program, finishes a video.

    Without a trigger, the episodes 0, 1, 8, 27, ... 1000, 2000, ... are filmed. A copy of this wrapper, by `deepcopy`
    or `pickle`, does not continue an unfinished video.

    Args:
        env: The environment, in a mode that renders arrays; depth is filmed in grey.
        video_folder: The folder of the files; made if it is missing.
        episode_trigger: Whether to film the episode of this number, as `{name_prefix}-episode-{number}.mp4`.
        step_trigger: Whether to film from the step of this number on, as `{name_prefix}-step-{number}.mp4`.
        video_length: The number of steps filmed after the first frame; 0 films until the episode ends.
        name_prefix: The beginning of the files' names.
        fps: Frames per second, from 0.002 to a million; None for `metadata["render_fps"]`, or 30.
        disable_logger: Without effect, because the encoder is silent.
        gc_trigger: Whether to collect garbage after a video that ends in the episode of this number.

    Raises:
        ValueError: For a render mode without arrays, or a number out of range; at `reset` or `step`, for frames that
            change their size.
        OSError: If the folder cannot be made or written to; at `reset`, `step` or `close`, if a video cannot be
            completed, with its name and the reason. All other work is done by then: the environment has moved, and
            the next video is recorded. The frames of the failed one are in `{name}.partial.mp4`.
        gymnasium.error.DependencyNotInstalled: If PyAV, or its encoder, is missing.
    """

    __module__ = "gymnasium.wrappers.rendering"  # the public home, which specs and pickles name

    def __init__(
        self,
        env: Env[ObsType, ActType],
        video_folder: str,
        episode_trigger: Trigger | None = None,
        step_trigger: Trigger | None = None,
        video_length: int = 0,
        name_prefix: str = "rl-video",
        fps: float | None = None,
        disable_logger: bool = True,
        gc_trigger: Trigger | None = always,
    ) -> None:
        # The default function is left out, because a spec with a function has no JSON.
        trigger: dict[str, Any] = {} if gc_trigger is always else {"gc_trigger": gc_trigger}
        RecordConstructorArgs.__init__(
            self,
            video_folder=video_folder,
            episode_trigger=episode_trigger,
            step_trigger=step_trigger,
            video_length=video_length,
            name_prefix=name_prefix,
            fps=fps,
            disable_logger=disable_logger,
            **trigger,
        )
        Wrapper.__init__(self, env)
        check_renders_arrays(env, "RecordVideo")
        self._prepare(env, video_folder, episode_trigger, step_trigger, video_length, name_prefix, fps, gc_trigger)
        self.disable_logger = disable_logger
        self.render_history: list[RenderFrame] = []  # in a list mode: the frames taken for videos
        # A collection that does not empty itself needs no history; one that `reset` empties needs an empty one too.
        self._pops = _attribute(env, "pop_frames", True)
        self._cleans = _attribute(env, "reset_clean", False)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Reset; this begins an episode, and perhaps a video."""
        result = self.env.reset(seed=seed, options=options)
        if self._cleans:
            self.render_history = []
        self._advance(begins=True, stepped=False)
        return result

    def step(self, action: ActType) -> StepResult[ObsType]:
        """Step, and film the result."""
        result = self.env.step(action)
        self._advance(begins=False, stepped=True)
        return result

    def render(self) -> RenderFrame | list[RenderFrame] | None:
        """Returns the rendered frames; a list begins with the frames already taken for a video."""
        rendered = self.env.render()
        if isinstance(rendered, list):
            history, self.render_history = self.render_history, []
            return history + rendered
        return rendered

    def close(self) -> None:
        """Close the environment and finish the video."""
        try:
            self.env.close()
        finally:
            if self.recording:
                self.stop_recording()

    def _capture_frame(self) -> None:
        frame: Any = self.env.render()
        if isinstance(frame, list):
            if not frame:  # nothing new
                return
            if self._pops:
                self.render_history += frame
            frame = frame[-1]
        self._film(frame)


def _attribute(env: Env, name: str, default: bool) -> bool:
    return bool(env.get_wrapper_attr(name)) if env.has_wrapper_attr(name) else default
