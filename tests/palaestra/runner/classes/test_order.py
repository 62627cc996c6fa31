"""What happens first in Python happens first in machine code, and what is one array there is no second here."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gymnasium.vector import SyncVectorEnv
from palaestra.error import CannotCompile
from palaestra.runner.classes.copies import Copies
from palaestra.runner.classes.dynamics import ClassDynamics
from palaestra.runner.classes.trial import first_difference
from palaestra.runner.classes.vector_env import PlainVectorEnv
from tests.palaestra.runner.classes.samples import assert_same, env_of

CLASS = """\
GRID = np.zeros(3)


class Base(gymnasium.Env):
    def __init__(self):
        self.observation_space = Box(-1e9, 1e9, (1,), np.float64)
        self.action_space = Discrete(3)
        self.x, self.t = 0.0, 0

    def draw(self):
        self.x = self.x * 0.5 + self.np_random.random()
        return self.x

    def index(self):
        self.t += 1
        return self.t % 3

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.x, self.t = self.np_random.random(), 0
        return np.array([self.x]), {}

    def step(self, action):
        return np.array([self.x]), self.x, False, False, {}


class E(Base):
"""


def with_methods(text: str) -> Any:
    """A class with these methods; `step:` and `reset:` begin the bodies of one."""
    head = {"step:": "    def step(self, action):", "reset:": "    def reset(self, *, seed=None, options=None):"}
    lines = [head.get(line, f"        {line}") for line in text.splitlines()]
    returned = "        return np.array([self.x]), self.x, False, False, {}" if "step:" in text else ""
    return env_of(CLASS + "\n".join(lines) + "\n" + returned + "\n")


@pytest.mark.parametrize(
    "text",
    [
        "step:\nv = [self.x, self.draw(), self.x]\nself.x = v[0] - 2 * v[1] + 3 * v[2]",
        "step:\nself.x = max(self.x, self.draw(), self.x) - (self.x, self.draw(), self.x)[0]",
        "step:\nif self.x < self.draw() < self.draw() and self.draw() > 0.5 or self.draw() < 0.1:\n    self.x += 1",
        "step:\nif 0.2 < self.np_random.random() < self.np_random.random():\n    self.x += 1",
        "step:\nd = {'a': self.draw(), 'b': self.x, **{'a': self.draw()}}\nself.x = d['a'] + 2 * d['b']",
        "step:\nself.x += (self.np_random.random(), self.np_random.random())[1]",
        "step:\nself.x = self.draw() if self.draw() > 0.5 else -self.draw()",
        "step:\nwhile self.np_random.random() < 0.4:\n    self.x += self.draw()",
        "step:\nk = 7\nv = [k * 2 for k in range(3)]\nself.x = k + v[2] + sum(k for k in range(4)) + 0.5 * k",
        "step:\nself.x = sum((self.x for k in range(3)), self.draw())",
        "step:\nself.x = max((self.x + k for k in range(2)), default=self.draw())",
        "step:\nk = 7\nself.x += k if any(k > 1 for k in range(action + 1)) else -k",
        "step:\na = np.zeros(3)\na[self.index()] = self.t\na[self.index()] += self.t\nself.x = a[1] + 10 * a[2] + 0.5",
        "step:\na, s = np.ones(3), 0.0\nfor v in a:\n    a = a * 2\n    s += v + a[1]\nself.x = s",
        "step:\ns = 0.0\nfor v in (self.x, self.t):\n    self.t += 1\n    s += v\nself.x = s * 0.5",
        "step:\ns = 0\nfor i, j in enumerate(range(self.t % 3, 5)):\n    self.t += 1\n    s += i * j\nself.x = s * 0.5",
    ],
)
def test_the_order_of_the_source(text: str) -> None:
    assert_same(with_methods(text))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "reset:\nself.x = self.np_random.random()\nreturn super().reset(seed=seed)",
            "before the environment is seeded",
        ),
        ("reset:\nsuper().reset(seed=seed)\nreturn super().reset(seed=seed)", "before the environment is seeded"),
        (
            "reset:\nif self.x > 0.5:\n    super().reset(seed=seed)\nreturn np.array([self.draw()]), {}",
            "some resets",
        ),
        (
            "reset:\nif self.x > 0.5:\n    return np.array([self.draw()]), {}\nreturn super().reset(seed=seed)",
            "some resets|draws before",
        ),
        ("reset:\nif self.t > 3:\n    super().reset(seed=seed)\nreturn np.array([self.draw()]), {}", "does not seed"),
        ("step:\ng = (self.x + k for k in range(3))\nself.x = 1.0\nself.x = sum(g)", "when they are read"),
    ],
)
def test_another_order_is_refused(text: str, reason: str) -> None:
    with pytest.raises(CannotCompile, match=reason):
        ClassDynamics(Copies(with_methods(text)()))


def with_attributes(init: str, act: str) -> Any:
    """A class whose `__init__` and `step` do this."""
    lines = [f"        {line}" for line in init.splitlines()]
    begin = "    def __init__(self):\n        super().__init__()\n" + "\n".join(lines)
    step = "    def step(self, action):\n" + "\n".join(f"        {line}" for line in act.splitlines())
    return env_of(CLASS + begin + "\n" + step + "\n        return np.array([self.x]), self.x, False, False, {}\n")


@pytest.mark.parametrize(
    ("init", "act", "reason"),
    [
        ("self.a = np.zeros(3)\nself.b = self.a", "self.a[action] += 1\nself.x = self.b[0]", "may be the same"),
        (
            "self.a = np.zeros((3, 3))\nself.b = self.a[1]",
            "self.b[action] += 1\nself.x = self.a[1, 0]",
            "may be the same",
        ),
        (
            "self.a = np.zeros(3)\nself.b = {'a': self.a}",
            "self.a[action] += 1\nself.x = self.b['a'][0]",
            "may be the same",
        ),
        ("self.a = np.zeros(3)\nself.o = [self.a]", "self.o[0][action] += 1\nself.x = self.a[0]", "may be the same"),
        ("r = np.zeros(2)\nself.a = (r, r[1:])", "self.a[0][1] += 1\nself.x = self.a[1][0]", "holds one thing twice"),
        ("self.a = GRID", "self.a[action] += 1\nself.x = self.a[0]", "the same in all environments"),
        ("self.a = [GRID]", "self.a[0][action] += 1\nself.x = self.a[0][0]", "the same in all environments"),
        ("self.a = {'g': GRID}", "self.a['g'][action] += 1\nself.x = self.a['g'][0]", "the same in all environments"),
        ("self.a = GRID[1:]", "self.a[action % 2] += 1\nself.x = self.a[0]", "the same in all environments"),
    ],
)
def test_arrays_with_two_owners_are_not_written_into(init: str, act: str, reason: str) -> None:
    kind = with_attributes(init, act)
    with pytest.raises(CannotCompile, match=reason):
        ClassDynamics(Copies(kind(), (kind(),)))


@pytest.mark.parametrize(
    ("init", "act"),
    [
        ("self.a = [0, 0, 0]\nself.b = self.a", "self.a[action] += 1\nself.x += self.b[0]"),
        ("self.a = {'v': 0}\nself.b = self.a", "self.a['v'] += 1\nself.x += self.b['v']"),
        ("r = [0.0]\nself.a = [r, r]", "self.a[0][0] += 1\nself.x = self.a[1][0]"),
        ("self.a = [[0.0]] * 2", "self.a[0][0] += 1\nself.x = self.a[1][0]"),
    ],
)
def test_a_list_with_two_owners_is_one(init: str, act: str) -> None:
    kind = with_attributes(init, act)
    ours, sync = PlainVectorEnv(kind, 3, trial="off"), SyncVectorEnv([kind] * 3)
    assert not first_difference("reset", sync.reset(seed=1), ours.reset(seed=1), None)
    for k in range(4):
        actions = np.array([0, 1, k % 2])
        assert not first_difference(f"step {k}", sync.step(actions), ours.step(actions), None)
    assert not first_difference("reset", sync.reset(), ours.reset(), None)
    assert not first_difference("step", sync.step(actions), ours.step(actions), None)


@pytest.mark.parametrize(
    "begin",
    [
        *("self.a = GRID", "self.a = GRID[:]", "self.a = type(self).table", "self.a = np.asarray(self.table)"),
        *("self.a = (GRID, 1)[0]", "self.a = LIST", "self.a = self.kept()"),
    ],
)
def test_what_belongs_to_the_class_or_the_module_is_not_written_into(begin: str) -> None:
    """It is one for all environments."""
    lines = "\n        ".join(begin.splitlines())
    kind = env_of(
        f"""{CLASS}    table = np.zeros(3)
    def kept(self, made=[0.0, 0.0, 0.0]):
        return made
    def reset(self, *, seed=None, options=None):
        {lines}
        return super().reset(seed=seed)
    def step(self, action):
        self.a[action] += 1
        return np.array([self.x]), self.x, False, False, {{}}

