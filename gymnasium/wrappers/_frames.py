"""Operations of the rendering wrappers on rendered frames."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.rendering.frames import checked_frame


def with_mode(metadata: dict[str, Any], mode: str) -> dict[str, Any]:
    """Returns a copy of `metadata` that names `mode` among the render modes."""
    metadata = deepcopy(metadata)
    metadata["render_modes"] = [*metadata.get("render_modes", []), mode]
    return metadata


def picture(frame: object) -> NDArray[np.uint8]:
    """Returns a frame of the modes `rgb_array` or `depth_array` as pixels; depth in grey.

    Raises:
        ValueError: If it is neither.
    """
    if isinstance(frame, np.ndarray) and frame.ndim == 2:
        return _grey(frame)
    return checked_frame(frame)


def check_renders_arrays(env: Any, wrapper: str) -> None:
    """Refuses, with a ValueError, an environment that does not return its frames."""
    if env.render_mode in (None, "human", "ansi"):
        raise ValueError(
            f"{wrapper} needs the frames of a render mode such as 'rgb_array', but {env} has "
            f"render_mode={env.render_mode!r}; make it with render_mode='rgb_array'"
        )


def _grey(depth: np.ndarray) -> NDArray[np.uint8]:
    """Returns a depth map as an image: the nearest is black, the farthest and empty space are white."""
    depth = depth.astype(np.float64)
    seen = np.isfinite(depth)
    near, far = (depth[seen].min(), depth[seen].max()) if seen.any() else (0.0, 0.0)
    scale = 255.0 / (far - near) if far > near else 0.0
    grey = np.where(seen, (np.where(seen, depth, far) - near) * scale, 255.0).astype(np.uint8)
    return np.repeat(grey[:, :, np.newaxis], 3, axis=2)
