"""`AtariPreprocessing`, on a game of our own with the emulator's interface."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from gymnasium.core import Env
from gymnasium.spaces import Box, Discrete
from gymnasium.wrappers import AtariPreprocessing


class Emulator:
    """A screen whose left half is drawn in even frames, and whose right half in odd ones."""

    def __init__(self):
        self.t = 0
        self.left = 5

    def lives(self):
        return self.left

    def screen(self):
        picture = np.zeros((210, 160), np.uint8)
        half = slice(0, 80) if self.t % 2 == 0 else slice(80, 160)
        picture[:, half] = 10 + self.t % 200
        return picture

    def getScreenGrayscale(self, out):  # noqa: N802  # ale-py's name
        out[:] = self.screen()

    def getScreenRGB(self, out):  # noqa: N802
        out[:] = self.screen()[:, :, np.newaxis]


class Game(Env):
    """Loses a life in each seventh frame, and ends after `length`."""

    def __init__(self, length=1000, frameskip=1, meanings=("NOOP", "FIRE")):
        self.observation_space = Box(0, 255, (210, 160, 3), np.uint8)
        self.action_space = Discrete(2)
        self.length = length
        self.meanings = list(meanings)
        self._frameskip = frameskip
        self.ale = Emulator()
        self.seeds = []

    def get_action_meanings(self):
        return self.meanings

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.seeds.append(seed)
        self.ale.t, self.ale.left = 0, 5
        return self.ale.screen(), {"began": True}

    def step(self, action):
        self.ale.t += 1
        self.ale.left -= self.ale.t % 7 == 0
        return self.ale.screen(), 1.0, self.ale.t >= self.length, False, {"t": self.ale.t}


def small(pictures):
    return cv2.resize(np.maximum.reduce(pictures), (84, 84), interpolation=cv2.INTER_AREA)


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


@pytest.mark.parametrize(("length", "left", "right"), [(1, 0, 11), (2, 12, 0), (3, 0, 13), (4, 14, 13)])
def test_at_an_early_end_only_frames_of_this_step_are_seen(length, left, right):
    env = AtariPreprocessing(Game(length), noop_max=0)
    env.reset()
    observation, reward, terminated, *_ = env.step(1)
    assert terminated
    assert env.game_over
    assert reward == length
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
