"""Python's and NumPy's shorter forms give what they give in Python."""

from __future__ import annotations

import numpy as np
import pytest

from palaestra.error import CannotCompile
from palaestra.runner.classes.copies import Copies
from palaestra.runner.classes.dynamics import ClassDynamics
from palaestra.runner.classes.vector_env import PlainVectorEnv
from tests.palaestra.runner.classes.samples import assert_same, with_code


@pytest.mark.parametrize(
    "act",
    [
        "self.x = self.x and self.np_random.random() or 0.5 + action",
        "k = action or 7\nself.x += k and -k",
        "self.x = sorted([3.5, self.x, -self.x])[1] + sorted((action, 2, 1), reverse=True)[0] + round(int(action), 3)",
        "self.x = round(self.np_random.normal(0, 1000), 2) + round(self.np_random.random() - 0.5, 1) + round(0.5, 0)",
        "self.x = round(0.5 * (action - 1) + 0.005, 2) + round(2.675, 2) - round(-0.004, 2) + round(1e17, 3)",
        "v = self.np_random.normal(0, 9, 3)\nself.x = float(np.round(v[0], 2)) + np.around(v, 1)[1] + v.round()[2]",
        "self.x = np.linspace(0, 1, 5)[action + 1] + np.arange(0, 1, 0.25)[2]",
        "if int(action) in {0, 2}:\n    self.x += 1\nfor i, v in enumerate(self.b, 2):\n    self.x += i * v",
        "match int(action):\n    case 0:\n        self.x += 1\n    case 1 | 5 if self.x > 0:\n        self.x += 2",
        "match action:\n    case 0:\n        self.x += 1\n    case _:\n        self.x -= 1",
        "v = self.np_random.random(9)\nself.x = np.std(v) + np.var(v) + self.np_random.random((3, 4)).std()",
        "self.x = np.tile(self.b, 2)[4] + np.repeat(np.arange(3), 2)[4]",
        "self.x = float(np.isclose(self.x, 0.5)) + 2 * np.allclose(self.b, 1.0) + 4 * np.allclose(self.a, self.b)",
        "self.x = self.b[None, :][0, 1] + self.b[:, None].sum() + np.expand_dims(self.b, 0).squeeze()[1]",
        "self.x = self.np_random.exponential(2.0) + self.np_random.exponential(0.5, 3)[action]",
        "self.x = self.np_random.standard_exponential() - self.np_random.exponential(scale=abs(self.x) + 0.1)",
        "m = self.np_random.random((3, 4))\nself.x = m.sum(axis=0)[action] + m.mean(axis=-1)[0] - np.max(m, axis=1)[2]",
        "m = np.arange(12).reshape(3, 4)\nself.x = 0.5 * m.sum(axis=1)[action] + m.mean(0)[1] + m.argmax(axis=0)[2]",
        "self.x = float(action in {self.x, 2})",
        "self.x += float(action in {1, 2}) + len({1, 1.0, 2})\nfor k in {5}:\n    self.x += k",
        "p = [1.0]\nq = p\nq += [2.0, action]\nq *= 2\nself.x = p[2] + len(p)",
        "for i, v in enumerate(range(action), int(action)):\n    self.x += i * 10 + v",
        "self.x = sum(v for v in self.b if v > self.x) + sum((i * j for i in range(action) for j in range(i)), 2)",
        "self.x = float(any(i > 1 for i in range(action + 1) if i != self.x) + 2 * all(v < 2 for v in range(action)))",
        "import copy\nb = copy.deepcopy(self.b)\nb[action] += 1\nself.b = b\nself.x = b.sum()",
        "info['close'] = self.a[0] < 1\ninfo['there'] = action in (0, 2)",
        "if (y := self.np_random.random()) > 0.5:\n    self.x = y",
        "v = self.np_random.random(7).astype(np.float32)\nself.x = float(np.sum(v ** 2)) + float(v[1:4].mean())",
        "m = self.np_random.random((3, 2)) - 0.5\nself.x = np.linalg.norm(m - self.b[:2], axis=1)[action]",
        "m = self.np_random.random((8, 3))\nself.x = np.linalg.norm(m, axis=0)[action] - np.linalg.norm(m, 2, 1)[3]",
        "x, y = ((0, 1), (-1, 0), (2, 3))[action]\nself.x = 0.5 + x - y",
        "new = []\nfor i in range(3):\n    new.append(np.sin(1.0) * self.b[i] + self.b[0] * self.b[i])\n"
        "self.x = float(sum(new))",
        "v = []\nfor _ in range(3):\n    p, q = self.np_random.uniform(-abs(self.x), abs(self.x), size=2)\n"
        "    v.append(np.array([p, q]))\nself.x = v[2][0] + v[0][1]",
        "p, q = (int(10 * v) for v in self.np_random.random(2))\nself.x = 0.5 * p - q",
        "self.x = np.append(self.np_random.random(6) * ~(np.arange(6) > 2), action)[2:].sum()",
    ],
)
def test_statements_in_a_step(act: str) -> None:
    assert_same(with_code("pass", act))


