"""The kernels of policies."""

from __future__ import annotations

import pytest

from gymnasium.spaces import Box, Discrete
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
    made = []
    in_lanes, alone = Frame.step_rows, Frame.turn_rows

    def spied_lanes(self, each, shapes, lanes):
        made.append(printed(self.program("step", each, shapes, lanes)))
        return in_lanes(self, each, shapes, lanes)

    def spied_alone(self, each, shapes):
        made.append(printed(self.program("step", each, shapes, lanes=False)))
        return alone(self, each, shapes)

    monkeypatch.setattr(Frame, "step_rows", spied_lanes)
    monkeypatch.setattr(Frame, "turn_rows", spied_alone)
    monkeypatch.setattr(Frame, "begin_rows", lambda *_: pytest.fail("no episode begins"))
    Decider(policy, SPACE, Discrete(3), n).prepare(SPACE.sample())
    assert made
    assert not any(name in text for text in made for name in ("elapsed", "terminal", "reward"))
