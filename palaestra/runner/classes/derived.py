"""What classes inherit from the environments around a `FuncEnv`, CartPole say: `reset`, `step`, `state`, params.

The state of the dynamics is an attribute as any other, and their functions are called as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gymnasium.envs.classic_control.utils import ArrayStateEnv
from gymnasium.functional.env import FunctionalEnv, Parameter
from gymnasium.spaces.box import Box
from gymnasium.spaces.discrete import Discrete
from palaestra.language.frontend.attributes import attribute
from palaestra.language.frontend.iteration import items_of
from palaestra.language.frontend.objects import class_of_object, held_by, inherited, set_attribute_of
from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations.dictionaries import is_dict, keys_of
from palaestra.language.operations.environments import seeded
from palaestra.language.operations.table import built
from palaestra.language.types import NONE, Term, constant, tuple_of

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

MISSING = Term(NONE)
STATE = "_dynamics_state"
_ANOTHER = "write reset and step out, or change the FuncEnv"


def begin(env: Any, seed: Any = None, options: Any = None) -> Any:
    """Returns what `FunctionalEnv.reset` returns, in a class that derives from one."""
    state = env.func_env.initial(env.np_random, env.params)
    env._dynamics_state = state
    return observed(env, env.func_env.observation(state, env.np_random, env.params)), {}


def step(env: Any, action: Any) -> Any:
    """Returns what `FunctionalEnv.step` returns, in a class that derives from one."""
    dynamics, rng, params = env.func_env, env.np_random, env.params
    state, move = env._dynamics_state, moved(env, action)
    after = dynamics.transition(state, move, rng, params)
    reward = dynamics.reward(state, move, after, rng, params)
    terminated = dynamics.terminal(after, rng, params)
    env._dynamics_state = after
    return observed(env, dynamics.observation(after, rng, params)), reward, terminated, False, {}


def observed(env: Any, values: Any) -> Any:
    """Returns an observation of dynamics as an environment does: as an array or a number."""
    raise NotImplementedError


def moved(env: Any, action: Any) -> Any:
    """Returns an action as dynamics take it: as a number, or a tuple of numbers."""
    raise NotImplementedError


def _dynamics_of(front: FrontEnd, env: Term) -> Any:
    func_env = held_by(front, env).get("func_env")
    if func_env is None or not func_env.known:
        raise Refused("the dynamics change while the environment runs", _ANOTHER)
    kind = type(func_env.value)
    base = kind.__mro__[-2] if len(kind.__mro__) > 1 else kind
    for name in ("state_info", "transition_info"):
        own = getattr(kind, name)
        if own.__module__ != base.__module__ and not own.__module__.startswith("gymnasium.functional"):
            raise Refused("the dynamics report infos", _ANOTHER)
    return func_env.value


@built(observed, folds=False)
def _observed(front: FrontEnd, env: Term, values: Term) -> Term:
    space = _dynamics_of(front, env).observation_space
    if isinstance(space, Box):
        return front.operate(np.array, values, dtype=constant(space.dtype))
    if isinstance(space, Discrete) and space.dtype == np.int64:
        return front.operate(int, values)
    raise Refused(f"observations of {space} are not taken from dynamics", _ANOTHER)


@built(moved, folds=False)
def _moved(front: FrontEnd, env: Term, action: Term) -> Term:
    space = _dynamics_of(front, env).action_space
    if isinstance(space, Discrete):
        return front.operate(int, action)
    if isinstance(space, Box) and len(space.shape) == 1:
        array = front.operate(np.asarray, action, constant(space.dtype))
        return tuple_of([front.operate(float, one) for one in items_of(front, array) or []])
    raise Refused(f"an action of {space} is not passed to dynamics", _ANOTHER)


@built((FunctionalEnv, "reset"), folds=False, takes_seed=True)
def _reset(front: FrontEnd, env: Term, *, seed: Term = MISSING, options: Term = MISSING) -> Term:
    if options != MISSING and not (is_dict(options) and not keys_of(front, options)):
        raise Refused("options go to the reset of another class", "leave them out")
    seeded(front, seed)
    return front.call_function(begin, (env,), {})


@built((FunctionalEnv, "step"), folds=False)
def _step(front: FrontEnd, env: Term, action: Term) -> Term:
    return front.call_function(step, (env, action), {})


@built((FunctionalEnv, "state"), ArrayStateEnv.state, folds=False)
def _state(front: FrontEnd, env: Term) -> Term:
    size = getattr(class_of_object(env), "state_size", None)
    if size is None:
        raise Refused("the state of these dynamics is read as a whole", _ANOTHER)
    items = items_of(front, front.assigned(held_by(front, env)[STATE], "AttributeError")) or []
    return front.operate(np.array, tuple_of(items[:size]), constant(np.dtype(np.float64)))


@built((ArrayStateEnv.state, "set"), folds=False)
def _set_state(front: FrontEnd, env: Term, value: Term) -> Term:
    of: Any = class_of_object(env)
    size, before = of.state_size, held_by(front, env)[STATE]
    given, kept = items_of(front, value), items_of(front, before)
    if given is None or kept is None or len(given) != size:
        raise Refused(f"the state gets {value.type}", f"assign {size} numbers")
    numbers = [front.operate(float, one) for one in given]
    set_attribute_of(front, env, STATE, tuple_of([*numbers, *kept[size:]], before.type.of))  # type: ignore[attr-defined]
    return constant(None)


@inherited(Parameter)
def _parameter(front: FrontEnd, owner: Term, found: Any) -> Term:
    """A field of the params that is read as an attribute."""
    value = attribute(front, held_by(front, owner)["params"], found.field)
    show = getattr(found, "show", None)
    if show is None:
        return value
    if not value.known:
        raise Refused(f"the param {found.field} changes", _ANOTHER)
    return constant(show(value.value))
