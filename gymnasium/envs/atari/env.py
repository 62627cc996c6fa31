"""One Atari game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from gymnasium.envs.atari import library
from gymnasium.envs.atari.sticky import Actions, is_next_sticky
from gymnasium.functional.boundary import action_reader
from gymnasium.spaces import Discrete
from gymnasium.utils._generators import put_generator


class AtariState(NamedTuple):
    """A moment of a game."""

    game: str
    emulator: bytes
    """The emulator's own saved state."""
    generator: Mapping[str, Any] | None
    """The state of `np_random`'s bit generator; None if there is none yet."""
    seed: int | None
    """The seed of `np_random`."""
    held: Any = None
    """The action that the emulator repeats in a sticky frame; None if there is none yet."""


class AtariEnv(library.env.AtariEnv):
    """An Atari game, played by the emulator of ale-py.

    It is ale-py's class, which here refuses actions that the game lacks, and can skip unused drawing.
    """

    _drawn = True

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """Begin an episode."""
        result = super().reset(seed=seed, options=options)
        self._actions = self._new_actions()
        return result

    @cached_property
    def _actions(self) -> Actions:
        return self._new_actions()

    def _new_actions(self, held: Any = None) -> Actions:
        return Actions(self.ale.getFloat("repeat_action_probability"), held)

    def step(self, action: Any) -> Any:
        """Take an action for `frameskip` frames.

        Raises:
            gymnasium.error.ActionOutsideSpace: If `action` is not in the action space; nothing moves then.
        """
        read = self._read_action(action)
        self._actions.add(self.ale.getEpisodeFrameNumber(), read)
        return super().step(read)

    @cached_property
    def _read_action(self) -> Callable[[Any], Any]:
        read = action_reader(self.action_space)
        if isinstance(self.action_space, Discrete):
            return read
        return lambda action: np.array(read(action), np.float32)

    @contextmanager
    def undrawn(self) -> Iterator[None]:
        """Within the `with` block, steps return pictures with arbitrary contents.

        For callers that read the emulator's screen directly, and not after each step: drawing takes a fifth of a step.
        """
        self._drawn = False
        try:
            yield
        finally:
            self._drawn = True

    def _get_obs(self) -> Any:
        return super()._get_obs() if self._drawn else np.empty(self.observation_space.shape, np.uint8)

    def get_state(self) -> AtariState:
        """Returns a snapshot: the emulator's own copy of itself, including its random numbers."""
        generator = None if self._np_random is None else self._np_random.bit_generator.state
        emulator: Any = self.clone_state(include_rng=True).__getstate__()
        if isinstance(emulator, tuple):  # of ale-py 0.11
            (emulator,) = emulator
        held = self._actions.held(self.ale.getEpisodeFrameNumber(), emulator)
        return AtariState(self._game, emulator, generator, self._np_random_seed, held)

    def set_state(self, state: AtariState) -> None:
        """Restore a snapshot of `get_state`, of the same game with equal arguments.

        Raises:
            TypeError: If `state` is not a result of `get_state`.
            ValueError: If it belongs to another game. Nothing is set in either case.
        """
        if not isinstance(state, AtariState):
            raise TypeError(f"set_state expects a result of get_state, an AtariState, but a {type(state)} came")
        if state.game != self._game:
            raise ValueError(f"set_state expects a state of {self._game}, but one of {state.game} came")
        emulator = library.ale_py.ALEState(state.emulator)
        self.restore_state(emulator)
        self._actions = self._new_actions(state.held)
        sticky = self._actions.sticky
        if 0 < sticky < 1 and is_next_sticky(state.emulator, sticky) and not self.ale.game_over():
            self._hold(state.held)
            self.restore_state(emulator)
        if state.generator is not None:
            put_generator(self.np_random.bit_generator, state.generator)
        self._np_random_seed = state.seed

    def _hold(self, action: Any) -> None:
        """Take an action in as many frames as it needs until the emulator holds it."""
        skip, self._frameskip = self._frameskip, 1
        with self.undrawn():
            for _ in range(self._actions.most):
                if self.ale.game_over():
                    self.ale.reset_game()
                if action is None:
                    self.ale.act(0)
                else:
                    super().step(action)
        self._frameskip = skip
