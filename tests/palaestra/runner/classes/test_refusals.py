"""Refusals name the user's own code and true reasons; classes are read however they are laid out."""

from __future__ import annotations

import linecache
from typing import Any

import pytest

from palaestra.error import CannotCompile
from palaestra.runner.classes.vector_env import PlainVectorEnv
from tests.palaestra.runner.classes.test_law import names_of, verdict

MARGIN = """\
import numpy as np
import gymnasium as gym
class E(gym.Env):
\tobservation_space = gym.spaces.Box(-np.inf, np.inf, (1,), np.float64)
\taction_space = gym.spaces.Discrete(2)
\tdef reset(self, *, seed=None, options=None):
# a comment at the margin
\t\tsuper().reset(seed=seed)
\t\tself.x = 0.0
\t\treturn np.array([self.x]), {}
\tdef step(self, action):
\t\t'''A docstring
whose second line is at the margin.'''
    # four spaces, among tabs
\t\tself.x += \\
action
\t\treturn np.array([self.x]), 0.0, False, False, {}
"""


def _class_of(text: str, file: str) -> Any:
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    names: dict[str, Any] = {"__name__": "refusals_of_plain"}
    exec(compile(text, file, "exec", dont_inherit=True), names)
    return names["E"]


def test_a_class_is_read_however_it_is_laid_out() -> None:
    assert PlainVectorEnv(_class_of(MARGIN, "<margin>"), 2).step is not None


@pytest.mark.parametrize("later", ["np.float64(3.5)", "np.array(self.low * 2)"])
def test_an_array_without_axes_is_not_kept(later: str) -> None:
    kind = names_of(begin="self.low = np.array(1.5)", act=f"self.x += float(self.low)\nself.low = {later}")["E"]
    with pytest.raises(CannotCompile, match=r"self\.low\w* is an array without axes"):
        PlainVectorEnv(kind, 2)


@pytest.mark.parametrize("view", ["np.diag(self.m)", "np.broadcast_to(self.m[0], (2, 2))"])
def test_a_read_only_view_is_not_kept(view: str) -> None:
    begin = "self.m = np.eye(2)\nself.low = "
    with pytest.raises(CannotCompile, match=r"self\.low is a view that NumPy makes read-only"):
        PlainVectorEnv(names_of(begin=begin + view, act="self.x += self.low[0]")["E"], 2)
    assert (
        verdict(names_of(begin=f"{begin}{view}.copy()", act="self.low[0] += 1; self.x += self.low.sum()")["E"])
        == "equal"
    )


def test_a_file_that_changed_after_its_import_is_refused() -> None:
    kind = _class_of(MARGIN, "<changed>")
    text = MARGIN.replace("self.x = 0.0", "self.x = 1.0")
    linecache.cache["<changed>"] = len(text), None, text.splitlines(keepends=True), "<changed>"
    with pytest.raises(CannotCompile, match="has changed since it was imported: import it again"):
        PlainVectorEnv(kind, 2)


def _reason(**lines: str) -> Any:
    with pytest.raises(CannotCompile) as raised:
        PlainVectorEnv(names_of(**lines)["E"], 2).reset(seed=1)
    return raised.value.reasons[0]


def test_reasons_hide_what_the_environment_variables_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKEN", "a secret")
    texts = ("os.environ[self.t]", "self.copy @ self.x", "self.token @ self.x", "self.x.real[self.token]")
    for text in texts:
        made = "import os\nself.copy, self.token = dict(os.environ), os.environ['TOKEN']"
        reason = _reason(before="import os", made=made, act=f"if self.t > 900: self.x += {text}")
        assert "secret" not in str(reason)
        assert "TOKEN" not in reason.reason


def test_reasons_show_the_code_of_the_class() -> None:
    helper = "def place(self):\n    self.t += 1\n    return self.t % 3"
    found = _reason(body=helper, begin="self.g = [0.0] * 3", act="if self.t > 900: self.g[self.place()] += 'x'")
    assert "self.place()" in found.expression
    assert "_t" not in found.expression


