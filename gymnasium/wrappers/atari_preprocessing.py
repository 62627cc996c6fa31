"""The usual preprocessing of Atari games: observations and frame skipping."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final, Generic

import numpy as np

from gymnasium.core import ActType, Env, ObsType, Wrapper
from gymnasium.spaces import Box
from gymnasium.transforms.image import load_cv2, resized
from gymnasium.utils.record_constructor import RecordConstructorArgs
from gymnasium.wrappers._numbers import checked_integer
from gymnasium.wrappers.common import (
    OrderEnforcing,
    PassiveEnvChecker,
    RecordEpisodeStatistics,
    StepResult,
    TimeLimit,
)
from gymnasium.wrappers.utils import checked_state

__all__ = ["AtariPreprocessing"]

# Wrappers that pass observations on without using their content.
_INDIFFERENT: Final = (OrderEnforcing, PassiveEnvChecker, RecordEpisodeStatistics, TimeLimit)


class AtariPreprocessing(
    Wrapper[np.ndarray, ActType, ObsType, ActType], RecordConstructorArgs, Generic[ActType, ObsType]
):
    """Skips frames, takes the maximum of the last two, makes them grey and small, and begins with idle steps.

    Source: Mnih et al. 2015, Nature 518; Machado et al. 2018, JAIR 61, who advise against ending an episode with a
    life. The frame in which a game ends is ignored: the frames of the previous step replace those missing at the end.
    The observations equal those of ale-py's vector environments.

    Args:
        env: An Atari environment of ale-py, made with `frameskip=1`.
        noop_max: The episode begins with 1 to this many idle steps; 0 for none.
        frame_skip: The number of frames for which an action is repeated.
        screen_size: The (width, height) of an observation; an int for both.
        terminal_on_life_loss: Whether a lost life ends the episode.
        grayscale_obs: Whether observations are grey, of shape (height, width); else (height, width, 3).
        grayscale_newaxis: Whether grey ones are (height, width, 1).
        scale_obs: Whether observations are float32 in [0, 1]; else uint8 in [0, 255].

    Raises:
        ValueError: For a number out of range, an environment that skips frames itself, or one without idle action.
        TypeError: If the environment's observation space is not a Box.
        gymnasium.error.DependencyNotInstalled: If OpenCV is missing.
    """

    def __init__(
        self,
        env: Env[ObsType, ActType],
        noop_max: int = 30,
        frame_skip: int = 4,
        screen_size: int | tuple[int, int] = 84,
        terminal_on_life_loss: bool = False,
        grayscale_obs: bool = True,
        grayscale_newaxis: bool = False,
        scale_obs: bool = False,
    ) -> None:
        RecordConstructorArgs.__init__(
            self,
            noop_max=noop_max,
            frame_skip=frame_skip,
            screen_size=screen_size,
            terminal_on_life_loss=terminal_on_life_loss,
            grayscale_obs=grayscale_obs,
            grayscale_newaxis=grayscale_newaxis,
            scale_obs=scale_obs,
        )
        Wrapper.__init__(self, env)
        load_cv2()
        self.frame_skip = checked_integer(frame_skip, "frame_skip", at_least=1)
        self.noop_max = checked_integer(noop_max, "noop_max", at_least=0)
        self.screen_size = _checked_size(screen_size)
        screen = _screen_shape(env)
        _check_game(env, self.frame_skip, self.noop_max)
        self.terminal_on_life_loss = terminal_on_life_loss
        self.grayscale_obs = grayscale_obs
        self.grayscale_newaxis = grayscale_newaxis
        self.scale_obs = scale_obs
        self.lives = 0
        self.game_over = False
        shape = screen if grayscale_obs else (*screen, 3)
        self.obs_buffer = [np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)]
        self.observation_space = self._space()
        self._undrawn = _undrawn(env)

    def _space(self) -> Box:
        width, height = self.screen_size
        channels = (3,) if not self.grayscale_obs else (1,) if self.grayscale_newaxis else ()
        high, dtype = (1.0, np.float32) if self.scale_obs else (255, np.uint8)
        return Box(0, high, (height, width, *channels), dtype)

    @property
    def ale(self) -> Any:
        """The emulator."""
        return self._game.ale

    @property
    def _game(self) -> Any:
        return self.env.unwrapped

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Reset, and idle for a random number of steps."""
        _, info = self.env.reset(seed=seed, options=options)
        noops = self._game.np_random.integers(1, self.noop_max + 1) if self.noop_max > 0 else 0
        idle: Any = 0
        for _ in range(noops):
            _, _, terminated, truncated, step_info = self.env.step(idle)
            info.update(step_info)
            if terminated or truncated:
                _, info = self.env.reset(seed=seed, options=options)
        self.lives = self.ale.lives()
        self.game_over = False
        self._grab(0)
        self.obs_buffer[1].fill(0)
        return self._observation(), info

    def step(self, action: ActType) -> StepResult[np.ndarray]:
        """Act for `frame_skip` frames; the rewards are added up."""
        total = 0.0
        with self._undrawn():
            for i in range(self.frame_skip):
                _, reward, terminated, truncated, info = self.env.step(action)
                total += float(reward)
                terminated = terminated or self._life_lost()
                self.game_over = terminated
                if terminated or truncated:
                    break
                if i >= self.frame_skip - 2:
                    self._grab(self.frame_skip - 1 - i)
        return self._observation(), total, terminated, truncated, info

    def _life_lost(self) -> bool:
        """Whether a life was lost and this ends an episode."""
        if not self.terminal_on_life_loss:
            return False
        before, self.lives = self.lives, self.ale.lives()
        return bool(self.lives < before)

    def _grab(self, i: int) -> None:
        if self.grayscale_obs:
            self.ale.getScreenGrayscale(self.obs_buffer[i])
        else:
            self.ale.getScreenRGB(self.obs_buffer[i])

    def _observation(self) -> np.ndarray:
        width, height = self.screen_size
        screen, before_last = self.obs_buffer
        if self.frame_skip > 1:
            np.maximum(screen, before_last, out=screen)
        small: np.ndarray = resized(screen, (height, width))
        if self.scale_obs:
            small = np.asarray(small, np.float32) / np.float32(255.0)
        return small[..., np.newaxis] if self.grayscale_obs and self.grayscale_newaxis else small

    def get_state(self) -> dict[str, np.ndarray]:
        """Returns the last two screens, `lives` and `game_over`, as arrays; the emulator's state is not part of it."""
        return {
            "obs_buffer": np.array(self.obs_buffer),
            "lives": np.array(self.lives),
            "game_over": np.array(self.game_over),
        }

    def set_state(self, state: Mapping[str, np.ndarray]) -> None:
        """Continue from the state that `get_state` returned.

        Raises:
            ValueError: If an array is missing or superfluous, or has another shape; nothing changes then.
        """
        arrays = checked_state(state, {"obs_buffer": (2, *self.obs_buffer[0].shape), "lives": (), "game_over": ()})
        self.obs_buffer = list(np.ascontiguousarray(arrays["obs_buffer"], np.uint8))
        self.lives, self.game_over = int(arrays["lives"]), bool(arrays["game_over"])


