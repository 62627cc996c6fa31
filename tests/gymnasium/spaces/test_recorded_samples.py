"""The samples that seed 42 gives, as the interface's description records them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gymnasium.spaces import (
    Box,
    Dict,
    Discrete,
    Graph,
    GraphInstance,
    MultiBinary,
    MultiDiscrete,
    OneOf,
    Sequence,
    Space,
    Text,
    Tuple,
)
from tests.spaces_zoo import agree

INF = np.inf
I64 = np.int64


def f32(*values: Any) -> np.ndarray[Any, np.dtype[np.float32]]:
    return np.array(values, np.float32)


def i8(*values: int) -> np.ndarray[Any, np.dtype[np.int8]]:
    return np.array(values, np.int8)


def i32(*values: Any) -> np.ndarray[Any, np.dtype[np.int32]]:
    return np.array(values, np.int32)


LONG = f32(0.81365544, 0.620119, 0.88392663, 0.6517424, 0.7678564, 0.113796264, 0.71555847, 0.32399905, 0.4841849)

RECORDED: list[tuple[Space[Any], Any, Any, Any]] = [
    (Discrete(3), 42, I64(0), I64(2)),
    (Discrete(10, start=-4, dtype=np.int32), 42, np.int32(-4), np.int32(3)),
    (Box(0, 1), 42, f32(0.77395606), f32(0.43887845)),
    (
        Box(-1, 1, (2, 2), np.float64),
        42,
        np.array([[0.5479120971119267, -0.12224312049589536], [0.7171958398227649, 0.3947360581187278]]),
        np.array([[-0.8116453042247009, 0.9512447032735118], [0.5222794039807059, 0.5721286105539076]]),
    ),
    (Box(0, 255, (4,), np.uint8), 42, np.uint8([198, 112, 219, 178]), np.uint8([24, 249, 194, 201])),
    (
        Box(np.array([-INF, -INF, 0, -10]), np.array([INF, 0, INF, 10]), dtype=np.int32),
        42,
        i32(0, -2, 2, 4),
        i32(-2, -1, 1, 6),
    ),
    (Box(-INF, INF, (3,)), 42, f32(0.3047171, -1.0399841, 0.7504512), f32(0.9405647, -1.9510351, -1.3021795)),
    (
        Box(0, INF, (2,), np.float64),
        42,
        np.array([2.4042086039659947, 2.3361896558244535]),
        np.array([2.384760999874255, 0.2797942898515832]),
    ),
    (MultiDiscrete([2, 5, 7]), 42, I64([1, 2, 6]), I64([1, 0, 6])),
    (MultiBinary(8), 42, i8(1, 0, 1, 0, 1, 1, 0, 1), i8(1, 1, 1, 1, 0, 0, 0, 0)),
    (Text(6), 42, "R", "rh5yl"),
    (Text(6, min_length=3, charset="xyz"), 42, "yzz", "xzzzxy"),
    (
        Tuple([Discrete(5), Box(0, 1, (2,))]),
        (191664963, 1662057957),
        (I64(0), f32(0.30042136, 0.6082492)),
        (I64(4), f32(0.8609305, 0.05993619)),
    ),
    (
        Dict(a=Discrete(5), b=MultiBinary(3)),
        {"a": 191664963, "b": 1662057957},
        {"a": I64(0), "b": i8(0, 0, 0)},
        {"a": I64(4), "b": i8(1, 0, 1)},
    ),
    (
        Sequence(Discrete(9)),
        (42, 191664963),
        tuple(map(I64, (0, 7, 5, 5, 4, 7, 3, 5, 3))),
        tuple(map(I64, (6, 8, 1, 2, 6, 2, 2, 7, 4))),
    ),
    (Sequence(Box(0, 1, (1,)), stack=True), (42, 191664963), LONG[:, None], None),
    (
        Graph(Box(0, 1, (1,)), Discrete(4)),
        (42, 191664963, 1662057957),
        GraphInstance(f32([0.81365544], [0.620119]), I64([1, 2]), i32([0, 1], [1, 0])),
        GraphInstance(f32([0.620119], [0.88392663]), I64([2, 3]), i32([0, 1], [0, 1])),
    ),
    (
        OneOf([Discrete(100), Box(0, 1, (2,))]),
        (42, 191664963, 1662057957),
        (I64(0), I64(2)),
        (I64(1), f32(0.30042136, 0.6082492)),
    ),
]


@pytest.mark.parametrize(("space", "seeds", "first", "second"), RECORDED, ids=lambda value: repr(value)[:30])
def test_seed_42_gives_the_recorded_samples(space: Space[Any], seeds: Any, first: Any, second: Any) -> None:
    kwargs = {"num_nodes": 2, "num_edges": 2} if isinstance(space, Graph) else {}

    assert space.seed(42) == seeds
    assert agree(space.sample(**kwargs), first)
    if second is not None:
        assert agree(space.sample(**kwargs), second)
