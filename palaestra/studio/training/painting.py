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
from gymnasium.states.scenes import Painter as ScenePainter
from gymnasium.states.scenes import Scene
from gymnasium.vector.sync_vector_env import SyncVectorEnv
from palaestra.snapshots import restore
from palaestra.studio.pictures import checked, compressed, mosaic
from palaestra.studio.training.tile_sources import BATCH, FUNCTIONAL, MEMBERS, SINGLE

_MODE: Final = "rgb_array"
WIDEST: Final = 320  # pixels of a tile
_ROW: Final = 960  # pixels of a row of tiles, about
_STEP: Final = 8  # pixels, by which tiles are larger or smaller: what is the same in all pictures is drawn again


class Grid(NamedTuple):
    """Tiles that are drawn side by side."""

    canvas: Canvas
    columns: int
    rows: int


Drawn = Grid | Sequence[object]
"""A picture for each tile, or all in one."""


class Painter(NamedTuple):
    """Environments that draw the states of others."""

    draw: Callable[[Sequence[Any], int], Drawn]
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
    """Returns the painter of scenes, which draws them side by side, as large as tiles are."""
    made: list[tuple[Any, Grid, list[tuple[ScenePainter, list[int]]]]] = []

    def draw(scenes: Sequence[Scene], wanted: int) -> Grid:
        key = [wanted, *map(type, scenes)]
        if not made or made[0][0] != key:
            grid = _blank(len(scenes), scenes[0].size(), wanted)
            made[:] = [(key, grid, _artists(grid, scenes))]
        _, grid, artists = made[0]
        for artist, places in artists:
            artist.paint([scenes[place] for place in places])
        return grid

    return Painter(draw, made.clear)


def _artists(grid: Grid, scenes: Sequence[Scene]) -> list[tuple[ScenePainter, list[int]]]:
    """Returns the painters of each kind of scenes, and the places of these."""
    kinds: dict[type[Scene], list[int]] = {}
    for place, scene in enumerate(scenes):
        kinds.setdefault(type(scene), []).append(place)
    found = []
    for kind, places in kinds.items():
        canvases = grid.canvas.parts(grid.columns, grid.rows, kind.size())
        found.append((kind.painter([canvases[place] for place in places]), places))
    return found


_PAINTERS: Final = {FUNCTIONAL: _functional, MEMBERS: _members, BATCH: _batch, SINGLE: _single}


def painted(drawn: Drawn, wanted: int = WIDEST) -> tuple[dict[str, int], bytes]:
    """Returns pictures as one, row by row, with its layout.

    Args:
        drawn: The pictures.
        wanted: The width at which each will be shown, pixels.

    Raises:
        ValueError: If one is no picture.
    """
    if isinstance(drawn, Grid):
        columns, (width, height) = drawn.columns, drawn.canvas.size
        wide, high = width // columns, height // drawn.rows
        jpeg = compressed(drawn.canvas.raw(), "RGBX", (width, height))
    else:
        pictures = [checked(frame) for frame in drawn]
        columns, wide, high = _layout(len(pictures), pictures[0].shape[1::-1], wanted)
        jpeg = mosaic(pictures, columns, (wide, high))
    return {"columns": columns, "width": wide, "height": high}, jpeg


def _blank(count: int, size: tuple[int, int], wanted: int) -> Grid:
    """Returns a grid for tiles of a size."""
    columns, wide, high = _layout(count, size, wanted)
    rows = ceil(count / columns)
    return Grid(Canvas(columns * wide, rows * high, (0, 0, 0)), columns, rows)


def _layout(count: int, size: tuple[int, int], wanted: int) -> tuple[int, int, int]:
    """Returns the number of columns, and width and height of tiles whose pictures have a size."""
    width, height = size
    wide = _width(count, width, wanted)
    return ceil(sqrt(count)), wide, max(1, round(height * wide / width))


def _width(count: int, width: int, wanted: int) -> int:
    """Returns the width of each of some tiles.

    Args:
        count: The number of tiles.
        width: That of a picture.
        wanted: That at which it will be shown.
    """
    return min(width, WIDEST, _ROW // ceil(sqrt(count)), -(-wanted // _STEP) * _STEP)
