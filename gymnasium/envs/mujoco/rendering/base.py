"""The common base of rendering into memory and into a window: the scene, its camera, markers and overlays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gymnasium.envs.mujoco.engine import mujoco


class BaseRender:
    """A scene made from a simulation.

    Args:
        model: The compiled model.
        data: The simulation, which is read anew for every frame.
        width: The width of a frame, in pixels.
        height: The height of a frame, in pixels.
        max_geom: The maximum number of geoms in a frame.
        visual_options: The visible features: a dict from `mujoco.mjtVisFlag` to bool.

    Attributes:
        cam: The camera, `mujoco.MjvCamera`; at first free, with the whole model in view.
        vopt: The visual options, `mujoco.MjvOption`.
        scn: The scene, `mujoco.MjvScene`.
        viewport: The frame, `mujoco.MjrRect`.
    """

    con: mujoco.MjrContext

    def __init__(
        self,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        width: int,
        height: int,
        max_geom: int = 1000,
        visual_options: dict[int, bool] | None = None,
    ) -> None:
        self.model = model
        self.data = data
        self.viewport = mujoco.MjrRect(0, 0, width, height)
        self.scn = mujoco.MjvScene(model, max_geom)
        self.cam = mujoco.MjvCamera()
        self.vopt = mujoco.MjvOption()
        self.pert = mujoco.MjvPerturb()
        for flag, shown in (visual_options or {}).items():
            self.vopt.flags[flag] = shown
        self._markers: list[dict[str, Any]] = []
        self._overlays: dict[int, tuple[str, str]] = {}
        self._look_at_everything()

    def _look_at_everything(self) -> None:
        self.cam.type = mujoco.mjtCamera.mjCAMERA_FREE
        self.cam.fixedcamid = -1
        self.cam.lookat[:] = np.median(self.data.geom_xpos, axis=0)
        self.cam.distance = self.model.stat.extent

    def look_through(self, camera_id: int) -> None:
        """Use a camera of the model, or, for -1, the free one."""
        free = camera_id == -1
        self.cam.type = mujoco.mjtCamera.mjCAMERA_FREE if free else mujoco.mjtCamera.mjCAMERA_FIXED
        self.cam.fixedcamid = camera_id

    def add_overlay(self, gridpos: int, text1: str, text2: str) -> None:
        """Show a line of two columns in the next frame, below those already there.

        Args:
            gridpos: The corner, a `mujoco.mjtGridPos`.
            text1: The left column.
            text2: The right column.
        """
        left, right = self._overlays.get(gridpos, ("", ""))
        self._overlays[gridpos] = (f"{left}{text1}\n", f"{right}{text2}\n")

    def add_marker(self, **marker_params: Any) -> None:
        """Show an additional geom, which is not in the model, in the next frame.

        Args:
            **marker_params: `type` (a `mujoco.mjtGeom`), `size` (3, m), `pos` (3, m), `mat` (a rotation matrix, 9
                numbers or 3 x 3), `rgba` (4, in 0 to 1), and any other attribute of a `mujoco.MjvGeom`, such as
                `label`. The default is a white sphere of 0.1 m at the origin.
        """
        self._markers.append(marker_params)

    def _update_scene(self) -> None:
        mujoco.mjv_updateScene(
            self.model, self.data, self.vopt, self.pert, self.cam, mujoco.mjtCatBit.mjCAT_ALL.value, self.scn
        )
        for marker in self._markers:
            self._add_to_scene(**marker)
        self._markers.clear()

    def _add_to_scene(
        self,
        type: int = mujoco.mjtGeom.mjGEOM_SPHERE,
        size: ArrayLike = (0.1, 0.1, 0.1),
        pos: ArrayLike = (0.0, 0.0, 0.0),
        mat: ArrayLike = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0),
        rgba: ArrayLike = (1.0, 1.0, 1.0, 1.0),
        **others: object,
    ) -> None:
        if self.scn.ngeom >= self.scn.maxgeom:
            raise RuntimeError(
                f"There is no room for a marker: the scene already holds {self.scn.maxgeom} geoms; set max_geom"
            )
        geom = self.scn.geoms[self.scn.ngeom]
        mujoco.mjv_initGeom(geom, type, _floats(size), _floats(pos), _floats(mat), _floats(rgba).astype(np.float32))
        for name, value in others.items():
            setattr(geom, name, value)
        self.scn.ngeom += 1

    def _draw(self) -> None:
        """Draw the scene and its overlays into the current framebuffer."""
        mujoco.mjr_render(self.viewport, self.scn, self.con)
        for corner, (left, right) in self._overlays.items():
            mujoco.mjr_overlay(mujoco.mjtFont.mjFONT_NORMAL, corner, self.viewport, left, right, self.con)
        self._overlays.clear()

    def make_context_current(self) -> None:
        """Direct the next drawing into this viewer's context; a subclass implements it."""
        raise NotImplementedError

    def close(self) -> None:
        """Free the context; a subclass implements it."""
        raise NotImplementedError

    def free(self) -> None:
        """Alias of `close`."""
        self.close()


def _floats(values: object) -> NDArray[np.float64]:
    return np.asarray(values, np.float64).ravel()