def _undrawn(env: Env) -> Callable[[], AbstractContextManager[None]]:
    """Returns the function that stops the game's own drawing, if nothing between here and there uses its pictures."""
    inner = env
    while type(inner) in _INDIFFERENT:
        inner = inner.env  # type: ignore[attr-defined]  # a wrapper's attribute
    undrawn: Callable[[], AbstractContextManager[None]] = getattr(inner, "undrawn", nullcontext)
    return undrawn


def _checked_size(size: Any) -> tuple[int, int]:
    pair = (size, size) if isinstance(size, int | np.integer) else size
    valid = isinstance(pair, tuple | list) and len(pair) == 2
    if not valid or not all(isinstance(side, int | np.integer) and side > 0 for side in pair):
        raise ValueError(f"screen_size must be a positive int or a pair (width, height) of them, but {size!r} came")
    return int(pair[0]), int(pair[1])


def _screen_shape(env: Env) -> tuple[int, int]:
    space: Any = env.observation_space
    if not isinstance(space, Box):
        raise TypeError(f"AtariPreprocessing takes pictures, but {env} observes {space}; make it with obs_type='rgb'")
    if len(space.shape) < 2:
        raise ValueError(f"AtariPreprocessing takes pictures, but {env} observes {space}; make it with obs_type='rgb'")
    return space.shape[0], space.shape[1]


def _check_game(env: Env, frame_skip: int, noop_max: int) -> None:
    game: Any = env.unwrapped
    own_skip = getattr(game, "_frameskip", None)
    if frame_skip > 1 and own_skip != 1:
        raise ValueError(
            f"AtariPreprocessing skips frames, but so does {env}, by {own_skip}; make it with frameskip=1, or "
            "give frame_skip=1 here"
        )
    if noop_max > 0 and game.get_action_meanings()[0] != "NOOP":
        raise ValueError(
            f"AtariPreprocessing idles with action 0, but for {env} that is {game.get_action_meanings()[0]!r}; "
            "give noop_max=0"
        )
