"""Wrappers that convert one render mode into another."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, Generic

from gymnasium.core import ActType, Env, ObsType, RenderFrame, Wrapper
from gymnasium.rendering import Window, require_display
from gymnasium.utils.record_constructor import RecordConstructorArgs
from gymnasium.wrappers._frames import picture, with_mode
from gymnasium.wrappers._noise import AddWhiteNoise, ObstructView
from gymnasium.wrappers._record_video import RecordVideo
from gymnasium.wrappers.common import StepResult

__all__ = ["AddWhiteNoise", "HumanRendering", "ObstructView", "RecordVideo", "RenderCollection"]


class RenderCollection(Wrapper[ObsType, ActType, ObsType, ActType], RecordConstructorArgs, Generic[ObsType, ActType]):
    """Collects a frame at each reset and step, and returns them as a list: `rgb_array` becomes `rgb_array_list`.

    Args:
        env: The environment, in any render mode that does not end in `_list`.
        pop_frames: Whether `render` empties the collection.
        reset_clean: Whether `reset` does.

    Raises:
        ValueError: If the environment has no render mode, or one of lists.
    """

    def __init__(self, env: Env[ObsType, ActType], pop_frames: bool = True, reset_clean: bool = True) -> None:
        mode = env.render_mode
        if mode is None or mode.endswith("_list"):
            raise ValueError(
                f"RenderCollection collects the frames of a mode such as 'rgb_array', but {env} has "
                f"render_mode={mode!r}; "
                + ("make it with a render_mode" if mode is None else "it collects frames itself, so leave this out")
            )
        RecordConstructorArgs.__init__(self, pop_frames=pop_frames, reset_clean=reset_clean)
        Wrapper.__init__(self, env)
        self.frame_list: list[Any] = []
        self.pop_frames = pop_frames
        self.reset_clean = reset_clean
        self.metadata = with_mode(env.metadata, f"{mode}_list")

    @property
    def render_mode(self) -> str | None:  # type: ignore[override]  # an attribute of Env, derived here
        """The environment's mode, with `_list`."""
        return f"{self.env.render_mode}_list"

    def step(self, action: ActType) -> StepResult[ObsType]:
        """Step, and keep a frame."""
        result = self.env.step(action)
        self.frame_list.append(self.env.render())
        return result

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Reset, and keep a frame."""
        result = self.env.reset(seed=seed, options=options)
        if self.reset_clean:
            self.frame_list = []
        self.frame_list.append(self.env.render())
        return result

    def render(self) -> list[RenderFrame]:
        """Returns the frames collected."""
        if not self.pop_frames:
            return deepcopy(self.frame_list)  # the kept frames are returned again, so the caller gets copies
        frames, self.frame_list = self.frame_list, []
        return frames


class HumanRendering(Wrapper[ObsType, ActType, ObsType, ActType], RecordConstructorArgs, Generic[ObsType, ActType]):
    """Shows an environment that renders arrays in a window, at each reset and step: the mode `human`.

    Depth is shown in grey, with the nearest black and the farthest white. Of a list, the last frame is shown.

    Raises:
        ValueError: If the environment's render mode is none of `ACCEPTED_RENDER_MODES`, or its metadata lacks
            `render_fps`.
        gymnasium.error.UnsupportedMode: If there is no display.
        gymnasium.error.DependencyNotInstalled: If pygame is missing.
        AssertionError: At `reset` or `step`, if the frames change their size.
        ValueError: There too, if the environment renders something other than pixels or depths.
    """

    ACCEPTED_RENDER_MODES = ["rgb_array", "rgb_array_list", "depth_array", "depth_array_list"]

    def __init__(self, env: Env[ObsType, ActType]) -> None:
        if env.render_mode not in self.ACCEPTED_RENDER_MODES:
            raise ValueError(
                f"HumanRendering shows the modes {self.ACCEPTED_RENDER_MODES}, but {env} has "
                f"render_mode={env.render_mode!r}; make the environment with one of these"
            )
        if "render_fps" not in env.metadata:
            raise ValueError(
                f"HumanRendering needs to know the frames per second, but the metadata of {env} is {env.metadata}; "
                'add "render_fps"'
            )
        require_display()
        RecordConstructorArgs.__init__(self)
        Wrapper.__init__(self, env)
        self.metadata = with_mode(env.metadata, "human")
        self.screen_size: tuple[int, int] | None = None  # (width, height), after the first frame
        bare = env.unwrapped
        title = type(bare).__name__ if bare.spec is None else bare.spec.id
        self._window = Window(title, env.metadata["render_fps"])

    @property
    def render_mode(self) -> str | None:  # type: ignore[override]  # an attribute of Env, fixed here
        """`"human"`."""
        return "human"

    def step(self, action: ActType) -> StepResult[ObsType]:
        """Step, and show the result."""
        result = self.env.step(action)
        self._show()
        return result

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Reset, and show the start."""
        result = self.env.reset(seed=seed, options=options)
        self._show()
        return result

    def render(self) -> None:
        """Does nothing: `reset` and `step` show every frame."""

    def close(self) -> None:
        """Close the window and the environment."""
        self._window.close()
        return self.env.close()

    def _show(self) -> None:
        frame: Any = self.env.render()
        if isinstance(frame, list):
            if not frame:  # nothing new
                return
            frame = frame[-1]
        pixels = picture(frame)
        height, width = pixels.shape[:2]
        if self.screen_size is None:
            self.screen_size = (width, height)
        elif self.screen_size != (width, height):
            raise AssertionError(
                f"The window shows frames of {self.screen_size[0]}x{self.screen_size[1]} pixels, but one of "
                f"{width}x{height} came; let render() return one size"
            )
        self._window.show(pixels)
