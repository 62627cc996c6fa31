"""Rendering the simulation of a `MujocoEnv`."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from gymnasium.envs.mujoco.engine import mujoco
from gymnasium.envs.mujoco.rendering.base import BaseRender
from gymnasium.envs.mujoco.rendering.contexts import BACKENDS, context_of
from gymnasium.envs.mujoco.rendering.offscreen import OffScreenViewer
from gymnasium.envs.mujoco.rendering.window import WindowViewer

__all__ = ["BaseRender", "MujocoRenderer", "OffScreenViewer", "WindowViewer"]

# What other packages look into: functions of a width and a height that make a graphics context.
_ALL_RENDERERS = {name: partial(context_of, name) for name in BACKENDS}
_OFFSCREEN = ("rgb_array", "depth_array", "rgbd_tuple")


class MujocoRenderer:
    """The renderer of a `MujocoEnv`. Viewers, and with them graphics contexts, are made when first needed.

    Args:
        model: The compiled model.
        data: The simulation.
        default_cam_config: Attributes of the free camera, a `mujoco.MjvCamera`.
        width: The width of a frame, in pixels; not needed for a window.
        height: The height of a frame, in pixels.
        max_geom: The maximum number of geoms in a frame.
        camera_id: The camera of the model; None or -1 for the free one.
        camera_name: The same by name; not both.
        visual_options: The visible features: a dict from `mujoco.mjtVisFlag` to bool.

    Raises:
        ValueError: If both an id and a name were given, or the model has no such camera.
    """

    def __init__(
        self,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        default_cam_config: dict[str, Any] | None = None,
        width: int | None = None,
        height: int | None = None,
        max_geom: int = 1000,
        camera_id: int | None = None,
        camera_name: str | None = None,
        visual_options: dict[int, bool] | None = None,
    ) -> None:
        self.model = model
        self.data = data
        self.default_cam_config = default_cam_config
        self.width = width
        self.height = height
        self.max_geom = max_geom
        self.camera_id = _camera(model, camera_id, camera_name)
        self._visual_options = visual_options
        self._viewers: dict[str, OffScreenViewer | WindowViewer] = {}
        self.viewer: OffScreenViewer | WindowViewer | None = None  # that of the last frame

    def render(self, render_mode: str | None) -> Any:
        """Returns a frame: see `OffScreenViewer.render`; None for `"human"`, which is shown in a window.

        Raises:
            AttributeError: If the mode is unknown.
        """
        viewer = self._get_viewer(render_mode)
        if isinstance(viewer, WindowViewer):
            return viewer.render()
        return viewer.render(render_mode, self.camera_id)

    def _get_viewer(self, render_mode: str | None) -> OffScreenViewer | WindowViewer:
        """Returns the viewer of a mode, made at its first use."""
        if render_mode not in ("human", *_OFFSCREEN):
            raise AttributeError(
                f"A render_mode of human, {', '.join(_OFFSCREEN)} was expected, but {render_mode!r} came: give it when "
                "the environment is made"
            )
        if render_mode not in self._viewers:
            self._viewers[render_mode] = self._make_viewer(render_mode)
        self.viewer = self._viewers[render_mode]
        return self.viewer

    def _make_viewer(self, render_mode: str) -> OffScreenViewer | WindowViewer:
        viewer: OffScreenViewer | WindowViewer
        extras = self.max_geom, self._visual_options
        if render_mode == "human":
            viewer = WindowViewer(self.model, self.data, self.width, self.height, *extras)
            viewer.look_through(self.camera_id)
        elif self.width is None or self.height is None:
            raise AssertionError(
                f"render_mode={render_mode!r} needs a width and a height, but {self.width} and {self.height} came"
            )
        else:
            viewer = OffScreenViewer(self.model, self.data, self.width, self.height, *extras)
        for name, value in (self.default_cam_config or {}).items():
            if isinstance(value, np.ndarray):
                getattr(viewer.cam, name)[:] = value
            else:
                setattr(viewer.cam, name, value)
        return viewer

    def close(self) -> None:
        """Free all viewers. Closing twice does no harm; rendering again makes new ones."""
        while self._viewers:
            self._viewers.popitem()[1].close()
        self.viewer = None


def _camera(model: mujoco.MjModel, camera_id: int | None, camera_name: str | None) -> int:
    """Returns the camera's index, -1 for the free one."""
    if camera_id is not None and camera_name is not None:
        raise ValueError(f"A camera has an id or a name, but both came: {camera_id!r} and {camera_name!r}")
    if camera_id is None and camera_name is None:
        return -1
    names = [model.camera(i).name for i in range(model.ncam)]
    if camera_name is not None:
        if camera_name not in names:
            raise ValueError(f"The model has no camera {camera_name!r}; it has {names}")
        return names.index(camera_name)
    if not -1 <= camera_id < model.ncam:  # type: ignore[operator]  # an int here
        raise ValueError(f"The model has no camera of id {camera_id}; it has {model.ncam}: {names}")
    return int(camera_id)  # type: ignore[arg-type]
