"""Rendering into memory."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.mujoco.engine import mujoco
from gymnasium.envs.mujoco.rendering.base import BaseRender
from gymnasium.envs.mujoco.rendering.contexts import check_process, current, make_context
from gymnasium.error import UnsupportedMode


class OffScreenViewer(BaseRender):
    """Frames of a simulation, as arrays. Its graphics context is made here, and current only while it renders.

    Args:
        model: The compiled model.
        data: The simulation.
        width: The width of a frame, in pixels; at most the model's `vis.global_.offwidth`.
        height: The height of a frame, in pixels; at most `vis.global_.offheight`.
        max_geom: The maximum number of geoms in a frame.
        visual_options: The visible features: a dict from `mujoco.mjtVisFlag` to bool.

    Raises:
        ValueError: If the frame is larger than the model's framebuffer.
        gymnasium.error.UnsupportedMode: If no OpenGL backend works.
    """

    def __init__(
        self,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        width: int,
        height: int,
        max_geom: int = 1000,
        visual_options: dict[int, bool] | None = None,
    ) -> None:
        room = model.vis.global_
        if width > room.offwidth or height > room.offheight:
            raise ValueError(
                f"A frame of {width} x {height} pixels was asked for, but the model's framebuffer has "
                f"{room.offwidth} x {room.offheight}: raise model.vis.global_.offwidth and offheight "
                "before the first frame"
            )
        super().__init__(model, data, width, height, max_geom, visual_options)
        self._context = make_context(width, height)
        with current(self._context):
            self.con = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_150)

    def render(
        self, render_mode: str | None, camera_id: int | None = None, segmentation: bool = False
    ) -> np.ndarray | tuple[np.ndarray, NDArray[np.float32]]:
        """Returns a frame.

        Args:
            render_mode: `"rgb_array"`: uint8 of shape (height, width, 3). `"depth_array"`: float32 of shape (height,
                width), in 0 (near) to 1 (far). `"rgbd_tuple"`: both.
            camera_id: The camera of the model; -1 for the free one; None for the last one.
            segmentation: Whether pixels show objects instead of colours: int32 of shape (height, width, 2), the
                object's id and type, -1 for nothing.
        """
        if camera_id is not None:
            self.look_through(camera_id)
        with current(self._context):
            mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, self.con)
            self._update_scene()
            flags = self.scn.flags
            flags[mujoco.mjtRndFlag.mjRND_SEGMENT] = flags[mujoco.mjtRndFlag.mjRND_IDCOLOR] = segmentation
            self._draw()
            rgb, depth = self._pixels()
        if render_mode == "depth_array":
            return depth
        picture: np.ndarray = self._objects(rgb) if segmentation else rgb
        return (picture, depth) if render_mode == "rgbd_tuple" else picture

    def _pixels(self) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        shape = (self.viewport.height, self.viewport.width)
        rgb = np.empty((*shape, 3), np.uint8)
        depth = np.empty(shape, np.float32)
        mujoco.mjr_readPixels(rgb, depth, self.viewport, self.con)
        # OpenGL counts rows from the bottom.
        return rgb[::-1].copy(), depth[::-1].copy()

    def _objects(self, rgb: NDArray[np.uint8]) -> NDArray[np.int32]:
        """Returns object id and type of each pixel, whose colour is one more than the index of its geom."""
        found = np.full((self.scn.ngeom + 1, 2), -1, np.int32)
        for geom in self.scn.geoms[: self.scn.ngeom]:
            if geom.segid != -1:
                found[geom.segid + 1] = geom.objid, geom.objtype
        index = rgb.astype(np.int32) @ np.array([1, 1 << 8, 1 << 16], np.int32)
        return found[np.minimum(index, len(found) - 1)]

    def make_context_current(self) -> None:
        """Direct the next drawing, by MuJoCo's own functions, into this framebuffer."""
        check_process()
        self._context.make_current()

    def close(self) -> None:
        """Free the framebuffer and the context. Closing twice does no harm."""
        if self._context is not None:
            context, self._context = self._context, None
            with suppress(UnsupportedMode):  # the context belongs to the parent of this forked process
                with current(context):
                    self.con.free()
                context.free()
