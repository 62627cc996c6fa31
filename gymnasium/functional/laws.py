"""The laws of every `FuncEnv`, including a user's.

Each law plays random actions by hand and raises `AssertionError` with the expected value, the actual one and a remedy.
It returns notes on unchecked parts, because there may be no end within `steps`. `palaestra.testing` checks all laws and
tries all runners.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from copy import deepcopy
from typing import Any, NamedTuple, Protocol

import numpy as np

from gymnasium.functional.boundary import action_reader, in_one_piece, observation_packer
from gymnasium.functional.env import FunctionalEnv
from gymnasium.functional.fields import KINDS, advice, described
from gymnasium.functional.func_env import FuncEnv
from gymnasium.functional.mistakes import impurities_of, place_of
from gymnasium.utils.seeding import np_random

__all__ = [
    "LAWS",
    "Law",
    "end_implies_reset",
    "functions_are_pure",
    "reward_and_terminal_are_scalars",
    "same_seed_same_trajectory",
    "spaces_hold_what_comes_out",
    "state_survives_a_round_trip",
]


class Law(Protocol):
    """A law about a `FuncEnv`."""

    __name__: str

    def __call__(self, func_env: FuncEnv, *, seed: int = 0, steps: int = 200, params: Any = None) -> list[str]:
        """Returns notes on unchecked parts; raises `AssertionError` if the law is broken."""


def same_seed_same_trajectory(
    func_env: FuncEnv, *, seed: int = 0, steps: int = 200, params: object = None
) -> list[str]:
    """The same seed and actions give the same trajectory again: by hand, and in `FunctionalEnv`."""
    pack = observation_packer(func_env.observation_space)
    first, second = (_outputs(_played(func_env, seed, steps, params), pack) for _ in range(2))
    env = FunctionalEnv(func_env)
    env.params = params_of(func_env, params)
    for other, where in ((second, "by hand, a second time"), (_run(env, seed, steps), "in FunctionalEnv")):
        for (name, expected), (_, came) in zip(first, other, strict=True):
            if not _equal(expected, came):
                found = "; ".join(impurities_of(func_env))
                advice = found or "Draw random numbers from `rng` alone, and keep nothing between calls"
                raise AssertionError(
                    f"With seed {seed}, {name} gave {expected!r} by hand, but {came!r} {where}. {advice}"
                )
    return []


def spaces_hold_what_comes_out(
    func_env: FuncEnv, *, seed: int = 0, steps: int = 200, params: object = None
) -> list[str]:
    """Every observation lies in the observation space."""
    space = func_env.observation_space
    pack = observation_packer(space)
    for raw in (call.result for call in _played(func_env, seed, steps, params) if call.name == "observation"):
        packed = pack(raw)
        if not space.contains(packed):
            raise AssertionError(
                f"An observation must lie in {space}, but {raw!r} came. Widen the space, or correct `observation`"
            )
        if space.dtype is not None and space.dtype.kind in "iu" and not _equal(packed, raw):
            raise AssertionError(f"{space} holds integers, but the observation {raw!r} came: round it")
    return []


def functions_are_pure(func_env: FuncEnv, *, seed: int = 0, steps: int = 200, params: object = None) -> list[str]:
    """No function changes its arguments, and each gives the same result for the same arguments at any time."""
    calls = _played(func_env, seed, steps, params)
    for name, before, after, _ in calls:
        for old, new in zip(before, after, strict=True):
            if not isinstance(old, np.random.Generator) and not _equal(old, new):
                raise AssertionError(
                    f"`{name}` must leave its arguments as they are, but changed {old!r} to {new!r}. Work on a copy"
                )
    # Backwards, so that a function's memory of earlier calls is different now.
    for name, before, after, result in reversed(calls):
        arguments = deepcopy(before)
        again = getattr(func_env, name)(*arguments)
        if not _equal(result, again):
            raise AssertionError(
                f"`{name}` must depend on its arguments alone, but gave {result!r} and then {again!r} for the same "
                f"ones. "
                "Put its memory into the state"
            )
        if not _equal(after, arguments):
            raise AssertionError(f"`{name}` drew more or fewer random numbers the second time for the same")
    return []


def state_survives_a_round_trip(
    func_env: FuncEnv, *, seed: int = 0, steps: int = 200, params: object = None
) -> list[str]:
    """A state is a NamedTuple of numbers and arrays that keep kind and shape; a copy of it continues the same."""
    calls = _played(func_env, seed, steps, params)
    first = _signature(calls[0].result, func_env.initial)
    for name, before, _, result in calls:
        if name in ("initial", "transition"):
            came = _signature(result, getattr(func_env, name))
            for field, kind in came.items():
                if kind != first.get(field):
                    was, shown = (described(KINDS[one], shape) for one, shape in (first[field], kind))
                    raise AssertionError(
                        f"A state's fields must keep kind and shape, but {field} is {was} after `initial` and {shown} "
                        f"after `{name}`: {advice(first[field], kind)}"
                    )
        if name == "transition":
            for way, copy in _copies(before[0]):
                continued = func_env.transition(copy, *deepcopy(before[1:]))
                if not _equal(result, continued):
                    raise AssertionError(
                        f"A state that was {way} must continue as {result!r}, but continued as {continued!r}. Keep "
                        "everything that matters in the state's fields"
                    )
    return []


def reward_and_terminal_are_scalars(
    func_env: FuncEnv, *, seed: int = 0, steps: int = 200, params: object = None
) -> list[str]:
    """A reward is a number and not NaN; `terminal` is a bool."""
    for name, _, _, result in _played(func_env, seed, steps, params):
        if name == "reward":
            number = isinstance(result, (int, float, np.integer, np.floating)) and not isinstance(result, bool)
            if not (number and result == result):
                raise AssertionError(
                    f"A reward must be one number and not NaN, but {result!r} of type {type(result)} came: return a "
                    f"float"
                )
        if name == "terminal" and not isinstance(result, (bool, np.bool_)):
            raise AssertionError(
                f"`terminal` must return a bool, but {result!r} of type {type(result)} came: return a comparison"
            )
    return []


def end_implies_reset(func_env: FuncEnv, *, seed: int = 0, steps: int = 200, params: object = None) -> list[str]:
    """An episode, the first or a later one, does not begin in a terminal state."""
    begun = [call for call in _played(func_env, seed, steps, params) if call.name == "initial"]
    for _, _, (rng, used), state in begun:
        if func_env.terminal(state, deepcopy(rng), used):
            raise AssertionError(
                f"An episode must not be over when it begins, but `initial` gave {state!r}, which is terminal. Correct "
                "`initial` or `terminal`"
            )
    never = f"No episode ended within {steps} steps, so nothing after an end was checked"
    return [] if len(begun) > 1 else [f"{never}: give more `steps`, or another `seed`"]


LAWS: tuple[Law, ...] = (
    same_seed_same_trajectory,
    spaces_hold_what_comes_out,
    functions_are_pure,
    state_survives_a_round_trip,
    reward_and_terminal_are_scalars,
    end_implies_reset,
)


class _Call(NamedTuple):
    """A call of a function of the dynamics: its arguments before and after, including the stream's position."""

    name: str
    before: tuple[Any, ...]
    after: tuple[Any, ...]
    result: Any