def test_an_attribute_of_two_dtypes() -> None:
    act = "if self.t > 3: self.arr = np.array([1, 2, 3])\nself.x += (self.arr * 2)[0]"
    assert verdict(names_of(begin="self.arr = np.array([1.0, 2.0, 3.0])", act=act)["E"]) == "equal"


def test_a_negated_minimum() -> None:
    assert verdict(names_of(act="self.x += -min(self.x - 100, 0)")["E"]) == "equal"


ELSE = "for i in range(3):\n    if i == self.t - 251:\n        r = -1.0\n        break\nelse:\n    r = 1.0\nself.x += r"
BROKEN = """\
k = 0
while k < 9:
    k += 1
    if k > self.t:
        r, q = 2.0, 1.0
        break
else:
    r = 5.0
self.x += r"""


@pytest.mark.parametrize("act", [ELSE, BROKEN, ELSE.replace("-1.0", "-1")])
def test_a_variable_of_both_ways_out_of_a_loop(act: str) -> None:
    assert verdict(names_of(act=act)["E"]) == "equal"


def test_a_variable_of_one_way_out_of_a_loop() -> None:
    act = ELSE.replace("    r = 1.0", "    q = 1.0").replace("self.x += r", "if self.t > 900: self.x += r")
    assert verdict(names_of(act=act)["E"]) == "equal"


@pytest.mark.parametrize(
    "act",
    [
        "if DEBUG:\n    print(self.x)",
        "if self.render_mode == 'human':\n    self.render()",
        "if self.verbose:\n    print(self.x)",
    ],
)
def test_branches_that_never_run_are_not_refused(act: str) -> None:
    lines = {"before": "DEBUG = False", "body": "verbose = False\ndef render(self): print(self.x)"}
    assert verdict(names_of(**lines, act=act)["E"]) == "equal"


COUNTED = "class P:\n    n = 0\n    def __init__(self):\n        P.n += 1\n        self.n = P.n"
TAKEN = "k = itertools.count()\nclass P:\n    def __init__(self): self.n = next(k)"
PASSED = "class P:\n    def __init__(self, n): self.n = n"
SHARED = "keep it in an attribute of the environment, and pass it to what is made with it"


@pytest.mark.parametrize(
    ("before", "act", "expression", "reason", "instead"),
    [
        (COUNTED, "self.x += P().n", "P.n += 1", "P.n is assigned, which all environments share", SHARED),
        (
            TAKEN,
            "self.x += P().n",
            "next(k)",
            "the next item of a count is taken, which all environments share",
            SHARED,
        ),
        ("", "self.words.append(f'{self.t}')", "", "a list of a constant str gets a text", "keep its parts, and write"),
    ],
)
def test_reasons_are_true_of_what_is_written(before: str, act: str, expression: str, reason: str, instead: str) -> None:
    made, begin = "self.d = {1: 2.0}", "self.words = ['a']"
    found = _reason(before=before, made=made, begin=begin, act=act)
    assert found.expression.startswith(expression)
    assert found.reason.startswith(reason)
    assert found.instead.startswith(instead)


@pytest.mark.parametrize(
    ("before", "act"),
    [
        (PASSED, "self.n += 1\nself.x += P(self.n).n"),
        ("", "self.words.append(('t', self.t))\nself.x += self.words[-1][1]"),
    ],
)
def test_a_remedy_that_is_followed_compiles(before: str, act: str) -> None:
    make = names_of(before=before, begin="self.n, self.words = 0, [('a', 0)]", act=act)["E"]
    assert verdict(make) == "equal"


def test_names_for_the_items_of_none_raise_where_they_would_in_python() -> None:
    begin = "if self.n > 0:\n    r, c = self.pos\n    self.x += r\nself.n += 1\nself.pos = (1.0, 2.0)"
    make = names_of(made="self.pos, self.n = None, 0", begin=begin, act="self.x += self.pos[1]")["E"]
    assert verdict(make) == "equal"
