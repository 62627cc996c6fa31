"""The layout of `context`, the kernels' array of addresses and numbers, and the meaning of their results."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import numpy as np

from gymnasium.functional.stream_rows import WORDS
from gymnasium.vector.vector_env import AutoresetMode
from palaestra.runner.kernels.columns import Column
from palaestra.runner.kernels.params import Node, paths_in, values_in
from palaestra.runner.kernels.plan import Plan

# The autoreset modes, as numbers.
NEXT_STEP, SAME_STEP, DISABLED = range(3)
MODES = {AutoresetMode.NEXT_STEP: NEXT_STEP, AutoresetMode.SAME_STEP: SAME_STEP, AutoresetMode.DISABLED: DISABLED}
# The result of a step's kernel: the number of reset rows, or the reason why none moved.
WRONG_ACTIONS, FINISHED, RAISED = -1, -2, -3
LEFT = -4  # a rollout's: lists have no room
NOBODY = 2**63 - 1  # the row that raised, where none did
UNLIMITED = 2**63 - 1  # steps of an episode
SKIPPED = 1 << 40  # added for each eight rows that lanes left to be stepped one by one


class RowRaised(Exception):
    """The dynamics of a row raised in machine code, which leaves the exception to Python."""


class Layout:
    """The slots of `context`.

    Attributes:
        columns: The columns, by name.
        info_params: The own params in the infos of a step, in slots one behind another: each param, zeros in rows that
            have none there; the mask of each; and at the end the mask of rows that have any.
        slots: The number of each slot, by name.
        words: The name of each column and of each of the params in the kernels' text, by its name here.
    """

    def __init__(self, plan: Plan) -> None:
        named, info_params = list(_columns(plan)), list(_info_param_columns(plan))
        self.columns = {name: column for name, _, column in named}
        self.info_params = {name: column for name, _, column in info_params}
        words = {name: word for name, word, _ in (*named, *info_params)}
        names = [
            "n",
            "rows",
            "one_row",
            "act",
            "act_alone",
            "begin",
            "begin_in_lanes",
            "mask",
            "failed",
            "copies",
            "table",
            "some",
            "limit",
            "mode",
            "streams",
            "actions",
            "padded_actions",
            "lowest",
            "highest",
            "checked",
            "episode_returns",
            "begun",
            *self.columns,
            *self.info_params,
        ]
        for prefix in ("params", "start", "usual", "bounds"):
            for k, (path, value) in enumerate(paths_in(tree_named(prefix, plan))):
                if f"{prefix}{k}" not in words:
                    words[f"{prefix}{k}"] = f"{prefix}{path}"
                    names += [f"{prefix}{k}", *(f"{prefix}{k}.{axis}" for axis in range(value.ndim))]
        self.slots = {name: k for k, name in enumerate(names)}
        self.words = _distinct(words)

    def slot(self, name: str) -> str:
        """Returns the name of a slot's constant in the kernels' text."""
        start, dot, axis = name.rpartition(".")
        if name in self.words or not dot:  # the key of an info may have dots of its own
            return self.words.get(name, name).upper()
        return f"{self.words.get(start, start)}_SIZE_{axis}".upper()

    def autoreset_slots(self, plan: Plan) -> tuple[list[int], list[int]]:
        """Returns the slots of the params for first states, and those from which they are filled for autoresets."""
        own = {*plan.own} & {*plan.started}
        pairs = []
        for k, value in enumerate(values_in(plan.params)):
            source = f"{'usual' if k in own else 'params'}{k}"
            pairs += [(f"start{k}{axis}", f"{source}{axis}") for axis in ("", *(f".{d}" for d in range(value.ndim)))]
        return [self.slots[start] for start, _ in pairs], [self.slots[source] for _, source in pairs]

    def constants(self, text: str, others: Mapping[str, int]) -> str:
        """Returns the lines that define the constants used in a text: slots, and others.

        SLOTS leaves out slots behind those that are used, so that dynamics share a text that uses the first ones only.
        """
        used = set(re.findall(r"\b[A-Z][A-Z0-9_]*\b", text))
        slots = {self.slot(name): number for name, number in self.slots.items()}
        slots = {name: number for name, number in slots.items() if name in used}
        lines = [f"{name} = {number}" for name, number in others.items() if name in used]
        lines += ["# The slots of `context`.", f"SLOTS = {max(slots.values(), default=0) + 1}"]
        return "\n".join([*lines, *(f"{name} = {number}" for name, number in slots.items())])


def _distinct(words: dict[str, str]) -> dict[str, str]:
    """Names of Python, no two of which differ in case only."""
    taken: set[str] = set()
    found = {}
    for name, word in words.items():
        plain = re.sub(r"\W+", "_", word, flags=re.ASCII).rstrip("_")
        found[name] = plain if plain.upper() not in taken else f"{plain}_{len(taken)}"
        taken.add(found[name].upper())
    return found


def tree_named(prefix: str, plan: Plan) -> Node:
    """Returns the form of the params named `prefix`.

    They are `params`, those of each environment; `start`, those for the first state; `usual`, which `start` is at an
    autoreset where `params` are the environments' own; and `bounds`, which draws get.
    """
    return plan.bounds if prefix == "bounds" else plan.params


def _columns(plan: Plan) -> Iterator[tuple[str, str, Column]]:
    """Yields the name of each column, its name in the kernels' text, and the column."""
    for name in ("finished", "fresh", "skipped", "terminations", "truncations"):
        yield name, name, Column(name, np.dtype(np.bool_), ())
    yield "elapsed", "elapsed", Column("elapsed", np.dtype(np.int64), ())
    yield "rewards", "rewards", Column("rewards", np.dtype(np.float64), ())
    for k, column in enumerate(plan.state):
        yield f"state{k}", f"state_{column.name}", column
        if plan.infos.in_python:
            yield f"last{k}", f"last_{column.name}", column
    for k, leaf in enumerate(plan.observation):
        yield f"observation{k}", f"observation{leaf.path}", leaf.column
        yield f"final{k}", f"final_observation{leaf.path}", leaf.column
    for leaf in plan.infos.step.leaves if plan.infos.step else ():
        yield info_name(leaf.column), f"info_{leaf.column.name}", leaf.column
        yield final_info_name(leaf.column.name), f"final_info_{leaf.column.name}", leaf.column
    step = {info_name(leaf.column) for leaf in plan.infos.step.leaves} if plan.infos.step else set()
    for leaf in plan.infos.begin.leaves if plan.infos.begin else ():
        if info_name(leaf.column) not in step:
            yield info_name(leaf.column), f"first_info_{leaf.column.name}", leaf.column
    yield from _own_columns(plan)


