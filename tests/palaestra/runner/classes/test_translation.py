"""Forms of statements and expressions in classes: machine code gives what the class gives."""

from __future__ import annotations

from typing import Any

import pytest

from gymnasium.functional import FuncEnv
from palaestra.error import CannotCompile
from palaestra.runner.classes.copies import Copies
from palaestra.runner.classes.dynamics import ClassDynamics
from palaestra.runner.classes.report import explain
from tests.palaestra.runner.classes.samples import CLASS, CounterEnv, assert_same, env_of, with_code


def test_a_class_with_many_forms() -> None:
    assert_same(CounterEnv)


@pytest.mark.parametrize(
    "act",
    [
        "a, b = self.pair()\nself.x = a - b".replace("self.pair()", "self.np_random.random(), self.np_random.random()"),
        "self.a[self.a < 2] += 1\nself.x = self.a.sum()",
        "self.a[[0, 2]] += 1.5\nself.x = self.a[2]",
        "for k in range(4):\n    if k == action:\n        break\nelse:\n    self.x += 100.0\nself.x += k",
        "m = None\nfor k in range(3):\n    if m is None or self.a[k] < m:\n        m = self.a[k]\nself.x = m",
        "cells = [(i, j) for i in range(3) for j in range(3) if i != j]\ni, j = cells[action]\nself.x = i * 10.0 + j",
        "self.x += sum(k for k in range(action + 1))\ninfo['x'] = self.x",
        "f = lambda x: x + action\nself.x = f(self.x) % 7",
        "def f(x):\n    return x + action\nself.x = f(self.x) % 5",
        "self.x = float(f'{len(self.b)}') + action",
        "total = 0\nfor v in self.b:\n    total += v\nself.x = total / 2",
        "order = np.arange(5)\nself.np_random.shuffle(order)\nself.x = float(order[action])",
        "self.x = float(self.np_random.choice(5, 3, replace=False)[action])",
        "while True:\n    self.x += 1.0\n    if self.x % 3 == action:\n        break",
        "self.x = 1.0 if any(v > 0 for v in self.b) and not self.a.any() else -1.0",
        "d = {'u': self.x, 'v': 2.0}\nd['u'] += d['v']\nself.x = d['u']",
        "self.x = float(np.clip(np.float32(self.x) + 0.1, -1, 1))",
        "self.b = np.roll(self.b * (action + 1.0), 1)[::-1].copy()\nself.x = self.b[0] % 7",
        "m = np.arange(9).reshape(3, 3)\nr = np.rot90(m, 3)\nr[0, 1] += 5\nself.x = m[0, 1] + 0.1 * r[2, 0]",
        "m = np.arange(6).reshape(2, 3)\nself.x = np.rot90(m)[0, 1] + 0.1 * np.rot90(m, -1)[2, 0] + 0.5",
        "m = np.arange(6).reshape(2, 3)\nself.x = np.flip(m)[0, 0] + 0.1 * np.fliplr(m)[1, 0] + 9 * np.flipud(m)[0, 0]",
        "m = np.pad(np.arange(6).reshape(2, 3), ((1, 0), (0, 2)), constant_values=7)\nself.x = 0.5 * m.sum() + m[1, 1]",
        "v, k = np.uint8(action), 0\nfor n in range(3):\n    k = v if n == action else k\nself.x = 2 ** int(k) + 0.5",
        "m = np.pad(self.b, 2)\nself.x = float(m.size) + m.sum()",
        "self.x = float(self.np_random.random(3, dtype=np.float32)[action] + self.np_random.random(dtype=np.float32))",
        "def_ = np.array([self.x])\nif 0 <= def_ < 0.5:\n    self.x += 0.7\nelse:\n    self.x -= 1.0",
        "assert self.action_space.contains(action), f'{action} of {type(action)}'\nself.x = float(action in (0, 2))",
    ],
)
def test_statements_in_a_step(act: str) -> None:
    assert_same(with_code("pass", act))


def test_helpers_take_any_number_of_arguments() -> None:
    methods = (
        "\n    def mixed(self, first, *others):\n        for one in others:\n            first = first * 0.5 + one"
    )
    kind = env_of(
        CLASS.replace("BEGIN", "pass").replace("ACT", "self.x = self.mixed(self.x, action, 2.5) + self.mixed(1.5)")
        + methods
        + "\n        return first + len(others)\n"
    )
    assert_same(kind)


