"""A spec, itself or as JSON, makes the environment again: the same wrappers, and to the bit the same trajectory."""

from __future__ import annotations

import pytest

from gymnasium import wrappers
from gymnasium.envs.registration import EnvSpec, make
from tests.properties.registry import stacks


def test_every_wrapper_is_drawn_or_cannot_be() -> None:
    known = {*wrappers.__all__, "RecordActions", "RecordReplays", "RecordTrajectories"}
    assert known - {"vector"} == {*stacks.ARGUMENTS} | stacks.OTHERS


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.filterwarnings("ignore")
def test_a_stack_is_made_again(seed: int) -> None:
    env = stacks.drawn(seed)
    spec = env.spec
    assert spec is not None
    again = make(spec)
    from_text = make(EnvSpec.from_json(spec.to_json()))
    expected = stacks.trajectory(env)
    for remade in (again, from_text):
        assert sorted(str(remade).split("<")) == sorted(str(env).split("<"))
        assert remade.spec == spec
        assert stacks.agree(stacks.trajectory(remade), expected)
