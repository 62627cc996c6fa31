"""Vector wrappers over a batch under JAX, which gives arrays of its own, and last observations as a whole batch."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import gymnasium as gym
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import (
    DictInfoToList,
    DtypeObservation,
    FlattenObservation,
    FrameStackObservation,
    JaxToNumpy,
    NormalizeObservation,
    ReshapeObservation,
    TransformObservation,
)

pytest.importorskip("jax")
pytestmark = pytest.mark.usefixtures("little_optimised")

N = 4
CHANGES: dict[str, tuple[Any, Any]] = {
    "transform": (lambda envs: TransformObservation(envs, lambda rows: 2 * rows), lambda row: 2 * row),
    "dtype": (lambda envs: DtypeObservation(envs, np.float64), lambda row: row.astype(np.float64)),
    "flatten": (FlattenObservation, np.ravel),
    "reshape": (lambda envs: ReshapeObservation(envs, (2, 2)), lambda row: row.reshape(2, 2)),
}


@cache  # compiled once; a reset with a seed begins anew
def made(mode: AutoresetMode) -> Any:
    return gym.make_vec("phys2d/CartPole-v1", N, vectorization_mode="jax", vector_kwargs={"autoreset_mode": mode})


def played(envs: Any, steps: int = 60) -> list[tuple[Any, ...]]:
    """Results of a reset and of steps until several episodes have ended; finished environments are reset."""
    rng = np.random.default_rng(0)
    rows: list[tuple[Any, ...]] = [(envs.reset(seed=0)[0], None, {})]
    for _ in range(steps):
        observations, _, terminated, truncated, infos = envs.step(rng.integers(0, 2, N))
        over = np.asarray(terminated) | np.asarray(truncated)
        rows.append((observations, over, infos))
        if envs.metadata["autoreset_mode"] is AutoresetMode.DISABLED and over.any():
            rows.append((envs.reset(options={"reset_mask": over})[0], None, {}))
    return rows


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("change", CHANGES)
def test_observations_and_last_ones_are_changed(change: str, mode: AutoresetMode) -> None:
    wrapper, single = CHANGES[change]
    ended = 0
    for (raw, over, told), (seen, _, infos) in zip(played(made(mode)), played(wrapper(made(mode))), strict=True):
        assert np.array_equal(seen, [single(row) for row in np.asarray(raw)])
        for i in np.flatnonzero(over) if mode is AutoresetMode.SAME_STEP and over is not None else ():
            ended += 1
            assert np.array_equal(infos["final_obs"][i], single(np.asarray(told["final_obs"])[i]))
    assert ended > N or mode is not AutoresetMode.SAME_STEP


def test_last_observations_are_stacked_upon_those_before() -> None:
    rows = played(made(AutoresetMode.SAME_STEP))
    stacked = played(FrameStackObservation(made(AutoresetMode.SAME_STEP), 2))
    ended = 0
    for (before, *_), (_, over, told), (_, _, infos) in zip(rows, rows[1:], stacked[1:], strict=False):
        for i in np.flatnonzero(over):
            ended += 1
            assert np.array_equal(infos["final_obs"][i], np.stack([before[i], told["final_obs"][i]]))
    assert ended > N


@pytest.mark.parametrize("wrapper", [lambda envs: envs, JaxToNumpy])
@pytest.mark.parametrize(
    "change",
    [lambda envs: TransformObservation(envs, lambda rows: 2 * rows), lambda envs: FrameStackObservation(envs, 2)],
)
def test_last_observations_that_came_as_a_batch_remain_one(change: Any, wrapper: Any) -> None:
    envs = change(wrapper(made(AutoresetMode.SAME_STEP)))
    ended = 0
    for _, over, infos in played(envs)[1:]:
        finals = infos["final_obs"]
        assert (finals.dtype, finals.shape) == (np.float32, envs.observation_space.shape)
        assert not finals[~over].any() and all(final.any() for final in finals[over])
        ended += over.sum()
    assert ended > N


@pytest.mark.parametrize("mode", AutoresetMode)
def test_each_observation_counts_once_for_the_moments(mode: AutoresetMode) -> None:
    envs = NormalizeObservation(made(mode))
    rows, raw = played(envs), played(made(mode))
    assert all(seen.dtype == np.float32 and np.isfinite(seen).all() for seen, *_ in rows)
    ends = sum(int(over.sum()) for _, over, _ in rows if over is not None)
    # In the mode DISABLED and with SAME_STEP an end brings one more observation, and with NEXT_STEP a step of its own.
    more = 0 if mode is AutoresetMode.NEXT_STEP else ends
    count = len([over for _, over, _ in rows if over is not None]) + 1
    assert envs.obs_rms.count == pytest.approx(N * count + more, abs=1e-3)
    assert len(raw) == len(rows)


def test_infos_are_split() -> None:
    for raw, split in zip(
        played(made(AutoresetMode.SAME_STEP)), played(DictInfoToList(made(AutoresetMode.SAME_STEP))), strict=True
    ):
        for i in np.flatnonzero(raw[1]) if raw[1] is not None else ():
            assert np.array_equal(split[2][i]["final_obs"], np.asarray(raw[2]["final_obs"])[i])
