"""The layers of an environment that have a state: wrappers, outermost first, and the environment inside."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import Any

import numpy as np

from gymnasium._extensions import is_own_module
from gymnasium.core import Env
from gymnasium.error import ResetNeeded
from gymnasium.spaces.space import Space
from gymnasium.states.checks import check_generators, check_kinds, refusing
from gymnasium.states.plain import CannotSnapshot, plain, rebuilt
from gymnasium.utils._generators import checked_generator
from gymnasium.utils.seeding import np_random

_HOLDERS = (Space, dict, list, tuple)
"""Types of values that may hold spaces."""

_ACTS = ("__init__", "step", "reset", "reset_model", "observation", "action", "reward")
"""Methods by which a class may come to have a state of its own."""


def layers_of(env: object, inside: object = None) -> list[tuple[str, Any]]:
    """Returns the layers that have a state, with the names of the classes that define it.

    Args:
        env: The environment.
        inside: The layer before which to stop; None for all.

    Raises:
        CannotSnapshot: If there may be a state that no `get_state` returns.
    """
    around = takewhile(lambda layer: layer is not inside, walk(env))
    return [(keeper.__name__, layer) for layer in around if (keeper := _keeper(layer)) is not None]


def walk(env: object) -> Iterator[Any]:
    """Yields all layers, outermost first."""
    while True:
        yield env
        if not _wraps(env):
            return
        try:
            # Not by `__dict__`: CPython finds attributes of an object more slowly once somebody has asked for that.
            env = object.__getattribute__(env, "env")
        except AttributeError:
            return


def _wraps(env: Any) -> bool:
    return env.unwrapped is not env  # also true for a wrapper around a batch


def _keeper(layer: object) -> type | None:
    """Returns the class that defines `get_state`; None for a layer without a state."""
    kind = type(layer)
    classes = kind.__mro__
    keeper = next((k for k, one in enumerate(classes) if "get_state" in one.__dict__), None)
    if keeper is None:
        if _is_ours(kind) and _wraps(layer):
            return None
        raise CannotSnapshot(
            f"{kind.__module__}.{kind.__qualname__} has no get_state and set_state: define both, the first to return "
            "its memory as plain data"
        )
    for one in classes[:keeper]:
        acts = [name for name in _ACTS if name in one.__dict__]
        if acts and not _is_ours(one):
            raise CannotSnapshot(
                f"{one.__module__}.{one.__qualname__} defines {acts[0]}, so it may remember something that get_state "
                f"of {classes[keeper].__qualname__} does not return: define get_state and set_state, if only to call "
                "those of super()"
            )
    return classes[keeper]


def _is_ours(kind: type) -> bool:
    return is_own_module(kind.__module__)


def states_of(env: object, inside: object = None) -> list[tuple[str, Any]]:
    """Returns the state of each layer that has one, as plain data; `inside` as in `layers_of`.

    Raises:
        CannotSnapshot: If a layer's state is unknown, or is not plain.
        ResetNeeded: If no episode has begun.
    """
    layers = layers_of(env, inside)
    states = _states(env, layers)
    return [(name, plain(state, f"the state of {name}")) for (name, _), state in zip(layers, states, strict=True)]


def put_states(env: Any, states: list[tuple[str, Any]], inside: Any = None) -> None:
    """Restore the states of the layers, after a reset if no episode has begun; if one fails, all stay as they were.

    `inside` is as in `layers_of`.

    Raises:
        ValueError: If they belong to other layers, or a layer refuses its own.
    """
    layers = layers_of(env, inside)
    with refusing("the snapshot"):
        names, expected = [name for name, _ in layers], [name for name, _ in states]
    if names != expected:
        raise ValueError(f"The snapshot is one of {_chain(expected)}, but the environment consists of {_chain(names)}")
    try:
        before = _states(env, layers)
    except ResetNeeded:
        env.reset()
        before = _states(env, layers)
    new = [_fitting(layer, state, like) for layer, (_, state), like in zip(layers, states, before, strict=True)]
    done = 0
    pairs = list(zip(layers, new, before, strict=True))[::-1]
    pairs.sort(key=_turn)
    try:
        for (name, layer), state, _ in pairs:
            done += 1
            with refusing(f"the state of {name} in the snapshot"):
                _put(layer, state)
    except BaseException:
        for (_, layer), _, old in pairs[:done]:
            _put(layer, old)
        raise


def _fitting(layer: tuple[str, Any], state: Any, like: Any) -> Any:
    """Returns the state of a layer in its types, as far as it is known to fit."""
    name, kept = layer
    with refusing(f"the state of {name} in the snapshot"):
        check_generators(state)
        keeper = _keeper(kept)
        if keeper is not None and _is_ours(keeper):
            check_kinds(state, like, name)
        return rebuilt(state, like)


def _turn(pair: tuple[tuple[str, Any], Any, Any]) -> int:
    """Returns 0 for params, with which others may play an episode, and 2 for what only forgets, which cannot fail."""
    (_, layer), state, _ = pair
    return 0 if getattr(layer, "puts_params", False) else 2 if state == {} else 1


def _states(env: object, layers: list[tuple[str, Any]]) -> list[Any]:
    if not all(getattr(layer, "has_reset", True) for layer in walk(env)):  # an attribute of `OrderEnforcing`
        raise ResetNeeded("The state of an environment is that of an episode, but none has begun: call reset() first")
    return [layer.get_state() for _, layer in layers]


def _put(layer: Any, state: Any) -> None:
    if isinstance(layer, Env) or _wraps(layer):
        layer.set_state(state)
    else:
        layer.set_state(None, state)  # of all environments of a batch


def _chain(names: list[str]) -> str:
    return " around ".join(names) or "nothing that has a state"


def generators_of(*spaces: object) -> list[Any]:
    """Returns the states of the generators of spaces and their parts, None for each that has not been used."""
    return [
        None if space._np_random is None else plain(space._np_random.bit_generator.state, "the state of a space")
        for space in _parts(spaces, set())
    ]


def generators_in(states: list[Any], *spaces: object) -> list[np.random.Generator | None]:
    """Returns new generators for spaces and their parts.

    Raises:
        ValueError: If their number differs, or a kind is unknown.
    """
    count = len(list(_parts(spaces, set())))
    if count != len(states):
        raise ValueError(f"The snapshot has {len(states)} generators of spaces, but the environment has {count}")
    return [None if state is None else generator_in(state) for state in states]


def seed_generators(seed: int, *spaces: object) -> None:
    """Give a generator to each of the spaces and their parts that has none."""
    for k, space in enumerate(_parts(spaces, set())):
        if space._np_random is None:
            space._np_random = np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, k])))


def put_generators(generators: list[np.random.Generator | None], *spaces: object) -> None:
    """Give generators to spaces and their parts."""
    for space, generator in zip(_parts(spaces, set()), generators, strict=True):
        space._np_random = generator


def generator_in(state: Any) -> np.random.Generator:
    """Returns a new generator in a state of its bit generator.

    Raises:
        ValueError: If it is none of NumPy's own, or a value in it is out of range.
    """
    state = checked_generator(state)
    bits = getattr(np.random, state["bit_generator"])(0)
    bits.state = state
    return np.random.Generator(bits)


def _parts(value: object, seen: set[int]) -> Iterator[Space]:
    """Yields the spaces in a value, each once, in an order that depends on their form alone."""
    if isinstance(value, Space):
        if id(value) not in seen:
            seen.add(id(value))
            yield value
            yield from _parts([part for part in value.__dict__.values() if isinstance(part, _HOLDERS)], seen)
    elif isinstance(value, dict):
        yield from _parts(list(value.values()), seen)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _parts(part, seen)


def reseed(env: Any, seed: int) -> None:
    """Seed the random numbers of an environment anew, in the middle of its episode.

    Raises:
        gymnasium.error.Error: If the seed is invalid.
    """
    base = env.unwrapped
    generator, used = np_random(seed)
    if hasattr(base, "reseed"):
        base.reseed(generator.bit_generator.state, used)
        return
    base.np_random.bit_generator.state = generator.bit_generator.state
    base._np_random_seed = used