class _Copier:
    """Deep copies of what the functions take and return, most of which nobody can change."""

    def __init__(self) -> None:
        self._stream: np.random.Generator | None = None

    def __call__(self, value: object) -> Any:
        if isinstance(value, np.random.Generator):
            return self._stream_like(value)
        numbers = value if isinstance(value, tuple) and not hasattr(value, "__dict__") else (value,)
        return value if all(type(number) in _NUMBERS for number in numbers) else deepcopy(value)

    def _stream_like(self, stream: np.random.Generator) -> np.random.Generator:
        """The same copy until something is drawn."""
        if self._stream is None or not _equal(self._stream, stream):
            self._stream = deepcopy(stream)
        return self._stream


_NUMBERS = {bool, int, float, np.bool_, np.int32, np.int64, np.float32, np.float64}


def _played(func_env: FuncEnv, seed: int, steps: int, params: object) -> list[_Call]:
    """Play random actions by hand, one episode after another, and return all calls."""
    calls: list[_Call] = []
    copy = _Copier()

    def call(name: str, *arguments: object) -> Any:
        before = tuple(map(copy, arguments))
        result = getattr(func_env, name)(*arguments)
        calls.append(_Call(name, before, tuple(map(copy, arguments)), copy(result)))
        return result

    def begin() -> Any:
        state = call("initial", rng, params)
        call("observation", state, rng, params)
        call("state_info", state, params)
        return in_one_piece(state)

    params, (rng, _), read = params_of(func_env, params), np_random(seed), action_reader(func_env.action_space)
    state = begin()
    for action in _actions(func_env, seed, steps):
        move = read(action)
        next_state = call("transition", state, move, rng, params)
        call("reward", state, move, next_state, rng, params)
        over = call("terminal", next_state, rng, params)
        call("observation", next_state, rng, params)
        call("transition_info", state, move, next_state, params)
        state = begin() if over else in_one_piece(next_state)
    return calls


