"""The transition table of one environment, for all runners."""

from __future__ import annotations

from typing import Any

import pytest

from gymnasium.vector import AutoresetMode
from gymnasium.vector._batch.member import Member
from tests.gymnasium.vector.counting import Boom, Counting


def member(mode: AutoresetMode) -> Member:
    """A member one step before its end."""
    result = Member(Counting(length=2), mode)
    result.reset(None, None)
    result.step(0)
    return result


def test_next_step() -> None:
    one = member(AutoresetMode.NEXT_STEP)

    observation, *rest = one.step(0)
    assert (observation.tolist(), rest, one.finished) == ([1, 2], [12.0, True, False, {"stepped": 2}], True)
    observation, *rest = one.step(0)
    assert (observation.tolist(), rest, one.finished) == ([2, 0], [0.0, False, False, {"begun": 2}], False)
    assert one.env.actions == [0, 0]  # type: ignore[attr-defined]


def test_same_step() -> None:
    one = member(AutoresetMode.SAME_STEP)

    observation, reward, terminated, truncated, info = one.step(0)
    last = info.pop("final_obs")
    assert (observation.tolist(), reward, terminated, truncated) == ([2, 0], 12.0, True, False)
    assert last.tolist() == [1, 2]
    assert info == {"final_info": {"stepped": 2}, "begun": 2}
    assert not one.finished


def test_disabled() -> None:
    one = member(AutoresetMode.DISABLED)

    assert one.step(0)[2]
    with pytest.raises(AssertionError, match="reset"):
        one.step(0)
    one.reset(None, None)
    assert one.step(0)[0].tolist() == [2, 1]


@pytest.mark.parametrize("mode", AutoresetMode)
def test_a_reset_at_any_time_begins_an_episode(mode: AutoresetMode) -> None:
    one = member(mode)
    one.step(0)
    begun: Any = one.reset(5, {"a": 1})[0]

    assert one.env.np_random_seed == 5
    assert one.env.options[-1] == {"a": 1}  # type: ignore[attr-defined]
    assert one.step(0)[0].tolist() == [begun[0], 1]


def test_a_failed_reset_leaves_it_finished() -> None:
    one = member(AutoresetMode.NEXT_STEP)
    one.step(0)
    one.env.reset = lambda **_: (_ for _ in ()).throw(Boom())  # type: ignore[method-assign]
    with pytest.raises(Boom):
        one.step(0)
    assert one.finished
