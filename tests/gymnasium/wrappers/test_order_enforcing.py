"""`OrderEnforcing`."""

from __future__ import annotations

import pytest

from gymnasium.error import ResetNeeded
from gymnasium.wrappers import OrderEnforcing


def test_step_needs_a_reset(counting):
    env = OrderEnforcing(counting())
    assert env.has_reset is False
    with pytest.raises(ResetNeeded, match="reset"):
        env.step(0)
    assert env.unwrapped.actions == []
    env.reset()
    assert env.has_reset is True
    assert env.step(0)[0] == 1


def test_render_needs_a_reset_and_the_error_names_the_way_out(counting):
    env = OrderEnforcing(counting(render_mode="rgb_array"))
    with pytest.raises(ResetNeeded, match="disable_render_order_enforcing"):
        env.render()
    env.reset()
    assert env.render().shape == (4, 6, 3)


def test_the_order_of_render_can_be_left_free(counting):
    env = OrderEnforcing(counting(render_mode="rgb_array"), disable_render_order_enforcing=True)
    assert env.render().shape == (4, 6, 3)
    with pytest.raises(ResetNeeded):
        env.step(0)


def test_a_failed_reset_is_none(counting):
    env = OrderEnforcing(counting())
    with pytest.raises(Exception, match="seed"):
        env.reset(seed=-1)
    assert not env.has_reset


def test_spec_has_a_field_for_it(counting):
    spec = OrderEnforcing(counting()).spec
    assert spec.order_enforce is True
    assert spec.additional_wrappers == ()


def test_spec_does_not_lose_the_argument(counting):
    spec = OrderEnforcing(counting(), disable_render_order_enforcing=True).spec
    assert spec.order_enforce is False
    (wrapper,) = spec.additional_wrappers
    assert wrapper.entry_point == "gymnasium.wrappers.common:OrderEnforcing"
    assert wrapper.kwargs == {"disable_render_order_enforcing": True}