def _own_columns(plan: Plan) -> Iterator[tuple[str, str, Column]]:
    """Yields the columns of params that are drawn, or set for some environments, and of options that wait."""
    values = list(paths_in(plan.params))
    for k in plan.own:
        path, value = values[k]
        yield f"params{k}", f"params{path}", Column(f"params{path}", value.dtype, ())
    if plan.own:
        yield "chances", "chances", Column("chances", np.dtype(np.int64), (WORDS + 1,))
    for k in plan.held:
        yield f"held{k}", f"held{values[k][0]}", Column(f"held{k}", np.dtype(np.bool_), ())
    if plan.waits:
        yield "waiting", "waiting", Column("waiting", np.dtype(np.bool_), ())
    for k in plan.started if plan.waits else ():
        path, value = values[k]
        yield f"waiting{k}", f"waiting{path}", Column(f"waiting{path}", value.dtype, ())


def _info_param_columns(plan: Plan) -> Iterator[tuple[str, str, Column]]:
    """Yields the columns of `Layout.info_params` as `_columns` does."""
    values = list(paths_in(plan.params))
    for k in plan.own:
        path, value = values[k]
        yield f"info_param{k}", f"info_param{path}", Column(f"info_param{path}", value.dtype, ())
    for k in plan.own:
        yield f"info_mask{k}", f"info_mask{values[k][0]}", Column(f"info_mask{k}", np.dtype(np.bool_), ())
    if plan.own:
        yield "info_mask", "info_mask", Column("info_mask", np.dtype(np.bool_), ())


def info_name(column: Column) -> str:
    """Returns the name of the column of an info key; resets and steps share it if they are of one dtype and shape."""
    return f"info:{column.name}:{column.dtype}{column.shape or ''}"


def final_info_name(key: str) -> str:
    """Returns the name of the column that keeps an info key of a last step while its row is reset."""
    return f"final_info:{key}"
