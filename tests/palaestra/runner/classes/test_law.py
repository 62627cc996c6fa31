"""A compiled batch of an ordinary class does what `SyncVectorEnv` does, or is refused: nothing differs silently.

Each difference would show only after 250 steps, beyond what a sample or a trial sees.
"""

from __future__ import annotations

import itertools
import linecache
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gymnasium.vector import SyncVectorEnv
from palaestra.error import CannotCompile
from palaestra.runner.classes.vector_env import PlainVectorEnv

N, LATE = 3, 250
ENUMS = """\
class Mode(str, enum.Enum):
    HARD = "hard"
class Speed(float, enum.Enum):
    FAST = 1.5
class Size(int, enum.Enum):
    ONE = 1
class Move(enum.IntEnum):
    LEFT = 1
    RIGHT = 2
class Plain(enum.Enum):
    ONE = 1
class Own(enum.Enum):
    ONE = 1
    def __eq__(self, other): return other == 1 or self is other
    def __hash__(self): return 1
class OwnInt(enum.IntEnum):
    ONE = 1
    def __eq__(self, other): return True
    def __hash__(self): return 1
class Bits(enum.IntFlag):
    A = 1
    B = 2
"""
OBJECTS = """\
class Falsy:
    v = 1.0
    def __eq__(self, other): return True
    def __bool__(self): return False
    def __hash__(self): return 1
class Sized:
    def __init__(self): self.v = 1.0
    def __len__(self): return 0
class Meta(type):
    def __eq__(cls, other): return True
    def __hash__(cls): return 1
    def __bool__(cls): return False
    def __instancecheck__(cls, value): return True
class Strange(metaclass=Meta): pass
class Thing: pass
class Point(NamedTuple):
    x: float
    y: float
class Vector(NamedTuple):
    x: float
    y: float
    def __add__(self, other): return Vector(self.x + other.x, self.y + other.y)
    def __bool__(self): return False
@dataclass(frozen=True)
class First:
    x: float
@dataclass(frozen=True)
class Second:
    x: float
@dataclass(frozen=True, eq=False)
class Same:
    x: float
class Items(list):
    def __getitem__(self, k): return 99
class Words(str):
    def __eq__(self, other): return True
    def __hash__(self): return 1
THING, TABLE = Thing(), [1, 2]
"""
CLASS = """\
import abc, collections, enum, functools, itertools, numbers, random, types
from dataclasses import dataclass
from typing import NamedTuple
import numpy as np
import gymnasium as gym
BEFORE
class E(gym.Env):
    observation_space = gym.spaces.Box(-np.inf, np.inf, (1,), np.float64)
    action_space = gym.spaces.Box(-1, 1, (2,), np.float32)
    BODY
    def __init__(self):
        MADE
    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.x, self.t = 0.0, 0
        BEGIN
        return np.array([self.x]), {}
    def step(self, a):
        self.t += 1
        ACT
        self.x += 1
        return np.array([self.x]), self.x, False, False, {}
"""
_numbers = itertools.count()


def names_of(before: str = "", body: str = "", made: str = "pass", begin: str = "pass", act: str = "pass") -> Any:
    """Returns the names of a module with an environment class E."""
    text = CLASS.replace("BEFORE", before).replace("BODY", body.replace("\n", "\n    "))
    for key, lines in (("MADE", made), ("BEGIN", begin), ("ACT", act)):
        text = text.replace(key, lines.replace("\n", "\n        "))
    file = f"<law {next(_numbers)}>"
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    names: dict[str, Any] = {"__name__": "law_of_plain"}
    exec(compile(text, file, "exec", dont_inherit=True), names)
    return names


def played(envs: Any, seed: int | None = 1) -> list[Any]:
    """Returns the observations of some steps beyond 250."""
    found = [envs.reset(seed=seed)[0]]
    actions = np.full((envs.num_envs, 2), 0.5, np.float32)
    return found + [envs.step(actions)[0] for _ in range(LATE + 10)]


