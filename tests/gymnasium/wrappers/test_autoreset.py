"""`Autoreset`."""

from __future__ import annotations

from gymnasium.wrappers import Autoreset, TimeLimit


def test_the_step_after_the_end_is_a_reset(counting):
    env = Autoreset(counting(length=2))
    env.reset(seed=3)
    assert [env.step(i)[0].item() for i in range(5)] == [1, 2, 0, 1, 2]
    assert env.unwrapped.actions == [0, 1, 3, 4]
    assert env.unwrapped.resets == [(3, None), (None, None)]


def test_the_reset_step_has_no_reward_and_the_new_info(counting):
    env = Autoreset(counting(length=1))
    env.reset()
    assert env.step(0)[1:] == (1.0, True, False, {"t": 1})
    assert env.step(0)[1:] == (0.0, False, False, {"t": 0})


def test_truncation_counts(counting):
    env = Autoreset(TimeLimit(counting(), 1))
    env.reset()
    assert env.step(0)[3] is True
    assert env.step(0)[0] == 0


def test_autoreset_tells_what_the_next_step_does_and_reset_clears_it(counting):
    env = Autoreset(counting(length=1))
    assert env.autoreset is False
    env.reset()
    env.step(0)
    assert env.autoreset is True
    env.reset()
    assert env.autoreset is False
    assert env.step(0)[0] == 1


def test_spec_records_it(counting):
    (wrapper,) = Autoreset(counting()).spec.additional_wrappers
    assert (wrapper.entry_point, wrapper.kwargs) == ("gymnasium.wrappers.common:Autoreset", {})


def test_its_state_tells_the_same(counting):
    env, other = Autoreset(counting(length=1)), Autoreset(counting(length=1))
    env.reset(), other.reset()
    env.step(0)
    other.set_state(env.get_state())
    assert other.autoreset is True
    assert other.step(0)[0] == 0
