"""What the keys and the mouse of a window do, with a stand-in for the window system and the graphics card."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import mujoco
import numpy as np
import pytest

from gymnasium.envs.mujoco.ant_v5 import AntEnv
from gymnasium.envs.mujoco.rendering import window
from gymnasium.envs.mujoco.rendering.png import write_png
from gymnasium.envs.registration import make
from gymnasium.error import UnsupportedMode

KEYS = ["TAB", "SPACE", "RIGHT", "S", "F", "D", "T", "C", "E", "R", "H", "ESCAPE"]


class Glfw:
    """As much of glfw as a window needs."""

    PRESS, RELEASE, VISIBLE, MOUSE_BUTTON_LEFT, MOUSE_BUTTON_RIGHT = 1, 0, 2, 0, 1
    KEY_0 = 48
    GLFWError = UserWarning
    ERROR_REPORTING = "warn"

    def __init__(self) -> None:
        for number, key in enumerate(KEYS, 100):
            setattr(self, f"KEY_{key}", number)
        self.closing = False
        self.destroyed = 0
        self.shown = 0
        self.buttons: set[int] = set()
        self.on_poll: Any = lambda: None

    def get_video_mode(self, monitor: Any) -> Any:
        return SimpleNamespace(size=SimpleNamespace(width=800, height=600))

    def create_window(self, width: int, height: int, *_: Any) -> Any:
        self.size = (width, height)
        return object()

    def get_framebuffer_size(self, _: Any) -> tuple[int, int]:
        return self.size

    def window_should_close(self, _: Any) -> bool:
        return self.closing

    def set_window_should_close(self, _: Any, closing: bool) -> None:
        self.closing = closing

    def get_mouse_button(self, _: Any, button: int) -> int:
        return self.PRESS if button in self.buttons else self.RELEASE

    def destroy_window(self, _: Any) -> None:
        self.destroyed += 1

    def swap_buffers(self, _: Any) -> None:
        self.shown += 1

    def poll_events(self) -> None:
        self.on_poll()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *args: None


@pytest.fixture
def glfw(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Glfw:
    stand_in = Glfw()
    monkeypatch.setattr(window, "load_glfw", lambda: stand_in)
    monkeypatch.setattr(window, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(mujoco, "MjrContext", lambda *args: SimpleNamespace(free=lambda: None))
    for name in ("mjr_render", "mjr_overlay", "mjr_readPixels"):
        monkeypatch.setattr(mujoco, name, lambda *args: None)
    return stand_in


@pytest.fixture
def env(glfw: Glfw) -> AntEnv:
    env = AntEnv(render_mode="human", width=64, height=48)
    env.reset(seed=0)
    viewer(env)._every_frame = True
    return env


def viewer(env: AntEnv) -> Any:
    return env.mujoco_renderer.viewer


def press(env: AntEnv, key: int) -> None:
    viewer(env)._key(None, key, 0, Glfw.PRESS, 0)


def test_every_step_is_shown(env: AntEnv, glfw: Glfw) -> None:
    assert glfw.size == (64, 48)
    before = glfw.shown
    env.step(np.zeros(8))
    assert glfw.shown == before + 1


def test_a_window_without_a_size_takes_half_the_screen(glfw: Glfw) -> None:
    env = AntEnv()
    made = window.WindowViewer(env.model, env.data)
    assert glfw.size == (400, 300)
    made.close()


def test_tab_goes_through_the_cameras(env: AntEnv, glfw: Any) -> None:
    cameras = []
    for _ in range(3):
        press(env, glfw.KEY_TAB)
        cameras.append(viewer(env).cam.fixedcamid)
    assert cameras == [0, -1, 0]


def test_keys_change_what_is_shown(env: AntEnv, glfw: Any) -> None:
    options = viewer(env).vopt
    flags = mujoco.mjtVisFlag
    for key, value in (
        (glfw.KEY_C, lambda: options.flags[flags.mjVIS_CONTACTFORCE]),
        (glfw.KEY_R, lambda: options.flags[flags.mjVIS_TRANSPARENT]),
        (glfw.KEY_E, lambda: options.frame),
        (glfw.KEY_0 + 1, lambda: options.geomgroup[1]),
        (glfw.KEY_D, lambda: viewer(env)._every_frame),
        (glfw.KEY_H, lambda: viewer(env)._help),
    ):
        before = value()
        press(env, key)
        assert value() != before
        press(env, key)
        assert value() == before


def test_s_and_f_change_the_pace(env: AntEnv, glfw: Any) -> None:
    press(env, glfw.KEY_S)
    assert viewer(env)._speed == 0.5
    press(env, glfw.KEY_F)
    press(env, glfw.KEY_F)
    assert viewer(env)._speed == 2


def test_frames_keep_the_pace_of_the_simulation(env: AntEnv, glfw: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A step of 0.05 s is shown for 0.05 s, for 0.025 s at double speed."""
    waits: list[float] = []
    clock = SimpleNamespace(monotonic=lambda: 0.0, sleep=waits.append)
    monkeypatch.setattr(window, "time", clock)
    viewer(env)._every_frame = False
    viewer(env)._due = 0.0
    env.step(np.zeros(8))
    press(env, glfw.KEY_F)
    env.step(np.zeros(8))
    assert waits == pytest.approx([0.05, 0.075])


