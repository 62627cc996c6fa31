"""Python's and NumPy's shorter forms give what they give in Python."""

from __future__ import annotations

import pytest

from palaestra.error import CannotCompile
from palaestra.language.plain.dynamics import PlainDynamics
from tests.palaestra.language.plain.samples import with_code
from tests.palaestra.language.plain.test_translation import assert_same


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
        "import copy\nb = copy.deepcopy(self.b)\nb[action] += 1\nself.b = b\nself.x = b.sum()",
        "info['close'] = self.a[0] < 1\ninfo['there'] = action in (0, 2)",
        "if (y := self.np_random.random()) > 0.5:\n    self.x = y",
        "v = self.np_random.random(7).astype(np.float32)\nself.x = float(np.sum(v ** 2)) + float(v[1:4].mean())",
        "m = self.np_random.random((3, 2)) - 0.5\nself.x = np.linalg.norm(m - self.b[:2], axis=1)[action]",
        "m = self.np_random.random((8, 3))\nself.x = np.linalg.norm(m, axis=0)[action] - np.linalg.norm(m, 2, 1)[3]",
        "x, y = ((0, 1), (-1, 0), (2, 3))[action]\nself.x = 0.5 + x - y",
        "p, q = (int(10 * v) for v in self.np_random.random(2))\nself.x = 0.5 * p - q",
        "self.x = np.append(self.np_random.random(6) * ~(np.arange(6) > 2), action)[2:].sum()",
    ],
)
def test_statements_in_a_step(act: str) -> None:
    assert_same(with_code("pass", act))


@pytest.mark.parametrize(
    ("begin", "act"),
    [
        ("self.p = [0, 0]", "self.p[action % 2] += 0.5\nself.x = self.p[0] - self.p[1]"),
        ("self.p = [0, 1.5]", "self.p = [self.p[1], self.p[0]]\nself.x = self.p[0] + 0.5"),
    ],
)
def test_lists_of_ints_and_floats(begin: str, act: str) -> None:
    assert_same(with_code(begin, act))


@pytest.mark.parametrize(
    ("begin", "act", "reason"),
    [
        ("self.p = [0, 1.5]", "self.x = float(np.array(self.p)[0])", "ints or floats"),
        ("self.p = [0, 1.5]", "self.x = -self.p[0]", "may be an int or a float"),
        ("pass", "self.x = round(self.x, action)", "known before anything runs"),
        ("pass", "self.x += float(self.x or action or 'none')", "several kinds"),
    ],
)
def test_what_depends_on_more_is_refused(begin: str, act: str, reason: str) -> None:
    with pytest.raises(CannotCompile, match=reason):
        PlainDynamics(with_code(begin, act)())


def test_what_an_attribute_holds_before_the_first_reset() -> None:
    """It counts only if a reset, or a step before an assignment, may see it."""
    unseen = PlainDynamics(with_code("self.last = 0.5\nself.last = self.np_random.random()", "self.x = self.last")())
    kind = with_code("self.first = self.x if self.first is None else self.first", "self.x += self.first")
    source = "self.first = None"
    assert unseen.described()[0]["last"] == "float"
    assert_same(_with_init(kind, source))
    assert PlainDynamics(_with_init(kind, source)()).described()[0]["first"] == "float, or None"


def _with_init(kind: type, statement: str) -> type:
    class Begun(kind):  # type: ignore[misc, valid-type]
        def __init__(self) -> None:
            super().__init__()
            exec(statement, {"self": self})

    return Begun
