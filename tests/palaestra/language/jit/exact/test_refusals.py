"""What is not known to compute as Python does is refused, with function, line, reason and what to write instead."""

from __future__ import annotations

import builtins
import enum
import re
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest

from tests.palaestra.language.jit.exact.law import compiled_of, function_of, refusal


class State(NamedTuple):
    x: float
    n: int
    on: bool
    v: Any
    m: Any

    @property
    def total(self):
        return self.x + self.n


class Sides(enum.IntFlag):
    LEFT = 1
    RIGHT = 2


class Params(NamedTuple):
    single: np.float32 = np.float32(0.5)
    singles: Any = np.array([0.5, 1.5], np.float32)
    bytes: Any = np.array([1, 2, 3], np.int8)
    words: Any = np.array([1, 2], np.uint64)
    weights: Any = np.array([1.0, 2.0, 3.0])
    mixed: tuple[int, float] = (1, 2.0)


def recursive(n):
    return 1 if n <= 1 else n * recursive(n - 1)


def either(flag):
    return 1 if flag else 0.5


def increased(x):
    return x + 1.0


def only_named(x, *, gain):
    return x * gain


LIST, DICT, NUMBERS = [1.0, 2.0], {1: 2.0, 2: 3}, {1: 2.0}
NAMES = {
    "State": State,
    "Sides": Sides,
    "Fraction": Fraction,
    "recursive": recursive,
    "either": either,
    "only_named": only_named,
    "LIST": LIST,
    "DICT": DICT,
    "NUMBERS": NUMBERS,
}


def frozen(array: Any) -> Any:
    array.setflags(write=False)
    return array


ARGUMENTS = (
    State(0.5, 2, True, frozen(np.array([1.0, 2.0, 3.0])), frozen(np.ones((2, 2)))),
    Params(*[frozen(value.copy()) if isinstance(value, np.ndarray) else value for value in Params()]),
)

