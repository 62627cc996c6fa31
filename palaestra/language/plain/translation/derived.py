"""`super().reset()` and `super().step()` of classes that derive from an environment around a `FuncEnv`, CartPole say.

The state of the dynamics is an attribute as any other, and their functions are called as they are.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

import numpy as np

from gymnasium._extensions import is_own_module
from gymnasium.functional.boundary import action_reader
from gymnasium.functional.env import FunctionalEnv
from gymnasium.functional.stream import Stream
from gymnasium.spaces.box import Box
from gymnasium.spaces.discrete import Discrete
from gymnasium.spaces.space import Space
from palaestra.language.plain.refusals import Refused
from palaestra.language.plain.translation.building import array_of_codes
from palaestra.language.plain.translation.descriptions import described
from palaestra.language.plain.translation.kinds import (
    BOOL,
    Array,
    Number,
    Tuple,
    number_of,
)
from palaestra.language.plain.translation.slots import slot_code
from palaestra.language.plain.translation.unit import Code, called, indexed, name

if TYPE_CHECKING:
    from palaestra.language.plain.translation.expressions import Expressions

STATE = ("_dynamics_state",)
_ANOTHER = "write reset and step out, or change the FuncEnv"


def is_of_package(kind: Any) -> bool:
    """Returns whether a class is an environment of this package around a `FuncEnv`."""
    return isinstance(kind, type) and issubclass(kind, FunctionalEnv) and is_own_module(kind.__module__)


def begin(scope: Expressions) -> Code:
    """Returns the result of a reset, in which the batch has seeded the environment."""
    env = _checked(scope)
    scope.unit.draws_at = scope.unit.draws_at or (scope.source.file, scope.place)
    state = scope.temporary(_call(scope, env, "initial"))
    _keep(scope, env, state)
    return scope.tuple_of([_observed(scope, env, state), scope.mapping([], [])])


def step(scope: Expressions, action: Code) -> Code:
    """Returns the result of a step."""
    env = _checked(scope)
    before = scope.temporary(_record(scope, env))
    move = scope.temporary(_move(scope, env.func_env.action_space, action))
    state = scope.temporary(_call(scope, env, "transition", before, move))
    reward = scope.temporary(_call(scope, env, "reward", before, move, state))
    terminated = scope.temporary(_call(scope, env, "terminal", state))
    _keep(scope, env, state)
    old, new = _example(env), _next_example(env)
    earned = env.func_env.reward(old, _sample(env), new, _stream(), env.params)
    ended = env.func_env.terminal(new, _stream(), env.params)
    kinds = [number_of(one) for one in (earned, ended)]
    if kinds[0] is None or kinds[1] is None:
        raise Refused("the rewards of these dynamics are no numbers", _ANOTHER)
    results = [Code(reward, kinds[0]), Code(terminated, kinds[1]), Code(ast.Constant(False), BOOL)]
    return scope.tuple_of([_observed(scope, env, state), *results, scope.mapping([], [])])


def state_of(scope: Expressions) -> Code:
    """Returns `self.state`: the first numbers of the state as an array, which is not to be written into."""
    env = _checked(scope)
    size = getattr(env, "state_size", None)
    if size is None:
        raise Refused(f"`state` of a {type(env).__name__} is not supported", _ANOTHER)
    made = array_of_codes(scope, scope.parts(scope.held(slot_code(scope, STATE)))[:size], np.dtype(np.float64))
    return made._replace(origins=frozenset(["a constant"]))


def put_state(scope: Expressions, code: Code) -> None:
    """Write `self.state = ...`: the first numbers of the state."""
    env = _checked(scope)
    given = scope.parts(scope.held(scope.present(code)))
    if len(given) != getattr(env, "state_size", None):
        raise Refused(f"the state of a {type(env).__name__} gets {len(given)} numbers", _ANOTHER)
    before, slot = scope.parts(scope.held(slot_code(scope, STATE))), _slot(scope)
    numbers = [called("float", scope.node_of(scope.number(one))) for one in given]
    rest = [scope.node_of(one) for one in before[len(numbers) :]]
    scope.slot_assigned(slot)
    scope.emit(ast.Assign([ast.Name(slot.variable, ast.Store())], ast.Tuple([*numbers, *rest], ast.Load())))


def _checked(scope: Expressions) -> Any:
    """Returns the environment, whose dynamics can be called.

    Raises:
        Refused: If they tell infos, or if its params change.
    """
    model = scope.unit.model
    env: Any = model.env
    if ("params",) in model.changing:
        raise Refused("the params of the dynamics change while the environment runs", _ANOTHER)
    if env.func_env.state_info(_example(env), env.params):
        raise Refused("the dynamics report infos", _ANOTHER)
    return env


def _stream() -> Stream:
    return Stream(np.random.PCG64(0))


def _example(env: Any) -> Any:
    return env.func_env.initial(_stream(), env.params)


def _sample(env: Any) -> Any:
    space: Space[Any] = env.func_env.action_space
    space.seed(0)
    return action_reader(space)(space.sample())


def _next_example(env: Any) -> Any:
    return env.func_env.transition(_example(env), _sample(env), _stream(), env.params)


def _call(scope: Expressions, env: Any, function: str, *arguments: ast.expr) -> ast.expr:
    """Returns the call of a function of the dynamics, which also takes the stream and the params."""
    scope.written.draws = scope.written.effects = True
    made = scope.unit.constant(getattr(env.func_env, function), function)
    return called(made, *arguments, name("_rng"), _params(scope, env.params))


def _params(scope: Expressions, params: Any) -> ast.expr:
    if params is None:
        return ast.Constant(None)
    if not hasattr(params, "_fields"):
        raise Refused(f"the params of the dynamics are a {type(params).__name__}, not a NamedTuple", _ANOTHER)
    fields = [scope.node_of(scope.of_known(value)) for value in params]
    return called(scope.unit.constant(type(params), "DynamicsParams"), *fields)


def _slot(scope: Expressions) -> Any:
    slot = scope.unit.slot(STATE)
    if not isinstance(slot.kind, Tuple) or slot.kind.record is None:
        raise Refused(f"the state of the dynamics is a {described(slot.kind)}", _ANOTHER)
    return slot


def _record(scope: Expressions, env: Any) -> ast.expr:
    parts = scope.parts(scope.held(slot_code(scope, STATE)))
    kind = _slot(scope).kind.record
    return called(scope.unit.constant(kind, "DynamicsState"), *[scope.node_of(one) for one in parts])


def _keep(scope: Expressions, env: Any, state: ast.expr) -> None:
    slot = _slot(scope)
    scope.slot_assigned(slot)
    scope.sure.add(slot.variable)
    parts: list[ast.expr] = [indexed(state, k) for k in range(len(slot.kind.items))]
    scope.emit(ast.Assign([ast.Name(slot.variable, ast.Store())], ast.Tuple(parts, ast.Load())))


def _move(scope: Expressions, space: Space[Any], action: Code) -> ast.expr:
    """Returns an action in the form that dynamics take."""
    if isinstance(space, Discrete):
        return called("int", scope.node_of(scope.number(action)))
    action = scope.held(scope.present(action))
    kind = action.kind
    if isinstance(space, Box) and isinstance(kind, Array) and kind.shape == space.shape and kind.ndim == 1:
        parts = [scope.item(action, k) for k in range(kind.shape[0])]
        rounded = [Code(scope.number_in(one, np.dtype(space.dtype)), Number(np.dtype(space.dtype))) for one in parts]
        return ast.Tuple([called("float", scope.node_of(one)) for one in rounded], ast.Load())
    raise Refused(f"an action of {space} is a {described(kind)}", "pass the action on as it came")


def _observed(scope: Expressions, env: Any, state: ast.expr) -> Code:
    space = env.func_env.observation_space
    example = env.func_env.observation(_example(env), _stream(), env.params)
    seen = scope.temporary(_call(scope, env, "observation", state))
    if isinstance(space, Box) and isinstance(example, tuple) and space.shape == (len(example),):
        kinds = [number_of(one) for one in example]
        codes = [Code(indexed(seen, k), kind) for k, kind in enumerate(kinds) if kind is not None]
        return array_of_codes(scope, codes, np.dtype(space.dtype))
    if isinstance(space, Discrete) and space.dtype == np.int64:
        return Code(called("int", seen), Number(np.dtype(np.int64)))
    raise Refused(f"observations of {space} are not taken from dynamics", _ANOTHER)
