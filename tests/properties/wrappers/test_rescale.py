"""Rescaling any Box: what is in one Box is in the other afterwards, both ways, one at a time and in batches."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from numpy.typing import NDArray

from gymnasium.core import Env
from gymnasium.spaces import Box
from gymnasium.transforms.rescale import rescale_box
from gymnasium.vector import SyncVectorEnv
from gymnasium.wrappers import RescaleAction, RescaleObservation
from gymnasium.wrappers import vector as vector_wrappers
from tests.properties.strategies import FLOATS, INTEGERS, float_boxes, integer_boxes

N = 4


@st.composite
def boxes_and_bounds(draw: st.DrawFn) -> tuple[Box, Any, Any]:
    """A Box, and new bounds that are infinite exactly where it is."""
    box, dtype = draw(float_boxes() | integer_boxes()), np.dtype(draw(st.sampled_from([*FLOATS, *INTEGERS])))
    elements: st.SearchStrategy[Any] = st.integers(-9 if dtype.kind == "i" else 0, 9)
    if dtype.kind == "f":
        width: Any = dtype.itemsize * 8
        elements |= st.floats(width=width, allow_nan=False, allow_infinity=False)
    ends = [draw(npst.arrays(dtype, box.shape, elements=elements)) for _ in range(2)]
    low, high = np.minimum(*ends), np.maximum(*ends)
    down = np.isneginf(box.low) if box.dtype.kind == "f" else ~box.bounded_below
    up = np.isposinf(box.high) if box.dtype.kind == "f" else ~box.bounded_above
    return box, np.where(down, -np.inf, low) if down.any() else low, np.where(up, np.inf, high) if up.any() else high


def values_of(box: Box, seed: int = 0) -> list[NDArray[Any]]:
    """The bounds, and samples."""
    box.seed(seed)
    return [box.low, box.high, *(np.asarray(box.sample()) for _ in range(N - 2))]


def assert_inside(box: Box, values: Any) -> None:
    assert isinstance(values, np.ndarray)
    assert values.dtype == box.dtype
    assert (values >= box.low).all(), (values, box.low)
    assert (values <= box.high).all(), (values, box.high)


@settings(max_examples=300)
@given(boxes_and_bounds())
def test_each_box_is_mapped_into_the_other(case: tuple[Box, Any, Any]) -> None:
    """Where the numbers of the map are beyond the dtype, it is refused."""
    box, low, high = case
    try:
        new, forward, backward = rescale_box(box, low, high)
    except ValueError as error:
        assume("cannot hold" not in str(error))
        raise

    for value in (*values_of(box), np.stack(values_of(box))):
        assert_inside(new, forward(value))
        assert_inside(box, backward(forward(value)))
    for value in (*values_of(new), np.stack(values_of(new))):
        assert_inside(box, backward(value))


class Fixed(Env[Any, Any]):
    """Observes the values of its space one after the other, and keeps the action."""

    def __init__(self, space: Box) -> None:
        self.observation_space = self.action_space = space
        self.to_come = values_of(space)
        self.acted: Any = None

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        return self.to_come.pop(0), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self.acted = action
        return self.to_come.pop(0), 0.0, False, False, {}


@st.composite
def finite_boxes(draw: st.DrawFn) -> Box:
    """Boxes of one or two floats, the ranges of which are no wider than a few powers of ten."""
    dtype = draw(st.sampled_from(FLOATS))
    low = draw(npst.arrays(dtype, draw(st.sampled_from([(), (1,), (2,)])), elements=st.floats(-9, 9, width=16)))
    span = draw(npst.arrays(dtype, low.shape, elements=st.floats(0.125, 9, width=16)))
    return Box(low, low + span, dtype=dtype)


@settings(max_examples=200)
@given(finite_boxes(), st.floats(-9, 9), st.floats(0.1, 9))
@example(Box(-0.1, 0.7, (2,)), -0.3, 1.1)
def test_the_wrappers_keep_to_their_spaces_single_and_vector(box: Box, low: float, span: float) -> None:
    single, batch = RescaleObservation(Fixed(box), low, low + span), SyncVectorEnv([lambda: Fixed(box)] * N)
    vector = vector_wrappers.RescaleObservation(batch, low, low + span)
    acting, acting_batch = RescaleAction(Fixed(box), low, low + span), SyncVectorEnv([lambda: Fixed(box)] * N)
    acting_vector = vector_wrappers.RescaleAction(acting_batch, low, low + span)
    actions = values_of(acting.action_space)

    observations, _ = vector.reset()
    for t in range(N - 1):
        observation = single.reset()[0] if t == 0 else single.step(None)[0]
        assert_inside(single.observation_space, observation)
        assert observations in vector.observation_space
        np.testing.assert_array_equal(observations, np.stack([observation] * N))
        observations = vector.step(batch.action_space.sample())[0]

        acting.step(actions[t])
        assert_inside(box, acting.env.acted)
    acting_vector.reset()
    acting_vector.step(np.stack(actions))
    for env in acting_batch.envs:
        assert env.acted in box


def test_what_is_beyond_the_bounds_stays_beyond_the_new_ones() -> None:
    """A wrapper hides nothing of what an environment observes outside its space, nor of what an agent asks for."""
    _, forward, backward = rescale_box(Box(0, 2, (3,)), -1, 1)

    assert forward(np.array([-2, 1, 4], np.float32)).tolist() == [-3, 0, 3]
    assert backward(np.array([-3, 0, 3], np.float32)).tolist() == [-2, 1, 4]
