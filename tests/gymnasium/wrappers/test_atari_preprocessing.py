"""`AtariPreprocessing`, on a game of our own with the emulator's interface."""

from __future__ import annotations

import numpy as np
import pytest

from gymnasium.spaces import Box, Discrete
from gymnasium.wrappers import AtariPreprocessing
from tests.console import Game


def test_a_step_skips_frames_and_shows_the_last_two():
    env = AtariPreprocessing(Game(), noop_max=0)
    first, _ = env.reset()
    assert first in env.observation_space
    assert first[:, :42].min() == 10
    observation, reward, terminated, truncated, info = env.step(1)
    assert (reward, terminated, truncated, info) == (4.0, False, False, {"t": 4})
    assert observation.shape == (84, 84)
    assert observation.dtype == np.uint8
    assert observation[:, :41].max() == 14
    assert observation[:, 43:].max() == 13


@pytest.mark.parametrize(("frames", "left", "right"), [(1, 14, 13), (2, 14, 13), (3, 14, 13), (4, 14, 17)])
def test_at_the_end_what_the_step_before_showed_is_in_the_place_of_frames_not_seen(frames, left, right):
    env = AtariPreprocessing(Game(length=4 + frames), noop_max=0)
    env.reset()
    env.step(1)
    observation, reward, terminated, *_ = env.step(1)
    assert terminated
    assert env.game_over
    assert reward == frames
    assert (observation[:, :41].max(), observation[:, 43:].max()) == (left, right)


@pytest.mark.parametrize(
    ("arguments", "shape", "dtype"),
    [
        ({}, (84, 84), np.uint8),
        ({"screen_size": (40, 60)}, (60, 40), np.uint8),
        ({"grayscale_newaxis": True}, (84, 84, 1), np.uint8),
        ({"grayscale_obs": False}, (84, 84, 3), np.uint8),
        ({"scale_obs": True}, (84, 84), np.float32),
        ({"frame_skip": 1}, (84, 84), np.uint8),
    ],
)
def test_observations_are_as_asked_for(arguments, shape, dtype):
    env = AtariPreprocessing(Game(), **arguments)
    observation, _ = env.reset(seed=1)
    assert env.observation_space.shape == shape
    assert env.observation_space.dtype == dtype
    for _ in range(5):
        assert observation in env.observation_space
        observation, *_ = env.step(1)
    assert observation.max() > (0 if dtype == np.float32 else 9)


def test_an_episode_begins_with_idle_steps_drawn_from_the_seed():
    env = AtariPreprocessing(Game(), noop_max=10)
    noops = []
    for seed in range(60):
        _, info = env.reset(seed=seed)
        noops.append(info["t"])
        assert info["began"]
    assert set(noops) == set(range(1, 11))
    env.reset(seed=7)
    assert env.ale.t == noops[7]


def test_a_game_that_ends_while_idle_is_reset_with_the_same_seed():
    env = AtariPreprocessing(Game(length=1), noop_max=3)
    env.reset(seed=5)
    assert set(env.unwrapped.seeds) == {5}
    assert env.ale.t == 0


@pytest.mark.parametrize("ends", [True, False])
def test_a_lost_life_may_end_the_episode(ends):
    env = AtariPreprocessing(Game(), noop_max=0, terminal_on_life_loss=ends)
    env.reset()
    env.step(1)
    *_, terminated, _, info = env.step(1)
    assert terminated is ends
    assert info["t"] == (7 if ends else 8)


@pytest.mark.parametrize(
    ("game", "arguments", "message"),
    [
        ({}, {"frame_skip": 0}, "frame_skip"),
        ({}, {"noop_max": -1}, "noop_max"),
        ({}, {"screen_size": 0}, "screen_size"),
        ({}, {"screen_size": (84, 0)}, "screen_size"),
        ({}, {"screen_size": (84.0, 84)}, "screen_size"),
        ({"frameskip": 4}, {}, "frameskip=1"),
        ({"meanings": ["FIRE"]}, {}, "FIRE.*noop_max=0"),
    ],
)
def test_what_cannot_be_prepared_is_refused(game, arguments, message):
    with pytest.raises(ValueError, match=message):
        AtariPreprocessing(Game(**game), **arguments)


def test_a_game_that_skips_frames_itself_can_be_prepared():
    env = AtariPreprocessing(Game(frameskip=4), frame_skip=1, noop_max=0)
    env.reset()
    env.step(1)
    assert env.ale.t == 1


def test_observations_must_be_pictures():
    game = Game()
    game.observation_space = Discrete(3)
    with pytest.raises(TypeError, match="Discrete"):
        AtariPreprocessing(game)
    game.observation_space = Box(0, 255, (128,), np.uint8)
    with pytest.raises(ValueError, match="128"):
        AtariPreprocessing(game)
