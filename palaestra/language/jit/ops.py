"""The meaning of `gymnasium.functional.ops` in compiled code, for numbers and for lanes."""

from __future__ import annotations

import math

import numpy as np

from gymnasium.functional import ops
from palaestra.language.jit.backend import Meaning, Type, meaning_of
from palaestra.language.jit.fences import fenced
from palaestra.language.jit.lanes.selection import select, single
from palaestra.language.jit.lanes.squares import lanes_pow2, lanes_pow2f, number_pow2, number_pow2f
from palaestra.language.jit.lanes.trigonometry import cosine_of, sine_of
from palaestra.language.jit.lanes.types import FLAGS, FLOATS, INTS, LanesType


def _lanes(*kinds: Type) -> bool:
    return any(isinstance(kind, LanesType) for kind in kinds)


@meaning_of(math.sin)
def _sin(x: Type) -> Meaning:
    return (lambda x: sine_of(x)) if x is FLOATS else None


@meaning_of(math.cos)
def _cos(x: Type) -> Meaning:
    return (lambda x: cosine_of(x)) if x is FLOATS else None


@meaning_of(ops.where)
def _where(condition: Type, a: Type, b: Type) -> Meaning:
    if condition is FLAGS:
        return lambda condition, a, b: fenced(select(condition, a, b))
    return lambda condition, a, b: fenced(a if condition else b)


@meaning_of(ops.clip)
def _clip(x: Type, low: Type, high: Type) -> Meaning:
    if _lanes(x, low, high):
        return lambda x, low, high: fenced(select(x < low, low, select(x > high, high, x)))
    return lambda x, low, high: fenced(low if x < low else high if x > high else x)


@meaning_of(ops.minimum)
def _minimum(a: Type, b: Type) -> Meaning:
    if _lanes(a, b):
        return lambda a, b: fenced(select(b < a, b, a))
    return lambda a, b: fenced(b if b < a else a)


@meaning_of(ops.maximum)
def _maximum(a: Type, b: Type) -> Meaning:
    if _lanes(a, b):
        return lambda a, b: fenced(select(b > a, b, a))
    return lambda a, b: fenced(b if b > a else a)


@meaning_of(ops.float32)
def _float32(x: Type) -> Meaning:
    if x is FLOATS or x is INTS:
        return lambda x: single(x * 1.0)
    return lambda x: np.float64(np.float32(x * 1.0))


@meaning_of(ops.pow2)
def _pow2(x: Type) -> Meaning:
    return (lambda x: lanes_pow2(x)) if x is FLOATS else (lambda x: number_pow2(x))


@meaning_of(ops.pow2f)
def _pow2f(x: Type) -> Meaning:
    return (lambda x: lanes_pow2f(x)) if x is FLOATS else (lambda x: number_pow2f(x))
