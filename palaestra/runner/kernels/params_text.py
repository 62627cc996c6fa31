"""The kernel text that reads params, and draws those of each episode."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

from palaestra.runner.kernels.columns import Column
from palaestra.runner.kernels.layout import Layout, tree_named
from palaestra.runner.kernels.params import Node, Record, Value, paths_in, record_types, values_in
from palaestra.runner.kernels.plan import Plan
from palaestra.runner.kernels.transfers import type_name, type_of


def starts(plan: Plan, each: frozenset[str]) -> frozenset[str]:
    """Returns the names of the params for first states that differ between environments in an autoreset."""
    shared = (k for k in range(len(values_in(plan.params))) if k not in plan.own)
    return frozenset(f"start{k}" for k in shared if f"params{k}" in each)


class ParamsText:
    """The text that reads params.

    Args:
        plan: The plan of the kernels.
        layout: Its layout.
        each: The names of the values that differ between environments.
    """

    def __init__(self, plan: Plan, layout: Layout, each: frozenset[str]) -> None:
        self._plan, self._layout, self._each = plan, layout, each

    def opening(self, prefix: str) -> Iterator[str]:
        """Yields the lines before the loop over rows: the columns of the params named `prefix`, and equal params."""
        slot = self._layout.slot
        if self._at_once(prefix):
            first = slot(f"{prefix}0")
            yield f"{prefix} = record_at(context_at, {first}, PARAMS_RECORD)"
            return
        for k, (_, value) in enumerate(paths_in(tree_named(prefix, self._plan))):
            name = f"{prefix}{k}"
            if not self._is_read(prefix, k):
                continue
            kind = type_name(value.dtype)
            if value.kind == "number" and name not in self._each:
                yield f"{self._alike(name)} = number_at(context_at, {slot(name)}, {kind})"
                continue
            many = "context[N]" if name in self._each else "1"
            if value.kind == "number":
                column = type_of(Column(name, value.dtype, ()))
                yield f"{self._layout.words[name]} = column_at(context_at, {slot(name)}, {column})"
                continue
            inner = [str(value.size)] if value.kind == "tuple" else []
            inner += [f"context[{slot(f'{name}.{axis}')}]" for axis in range(value.ndim)]
            shape = ", ".join([many, *inner])
            yield f"{self._layout.words[name]} = array_at(context_at, {slot(name)}, ({shape},), {kind})"
            if name not in self._each:
                yield f"{self._alike(name)} = {self._of_row(self._layout.words[name], '0', value)}"
        if not self._differ(prefix) and (prefix != "start" or self.begin_alike):
            yield f"{prefix} = {self._built(prefix)}"

    def own_opening(self) -> Iterator[str]:
        """Yields the lines before the loop over rows that draw params of their own."""
        if self._plan.draws:
            yield "chances = context[CHANCES]"
            yield from self.opening("bounds")

    def of_row(self, prefix: str) -> Iterator[str]:
        """Yields the lines for row i: its params, if they differ between rows."""
        if self._differ(prefix) and (prefix != "start" or self.begin_alike):
            yield f"{prefix} = {self._built(prefix)}"

    def info_opening(self) -> Iterator[str]:
        """Yields the lines before the loop over rows: the arrays of `Layout.info_params`."""
        for name, column in self._layout.info_params.items():
            slot = self._layout.slot(name)
            yield f"{self._layout.words[name]}_column = column_at(context_at, {slot}, {type_of(column)})"

    def info_masks_of_row(self) -> Iterator[str]:
        """Yields the lines that write which own params of row i are in its infos."""
        for column, mask in self._masks("{}[i]").items():
            yield f"{column}[i] = {mask}"

    def info_params_of_row(self) -> Iterator[str]:
        """Yields the lines that write the own params of row i, after it may have begun, for its infos."""
        values = values_in(self._plan.params)
        for k in self._plan.own:
            zero = f"{type_name(values[k].dtype)}(0)"
            value = f"{self._rows('params', k)}[i] if {self._mask(k)}[i] else {zero}"
            yield f"{self._word('info_param', k)}_column[i] = {value}"

    def info_params_of_lanes(self) -> Iterator[str]:
        """Yields the lines that write the own params of rows low to high - 1, of which some may have begun."""
        masks, values = self._masks("loaded({}, i)"), values_in(self._plan.params)
        if masks:
            yield "for i in range(low, high, WIDTH):"
            yield "    fresh = loaded(fresh_column, i)"
        for k in self._plan.own:
            chosen = f"{masks[self._mask(k)]}, loaded({self._rows('params', k)}, i), {type_name(values[k].dtype)}(0)"
            yield f"    stored({self._word('info_param', k)}_column, i, select({chosen}))"
        for column, mask in masks.items():
            yield f"    stored({column}, i, {mask})"

    def _masks(self, read: str) -> dict[str, str]:
        """Returns the expressions of the masks of rows with own params in infos, by column; `read` reads a column."""
        held = {k: read.format(f"{self._word('held', k)}_column") for k in self._plan.held}
        masks = {self._mask(k): f"(fresh & {held[k]})" if k in held else "fresh" for k in self._plan.own}
        if masks:
            any_of_row = f"{self._layout.words['info_mask']}_column"  # dynamics may have an info named "mask" as well
            masks[any_of_row] = "fresh" if self._plan.draws else " | ".join(masks.values())
        return masks

    def _mask(self, k: int) -> str:
        """The name of the mask of the rows with an own param in infos."""
        return f"{self._word('info_mask', k)}_column"

    def _word(self, prefix: str, k: int) -> str:
        return self._layout.words[f"{prefix}{k}"]

    @property
    def lanes(self) -> str:
        """The name of the params of eight rows."""
        return "params_of_lanes" if self._differ("params") else "params"

    def of_lanes(self) -> Iterator[str]:
        """Yields the lines for eight rows: their params, if they differ between rows."""
        if self._differ("params"):
            yield f"{self.lanes} = {self._built('params', in_lanes=True)}"

    def drawn(self) -> Iterator[str]:
        """Yields the lines that draw and keep the params of row i's next episode.

        If a function raises, the stream has not advanced.
        """
        if not self._plan.draws:
            return
        yield from self.of_row("bounds")
        yield "chance_stream = chances + CHANCE * i"
        yield "chance, untouched = stream_at(chance_stream), words_of_stream(chance_stream)"
        yield "episode = chances_column[i, WORDS]"
        for j in range(len(self._plan.draws)):
            arguments = f"(bounds[{j}], chance, episode)"
            yield f"drawn{j} = attempt(draw{j}, {arguments}, untouched, chance_stream, failed_at, i)"
        for j, draw in enumerate(self._plan.draws):
            yield f"{self._rows('params', draw.place)}[i] = drawn{j}"
        yield "chances_column[i, WORDS] = episode + 1"

    def chance_fetched(self, row: str) -> Iterator[str]:
        """Yields the lines that prefetch the stream from which a row draws."""
        if self._plan.draws:
            yield f"fetched_row(chances_column, {row})"

    def fetched_ahead(self) -> Iterator[str]:
        """Yields the lines that prefetch what `of_lanes` loads, except flags, and `info_params_of_lanes` writes."""
        for k, value in enumerate(values_in(self._plan.params)):
            apart = f"params{k}" in self._each and k not in self._plan.own  # these are columns
            if apart and value.dtype.itemsize == 8:
                yield f"fetched({self._rows('params', k)}, ahead)"
        for name in self._layout.info_params:
            yield f"fetched({self._layout.words[name]}_column, i)"

    @property
    def begin_alike(self) -> bool:
        """Whether a first state is drawn from the params named `start`."""
        return not (self._plan.own or self._plan.waits)

    def first(self) -> str:
        """The expression of the params for the first state of row i.

        A row uses its waiting options, if there are any. Otherwise it uses `start`, except for the row's own params,
        which no options change.
        """

        def leaf(k: int, value: Value) -> str:
            started = k in self._plan.started
            text = self._read("start" if self._is_read("start", k) else "params", k, value)
            if not (started and self._plan.waits):
                return text
            return f"{self._layout.words[f'waiting{k}']}_column[i] if waiting_column[i] else {text}"

        return self._expression(self._plan.params, leaf)

    def types(self) -> Iterator[str]:
        """Yields the line that defines the type of params that are read at once."""
        tree = self._plan.params
        if isinstance(tree, Record) and _is_plain(tree):
            yield f"PARAMS_RECORD = {_form(tree, count())}"

    def columns(self) -> Iterator[Column]:
        """Yields a column of the type of each number."""
        for tree in (self._plan.params, self._plan.bounds):
            yield from (Column("", value.dtype, ()) for value in values_in(tree) if value.kind == "number")

    def _at_once(self, prefix: str) -> bool:
        """Whether the params named `prefix` are read by one call: all rows share them, and there are no arrays."""
        tree = tree_named(prefix, self._plan)
        shared = not (self._plan.own or self._plan.waits or self._differ(prefix))
        return shared and isinstance(tree, Record) and _is_plain(tree)

    def _is_read(self, prefix: str, k: int) -> bool:
        own, started = k in self._plan.own, k in self._plan.started
        return {"params": not own, "start": not own or started, "bounds": True}[prefix]

    def _differ(self, prefix: str) -> bool:
        return any(name.startswith(prefix) for name in self._each)

    def _rows(self, prefix: str, k: int) -> str:
        """The name of the rows of a value."""
        name = self._layout.words[f"{prefix}{k}"]
        return f"{name}_column" if prefix == "params" and k in self._plan.own else name

    def _built(self, prefix: str, in_lanes: bool = False) -> str:
        """The expression of the params of row i, or of the eight rows from there on."""
        tree = tree_named(prefix, self._plan)
        return self._expression(tree, lambda k, value: self._read(prefix, k, value, in_lanes))

    def _expression(self, tree: Node, leaf: Callable[[int, Value], str]) -> str:
        """The expression of a tree, of which `leaf` returns that of a value."""
        bounds = tree is self._plan.bounds
        numbers = count()
        records = count(len(list(record_types(self._plan.params))) if bounds else 0)

        def expression(node: Node) -> str:
            if node is None:
                return "None"
            if isinstance(node, Record):
                kind = f"Record{next(records)}" if node.type is not tuple else ""
                return f"{kind}({' '.join(f'{expression(part)},' for part in node.parts)})"
            return leaf(next(numbers), node)

        return expression(tree)

    def _read(self, prefix: str, k: int, node: Value, in_lanes: bool = False) -> str:
        """The expression of a value of row i, or of eight rows."""
        differs, rows = f"{prefix}{k}" in self._each, self._rows(prefix, k)
        if in_lanes and differs:
            return f"loaded({rows}, i)"
        return self._of_row(rows, "i", node) if differs else self._alike(f"{prefix}{k}")

    def _alike(self, name: str) -> str:
        """The name of a value that all rows share: read once, so that what follows from it is computed once."""
        return f"all_{self._layout.words[name]}"

    def _of_row(self, rows: str, i: str, node: Value) -> str:
        """The expression of a value of a row."""
        row = f"{rows}[{i}"
        if node.kind == "array":
            return f"frozen({row}])"
        if node.kind == "long":
            return f"as_long_tuple({row}])"
        if node.kind == "tuple":
            return f"({' '.join(f'{row}, {j}],' for j in range(node.size))})"
        return f"{row}]"


def _is_plain(tree: Node) -> bool:
    """Whether a tree is one of tuples, all with numbers."""
    if isinstance(tree, Value):
        return tree.kind in ("number", "tuple")
    return isinstance(tree, Record) and bool(tree.parts) and all(map(_is_plain, tree.parts))


def _form(tree: Node, kinds: Iterator[int]) -> str:
    """The expression of the type of a record; `kinds` counts the NamedTuples."""
    if isinstance(tree, Value):
        return f"({type_name(tree.dtype)}, {tree.size})" if tree.kind == "tuple" else type_name(tree.dtype)
    if tree is None:
        return "None"
    kind = f"Kind{next(kinds)}" if tree.type is not tuple else "tuple"
    return f"record_of({', '.join([kind, *(_form(part, kinds) for part in tree.parts)])})"
