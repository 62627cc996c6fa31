"""The boundary between a user and dynamics: actions are checked, observations packed, pictures requested."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from gymnasium._extensions import is_own_module
from gymnasium.core import Env
from gymnasium.error import UnsupportedMode
from gymnasium.logger import warn
from gymnasium.spaces.box import Box
from gymnasium.spaces.dict import Dict
from gymnasium.spaces.discrete import Discrete
from gymnasium.spaces.multi_binary import MultiBinary
from gymnasium.spaces.multi_discrete import MultiDiscrete
from gymnasium.spaces.outside import action_outside
from gymnasium.spaces.space import Space
from gymnasium.spaces.tuple import Tuple

# Copies of an environment share their spaces, and therefore these functions. A reader holds its space, so no other
# space can have the same id during its lifetime.
_READERS: WeakValueDictionary[int, Callable[[Any], Any]] = WeakValueDictionary()


def action_reader(space: Space) -> Callable[[Any], Any]:
    """Returns the function that converts an action of `space` to the argument of the dynamics.

    A discrete action becomes an int; an action of a Box of one axis a list of floats (rounded to the Box's dtype), of
    other Boxes an array. Components beyond a Box's bounds pass, because environments clip them.

    The function raises `ActionOutsideSpace` for an invalid action: a wrong type or shape, NaN, a discrete value out of
    range.
    """
    reader = _READERS.get(id(space))
    if reader is None:
        reader = _READERS[id(space)] = _new_reader(space)
    return reader


def _new_reader(space: Space) -> Callable[[Any], Any]:
    if isinstance(space, Discrete):
        return _discrete_reader(space)
    if isinstance(space, Box):
        return _box_reader(space)

    integers = isinstance(space, (MultiDiscrete, MultiBinary))

    def read(action: object) -> Any:
        if integers and isinstance(action, np.ndarray):
            action = _integers(action, space)
        if not space.contains(action):
            raise action_outside(action, space)
        # A copy, because dynamics may keep it.
        return np.array(action, space.dtype, order="C") if isinstance(action, np.ndarray) else action

    return read


def _integers(action: np.ndarray[Any, Any], space: Space) -> np.ndarray[Any, Any]:
    """Returns the same integers in the dtype of their space, if they may have theirs and are in its range."""
    if not casts(action.dtype, space):
        raise action_outside(action, space)
    with np.errstate(invalid="ignore"):
        same = action.astype(space.dtype)
    return same if np.array_equal(same, action) else action


def casts(dtype: np.dtype[Any], space: Space) -> bool:
    """Whether an array of a dtype may hold actions of a space: integers may have that of the space, or be int64."""
    if isinstance(space, MultiBinary):
        return dtype.kind in "biuf"
    wanted: Any = space.dtype
    return dtype == wanted or np.can_cast(dtype, wanted) or np.can_cast(dtype, np.int64)


_PLAIN = (int, np.int64)


def _discrete_reader(space: Discrete) -> Callable[[Any], int]:
    start, end = int(space.start), int(space.start) + int(space.n)

    def read(action: Any) -> int:
        if type(action) in _PLAIN and start <= (number := int(action)) < end:
            return number
        if isinstance(action, (np.integer, np.ndarray)) and action.shape == () and casts(action.dtype, space):
            action = int(action) if action.dtype.kind in "iu" else action
        if not space.contains(action):
            raise action_outside(action, space)
        return int(action)

    return read


def _box_reader(space: Box) -> Callable[[Any], Any]:
    dtype, shape, flat = space.dtype, space.shape, len(space.shape) == 1

    def read(action: object) -> Any:
        array = action if type(action) is np.ndarray and action.dtype is dtype else _as_array(action, space)
        if array.shape != shape:
            raise action_outside(action, space)
        values = tuple(array.tolist()) if flat else array.ravel().tolist()
        # NaN is the only number that differs from itself, and any NaN makes the sum one (so do inf and -inf together).
        total = sum(values)
        if total != total and np.isnan(values).any():
            raise action_outside(action, space)
        return values if flat else array.copy()

    return read


def _as_array(action: object, space: Box) -> np.ndarray[Any, Any]:
    try:
        array = np.asarray(action)
    except ValueError as error:  # ragged
        raise action_outside(action, space) from error
    if array.dtype.kind not in ("biuf" if space.dtype.kind == "f" else "biu"):
        raise action_outside(action, space)
    with np.errstate(over="ignore"):  # infinite, and so beyond the bounds like any other large value
        return array.astype(space.dtype)


def observation_packer(space: Space) -> Callable[[Any], Any]:
    """Returns the function that converts an observation of the dynamics to a value of `space`, new at each call."""
    if isinstance(space, Box):
        return _array_packer(space.dtype)
    if isinstance(space, Discrete) and space.dtype == np.int64:
        return int
    if isinstance(space, Tuple):
        packers = tuple(observation_packer(part) for part in space.spaces)
        if all(packer is int for packer in packers):
            return lambda observation: tuple(map(int, observation))
        return lambda observation: tuple(pack(part) for pack, part in zip(packers, observation, strict=True))
    if isinstance(space, Dict):
        named = {name: observation_packer(part) for name, part in space.spaces.items()}
        return lambda observation: {name: pack(observation[name]) for name, pack in named.items()}
    if space.shape is not None and space.dtype is not None:
        shaped = space.dtype
        return lambda observation: np.array(observation, shaped)[()]
    return lambda observation: observation


def warn_of_uncalled(kind: type[Env], names: Iterable[str]) -> None:
    """Warn about methods that a user's class overrides, but that no step here calls.

    Args:
        kind: The class. One whose step is the user's may call them itself.
        names: The methods.
    """
    if is_own_module(kind.__module__) or not is_own_module(kind.step.__module__):
        return
    for name in names:
        if name in vars(kind):
            warn(f"{kind.__name__}.{name} has no effect: nothing here calls it. Override step, reset or render instead")


def own_info(info: dict[str, Any]) -> dict[str, Any]:
    """Returns an info with private arrays, not shared with the state, for example."""
    for value in info.values():
        if type(value) not in _SIMPLE:
            return {name: _own(value) for name, value in info.items()}
    return info


def in_one_piece(state: Any) -> Any:
    """Returns a state with contiguous arrays, like those of a batch: NumPy computes differently with gaps."""
    for field in state if isinstance(state, tuple) else ():
        if isinstance(field, np.ndarray) and not field.flags.c_contiguous:
            return type(state)(*(one.copy() if isinstance(one, np.ndarray) else one for one in state))
    return state


def plain_state(state: object) -> Any:
    """Returns a state as a batch gives it to Python: with Python's numbers where they have 64 bits, and own arrays."""
    if not isinstance(state, tuple):
        return state
    fields = [_plain(field) for field in state]
    return type(state)(*fields) if hasattr(state, "_fields") else tuple(fields)


def _plain(field: object) -> Any:
    if isinstance(field, np.ndarray):
        return field.copy()
    for kind in (bool, int, float):  # and members of an IntEnum
        if isinstance(field, kind):
            return kind(field)
    return field.item() if isinstance(field, (np.int64, np.bool_)) else field


_SIMPLE = frozenset([bool, int, float, str, type(None)])


def _own(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, dict):
        return {name: _own(part) for name, part in value.items()}
    if type(value) in (list, tuple):
        return type(value)(map(_own, value))
    return value


@lru_cache
def _array_packer(dtype: np.dtype) -> Callable[[Any], Any]:
    return lambda observation: np.array(observation, dtype)


def render_mode_chosen(env: Env) -> bool:
    """Whether an environment has a render mode to draw in; warns if it has none.

    Raises:
        UnsupportedMode: If its mode is unknown.
    """
    if env.render_mode is None:
        if env.spec is None:
            raise AssertionError("Without a spec, choose the render mode at construction: Env(render_mode=...)")
        warn(
            "render() shows nothing, since no render mode was chosen. Choose one when making the environment: "
            f'gymnasium.make("{env.spec.id}", render_mode="rgb_array")'
        )
        return False
    known = env.metadata["render_modes"]
    # A wrapper collects lists of frames; the environment itself renders the present one.
    if env.render_mode.removesuffix("_list") not in known:
        raise UnsupportedMode(f"{type(env).__name__} cannot render in the mode {env.render_mode!r}; it knows {known}")
    return True
