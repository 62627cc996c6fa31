"""Functions outside of programs, as functions of JAX: those of the C library, and NumPy's inner loops.

Their last bits are those of XLA, which are not the C library's; results that are exact there (log2(8.0), say) are exact
here, too.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np

from gymnasium.envs._jax.library import jnp, lax
from palaestra.language.jax.memory import Address, Items, vector
from palaestra.language.jax.numbers import NotUnderJax, Number, as_array, is_known
from palaestra.language.llvm.symbols import C_FUNCTIONS


def called(symbol: str, kind: np.dtype[Any], arguments: list[Number]) -> Number:
    """Returns the result of a function of the C library, for example "sin", or "sinf" of float32."""
    name = symbol if symbol in C_FUNCTIONS else symbol.removesuffix("f")
    function = _FUNCTIONS.get(name)
    if function is None:
        raise NotUnderJax(f"the function {name}")
    return function(*map(as_array, arguments))


def _remainder(x: Any, y: Any) -> Any:
    """IEEE's remainder: of the quotient that is nearest, even between two."""
    size = lax.abs(y)
    half = lax.rem(x, size + size)
    rest = lax.abs(half)
    less = jnp.where(rest + rest > size, rest - size, rest)
    less = jnp.where((rest + rest > size) & (less + less >= size), less - size, less)
    small = size < np.finfo(size.dtype).tiny * 2
    less = jnp.where(small & (rest > size / 2), rest - size, less)
    return jnp.where(jnp.signbit(x), -less, less)


def _log2(x: Any) -> Any:
    """The power of two is split off: exact for powers of two."""
    part, power = jnp.frexp(x)
    low = part < math.sqrt(0.5)
    found = jnp.log(jnp.where(low, part * 2, part)) * x.dtype.type(1 / math.log(2)) + jnp.where(low, power - 1, power)
    return jnp.where(jnp.isfinite(x) & (x > 0), found, jnp.log(x))


def _log10(x: Any) -> Any:
    """Powers of ten have integers as their logarithms."""
    found = jnp.log(x) / x.dtype.type(math.log(10))
    nearest = jnp.round(found)
    powers = jnp.asarray(np.array([float(f"1e{k}") for k in range(23)], x.dtype))
    is_power = powers.at[nearest.astype(jnp.int32)].get(mode="fill", fill_value=0) == x
    return jnp.where(is_power & (nearest >= 0), nearest, found)


def _power(x: Any, y: Any) -> Any:
    """Squares, and powers of integers up to 2**53, are exact where they are in C."""
    found = lax.pow(x, y)
    rounded = jnp.round(found)
    is_whole = (jnp.round(x) == x) & (jnp.round(y) == y) & (y >= 0) & (lax.abs(found) < 2**53)
    found = jnp.where(is_whole, rounded, found)
    return jnp.where(y == 2, x * x, found)


def _cube_root(x: Any) -> Any:
    found = lax.cbrt(x)
    rounded = jnp.round(found)
    return jnp.where(rounded * rounded * rounded == x, rounded, found)


def _exp2(x: Any) -> Any:
    whole = jnp.round(x)
    return jnp.where(
        whole == x, jnp.ldexp(x.dtype.type(1), jnp.clip(whole, -1100, 1100).astype(jnp.int32)), lax.exp2(x)
    )


def _gamma(x: Any) -> Any:
    """Integers have factorials."""
    size = jnp.exp(lax.lgamma(x))
    sign = jnp.where((x < 0) & (jnp.floor(x) % 2 != 0), -1, 1).astype(x.dtype)
    table = jnp.asarray(np.array([math.factorial(k) for k in range(23)], np.float64).astype(x.dtype))
    exact = table.at[(x - 1).astype(jnp.int32)].get(mode="clip")
    return jnp.where((jnp.floor(x) == x) & (x >= 1) & (x <= 23), exact, sign * size)


def _reciprocal(x: Any) -> Any:
    """Of the integer 0 it is what infinity becomes as an integer on the processors that NumPy runs on."""
    if x.dtype.kind == "f":
        return 1 / x
    of_zero = np.iinfo(x.dtype).min if x.dtype.itemsize >= 4 else 0
    return jnp.where(x == 0, x.dtype.type(of_zero), lax.div(jnp.ones_like(x), jnp.where(x == 0, 1, x).astype(x.dtype)))


def _parts(x: Any) -> tuple[Any, Any]:
    """The fraction and the whole of a number; infinity has a fraction of zero."""
    whole = jnp.trunc(x)
    return jnp.copysign(jnp.where(jnp.isinf(x), 0, x - whole), x), whole


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{name: getattr(jnp, name) for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "expm1", "log")},
    **{f"a{name}": getattr(jnp, f"arc{name}") for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "tan2")},
    "log1p": jnp.log1p,
    "exp2": _exp2,
    "log2": _log2,
    "log10": _log10,
    "cbrt": _cube_root,
    "erf": lax.erf,
    "erfc": lax.erfc,
    "tgamma": _gamma,
    "lgamma": lax.lgamma,
    "fmod": lax.rem,
    "pow": _power,
    "hypot": jnp.hypot,
    "remainder": _remainder,
    "nextafter": lax.nextafter,
}
_UFUNCS: dict[str, Callable[..., Any]] = {
    "modf": _parts,
    "reciprocal": _reciprocal,
    "exp2": _exp2,
    "log2": _log2,
    "log10": _log10,
    "cbrt": _cube_root,
    "fabs": lax.abs,
}