EXPRESSIONS = [
    # bools
    ("s.on + s.on", "bools"),
    ("s.on - s.on", "bools"),
    ("s.on * (s.n > 1)", "bools"),
    ("-s.on", "bool"),
    ("~s.on", "bool"),
    ("abs(s.on)", "bool"),
    ("s.n > 1 and s.n", "bool on one path"),
    ("max(s.n > 1, s.x)", "int"),
    # short numbers
    ("p.bytes[0] + 1", r"int\(...\)"),
    ("p.bytes[0] * p.bytes[1]", r"int\(...\)"),
    ("-p.bytes[0]", r"int\(...\)"),
    ("p.bytes.mean()", "astype"),
    ("p.bytes + 1.0", "astype"),
    ("p.words + 1", "astype"),
    ("p.words[0] + 1", r"int\(...\)"),
    ("p.single * 2.0", r"float\(...\)"),
    ("p.single + s.x", r"float\(...\)"),
    ("p.single > 0.1", r"float\(...\)"),
    ("p.singles * 0.1", "astype"),
    ("np.sum(p.singles)", "astype"),
    ("np.exp(p.singles)", "astype"),
    ("s.v.astype(np.int64)", "cuts"),
    ("np.int8(s.x)", r"int\(...\)"),
    # powers and rounding
    ("s.n ** -1", r"float\(...\)"),
    ("s.n ** s.n", r"float\(...\)"),
    ("s.n ** 70", "a power above 64"),
    ("2 ** s.n", r"float\(...\)"),
    ("np.power(s.n, 2)", r"float\(...\)"),
    ("round(s.x, 2)", "digits"),
    # ints or floats
    ("-(1 if s.on else 0.5)", "1.0 rather than 1"),
    ("s.n if s.on else s.x", "1.0 rather than 1"),
    ("State(0 if s.on else 0.5, s.n, s.on, s.v, s.m)", "1.0 rather than 1"),
    ("-either(s.on)", "1.0 rather than 1"),
    ("State(either(s.on), s.n, s.on, s.v, s.m)", "1.0 rather than 1"),
    ("[1, 0.5][s.n % 2]", "1.0 rather than 1"),
    ("[s.on, 1]", "one type"),
    # texts, sets and tuples
    ("float(f'{s.x}')", "a text is no number"),
    ("1.0 if s.n in {1, 2} else 0.0", "a set is not supported: write a tuple"),
    ("(s.x, s.n) == (0.5, 2)", "two tuples are compared only"),
    # functions
    ("hash(s.n)", "hash"),
    ("np.sort(s.v)", "write a loop"),
    ("sum((s.x, 1.0))", "a loop, or np.sum"),
    ("pow(s.n, 2)", "pow"),
    ("sorted(s.v)", "sorted"),
    ("math.gamma(s.x)", "gamma"),
    ("math.hypot(s.x, 1.0)", "math.sqrt"),
    ("np.std(s.v)", "std"),
    ("np.sum(s.m[:, ::-1], axis=0)", "along an axis"),
    ("np.sum(s.m, axis=0, keepdims=True)", "keepdims"),
    ("s.m[s.m > 0.0]", "mask"),
    ("np.round(s.v, s.n)", "literal digits"),
    ("s.v ** s.x", "loop"),
    ("s.v ** -1", "loop"),
    ("np.median(s.v)", "median"),
    ("np.linalg.norm(s.v, 1)", "norm"),
    ("np.dot(s.m, s.m)", "a @ b"),
    ("np.dot((s.x, 1.0), (1.0, s.x))", "np.array"),
    ("(np.array([1, 2]) @ np.array([3, s.n]))", r"astype\(np\.float64\)"),
    ("np.cumsum(s.v)[0]", "write a loop"),
    ("s.v + (s.x, 1.0, 2.0)", "np.array"),
    ("(s.x, s.n) in ((0.5, 2), (1.0, 2))", "their parts"),
    ("s.x in (0.5, 1.0)", "write x == 0.5"),
    ("s.n in (0, True)", "write x == 0"),
    ("s.total", "a function of the module"),
    ("Sides.LEFT | Sides.RIGHT", "Flag"),
    ("np.where(s.v > 0.0)", "flatnonzero"),
    ("np.tile(s.v, 2)", "concatenate"),
    ("s.v[[0, 2]]", r"np\.array"),
    ("math.isclose(s.x, 1.0)", "tolerance"),
    ("math.log(s.x, p.single)", "float"),
    ("any((s.on, s.on))", "np.any"),
    ("p.mixed[s.n - 1]", "literal ind"),
    ("only_named(s.x, gain=2.0)", "keyword-only"),
    ("s.v.astype(int)", "cuts"),
    ("np.random.random()", "draw from rng"),
    ("np.no_such_function(s.v)", "no attribute 'no_such_function'"),
    ("math.no_such_function(s.x)", "no attribute 'no_such_function'"),
    ("np.empty(3)", r"np\.zeros,"),
    ("np.empty_like(s.v)", r"np\.zeros_like,"),
    ("np.random.normal(0.0, 1.0)", "normal"),
    ("np.sort(s.v)", "float64"),
    ("max(s.m)", "one kind"),
    ("max(p.mixed)", "one kind"),
    ("max(1, 2, key=abs)", "`key=`"),
    ("max([s.x, s.n]) // 2", "may be an int or a float"),
    ("min([max(0, s.x), s.x]) // 2", "may be an int or a float"),
    ("sum((s.x, 1.0), 2.0)", "sum"),
    ("len('word') + len(str(s.n))", "str"),
    ("getattr(s, 'x')", "getattr"),
    ("hasattr(s, 'x')", "hasattr"),
    ("s.x + isinstance(s.on, int)", "isinstance"),
    ("s._replace()", "_replace"),
    ("s._replace(x=0 if s.on else 0.5)", "1.0 rather than 1"),
    ("s.v is s.v", "no meaning|NumPy"),
    ("s.n is s.n", "no meaning"),
    # arguments by name
    ("np.sum(a=s.v)", "`a`"),
    ("np.zeros(3, dtype='f8')", "dtype"),
    ("np.clip(s.v, a_min=0.0, a_max=1.0)", "a_min"),
    ("ops.clip(s.x, low=0.0, high=1.0)", "`low`"),
    # memory orders that NumPy chooses
    ("np.sum(s.m.T)", "order"),
    ("np.sum(s.m.T + 1.0)", "order"),
    ("np.exp(s.m.T)", "order"),
    ("np.sum(np.zeros_like(s.m.T))", "order"),
    # lists, globals, recursion
    ("LIST[0]", "global list"),
    ("DICT[s.n]", "literal key"),
    ("NUMBERS.get(1)", "dict"),
    ("[1.0] * 3", "no meaning"),
    ("[1.0] + [2.0]", "no meaning"),
    ("{1: 2.0}[1]", "not supported"),
    ("s.n in {1, 2}", "not supported"),
    ("s.x.real", "real"),
    ("2j * s.x", "complex"),
    ("s == s", "State"),
    ("s.n + 18446744073709551615", "64 bits"),
]


