"""Actions of several parts, dicts and tuples, as rows of one array of floats, which hold each part exactly."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.spaces.box import Box
from gymnasium.spaces.dict import Dict
from gymnasium.spaces.discrete import Discrete
from gymnasium.spaces.space import Space
from gymnasium.spaces.tuple import Tuple
from palaestra.language.plain.library import NARROW
from palaestra.language.plain.refusals import Refused
from palaestra.language.plain.translation.kinds import Array, Mapping, Number
from palaestra.language.plain.translation.kinds import Tuple as TupleKind
from palaestra.language.plain.translation.unit import Code, called, indexed, name
from palaestra.runner.kernels.plan import ARRAYS

if TYPE_CHECKING:
    from palaestra.language.plain.translation.expressions import Expressions

ORIGIN = frozenset(["the action"])
_WHOLE = 2**53  # up to which floats hold every integer


def is_packed(space: Space) -> bool:
    """Returns whether the actions of a space have several parts."""
    return isinstance(space, (Dict, Tuple))


def packed_space(space: Space) -> Box:
    """Returns the space of the rows that hold actions."""
    return Box(-np.inf, np.inf, (sum(math.prod(part.shape or ()) for part in _leaves(space)),), np.float64)


def packed(space: Space, batch: object, n: int) -> NDArray[np.float64]:
    """Returns the rows of a checked batch of n actions."""
    columns = [np.asarray(one, np.float64).reshape(n, -1) for one in _parts(space, batch)]
    return np.concatenate(columns, axis=1) if columns else np.empty((n, 0))


def unpacked(space: Space, row: NDArray[np.float64]) -> Any:
    """Returns the action of a row, as `SyncVectorEnv` passes it to an environment."""
    return _taken(space, iter(row))


def action_code(scope: Expressions, space: Space) -> Code:
    """Returns the action of a step, as a batch passes it; what is computed from the row is written.

    Raises:
        Refused: If machine code holds no such actions.
    """
    if isinstance(space, Discrete) or (isinstance(space, Box) and space.shape == ()):
        return Code(name("action"), Number(np.dtype(space.dtype), False), ORIGIN)
    if isinstance(space, ARRAYS) and space.shape:
        return Code(name("action"), Array(np.dtype(space.dtype), len(space.shape), space.shape), ORIGIN)
    if is_packed(space) and all(_fits(part) for part in _leaves(space)):
        return _code(scope, space, [0])
    raise Refused(
        f"actions of {space} are not supported",
        "use Discrete, Box, MultiDiscrete, MultiBinary, and Dicts and Tuples of them",
    )


def _leaves(space: Space) -> Iterator[Space]:
    if isinstance(space, Dict):
        for part in space.spaces.values():
            yield from _leaves(part)
    elif isinstance(space, Tuple):
        for part in space.spaces:
            yield from _leaves(part)
    else:
        yield space


def _fits(space: Space) -> bool:
    """Returns whether floats hold every number of a space."""
    if not isinstance(space, ARRAYS) or (space.dtype.name not in NARROW and space.dtype.name not in _KNOWN):
        return False
    if isinstance(space, Box) and space.dtype.kind in "iu" and space.shape:
        return bool(np.all(space.low >= -_WHOLE) and np.all(space.high <= _WHOLE))
    if isinstance(space, Box) and space.dtype.kind == "i":
        return False  # the batch's own numbers, not in an array
    if isinstance(space, Discrete):
        return space.dtype == np.int64 and abs(int(space.start)) + int(space.n) <= _WHOLE
    return True


_KNOWN = ("float64", "float32", "int64")


def _parts(space: Space, batch: Any) -> Iterator[Any]:
    """Yields the parts of an action, or of a batch of them, in the order of the space."""
    if isinstance(space, Dict):
        for key, part in space.spaces.items():
            yield from _parts(part, batch[key])
    elif isinstance(space, Tuple):
        for part, one in zip(space.spaces, batch, strict=True):
            yield from _parts(part, one)
    else:
        yield batch


def _taken(space: Space, numbers: Iterator[Any]) -> Any:
    if isinstance(space, Dict):
        return {key: _taken(part, numbers) for key, part in space.spaces.items()}
    if isinstance(space, Tuple):
        return tuple(_taken(part, numbers) for part in space.spaces)
    found = [next(numbers) for _ in range(math.prod(space.shape or ()))]
    return np.array(found).astype(space.dtype).reshape(space.shape or ())[()]


def _code(scope: Expressions, space: Space, place: list[int]) -> Code:
    """Returns the part of a row from a place on, which moves behind it."""
    if isinstance(space, (Dict, Tuple)):
        codes = [_code(scope, part, place) for part in (space.values() if isinstance(space, Dict) else space.spaces)]
        kinds = tuple(code.kind for code in codes)
        kind = Mapping(tuple(space.spaces), kinds) if isinstance(space, Dict) else TupleKind(kinds)
        return Code(ast.Tuple([scope.node_of(code) for code in codes], ast.Load()), kind, ORIGIN)
    first, size, shape = place[0], math.prod(space.shape or ()), space.shape or ()
    place[0] += size
    assert space.dtype is not None
    dtype = np.dtype(space.dtype)
    if not shape:
        number = indexed(name("action"), first)
        node = number if dtype == np.float64 else called("int" if dtype.kind in "iu" else "np.float32", number)
        return Code(scope.temporary(node), Number(dtype, False), ORIGIN)
    part = Code(indexed(name("action"), ast.Slice(ast.Constant(first), ast.Constant(first + size))), Array(_FLOATS, 1))
    made = scope.array_in(part, dtype)
    if len(shape) > 1:
        sizes: list[ast.expr] = [ast.Constant(one) for one in shape]
        made = ast.Call(ast.Attribute(made, "reshape", ast.Load()), [ast.Tuple(sizes, ast.Load())], [])
    return Code(scope.temporary(made), Array(dtype, len(shape), shape), ORIGIN)


_FLOATS = np.dtype(np.float64)