def looped(walk: Any, symbol: str, arguments: list[Any]) -> None:
    """Run a loop of NumPy's.

    Args:
        walk: What holds the memory.
        symbol: The loop, for example "add:dd->d".
        arguments: The addresses of the operands, their strides, and the number of items; see `program.OPERATIONS`.
    """
    name, _, letters = symbol.partition(":")
    taken, given = letters.split("->")
    kinds = [np.dtype(one) for one in taken + given]
    addresses, words = arguments[: len(kinds)], arguments[len(kinds) :]
    if not is_known(*words):
        raise NotUnderJax(f"NumPy's {name} of arrays whose lengths are found at run time")
    steps = _steps(name, len(kinds), [int(one) for one in words])
    is_reduced = len(steps[-1]) > 1 and not steps[-1].any() and name != "matmul"
    operands = [_read(walk, address, kind, step) for address, kind, step in zip(addresses, kinds, steps, strict=False)][
        : len(taken)
    ]
    if is_reduced:
        made = [_reduced(name, *operands).reshape(1)]
        steps[-1] = steps[-1][:1]
    else:
        made = _applied(name, operands, kinds[len(taken) :])
    for address, step, values in zip(addresses[len(taken) :], steps[len(taken) :], made, strict=True):
        walk.write(address, step, values)


def _steps(name: str, count: int, words: list[int]) -> list[Any]:
    """The bytes from the first item of each operand to each of its items, an array of the operand's shape."""
    ufunc = getattr(np, name, None)
    strides, rest = words[:count], words[count:]
    axes = [re.findall(r"\w+", one) for one in re.findall(r"\(([^)]*)\)", getattr(ufunc, "signature", None) or "")]
    names = [*dict.fromkeys(one for several in axes for one in several)]
    inner = iter(rest[: sum(map(len, axes))])
    n, *lengths = rest[sum(map(len, axes)) :]
    length_of = dict(zip(names, lengths, strict=True))
    found = []
    for k, stride in enumerate(strides):
        steps = np.arange(n, dtype=np.int64) * stride
        for axis in axes[k] if axes else ():
            steps = steps[..., None] + np.arange(length_of[axis], dtype=np.int64) * next(inner)
        found.append(steps)
    return found


def _read(walk: Any, address: Address, kind: np.dtype[Any], steps: Any) -> Any:
    values = vector([(walk.items(room), there) for room, there in address.options()], address.offset, steps)
    return values if values.dtype == kind else lax.bitcast_convert_type(values, kind)


def _reduced(name: str, total: Any, items: Any) -> Any:
    """What a loop leaves that takes its own result as its first operand."""
    several = jnp.concatenate([total[:1], items])
    if name in _REDUCED:
        return _REDUCED[name](several).astype(total.dtype)
    if len(several) > _MOST:
        raise NotUnderJax(f"NumPy's {name} of so many items")
    return reduce(getattr(jnp, name), list(several)).astype(total.dtype)


_MOST = 64
_REDUCED: dict[str, Callable[..., Any]] = {
    "add": jnp.sum,
    "multiply": jnp.prod,
    "maximum": jnp.max,
    "minimum": jnp.min,
    "logical_and": jnp.all,
    "logical_or": jnp.any,
}


def _applied(name: str, operands: list[Any], kinds: list[np.dtype[Any]]) -> list[Any]:
    function = _UFUNCS.get(name) or getattr(jnp, name, None)
    if function is None:
        raise NotUnderJax(f"NumPy's {name}")
    if name == "matmul":
        found = jnp.einsum("aij,ajk->aik", *operands, precision=lax.Precision.HIGHEST)
    else:
        found = function(*operands)
    several = found if isinstance(found, tuple) else (found,)
    return [one.astype(kind) for one, kind in zip(several, kinds, strict=True)]


def stored(items: Items, offset: Number, steps: Any, numbers: Any) -> Items:
    """Returns items with an array of numbers at an offset and some bytes further."""
    room = items.room
    flat, places = numbers.reshape(-1), np.asarray(steps).reshape(-1)
    kind = room.kind
    if is_known(offset) and len(flat) <= 4:
        placed = {int(offset) + int(step): flat[k] for k, step in enumerate(places)}
        return Items(room, items.whole, {**items.placed, **placed})
    if kind is None:
        raise NotUnderJax("memory with numbers of several kinds at places that are found at run time")
    values = flat if flat.dtype == kind else lax.bitcast_convert_type(flat, kind)
    if is_known(offset):
        indices = (int(offset) + places) // kind.itemsize
        if np.array_equal(indices, np.arange(room.count)):
            return Items(room, values)
        return Items(room, jnp.asarray(items.array()).at[indices].set(values))
    found = lax.div(offset, np.int64(kind.itemsize)) + places // kind.itemsize
    return Items(room, jnp.asarray(items.array()).at[found].set(values, mode="drop"))