def verdict(make: Callable[[], Any], n: int = N, seed: int | None = 1, again: Callable[[], Any] | None = None) -> str:
    """Returns "equal" or "refused", after a comparison of sync with a compiled batch, which no trial has passed.

    A constructor that draws or counts is that of another module `again`.
    """
    _seed_process()
    expected = played(SyncVectorEnv([make] * n), seed)
    _seed_process()
    try:
        envs = PlainVectorEnv(again or make, n, trial="off")
        found = played(envs, seed)
    except CannotCompile as error:
        assert all(one.reason and one.instead for one in error.reasons)
        return "refused"
    envs.close()
    assert np.array_equal(np.array(expected), np.array(found))
    return "equal"


def _seed_process() -> None:
    np.random.seed(3)
    random.seed(3)


MADE = """\
self.table, self.counts, self.name, self.none = np.arange(3.0), np.zeros(3, np.int64), "hard", None
self.lst, self.tup, self.d, self.move = [1, 2], (1, "a"), {"a": 1}, Move.LEFT
self.falsy, self.sized, self.thing, self.shared, self.items = Falsy(), Sized(), THING, TABLE, Items([1, 2])
self.words, self.missing = Words("q"), collections.defaultdict(int, {1: 2})"""
CONDITIONS = [
    *('a.dtype == "float32"', "a.dtype != np.float32", "self.table.dtype == float", "a.dtype is np.float32"),
    *('self.table.dtype == "f8"', "self.counts.dtype == np.int64", "self.observation_space.dtype == np.float64"),
    *("a.dtype in (np.float32, float)", "a.dtype.type is np.float32", "a.dtype is np.dtype(np.float32)"),
    *("a.dtype", "a.dtype == None", "a.dtype < np.float64", "a.shape == [2]", "self.action_space.dtype == np.float32"),
    *("self.spec", "self.spec is not None", "self.unwrapped.spec", "hasattr(self, 'spec')", "getattr(self, 'spec')"),
    *("Mode.HARD == 'hard'", "Mode.HARD != 'hard'", "'hard' in (Mode.HARD,)", "Mode.HARD in {'hard': 1}"),
    *("{Mode.HARD: 5}['hard'] == 5", "Mode.HARD < 'z'", "f'{Mode.HARD}' == 'hard'", "isinstance(Mode.HARD, str)"),
    *("Speed.FAST == 1.5", "self.t / 2 == Speed.FAST", "self.x - self.t + 2.5 == Speed.FAST", "Speed.FAST > 1"),
    *("Size.ONE == 1", "self.t - 250 == Size.ONE", "(self.t - 250) in (Size.ONE,)", "[5, 6][Size.ONE] == 6"),
    *("Plain.ONE == 1", "self.t == Plain.ONE", "Plain.ONE in (Plain.ONE,)", "Plain.ONE == None", "a == Plain.ONE"),
    *("Own.ONE == 1", "self.t - 250 == Own.ONE", "Own.ONE in (1,)", "OwnInt.ONE == 9", "self.t == OwnInt.ONE"),
    *("Bits.A == 1", "Bits.A & self.t", "Bits.A == self.t - 250", "(Plain.ONE, self.t) == (Mode.HARD, 251)"),
    *("self.move == 1", "self.move is Move.LEFT", "isinstance(self.move, Move)", "hasattr(self.move, 'name')"),
    *("self.falsy", "not self.falsy", "self.falsy == 5", "self.falsy == 'a'", "self.falsy == None", "5 == self.falsy"),
    *("self.falsy is None", "self.falsy in (1, 2)", "self.falsy and self.t", "self.sized", "bool(self.sized)"),
    *("Strange", "Strange == 5", "isinstance(self.t, Strange)", "self.t == Strange", "E is E", "self.__class__ is E"),
    *(
        "type(self) is E",
        "isinstance(self, gym.Env)",
        "isinstance(self.t, numbers.Number)",
        "isinstance(a, np.ndarray)",
    ),
    *(
        "self.thing is THING",
        "self.thing in (THING,)",
        "self.shared is TABLE",
        "self.shared == TABLE",
        "THING is THING",
    ),
    *("Vector(1.0, 2.0)", "Vector(1.0, 2.0) + Vector(1.0, 2.0) == (2.0, 4.0)", "Point(self.x, 1.0) == (250.0, 1.0)"),
    *("First(self.x) == Second(self.x)", "First(self.x) == First(self.x)", "Same(self.x) == Same(self.x)"),
    *("First(self.x) == (self.x,)", "First(self.x) < First(self.x + 1)", "self.items[0] == 99", "self.words == 'no'"),
    *("self.missing[7] == 0", "self.name is 'hard'", "self.name == b'hard'", "self.tup == (1.0, 'a')"),
    *("self.lst == (1, 2)", "self.lst == [1.0, 2.0]", "self.d == {'a': 1.0}", "self.d.get(f'{self.t}', 0) == 0"),
    *("f'{self.t}' in ('251', '252')", "f'{self.name}'", "(self.name, self.t) == ('easy', 251)", "f'a' in self.d"),
    *("(self.name, self.t) in [('easy', 251)]", "self.t is True", "(self.t > 0) is True", "1 is True"),
    *("a == 'x'", "a == None", "self.table == None", "self.none == None", "self.x != None", "np.nan in (np.nan,)"),
    *("list({8, 16, 1})[0] == 8", "sum(2 * k for k in {64, 3, 8}) == 150", "self.np_random_seed == 1"),
    *("'k' in self.metadata", "self.render_mode is None", "self.__dict__", "self.step", "self.step is self.step"),
]


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::FutureWarning", "ignore:elementwise:DeprecationWarning")
def test_conditions_on_what_is_known_are_decided_by_python(condition: str) -> None:
    act = f"if self.t > {LATE}:\n    if {condition}:\n        self.x += 1000\n    else:\n        self.x -= 500"
    make = names_of(ENUMS + OBJECTS, made=MADE, act=act)["E"]
    assert verdict(_or_raises(make)) in ("equal", "refused")


