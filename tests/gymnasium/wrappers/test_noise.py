"""`AddWhiteNoise` and `ObstructView`."""

from __future__ import annotations

import numpy as np
import pytest

from gymnasium.error import InvalidProbability
from gymnasium.transforms.noise import squares
from gymnasium.wrappers import AddWhiteNoise, ObstructView, RenderCollection


@pytest.fixture
def black(counting):
    """A large black picture."""

    class Black(counting):
        def render(self):
            return np.zeros((100, 200, 3), np.uint8)

    return Black(render_mode="rgb_array")


def spoiled(frame):
    return frame.any(axis=-1).mean()


def test_white_noise_has_its_probability(black):
    env = AddWhiteNoise(black, 0.3)
    env.reset(seed=1)
    frame = env.render()
    assert frame.dtype == np.uint8
    assert spoiled(frame) == pytest.approx(0.3, abs=0.02)
    assert (frame != env.render()).any()


@pytest.mark.parametrize(
    "wrap", [lambda env: AddWhiteNoise(env, 0.5, True), lambda env: ObstructView(env, 0.5, 2, True)]
)
def test_grey_noise_is_grey(black, wrap):
    env = wrap(black)
    env.reset(seed=1)
    frame = env.render()
    assert frame.dtype == np.uint8
    assert (frame == frame[:, :, :1]).all()
    assert len(np.unique(frame)) > 50


def test_the_view_is_obstructed_by_squares(black):
    env = ObstructView(black, 0.1, 4)
    env.reset(seed=1)
    assert spoiled(env.render()) == pytest.approx(0.1, abs=0.02)
    assert env.obstruction_centers_ratio == 0.1 / 16


def test_a_square_is_around_its_center_and_cut_off_at_the_border():
    class Corner:
        def integers(self, low, high, size):
            return np.array([0])

    mask = squares(np.zeros((6, 6, 3), np.uint8), 0.25, 3, Corner())
    assert mask[:2, :2].all()
    assert mask.sum() == 4


def test_each_picture_of_a_list_is_spoiled(black):
    env = AddWhiteNoise(RenderCollection(black), 0.9)
    env.reset(seed=1)
    env.step(0)
    frames = env.render()
    assert len(frames) == 2
    assert all(spoiled(frame) > 0.8 for frame in frames)


@pytest.mark.parametrize("probability", [-0.1, 1.0])
def test_the_probability_is_below_one(black, probability):
    with pytest.raises(InvalidProbability, match="probability_of_noise_per_pixel"):
        AddWhiteNoise(black, probability)


@pytest.mark.parametrize(("ratio", "width"), [(1.0, 2), (-0.1, 2), (0.5, 0)])
def test_ratio_and_width_are_in_range(black, ratio, width):
    with pytest.raises(ValueError, match="obstruct"):
        ObstructView(black, ratio, width)


@pytest.mark.parametrize("wrap", [lambda env: AddWhiteNoise(env, 0.5), lambda env: ObstructView(env, 0.5, 2)])
def test_without_pictures_there_is_no_noise(counting, wrap):
    with pytest.raises(ValueError, match="rgb_array"):
        wrap(counting())
