"""Subclasses that override methods which nothing here calls."""

from __future__ import annotations

import warnings

import pytest

from gymnasium.core import Env
from gymnasium.envs.box2d.car_racing import CarRacing

HOOKS = [(CarRacing, "_render_indicators"), (CarRacing, "_render_road")]


@pytest.mark.parametrize(("base", "hook"), HOOKS)
def test_an_override_without_effect_is_warned_about(base: type[Env], hook: str) -> None:
    with pytest.warns(UserWarning, match=rf"Mine\.{hook} has no effect") as caught:
        type("Mine", (base,), {hook: lambda self, *args: None})
    assert len(caught) == 1


@pytest.mark.parametrize(("base", "hook"), HOOKS)
def test_a_class_with_a_step_of_its_own_may_call_it(base: type[Env], hook: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mine = type("Mine", (base,), {hook: lambda self, *args: None, "step": lambda self, action: None})
        type("Heir", (mine,), {hook: lambda self, *args: None})
