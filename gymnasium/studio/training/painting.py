"""Tiles: many environments as one picture, drawn from states in the process beside the program."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from math import ceil, sqrt
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.registration import make, make_vec
from gymnasium.snapshots import restore
from gymnasium.studio.pictures import checked, mosaic
from gymnasium.studio.training.moments import BATCH, FUNCTIONAL, MEMBERS, SINGLE
from gymnasium.vector.sync_vector_env import SyncVectorEnv

_MODE: Final = "rgb_array"
_ROW: Final = 960  # pixels of a row of tiles, about
_WIDEST: Final = 320  # of a tile


class Painter(NamedTuple):
    """Environments that draw the states of others."""

    draw: Callable[[Sequence[Any]], Sequence[NDArray[np.uint8]]]
    """Returns pictures of some states."""
    close: Callable[[], object]
    """Closes the environments."""


def painter(kind: str, made_of: bytes, count: int) -> Painter:
    """Returns the painter of a source.

    Args:
        kind: The kind of the source.
        made_of: Its class and arguments, pickled by the program that started this process.
        count: The number of tiles.

    Raises:
        Exception: Whatever making the environments raises.
    """
    return _PAINTERS[kind](pickle.loads(made_of), count)


def _functional(made_of: Any, count: int) -> Painter:
    func_env, params = made_of
    canvas = func_env.render_init(params)

    def draw(states: Sequence[Any]) -> list[NDArray[np.uint8]]:
        nonlocal canvas
        frames = []
        for state in states:
            canvas, frame = func_env.render_image(state, canvas, params)
            frames.append(frame)
        return frames

    return Painter(draw, lambda: func_env.render_close(canvas, params))


def _members(made_of: Any, count: int) -> Painter:
    envs = SyncVectorEnv(made_of)
    for env in envs.envs:
        env.unwrapped.render_mode = _MODE
    envs.reset(seed=0)

    def draw(states: Sequence[Any]) -> Sequence[Any]:
        for i, state in enumerate(states):
            envs.set_state(i, state)
        return [env.render() for env in envs.envs[: len(states)]]

    return Painter(draw, envs.close)


def _batch(spec: Any, count: int) -> Painter:
    envs: Any = make_vec(spec, num_envs=count, render_mode=_MODE)
    envs.reset(seed=0)

    def draw(states: Sequence[Any]) -> Sequence[Any]:
        for i, state in enumerate(states):
            envs.set_state(i, state)
        return [envs.render_one(i) for i in range(len(states))]

    return Painter(draw, envs.close)


def _single(spec: Any, count: int) -> Painter:
    env: Any = make(spec, render_mode=_MODE)
    env.reset(seed=0)

    def draw(states: Sequence[Any]) -> Sequence[Any]:
        restore(env, states[0])
        return [env.render()]

    return Painter(draw, env.close)


_PAINTERS: Final = {FUNCTIONAL: _functional, MEMBERS: _members, BATCH: _batch, SINGLE: _single}


def painted(frames: Sequence[Any]) -> tuple[dict[str, int], bytes]:
    """Returns pictures as one, row by row, with its layout.

    Raises:
        ValueError: If one is no picture.
    """
    columns = ceil(sqrt(len(frames)))
    pictures = [checked(frame) for frame in frames]
    height, width = pictures[0].shape[:2]
    wide = min(width, _WIDEST, _ROW // columns)
    high = max(1, round(height * wide / width))
    return {"columns": columns, "width": wide, "height": high}, mosaic(pictures, columns, (wide, high))
