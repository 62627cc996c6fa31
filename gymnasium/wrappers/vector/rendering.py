"""Vector wrappers that show or film environments."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.core import ActType, ObsType
from gymnasium.rendering import Window, require_display
from gymnasium.rendering.tiling import grid_shape, tiled
from gymnasium.transforms.image import load_cv2, resized
from gymnasium.utils.record_constructor import RecordConstructorArgs
from gymnasium.vector.vector_env import ArrayType, VectorEnv, VectorWrapper
from gymnasium.wrappers._frames import picture, with_mode
from gymnasium.wrappers._numbers import checked_integer
from gymnasium.wrappers.rendering import HumanRendering as SingleHumanRendering
from gymnasium.wrappers.vector._record_video import RecordVideo

__all__ = ["HumanRendering", "RecordVideo"]


class HumanRendering(VectorWrapper[ObsType, ActType, ArrayType], RecordConstructorArgs):
    """Shows the environments side by side in a window, at each reset and step: the mode `human`.

    Depth is shown in grey, with the nearest black and the farthest white. Of lists, the last frames are shown.

    Args:
        env: The vector environment, in a mode of `ACCEPTED_RENDER_MODES`.
        screen_size: The window's (width, height), to which the grid of pictures is scaled; None for its own size.

    Raises:
        ValueError: If the render mode is another, or the metadata lack `render_fps`, or the size is not a pair of
            positive integers; at `reset` or `step`, if the environments render anything but pictures of one size.
        gymnasium.error.UnsupportedMode: If there is no display.
        gymnasium.error.DependencyNotInstalled: If pygame is missing, or, with a `screen_size`, OpenCV.
    """

    ACCEPTED_RENDER_MODES = SingleHumanRendering.ACCEPTED_RENDER_MODES

    def __init__(self, env: VectorEnv, screen_size: tuple[int, int] | None = None) -> None:
        RecordConstructorArgs.__init__(self, screen_size=screen_size)
        VectorWrapper.__init__(self, env)
        if env.render_mode not in self.ACCEPTED_RENDER_MODES:
            raise ValueError(
                f"HumanRendering shows the modes {self.ACCEPTED_RENDER_MODES}, but {env} has "
                f"render_mode={env.render_mode!r}; make the environments with one of these"
            )
        if "render_fps" not in env.metadata:
            raise ValueError(
                f"HumanRendering needs to know the frames per second, but the metadata of {env} is {env.metadata}; "
                'add "render_fps"'
            )
        self.screen_size = None if screen_size is None else _checked_size(screen_size)
        if self.screen_size is not None:
            load_cv2()
        require_display()
        self.metadata = with_mode(env.metadata, "human")
        self._window = Window(repr(env), env.metadata["render_fps"])

    @property
    def render_mode(self) -> str | None:  # type: ignore[override]  # an attribute of VectorEnv, fixed here
        """`"human"`."""
        return "human"

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Reset, and show the start."""
        result = self.env.reset(seed=seed, options=options)
        self._show()
        return result

    def step(self, actions: ActType) -> tuple[ObsType, ArrayType, ArrayType, ArrayType, dict[str, Any]]:
        """Step, and show the results."""
        result = self.env.step(actions)
        self._show()
        return result

    def render(self) -> None:
        """Does nothing: `reset` and `step` show every frame."""

    def close(self, **kwargs: Any) -> None:
        """Close the window and the environments."""
        self._window.close()
        self.env.close(**kwargs)

    def _show(self) -> None:
        rendered: Any = self.env.render()
        # In a list mode, some environments return only the present frame.
        lists = [frames for frames in rendered if isinstance(frames, list)]
        if not all(lists):  # nothing new
            return
        last = [frames[-1] if isinstance(frames, list) else frames for frames in rendered]
        self._window.show(self._grid([picture(frame) for frame in last]))

    def _grid(self, frames: list[NDArray[np.uint8]]) -> NDArray[np.uint8]:
        height, width = frames[0].shape[:2]
        size = self.screen_size
        grid = tiled(frames, *grid_shape(len(frames), height, width, 1.0 if size is None else size[0] / size[1]))
        return grid if size is None else resized(grid, size[::-1])


def _checked_size(size: object) -> tuple[int, int]:
    if not isinstance(size, tuple | list) or len(size) != 2:
        raise ValueError(f"screen_size must be a pair (width, height), but {size!r} came")
    return checked_integer(size[0], "screen_size[0]", at_least=1), checked_integer(
        size[1], "screen_size[1]", at_least=1
    )
