"""The vector `HumanRendering`."""

from __future__ import annotations

import numpy as np
import pytest

from gymnasium.vector import SyncVectorEnv
from gymnasium.wrappers import RenderCollection
from gymnasium.wrappers.vector import HumanRendering, rendering


@pytest.fixture
def shown(monkeypatch):
    """Instead of a window, a list of what was shown; 'closed' where it was closed."""
    log = []

    class Window:
        def __init__(self, title, fps):
            log.append((title, fps))

        def show(self, frame):
            log.append(frame)

        def close(self):
            log.append("closed")

    monkeypatch.setattr(rendering, "Window", Window)
    monkeypatch.setattr(rendering, "require_display", lambda: None)
    return log


def test_reset_and_step_show_all_environments_side_by_side(counting, shown):
    inner = SyncVectorEnv([lambda: counting(render_mode="rgb_array")] * 4)
    env = HumanRendering(inner)
    env.reset()
    env.step(np.zeros(4, np.int64))
    assert env.render() is None
    env.close()
    title, start, after, closed = shown
    assert title == (repr(inner), 1000)
    assert start.shape == (8, 12, 3)
    assert (after == 1).all()
    assert closed == "closed"
    assert env.render_mode == "human"
    assert "human" in env.metadata["render_modes"]
    assert "human" not in inner.metadata["render_modes"]


def test_the_grid_is_scaled_to_the_screen(counting, shown):
    env = HumanRendering(SyncVectorEnv([lambda: counting(render_mode="rgb_array")] * 2), screen_size=(60, 20))
    env.reset()
    assert shown[1].shape == (20, 60, 3)


def test_of_lists_the_last_frames_are_shown(counting, shown):
    make = [lambda: RenderCollection(counting(render_mode="rgb_array"), pop_frames=False)] * 2
    env = HumanRendering(SyncVectorEnv(make))
    env.reset()
    env.step(np.zeros(2, np.int64))
    assert [frame.max() for frame in shown[1:]] == [0, 1]


def test_depth_is_shown_in_grey(counting, shown):
    env = HumanRendering(SyncVectorEnv([lambda: counting(render_mode="depth_array")]))
    env.reset()
    assert shown[1].shape == (4, 6, 3)


def test_frames_of_different_sizes_do_not_make_a_grid(counting, shown):
    class Wide(counting):
        def render(self):
            return np.zeros((4, 9, 3), np.uint8)

    make = [lambda: counting(render_mode="rgb_array"), lambda: Wide(render_mode="rgb_array")]
    with pytest.raises(ValueError, match="one shape"):
        HumanRendering(SyncVectorEnv(make)).reset()


@pytest.mark.parametrize("mode", [None, "human", "ansi"])
def test_only_arrays_can_be_shown(counting, shown, mode):
    with pytest.raises(ValueError, match="rgb_array"):
        HumanRendering(SyncVectorEnv([lambda: counting(render_mode=mode)]))


def test_the_speed_must_be_known(counting, shown):
    class Timeless(counting):
        metadata = {"render_modes": ["rgb_array"]}

    with pytest.raises(ValueError, match="render_fps"):
        HumanRendering(SyncVectorEnv([lambda: Timeless(render_mode="rgb_array")]))


@pytest.mark.parametrize(
    ("size", "error"), [((0, 3), ValueError), ((2.5, 3), TypeError), (7, ValueError), ((1, 2, 3), ValueError)]
)
def test_a_screen_has_a_size(counting, shown, size, error):
    with pytest.raises(error, match="screen_size"):
        HumanRendering(SyncVectorEnv([lambda: counting(render_mode="rgb_array")]), screen_size=size)


def test_with_a_real_window(counting):
    env = HumanRendering(SyncVectorEnv([lambda: counting(render_mode="rgb_array")] * 2))
    env.reset()
    env.step(np.zeros(2, np.int64))
    env.close()
    env.close()
