"""The real Minari loads what was recorded. It is where `pip install minari` was run, else nothing is tested here."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from palaestra.recording import RecordTrajectories
from tests.palaestra.recording.data_sets.files import Remember
from tests.palaestra.recording.data_sets.test_record_trajectories import NAMES, played
from tests.wrapper_zoo import make_env

minari = pytest.importorskip("minari")


def equal(stacked: Any, values: list[Any]) -> bool:
    """Whether Minari's form of many values holds these."""
    if isinstance(stacked, dict):
        return all(equal(stacked[key], [value[key] for value in values]) for key in stacked)
    if isinstance(stacked, tuple):
        return all(equal(part, [value[i] for value in values]) for i, part in enumerate(stacked))
    return bool(np.array_equal(np.asarray(stacked), np.asarray(values)))


@pytest.mark.parametrize("name", [*NAMES, "CartPole-v1", "Pendulum-v1", "Blackjack-v1", "Taxi-v4"])
def test_minari_loads_equal_arrays(tmp_path, monkeypatch, name):
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    seen: list[Any] = []
    env = RecordTrajectories(Remember(make_env(name), seen), "some/name-v0", about={"author": "A"})
    played(env, 12)
    env.close()

    loaded = minari.load_dataset("some/name-v0")
    assert loaded.observation_space == env.observation_space
    assert loaded.action_space == env.action_space
    assert (loaded.total_episodes, loaded.total_steps) == (12, sum(len(episode["rewards"]) for episode in seen))
    assert "some/name-v0" in minari.list_local_datasets()
    for episode, expected in zip(loaded, seen, strict=True):
        for part, values in expected.items():
            assert equal(getattr(episode, part), values), part


def test_minari_makes_the_environment_again(tmp_path, monkeypatch):
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    RecordTrajectories(make_env("CartPole-v1"), "name-v0").close()

    assert minari.load_dataset("name-v0").recover_environment().spec == make_env("CartPole-v1").spec
