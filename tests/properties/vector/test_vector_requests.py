"""Seeds, options and masks, of whatever form."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gymnasium.vector import SyncVectorEnv
from gymnasium.vector._batch.requests import split_options, split_seed
from tests.gymnasium.vector.counting import counting, moves

SEEDS = st.integers(0, 2**130)


@given(SEEDS, st.integers(1, 5))
def test_an_integer_counts_up(seed: int, n: int) -> None:
    assert split_seed(seed, n) == range(seed, seed + n)


@given(st.lists(st.none() | SEEDS, min_size=1, max_size=5))
def test_a_sequence_is_taken_as_it_is(seeds: list[int | None]) -> None:
    n = len(seeds)

    assert split_seed(seeds, n) == split_seed(tuple(seeds), n) == seeds
    with pytest.raises(ValueError, match=str(n)):
        split_seed(seeds, n + 1)


@given(
    st.lists(st.booleans(), min_size=1, max_size=5).filter(any),
    st.dictionaries(st.text(max_size=2), st.integers(), max_size=2),
)
def test_the_callers_options_are_never_changed(flags: list[bool], rest: dict[str, Any]) -> None:
    mask = np.array(flags)
    options = {**rest, "reset_mask": mask}
    found, each = split_options(options, len(flags))

    assert found is options["reset_mask"] is mask
    assert mask.tolist() == flags
    assert each == [rest] * len(flags)
    assert options == {**rest, "reset_mask": mask}


@given(st.lists(st.lists(st.booleans(), min_size=3, max_size=3).filter(any), max_size=6), st.integers(0, 2**40))
def test_masked_resets_touch_the_masked_only(masks: list[list[bool]], seed: int) -> None:
    envs: Any = SyncVectorEnv(counting(9, 9, 9))
    envs.reset(seed=seed)
    expected, seeds = [1, 1, 1], [seed, seed + 1, seed + 2]
    for k, flags in enumerate(masks):
        observations, infos = envs.reset(seed=k, options={"reset_mask": np.array(flags)})
        expected = [episode + flag for episode, flag in zip(expected, flags, strict=True)]
        seeds = [k + i if flag else old for i, (flag, old) in enumerate(zip(flags, seeds, strict=True))]
        assert infos["_begun"].tolist() == flags
        assert observations[:, 0].tolist() == expected

    assert [episode for episode, _, _ in moves(envs)] == expected
    assert list(envs.np_random_seed) == seeds
