"""The plan of a `FuncEnv`'s kernels, found by running one step of it in Python."""

from __future__ import annotations

from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

import numpy as np

from gymnasium.functional.boundary import action_reader
from gymnasium.functional.fields import advice, beyond, described
from gymnasium.functional.func_env import FuncEnv
from gymnasium.functional.mistakes import PARAMETERS, place_of
from gymnasium.functional.stream import Stream
from gymnasium.spaces.box import Box
from gymnasium.spaces.dict import Dict
from gymnasium.spaces.discrete import Discrete
from gymnasium.spaces.multi_binary import MultiBinary
from gymnasium.spaces.multi_discrete import MultiDiscrete
from gymnasium.spaces.space import Space
from gymnasium.spaces.tuple import Tuple
from palaestra.runner.kernels.columns import Column, Leaf
from palaestra.runner.kernels.draws import Draw
from palaestra.runner.kernels.infos import InfoPlan, info_plan, tuple_of_values
from palaestra.runner.kernels.params import Node, check_dtype, tree_of, values_in

ARRAYS = (Box, Discrete, MultiDiscrete, MultiBinary)
LONGEST_TUPLE = 64  # an action of more numbers is passed to the dynamics as an array
FUNCTIONS = ("initial", "transition", "observation", "reward", "terminal")


@dataclass(frozen=True, eq=False, repr=False)
class Plan:
    """All properties that the kernels of an environment depend on.

    Attributes:
        functions: The dynamics, by name.
        outcome_type: The NamedTuple that `initial` and `transition` of `Joint` dynamics return; None for others.
        first: The state's fields before the first reset, for `Joint` dynamics.
        own: The places of the params' values that have a column: they are drawn, or set for some environments.
        draws: The draws of an episode's params, in their order.
        bounds: The form of what these get, one after the other.
        started: The places of the params' values that a reset takes from its options, or from their defaults.
        waits: Whether environments may have options for their next reset.
        endless: Whether no episode begins or ends; see `Endless`.
        grows: Whether there are lists that grow.
    """

    name: str
    functions: dict[str, FunctionType]
    state_type: type[Any]
    state: tuple[Column, ...]
    params: Node
    observation: tuple[Leaf, ...]
    observation_space: Space
    action: Column
    action_space: Space
    infos: InfoPlan = field(default_factory=InfoPlan)
    outcome_type: type | None = None
    first: tuple[Any, ...] = ()
    own: tuple[int, ...] = ()
    draws: tuple[Draw, ...] = ()
    bounds: Node = None
    started: tuple[int, ...] = ()
    waits: bool = False
    endless: bool = False
    grows: bool = False

    @property
    def held(self) -> list[int]:
        """The places of the values that have a column, but are not drawn."""
        return sorted({*self.own} - {draw.place for draw in self.draws})


class Joint(FuncEnv):
    """Dynamics whose functions give all results at once, and whose resets go on from the state before.

        outcome = initial(rng, params, state)
        outcome = transition(state, action, rng, params)

    An outcome is a NamedTuple that begins with the fields of the state; then come `observation`, `reward`,
    `terminated`, `truncated` and `info`, the last a tuple, as is an observation of several parts.
    """

    def plan(self, params: Any) -> Plan:
        """Returns the plan of the kernels."""
        raise NotImplementedError


class Endless(FuncEnv):
    """Dynamics in the middle of an episode from the start, in the state of zeros that `initial` returns.

    They never end, and have no rewards and no infos, so that their kernels are short, and none resets.
    """


def plan_of(func_env: FuncEnv, params: object) -> Plan:
    """Returns the plan of these dynamics with these params.

    Raises:
        TypeError: If a function is not static, state or params are no NamedTuples of numbers and arrays, or a space is
            not one of arrays.
        ValueError: If an observation has another shape or dtype than its space.
    """
    if isinstance(func_env, Joint):
        return func_env.plan(params)
    name = type(func_env).__name__
    functions = {function: static(func_env, function) for function in FUNCTIONS}
    tree = tree_of(params)
    action, action_space = action_column(func_env.action_space, name), func_env.action_space
    seed = _seed_of_a_step(func_env, params)
    rng = Stream(np.random.PCG64(seed))
    state = func_env.initial(rng, params)
    columns = state_columns(state, functions["initial"], name)
    move = action_reader(action_space)(sample_of(action_space, seed))
    next_state = func_env.transition(state, move, rng, params)
    _check_same(columns, state_columns(next_state, functions["transition"], name), name)
    _check_number("reward", func_env.reward(state, move, next_state, rng, params), name)
    _check_number("terminal", func_env.terminal(next_state, rng, params), name)
    observation = func_env.observation(next_state, rng, params)
    leaves = tuple(observation_leaves(func_env.observation_space, observation, "", name))
    if isinstance(func_env.observation_space, Dict):
        functions["observation"] = _observing_tuples(functions["observation"], name)
    infos = info_plan(func_env, (state, move, next_state, params))
    spaces = func_env.observation_space, action, action_space
    endless = isinstance(func_env, Endless)
    return Plan(name, functions, type(state), columns, tree, leaves, *spaces, infos, endless=endless)


