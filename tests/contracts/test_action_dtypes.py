"""One rule for the dtypes of actions: what one environment refuses, a batch refuses whole, whatever runs it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

from gymnasium.core import Env
from gymnasium.error import ActionOutsideSpace, InvalidAction
from gymnasium.functional.env import FunctionalEnv
from gymnasium.functional.func_env import FuncEnv
from gymnasium.spaces import Box, Discrete, MultiBinary, MultiDiscrete, Space
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv
from palaestra.runner import CompiledVectorEnv

pytestmark = pytest.mark.filterwarnings("ignore:os.fork:RuntimeWarning")  # of JAX, if a test has used it

SPACES: dict[str, Space[Any]] = {
    "Discrete": Discrete(2),
    "Discrete of int8": Discrete(2, dtype=np.int8),
    "Discrete of uint64": Discrete(2, dtype=np.uint64),
    "MultiDiscrete": MultiDiscrete([2, 2]),
    "MultiDiscrete of int32": MultiDiscrete([2, 2], dtype=np.int32),
    "MultiBinary": MultiBinary(2),
    "Box": Box(-1.0, 1.0, (2,)),
    "Box of double": Box(-1.0, 1.0, (2,), np.float64),
    "Box of bytes": Box(0, 255, (2,), np.uint8),
}
DTYPES: list[Any] = [
    *(
        "bool",
        "int8",
        "int16",
        "int32",
        "int64",
        "uint8",
        "uint16",
        "uint32",
        "uint64",
        "float16",
        "float32",
        "float64",
    ),
    *(">i2", ">i8", ">u8", ">f4", ">f8", "longdouble", "complex128", "S1", "U1", "object", "m8[s]", "M8[s]"),
    [("a", "i8")],
]
KINDS = [np.dtype(kind) for kind in DTYPES]


class State(NamedTuple):
    steps: int


class Still(FuncEnv[Any, Any, Any, Any, Any, Any, Any]):
    """Counts its steps."""

    observation_space = Box(0, 1000, (1,), np.int64)

    def __init__(self, action_space: Space[Any]) -> None:
        super().__init__()
        self.action_space = action_space

    @staticmethod
    def initial(rng: Any, params: Any) -> State:
        return State(0)

    @staticmethod
    def transition(state: State, action: Any, rng: Any, params: Any) -> State:
        return State(state.steps + 1)

    @staticmethod
    def observation(state: State, rng: Any, params: Any) -> tuple[int]:
        return (state.steps,)

    @staticmethod
    def reward(state: State, action: Any, next_state: State, rng: Any, params: Any) -> float:
        return 0.0

    @staticmethod
    def terminal(state: State, rng: Any, params: Any) -> bool:
        return False


class Open(Env[Any, Any]):
    """A class of a user's, which takes any action."""

    observation_space = Box(0, 1000, (1,), np.int64)

    def __init__(self, action_space: Space[Any]) -> None:
        self.action_space = action_space

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        self.steps = 0
        return np.array([0]), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self.steps += 1
        return np.array([self.steps]), 0.0, False, False, {}


RUNNERS: dict[str, Callable[[Space[Any]], Any]] = {
    "sync": lambda space: SyncVectorEnv([lambda: FunctionalEnv(Still(space))] * 2),
    "async": lambda space: AsyncVectorEnv([lambda: FunctionalEnv(Still(space))] * 2, num_workers=2, context="fork"),
    "compiled": lambda space: CompiledVectorEnv(Still(space), 2),
}


@pytest.fixture(params=SPACES)
def space(request: pytest.FixtureRequest) -> Space[Any]:
    return SPACES[request.param]


@pytest.fixture(params=RUNNERS)
def envs(request: pytest.FixtureRequest, space: Space[Any]) -> Iterator[Any]:
    if request.param == "async" and sys.platform == "win32":
        pytest.skip("forked")
    made = RUNNERS[request.param](space)
    made.reset(seed=0)
    yield made
    made.close()


def refuses(step: Callable[[Any], Any], actions: Any) -> bool:
    try:
        step(actions)
    except (ActionOutsideSpace, InvalidAction):
        return True
    return False


def test_a_batch_refuses_the_dtypes_that_one_environment_refuses_and_then_none_has_moved(
    space: Space[Any], envs: Any
) -> None:
    one = FunctionalEnv(Still(space))
    one.reset(seed=0)
    steps = 0
    taken = []
    for kind in KINDS:
        actions = np.zeros((2, *(space.shape or ())), kind)
        # An item of an array of objects is an object, such as Python's 0.
        expected = kind.kind == "O" or refuses(one.step, actions[0])
        assert refuses(envs.step, actions) == expected, kind
        steps += not expected
        taken += [] if expected else [kind]
        sample = envs.action_space.sample()
        assert envs.step(sample)[0].tolist() == [[steps + 1]] * 2, kind
        steps += 1
    assert space.dtype in taken
    assert np.dtype("complex128") not in taken


@pytest.mark.parametrize("kind", [SyncVectorEnv, AsyncVectorEnv])
def test_a_users_class_gets_what_an_environment_of_dynamics_takes(kind: Any) -> None:
    """Also the int64 of `argmax` for narrower spaces."""
    envs = kind([lambda: Open(Discrete(2, dtype=np.int8))] * 2)
    envs.reset()
    assert envs.step(np.zeros(2, np.int64))[0].tolist() == [[1], [1]]
    with pytest.raises(ActionOutsideSpace, match="uint64"):
        envs.step(np.zeros(2, np.uint64))
    assert envs.step(np.zeros(2, np.int8))[0].tolist() == [[2], [2]]
    envs.close()


@pytest.mark.parametrize("name", ["Discrete of int8", "MultiDiscrete of int32"])
def test_integers_beyond_a_narrower_dtype_do_not_wrap(name: str) -> None:
    space = SPACES[name]
    one, envs = FunctionalEnv(Still(space)), CompiledVectorEnv(Still(space), 2)
    one.reset(seed=0)
    envs.reset(seed=0)
    for wrong in (256, 2**32, -(2**32), 2**63 - 1):
        actions = np.full((2, *(space.shape or ())), wrong)
        assert refuses(one.step, actions[0])
        assert refuses(envs.step, actions)


@pytest.mark.parametrize("wrong", [0.5, 2.0, -1.0, np.nan, np.inf])
def test_floats_that_are_no_flags_are_refused_whole(wrong: float) -> None:
    envs = SyncVectorEnv([lambda: Open(MultiBinary(2))] * 2)
    envs.reset()
    with pytest.raises(ActionOutsideSpace, match=r"rows \[1\]"):
        envs.step(np.array([[0.0, 1.0], [1.0, wrong]]))
    assert envs.step(np.array([[0.0, 1.0], [1.0, 1.0]]))[0].tolist() == [[1], [1]]