@pytest.mark.parametrize(
    ("begin", "act", "reason"),
    [
        ("pass", "self.x = np.random.SeedSequence(3).entropy", "this of `np.random`"),
        ("pass", "import random\nself.x = random.SystemRandom().random()", "this of `random`"),
        ("pass", "import datetime\nself.x = float(datetime.datetime.now().hour)", "a clock is read"),
        ("pass", "self.x = np.random.Generator(np.random.PCG64(3)).random()", "this of `np.random`"),
        ("pass", "self.x = np.random.default_rng(3).bit_generator.random_raw()", "bit_generator of a Generator"),
        ("pass", "import random\nrandom.seed(2**64)\nself.x = random.random()", "more than 64 bits"),
        ("self.a = self.home", "self.a[action] += 1\nself.x = self.a[0]", "may be the same"),
        ("self.a = self.b", "self.b[action] += 1\nself.x = self.a[0]", "may be the same"),
        ("pass", "self.table[action] += 1\nself.x = self.table[0]", "a constant or read-only array is written"),
        ("pass", "open('x')", "outside"),
        ("pass", "info = {'t': self.np_random}", "the info 't'"),
        ("pass", "return np.array([self.x]), np.ones(2), False, False, {}", "the reward is an array of float64"),
        ("pass", "with np.errstate():\n    self.x = 1.0", "`with`"),
    ],
)
def test_what_is_refused_has_its_line_and_a_remedy(begin: str, act: str, reason: str) -> None:
    with pytest.raises(CannotCompile) as refused:
        ClassDynamics(Copies(with_code(begin, act)()))
    found = [one for one in refused.value.reasons if reason in one.reason]
    assert found, refused.value.reasons
    assert all(one.line > 0 and one.file and one.instead for one in refused.value.reasons)


def test_all_reasons_come_at_once() -> None:
    act = "self.b = np.fft.fft(self.b).real\nself.x = float(len(bytes(action)))\nself.x += np.fft.fft(self.b)[0].real"
    with pytest.raises(CannotCompile) as refused:
        ClassDynamics(Copies(with_code("pass", act)()))
    assert len({one.line for one in refused.value.reasons}) == 3


def test_an_outward_call_hides_no_other_reason() -> None:
    act = "self.log.append(action)\nprint(self.log)\nwith np.errstate():\n    self.x = 1.0"
    reasons = explain(with_code("self.log = []", act)).reasons
    assert [reason.reason.split()[-1] for reason in reasons] == ["length", "environment", "language"]
    assert len({reason.line for reason in reasons}) == 3


def test_nothing_of_a_class_that_prints_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert not explain(with_code("pass", "print('seen')")).compiles
    assert capsys.readouterr().out == ""


def test_explain_tells_state_and_constants() -> None:
    report = explain(CounterEnv, size=4)
    assert report.compiles
    assert set(report.state) == {"place", "last", "visits", "episodes"}
    assert report.constants["size"] == "4"
    assert report.state["last"] == "None or int"
    assert "def step(" in report.source
    assert "self.visits[self.place] += 1" in report.source


class Doubling(CounterEnv):
    def moved(self, step: int) -> bool:
        return super().moved(2 * step)


class Passing(Doubling):
    def moved(self, step: int) -> bool:
        return super(Doubling, self).moved(step)


class Naming(Doubling):
    def moved(self, step: int) -> bool:
        return super(Naming, self).moved(-step)  # noqa: UP008  # that is the form


class Own(Doubling):
    def moved(self, step: int) -> bool:
        return super(self.__class__, self).moved(step + 1) or super(type(self), self).moved(step)


@pytest.mark.parametrize("kind", [Passing, Naming, Own])
def test_super_with_a_class(kind: Any) -> None:
    """It looks behind the class that is named, not behind that of the method."""
    assert_same(kind)


@pytest.mark.parametrize("given", [CounterEnv(), FuncEnv])
def test_explain_refuses_what_makes_no_env(given: Any) -> None:
    with pytest.raises(TypeError, match=r"explain expects an id, or a class or function that makes an Env, but <"):
        explain(given)


def test_arrays_and_lists_are_copied_by_a_module_at_the_top() -> None:
    begin, act = "self.c = [1, 2, 3]", "b = copy.deepcopy(self.b)\nc = copy.copy(self.c)\nself.b[action] += c[action]"
    source = CLASS.replace("BEGIN", begin).replace("ACT", f"{act}\nself.x = b.sum()".replace("\n", "\n        "))
    assert_same(env_of(f"import copy\n{source}"))


def test_a_generator_of_a_module_is_refused_with_the_remedy() -> None:
    source = CLASS.replace("BEGIN", "pass")
    with pytest.raises(CannotCompile, match=r"is shared by all copies: draw from self\.np_random"):
        ClassDynamics(
            Copies(env_of(f"DICE = np.random.default_rng(1)\n{source.replace('ACT', 'self.x = DICE.random()')}")())
        )


def test_a_member_of_an_enum_may_change() -> None:
    kind = "class Side(enum.Enum):\n    A = 0\n    B = 1\n\n\n"
    act = "self.side = Side.B if self.side == Side.A else Side.A\n        self.x += 1.0 if self.side == Side.B else 0.5"
    source = f"import enum\n{kind}{CLASS.replace('BEGIN', 'self.side = Side.A').replace('ACT', act)}"
    assert_same(env_of(source))
    assert_same(env_of(source.replace("enum.Enum", "enum.IntEnum")))
