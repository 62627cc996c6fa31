"""The frame runs in Python, with arrays as columns, and does there what machine code does."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from gymnasium.functional import FuncEnv
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode
from palaestra.runner import CompiledVectorEnv
from palaestra.runner.frame import steps
from palaestra.runner.frame.batch import Batch
from palaestra.runner.frame.kernels import Dynamics
from palaestra.runner.kernels.layout import MODES, NOBODY

LIMIT = 7


class State(NamedTuple):
    """A place, and the sizes of two steps."""

    place: float
    sizes: np.ndarray


class Hop(FuncEnv):
    """It hops by a random step, and the episode ends behind 3; 9 is no action for it."""

    observation_space = Box(-np.inf, np.inf, (2,), np.float32)
    action_space = Discrete(10)

    @staticmethod
    def initial(rng, params):
        return State(rng.uniform(-1.0, 1.0), np.array([0.5, 1.0]))

    @staticmethod
    def transition(state, action, rng, params):
        if action == 9:
            raise ValueError("9 is no action")
        size = state.sizes[action % 2]
        return State(state.place + size * rng.random(), np.array([size, state.sizes[0]]))

    @staticmethod
    def observation(state, rng, params):
        return (state.place, state.sizes[0])

    @staticmethod
    def reward(state, action, next_state, rng, params):
        return next_state.place - state.place

    @staticmethod
    def terminal(state, rng, params):
        return state.place > 3.0

    @staticmethod
    def transition_info(state, action, next_state, params):
        return {"size": next_state.sizes[0], "far": next_state.place > 1.0}


def batch_of(envs: Any, actions: Any) -> Batch:
    """The columns of a batch in machine code, copied."""
    memory = envs._runner.memory
    columns = {name: array.copy() for name, array in memory.columns.items()}
    infos = [name for name in columns if name.startswith("info:")]
    single = ("rewards", "terminations", "truncations", "finished", "fresh", "skipped", "elapsed")
    return Batch(
        mode=memory.mode,
        limit=memory.limit,
        resets=False,
        begins=columns["fresh"],
        failed=np.array([NOBODY]),
        streams=memory.streams.copy(),
        actions=actions,
        params=None,
        start=None,
        state=State(columns["state0"], columns["state1"]),
        last=(),
        observation=(columns["observation0"],),
        final=(columns["final0"],),
        infos=tuple(columns[name] for name in infos),
        final_infos=tuple(columns[f"final_info:{name.split(':')[1]}"] for name in infos),
        first_infos=(),
        **{name: columns[name] for name in single},
    )


@pytest.mark.parametrize("n", [3, 16])
@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_python_and_machine_code_step_alike(mode: AutoresetMode, n: int) -> None:
    envs: Any = CompiledVectorEnv(Hop(), n, max_episode_steps=LIMIT, autoreset_mode=mode)
    envs.reset(seed=3)
    dynamics: Any = Dynamics(Hop(), envs._runner.memory.plan, lanes=False, draws=True)
    assert envs._runner.memory.mode == MODES[mode]
    rng = np.random.default_rng(0)
    for _ in range(2 * LIMIT):
        actions = rng.integers(0, 9, n)
        batch = batch_of(envs, actions)
        came = [steps.step(dynamics, batch, i) for i in range(n)]
        began = [steps.begin(dynamics, batch, i) for i in range(n)]
        assert came == began == batch.fresh.tolist()
        envs.step(actions)
        after = batch_of(envs, actions)
        for mine, other in zip(arrays_in(batch), arrays_in(after), strict=True):
            np.testing.assert_array_equal(mine, other)
        if mode is AutoresetMode.DISABLED and after.finished.any():
            envs.reset(options={"reset_mask": after.finished.copy()})


def arrays_in(value: Any) -> list[Any]:
    """The arrays of a batch."""
    if isinstance(value, tuple):
        return [array for one in value for array in arrays_in(one)]
    return [value] if isinstance(value, np.ndarray) else []


def test_a_row_that_raises_stays_as_it_was() -> None:
    envs: Any = CompiledVectorEnv(Hop(), 3, max_episode_steps=LIMIT)
    envs.reset(seed=3)
    dynamics: Any = Dynamics(Hop(), envs._runner.memory.plan, lanes=False, draws=True)
    batch = batch_of(envs, np.array([1, 9, 9]))
    before = batch_of(envs, np.array([1, 9, 9]))
    assert [steps.step(dynamics, batch, i) for i in range(3)] == [0, 0, 0]
    assert batch.failed[0] == 1
    assert batch.state.place[0] != before.state.place[0]
    np.testing.assert_array_equal(batch.state.place[1:], before.state.place[1:])
    np.testing.assert_array_equal(batch.streams[1:], before.streams[1:])
    with pytest.raises(ValueError, match="9 is no action"):
        envs.step([1, 9, 9])
    np.testing.assert_array_equal(envs._runner.memory.columns["state0"][1:], before.state.place[1:])