def _or_raises(make: Any) -> Any:
    """Returns a class whose step raises nothing: conditions that raise in Python count as refused."""
    try:
        played(SyncVectorEnv([make]))
    except Exception as error:
        pytest.skip(f"Python raises {type(error).__name__}")
    return make


@pytest.mark.parametrize("condition", ["a.dtype == np.float32", "Mode.HARD == 'hard'", "self.table.dtype == float"])
def test_common_conditions_compile(condition: str) -> None:
    act = f"if self.t > {LATE} and {condition}:\n    self.x += 1000"
    assert verdict(names_of(ENUMS + OBJECTS, made=MADE, act=act)["E"]) == "equal"


@pytest.mark.parametrize(
    "begin",
    [
        "if seed is None and self.x == 0:\n    self.x = 5.0",
        "if (seed is None) == True:\n    self.x = 5.0",
        "if not seed:\n    self.x = 5.0",
        "if seed in (None, 1):\n    self.x = 5.0",
        "self.x = 5.0 if bool(seed is None) else 3.0",
        "if isinstance(seed, int):\n    self.x = 5.0",
    ],
)
def test_the_seed_decides_nothing_silently(begin: str) -> None:
    assert verdict(names_of(begin=begin)["E"]) in ("equal", "refused")


DRAWN = {
    "a draw": ("", "self.v = np.random.randint(50)", "self.v"),
    "a draw of two": ("", "self.v = np.random.choice([0.0, 1.0])", "self.v"),
    "a rare draw": ("", "self.v = float(np.random.rand() < 0.001)", "self.v"),
    "Python's draw": ("", "self.v = random.random() < 0.5", "self.v"),
    "a counter": ("number = itertools.count()", "self.v = next(number)", "self.v"),
    "a slow counter": ("number = itertools.count()", "self.v = next(number) // 6", "self.v"),
    "a slow counter in a list": ("k = itertools.count()", "self.v = [next(k) for _ in range(2)][0] // 8", "self.v"),
    "a cycle": ("turn = itertools.cycle([1, 1, 1, 2])", "self.v = next(turn)", "self.v"),
    "a closure": (
        "def maker():\n    n = 0\n    def following():\n        nonlocal n\n        n += 1\n        return n // 6\n"
        "    return following\nfollowing = maker()",
        "self.v = following()",
        "self.v",
    ),
    "an object": (
        "class Pool:\n    n = 0\n    def take(self):\n        self.n += 1\n        return self.n // 6\nPOOL = Pool()",
        "self.v = POOL.take()",
        "self.v",
    ),
    "a global": ("COUNT = 0", "global COUNT\nCOUNT += 1", "COUNT"),
    "a class": ("", "type(self).made = getattr(E, 'made', 0) + 1", "E.made"),
    "an own generator": ("", "self.v = np.random.default_rng().random()", "self.v"),
    "a shared generator": ("rng = np.random.default_rng(1)", "self.v = rng.random() < 0.1", "self.v"),
    "np_random": ("", "self.v = self.np_random.normal(size=3)", "self.v[0]"),
    "a choice of np_random": ("", "self.v = self.np_random.integers(2)", "self.v"),
    "a dtype": ("k = itertools.count()", "self.v = np.zeros(2, ['f8', 'f4'][next(k) % 2])", "self.v[0]"),
    "a type": ("k = itertools.count()", "self.v = [1, 1.0][next(k) % 2]", "self.v / 2"),
    "a text": ("", "self.v = 'ab'[self.np_random.integers(2)]", "self.v == 'a'"),
    "a length": ("", "self.v = [1] * self.np_random.integers(1, 9)", "len(self.v)"),
    "an item": ("", "self.v = {'k': self.np_random.random()}", "self.v['k']"),
    "a set": ("", "self.v = {int(self.np_random.integers(9))}", "3 in self.v"),
    "an attribute": ("", "if self.np_random.random() < 0.5: self.v = 3", "1 if hasattr(self, 'v') else 0"),
    "a None": ("", "self.v = None if self.np_random.random() < 0.5 else 3", "1 if self.v is None else 0"),
    "an object in it": (
        "class Wind:\n    def __init__(self): self.v = np.random.rand()",
        "self.wind = Wind()",
        "self.wind.v",
    ),
    "a class of an object": (
        "class Wind:\n    def __init__(self): self.v = 1\n    def f(self): return 1\nclass Storm(Wind):\n"
        "    def f(self): return 2\nk = itertools.count()",
        "self.wind = [Wind, Storm][next(k) % 2]()",
        "self.wind.f()",
    ),
    "a function": ("", "k = self.np_random.random()\ndef f(z):\n    return z * k\nself.f = f", "self.f(1.0)"),
}


