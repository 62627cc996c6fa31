"""The kernels of policies."""

from __future__ import annotations

import pytest

from gymnasium.spaces import Box, Discrete
from palaestra.language.llvm.engine import Build
from palaestra.language.printing import printed
from palaestra.policies import FuncPolicy, Random
from palaestra.runner.frame.kernels import Frame
from palaestra.runner.rollouts.deciding import Decider

SPACE = Box(-1.0, 1.0, (2,))


class Wide(FuncPolicy[None]):
    @staticmethod
    def act(params, observation, rng):
        return 2 if observation[0] + rng.random() > 1.0 else 0


@pytest.mark.parametrize("n", [3, 20])
@pytest.mark.parametrize("policy", [Random(Discrete(3)), Wide()], ids=["straight", "branching"])
def test_no_episode_begins_or_ends_in_them(policy, n, monkeypatch):
    """Half of the time of compiling a policy went there."""
    written, made = {}, []
    build, machine = Frame.build, Build.machine

    def spied(self, name, each, forms, lanes):
        one = build(self, name, each, forms, lanes)
        written[one] = printed(self.program(name, each, forms, lanes))
        return one

    monkeypatch.setattr(Frame, "build", spied)
    monkeypatch.setattr(Build, "begin", lambda self: made.append(self) or self)
    monkeypatch.setattr(Build, "machine", lambda self, k=0: made.append(self) or machine(self, k))
    monkeypatch.setattr(Frame, "begin_rows", lambda *_: pytest.fail("no episode begins"))
    Decider(policy, SPACE, Discrete(3), n).prepare(SPACE.sample())
    texts = [written[one] for one in made if one in written]
    assert texts
    assert not any(name in text for text in texts for name in ("elapsed", "terminal", "reward"))
