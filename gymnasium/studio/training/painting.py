"""Tiles: many environments as one picture, drawn from scenes or states in the process beside the program."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from math import ceil, sqrt
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.registration import make, make_vec
from gymnasium.functional.func_env import FuncEnv
from gymnasium.rendering.canvas import Canvas
from gymnasium.snapshots import restore
from gymnasium.states.scenes import Scene
from gymnasium.studio.pictures import checked, mosaic
from gymnasium.studio.training.moments import BATCH, FUNCTIONAL, MEMBERS, SINGLE
from gymnasium.vector.sync_vector_env import SyncVectorEnv

_MODE: Final = "rgb_array"
WIDEST: Final = 320  # pixels of a tile
_ROW: Final = 960  # pixels of a row of tiles, about
_STEP: Final = 16  # pixels, by which tiles are larger or smaller: what is the same in all pictures is drawn again


class Painter(NamedTuple):
    """Environments that draw the states of others."""

    draw: Callable[[Sequence[Any], int], Sequence[NDArray[np.uint8]]]
    """Returns pictures of some states, for a width at which they will be shown: they may be larger."""
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
    is_plain = type(func_env).render_init is FuncEnv.render_init and type(canvas) is Canvas

    def draw(states: Sequence[tuple[Any, Any]], wanted: int) -> list[NDArray[np.uint8]]:
        nonlocal canvas, is_plain
        if is_plain:
            width, height = canvas.size
            scale = _width(len(states), width, wanted) / width
            if scale != canvas.scale:
                canvas = Canvas(width, height, scale=scale)
            try:
                return drawn(states)
            except ValueError:  # a canvas of another scale
                is_plain, canvas = False, func_env.render_init(params)
        return drawn(states)

    def drawn(states: Sequence[tuple[Any, Any]]) -> list[NDArray[np.uint8]]:
        nonlocal canvas
        frames = []
        for state, own in states:
            canvas, frame = func_env.render_image(state, canvas, params if own is None else own)
            frames.append(frame)
        return frames

    return Painter(draw, lambda: func_env.render_close(canvas, params))


def _members(made_of: Any, count: int) -> Painter:
    envs = SyncVectorEnv(made_of)
    for env in envs.envs:
        env.unwrapped.render_mode = _MODE
    envs.reset(seed=0)

    def draw(states: Sequence[Any], wanted: int) -> Sequence[Any]:
        for i, state in enumerate(states):
            envs.set_state(i, state)
        return [env.render() for env in envs.envs[: len(states)]]

    return Painter(draw, envs.close)


def _batch(spec: Any, count: int) -> Painter:
    envs: Any = make_vec(spec, num_envs=count, render_mode=_MODE)
    envs.reset(seed=0)

    def draw(states: Sequence[object], wanted: int) -> Sequence[Any]:
        for i, state in enumerate(states):
            envs.set_state(i, state)
        return [envs.render_one(i) for i in range(len(states))]

    return Painter(draw, envs.close)


def _single(spec: Any, count: int) -> Painter:
    env: Any = make(spec, render_mode=_MODE)
    env.reset(seed=0)

    def draw(states: Sequence[Any], wanted: int) -> Sequence[Any]:
        restore(env, states[0])
        return [env.render()]

    return Painter(draw, env.close)


def of_scenes() -> Painter:
    """Returns the painter of scenes, which draws them as large as tiles are."""
    artists: list[Any] = []
    known: list[Any] = []

    def draw(scenes: Sequence[Scene], wanted: int) -> Sequence[NDArray[np.uint8]]:
        kinds = [(type(scene), wanted) for scene in scenes]
        if kinds != known:
            known[:], artists[:] = kinds, []
            for scene in scenes:
                width, _ = scene.size()
                artists.append(scene.painter(_width(len(scenes), width, wanted) / width))
        return [artist.picture(scene) for artist, scene in zip(artists, scenes, strict=True)]

    return Painter(draw, artists.clear)


_PAINTERS: Final = {FUNCTIONAL: _functional, MEMBERS: _members, BATCH: _batch, SINGLE: _single}


def painted(frames: Sequence[object], wanted: int = WIDEST) -> tuple[dict[str, int], bytes]:
    """Returns pictures as one, row by row, with its layout.

    Args:
        frames: The pictures.
        wanted: The width at which each will be shown, pixels.

    Raises:
        ValueError: If one is no picture.
    """
    columns = ceil(sqrt(len(frames)))
    pictures = [checked(frame) for frame in frames]
    height, width = pictures[0].shape[:2]
    wide = _width(len(frames), width, wanted)
    high = max(1, round(height * wide / width))
    return {"columns": columns, "width": wide, "height": high}, mosaic(pictures, columns, (wide, high))


def _width(count: int, width: int, wanted: int) -> int:
    """Returns the width of each of some tiles.

    Args:
        count: The number of tiles.
        width: That of a picture.
        wanted: That at which it will be shown.
    """
    return min(width, WIDEST, _ROW // ceil(sqrt(count)), -(-wanted // _STEP) * _STEP)