def _seed_of_a_step(func_env: FuncEnv, params: object) -> int:
    """Returns a seed of a first state and an action at which the dynamics raise nothing; 0 if they always do."""
    for seed in range(_TRIES):
        rng = Stream(np.random.PCG64(seed))
        with suppress(Exception):
            state = func_env.initial(rng, params)
            move = action_reader(func_env.action_space)(sample_of(func_env.action_space, seed))
            next_state = func_env.transition(state, move, rng, params)
            func_env.reward(state, move, next_state, rng, params)
            func_env.terminal(next_state, rng, params)
            func_env.observation(next_state, rng, params)
            return seed
    return 0


_TRIES = 20


def static(func_env: FuncEnv, name: str) -> FunctionType:
    """Returns a function of the dynamics, which must be static."""
    function = getattr(func_env, name)
    if not isinstance(function, FunctionType):
        raise TypeError(
            f"To be compiled, {type(func_env).__name__}.{name} must be a static function of its arguments, but it is "
            f"a {type(function).__name__} ({place_of(function)}): write it without `self`, under @staticmethod, and "
            "put its data into the params. SyncVectorEnv runs it as it is"
        )
    code = function.__code__
    if code.co_argcount + code.co_kwonlyargcount > len(PARAMETERS[name]):
        own = code.co_varnames[len(PARAMETERS[name]) : code.co_argcount + code.co_kwonlyargcount]
        raise TypeError(
            f"To be compiled, {place_of(function)}, has the parameters {', '.join(PARAMETERS[name])}, but it also has "
            f"{', '.join(own)}: make params or globals of them. SyncVectorEnv runs it as it is"
        )
    return function


def state_columns(state: object, function: FunctionType, name: str) -> tuple[Column, ...]:
    """Returns the columns of a state that `function` returned."""
    if not (isinstance(state, tuple) and hasattr(state, "_fields")):
        raise TypeError(
            f"To be compiled, the state of {name} must be a NamedTuple, but {place_of(function)}, returned {state!r} "
            f"of type {type(state)}: define one, with a field for each number. SyncVectorEnv runs it as it is"
        )
    return tuple(_column(key, value, function) for key, value in zip(state._fields, state, strict=True))


def _column(key: str, value: object, function: FunctionType) -> Column:
    array = np.asarray(value)
    if type(value) is int and array.dtype != np.int64:
        raise beyond(key, value)
    if array.dtype.kind not in "biuf" or isinstance(value, (tuple, list)):
        raise TypeError(
            f"A state's field must be a number or an array of numbers, but {key} is {value!r} of type {type(value)} "
            f"after {place_of(function)}: {_field_advice(key, value)}. SyncVectorEnv runs it as it is"
        )
    if isinstance(value, np.ndarray) and not value.ndim:
        raise TypeError(
            f"To be compiled, an array of the state has axes, but {key} is {value!r} after {place_of(function)}: write "
            ".item() behind it"
        )
    check_dtype(array.dtype, f"the state's {key}, after {place_of(function)},")
    return Column(key, array.dtype, array.shape, is_numpy=isinstance(value, np.generic))


def _field_advice(key: str, value: object) -> str:
    if hasattr(value, "_fields"):
        return f"give the state a field for each, {', '.join(f'{key}_{name}' for name in value._fields)}"
    if isinstance(value, (tuple, list)):
        return f"write np.array({value!r}), or a field for each number"
    if isinstance(value, str):
        return "write an int for each word, the members of an IntEnum, say"
    return "write it as numbers"


def _check_same(first: tuple[Column, ...], then: tuple[Column, ...], name: str) -> None:
    for a, b in zip(first, then, strict=False):
        if (a.dtype.kind, a.shape) != (b.dtype.kind, b.shape):
            raise TypeError(
                f"A state's fields must keep kind and shape, but {a.name} is {described(a.dtype, a.shape)} after "
                f"{name}.initial and {described(b.dtype, b.shape)} after {name}.transition: "
                f"{advice((a.dtype.kind, a.shape), (b.dtype.kind, b.shape))}"
            )
    if len(first) != len(then):
        raise TypeError(f"{name}.initial and {name}.transition must return states of the same type")


def _check_number(function: str, value: Any, name: str) -> None:
    if np.shape(value) != () or np.asarray(value).dtype.kind not in "biuf":
        raise TypeError(f"{name}.{function} must return one number or bool, but {value!r} of {type(value)} came")