UNKEPT = "a global", "a class", "a function"
"""What each environment that is made changes for those before, and a thing that no column holds."""


def drawn(key: str) -> Callable[[], Any]:
    """Returns a class of a new module, whose copies differ from one another as they did in the module before."""
    before, made, value = DRAWN[key]
    made = made.replace("default_rng()", "default_rng(next(seeds))")
    if "self.np_random" in made:
        made = f"self.np_random = np.random.default_rng(next(seeds))\n{made}"
    act = f"if self.t > {LATE}: self.x += float({value})"
    made_class: Callable[[], Any] = names_of(f"seeds = itertools.count(7)\n{before}", made=made, act=act)["E"]
    return made_class


@pytest.mark.parametrize("key", DRAWN)
def test_what_differs_between_copies_is_as_each_was_made(key: str) -> None:
    assert verdict(drawn(key), 19, again=drawn(key)) == ("refused" if key in UNKEPT else "equal")


@pytest.mark.parametrize(
    "begin", ["pass", "self.v = self.v * 0.5", "if self.x > 5:\n    self.v = 0.0", "self.x = self.v\nself.v = 1.0"]
)
def test_a_drawn_attribute_may_change(begin: str) -> None:
    act = f"self.v += 0.0\nif self.t > {LATE}: self.x += self.v"
    assert verdict(names_of(made="self.v = random.random()", begin=begin, act=act)["E"], 9) == "equal"


