"""A room to be heated, and mistakes in writing it: the docstring of each class is a pattern of its error message."""

from __future__ import annotations

import random
import time
from datetime import datetime
from typing import Any, NamedTuple

import numpy as np

from gymnasium.functional import FuncEnv
from gymnasium.spaces import Box, Discrete


class State(NamedTuple):
    room: float  # °C
    outside: float  # °C


class Params(NamedTuple):
    power: float = 2.0  # °C
    loss: float = 0.1


class Room(FuncEnv):
    """Keep a room at 20 °C."""

    observation_space = Box(-60.0, 80.0, (2,), np.float32)
    action_space = Discrete(2)

    def get_default_params(self, **kwargs: Any) -> Params:
        return Params(**kwargs)

    @staticmethod
    def initial(rng, params):
        return State(rng.uniform(15.0, 25.0), rng.uniform(-5.0, 10.0))

    @staticmethod
    def transition(state, action, rng, params):
        loss = params.loss * (state.room - state.outside)
        return State(state.room + params.power * action - loss, state.outside + rng.normal(0.0, 0.2))

    @staticmethod
    def observation(state, rng, params):
        return state.room, state.outside

    @staticmethod
    def reward(state, action, next_state, rng, params):
        return -abs(next_state.room - 20.0)

    @staticmethod
    def terminal(state, rng, params):
        return state.room < 5.0


class Sized(Room):
    """Its constructor has an argument."""

    def __init__(self, size: float = 1.0) -> None:
        self.size = size
        super().__init__()

    def get_default_params(self, **kwargs: Any) -> Params:
        return Params(**{"loss": 0.1 / self.size, **kwargs})


# What no runner can run.


class Forgotten(FuncEnv):
    """Forgotten, line \\d+ of .*mistaken.py, has no function `reward`: is `rewards` meant"""

    observation_space, action_space = Room.observation_space, Room.action_space
    initial, transition = staticmethod(Room.initial), staticmethod(Room.transition)
    observation, terminal = staticmethod(Room.observation), staticmethod(Room.terminal)

    @staticmethod
    def rewards(state, action, next_state, rng, params):
        return 0.0


class Empty(FuncEnv):
    """has no function `initial`: write `def initial.rng, params.` under @staticmethod. It lacks transition, obs"""

    observation_space, action_space = Room.observation_space, Room.action_space


class NotStatic(Room):
    """NotStatic.reward, line \\d+ of .*mistaken.py: @staticmethod is missing: write it in the line above `def"""

    def reward(state, action, next_state, rng, params):  # type: ignore[no-untyped-def]  # noqa: N805
        return 0.0


class StaticWithSelf(Room):
    """StaticWithSelf.reward, line \\d+ of .*: a static function has no `self`: write `def reward.state, action"""

    @staticmethod
    def reward(self, state, action, next_state, rng, params):
        return 0.0


class UsesSelf(Room):
    """UsesSelf.reward, line \\d+ of .*`return self.bonus.*: a static function has no `self`: take"""

    @staticmethod
    def reward(state, action, next_state, rng, params):
        return self.bonus  # type: ignore[name-defined]  # noqa: F821


class NamesItsClass(Room):
    """NamesItsClass.reward, line .*`TARGET` stands in the class.*: write `NamesItsClass.TARGET`, or put it"""

    TARGET = 20.0

    @staticmethod
    def reward(state, action, next_state, rng, params):
        return state.room - TARGET  # type: ignore[name-defined]  # noqa: F821


class OtherOrder(Room):
    """OtherOrder.reward, line .*: its parameters stand in another order: write `def reward.state, action, next_state"""

    @staticmethod
    def reward(state, next_state, action, rng, params):
        return 0.0


class ReturnsNothing(Room):
    """ReturnsNothing.transition, line \\d+ of .*: it returns nothing: write `return` before its result"""

    @staticmethod
    def transition(state, action, rng, params):
        State(state.room + action, state.outside)


class TooFew(Room):
    """TooFew.reward, line .*: it is called with .state, action, next_state, rng, params., but takes .state, action."""

    @staticmethod
    def reward(state, action):
        return 0.0


class ClassOfSpaces(Room):
    """ClassOfSpaces.action_space is the class Discrete: write Discrete"""

    action_space = Discrete  # type: ignore[assignment]