LIST = [0.0, 0.0, 0.0]
"""
    )
    with pytest.raises(CannotCompile, match="is changed, and may be the same in all environments"):
        ClassDynamics(Copies(kind()))


@pytest.mark.parametrize(
    ("init", "act"),
    [
        ("self.a = {'g': GRID, 'n': 0}", "self.a['n'] += 1\nself.x = self.a['n'] + self.a['g'][0]"),
        ("self.a = GRID", "self.a = self.a + 1\nself.x = self.a[0]"),
        (
            "self.a = self.b = np.zeros(3)",
            "self.a = self.a.copy()\nself.a[action] += 1\nself.x = self.a[0] + self.b[0]",
        ),
        ("self.a = np.arange(3.0)\nself.b = np.sin(self.a)", "self.b[action] += 1\nself.x = self.a[2] + self.b[0]"),
    ],
)
def test_what_is_not_shared_may_be_changed(init: str, act: str) -> None:
    assert_same(with_attributes(init, act))


def test_arrays_with_two_owners_may_be_read() -> None:
    assert_same(with_attributes("self.a = GRID + 0.5\nself.b = self.a", "self.x = self.a[action] + self.b[0]"))
    assert_same(with_attributes("self.a = np.zeros(3)\nself.b = self.a", "self.a = self.b + 1\nself.x = self.a[0]"))
