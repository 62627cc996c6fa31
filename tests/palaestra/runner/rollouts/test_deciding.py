"""The kernels of policies."""

from __future__ import annotations

import re

import pytest

from gymnasium.spaces import Box, Discrete
from palaestra.policies import FuncPolicy, Random
from palaestra.runner.kernels.loading import Kernels
from palaestra.runner.rollouts.deciding import Decider

SPACE = Box(-1.0, 1.0, (2,))
ENDS = {"reset", "initial", "reward", "terminal", "elapsed_column", "rewards_column"}


class Wide(FuncPolicy[None]):
    @staticmethod
    def act(params, observation, rng):
        return 2 if observation[0] + rng.random() > 1.0 else 0


@pytest.mark.parametrize("n", [3, 20])
@pytest.mark.parametrize("policy", [Random(Discrete(3)), Wide()], ids=["straight", "branching"])
def test_no_episode_begins_or_ends_in_them(policy, n, monkeypatch):
    """Half of the time of compiling a policy went there."""
    asked = []
    found = Kernels._found

    def spied(self, source, name, content):
        asked.append((source, name))
        return found(self, source, name, content)

    monkeypatch.setattr(Kernels, "_found", spied)
    Decider(policy, SPACE, Discrete(3), n).prepare(SPACE.sample())
    texts = [source.partition("def step_rows")[2] for source, name in asked if name == "step_rows"]
    assert texts
    assert all(name not in ("reset", "begin_episodes") for _, name in asked)
    assert not ENDS.intersection(re.findall(r"\w+", " ".join(texts)))
