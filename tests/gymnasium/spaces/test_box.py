"""Box."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from gymnasium.error import Error
from gymnasium.spaces import Box
from gymnasium.spaces.box import array_short_repr, is_float_integer

INF = np.inf


@pytest.mark.parametrize(
    ("kwargs", "shape"),
    [
        ({"low": 0, "high": 1}, (1,)),
        ({"low": np.float32(0), "high": np.int8(1)}, (1,)),
        ({"low": 0, "high": np.ones(3)}, (3,)),
        ({"low": np.zeros((2, 2)), "high": 1}, (2, 2)),
        ({"low": np.zeros(2), "high": np.ones(2)}, (2,)),
        ({"low": 0, "high": 1, "shape": [np.int64(2), 3]}, (2, 3)),
        ({"low": 0, "high": 1, "shape": ()}, ()),
    ],
)
def test_the_shape_is_given_or_follows(kwargs: dict[str, Any], shape: tuple[int, ...]) -> None:
    box = Box(**kwargs, dtype=np.float64)

    assert box.shape == box.low.shape == box.high.shape == box.bounded_below.shape == shape
    assert all(type(size) is int for size in box.shape)


@pytest.mark.parametrize(
    ("kwargs", "error", "words"),
    [
        ({"low": 0, "high": 1, "dtype": None}, ValueError, "dtype"),
        ({"low": 0, "high": 1, "dtype": str}, ValueError, "<U0"),
        ({"low": 0, "high": 1, "dtype": complex}, ValueError, "complex128"),
        ({"low": 0, "high": 1, "shape": 3}, TypeError, "int"),
        ({"low": 0, "high": 1, "shape": (1.5,)}, TypeError, "integers"),
        ({"low": np.zeros(2), "high": np.zeros(3)}, ValueError, "shape"),
        ({"low": [0], "high": [1]}, ValueError, "list"),
        ({"low": False, "high": True}, ValueError, "bool"),
        ({"low": [0], "high": 1, "shape": (1,)}, ValueError, "list"),
        ({"low": np.zeros(2), "high": 1, "shape": (3,)}, ValueError, r"\(3,\)"),
        ({"low": np.array(["a"]), "high": 1}, ValueError, "<U1"),
        ({"low": np.nan, "high": 1}, ValueError, "NaN"),
        ({"low": 0, "high": np.array([np.nan])}, ValueError, "NaN"),
        ({"low": -INF, "high": 1, "dtype": np.uint8}, ValueError, "uint8"),
        ({"low": 0, "high": INF, "dtype": np.uint8}, ValueError, "inf"),
        ({"low": 0, "high": INF, "dtype": bool}, ValueError, "bool"),
        ({"low": INF, "high": INF, "dtype": np.int32}, ValueError, "int32"),
        ({"low": 0, "high": 256, "dtype": np.uint8}, ValueError, "256.*0 to 255"),
        ({"low": -1, "high": 1, "dtype": np.uint8}, ValueError, "-1.*0 to 255"),
        ({"low": 300, "high": 400, "dtype": np.uint8}, ValueError, "300.*0 to 255"),
        ({"low": 0, "high": 2**70, "dtype": np.int64}, ValueError, "int64"),
        ({"low": 0, "high": 2.0**63, "dtype": np.int64}, ValueError, "int64"),
        ({"low": 0, "high": np.array([2.0**63]), "dtype": np.int64}, ValueError, "int64"),
        ({"low": 0, "high": 1e39}, ValueError, "float32"),
        ({"low": np.array([-INF, -1e39]), "high": 0.0}, ValueError, "float32"),
        ({"low": np.array([-INF, -1e10]), "high": 0.0, "dtype": np.int32}, ValueError, "int32"),
        ({"low": 1, "high": 0}, ValueError, "above"),
        ({"low": np.array([0.0, 2.0]), "high": 1.0, "dtype": np.float64}, ValueError, "above"),
    ],
)
def test_bad_arguments_are_refused(kwargs: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        Box(**kwargs)


def test_infinite_integer_bounds_are_extremes_that_count_as_unbounded() -> None:
    low = np.array([-INF, -2.0])
    box = Box(low, INF, dtype=np.int64)

    assert box.low.tolist() == [np.iinfo(np.int64).min, -2]
    assert box.high.tolist() == [np.iinfo(np.int64).max] * 2
    assert box.bounded_below.tolist() == [False, True]
    assert not box.bounded_above.any()
    assert low[0] == -INF, "the caller's array stays"


def test_bounds_are_copies() -> None:
    low = np.zeros(2, np.float32)
    box = Box(low, 1.0)
    low[0] = 0.5

    assert box.low[0] == 0


def test_lost_precision_is_said() -> None:
    with pytest.warns(UserWarning, match=r"low.*float32.*float64"):
        Box(np.zeros(2), 1.0)


@pytest.mark.parametrize(
    ("low", "high", "answers"),
    [(0, 1, (True, True, True)), (-INF, 1, (False, True, False)), (0, INF, (True, False, False))],
)
def test_is_bounded(low: float, high: float, answers: tuple[bool, ...]) -> None:
    box = Box(low, high)

    assert tuple(box.is_bounded(manner) for manner in ("below", "above", "both")) == answers
    with pytest.raises(ValueError, match="sideways"):
        box.is_bounded("sideways")


@pytest.mark.parametrize("argument", ["mask", "probability"])
def test_masks_are_refused(argument: str) -> None:
    with pytest.raises(Error, match=rf"Box\.sample.*{argument}"):
        Box(0, 1).sample(**{argument: np.ones(1)})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("low", "high", "dtype"),
    [
        (np.iinfo(np.int64).min, np.iinfo(np.int64).max, np.int64),
        (0, np.iinfo(np.uint64).max, np.uint64),
        (2**63, 2**64 - 1, np.uint64),
        (-1.7e308, 1.7e308, np.float64),
    ],
)
def test_the_widest_boxes_are_sampled_evenly(low: Any, high: Any, dtype: Any) -> None:
    samples = Box(low, high, (400,), dtype, seed=0).sample().astype(np.longdouble)
    fractions = (samples - low) / (np.longdouble(high) - low)

    assert 0.4 < fractions.mean() < 0.6
    assert fractions.min() < 0.05
    assert fractions.max() > 0.95


@pytest.mark.parametrize(
    ("low", "dtype"),
    [(-(2**63), np.int64), (2**53, np.int64), (-(2**53) - 3, np.int64), (2**63 - 3, np.int64), (2**60, np.uint64)],
)
def test_every_large_integer_is_sampled(low: int, dtype: Any) -> None:
    """Floats would leave out some."""
    samples = Box(low, low + 2, (100,), dtype, seed=0).sample()
    assert {int(sample) - low for sample in samples} == {0, 1, 2}

    mixed = Box(np.array([-INF, low]), np.array([INF, low + 2.0**12]), dtype=np.int64, seed=0) if low < 2**53 else None
    if mixed is not None:
        assert {int(mixed.sample()[1]) % 2 for _ in range(50)} == {0, 1}


def test_one_sided_integers_near_the_edge_do_not_wrap() -> None:
    box = Box(np.array([-(2**63), -INF]), np.array([INF, -(2**63)]), dtype=np.int64, seed=0)
    samples = np.array([box.sample() for _ in range(50)])
    assert (samples[:, 0] < -(2**63) + 50).all()
    assert len(set(samples[:, 0].tolist())) > 2
    assert (samples[:, 1] == -(2**63)).all()


def test_the_extreme_as_a_bound_on_one_side_is_kept_to() -> None:
    high = np.array([INF, 5.0, 2.0**63 - 1024])
    samples = np.array([Box(-INF, high, dtype=np.int64, seed=i).sample() for i in range(50)])
    one_sided = Box(-INF, np.array([2**63 - 1]), dtype=np.int64, seed=0).sample()

    assert (samples[:, 2] > 2**62).all()
    assert one_sided > 2**62


def test_containment_follows_dtype_shape_and_bounds() -> None:
    box = Box(-1, 1, (2,))

    assert np.array([0, 1], np.float32) in box
    assert np.array([0, 1], np.int16) in box
    assert np.array([0, 0.5], np.float32) in Box(-1, 1, (2,), np.float64)
    assert np.array([0, 1], np.int64) not in box
    assert np.array([0, 1], np.float64) not in box
    assert np.zeros(3, np.float32) not in box
    assert np.zeros((1, 2), np.float32) not in box
    assert np.array([0, 1.5], np.float32) not in box
    assert np.array([0, np.nan], np.float32) not in box


def test_what_is_no_array_is_cast_with_a_warning() -> None:
    box = Box(-1, 1, (2,))
    with pytest.warns(UserWarning, match="array.*list"):
        assert [0.5, 1] in box
    with pytest.warns(UserWarning, match="array.*str"):
        assert "ab" not in box


def test_representation_and_equality() -> None:
    assert repr(Box(-1.0, 1.0, (3,))) == "Box(-1.0, 1.0, (3,), float32)"
    assert repr(Box(np.array([0, 1]), np.array([2, 2]), dtype=np.int8)) == "Box([0 1], 2, (2,), int8)"
    assert array_short_repr(np.array([])) == "[]"
    assert Box(0, 1) == Box(0, 1 + 1e-9, seed=3)
    assert Box(0, 1) != Box(0, 1, dtype=np.float64)
    assert Box(0, 1) != Box(0, 1, (2,))
    assert Box(0, 1) != Box(0, 2)


def test_old_pickles_are_understood() -> None:
    state = pickle.loads(pickle.dumps(Box(0, 1, seed=1))).__dict__
    for added in ("low_repr", "high_repr", "_bounded", "_coarse", "_wide"):
        state.pop(added, None)
    box = Box.__new__(Box)
    box.__setstate__(state)

    assert repr(box) == "Box(0.0, 1.0, (1,), float32)"
    assert box.sample() == Box(0, 1, seed=1).sample()


def test_numbers_that_bounds_may_be() -> None:
    assert all(map(is_float_integer, (1, 1.0, np.int8(1), np.float16(1), INF)))
    assert not any(map(is_float_integer, (True, np.bool_(True), "1", None, [1], np.ones(1))))


def test_bounded_draws_equal_the_generators_uniform() -> None:
    """The arithmetic of `Generator.uniform` is repeated for speed, to the bit."""
    rng = np.random.default_rng(0)
    low = rng.normal(size=1000) * 10.0 ** rng.integers(-20, 20, 1000)
    high = low + rng.exponential(size=1000) * 10.0 ** rng.integers(-20, 20, 1000)
    expected = np.random.default_rng(5).uniform(low, high, 1000)

    assert np.array_equal(Box(low, high, dtype=np.float64, seed=5).sample(), expected)
