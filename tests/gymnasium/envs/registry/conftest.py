from __future__ import annotations

from collections.abc import Iterator

import pytest

from gymnasium.envs.registration import register, registry

TOY = "tests.gymnasium.envs.registry.toys:Toy"


@pytest.fixture(autouse=True)
def untouched_registry() -> Iterator[None]:
    """What a test registers is gone after it."""
    before = dict(registry)
    yield
    registry.clear()
    registry.update(before)


@pytest.fixture
def toy() -> str:
    """The id of a registered environment."""
    register("test/Toy-v0", TOY, reward_threshold=1.5, max_episode_steps=10, kwargs={"size": 2})
    return "test/Toy-v0"
