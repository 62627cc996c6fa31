"""Episodes to film and their files: the common base of the single and the vector `RecordVideo`."""

from __future__ import annotations

import gc
import math
import os
import weakref
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from gymnasium.logger import warn
from gymnasium.rendering.frames import checked_rate
from gymnasium.rendering.video import VideoWriter, require_encoder
from gymnasium.wrappers._frames import picture
from gymnasium.wrappers.utils import checked_state

Trigger = Callable[[int], bool]


def capped_cubic_video_schedule(episode_id: int) -> bool:
    """Whether to film an episode: 0, 1, 8, 27, ... 729, 1000, and from there on every thousandth."""
    if episode_id < 1000:
        root: int = round(episode_id ** (1 / 3))
        return root**3 == episode_id
    return episode_id % 1000 == 0


def always(episode_id: int) -> bool:
    """Returns True: after each video, Python collects its garbage."""
    return True


class Filming:
    """Counts episodes and steps, and streams frames into the current video, if there is one.

    Attributes:
        episode_id: The number of the current episode, from 0; -1 before the first.
        step_id: The number of the last step, from 0, over all episodes.
        recording: Whether a video is being made.
        frames_per_sec: The speed at which it plays.
    """

    recording = False
    _video_name: str | None = None
    _frame_count = 0
    _writer: VideoWriter | None = None
    _finish: weakref.finalize[..., Any] | None = None

    def _prepare(
        self,
        env: Any,
        video_folder: str,
        episode_trigger: Trigger | None,
        step_trigger: Trigger | None,
        video_length: int,
        name_prefix: str,
        fps: float | None,
        gc_trigger: Trigger | None,
    ) -> None:
        """Check and keep the constructor's arguments, and make the folder."""
        fps = env.metadata.get("render_fps", 30) if fps is None else fps
        _check(video_length, fps, episode_trigger=episode_trigger, step_trigger=step_trigger, gc_trigger=gc_trigger)
        require_encoder(".mp4")
        self.video_folder = _folder(video_folder)
        if episode_trigger is None and step_trigger is None:
            episode_trigger = capped_cubic_video_schedule
        self.episode_trigger, self.step_trigger, self.gc_trigger = episode_trigger, step_trigger, gc_trigger
        self.video_length = video_length or math.inf
        self.name_prefix = name_prefix
        self.frames_per_sec = fps
        self.episode_id = -1
        self.step_id = -1

    def start_recording(self, video_name: str) -> None:
        """Begin the video `{video_folder}/{video_name}.mp4`; a current one is finished first.

        Raises:
            OSError: If the new video cannot be begun, or the current one cannot be finished; the new one begins anyway.
        """
        try:
            if self.recording:
                self.stop_recording()
        finally:  # a failed video does not affect the next one
            _make(self.video_folder)  # it may have been deleted since the last video
            writer = VideoWriter(os.path.join(self.video_folder, f"{video_name}.mp4"), self.frames_per_sec)
            self._writer, self._frame_count, self.recording, self._video_name = writer, 0, True, video_name
            # Also at the program's end, where __del__ may never be called.
            self._finish = weakref.finalize(self, _finish_forgotten, writer)

    def stop_recording(self) -> None:
        """Finish the video.

        Raises:
            AssertionError: If there is no current video.
            OSError: If the file cannot be completed; the video ends anyway.
        """
        if not self.recording:
            raise AssertionError("stop_recording() finishes a video, but none has begun; call start_recording first")
        count = self._frame_count
        self._stop()
        if not count:
            warn("The video was stopped before its first frame, so no file was written; step or reset before")
        if self.gc_trigger is not None and self.gc_trigger(self.episode_id):
            gc.collect()

    def _stop(self) -> None:
        """Finish the file, and drop it even on failure; after Ctrl-C, however, this can be called again."""
        try:
            if self._writer is not None:
                self._writer.close()
        except Exception:
            self._forget()
            raise
        self._forget()

    def _forget(self) -> None:
        if self._finish is not None:
            self._finish.detach()
        self._writer, self._finish, self._video_name = None, None, None
        self._frame_count, self.recording = 0, False

    def _advance(self, *, begins: bool, stepped: bool) -> None:
        """Count, end and begin videos, and film a frame; a video's error is raised after all of this."""
        try:
            if begins:
                self._episode_begins()
        finally:
            try:
                if stepped:
                    self._step_done()
            finally:
                if self.recording:
                    self._capture_frame()

    def _episode_begins(self) -> None:
        self.episode_id += 1
        try:
            if self.recording and math.isinf(self.video_length):
                self.stop_recording()
        finally:
            if self.episode_trigger is not None and self.episode_trigger(self.episode_id):
                self.start_recording(f"{self.name_prefix}-episode-{self.episode_id}")

    def _step_done(self) -> None:
        self.step_id += 1
        if self.step_trigger is not None and self.step_trigger(self.step_id):
            self.start_recording(f"{self.name_prefix}-step-{self.step_id}")

    def _capture_frame(self) -> None:
        """Render, and film the frame."""
        raise NotImplementedError

    def _film(self, frame: object) -> None:
        """Add a frame to the video; it ends after `video_length` + 1 frames, the first of them from its start."""
        if not isinstance(frame, np.ndarray):
            self.stop_recording()
            warn(f"The video is stopped: a frame must be an array, but render() returned a {type(frame).__name__}")
            return
        assert self._writer is not None
        try:
            self._writer.write(picture(frame))
        except Exception:
            self._stop()  # keeps the frames so far
            raise
        self._frame_count += 1
        if self._frame_count > self.video_length:
            self.stop_recording()

    def get_state(self) -> dict[str, np.ndarray]:
        """Returns `episode_id` and `step_id` as arrays; a current video is not part of them."""
        return {"episode_id": np.array(self.episode_id), "step_id": np.array(self.step_id)}

    def set_state(self, state: Mapping[str, np.ndarray]) -> None:
        """Continue the counts that `get_state` returned.

        Raises:
            ValueError: If an array is missing or superfluous, or has another shape; nothing changes then.
        """
        arrays = checked_state(state, {"episode_id": (), "step_id": ()})
        self.episode_id, self.step_id = int(arrays["episode_id"]), int(arrays["step_id"])

    def __getstate__(self) -> dict[str, Any]:
        """Returns everything but the current video, which stays with this object: a copy is not recording."""
        state = self.__dict__.copy()
        for name in ("recording", "_writer", "_finish", "_frame_count", "_video_name"):
            state.pop(name, None)
        return state

    def __del__(self) -> None:
        """Finish a forgotten video, with a warning."""
        if self._writer is not None and self._frame_count:
            fate = f"Its {self._frame_count} frames are in {self._writer.path}"
            try:
                self.stop_recording()
            except OSError as error:
                fate = str(error)
            warn(
                f"{type(self).__name__} was deleted while it was recording; call close() when you are done with it. "
                f"{fate}"
            )


