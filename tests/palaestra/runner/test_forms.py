"""Forms in which dynamics return observations and infos: dicts, lists, and what only Python can make."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from gymnasium.functional import FuncEnv
from gymnasium.spaces import Box, Dict, Discrete, Tuple
from gymnasium.vector import AutoresetMode
from palaestra.runner import CompiledVectorEnv
from tests.palaestra.runner.twins import assert_same_episodes, twins


class State(NamedTuple):
    x: float
    n: int


class Line(FuncEnv):
    observation_space: Any = Box(-np.inf, np.inf, (2,), np.float64)
    action_space = Discrete(3)

    @staticmethod
    def initial(rng, params):
        return State(rng.exponential(), 0)

    @staticmethod
    def transition(state, action, rng, params):
        return State(state.x + rng.normal() * action, state.n + 1)

    @staticmethod
    def observation(state, rng, params):
        return [state.x, float(state.n)]

    @staticmethod
    def reward(state, action, next_state, rng, params):
        return -max(0, state.x)

    @staticmethod
    def terminal(state, rng, params):
        return state.n > 5


class Told(Line):
    """Infos that machine code cannot make."""

    @staticmethod
    def state_info(state, params):
        return {"words": len(str(state.n))}

    @staticmethod
    def transition_info(state, action, next_state, params):
        return {"words": len(f"{next_state.n:03d}"), "x": next_state.x}


class Goal(Line):
    observation_space = Dict(
        position=Box(-np.inf, np.inf, (2,), np.float32),
        goal=Discrete(7),
        inner=Dict(b=Box(-1, 1, (3,)), a=Discrete(3)),
        pair=Tuple((Discrete(9), Box(-9, 9, (1,)))),
    )

    @staticmethod
    def observation(state, rng, params):
        row = np.array([state.x, 1.0, 0.5])
        return {
            "goal": state.n % 7,
            "position": [state.x, 2.0],
            "pair": (state.n, [0.5]),
            "inner": {"a": state.n % 3, "b": row.copy()},
        }


class Plain(Line):
    observation_space = Dict(x=Box(-np.inf, np.inf, ()), n=Discrete(10))

    @staticmethod
    def observation(state, rng, params):
        return {"n": state.n, "x": state.x}


@pytest.mark.parametrize(("kind", "n"), [(Line, 3), (Told, 3), (Goal, 3), (Plain, 17)])
def test_compiled_is_sync(kind: Any, n: int) -> None:
    ours, sync = twins(kind(), n, AutoresetMode.SAME_STEP)
    assert_same_episodes(ours, sync, 12)


class Branching(Plain):
    @staticmethod
    def observation(state, rng, params):
        if state.n > 2:
            return {"n": state.n, "x": 0.0}
        return {"n": state.n, "x": state.x}


class Halves(Line):
    observation_space = Box(-1, 1, (2,), np.float16)


FOREIGN = np.dtype(np.float64).newbyteorder("S")


class Table(NamedTuple):
    values: Any = np.arange(3.0).astype(FOREIGN)


class Tabular(Line):
    def get_default_params(self, **kwargs):
        return Table(**kwargs)


class ForeignAction(Line):
    action_space = Box(-1, 1, (2,), FOREIGN)


class ForeignState(Line):
    @staticmethod
    def initial(rng, params):
        return State(np.zeros(2, FOREIGN), 0)


class Axisless(Line):
    @staticmethod
    def initial(rng, params):
        return State(np.array(0.5), 0)


class Defaults(Line):
    @staticmethod
    def reward(state, action, next_state, rng, params, bonus=0.5, table=(1, 2)):
        return bonus * table[1]


class Point(NamedTuple):
    a: float
    b: float


class Nested(Line):
    @staticmethod
    def initial(rng, params):
        return State(Point(0.0, 1.0), 0)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (Branching, "line [0-9]+ of .*must end in its only `return`, of a dict"),
        (Halves, r"dtype=np\.float32"),
        (Nested, "line [0-9]+ of .*a field for each, x_a, x_b"),
        (Tabular, r"byte order, but params\.values has .*astype\('float64'\)"),
        (ForeignAction, "byte order, but the action space"),
        (ForeignState, "byte order, but the state's x, after .*line [0-9]+ of"),
        (Axisless, r"x is array\(0\.5\) after .*line [0-9]+ of .*write \.item\(\)"),
        (Defaults, "line [0-9]+ of .*has bonus, table: make params or globals of them"),
    ],
)
def test_what_is_refused_is_told_with_its_remedy(kind: Any, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        CompiledVectorEnv(kind(), 2)