@pytest.mark.parametrize(
    ("begin", "act"),
    [
        ("self.m = np.arange(4.0).reshape(2, 2)", "self.m = self.m.T\nself.x = self.m[0, 1] * 10 + self.m[1, 0]"),
        ("self.m = np.arange(4.0).reshape(2, 2)", "self.x = self.m[0, 1]\nself.m = self.m[::-1]"),
        ("self.p = [0, 0]", "self.p[action % 2] += 0.5\nself.x = self.p[0] - self.p[1]"),
        ("self.p = [0, 1.5]", "self.p = [self.p[1], self.p[0]]\nself.x = self.p[0] + 0.5"),
        ("self.p = [0, 1.5]", "self.x = float(np.array(self.p)[0])"),
        ("self.p = [0, 1.5]", "self.p = [self.p[1], self.p[0]]\nself.x = -self.p[0]"),
    ],
)
def test_lists_of_ints_and_floats(begin: str, act: str) -> None:
    assert_same(with_code(begin, act))


@pytest.mark.parametrize(
    ("begin", "act", "reason"),
    [
        ("pass", "self.x = round(self.x, action)", "the number of digits must be known when the program is compiled"),
        ("pass", "s = {self.x, 1.0}\nself.x = list(s)[0] + 1.0", "an order of their hashes"),
    ],
)
def test_what_depends_on_more_is_refused(begin: str, act: str, reason: str) -> None:
    with pytest.raises(CannotCompile, match=reason):
        ClassDynamics(Copies(with_code(begin, act)()))


def test_a_text_that_is_no_number_raises_when_it_is_read() -> None:
    ours = PlainVectorEnv(with_code("pass", "self.x += float(self.x or action or 'none')"), 2, trial="off")
    ours.reset(seed=1)
    ours.step(np.array([2, 1]))
    ours.step(np.array([0, 0]))
    ours.reset(seed=1)
    with pytest.raises(ValueError, match="Environment 1"):
        ours.step(np.array([1, 0]))


@pytest.mark.parametrize(
    "act",
    [
        "z = enumerate(self.b)\nself.x = sum(i for i, v in z) + sum(i for i, v in z)",
        "z = zip(self.b, self.b)\nfor p, q in z:\n    break\nfor p, q in z:\n    self.x += p",
        "g = (k for k in range(3))\nself.x = float(sum(g) + sum(g))",
        "z = [reversed(self.b)]\nself.x = sum(z[0])",
        "def f(z):\n    return sum(z) + sum(z)\nself.x = f(reversed(self.b))",
        "for v in (self.x + k for k in range(3)):\n    self.x = v",
        "self.x = float(np.array(k for k in range(3)).ndim)",
        "self.x = float(np.array({'a': 1.0}.values()).ndim)",
    ],
)
def test_iterators_are_not_kept(act: str) -> None:
    """Their items can be read once, and are computed when they are."""
    with pytest.raises(CannotCompile, match=r"read only once|computes its items when|is more than run over"):
        ClassDynamics(Copies(with_code("pass", act)()))


def test_deep_copies_keep_what_is_one_object() -> None:
    act = """\
import copy
d = copy.deepcopy(self.d)
d['a'][0] += 1
d['b'][1] += action
self.x = d['a'][0] + self.d['a'][0] + d['b'].sum()
e = copy.copy(self.d)
e['a'][1] += 1
e['c'] = 4.0
self.x += self.d['a'][1] + len(self.d)
p = [1.0]
q = copy.deepcopy([p, p])
q[0][0] = 5.0
self.x += q[1][0] + p[0]"""
    assert_same(with_code("self.d = {'a': [1.0, 2.0], 'b': np.zeros(2)}", act))


def test_what_an_attribute_holds_before_the_first_reset() -> None:
    """It counts only if a reset, or a step before an assignment, may see it."""
    unseen = ClassDynamics(
        Copies(with_code("self.last = 0.5\nself.last = self.np_random.random()", "self.x = self.last")())
    )
    kind = with_code("self.first = self.x if self.first is None else self.first", "self.x += self.first")
    source = "self.first = None"
    assert unseen.described()[0]["last"] == "float"
    assert_same(_with_init(kind, source))
    assert ClassDynamics(Copies(_with_init(kind, source)())).described()[0]["first"] == "None or float"


def _with_init(kind: type, statement: str) -> type:
    class Begun(kind):  # type: ignore[misc, valid-type]
        def __init__(self) -> None:
            super().__init__()
            exec(statement, {"self": self})

    return Begun
