"""The kernel text between columns and dynamics: it passes actions and params, and stores results in columns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np

from gymnasium.spaces.box import Box
from gymnasium.spaces.space import Space
from palaestra.runner.kernels.columns import Column, Leaf
from palaestra.runner.kernels.plan import IN_LANES, LONGEST_TUPLE, Plan


def conversions(plan: Plan, steps: bool) -> str:
    """Returns the text of the functions that convert results of the dynamics to values of columns.

    `shown(observed)` and `reported(info)` return tuples of their parts; `kept(next_state, state)` returns the tuple of
    the state's fields, if there are arrays among them. `reported_first(info)` and `kept_first(begun)` serve the start
    of an episode.

    Args:
        plan: The plan of the kernels.
        steps: Whether the functions of a step are needed.
    """
    functions = {"shown(observed)": _fitted("observed", plan.observation)}
    for report, last in ((plan.infos.step if steps else None, ""), (plan.infos.begin, "_first")):
        if report:
            functions[f"reported{last}(info)"] = _fitted("info", report.leaves)
    if has_arrays(plan):
        functions["kept_first(begun)"] = tuple_of(_kept(column, begins=True) for column in plan.state)
        if steps:
            functions["kept(next_state, state)"] = tuple_of(_kept(column, begins=False) for column in plan.state)
    return "\n\n\n".join(
        f"@partial(compiled, forceinline=True)\ndef {head}:\n    return {result}" for head, result in functions.items()
    )


def has_arrays(plan: Plan) -> bool:
    """Returns whether there are arrays among a state's fields."""
    return any(column.shape for column in plan.state)


def _kept(column: Column, begins: bool) -> str:
    field = f"{'begun' if begins else 'next_state'}.{column.name}"
    if not column.shape:
        return field
    whole = f"whole_array({field}, {column.shape})"
    return whole if begins else f"own({whole}, state.{column.name})"


def _fitted(value: str, leaves: Iterable[Leaf]) -> str:
    """The tuple of the parts of a value, in the form of their columns."""
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
    """The expression of nested tuples, with each part as an index between two texts."""
    if not shape:
        return before + after
    return tuple_of(_nested(shape[1:], f"{before}[{k}]", after) for k in range(shape[0]))


def type_name(dtype: np.dtype) -> str:
    """Returns the text of a numeric type."""
    return "np.bool_" if dtype.kind == "b" else f"np.{dtype.name}"


def type_of(column: Column) -> str:
    """Returns the name of the type of a column in the kernels' text."""
    return "_".join([column.dtype.name, *map(str, column.shape)]).upper()


def type_definition(column: Column) -> str:
    """Returns the line that defines the type of a column."""
    return f"{type_of(column)} = column_of({', '.join([type_name(column.dtype), *map(str, column.shape)])})"


def without_unused(function: Iterator[str]) -> list[str]:
    """Returns a function without the columns that it does not use: Numba needs milliseconds for each."""
    lines = list(function)
    uses = Counter(word for line in lines for word in re.findall(r"\b\w+_column\b", line))
    return [line for line in lines if not ((word := line.split()[0]) in uses and uses[word] == 1)]


def indented(depth: int, lines: Iterator[str]) -> Iterator[str]:
    """Returns lines, indented by some levels."""
    return ("    " * depth + line for line in lines)


def lanes_action(column: Column) -> str:
    """Returns the expression of the actions of eight rows from row i on."""
    if not column.shape:
        return "loaded(actions, i)"
    return f"({' '.join(f'gathered(actions, i, {k}),' for k in range(column.shape[0]))})"


def results_of_lanes(plan: Plan, params: str) -> Iterator[str]:
    """Yields the calls of a step's functions with lanes, each unless one before it has raised."""
    transition = "transition" if plan.outcome_type is None else IN_LANES
    yield f"failed, next_state = tried({transition}, (state, action, rngs, {params}))"
    if plan.outcome_type is not None:
        return
    ends = ("earned", "reward", "state, action, next_state, rngs"), ("terminated", "terminal", "next_state, rngs")
    for result, function, arguments in (
        *(() if plan.endless else ends),
        ("observed", "observation", "next_state, rngs"),
        *((("info", "transition_info", "state, action, next_state"),) if plan.infos.step else ()),
    ):
        yield "if not failed:"
        yield f"    failed, {result} = tried({function}, ({arguments}, {params}))"


def stored_of_lanes(target: str, leaf: Leaf, value: str) -> Iterator[str]:
    """Yields the lines that write a part of eight results into the rows from i on of a column named `target`."""
    part = f"{value}{leaf.path}"
    if not leaf.column.shape:
        yield f"stored({target}, i, {part})"
    for k in range(leaf.column.shape[0] if leaf.column.shape else 0):
        yield f"scattered({target}, i, {k}, {part}[{k}])"


def stored_of_row(target: str, column: Column, part: str, is_array: bool) -> Iterator[str]:
    """Yields the line that writes a value into row i of a column named `target`."""
    if not column.shape:
        yield f"{target}[i] = {part}"
    else:
        yield f"{'stored_row' if is_array else 'stored_numbers'}({target}, i, {part})"


def copied_row(target: str, source: str, column: Column) -> Iterator[str]:
    """Yields the line that copies row i of one column into another."""
    yield f"copied_row({target}, i, {source})" if column.shape else f"{target}[i] = {source}[i]"


def row_action(space: Space, column: Column, joint: bool = False) -> str:
    """Returns the expression of the action of row i, in the form in which a single environment passes it."""
    shape, kind = column.shape, column.dtype.kind
    if joint and shape:
        return "frozen(actions[i])"
    if not shape:
        return "np.float64(actions[i])" if kind == "f" else "np.int64(actions[i])"
    if isinstance(space, Box) and len(shape) == 1 and shape[0] > LONGEST_TUPLE:
        return "as_long_tuple(actions[i])"
    if isinstance(space, Box) and len(shape) == 1 and shape[0] > 0:
        plain = {"f": "np.float64", "b": "bool"}.get(kind, "np.int64")
        return f"({' '.join(f'{plain}(actions[i, {k}]),' for k in range(shape[0]))})"
    return "frozen(actions[i])"
