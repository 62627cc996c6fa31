"""Pong: one game in the wrappers that most agents see it through, and ale-py's own vector environment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import ale_py
import numpy as np
from ale_py.vector_env import AtariVectorEnv
from timing import seconds_of

import gymnasium
from gymnasium.wrappers import AtariPreprocessing, FrameStackObservation

Run = Callable[[int], float]

gymnasium.register_envs(ale_py)


@contextmanager
def single() -> Iterator[Run]:
    """`make`, AtariPreprocessing and four frames in a stack; all rounds play the same part of the game."""
    game = gymnasium.make("ALE/Pong-v5", frameskip=1, repeat_action_probability=0.0)
    env = FrameStackObservation(AtariPreprocessing(game), 4)

    def run(steps: int) -> float:
        env.reset(seed=0)
        return seconds_of(env.step, _actions(steps).tolist()) / steps

    yield run
    env.close()


@contextmanager
def batch(made: str, n: int) -> Iterator[Run]:
    """ale-py's vector environment, through `make_vec` or by its constructor."""
    envs: Any = MAKERS[made](n)
    envs.reset(seed=0)

    def run(steps: int) -> float:
        return seconds_of(envs.step, _actions((steps, n))) / steps / n

    yield run
    envs.close()


def _actions(shape: Any) -> np.ndarray:
    return np.random.default_rng(0).integers(0, 6, shape)


MAKERS = {
    "make_vec": lambda n: gymnasium.make_vec("ALE/Pong-v5", n, repeat_action_probability=0.0),
    "constructor": lambda n: AtariVectorEnv("pong", n, repeat_action_probability=0.0),
}
