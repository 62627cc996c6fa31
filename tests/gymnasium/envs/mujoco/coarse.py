"""Pictures of robots in a quarter of the time, where nobody asks how good they look, nor how a driver is begun."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import pytest

from gymnasium.envs.mujoco import mujoco_env
from gymnasium.envs.mujoco.rendering import contexts, offscreen


def draw_coarsely(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give models that are made from now on shadows of few pixels, and edges that are not smooth."""
    load_model = mujoco_env.load_model

    def loaded(*arguments: Any) -> Any:
        model = load_model(*arguments)
        model.vis.quality.shadowsize, model.vis.quality.offsamples = 64, 0
        return model

    monkeypatch.setattr(mujoco_env, "load_model", loaded)


def share_contexts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a viewer draw in the graphics context of one that was closed: the driver compiles its programs for each."""
    monkeypatch.setattr(offscreen, "make_context", lambda *size: _idle.pop() if _idle else _Shared(*size))


class _Shared:
    """A graphics context that the next viewer takes over."""

    def __init__(self, width: int, height: int) -> None:
        self._context = contexts.make_context(width, height)

    def as_current(self) -> AbstractContextManager[None]:
        return contexts.current(self._context)

    def make_current(self) -> None:
        self._context.make_current()

    def free(self) -> None:
        _idle.append(self)


_idle: list[_Shared] = []