@pytest.mark.parametrize(("expression", "word"), EXPRESSIONS, ids=[expression for expression, _ in EXPRESSIONS])
def test_an_expression(expression: str, word: str) -> None:
    function = function_of(f"def dynamics(s, p):\n    return {expression}\n", "dynamics", **NAMES)
    assert_told(refusal(function, *ARGUMENTS), word, 2)


BODIES = [
    ("s.v[0] = 1.0  # here", "copy"),
    ("p.weights[0] = 1.0  # here", "copy"),
    ("s.m[0][1] += 1.0  # here", "copy"),
    ("a = s.v.ravel()\na[0] = 1.0  # here", "copy"),
    ("a = s.m.T\na[0, 0] = 1.0  # here", "copy"),
    ("a = np.asarray(s.v)\na[0] = 1.0  # here", "copy"),
    ("s.v.fill(0.0)  # here", "copy"),
    ("s.v.sort()  # here", "sort"),
    ("a = s.v.copy()\nb = a\na += b  # here", "copy"),
    ("a = s.v\na += 1.0  # here", "read-only"),
    ("a = s.v.copy()\na += (1.0, 2.0, 3.0)  # here", "np.array"),
    ("a = p.bytes.copy()\na += 1  # here", "astype"),
    ("a = s.m.copy()\na += a.T  # here", "copy"),
    ("a = s.v.copy()\na[a > 0.0] = a[::-1][:2]  # here", "copy"),
    ("a = [1, 2]\na.pop()  # here", "pop"),
    ("a = np.zeros(3, np.int64)\na[0] = s.x  # here", r"int\(...\)"),
    ("a = np.zeros(3, np.int8)\na[:] = np.ones(3)  # here", "astype"),
    ("a = [1.0]\na.append(1)  # here", "1.0 rather than 1"),
    ("a = [1.0, 2.0]\na[0] = 3.0  # here", "cannot be set"),
    ("a = 0\nfor k in range(3):\n    a = a + 0.5\nreturn -a  # here", "1.0 rather than 1"),
    ("a = s.n\nif s.on:\n    a = s.x\nreturn a  # here", "1.0 rather than 1"),
    ("a = None\nif s.on:\n    a = 1.0\nreturn a  # here", "None"),
    ("a = (1, 2.0)\nif s.on:\n    a = (1.0, 2.0)\nreturn a[0]  # here", "tuple|unify"),
    ("if s.on:\n    return 1.0\nreturn None  # here", "None"),
    ("for row in s.m:  # here\n    pass", "one axis"),
    ("print(s.x)  # here", "statement"),
    ("a = set()  # here", "set"),
    ("a = {0: 1.0}  # here", "a dict is not supported: write a tuple, or a dict of the module"),
    ("a = 1.0\nb = lambda x: x  # here", "a lambda"),
    ("a = 1.0\na = Fraction(s.n)  # here", "`Fraction` is not supported"),
    ("try:\n    a = 1.0 / s.x\nexcept ZeroDivisionError:  # here\n    a = 0.0", "try"),
    ("with np.errstate(all='ignore'):  # here\n    a = 1.0", "with"),
    ("for a in p.mixed:  # here\n    pass", "1.0 rather than 1"),
    ("a = s.x\ndel a  # here", "del"),
    ("return s if s.on else State(s.x, 0.5, s.on, s.v, s.m)  # here", "same types|unify"),
]