@pytest.mark.parametrize(
    ("made", "begin"),
    [
        ("self.v = np.random.default_rng(5).random()", "pass"),
        ("np.random.seed(4)\nself.v = np.random.rand()", "pass"),
        ("self.v, self.name = 2.0, self.np_random.random()", "pass"),
        ("self.v = self.np_random.random()", "self.v = 2.0"),
        ("self.v = 3.0\nself.reset()", "self.w = self.np_random.random()"),
        ("self.v = 3.0\nself.v += self.reset(seed=7)[0][0]", "self.x = self.np_random.random()"),
    ],
)
@pytest.mark.parametrize("seed", [1, None])
def test_a_constructor_that_draws_always_the_same_compiles(made: str, begin: str, seed: int | None) -> None:
    if seed is None and "self.reset()" in made:
        pytest.skip("the operating system seeds")
    make = names_of(made=made, begin=begin, act=f"if self.t > {LATE}: self.x += self.v")["E"]
    assert verdict(make, seed=seed) == "equal"


def test_what_differs_is_got_as_each_copy_was_made() -> None:
    """Attributes that no column holds, and others, before and after the first reset."""
    made = "self.v, self.name, self.tags = next(k), f'copy {next(k)}', ['a'] * (next(k) % 3)"
    envs = PlainVectorEnv(names_of("k = itertools.count()", made=made, act="self.v += 1")["E"], 20)
    for moved in (0, 1):
        assert envs.get_attr("v") == tuple(3 * i + moved for i in range(20))
        assert envs.get_attr("name") == tuple(f"copy {3 * i + 1}" for i in range(20))
        assert envs.get_attr("tags") == tuple(["a"] * ((3 * i + 2) % 3) for i in range(20))
        envs.reset(seed=1)
        envs.step(np.zeros((20, 2), np.float32))


def test_a_refusal_names_the_attribute_its_line_and_a_remedy() -> None:
    make = names_of("k = itertools.count()", made="self.f = [abs, round][next(k) % 2]", act="self.x += self.f(self.x)")
    with pytest.raises(CannotCompile, match=r"(?s)self\.f = .*: self\.f is .*, another in each copy: .*pass it"):
        PlainVectorEnv(make["E"], 2)


FAST = """\
def fast(self, a):
    self.t += 1
    self.x += 5
    return np.array([self.x]), self.x, False, False, {}
def gain(self):
    return 1.0 if self.t < 255 else 2.0"""
