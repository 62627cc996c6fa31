"""Scenes: the contents of pictures as plain data, drawn without their environments: in another process, or smaller."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, Protocol

from gymnasium._extensions import is_own_module
from gymnasium.core import Env
from gymnasium.rendering.canvas import Canvas
from gymnasium.states.layers import walk

_SHOWN: Final = {
    ("gymnasium.core", "Wrapper.render"),
    ("gymnasium.wrappers.common", "OrderEnforcing.render"),
    ("gymnasium.wrappers.common", "PassiveEnvChecker.render"),
}
"""Methods of wrappers that show what the environment inside shows."""


class Painter(Protocol):
    """Paints scenes of one class, each on a canvas of its own."""

    def paint(self, scenes: Sequence[Any]) -> None:
        """Paint each scene on its canvas."""


class Scene(Protocol):
    """The contents of a picture."""

    @staticmethod
    def size() -> tuple[int, int]:
        """Returns width and height of the picture at scale 1, pixels."""

    @staticmethod
    def painter(canvases: Sequence[Canvas]) -> Painter:
        """Returns the painter of such scenes on canvases of one scale: at scale 1 it gives the pixels of `render`."""


class _One(Protocol):
    def paint(self, scene: Any, /) -> None:
        """Paint a scene."""


class OneForEach(NamedTuple):
    """Painters of one scene each, as a painter of all."""

    painters: Sequence[_One]

    def paint(self, scenes: Sequence[Any]) -> None:
        """Paint each scene on the canvas of its painter."""
        for painter, scene in zip(self.painters, scenes, strict=True):
            painter.paint(scene)


def scene_of(env: Env) -> Scene | None:
    """Returns the contents of the next picture of `render`; None if unknown, or if a wrapper shows another picture.

    A class of this package tells by a method `_scene` of its own. A subclass may draw something else, so it does not
    inherit that; and in a class of anybody else, a method of this name may do anything.
    """
    *wrappers, base = walk(env)
    kind = type(base)
    if "_scene" not in vars(kind) or not is_own_module(kind.__module__) or "render" in vars(base):
        return None
    for layer in wrappers:
        shown = type(layer).render
        if (shown.__module__, shown.__qualname__) not in _SHOWN:
            return None
    scene: Scene | None = base._scene()
    return scene


def packed_scenes(envs: Sequence[Env]) -> bytes:
    """Returns the scenes of environments, pickled once for all processes on their way; nothing if one has none."""
    try:
        scenes = [scene_of(env) for env in envs]
        return b"" if None in scenes else pickle.dumps(scenes, pickle.HIGHEST_PROTOCOL)
    except Exception:  # somebody may have set an attribute to anything
        return b""
