"""What passes between a caller and a wrapper is the receiver's: changing it in place changes nothing to come."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from gymnasium import wrappers
from gymnasium.vector import AutoresetMode
from tests.contracts.test_wrapper_laws import assert_same, sampled_actions, stateful, vector_outside
from tests.wrapper_zoo import BOX, CASES, PICTURES, VECTOR_CASES, Case, register_toys

N, SEED, STEPS = 3, 5, 40

LOW, HIGH = np.full((2, 3), -1.0, np.float32), np.ones((2, 3), np.float32)
SINGLE = [
    *CASES,
    Case(BOX, "NormalizeObservation"),
    Case(BOX, "NormalizeReward"),
    Case(BOX, "RescaleObservation", {"min_obs": LOW, "max_obs": HIGH}),
    Case(BOX, "RescaleAction", {"min_action": LOW[0, :2].copy(), "max_action": HIGH[0, :2].copy()}),
    Case(BOX, "ClipReward", {"min_reward": np.array(-0.5), "max_reward": np.array(0.5)}),
    Case(BOX, "FrameStackObservation", {"stack_size": 3, "padding_type": HIGH}),
    Case(BOX, "RenderCollection", {"pop_frames": False, "reset_clean": False}, make_kwargs=PICTURES),
]
VECTOR = [
    *VECTOR_CASES,
    *(case for case in SINGLE[len(CASES) :] if hasattr(wrappers.vector, case.name)),
    Case(BOX, "RecordEpisodeStatistics", {"buffer_length": 3}, ignored=("t", "time_queue")),
]

every_case = pytest.mark.parametrize("case", SINGLE, ids=str)
every_vector_case = pytest.mark.parametrize("case", VECTOR, ids=str)
every_mode = pytest.mark.parametrize("mode", AutoresetMode)


@pytest.fixture(autouse=True)
def _toys() -> None:
    register_toys()


def spoil(value: Any) -> None:
    """Change in place whatever of a value can be."""
    if isinstance(value, dict):
        for part in value.values():
            spoil(part)
        value.clear()
    elif isinstance(value, (tuple, list)) or (isinstance(value, np.ndarray) and value.dtype == object):
        for part in value:
            spoil(part)
        if isinstance(value, list):
            value.clear()
    elif isinstance(value, np.ndarray) and value.flags.writeable:
        if value.dtype.kind == "U":
            value[...] = "?"
        else:
            value[...] = ~value if value.dtype == np.bool_ else value + 1
    elif hasattr(value, "numpy"):  # a tensor, which shares its memory with this array
        spoil(value.numpy())


def trajectory(env: Any, actions: list[Any], spoiling: bool) -> list[Any]:
    """What comes of the actions, frames included, as it is when it comes."""
    found: list[Any] = []

    def keep(result: Any) -> Any:
        found.append(deepcopy(result))
        if spoiling:
            spoil(result)
        return found[-1]

    options = {"more": np.ones(2)}
    keep(env.reset(seed=SEED, options=options))
    spoil(options)
    for action in deepcopy(actions):
        result = keep(env.step(action))
        if spoiling:
            spoil(action)
        if env.render_mode is not None:
            keep(env.render())
        finished = np.asarray(result[2]) | result[3]
        if finished.ndim == 0 and finished:
            keep(env.reset())
        elif finished.any() and env.metadata.get("autoreset_mode") is AutoresetMode.DISABLED:
            mask = {"reset_mask": finished}
            keep(env.reset(options=mask))
            spoil(mask)
    return found


def made(case: Case, make: Callable[[Case], Any], spoiling: bool) -> Any:
    kwargs = {name: value if callable(value) else deepcopy(value) for name, value in case.kwargs.items()}
    env = make(replace(case, kwargs=kwargs))
    if spoiling:
        spoil(kwargs)
    return env


def check(case: Case, make: Callable[[Case], Any]) -> None:
    first, second = made(case, make, False), made(case, make, True)
    actions = sampled_actions(first, STEPS)
    expected, found = trajectory(first, actions, False), trajectory(second, actions, True)

    for ours, theirs in zip(found, expected, strict=True):
        assert_same(ours, theirs, case.ignored)


@every_case
def test_a_wrapper_neither_keeps_what_it_is_given_nor_hands_out_what_it_keeps(case: Case) -> None:
    check(case, Case.wrapped)


@every_mode
@every_vector_case
def test_nor_does_a_vector_wrapper(case: Case, mode: AutoresetMode) -> None:
    check(case, partial(vector_outside, mode=mode))


def check_state(env: Any, other: Any, case: Case) -> None:
    actions = sampled_actions(env, STEPS)
    trajectory(env, actions[:10], False)
    trajectory(other, actions[:10], False)
    for one in (env, other):
        if hasattr(one, "update_running_mean"):
            one.update_running_mean = True
    state = env.get_state()
    before = deepcopy(state)

    spoil(state)
    given = deepcopy(before)
    other.set_state(given)
    spoil(given)
    kept = deepcopy(before)
    for one in (env, other):
        assert_same(one.get_state(), before, ("episode_times",))
        one.step(actions[11])
    assert_same(before, kept)


@pytest.mark.parametrize("case", stateful(SINGLE), ids=str)
def test_a_state_is_the_callers(case: Case) -> None:
    """Neither what `get_state` returned nor what `set_state` took is the wrapper's memory."""
    check_state(case.wrapped(), case.wrapped(), case)


@every_mode
@pytest.mark.parametrize("case", stateful(VECTOR_CASES), ids=str)
def test_so_is_that_of_a_vector_wrapper(case: Case, mode: AutoresetMode) -> None:
    check_state(vector_outside(case, mode), vector_outside(case, mode), case)