def test_a_pause_lasts_until_a_key_goes_on(env: AntEnv, glfw: Any) -> None:
    press(env, glfw.KEY_SPACE)
    polls = 0

    def poll() -> None:
        nonlocal polls
        polls += 1
        if polls == 4:
            press(env, glfw.KEY_RIGHT)

    glfw.on_poll = poll
    env.step(np.zeros(8))
    assert polls == 4
    assert viewer(env)._paused


def test_dragging_and_scrolling_move_the_free_camera(env: AntEnv, glfw: Any) -> None:
    camera = viewer(env).cam
    distance, azimuth = camera.distance, camera.azimuth
    viewer(env)._scroll(None, 0, 1)
    assert camera.distance != distance
    viewer(env)._drag(None, 10.0, 10.0)
    assert camera.azimuth == azimuth
    glfw.buttons = {glfw.MOUSE_BUTTON_LEFT}
    viewer(env)._drag(None, 30.0, 10.0)
    assert camera.azimuth != azimuth


@pytest.mark.parametrize(("version", "takes_scene"), [((3, 10, 0), True), ((3, 11, 0), False), ((4, 0, 0), False)])
def test_older_engines_move_the_camera_in_a_scene(
    env: AntEnv, monkeypatch: pytest.MonkeyPatch, version: tuple[int, ...], takes_scene: bool
) -> None:
    passed: list[Any] = []
    monkeypatch.setattr(window, "VERSION", version)
    monkeypatch.setattr(mujoco, "mjv_moveCamera", lambda *args: passed.extend(args))
    viewer(env)._scroll(None, 0, 1)
    assert passed[-1] is viewer(env).cam
    assert (viewer(env).scn in passed) is takes_scene


def test_a_screenshot_is_written(env: AntEnv, glfw: Any, tmp_path: Path) -> None:
    press(env, glfw.KEY_T)
    press(env, glfw.KEY_T)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["frame_0000000.png", "frame_0000001.png"]


def test_escape_closes_the_window_and_the_episode_goes_on(env: AntEnv, glfw: Any) -> None:
    press(env, glfw.KEY_ESCAPE)
    env.step(np.zeros(8))
    env.step(np.zeros(8))
    assert glfw.destroyed == 1
    env.close()
    assert glfw.destroyed == 1


def test_a_png_file_holds_the_pixels(tmp_path: Path) -> None:
    pixels = np.arange(2 * 3 * 3, dtype=np.uint8).reshape(2, 3, 3)
    write_png(tmp_path / "a.png", pixels)
    data = (tmp_path / "a.png").read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", data[16:24]) == (3, 2)
    start = data.index(b"IDAT")
    (length,) = struct.unpack(">I", data[start - 4 : start])
    rows = zlib.decompress(data[start + 4 : start + 4 + length])
    assert rows == b"\0" + pixels[0].tobytes() + b"\0" + pixels[1].tobytes()


def test_without_a_display_the_error_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """And nothing else is printed, however glfw is told to report its errors."""
    import glfw

    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(glfw, "ERROR_REPORTING", "ignore")
    glfw.terminate()
    if glfw.init():
        pytest.skip("a window opens without asking these variables")
    monkeypatch.setattr(glfw, "ERROR_REPORTING", "warn")
    with make("HalfCheetah-v5", render_mode="human") as env, pytest.raises(UnsupportedMode, match="xvfb-run"):
        env.reset(seed=0)
    assert glfw.ERROR_REPORTING == "warn"
