"""`RenderCollection` and `HumanRendering`."""

from __future__ import annotations

import numpy as np
import pytest

from gymnasium.error import UnsupportedMode
from gymnasium.wrappers import HumanRendering, RenderCollection, rendering


def values(frames):
    return [int(frame[0, 0, 0]) for frame in frames]


def test_a_collection_grows_at_reset_and_step_and_is_emptied_by_render(counting):
    env = RenderCollection(counting(render_mode="rgb_array"))
    env.reset()
    env.step(0)
    assert values(env.render()) == [0, 1]
    assert env.render() == []
    env.step(0)
    assert values(env.render()) == [2]


def test_reset_empties_the_collection(counting):
    env = RenderCollection(counting(render_mode="rgb_array"), pop_frames=False)
    env.reset()
    env.step(0)
    env.reset()
    assert values(env.render()) == [0]
    assert values(env.render()) == [0]


def test_neither_has_to_empty_the_collection(counting):
    env = RenderCollection(counting(render_mode="rgb_array"), pop_frames=False, reset_clean=False)
    env.reset()
    env.step(0)
    env.render()
    env.reset()
    assert values(env.render()) == [0, 1, 0]


def test_what_render_returned_does_not_grow(counting):
    env = RenderCollection(counting(render_mode="rgb_array"), pop_frames=False)
    env.reset()
    frames = env.render()
    env.step(0)
    assert values(frames) == [0]


def test_the_collections_mode(counting):
    inner = counting(render_mode="rgb_array")
    env = RenderCollection(inner)
    assert env.render_mode == "rgb_array_list"
    assert env.metadata["render_modes"] == ["rgb_array", "depth_array", "rgb_array_list"]
    assert inner.metadata["render_modes"] == ["rgb_array", "depth_array"]


@pytest.mark.parametrize("mode", [None, "rgb_array_list"])
def test_only_a_mode_of_single_frames_can_be_collected(counting, mode):
    with pytest.raises(ValueError, match="render_mode"):
        RenderCollection(counting(render_mode=mode))


def test_the_collections_spec(counting):
    (wrapper,) = RenderCollection(counting(render_mode="rgb_array"), reset_clean=False).spec.additional_wrappers
    assert wrapper.kwargs == {"pop_frames": True, "reset_clean": False}


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


def test_reset_and_step_show_a_frame_and_render_shows_none(counting, shown):
    env = HumanRendering(counting(render_mode="rgb_array"))
    env.reset()
    env.step(0)
    assert env.render() is None
    assert shown[0] == ("Counting-v0", 1000)
    assert values(shown[1:]) == [0, 1]
    assert env.screen_size == (6, 4)


def test_of_a_list_the_last_frame_is_shown(counting, shown):
    env = HumanRendering(RenderCollection(counting(render_mode="rgb_array"), pop_frames=False))
    env.reset()
    env.step(0)
    assert values(shown[1:]) == [0, 1]


def test_an_empty_list_shows_nothing_new(counting, shown):
    class Lazy(counting):
        def render(self):
            return []

    HumanRendering(Lazy(render_mode="rgb_array_list")).reset()
    assert len(shown) == 1


def test_depth_is_shown_in_grey(counting, shown):
    class Deep(counting):
        def render(self):
            return np.array([[1.0, 2.0, 3.0, np.inf]], np.float32)

    HumanRendering(Deep(render_mode="depth_array")).reset()
    (frame,) = shown[1:]
    assert frame.dtype == np.uint8
    assert frame.tolist() == [[[0] * 3, [127] * 3, [255] * 3, [255] * 3]]


@pytest.mark.parametrize("depth", [0.0, 7.0, np.inf, np.nan])
def test_a_flat_depth_map_can_be_shown(counting, shown, depth):
    class Flat(counting):
        def render(self):
            return np.full((2, 3), depth)

    HumanRendering(Flat(render_mode="depth_array")).reset()
    assert shown[1].shape == (2, 3, 3)


def test_frames_must_not_change_their_size(counting, shown):
    class Growing(counting):
        def render(self):
            return np.zeros((4, 6 + self.t, 3), np.uint8)

    env = HumanRendering(Growing(render_mode="rgb_array"))
    env.reset()
    with pytest.raises(AssertionError, match=r"6x4.*7x4"):
        env.step(0)


@pytest.mark.parametrize("frame", ["picture", None, np.zeros((2, 2, 4), np.uint8), np.zeros(3, np.uint8)])
def test_what_is_no_picture_is_refused(counting, shown, frame):
    class Odd(counting):
        def render(self):
            return frame

    with pytest.raises(ValueError, match="height, width, 3"):
        HumanRendering(Odd(render_mode="rgb_array")).reset()


def test_the_mode_is_human(counting, shown):
    inner = counting(render_mode="rgb_array")
    env = HumanRendering(inner)
    assert env.render_mode == "human"
    assert env.metadata["render_modes"] == ["rgb_array", "depth_array", "human"]
    assert "human" not in inner.metadata["render_modes"]
    assert env.spec.additional_wrappers[0].kwargs == {}


def test_close_closes_window_and_environment(counting, shown):
    env = HumanRendering(counting(render_mode="rgb_array"))
    env.close()
    assert shown[-1] == "closed"
    assert env.unwrapped.closed == 1


@pytest.mark.parametrize("mode", [None, "human", "ansi"])
def test_only_arrays_can_be_shown(counting, shown, mode):
    with pytest.raises(ValueError, match=r"rgb_array.*depth_array.*render_mode"):
        HumanRendering(counting(render_mode=mode))


def test_the_speed_must_be_known(counting, shown):
    class Timeless(counting):
        metadata = {"render_modes": ["rgb_array"]}

    with pytest.raises(ValueError, match="render_fps"):
        HumanRendering(Timeless(render_mode="rgb_array"))


def test_without_a_display_construction_fails(counting, shown, monkeypatch):
    def refuse():
        raise UnsupportedMode("no display")

    monkeypatch.setattr(rendering, "require_display", refuse)
    with pytest.raises(UnsupportedMode):
        HumanRendering(counting(render_mode="rgb_array"))


def test_with_a_real_window(counting):
    env = HumanRendering(counting(render_mode="rgb_array"))
    env.reset()
    env.step(0)
    env.close()
    env.close()
