"""The text of what a row computes: when it acts, alone or as one of lanes, and when it begins an episode.

All is computed before anything is written, so that a row of which something raised has not moved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from gymnasium.compiled.columns import Leaf
from gymnasium.compiled.plan import Plan


def acted(plan: Plan) -> Iterator[str]:
    """The function of all that a row computes when it acts."""
    yield "@njit(forceinline=True, **OPTIONS)"
    yield "def acted(state, action, rng, params):"
    yield from indented(1, _transition(plan))
    parts = []
    for column in plan.state:
        field = f"next_state.{column.name}"
        owned = f"own(whole_array({field}, {column.shape}), state.{column.name})"
        parts.append(owned if column.shape else field)
    infos = _fitted("info", plan.infos.step.leaves if plan.infos.step else ())
    seen = _fitted("observed", plan.observation)
    yield f"    return {tuple_of(parts)}, float(earned), bool(terminated), {seen}, {infos}"


def acted_lanes(plan: Plan) -> Iterator[str]:
    """The function of all that lanes compute when they act."""
    yield "@njit(forceinline=True, **OPTIONS)"
    yield "def acted_lanes(state, action, rng, params):"
    yield from indented(1, _transition(plan))
    yield f"    return next_state, earned, terminated, observed{', info' if plan.infos.step else ''}"


def started(plan: Plan) -> Iterator[str]:
    """The function of all that a row computes when it begins an episode."""
    yield "@njit(forceinline=True, **OPTIONS)"
    yield "def started(rng, start, params):"
    yield "    begun = initial(rng, start)"
    yield "    observed = observation(begun, rng, params)"
    if plan.infos.begin:
        yield "    info = state_info(begun, params)"
    parts = []
    for column in plan.state:
        field = f"begun.{column.name}"
        parts.append(f"whole_array({field}, {column.shape})" if column.shape else field)
    infos = _fitted("info", plan.infos.begin.leaves if plan.infos.begin else ())
    yield f"    return {tuple_of(parts)}, {_fitted('observed', plan.observation)}, {infos}"


def _transition(plan: Plan) -> Iterator[str]:
    yield "next_state = transition(state, action, rng, params)"
    yield "earned = reward(state, action, next_state, rng, params)"
    yield "terminated = terminal(next_state, rng, params)"
    yield "observed = observation(next_state, rng, params)"
    if plan.infos.step:
        yield "info = transition_info(state, action, next_state, params)"


def _fitted(value: str, leaves: Iterable[Leaf]) -> str:
    """The tuple of the parts of a value, as their columns hold them."""
    parts = []
    for leaf in leaves:
        part, like = f"{value}{leaf.path}", f"{type_name(leaf.column.dtype)}(0)"
        if leaf.is_array or not leaf.column.shape:
            parts.append(f"fitted({part}, {leaf.column.shape}, {like})")
        else:
            parts.append(_nested(leaf.column.shape, f"fitted({part}", f", (), {like})"))
    return tuple_of(parts)


def tuple_of(parts: Iterable[str]) -> str:
    """Returns the expression of a tuple."""
    return f"({' '.join(f'{part},' for part in parts)})"


def _nested(shape: tuple[int, ...], before: str, after: str) -> str:
    """The expression of nested tuples, whose parts are each an index between two texts."""
    if not shape:
        return before + after
    return tuple_of(_nested(shape[1:], f"{before}[{k}]", after) for k in range(shape[0]))


def type_name(dtype: np.dtype[Any]) -> str:
    """Returns a type of numbers as the text names it."""
    return "np.bool_" if dtype.kind == "b" else f"np.{dtype.name}"


def indented(depth: int, lines: Iterator[str]) -> Iterator[str]:
    """Returns lines, each deeper by some steps."""
    return ("    " * depth + line for line in lines)
