"""The wrappers of `make` together: what a step through them costs, and that they can be copied."""

from __future__ import annotations

import copy
import pickle
import sys

import pytest

from gymnasium.core import Env, Wrapper
from gymnasium.spaces import Discrete
from gymnasium.wrappers import OrderEnforcing, PassiveEnvChecker, TimeLimit


class Free(Env):
    action_space = observation_space = Discrete(2)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return 0, {}

    def step(self, action):
        return int(self.np_random.integers(2)), 1.0, False, False, {}


@pytest.fixture
def stack():
    env = TimeLimit(OrderEnforcing(PassiveEnvChecker(Free())), 1000)
    env.reset(seed=1)
    env.step(0)
    env.step(0)
    return env


def test_a_layer_costs_one_call(stack):
    """Once the checks are done, a step enters each layer's `step`, and no other Python function of theirs."""
    called = []

    def note(frame, event, _):
        layer = frame.f_locals.get("self")
        if event == "call" and isinstance(layer, Wrapper):
            called.append((type(layer), frame.f_code.co_name))

    sys.setprofile(note)
    try:
        stack.step(0)
    finally:
        sys.setprofile(None)
    assert called == [(TimeLimit, "step"), (OrderEnforcing, "step"), (PassiveEnvChecker, "step")]


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_goes_on_by_itself(stack, copied):
    again = copied(stack)
    for _ in range(20):
        assert stack.step(0) == again.step(0)
    assert stack.unwrapped is not again.unwrapped
    assert str(again) == str(stack)


def test_a_step_set_on_a_class_is_used(stack, monkeypatch):
    monkeypatch.setattr(Free, "step", lambda self, action: (1, -1.0, True, False, {"patched": action}))
    assert stack.step(7) == (1, -1.0, True, False, {"patched": 7})
