"""Subclasses that override methods which nothing here calls."""

from __future__ import annotations

import warnings

import pytest

from gymnasium.core import Env
from gymnasium.envs.box2d.bipedal_walker import BipedalWalker
from gymnasium.envs.box2d.car_racing import CarRacing
from gymnasium.envs.classic_control.acrobot import AcrobotEnv
from gymnasium.envs.toy_text.frozen_lake import FrozenLakeEnv
from gymnasium.envs.toy_text.taxi import TaxiEnv

HOOKS = [
    (AcrobotEnv, "_dsdt"),
    (AcrobotEnv, "_terminal"),
    (BipedalWalker, "_generate_terrain"),
    (CarRacing, "_create_track"),
    (FrozenLakeEnv, "_render_gui"),
    (TaxiEnv, "_render_text"),
]


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
