"""Any sequence of calls gives the same, compiled and in sync."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gymnasium.vector import AutoresetMode
from tests.contracts.compiled_law import IDS, MODES, assert_same, assert_same_streams, pair
from tests.thorough import THOROUGH

N = 4
masks = st.lists(st.booleans(), min_size=N, max_size=N).filter(any)
calls = st.one_of(
    st.tuples(st.just("step"), st.integers(0, 2**32 - 1)),
    st.tuples(st.just("step"), st.integers(0, 2**32 - 1)),
    st.tuples(st.just("reset_mask"), masks),
    st.tuples(st.just("reset"), st.none() | st.integers(0, 2**70)),
    st.tuples(st.just("send"), st.permutations(range(N)).flatmap(lambda ids: st.integers(1, N).map(lambda k: ids[:k]))),
)


@cache
def environments(env_id: str, mode: AutoresetMode) -> tuple[Any, Any]:
    return pair(env_id, N, mode, limit=5)


@settings(max_examples=150 if THOROUGH else 50)
@given(st.sampled_from(IDS), st.sampled_from(MODES), st.integers(0, 2**64), st.lists(calls, max_size=30))
def test_any_sequence_of_calls_is_the_same(
    env_id: str, mode: AutoresetMode, seed: int, sequence: list[tuple[str, Any]]
) -> None:
    ours, sync = environments(env_id, mode)
    assert_same(ours.reset(seed=seed), sync.reset(seed=seed), "first reset")
    running = np.ones(N, np.bool_)
    for k, (name, argument) in enumerate(sequence):
        disabled = mode is AutoresetMode.DISABLED
        if name in ("step", "send") and disabled and not running.all():
            name, argument = "reset_mask", (~running).tolist()
        if name == "reset":
            results = [envs.reset(seed=argument) for envs in (ours, sync)]
            running[:] = True
            if argument is None:
                assert_same(*results, f"call {k}")
        elif name == "reset_mask":
            results = [envs.reset(options={"reset_mask": np.array(argument)}) for envs in (ours, sync)]
            running |= np.array(argument)
        else:
            ids = list(range(N)) if name == "step" else argument
            sync.action_space.seed(argument if name == "step" else k)
            actions = sync.action_space.sample()[ids]
            if name == "send":
                for envs in (ours, sync):
                    envs.send(actions, ids)
                results = [envs.recv(len(ids)) for envs in (ours, sync)]
            else:
                results = [envs.step(actions) for envs in (ours, sync)]
            running[ids] = ~(results[1][2] | results[1][3])
        assert_same(*results, f"call {k}, {name}({argument})")
    assert_same_streams(ours, sync)
