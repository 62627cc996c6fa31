"""Representative spaces of every kind, for laws that every space keeps; and what it means that two values agree."""

from __future__ import annotations

import collections
from typing import Any

import numpy as np

from gymnasium.spaces import (
    Box,
    Dict,
    Discrete,
    Graph,
    MultiBinary,
    MultiDiscrete,
    OneOf,
    Sequence,
    Space,
    Text,
    Tuple,
)

INF = np.inf
INT64 = np.iinfo(np.int64)
UINT64 = np.iinfo(np.uint64)

BOXES: list[Space[Any]] = [
    Box(0, 1),
    Box(-1, 1, (3,)),
    Box(-1, 1, ()),
    Box(-3, 3, (2,), np.float16),
    Box(-2, 5, (2, 2), np.float64),
    Box(-1.7e308, 1.7e308, (2,), np.float64),
    Box(-INF, INF, (4,)),
    Box(np.array([0.0, -INF, -INF, 1.0]), np.array([INF, 0.0, INF, 2.0]), dtype=np.float64),
    Box(np.array([-INF, 0.0, -5.0, -INF]), np.array([0.0, INF, 5.0, INF]), dtype=np.int64),
    Box(0, 255, (2, 3), np.uint8),
    Box(-5, 10, (3,), np.int64),
    Box(-INF, INF, (2,), np.int32),
    Box(INT64.min, INT64.max, (3,), np.int64),
    Box(INT64.max - 3, INT64.max - 1, (3,), np.int64),
    Box(0, UINT64.max, (3,), np.uint64),
    Box(0, 1, (4,), bool),
    Box(0, 1, (0,)),
    Box(0, 1, (2, 0), np.int8),
    Box(0, 1, (0, 2), np.float64),
]

ARRAY_SPACES: list[Space[Any]] = [
    *BOXES,
    Discrete(1),
    Discrete(3),
    Discrete(7, start=-3),
    Discrete(5, start=2, dtype=np.int32),
    Discrete(200, start=55, dtype=np.uint8),
    Discrete(2, start=INT64.max - 1),
    MultiBinary(1),
    MultiBinary(5),
    MultiBinary((2, 3)),
    MultiDiscrete([3, 4]),
    MultiDiscrete(5),
    MultiDiscrete([[1, 2], [3, 4]], start=[[0, -1], [10, 2]]),
    MultiDiscrete([4, 4], dtype=np.int8, start=[124, -128]),
]

TEXTS: list[Space[Any]] = [
    Text(5),
    Text(3, min_length=0),
    Text(6, min_length=6, charset="zyx01"),
    Text(0, min_length=0),
    Text(2, min_length=0, charset=""),
]

FLATTENABLE_COMPOSITES: list[Space[Any]] = [
    Tuple([]),
    Tuple([Discrete(3), Box(-1, 1, (2,))]),
    Tuple([MultiBinary(2), Tuple([Discrete(2), Discrete(4, start=1)])]),
    Tuple([Discrete(2), Text(3)]),
    Tuple([Box(0, 1, (0,)), Discrete(2)]),
    Dict(),
    Dict(position=Discrete(2), velocity=Box(-1, 1, (2,), np.float64)),
    Dict({"z": Dict({"y": MultiBinary(2), "x": Text(2)}), "k": Tuple([Discrete(2), Box(-1, 1)])}),
    Dict(collections.OrderedDict([("b", Discrete(3)), ("a", MultiDiscrete([2, 3]))])),
    OneOf([Discrete(3), Box(0, 1, (2,))]),
    OneOf([Discrete(2), MultiBinary(4), Text(3)]),
    OneOf([Box(0, 1, (0,)), Box(2, 3, (2,))]),
    OneOf([Box(0, 1, (1,), bool), Box(0, 1, (2,), bool), Box(0, 1, (1,), bool)]),
    OneOf([Tuple([Discrete(2), Box(-1, 1, (2,))]), Dict(a=Discrete(3))]),
]

DYNAMIC: list[Space[Any]] = [
    Sequence(Discrete(4)),
    Sequence(Box(-1, 1, (2,))),
    Sequence(Text(3)),
    Sequence(Sequence(Discrete(2))),
    Sequence(Box(0, 1), stack=True),
    Sequence(Box(0, 1, ()), stack=True),
    Sequence(Tuple([Discrete(2), Discrete(3)]), stack=True),
    Sequence(Dict(a=Box(0, 1, (2,)), b=Text(2)), stack=True),
    Sequence(Text(3), stack=True),
    Graph(Box(-1, 1, (3,)), None),
    Graph(Box(-100, 100, (2,)), Discrete(3)),
    Graph(Discrete(5), Box(0, 1, (2,))),
    Graph(Text(2), Tuple([Discrete(2), Box(0, 1, ())])),
    Tuple([Sequence(Discrete(3)), Box(0, 1)]),
    Dict(graph=Graph(Discrete(2), None), number=Discrete(3)),
    OneOf([Sequence(Discrete(3)), Discrete(2)]),
    OneOf([Sequence(Tuple([Discrete(3), Box(0, 1)]), stack=True), Discrete(2)]),
]

FLATTENABLE = [*ARRAY_SPACES, *TEXTS, *FLATTENABLE_COMPOSITES]
SPACES = [*FLATTENABLE, *DYNAMIC]


class Letters(Space[str]):
    """A user's space that knows no more than it must."""

    def __repr__(self) -> str:
        return "Letters()"

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(seed=seed)

    @property
    def is_np_flattenable(self) -> bool:
        return True

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        return "abc"[self.np_random.integers(3)]

    def contains(self, x: Any) -> bool:
        return isinstance(x, str) and x in ("a", "b", "c")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Letters)


def agree(a: Any, b: Any) -> bool:
    """Whether two values are equal in value, structure, type, shape and dtype."""
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        return a.shape == b.shape and a.dtype == b.dtype and bool(np.array_equal(a, b))
    if hasattr(a, "__array__") and not isinstance(a, np.generic):  # of JAX
        return agree(np.asarray(a), np.asarray(b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(agree(a[key], b[key]) for key in a)
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(map(agree, a, b))
    return bool(a == b)


def seeded(space: Space[Any], seed: int = 0) -> Space[Any]:
    """Returns the space, seeded."""
    space.seed(seed)
    return space