def _outputs(calls: list[_Call], pack: Any) -> list[tuple[str, Any]]:
    """The results that an environment would return: `(function, value)` in the order of calls."""
    states = ("initial", "transition")
    return [(c.name, pack(c.result) if c.name == "observation" else c.result) for c in calls if c.name not in states]


def _run(env: FunctionalEnv, seed: int, steps: int) -> list[tuple[str, Any]]:
    """Like `_outputs`, from the environment."""
    observation, info = env.reset(seed=seed)
    outputs: list[tuple[str, Any]] = [("observation", observation), ("state_info", info)]
    for action in _actions(env.func_env, seed, steps):
        observation, reward, over, _, info = env.step(action)
        outputs += [("reward", reward), ("terminal", over), ("observation", observation), ("transition_info", info)]
        if over:
            observation, info = env.reset()
            outputs += [("observation", observation), ("state_info", info)]
    return outputs


def _actions(func_env: FuncEnv, seed: int, steps: int) -> Iterator[Any]:
    space = deepcopy(func_env.action_space)
    space.seed(seed)
    return (space.sample() for _ in range(steps))


def params_of(func_env: FuncEnv, params: object) -> Any:
    return func_env.default_params if params is None else params


def _signature(state: object, function: object) -> dict[str, tuple[str, tuple[int, ...]]]:
    """Returns kind and shape of each field of a state that `function` returned."""
    if not (isinstance(state, tuple) and hasattr(state, "_fields")):
        raise AssertionError(
            f"A state must be a NamedTuple, but {place_of(function)}, returned the {type(state).__name__} {state!r}. "
            "Define a NamedTuple with a field for each number"
        )
    for name, field in zip(state._fields, state, strict=True):
        if not (isinstance(field, (bool, int, float)) or (hasattr(field, "dtype") and field.dtype.kind in "biuf")):
            raise AssertionError(
                f"A state's field must be a number or an array of numbers, but after {place_of(function)}, {name} is "
                f"the {type(field).__name__} {field!r}. Put each number into a field of its own, or use an array"
            )
    return {
        name: (np.asarray(field).dtype.kind, np.shape(field)) for name, field in zip(state._fields, state, strict=True)
    }


def _copies(state: Any) -> Iterator[tuple[str, Any]]:
    yield "rebuilt from its fields", type(state)(*deepcopy(tuple(state)))
    yield "deep-copied", deepcopy(state)
    try:
        copy = pickle.loads(pickle.dumps(state))
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise AssertionError(f"A state must be picklable: define {type(state)} at the top of a module") from error
    yield "pickled", copy


def _equal(a: Any, b: Any) -> bool:
    """Whether two nested values hold the same numbers, bit for bit except for the sign of zero; NaN equals NaN."""
    if a is b:  # the long tables of params, which are copied by reference
        return True
    if isinstance(a, np.random.Generator):
        return bool(a.bit_generator.state == b.bit_generator.state)
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(_equal(value, b[name]) for name, value in a.items())
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(map(_equal, a, b))
    x, y = np.asarray(a), np.asarray(b)
    return np.array_equal(x, y, equal_nan=x.dtype.kind == "f" and y.dtype.kind == "f")
