"""Frames, cameras and contexts; real ones, by EGL."""

from __future__ import annotations

import subprocess
import sys
import threading
from functools import partial
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

from gymnasium.envs.mujoco import MujocoRenderer
from gymnasium.envs.mujoco.ant_v5 import AntEnv
from gymnasium.envs.mujoco.engine import VERSION
from gymnasium.envs.mujoco.humanoid_v5 import HumanoidEnv
from gymnasium.envs.mujoco.mujoco_rendering import OffScreenViewer
from gymnasium.envs.mujoco.reacher_v5 import ReacherEnv
from gymnasium.envs.mujoco.rendering import contexts
from gymnasium.envs.registration import make, make_vec, registry
from gymnasium.error import UnsupportedMode
from gymnasium.vector import AsyncVectorEnv
from tests.gymnasium.envs.mujoco.coarse import draw_coarsely, share_contexts
from tests.ours import with_palaestra

V5 = [
    env_id
    for env_id, spec in registry.items()
    if str(spec.entry_point).startswith("gymnasium.envs.mujoco.") and env_id.endswith("-v5")
]


@pytest.fixture(autouse=True)
def _coarse(monkeypatch: pytest.MonkeyPatch) -> None:
    draw_coarsely(monkeypatch)


@pytest.fixture
def _shared(monkeypatch: pytest.MonkeyPatch) -> None:
    share_contexts(monkeypatch)


shared = pytest.mark.usefixtures("_shared")
"""Of tests that ask about pictures, not about contexts."""


def frame(**kwargs: Any) -> Any:
    """Returns the first frame of an Ant."""
    env = AntEnv(**{"render_mode": "rgb_array", "width": 96, "height": 64, **kwargs})
    env.reset(seed=0)
    picture = env.render()
    env.close()
    return picture


@shared
@pytest.mark.parametrize("env_id", V5)
def test_every_robot_is_seen(env_id: str) -> None:
    """Its frame shows something, and something else after a few steps."""
    env = make(env_id, render_mode="rgb_array", width=160, height=120)
    env.action_space.seed(0)
    env.reset(seed=0)
    first = env.render()
    for _ in range(4):
        env.step(env.action_space.sample())
    second = env.render()
    env.close()
    assert first.shape == (120, 160, 3)
    assert first.dtype == np.uint8
    assert len(np.unique(first.reshape(-1, 3), axis=0)) > 20
    assert (first != second).any()


@shared
def test_depth() -> None:
    """Alone, and beside the colours."""
    depth = frame(render_mode="depth_array")
    colours, same = frame(render_mode="rgbd_tuple")
    assert (depth.shape, depth.dtype) == ((64, 96), np.float32)
    assert 0 < depth.min() < depth.max() <= 1
    np.testing.assert_array_equal(depth, same)
    np.testing.assert_array_equal(colours, frame())


@shared
def test_frames_stand_upright() -> None:
    """The sky is above the floor."""
    env = HumanoidEnv(render_mode="rgbd_tuple", width=80, height=60)
    env.reset(seed=0)
    _, depth = env.render()
    assert depth[0].mean() > depth[-1].mean()
    env.close()


@shared
def test_cameras() -> None:
    """By name and by id the same; the free one, which is the default, sees otherwise."""
    by_name, by_id = frame(camera_name="track"), frame(camera_id=0)
    np.testing.assert_array_equal(by_name, by_id)
    assert (by_name != frame()).any()
    np.testing.assert_array_equal(frame(camera_id=-1), frame())
    assert (frame(default_camera_config={"distance": 9.0, "lookat": np.ones(3)}) != frame()).any()


@pytest.mark.parametrize("wrong", [{"camera_id": 1}, {"camera_id": -2}, {"camera_name": "none"}])
def test_an_unknown_camera_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="track"):
        AntEnv(**wrong)


def test_a_camera_has_an_id_or_a_name() -> None:
    with pytest.raises(ValueError, match="both"):
        AntEnv(camera_id=0, camera_name="track")


@shared
def test_visual_options() -> None:
    flags = {int(mujoco.mjtVisFlag.mjVIS_TRANSPARENT): True}
    assert (frame(visual_options=flags) != frame()).any()


@pytest.mark.parametrize("mode", [None, "ansi"])
def test_an_unknown_mode_is_refused(mode: str | None) -> None:
    env = AntEnv(render_mode=mode)
    env.reset(seed=0)
    with pytest.raises(AttributeError, match="rgb_array"):
        env.render()


def test_a_frame_needs_a_size_within_the_framebuffer() -> None:
    env = AntEnv()
    with pytest.raises(AssertionError, match="width"):
        MujocoRenderer(env.model, env.data).render("rgb_array")
    with pytest.raises(ValueError, match="offwidth"):
        OffScreenViewer(env.model, env.data, 4000, 100)
    assert AntEnv(width=1000, height=900, render_mode="rgb_array").model.vis.global_.offwidth == 1000


@shared
def test_markers_and_overlays_last_for_one_frame() -> None:
    env = ReacherEnv(render_mode="rgb_array", width=100, height=100)
    env.reset(seed=0)
    plain = env.render()
    viewer: Any = env.mujoco_renderer.viewer
    viewer.add_marker(pos=[0, 0, 0.1], size=[0.05] * 3, rgba=[1, 0, 0, 1], label="here", mat=np.eye(3))
    marked = env.render()
    assert (marked != plain).any()
    viewer.add_overlay(mujoco.mjtGridPos.mjGRID_TOPLEFT, "step", "3")
    viewer.add_overlay(mujoco.mjtGridPos.mjGRID_TOPLEFT, "reward", "0.5")
    assert (env.render() != plain).any()
    np.testing.assert_array_equal(env.render(), plain)
    env.close()


