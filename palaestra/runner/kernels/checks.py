"""Checks that the types returned by the dynamics' code are those of the columns that hold them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gymnasium.functional.fields import described
from palaestra.language.jit.backend import numba, types
from palaestra.language.jit.exact.kinds import in_words, instance_of, number_kind, parts_of
from palaestra.language.jit.exact.language import Check
from palaestra.runner.kernels.columns import Column, Leaf
from palaestra.runner.kernels.draws import Draw
from palaestra.runner.kernels.params import values_in
from palaestra.runner.kernels.plan import IN_LANES, Plan


def checks_of(plan: Plan) -> dict[str, Check]:
    """Returns the check of each function of a plan."""

    def outcome(kind: object, mixed: bool) -> list[str]:
        if not isinstance(kind, types.BaseNamedTuple):
            return [f"{plan.name} must return a NamedTuple, but {in_words(kind)} came"]
        found = dict(zip(instance_of(kind)._fields, parts_of(kind), strict=True))
        kept = [(found[column.name], column) for column in plan.state]
        reasons = [reason for one, column in kept for reason in _as_column(one, column, f"self.{column.name}")]
        return reasons + _leaves(found["observation"], plan.observation, same_kind=False)

    draws = {f"draw{k}": _drawn(plan, draw) for k, draw in enumerate(plan.draws)}
    if plan.outcome_type is not None:
        return draws | {"initial": outcome, "transition": outcome, IN_LANES: outcome}

    def state(kind: Any, mixed: bool) -> list[str]:
        if not isinstance(kind, types.BaseNamedTuple) or tuple(instance_of(kind)._fields) != plan.state_type._fields:
            return [f"{plan.name} must return a {plan.state_type.__name__}, but {in_words(kind)} came"]
        pairs = zip(parts_of(kind), plan.state, strict=True)
        return [reason for one, column in pairs for reason in _as_column(one, column, f"the state's {column.name}")]

    def number(kind: object, mixed: bool) -> list[str]:
        return [] if number_kind(kind) else [f"{plan.name} must return one number here, but {in_words(kind)} came"]

    def observation(kind: object, mixed: bool) -> list[str]:
        return _leaves(kind, plan.observation, same_kind=False)

    def begin(kind: object, mixed: bool) -> list[str]:
        return _leaves(kind, plan.infos.begin.leaves if plan.infos.begin else (), same_kind=True)

    def step(kind: object, mixed: bool) -> list[str]:
        return _leaves(kind, plan.infos.step.leaves if plan.infos.step else (), same_kind=True)

    return draws | {
        "initial": state,
        "transition": state,
        "observation": observation,
        "reward": number,
        "terminal": number,
        "state_info": begin,
        "transition_info": step,
    }


def _drawn(plan: Plan, draw: Draw) -> Check:
    """Returns the check of a function that draws a param."""
    value = values_in(plan.params)[draw.place]

    def check(kind: object, mixed: bool) -> list[str]:
        came, held = number_kind(kind), number_kind(numba.from_dtype(value.dtype))
        if came == held or (came, held) == ("i", "f"):
            return []
        return [f"the param is {value.dtype}, but {in_words(kind)} is drawn: let it be of the same kind"]

    return check


def _as_column(kind: Any, column: Column, name: str) -> list[str]:
    """The reasons why a column cannot hold a type without a change."""
    held = numba.from_dtype(column.dtype)
    if column.shape:
        good = isinstance(kind, types.Array) and kind.dtype == held and kind.ndim == len(column.shape)
        good = good and kind.aligned
    else:
        good = number_kind(kind) == number_kind(held) and (number_kind(kind) not in ("n", "s") or kind == held)
    if good:
        return []
    return [
        f"{name} is {in_words(kind)} here, but was {described(column.dtype, column.shape)} at first: let each function "
        "return the same kind (1.0 rather than 1, or the other way round)"
    ]


def _leaves(kind: object, leaves: Sequence[Leaf], same_kind: bool) -> list[str]:
    """The reasons why columns cannot hold the parts of a type, with the same kinds or after a lossless conversion."""
    reasons = []
    for leaf in leaves:
        part = kind
        for index in leaf.indices:
            if not isinstance(part, types.BaseTuple) or index >= len(parts_of(part)):
                return [f"{leaf.column.name} must be a tuple's part, but {in_words(part)} came"]
            part = parts_of(part)[index]
        if same_kind:
            reasons += _as_column(part, leaf.column, f"the info's {leaf.column.name!r}")
            continue
        numbers = part.dtype if isinstance(part, types.Array) else part
        while isinstance(numbers, types.BaseTuple) and len({number_kind(one) for one in parts_of(numbers)}) <= 2:
            kinds = {number_kind(one) for one in parts_of(numbers)}
            numbers = next((one for one in parts_of(numbers) if number_kind(one) in ("f", "s")), parts_of(numbers)[0])
            if None in kinds and len(kinds) > 1:
                break
        held, came = number_kind(numba.from_dtype(leaf.column.dtype)), number_kind(numbers)
        if came is None or (held in ("i", "n", "b") and came in ("f", "s")):
            reasons.append(
                f"{leaf.column.name} holds {leaf.column.dtype}, but {in_words(numbers)} came: write int(...), or widen "
                "the space"
            )
    return reasons
