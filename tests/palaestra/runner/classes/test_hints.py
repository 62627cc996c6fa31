"""What `make_vec` says of a class that runs in sync: once, and without running anything of it."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest

import gymnasium as gym
from gymnasium import logger, spaces
from gymnasium.envs._registry import vector_making
from palaestra.cli import main


class Steps(gym.Env[Any, Any]):
    """Counts its calls, those of all environments together."""

    calls = 0

    def __init__(self) -> None:
        type(self).calls += 1
        self.observation_space, self.action_space = spaces.Discrete(9), spaces.Discrete(2)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """Begin at 0."""
        super().reset(seed=seed)
        self.x = 0
        return self.x, {}

    def step(self, action: Any) -> Any:
        """Add the action."""
        self.x = min(self.x + int(action), 8)
        return self.x, 1.0, False, False, {}


def _hints(name: str, mode: str | None = None) -> list[str]:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        gym.make_vec(name, 3, vectorization_mode=mode).close()
    return [str(one.message) for one in found if "compiled" in str(one.message)]


def test_a_hint_is_given_once_with_what_was_measured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PALAESTRA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(logger, "min_level", logger.INFO)
    monkeypatch.setattr(vector_making, "_HINTED", set())
    monkeypatch.setitem(gym.registry, "Steps-v0", gym.envs.registration.EnvSpec("Steps-v0", Steps))
    assert _hints("Steps-v0", "sync") == []
    Steps.calls = 0
    (hint,) = _hints("Steps-v0")
    assert "Steps-v0 runs in sync" in hint
    assert "`palaestra bench Steps-v0` measures what that brings" in hint
    assert Steps.calls == 3
    assert _hints("Steps-v0") == []

    assert main(["bench", "Steps-v0", "--num-envs", "64", "--modes", "sync,compiled", "--seconds", "0.05"]) == 0
    vector_making._HINTED.clear()
    (hint,) = _hints("Steps-v0")
    assert "times as many steps per second here, with 64 copies" in hint
