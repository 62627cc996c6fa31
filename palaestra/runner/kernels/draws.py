"""Params that kernels draw at the beginning of each episode: functions of the params' own random streams."""

from __future__ import annotations

import linecache
from dataclasses import dataclass
from itertools import count
from types import FunctionType
from typing import Any

from gymnasium.params.base import Distribution

_numbers = count()


@dataclass(frozen=True)
class Draw:
    """How a param is drawn.

    Attributes:
        place: The place of its value among those of the params' tree.
        function: The pure function `draw(bounds, rng, episode)`.
    """

    place: int
    function: FunctionType


def drawing(name: str, distribution: Distribution, base: object) -> FunctionType:
    """Returns a function `draw(bounds, rng, episode)` in the language of dynamics.

    Args:
        name: The param.
        distribution: The distribution of its values; or, with a base, of the factor of that.
        base: The number that is multiplied; None for none.

    Raises:
        TypeError: If a function is none of Python.
    """
    from palaestra.randomization.distributions import Function  # late: few batches draw params

    drawn: Any
    if isinstance(distribution, Function):
        drawn, arguments = distribution.function, "rng, episode"
    else:
        drawn, arguments = distribution.draw, f"bounds{'[1]' if base is not None else ''}, rng, episode"
    if not isinstance(drawn, FunctionType):
        raise TypeError(f"To be compiled, {name!r} needs a function of Python's, but {drawn!r} came")
    text = f"def drawn_{name}(bounds, rng, episode):\n"
    text += f"    value = {'bounds[0] * ' if base is not None else ''}draw({arguments})\n"
    if isinstance(distribution, Function):
        text += "    if not value - value == 0:\n"  # NaN, or infinite
        text += f"        raise ValueError({f'{name!r} takes finite numbers, but its function draws another'!r})\n"
    text += "    return value\n"
    file = f"<draw of {name} {next(_numbers)}>"
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    names: dict[str, Any] = {"__name__": __name__, "draw": drawn}
    exec(compile(text, file, "exec"), names)
    made: FunctionType = names[f"drawn_{name}"]
    return made


def bounds_of(distribution: Distribution, base: object) -> Any:
    """Returns the bounds that the function of `drawing` gets."""
    from palaestra.randomization.distributions import Function

    bounds = None if isinstance(distribution, Function) else distribution.bounds
    return bounds if base is None else (base, bounds)