class NoSpace(Forgotten):
    """NoSpace.observation_space is None: set it in the class"""

    observation_space = None  # type: ignore[assignment]


class NoSuper(Room):
    """NoSuper.__init__ must call super"""

    def __init__(self) -> None:
        pass


class ParamsWithoutSelf(Room):
    """ParamsWithoutSelf.get_default_params, line .*: it is a method: write get_default_params.self"""

    def get_default_params(**kwargs: Any) -> Params:  # type: ignore[misc]
        return Params(**kwargs)


# What one environment in Python can run; a batch in machine code cannot, and JAX where the text says so.


class Method(Room):
    """Method.reward must be a static function .* is a method .Method.reward, line \\d+ of"""

    bonus = 1.0

    def reward(self, state, action, next_state, rng, params):  # type: ignore[override, no-untyped-def]
        return self.bonus


class DictState(Room):
    """the state of DictState must be a NamedTuple, but DictState.initial, line \\d+ of .*, returned {'room'"""

    @staticmethod
    def initial(rng, params):
        return {"room": 20.0}

    @staticmethod
    def transition(state, action, rng, params):
        return state

    @staticmethod
    def observation(state, rng, params):
        return state["room"], 0.0

    @staticmethod
    def reward(state, action, next_state, rng, params):
        return 0.0

    @staticmethod
    def terminal(state, rng, params):
        return False


class Opens(Room):
    """Opens.reward, line \\d+ of .*`with open.*: no function may read or write a file: read it in `get_default"""

    @staticmethod
    def reward(state, action, next_state, rng, params):
        with open(__file__) as file:
            return float(len(file.read()))


class ReadsTheClock(Room):
    """ReadsTheClock.reward, line .*: no function may read a clock: count the steps"""

    @staticmethod
    def reward(state, action, next_state, rng, params):
        return time.time()


class OtherNumbers(Room):
    """OtherNumbers.reward, line .*`return np.random.normal.*: random numbers must come from `rng`"""

    @staticmethod
    def reward(state, action, next_state, rng, params):
        return np.random.normal()


def noise() -> float:
    return random.gauss(0.0, 1.0)


class Helped(Room):
    """noise, line .*`return random.gauss.*: random numbers must come from `rng`"""

    @staticmethod
    def reward(state, action, next_state, rng, params):
        return noise()


class OwnDie(Room):
    """OwnDie.reward, line .*`return random.random.*: random numbers must come from `rng`"""

    @staticmethod
    def reward(state, action, next_state, rng, params):
        return random.random()


DIE = random.Random(1)


class OwnGenerator(Room):
    """OwnGenerator.reward, line .*`return DIE.getrandbits.*: random numbers must come from `rng`"""

    @staticmethod
    def reward(state, action, next_state, rng, params):
        return DIE.getrandbits(3)


class AsksForTheHour(Room):
    """AsksForTheHour.reward, line .*`return datetime.now.*: no function may read a clock"""

    @staticmethod
    def reward(state, action, next_state, rng, params):
        return datetime.now().hour


COUNT = 0


class Counts(Room):
    """Counts.reward, line .*`COUNT . COUNT . 1`.: it sets the global `COUNT`: keep the value in the state"""

    @staticmethod
    def reward(state, action, next_state, rng, params):
        global COUNT
        COUNT = COUNT + 1
        return 0.0


UNSOUND = [
    *(Forgotten, Empty, NotStatic, StaticWithSelf, UsesSelf, NamesItsClass, OtherOrder, TooFew, ClassOfSpaces),
    ReturnsNothing,
    *(NoSpace, NoSuper, ParamsWithoutSelf),
]
IMPURE = [Opens, ReadsTheClock, OtherNumbers, Helped, OwnDie, OwnGenerator, AsksForTheHour, Counts]
PYTHON_ONLY = [Method, DictState, *IMPURE]


# What only the laws find.


class BeginsCold(Room):
    """An episode is over when it begins."""

    @staticmethod
    def initial(rng, params):
        return State(4.0, 0.0)


class RaisesLater(Room):
    """After forty steps."""

    @staticmethod
    def transition(state, action, rng, params):
        if state.outside > 20.0:
            raise ValueError("too warm")
        return State(20.0, state.outside + 0.5)
