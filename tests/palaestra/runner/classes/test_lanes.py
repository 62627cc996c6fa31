"""Eight environments at a time give what one at a time gives, or raise."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from benchmarks.subjects.classes import PlainCartPole
from palaestra.runner.classes.vector_env import PlainVectorEnv
from tests.palaestra.runner.classes.samples import assert_same, with_code
from tests.plain_zoo.control import HillCarEnv, PoleEnv

N = 11  # eight of them together, and three


@pytest.mark.parametrize("kind", [PlainCartPole, PoleEnv, HillCarEnv])
def test_classic_control(kind: Any) -> None:
    assert_same(kind, n=N)


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
    assert_same(_of_numbers(act), n=N)


def test_an_exception_is_that_of_its_environment() -> None:
    kind = _of_numbers("self.x += 1.0\nif self.x > 200.5 + action:\n    raise ValueError(action)")
    envs = PlainVectorEnv(kind, N, trial="off")
    envs.reset(seed=3)
    actions = np.full(N, 2)
    actions[5] = 0
    with pytest.raises(ValueError) as raised:
        for _ in range(210):
            envs.step(actions)
    assert any("Environment 5 raised" in note for note in raised.value.__notes__)
    envs.close()


def _of_numbers(act: str) -> Any:
    kind = with_code("pass", act)
    kind.reset = _reset
    return kind


def _reset(self: Any, *, seed: int | None = None, options: Any = None) -> Any:
    super(type(self), self).reset(seed=seed)
    self.x = self.np_random.random()
    return np.array([self.x]), {}
