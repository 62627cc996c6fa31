"""Rendering into a window, with keys and a mouse."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from os import path
from tempfile import gettempdir
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.dependencies import not_installed
from gymnasium.envs.mujoco.engine import VERSION, mujoco
from gymnasium.envs.mujoco.rendering.base import BaseRender
from gymnasium.envs.mujoco.rendering.png import write_png
from gymnasium.error import UnsupportedMode

_HELP = (
    ("Next camera", "TAB"),
    ("Pause", "SPACE"),
    ("One frame, paused", "RIGHT"),
    ("Slower, faster", "S, F"),
    ("Show each frame", "D"),
    ("Screenshot", "T"),
    ("Contacts", "C"),
    ("Frames of reference", "E"),
    ("Transparent", "R"),
    ("Geom groups", "0 to 4"),
    ("Hide this", "H"),
    ("Quit", "ESC"),
)


def load_glfw() -> Any:
    """Returns glfw, initialised.

    Raises:
        gymnasium.error.DependencyNotInstalled: If it is missing.
        gymnasium.error.UnsupportedMode: If there is no display.
    """
    try:
        import glfw
    except ImportError as reason:
        raise not_installed("glfw", "a window", reason, "glfw") from reason
    with _refusals(glfw):
        glfw.init()
    return glfw


@contextmanager
def _refusals(glfw: Any) -> Iterator[None]:
    """Turns a warning that glfw would print into an error with a remedy."""
    before, glfw.ERROR_REPORTING = glfw.ERROR_REPORTING, "raise"
    try:
        yield
    except glfw.GLFWError as reason:
        raise UnsupportedMode(
            f"A window cannot be opened: {reason}. Use render_mode='rgb_array', or run on a computer with a display, "
            "or under xvfb-run"
        ) from reason
    finally:
        glfw.ERROR_REPORTING = before


class WindowViewer(BaseRender):
    """A window on a simulation. Dragging with the mouse turns and moves the free camera, H shows the keys.

    Args:
        model: The compiled model.
        data: The simulation.
        width: The width of the window, in pixels; None for half the screen's.
        height: The height of the window, in pixels.
        max_geom: The maximum number of geoms in a frame.
        visual_options: The visible features: a dict from `mujoco.mjtVisFlag` to bool.

    Raises:
        gymnasium.error.UnsupportedMode: If there is no display.
    """

    def __init__(
        self,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        width: int | None = None,
        height: int | None = None,
        max_geom: int = 1000,
        visual_options: dict[int, bool] | None = None,
    ) -> None:
        self._glfw = glfw = load_glfw()
        with _refusals(glfw):
            screen = glfw.get_video_mode(glfw.get_primary_monitor()).size
            width, height = width or screen.width // 2, height or screen.height // 2
            glfw.window_hint(glfw.VISIBLE, 1)
            self.window = glfw.create_window(width, height, "mujoco", None, None)
        width, height = glfw.get_framebuffer_size(self.window)
        super().__init__(model, data, width, height, max_geom, visual_options)
        glfw.make_context_current(self.window)
        glfw.swap_interval(1)
        self.con = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_150)
        glfw.set_key_callback(self.window, self._key)
        glfw.set_scroll_callback(self.window, self._scroll)
        glfw.set_cursor_pos_callback(self.window, self._drag)
        self._mouse = (0.0, 0.0)
        self._paused = False
        self._single = False
        self._help = True
        self._every_frame = False
        self._speed = 1.0
        self._shots = 0
        self._shown = float(data.time)
        self._due = time.monotonic()
        self._on_key = self._keys()

    def render(self) -> None:
        """Show the present state, at the pace of simulated time; while paused, wait for a key."""
        self._show()
        while self._paused and not self._single and self.window is not None:
            self._show()
        self._single = False

    def _show(self) -> None:
        glfw = self._glfw
        if self.window is None:
            return
        if glfw.window_should_close(self.window):
            self.close()
            return
        glfw.make_context_current(self.window)
        self.viewport.width, self.viewport.height = glfw.get_framebuffer_size(self.window)
        self._update_scene()
        if self._help:
            for text, key in _HELP:
                self.add_overlay(mujoco.mjtGridPos.mjGRID_TOPLEFT, text, key)
        self._draw()
        glfw.swap_buffers(self.window)
        glfw.poll_events()
        self._keep_pace()

    def _keep_pace(self) -> None:
        """Wait until the simulation's time has passed, unless each frame is to be shown at once."""
        if self._every_frame:
            return
        passed, self._shown = self.data.time - self._shown, self.data.time  # negative after a reset
        self._due = max(self._due + max(passed, 0.0) / self._speed, time.monotonic() - 0.1)
        time.sleep(max(0.0, self._due - time.monotonic()))

    def _keys(self) -> dict[int, Callable[[], Any]]:
        """Returns the action of each key."""
        glfw = self._glfw
        contacts = (mujoco.mjtVisFlag.mjVIS_CONTACTPOINT, mujoco.mjtVisFlag.mjVIS_CONTACTFORCE)
        actions: dict[int, Callable[[], Any]] = {
            glfw.KEY_TAB: self._next_camera,
            glfw.KEY_SPACE: lambda: self._flip("_paused"),
            glfw.KEY_RIGHT: lambda: self._flip("_single"),
            glfw.KEY_S: lambda: self._scale_speed(0.5),
            glfw.KEY_F: lambda: self._scale_speed(2.0),
            glfw.KEY_D: lambda: self._flip("_every_frame"),
            glfw.KEY_T: self.screenshot,
            glfw.KEY_C: lambda: self._flip_flags(*contacts),
            glfw.KEY_E: self._flip_frames,
            glfw.KEY_R: lambda: self._flip_flags(mujoco.mjtVisFlag.mjVIS_TRANSPARENT),
            glfw.KEY_H: lambda: self._flip("_help"),
            glfw.KEY_ESCAPE: lambda: glfw.set_window_should_close(self.window, True),
        }
        for group in range(5):
            actions[glfw.KEY_0 + group] = lambda group=group: self._flip_group(group)  # type: ignore[misc]
        return actions

    def _key(self, window: object, key: int, scancode: int, action: int, mods: int) -> None:
        if action == self._glfw.PRESS and key in self._on_key:
            self._on_key[key]()

    def _flip(self, name: str) -> None:
        setattr(self, name, not getattr(self, name))

    def _flip_flags(self, *flags: int) -> None:
        for flag in flags:
            self.vopt.flags[flag] ^= 1

    def _flip_group(self, group: int) -> None:
        self.vopt.geomgroup[group] ^= 1

    def _flip_frames(self) -> None:
        none, world = mujoco.mjtFrame.mjFRAME_NONE.value, mujoco.mjtFrame.mjFRAME_WORLD.value
        self.vopt.frame = world if self.vopt.frame == none else none

    def _scale_speed(self, factor: float) -> None:
        self._speed *= factor

    def _next_camera(self) -> None:
        camera = self.cam.fixedcamid + 1
        self.look_through(camera if camera < self.model.ncam else -1)

    def screenshot(self) -> str:
        """Save the window's picture as `frame_%07d.png` in the folder for temporary files, and return its path."""
        pixels: NDArray[np.uint8] = np.zeros((self.viewport.height, self.viewport.width, 3), np.uint8)
        mujoco.mjr_readPixels(pixels, None, self.viewport, self.con)
        target = path.join(gettempdir(), f"frame_{self._shots:07d}.png")
        write_png(target, pixels[::-1])
        self._shots += 1
        return target

    def _scroll(self, window: object, dx: float, dy: float) -> None:
        self._move(mujoco.mjtMouse.mjMOUSE_ZOOM, 0.0, -0.05 * dy)

    def _drag(self, window: object, x: float, y: float) -> None:
        glfw = self._glfw
        (x0, y0), self._mouse = self._mouse, (x, y)
        pressed = [
            glfw.get_mouse_button(window, b) == glfw.PRESS for b in (glfw.MOUSE_BUTTON_LEFT, glfw.MOUSE_BUTTON_RIGHT)
        ]
        if any(pressed):
            turn, move = mujoco.mjtMouse.mjMOUSE_ROTATE_V, mujoco.mjtMouse.mjMOUSE_MOVE_V
            height = max(self.viewport.height, 1)
            self._move(turn if pressed[0] else move, (x - x0) / height, (y - y0) / height)

    def _move(self, how: int, dx: float, dy: float) -> None:
        scene = () if VERSION >= (3, 11) else (self.scn,)
        mujoco.mjv_moveCamera(self.model, how, dx, dy, *scene, self.cam)

    def make_context_current(self) -> None:
        """Direct the next drawing, by MuJoCo's own functions, into this window."""
        self._glfw.make_context_current(self.window)

    def close(self) -> None:
        """Close the window. Closing twice does no harm."""
        if self.window is not None:
            self.make_context_current()
            self.con.free()
            self._glfw.destroy_window(self.window)
            self.window = None