@pytest.mark.parametrize(("body", "word"), BODIES, ids=[body.replace("  # here", "") for body, _ in BODIES])
def test_statements(body: str, word: str) -> None:
    source = "".join(f"    {line}\n" for line in body.splitlines())
    function = function_of(f"def dynamics(s, p):\n{source}    return 1.0\n", "dynamics", **NAMES)
    line = 2 + next(k for k, text in enumerate(body.splitlines()) if "# here" in text)
    assert_told(refusal(function, *ARGUMENTS), word, line)


def assert_told(message: str, word: str, line: int) -> None:
    """The message names the function and the line, gives a reason, and says what runs everything."""
    assert re.search(word, message), message
    assert f"line {line} of" in message, message
    assert re.search(r"dynamics|recursive|either", message), message
    assert "SyncVectorEnv" in message


@pytest.mark.parametrize("source", ["async def dynamics(s, p):\n    return s.x", "def dynamics(s, p):\n    yield s.x"])
def test_a_function_that_is_suspended(source: str) -> None:
    assert_told(refusal(function_of(source, "dynamics"), *ARGUMENTS), "a generator or a coroutine", 1)


def test_recursion() -> None:
    message = refusal(function_of("def dynamics(s, p):\n    return recursive(s.n)\n", "dynamics", **NAMES), *ARGUMENTS)
    line = recursive.__code__.co_firstlineno + 1
    assert f"recursive, line {line} of" in message
    assert "test_refusals.py" in message


OWN = ["any", "all", "reversed", "isinstance", "hasattr", "getattr", "callable", "mark_try_block"]


@pytest.mark.parametrize("name", OWN)
def test_a_function_of_ones_own_may_be_called_like_a_refused_one(name: str) -> None:
    compiled = compiled_of(function_of(f"def dynamics(x):\n    return {name}(x)\n", "dynamics", **{name: increased}))
    assert compiled(1.5) == 2.5


@pytest.mark.parametrize("call", ["any(s.v)", "builtins.any(s.v)", "other(s.v)"])
def test_a_function_is_refused_by_any_name(call: str) -> None:
    names = {"builtins": builtins, "other": any}
    message = refusal(function_of(f"def dynamics(s, p):\n    return {call}\n", "dynamics", **names), *ARGUMENTS)
    assert_told(message, "`any` is not supported: write `or`, a loop, or np.any", 2)


UNREADABLE = [
    ("global G\n    G = 1", "state"),
    ("import math", "top of the module"),
    ("return undefined", "'undefined' is not defined"),
    ("match (s.n, s.on):\n        case (0, True):\n            return 2.0", "if and elif"),
    ("a, *b = s.v", "indices"),
]


@pytest.mark.parametrize(("source", "word"), UNREADABLE)
def test_statements_that_numba_cannot_read(source: str, word: str) -> None:
    message = refusal(function_of(f"def dynamics(s, p):\n    {source}\n    return 1.0\n", "dynamics"), *ARGUMENTS)
    assert word in message
    assert re.search("line [23] of", message)
    assert "SyncVectorEnv" in message


WITHOUT_A_LINE = [
    ("with open('a') as file:\n        pass", "`with`"),
    ("return BIG_ENDIAN[0]", "BIG_ENDIAN is an array of >f8"),
]


@pytest.mark.parametrize(("source", "word"), WITHOUT_A_LINE)
def test_what_numba_has_no_line_for(source: str, word: str) -> None:
    text = f"def dynamics(s, p):\n    {source}\n    return 1.0\n"
    assert word in refusal(function_of(text, "dynamics", BIG_ENDIAN=np.ones(2, ">f8")), *ARGUMENTS)


UNSET = [
    "if s.n > 5:\n        a = 1.5",
    "for k in range(s.n - 2):\n        a = 1.5",
    "i = s.n\n    while i > 5:\n        a = 1.5\n        i -= 1",
    "for a in range(s.n - 2):\n        pass",
]


@pytest.mark.parametrize("body", UNSET)
def test_a_variable_that_may_not_be_set(body: str) -> None:
    """Python raises UnboundLocalError: so must machine code, or refuse."""
    function = function_of(f"def dynamics(s, p):\n    {body}\n    return a * 1.0\n", "dynamics")
    try:
        message = refusal(function, *ARGUMENTS)
    except pytest.fail.Exception:
        message = ""
    except UnboundLocalError:
        return
    assert "SyncVectorEnv" in message