def _finish_forgotten(writer: VideoWriter) -> None:
    """Finish a video at the program's end, when nobody can catch an error."""
    try:
        writer.close()
    except OSError as error:
        warn(str(error))


def _check(video_length: int, fps: object, **triggers: Trigger | None) -> None:
    if isinstance(video_length, bool) or not isinstance(video_length, int | np.integer):
        raise TypeError(f"video_length must be an int, the number of frames, but {video_length!r} came")
    if video_length < 0:
        raise ValueError(f"video_length must not be negative, but {video_length} came; 0 means whole episodes")
    checked_rate(fps)
    for name, trigger in triggers.items():
        if trigger is not None and not callable(trigger):
            raise TypeError(f"{name} must be a function of a number that returns a bool, but {trigger!r} came")


def _folder(path: str) -> str:
    """Returns the absolute path of the folder, which is made if it is missing."""
    path = os.path.abspath(path)
    if os.path.isdir(path):
        warn(f"Overwriting existing videos at {path} is possible; choose another video_folder to keep them")
    _make(path)
    if not os.access(path, os.W_OK | os.X_OK):
        raise PermissionError(f"Videos cannot be written to {path}; choose a video_folder that you may write to")
    return path


def _make(folder: str) -> None:
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise OSError(
            error.errno,
            f"The folder of the videos cannot be made ({error.strerror}); choose another video_folder",
            folder,
        ) from error
