"""Actions as a batch passes them to a class: numbers of NumPy, arrays, and dicts and tuples of these.

Actions of several parts, of Dict and Tuple spaces, are rows of one array of floats, which hold each part exactly.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.spaces.box import Box
from gymnasium.spaces.dict import Dict
from gymnasium.spaces.discrete import Discrete
from gymnasium.spaces.space import Space
from gymnasium.spaces.tuple import Tuple
from palaestra.language.frontend.refusals import Refused
from palaestra.language.program import INT64, Value
from palaestra.language.types import Array, Column, Number, Term, constant, tuple_of
from palaestra.runner.kernels.plan import ARRAYS

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

_WHOLE = 2**53  # up to which floats hold every integer
_EXACT = ("int8", "int16", "int32", "uint8", "uint16", "uint32", "int64", "float32", "float64")


def is_packed(space: Space[Any]) -> bool:
    """Returns whether the actions of a space have several parts."""
    return isinstance(space, (Dict, Tuple))


def packed_space(space: Space[Any]) -> Box:
    """Returns the space of the rows that hold actions."""
    return Box(-np.inf, np.inf, (sum(math.prod(part.shape or ()) for part in _leaves(space)),), np.float64)


def packed(space: Space[Any], batch: object, n: int) -> NDArray[np.float64]:
    """Returns the rows of a checked batch of n actions."""
    columns = [np.asarray(one, np.float64).reshape(n, -1) for one in _parts(space, batch)]
    return np.concatenate(columns, axis=1) if columns else np.empty((n, 0))


def unpacked(space: Space[Any], row: NDArray[np.float64]) -> Any:
    """Returns the action of a row, as `SyncVectorEnv` passes it to an environment."""
    return _taken(space, iter(row))


def _leaves(space: Space[Any]) -> Iterator[Space[Any]]:
    if isinstance(space, (Dict, Tuple)):
        for part in space.spaces.values() if isinstance(space, Dict) else space.spaces:
            yield from _leaves(part)
    else:
        yield space


def _parts(space: Space[Any], batch: Any) -> Iterator[Any]:
    """Yields the parts of an action, or of a batch of them, in the order of the space."""
    if isinstance(space, Dict):
        for key, part in space.spaces.items():
            yield from _parts(part, batch[key])
    elif isinstance(space, Tuple):
        for part, one in zip(space.spaces, batch, strict=True):
            yield from _parts(part, one)
    else:
        yield batch


def _taken(space: Space[Any], numbers: Iterator[Any]) -> Any:
    if isinstance(space, Dict):
        return {key: _taken(part, numbers) for key, part in space.spaces.items()}
    if isinstance(space, Tuple):
        return tuple(_taken(part, numbers) for part in space.spaces)
    found = [next(numbers) for _ in range(math.prod(space.shape or ()))]
    return np.array(found).astype(space.dtype).reshape(space.shape or ())[()]


def _fits(space: Space[Any]) -> bool:
    """Whether floats hold every number of a space."""
    if not isinstance(space, ARRAYS) or np.dtype(space.dtype).name not in _EXACT:
        return False
    if isinstance(space, Box) and np.dtype(space.dtype).kind in "iu" and space.shape:
        return bool(np.all(space.low >= -_WHOLE) and np.all(space.high <= _WHOLE))
    if isinstance(space, Box) and np.dtype(space.dtype).kind == "i":
        return False  # the batch's own numbers, not in an array
    if isinstance(space, Discrete):
        return space.dtype == np.int64 and abs(int(space.start)) + int(space.n) <= _WHOLE
    return True


def action_term(front: FrontEnd, space: Space[Any], given: Term | Value) -> Term:
    """Returns the action of a step.

    Args:
        front: The front end.
        space: Its space.
        given: The row of the actions, or the address of a row.

    Raises:
        Refused: If machine code holds no such actions.
    """
    row = _row(front, space, given) if isinstance(given, Value) else given
    if isinstance(space, Discrete) or (isinstance(space, Box) and space.shape == ()):
        return Term(Number(np.dtype(space.dtype)), row.parts)
    if isinstance(space, ARRAYS) and space.shape:
        return row
    if is_packed(space) and all(_fits(part) for part in _leaves(space)):
        return _part(front, space, row, [0])
    raise Refused(
        f"actions of {space} are not supported",
        "use Discrete, Box, MultiDiscrete, MultiBinary, and Dicts and Tuples of them",
    )


def _row(front: FrontEnd, space: Space[Any], address: Value) -> Term:
    taken = packed_space(space) if is_packed(space) else space
    column = Term(Column(np.dtype(taken.dtype), taken.shape or (), numpy=True), (address,))
    return front.operate(operator.getitem, column, Term(Column(INT64).item, (front.number(0),)))


def _part(front: FrontEnd, space: Space[Any], row: Term, place: list[int]) -> Term:
    """The part of a row from a place on, which moves behind it."""
    if isinstance(space, Tuple):
        return tuple_of([_part(front, one, row, place) for one in space.spaces])
    if isinstance(space, Dict):
        made = front.operate(dict)
        for key, one in space.spaces.items():
            front.operate((operator.setitem, "dict"), made, constant(key), _part(front, one, row, place))
        return made
    shape = space.shape or ()
    start, size, dtype = place[0], math.prod(shape), np.dtype(space.dtype)
    place[0] += size
    assert isinstance(row.type, Array)
    if not shape:
        number = front.operate(operator.getitem, row, constant(start))
        return front.operate(dtype.type, number)
    part = front.operate(operator.getitem, row, constant(slice(start, start + size)))
    made = front.operate(np.ndarray.astype, part, constant(dtype))
    return front.operate(np.ndarray.reshape, made, constant(shape))