def action_column(space: Space, name: str) -> Column:
    """Returns the column that holds a batch of actions."""
    if not isinstance(space, ARRAYS):
        raise TypeError(
            f"To be compiled, {name} needs an action space that is a Box, Discrete, MultiDiscrete or MultiBinary, but "
            f"{space} came: SyncVectorEnv runs any"
        )
    assert space.shape is not None
    if isinstance(space, Box) and not space.shape and space.dtype not in _WIDE:
        raise TypeError(
            f"To be compiled, an action of one number must have float64, int64 or bool, but {name} has {space}: write "
            "shape=(1,), or dtype=np.float64"
        )
    check_dtype(space.dtype, f"the action space of {name}")
    return Column("action", space.dtype, space.shape)


def observation_leaves(space: Space, value: object, path: str, name: str) -> list[Leaf]:
    """Returns the parts of an observation `value` of `space`, to which `path` leads."""
    if isinstance(space, Tuple):
        if not isinstance(value, tuple) or len(value) != len(space.spaces):
            raise ValueError(f"{name}.observation must return a tuple, a part for each of {space}, not {value!r}")
        parts = enumerate(zip(space.spaces, value, strict=True))
        return [leaf for k, (part, one) in parts for leaf in observation_leaves(part, one, f"{path}[{k}]", name)]
    if isinstance(space, Dict):
        if not isinstance(value, dict) or value.keys() != space.spaces.keys():
            raise ValueError(f"{name}.observation must return a dict with the keys of {space}, not {value!r}")
        places = {key: k for k, key in enumerate(value)}  # in the order of the code
        return [
            leaf
            for key, part in space.spaces.items()
            for leaf in observation_leaves(part, value[key], f"{path}[{places[key]}]", name)
        ]
    if not isinstance(space, ARRAYS):
        raise TypeError(
            f"To be compiled, {name} needs an observation space of Box, Discrete, MultiDiscrete, MultiBinary, Tuples "
            f"and Dicts of them, but {space} came: SyncVectorEnv runs any"
        )
    check_dtype(space.dtype, f"the observation space of {name}")
    assert space.shape is not None
    array = np.asarray(value)
    if array.dtype.kind not in "biuf" or array.shape != space.shape:
        raise ValueError(
            f"{name}.observation must return a value of {space}, of shape {space.shape}, but {value!r} came"
        )
    if space.dtype.kind in "biu" and array.dtype.kind == "f":
        raise ValueError(f"{space} holds integers, but {name}.observation returned {value!r}: round it")
    is_array = isinstance(value, np.ndarray)
    return [Leaf(Column(f"observation{path}", space.dtype, space.shape), path, is_array)]


def _observing_tuples(function: FunctionType, name: str) -> FunctionType:
    """Returns a function with the values of the dict that `observation` returns."""
    made = tuple_of_values(function, counts=(3,))
    if made is None:
        raise TypeError(
            f"To be compiled, {place_of(function)}, must end in its only `return`, of a dict whose keys are written "
            f'out: return {{"key": value, ...}}, because {name} observes a Dict. SyncVectorEnv runs it as it is'
        )
    return made


def sample_of(space: Space, seed: int = 0) -> Any:
    """Returns the same value of a space each time."""
    copy = deepcopy(space)  # the user's generator stays unchanged
    copy.seed(seed)
    return copy.sample()


def in_lanes(plan: Plan, each: frozenset[str]) -> bool:
    """Returns whether rows may be stepped in lanes: their values, and the params of `each`, are plain numbers."""
    numbers = all(not column.shape and column.dtype in _WIDE for column in plan.state)
    leaves = [*plan.observation, *(plan.infos.step.leaves if plan.infos.step else ())]
    # Integers stored in fewer bits must be checked one by one.
    fit = all(leaf.column.dtype in _WIDE or leaf.column.dtype.kind == "f" for leaf in leaves)
    few = all(not leaf.is_array and _is_flat(leaf.column.shape) for leaf in leaves)
    wide = isinstance(plan.action_space, (Box, Discrete)) or plan.action.dtype == np.int64
    flat = _is_flat(plan.action.shape) and plan.action.dtype != np.uint64
    values = {f"params{k}": value for k, value in enumerate(values_in(plan.params))}
    differing = [value for name, value in values.items() if name in each]
    apart = all(value.kind == "number" and value.dtype in _WIDE for value in differing)
    return numbers and fit and few and wide and flat and apart


def starts(plan: Plan, each: frozenset[str]) -> frozenset[str]:
    """Returns the names of the params for first states that differ between environments in an autoreset."""
    shared = (k for k in range(len(values_in(plan.params))) if k not in plan.own)
    return frozenset(f"start{k}" for k in shared if f"params{k}" in each)


_WIDE = [np.dtype(kind) for kind in (np.float64, np.int64, np.bool_)]


def _is_flat(shape: tuple[int, ...]) -> bool:
    return not shape or (len(shape) == 1 and 0 < shape[0] <= LONGEST_TUPLE)
