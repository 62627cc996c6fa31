"""Prints what Numba makes of a user's functions: alone, after a batch of ours is compiled, or before it and again."""

from __future__ import annotations

import math
import re
import sys
from typing import Any, NamedTuple

import numpy as np

_ONES_OWN = re.compile(r"B\d+v\d+|\d+__numba_array_expr_0x[0-9a-f]+")
"""Parts of names that are a function's own: its number, and its address."""


class Body(NamedTuple):
    """Numbers and an array, as one argument."""

    position: float
    speed: float
    trace: np.ndarray


def moved(body: Body, push: float) -> Body:
    speed = body.speed + math.sin(push) * abs(push) ** 1.5 - math.exp(-(body.speed**2))
    place = (body.position + speed) % 3.0
    for k in range(len(body.trace)):
        body.trace[k] = math.floor(10.0 * place) + math.log1p(body.trace[k] ** 2)
    return Body(place, speed, body.trace)


def pull(places: np.ndarray, weights: np.ndarray) -> Any:
    return np.tanh(places * weights) + np.cumsum(np.cos(places))[:3].sum()


def called(functions: list[Any]) -> list[str]:
    """Returns the bits of what they return: they are compiled at their first call."""
    move, draw = functions
    body = Body(0.3, -0.2, np.linspace(0.0, 1.0, 7))
    for k in range(20):
        body = move(body, 0.7 * k - 5.0)
    drawn = draw(body.trace, np.linspace(-1.0, 1.0, 21).reshape(3, 7))
    return [body.position.hex(), body.speed.hex(), body.trace.tobytes().hex(), drawn.tobytes().hex()]


def code_of(function: Any) -> list[str]:
    """Returns the lines of LLVM's text and of the assembly, without the messages and pickled objects that they hold."""
    texts = [*function.inspect_llvm().values(), *function.inspect_asm().values()]
    lines = [_ONES_OWN.sub("", line) for one in texts for line in one.splitlines()]
    return [line for line in lines if ".const." not in line and ".ascii" not in line]


def by_numba() -> tuple[list[Any], list[str]]:
    """Returns the functions as Numba compiles them; and what they return, their code and Numba's settings."""
    import numba

    functions = [numba.njit(moved), numba.njit(pull)]
    results = called(functions)
    settings = [f"{name} = {value!r}" for name, value in vars(numba.config).items() if name.isupper()]
    return functions, [*results, *code_of(functions[0]), *code_of(functions[1]), *settings]


def ours() -> None:
    """Compile a batch and step it, without loading Numba."""
    loaded = "numba" in sys.modules
    import gymnasium

    envs = gymnasium.make_vec("CartPole-v1", 64, vectorization_mode="compiled")
    envs.reset(seed=1)
    for _ in range(20):
        envs.step(envs.action_space.sample())
    envs.close()
    assert ("numba" in sys.modules) == loaded


if __name__ == "__main__":
    order = sys.argv[1]
    if order == "after":
        ours()
    functions, told = by_numba()
    if order == "before":
        results = called(functions)
        ours()
        assert called(functions) == results == told[: len(results)]
        assert by_numba()[1] == told
    print("\n".join(told))
