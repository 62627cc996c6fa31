"""A step without branches gives what the step with branches gives, or raises."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from benchmarks.subjects.classes import PlainCartPole, PlainGridWorld
from gymnasium.functional.stream import Stream
from palaestra.language.plain.dynamics import PlainDynamics
from palaestra.runner.kernels.plan import IN_LANES
from tests.palaestra.language.plain.samples import with_code
from tests.plain_zoo.control import HillCarEnv, PoleEnv


def functions_of(kind: Any) -> tuple[PlainDynamics, dict[str, Any]]:
    """The dynamics of a class, and the functions of their plan."""
    dynamics = PlainDynamics(kind())
    return dynamics, dynamics.plan(dynamics.default_params).functions


def assert_same(kind: Any, steps: int = 200) -> None:
    """Run both steps from the same states."""
    dynamics, functions = functions_of(kind)
    streams = [Stream(np.random.PCG64(np.random.SeedSequence(3))) for _ in range(2)]
    params, space = dynamics.default_params, dynamics.action_space
    space.seed(3)
    first = dynamics.state_of(dynamics.model.env)
    state, _ = (functions["initial"](rng, params, first) for rng in streams)
    for _ in range(steps):
        action = space.sample()
        expected, came = (
            functions[name](state, action, rng, params)
            for name, rng in zip(("transition", IN_LANES), streams, strict=True)
        )
        assert np.allclose(came.observation, expected.observation, 1e-6)  # rounded where it is stored
        assert came._replace(observation=0) == expected._replace(observation=0)
        state = expected
        if state.terminated:
            state, _ = (functions["initial"](rng, params, state) for rng in streams)


@pytest.mark.parametrize("kind", [PlainCartPole, PoleEnv, HillCarEnv])
def test_classic_control(kind: Any) -> None:
    assert_same(kind)


@pytest.mark.parametrize(
    "act",
    [
        "if action == 0:\n    self.x += 1.5\nelif self.x > 3:\n    self.x = -self.x\nelse:\n    self.x *= 2.0",
        "self.x = min(self.x + 1.0, 7.5, 3.0 * action) if action else max(self.x, -2.0)",
        "self.x = float(np.clip(self.x + self.np_random.uniform(-1, 1), -0.5, 0.5)) % 0.3",
        "for k in range(3):\n    if k == action:\n        self.x += 0.25 * k\n    self.x = (self.x % 2.0) ** 2 + 0.1",
        "if self.x > 2 and not action == 1:\n    return np.array([0.0]), -1.0, True, False, info\nself.x += 1.0",
        "a, b = (self.x, 1.0) if action else (2.0, self.x)\nself.x = a - b / 3\ninfo['far'] = self.x > 1 or a > 2",
    ],
)
def test_statements(act: str) -> None:
    assert_same(_of_numbers(act))


def test_exceptions_of_any_environment_are_raised() -> None:
    dynamics, functions = functions_of(_of_numbers("if self.x > 500:\n    raise ValueError(action)\nself.x += 1.0"))
    rng, params = Stream(np.random.PCG64(0)), dynamics.default_params
    state = functions["initial"](rng, params, dynamics.state_of(dynamics.model.env))
    functions[IN_LANES](state, 0, rng, params)
    with pytest.raises(ValueError):
        functions[IN_LANES](state._replace(x=600.0), 0, rng, params)


@pytest.mark.parametrize(
    "act",
    [
        "while self.x < action:\n    self.x += 1.0",
        "if self.x > 0.5:\n    self.x = self.np_random.random()",
        "self.x += float(int(action) % 2)",
    ],
)
def test_what_branches_has_no_such_step(act: str) -> None:
    assert IN_LANES not in functions_of(_of_numbers(act))[1]


def test_arrays_have_no_such_step() -> None:
    assert IN_LANES not in functions_of(PlainGridWorld)[1]


def _of_numbers(act: str) -> Any:
    kind = with_code("pass", act)
    kind.reset = _reset
    return kind


def _reset(self: Any, *, seed: int | None = None, options: Any = None) -> Any:
    super(type(self), self).reset(seed=seed)
    self.x = self.np_random.random()
    return np.array([self.x]), {}