PATCHED = {
    "in __init__": "class F(E):\n    def __init__(self): self.step = self.fast\nmake = F",
    "step": (
        "def make():\n    e = E()\n    old = e.step\n    def step(a):\n        o, *rest = old(a)\n"
        "        return (o + 100, *rest)\n    e.step = step\n    return e"
    ),
    "reset": (
        "def make():\n    e = E()\n    old = e.reset\n    def reset(**k):\n        o, info = old(**k)\n"
        "        return o + 7, info\n    e.reset = reset\n    return e"
    ),
    "an object that is called": (
        "class Step:\n    def __init__(self, e): self.e = e\n    def __call__(self, a): return self.e.fast(a)\n"
        "def make():\n    e = E()\n    e.step = Step(e)\n    return e"
    ),
    "a helper": "def five(): return 5.0\ndef make():\n    e = E()\n    e.gain = five\n    return e",
    "a bound helper": "def make():\n    e = E()\n    e.gain = functools.partial(float, 5)\n    return e",
    "the class of one": (
        "class F(E):\n    def gain(self): return 3.0\ndef make():\n    e = E()\n    e.__class__ = F\n    return e"
    ),
    "the class": "def gain(self): return 4.0 if self.t > 255 else 1.0\nE.gain = gain\nmake = E",
    "its code": "def gain(self): return 4.0 if self.t > 255 else 1.0\nE.gain.__code__ = gain.__code__\nmake = E",
    "what it wraps": "def gain(self): return 4.0\ngain.__wrapped__ = E.gain\nE.gain = gain\nmake = E",
    "a decorated class": (
        "def louder(kind):\n    old = kind.step\n    @functools.wraps(old)\n    def step(self, a):\n"
        "        o, r, *rest = old(self, a)\n        return (o + (self.t > 255), r, *rest)\n    kind.step = step\n"
        "    return kind\nmake = louder(E)"
    ),
    "a decorator named as another": (
        "def override(f):\n    def g(self): return f(self) + (5 if self.t > 255 else 0)\n    return g\n"
        "class F(E):\n    @override\n    def gain(self): return 1.0\nmake = F"
    ),
    "a property beneath": (
        "class F(E):\n    p = property(lambda self: 1.0)\n    def gain(self): return self.p\n"
        "def make():\n    e = F()\n    e.__dict__['p'] = 5.0\n    return e"
    ),
    "a descriptor": (
        "class D:\n    def __get__(self, e, kind): return e.t if e is not None else self\n"
        "class F(E):\n    p = D()\n    def gain(self): return self.p\nmake = F"
    ),
    "slots": (
        "class F(E):\n    __slots__ = ('p',)\n    def __init__(self): self.p = 2.0\n    def gain(self):\n"
        "        self.p += 1\n        return self.p\nmake = F"
    ),
    "__setattr__": (
        "class F(E):\n    def __setattr__(self, k, v): super().__setattr__(k, v * 2 if k == 'p' else v)\n"
        "    def gain(self):\n        self.p = 1.0 if self.t > 255 else 0.0\n        return self.p\nmake = F"
    ),
    "__getattribute__": (
        "class F(E):\n    p = 1.0\n    def __getattribute__(self, k):\n"
        "        return 5.0 if k == 'p' else super().__getattribute__(k)\n"
        "    def gain(self): return self.p\nmake = F"
    ),
    "__getattr__": (
        "class F(E):\n    def __getattr__(self, k):\n        if k == 'p': return 5.0\n        raise AttributeError(k)\n"
        "    def gain(self): return 1.0 if hasattr(self, 'p') else 2.0\nmake = F"
    ),
    "__setattr__ of an object": (
        "class W:\n    def __setattr__(self, k, v): object.__setattr__(self, k, v * 2)\nclass F(E):\n"
        "    def __init__(self):\n        self.w = W()\n        self.w.p = 1.0\n    def gain(self):\n"
        "        self.w.p = float(self.t)\n        return self.w.p\nmake = F"
    ),
    "a metaclass": (
        "class M(type):\n    def __call__(cls):\n        e = super().__call__()\n        e.step = e.fast\n"
        "        return e\n"
        "class F(E, metaclass=M): pass\nmake = F"
    ),
    "a class method": (
        "class F(E):\n    speed = 1.0\n    def __init__(self): self.speed = 2.0\n    @classmethod\n"
        "    def gained(cls): return cls.speed\n    def gain(self): return self.gained()\nmake = F"
    ),
    "a generator": (
        "class F(E):\n    np_random = property(lambda self: np.random.default_rng(3))\n"
        "    def gain(self): return self.np_random.random()\nmake = F"
    ),
    "a static step": (
        "class F(E):\n    @staticmethod\n    def step(a): return np.array([3.0]), 0.0, False, False, {}\nmake = F"
    ),
}


@pytest.mark.parametrize("key", PATCHED)
def test_what_an_instance_has_counts(key: str) -> None:
    names = names_of(body=FAST, act="self.x += self.gain()")
    file = f"<law {next(_numbers)}>"
    linecache.cache[file] = len(PATCHED[key]), None, PATCHED[key].splitlines(keepends=True), file
    exec(compile(PATCHED[key], file, "exec", dont_inherit=True), names)
    assert verdict(names["make"]) in ("equal", "refused")


def test_a_remembered_trial_vouches_for_the_same_class_only() -> None:
    """What is not translated counts too: the note of a trial depends on all functions of the class."""
    first, second = (names_of(body=f"def other(self): return {k}")["E"] for k in (1, 2))
    digests = [PlainVectorEnv(one, 2).dynamics.digest() for one in (first, first, second)]
    assert digests[0] == digests[1] != digests[2]
