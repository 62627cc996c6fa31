"""Observations of several parts, and wrappers' errors, in machine code as in Python."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

import palaestra
from gymnasium.functional import FuncEnv, ops
from gymnasium.spaces import Box, Discrete, MultiBinary, Tuple
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import ClipReward, FlattenObservation, FrameStackObservation
from palaestra.policies import FuncPolicy, Random
from palaestra.rollouts import collecting, collectors
from palaestra.runner import CompiledVectorEnv
from tests.contracts.test_async_equality import same


class Walk(NamedTuple):
    x: float
    steps: int


class Walker(FuncEnv[Any, Any, Any, Any, Any, Any, Any]):
    """Observes numbers of several dtypes."""

    observation_space = Tuple(
        [Box(-9.0, 9.0, (2,), np.float32), Tuple([Discrete(40, start=-3), Box(-9.0, 9.0, (1,), np.float64)])]
    )
    action_space = Discrete(3)

    @staticmethod
    def initial(rng, params):
        return Walk(rng.uniform(-1.0, 1.0), 0)

    @staticmethod
    def transition(state, action, rng, params):
        return Walk(state.x + 0.25 * (action - 1) + 0.125 * rng.standard_normal(), state.steps + 1)

    @staticmethod
    def observation(state, rng, params):
        return (state.x, -state.x), (state.steps - 3, (state.x / 3.0,))

    @staticmethod
    def reward(state, action, next_state, rng, params):
        return next_state.x

    @staticmethod
    def terminal(state, rng, params):
        return abs(state.x) > 1.5


class Counted(Walker):
    """Observes its steps, which are more than its space knows."""

    observation_space = Discrete(5)

    @staticmethod
    def observation(state, rng, params):
        return state.steps


class Bits(Walker):
    """Has a part that no compiled policy reads."""

    observation_space = Tuple([Box(-9.0, 9.0, (2,), np.float64), MultiBinary(2)])

    @staticmethod
    def observation(state, rng, params):
        return (state.x, -state.x), (1, 0)


class Grids(Walker):
    """Has a part of two axes."""

    observation_space = Tuple([Box(-9.0, 9.0, (1, 2), np.float64), Discrete(2)])

    @staticmethod
    def observation(state, rng, params):
        return ((state.x, -state.x),), 1


class Extras(NamedTuple):
    push: float
    half: int


class Back(FuncPolicy[None]):
    @staticmethod
    def act(params, observation, rng):
        (x, minus), (steps, (third,)) = observation
        push = 2.0 * third + 0.3 * rng.standard_normal() - minus
        return ops.where(push > 0.5, 0, ops.where(push < -0.5, 2, 1)), Extras(push + x, steps // 2)


class Broken(FuncPolicy[None]):
    @staticmethod
    def act(params, observation, rng):
        return int(1.0 / (observation[1][0] - 4)) * 0


def walkers(n: int, mode: AutoresetMode) -> CompiledVectorEnv:
    return CompiledVectorEnv(Walker(), n, max_episode_steps=9, autoreset_mode=mode)


def rollouts(envs: Any, policy: Any, monkeypatch: Any, plain: bool) -> tuple[Any, ...]:
    with monkeypatch.context() as patch:
        if plain:
            patch.setattr(collecting, "COLLECTORS", collectors.COLLECTORS[-1:])
        first = palaestra.rollout(envs, policy, 25, start=envs.reset(seed=1)[0], explain=not plain)
        then = palaestra.rollout(envs, policy, 15, start=first)
    return first, then, envs.step(then.actions[-1])[:4]


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("n", [3, 20])
def test_a_policy_observes_the_parts_as_in_python(n, mode, monkeypatch, capsys):
    """Nested tuples of ints and floats, of arrays of other dtypes."""
    made = (ClipReward(walkers(n, mode), 0.0, 1.0) for _ in range(2))
    machine, python = (
        rollouts(envs, Back(), monkeypatch, plain) for plain, envs in zip((False, True), made, strict=True)
    )
    assert capsys.readouterr().out == "rollout: machine code\n"
    assert same(machine, python)
    assert len(machine[0].episodes.steps)


@pytest.mark.parametrize("plain", [False, True])
def test_a_policy_of_parts_raises_as_in_python(plain, monkeypatch):
    with pytest.raises(ZeroDivisionError):
        rollouts(CompiledVectorEnv(Walker(), 9), Broken(), monkeypatch, plain)


@pytest.mark.parametrize(
    ("dynamics", "reason"), [(Bits, "parts of other dtypes than int64"), (Grids, "cannot read Box")]
)
def test_python_reads_other_parts(dynamics, reason, capsys):
    palaestra.rollout(CompiledVectorEnv(dynamics(), 3), Random(Discrete(3)), 4, explain=True)
    told = capsys.readouterr().out
    assert told.startswith("rollout: plain loop; not machine code, since ")
    assert reason in told


@pytest.mark.parametrize(
    ("wrap", "reason"),
    [
        (lambda envs: FrameStackObservation(envs, 2), "gets observations of several parts"),
        (FlattenObservation, "FlattenObservation makes float64 of Box"),
    ],
)
def test_python_wraps_other_parts(wrap, reason, capsys):
    palaestra.rollout(wrap(CompiledVectorEnv(Walker(), 3)), Random(Discrete(3)), 4, explain=True)
    assert reason in capsys.readouterr().out


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("mode", AutoresetMode)
def test_an_observation_outside_its_space_cannot_be_flattened(mode, plain, monkeypatch):
    envs = FlattenObservation(CompiledVectorEnv(Counted(), 9, autoreset_mode=mode))
    with pytest.raises(ValueError, match=r"Only values of Discrete\(5\) have one-hot vectors"):
        rollouts(envs, Random(Discrete(3)), monkeypatch, plain)