def test_mujocos_own_functions_draw_into_a_viewer() -> None:
    """Whoever makes its context the current one can read its pixels; `free` does what `close` does."""
    env = ReacherEnv(render_mode="rgb_array", width=100, height=100)
    env.reset(seed=0)
    drawn = env.render()
    viewer: Any = env.mujoco_renderer.viewer
    viewer.make_context_current()
    read = np.empty((100, 100, 3), np.uint8)
    mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, viewer.con)
    mujoco.mjr_readPixels(read, None, viewer.viewport, viewer.con)
    np.testing.assert_array_equal(read[::-1], drawn)
    viewer.free()
    env.close()


def test_a_marker_needs_room() -> None:
    env = ReacherEnv(render_mode="rgb_array", max_geom=10)
    env.reset(seed=0)
    env.render()
    viewer: Any = env.mujoco_renderer.viewer
    viewer.add_marker()
    with pytest.raises(RuntimeError, match="10"):
        env.render()
    env.close()


@shared
def test_segmentation_names_what_each_pixel_shows() -> None:
    env = ReacherEnv(render_mode="rgb_array", width=100, height=100)
    env.reset(seed=0)
    env.render()
    viewer: Any = env.mujoco_renderer.viewer
    objects = viewer.render("rgb_array", segmentation=True)
    geoms = {int(i) for i, kind in objects.reshape(-1, 2) if kind == mujoco.mjtObj.mjOBJ_GEOM}
    assert {env.model.geom(name).id for name in ("ground", "sideS", "link0")} <= geoms
    env.close()


def test_several_environments_in_turn() -> None:
    """Each sees its own simulation, whoever rendered last."""
    envs: list[Any] = [AntEnv(render_mode="rgb_array", width=64, height=64), ReacherEnv(render_mode="rgb_array")]
    for env in envs:
        env.reset(seed=0)
    first = [env.render() for env in envs]
    for env, picture in zip(envs, first, strict=True):
        np.testing.assert_array_equal(env.render(), picture)
        env.close()
        env.close()
    # A closed environment makes a new context when it is asked again.
    np.testing.assert_array_equal(envs[0].render(), first[0])
    envs[0].close()


@pytest.mark.skipif(VERSION < (4,), reason="before mujoco 4 a context stays with its thread")
def test_threads_render_at_once() -> None:
    """Made here, and rendered anywhere: a context is current only while it renders."""
    envs = [AntEnv(render_mode="rgb_array", width=64, height=64) for _ in range(3)]
    for env in envs:
        env.reset(seed=0)
    wanted = envs[0].render()
    pictures: list[Any] = []

    def work(env: AntEnv) -> None:
        pictures.extend(env.render() for _ in range(5))

    threads = [threading.Thread(target=work, args=(env,)) for env in envs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(pictures) == 15
    for picture in pictures:
        np.testing.assert_array_equal(picture, wanted)
    for env in envs:
        env.close()


@shared
@pytest.mark.parametrize("env_id", ["HalfCheetah-v5", "Ant-v5"])
@with_palaestra
def test_a_batch_renders_each_environment(env_id: str) -> None:
    """What it shows is what the single environment shows from the same place."""
    size = {"width": 64, "height": 48, "render_mode": "rgb_array"}
    envs: Any = make_vec(env_id, 3, **size)
    envs.reset(seed=4)
    pictures = envs.render()
    single = make(env_id, **size)
    for i, picture in enumerate(pictures):
        single.reset(seed=4 + i)
        np.testing.assert_array_equal(picture, single.render())
    single.close()
    envs.close()


def test_the_family_needs_no_window_system_and_no_image_library() -> None:
    """Importing it, making a robot and stepping it."""
    code = """
import sys
import mujoco  # imports glfw itself where it finds it
before = set(sys.modules)
import gymnasium
env = gymnasium.make("Ant-v5")
env.reset(seed=0)
env.step(env.action_space.sample())
print(sorted({"glfw", "OpenGL", "imageio", "pygame", "llvmlite"} & (set(sys.modules) - before)))
"""
    root = Path(__file__).parents[4]
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=root).stdout == "[]\n"


@pytest.mark.filterwarnings("ignore:.*ERROR")
def test_who_was_forked_from_a_process_that_drew_refuses_to_draw() -> None:
    """The graphics driver would wait for ever, for threads that a fork does not copy."""
    pendulum = partial(make, "InvertedPendulum-v5", render_mode="rgb_array")
    env: Any = pendulum()
    env.reset()
    env.render()

    envs = AsyncVectorEnv([pendulum], context="fork")
    envs.reset()
    with pytest.raises(UnsupportedMode, match="forkserver"):
        envs.render()

    envs.close()
    assert env.render().shape == (480, 480, 3)
    env.close()


def test_mujoco_gl_chooses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUJOCO_GL", "egl")
    assert frame().shape == (64, 96, 3)
    monkeypatch.setenv("MUJOCO_GL", "vulkan")
    with pytest.raises(RuntimeError, match="egl, osmesa, glfw"):
        frame()


def test_without_graphics_the_error_says_what_was_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """And what to install; and it leaves no trace in the process."""
    monkeypatch.delenv("MUJOCO_GL", raising=False)
    monkeypatch.delenv("PYOPENGL_PLATFORM", raising=False)
    for name in ("egl", "osmesa", "glfw"):
        monkeypatch.setitem(sys.modules, f"mujoco.{name}", None)
    with pytest.raises(UnsupportedMode) as raised:
        contexts.make_context(10, 10)
    for word in ("egl", "osmesa", "glfw", "libegl1", "libosmesa6", "MUJOCO_GL"):
        assert word in str(raised.value)
