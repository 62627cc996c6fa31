"""What tests of recordings share: episodes as they are seen, and as the file holds them."""

from __future__ import annotations

from typing import Any

import numpy as np

from gymnasium.core import Wrapper
from gymnasium.spaces import Dict, Space, Tuple


class Remember(Wrapper[Any, Any, Any, Any]):
    """Keeps whole episodes as lists, also in the workers of a batch."""

    def __init__(self, env: Any, episodes: list[dict[str, list[Any]]]) -> None:
        super().__init__(env)
        self.episodes = episodes

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        observation, info = self.env.reset(seed=seed, options=options)
        self.current: dict[str, list[Any]] = {"observations": [observation]}
        return observation, info

    def step(self, action: Any) -> Any:
        result = self.env.step(action)
        observation, reward, terminated, truncated, _ = result
        names = ("observations", "actions", "rewards", "terminations", "truncations")
        for name, value in zip(names, (observation, action, reward, terminated, truncated), strict=True):
            self.current.setdefault(name, []).append(value)
        if terminated or truncated:
            self.episodes.append(self.current)
        return result


def stored(group: Any, space: Space[Any], i: int) -> Any:
    """Returns value number `i` of those in a group or dataset of the file."""
    if isinstance(space, Dict):
        return {name: stored(group[name], part, i) for name, part in space.spaces.items()}
    if isinstance(space, Tuple):
        return tuple(stored(group[f"_index_{k}"], part, i) for k, part in enumerate(space.spaces))
    return group.asstr()[i] if group.dtype == object else group[i]


def same(one: Any, two: Any) -> bool:
    """Whether two values have the same parts, bit for bit."""
    if isinstance(one, dict):
        return one.keys() == two.keys() and all(same(one[key], two[key]) for key in one)
    if isinstance(one, tuple):
        return len(one) == len(two) and all(map(same, one, two))
    return bool(np.array_equal(np.asarray(one), np.asarray(two)))


def check_episode(group: Any, episode: dict[str, list[Any]], env: Any) -> None:
    """The file holds the episode."""
    spaces = {"observations": env.observation_space, "actions": env.action_space}
    length = len(episode["rewards"])
    assert group.attrs["total_steps"] == length
    for name in ("rewards", "terminations", "truncations"):
        assert group[name][:].tolist() == episode[name], name
    for name, space in spaces.items():
        assert len(episode[name]) == length + (name == "observations")
        for i, value in enumerate(episode[name]):
            assert same(stored(group[name], space, i), value), (name, i)
    rewards = np.array(episode["rewards"])
    for kind in ("sum", "mean", "std", "max", "min"):
        np.testing.assert_allclose(group.attrs[f"rewards_{kind}"], getattr(rewards, kind)(), rtol=1e-12, atol=1e-12)
