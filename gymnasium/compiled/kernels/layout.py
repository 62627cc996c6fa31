"""The layout of `context`, the kernels' array of addresses and numbers, and the meaning of their results."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gymnasium.compiled.kernels.columns import Column
from gymnasium.compiled.kernels.params import Node, Record, Value
from gymnasium.compiled.kernels.plan import Plan
from gymnasium.vector.vector_env import AutoresetMode

# The autoreset modes, as numbers.
NEXT_STEP, SAME_STEP, DISABLED = range(3)
MODES = {AutoresetMode.NEXT_STEP: NEXT_STEP, AutoresetMode.SAME_STEP: SAME_STEP, AutoresetMode.DISABLED: DISABLED}
# The result of a step's kernel: the number of reset rows, or the reason why none moved.
WRONG_ACTIONS, FINISHED = -1, -2
UNLIMITED = 2**63 - 1  # steps of an episode
SKIPPED = 1 << 40  # added for each eight rows that lanes left to be stepped one by one


class Layout:
    """The slots of `context`."""

    def __init__(self, plan: Plan) -> None:
        self.columns = dict(_columns(plan))
        names = [
            "n",
            "rows",
            "one_row",
            "failed",
            "copies",
            "table",
            "limit",
            "mode",
            "streams",
            "actions",
            "padded_actions",
            "lowest",
            "highest",
            *self.columns,
        ]
        for prefix in ("params", "start"):
            for k, value in enumerate(values_in(plan.params)):
                names += [f"{prefix}{k}", *(f"{prefix}{k}.{axis}" for axis in range(value.ndim))]
        self.slots = {name: k for k, name in enumerate(names)}


def _columns(plan: Plan) -> Iterator[tuple[str, Column]]:
    for name in ("finished", "fresh", "skipped", "terminations", "truncations"):
        yield name, Column(name, np.dtype(np.bool_), ())
    yield "elapsed", Column("elapsed", np.dtype(np.int64), ())
    yield "rewards", Column("rewards", np.dtype(np.float64), ())
    for k, column in enumerate(plan.state):
        yield f"state{k}", column
        if plan.infos.in_python:
            yield f"last{k}", column
    for k, leaf in enumerate(plan.observation):
        yield f"observation{k}", leaf.column
        yield f"final{k}", leaf.column
    for leaf in plan.infos.step.leaves if plan.infos.step else ():
        yield info_name(leaf.column), leaf.column
        yield final_info_name(leaf.column.name), leaf.column
    for leaf in plan.infos.begin.leaves if plan.infos.begin else ():
        yield info_name(leaf.column), leaf.column


def info_name(column: Column) -> str:
    """Returns the name of the column of an info key; resets and steps share it if their types are equal."""
    return f"info:{column.name}:{column.dtype}"


def final_info_name(key: str) -> str:
    """Returns the name of the column that keeps an info key of a last step while its row is reset."""
    return f"final_info:{key}"


def values_in(tree: Node) -> Iterator[Value]:
    """The values of the params' tree, in order."""
    if isinstance(tree, Value):
        yield tree
    elif isinstance(tree, Record):
        for part in tree.parts:
            yield from values_in(part)
