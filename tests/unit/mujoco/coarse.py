"""Pictures of robots in half the time, where nobody asks how good they look."""

from __future__ import annotations

from typing import Any

import pytest

from gymnasium.envs.mujoco import mujoco_env


def draw_coarsely(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give models that are made from now on shadows of few pixels, and edges that are not smooth."""
    load_model = mujoco_env.load_model

    def loaded(*arguments: Any) -> Any:
        model = load_model(*arguments)
        model.vis.quality.shadowsize, model.vis.quality.offsamples = 64, 0
        return model

    monkeypatch.setattr(mujoco_env, "load_model", loaded)
