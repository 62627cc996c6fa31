"""The text of the kernels of an environment: one function steps rows, one begins their episodes, others call these.

The kernels read everything from `context`, an array of addresses and numbers (`memory.py` fills it in), so a call takes
one argument. A row is one environment. `jit.cache` adds the other names of the text to its globals.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

import numpy as np

from palaestra.language.jit.lanes import CACHE_LINE, WIDTH
from palaestra.language.jit.random.seeding import WORDS
from palaestra.runner.kernels.columns import Column
from palaestra.runner.kernels.infos import Report
from palaestra.runner.kernels.layout import (
    NEXT_STEP,
    SAME_STEP,
    SKIPPED,
    Layout,
    final_info_name,
    info_name,
)
from palaestra.runner.kernels.params_text import ParamsText, starts
from palaestra.runner.kernels.plan import Plan
from palaestra.runner.kernels.transfers import (
    conversions,
    copied_row,
    has_arrays,
    indented,
    lanes_action,
    results_of_lanes,
    row_action,
    stored_of_lanes,
    stored_of_row,
    type_definition,
    type_of,
    without_unused,
)

HEADER = '''\
"""The kernels of {name}, written by palaestra.runner."""

from functools import partial

import numpy as np

from palaestra.language.jit.addresses import array_at, called_at, number_at
from palaestra.language.jit.backend import compiled, kernel
from palaestra.language.jit.columns import column_at, column_of, record_at, record_of, rows_from
from palaestra.language.jit.exact.rows import copied_row, stored_numbers, stored_row
from palaestra.language.jit.exact.stores import as_long_tuple, attempt, fitted, frozen, own, put_back, tried
from palaestra.language.jit.exact.stores import whole_array, words_of_stream, words_of_streams
from palaestra.language.jit.lanes.memory import any_of, counted, fetched, fetched_row, gathered, loaded, outermost
from palaestra.language.jit.lanes.memory import scattered, stored, stored_below
from palaestra.language.jit.lanes.selection import select
from palaestra.language.jit.random.lane_draws import lane_streams_at
from palaestra.language.jit.random.pcg64 import stream_at

{slots}
{types}
'''

# The constants of the text besides slots.
NUMBERS = {
    "NEXT_STEP": NEXT_STEP,
    "SAME_STEP": SAME_STEP,
    "SKIPPED_ROWS": SKIPPED,
    "WIDTH": WIDTH,
    "AHEAD": 4 * WIDTH,  # rows: lanes take about 100 ns, and memory answers within 300
    "WORDS": WORDS,  # of a random stream
    "STREAM": 8 * WORDS,  # its bytes
    "CHANCE": 8 * (WORDS + 1),  # those of the stream of params and the number of episodes
}
_WORDS, _MASK = Column("context", np.dtype(np.int64), ()), Column("mask", np.dtype(np.bool_), ())
_STREAMS = Column("streams", np.dtype(np.uint64), (WORDS,))
_OTHERS = _WORDS, _MASK, _STREAMS


def step_source(plan: Plan, each: frozenset[str] = frozenset(), lanes: bool = False, draws: bool = True) -> str:
    """Returns the text of `step_rows`.

    Args:
        plan: The plan of the kernels.
        each: The names of the param values that differ between environments.
        lanes: Whether rows are stepped eight at a time, up to the next whole eight.
        draws: Whether a step may draw random numbers.
    """
    return _Writer(plan, each | starts(plan, each), lanes, draws).steps()


def begin_source(plan: Plan, each: frozenset[str], start: frozenset[str]) -> str:
    """Returns the text of `begin_episodes`; `start` are the names of the params for the first state that differ."""
    return _Writer(plan, each | start).begins()


class _Writer:
    """Writes the functions; `each` are the names of the param values that differ between environments."""

    def __init__(self, plan: Plan, each: frozenset[str], lanes: bool = False, draws: bool = True) -> None:
        self.plan, self.lanes, self.draws, self.layout = plan, lanes, draws, Layout(plan)
        self.params = ParamsText(plan, self.layout, each)
        self.names = {name: f"{self.layout.words[name]}_column" for name in self.layout.columns}

    def steps(self) -> str:
        if self.lanes:
            return self._text(self._step_lanes(), steps=False)
        return self._text(self._step_rows(), steps=True)

    def begins(self) -> str:
        return self._text(self._begin_episodes(), steps=False)

    def _text(self, function: Iterator[str], steps: bool) -> str:
        """A module of a function and of its callees."""
        body = "\n".join(without_unused(function))
        slots = self.layout.constants(body, NUMBERS)
        head = HEADER.format(name=self.plan.name, slots=slots, types=self._types(body)).rstrip()
        return "\n\n\n".join((head, conversions(self.plan, steps), body)) + "\n"

    def _types(self, body: str) -> str:
        """The lines that define the types of columns and records in a text."""
        columns = *_OTHERS, self.plan.action, *self.layout.columns.values(), *self.layout.info_params.values()
        lines = dict.fromkeys([*map(type_definition, (*columns, *self.params.columns())), *self.params.types()])
        words = set(re.findall(r"\w+", body))
        return "\n".join(["# Types.", *(line for line in lines if line.split()[0] in words)])

    def _step_rows(self) -> Iterator[str]:
        name = self.names
        yield "@kernel"
        yield "def step_rows(context_at, low, high):"
        yield from indented(1, self._opening("params"))
        yield from indented(1, self._step_opening())
        if not self.plan.endless:
            yield from indented(1, self.params.opening("start"))
            yield "    mask_at = context[MASK]"
            yield "    resets = mask_at != 0"
            yield f"    early = rows_from(mask_at if resets else context[FINISHED], {type_of(_MASK)})"
            yield "    waits = resets or mode == NEXT_STEP"
        yield "    began = 0"
        yield "    for i in range(low, high):"
        yield from indented(2, self._row_opening("params"))
        if self.plan.endless:
            yield from indented(2, self._act())
            yield "    return began"
            return
        yield "        fresh = waits and early[i]"
        yield "        if not fresh:"
        yield "            if resets:"
        yield "                continue"
        yield from indented(3, self._act())
        yield f"            fresh = mode == SAME_STEP and {name['finished']}[i]"
        yield "        if not resets:"
        yield f"            {name['fresh']}[i] = fresh"
        yield from indented(3, self.params.info_masks_of_row())
        yield "        if fresh:"
        yield "            began += 1"
        yield "            if not resets:"
        yield from indented(4, self._ended())
        yield from indented(3, self._begin())
        if self.plan.own:
            yield "        if not resets:"
            yield from indented(3, self.params.info_params_of_row())
        yield "    return began"

    def _ended(self) -> Iterator[str]:
        """What a step leaves of the episode before the one that row i begins."""
        name = self.names
        yield "if mode == NEXT_STEP:"
        yield f"    {name['rewards']}[i] = 0.0"
        yield f"    {name['terminations']}[i] = {name['truncations']}[i] = False"
        yield "else:"
        yield from indented(1, self._finals())

    def _finals(self) -> Iterator[str]:
        """Keeps the results of the ending episode."""
        name = self.names
        for k, leaf in enumerate(self.plan.observation):
            yield from copied_row(name[f"final{k}"], name[f"observation{k}"], leaf.column)
        for leaf in self.plan.infos.step.leaves if self.plan.infos.step else ():
            yield from copied_row(name[final_info_name(leaf.column.name)], name[info_name(leaf.column)], leaf.column)

    def _step_opening(self) -> Iterator[str]:
        yield f"actions = column_at(context_at, ACTIONS, {type_of(self.plan.action)})"
        yield "limit, mode = context[LIMIT], context[MODE]"
        yield from self.params.info_opening()

    def _step_lanes(self) -> Iterator[str]:
        """Eight rows at a time act, then some of them begin an episode, while the cache holds them.

        It is one function, because Numba writes machine code for each, and repeats it for all callees. If there are
        more columns than the processor prefetches by itself, the function prefetches them; and also the random streams
        of lanes in which an episode begins.
        """
        acting = list(self._act_lanes())
        yield "@kernel"
        yield "def step_rows(context_at, low, high):"
        yield from indented(1, self._opening("params"))
        yield from indented(1, self._step_opening())
        yield "    began = skips = 0"
        yield "    any_began = False"
        yield f"    words = rows_from(streams, {type_of(_STREAMS)})"
        yield "    for i in range(low, high, WIDTH):"
        yield from indented(2, self._fetched_ahead(acting))
        yield from indented(2, iter(acting))
        if self.plan.endless:
            yield "    return skips * SKIPPED_ROWS"
            return
        yield "        any_began |= any_of(fresh)"
        yield "        first, last = outermost(fresh, i, low)"  # a branch would be guessed wrong too often
        for row in ("first", "last"):
            yield f"        fetched_row(words, {row})"
            yield from indented(2, self.params.chance_fetched(row))
        yield "    if any_began:"
        yield "        began = called_at(context[BEGIN_IN_LANES], (context_at, low, high))"
        yield from indented(1, self.params.info_params_of_lanes())
        yield "    return began + skips * SKIPPED_ROWS"

    def _fetched_ahead(self, acting: list[str]) -> Iterator[str]:
        """The used columns, except flags, of which the processor fetches more than lanes need."""
        used = set(re.findall(r"\b(?:\w+_column|actions)\b", "\n".join(acting)))
        columns = [(self.names[name], column) for name, column in self.layout.columns.items()]
        yield "ahead = i + AHEAD"
        for name, column in (*columns, ("actions", self.plan.action)):
            if name in used and math.prod(column.shape) * column.dtype.itemsize * WIDTH >= CACHE_LINE:
                yield f"fetched({name}, ahead)"
        yield from self.params.fetched_ahead()

    def _act_lanes(self) -> Iterator[str]:
        """Eight rows act, including those that only begin in this step."""
        plan, name = self.plan, self.names
        yield f"resting = loaded({name['finished']}, i) & (mode == NEXT_STEP)"
        yield "stream = streams + STREAM * i"
        yield "rngs = lane_streams_at(stream, resting)"
        fields = ", ".join(f"loaded({name[f'state{k}']}, i)" for k in range(len(plan.state)))
        yield f"state = State({fields})"
        yield f"action = {lanes_action(plan.action)}"
        yield from self.params.of_lanes()
        if self.draws:
            yield "before = words_of_streams(stream)"
        yield from results_of_lanes(plan, self.params.lanes)
        yield "if failed:"
        if self.draws:
            yield "    put_back(stream, before)"
        yield "    skips += 1"
        yield f"    stored_below({name['skipped']}, i, high, True)"
        yield f"    stored_below({name['fresh']}, i, high, False)"
        yield "    continue"
        if plan.outcome_type is not None:
            yield "earned, terminated = next_state.reward, next_state.terminated"
            yield "observed, info = next_state.observation, next_state.info"
        for k, leaf in enumerate(plan.observation):
            yield from stored_of_lanes(name[f"observation{k}"], leaf, "observed")
        for leaf in plan.infos.step.leaves if plan.infos.step else ():
            yield from stored_of_lanes(name[info_name(leaf.column)], leaf, "info")
        for k, column in enumerate(plan.state):
            moved = f"next_state.{column.name}"
            if plan.outcome_type is not None:  # `initial` reads the state, in which the unused step leaves no trace
                moved = f"select(resting, state.{column.name}, {moved})"
            yield f"stored({name[f'state{k}']}, i, {moved})"
            if plan.infos.in_python:
                yield f"stored({name[f'last{k}']}, i, next_state.{column.name})"
        if not plan.endless:
            yield f"stored({name['rewards']}, i, earned)"
            yield from self._counted_lanes()

    def _counted_lanes(self) -> Iterator[str]:
        """The episodes of eight rows are one step longer, and may be over."""
        name = self.names
        yield f"elapsed = counted(loaded({name['elapsed']}, i))"
        yield f"stored({name['elapsed']}, i, elapsed)"
        own = " | next_state.truncated" if self.plan.outcome_type is not None else ""
        yield f"truncated = (elapsed >= limit){own}"
        yield f"stored({name['terminations']}, i, terminated)"
        yield f"stored({name['truncations']}, i, truncated)"
        yield "finished = truncated | terminated"
        yield f"stored({name['finished']}, i, finished)"
        yield "fresh = resting | (finished & (mode == SAME_STEP))"
        yield f"stored({name['fresh']}, i, fresh)"

    def _act(self) -> Iterator[str]:
        """A row acts: everything is computed, then everything is written, so a row with an exception has not moved."""
        plan, name = self.plan, self.names
        yield f"state = State({', '.join(self._fields())})"
        yield f"action = {row_action(plan.action_space, plan.action, plan.outcome_type is not None)}"
        yield from self._kept_stream()
        yield f"next_state = {self._attempt('transition', 'state, action, rng, params')}"
        if plan.outcome_type is not None:
            yield "earned, terminated = next_state.reward, bool(next_state.terminated)"
            yield "observed, info = next_state.observation, next_state.info"
        else:
            yield from self._asked()
        yield f"seen = {self._attempt('shown', 'observed')}"
        if plan.infos.step:
            yield f"values = {self._attempt('reported', 'info')}"
        arrays = has_arrays(plan)
        yield f"moved = {self._attempt('kept', 'next_state, state') if arrays else 'next_state'}"
        yield from self._leaves_stored("seen", "values", plan.infos.step)
        yield from self._state_stored("moved", "state")
        if plan.infos.in_python:
            yield from self._state_stored("moved", "last")
        if not plan.endless:
            yield f"{name['rewards']}[i] = earned"
            yield from self._counted()

    def _counted(self) -> Iterator[str]:
        """The row's episode is one step longer, and may be over."""
        name = self.names
        yield f"elapsed = {name['elapsed']}[i] + 1"
        yield f"{name['elapsed']}[i] = elapsed"
        own = " or bool(next_state.truncated)" if self.plan.outcome_type is not None else ""
        yield f"truncated = elapsed >= limit{own}"
        yield f"{name['terminations']}[i] = terminated"
        yield f"{name['truncations']}[i] = truncated"
        yield f"{name['finished']}[i] = terminated or truncated"

    def _asked(self) -> Iterator[str]:
        """The results of a step from functions of their own."""
        if not self.plan.endless:
            yield f"earned = {self._attempt('reward', 'state, action, next_state, rng, params')}"
            yield f"terminated = bool({self._attempt('terminal', 'next_state, rng, params')})"
        yield f"observed = {self._attempt('observation', 'next_state, rng, params')}"
        if self.plan.infos.step:
            yield f"info = {self._attempt('transition_info', 'state, action, next_state, params')}"

    def _fields(self) -> Iterator[str]:
        """The expressions of the fields of row i's state; arrays are read-only."""
        for k, column in enumerate(self.plan.state):
            field = f"{self.names[f'state{k}']}[i]"
            yield f"frozen({field})" if column.shape else field

    def _kept_stream(self) -> Iterator[str]:
        yield "before = words_of_stream(stream)" if self.draws else "before = ()"

    def _attempt(self, function: str, arguments: str, before: str = "before") -> str:
        """The call of a function for row i: if it raises, the row's stream is restored, and its number recorded."""
        return f"attempt({function}, ({arguments},), {before}, stream, failed_at, i)"

    def _leaves_stored(self, seen: str, values: str, report: Report | None) -> Iterator[str]:
        for k, leaf in enumerate(self.plan.observation):
            yield from stored_of_row(self.names[f"observation{k}"], leaf.column, f"{seen}[{k}]", leaf.is_array)
        for k, leaf in enumerate(report.leaves if report else ()):
            yield from stored_of_row(self.names[info_name(leaf.column)], leaf.column, f"{values}[{k}]", leaf.is_array)

    def _begin_episodes(self) -> Iterator[str]:
        """The rows of a mask begin in a reset by the user; those of the column `fresh` in a step of lanes."""
        yield "@kernel"
        yield "def begin_episodes(context_at, low, high):"
        yield from indented(1, self._opening("params"))
        yield from indented(1, self.params.opening("start"))
        yield "    mask_at, mode = context[MASK], context[MODE]"
        yield "    resets = mask_at != 0"
        yield f"    mask = rows_from(mask_at if resets else context[FRESH], {type_of(_MASK)})"
        yield "    began = 0"
        yield "    for i in range(low, high):"
        yield "        if mask[i]:"
        yield "            began += 1"
        yield "            if not resets:"
        yield from indented(4, self._ended())
        yield from indented(3, self._row_opening("params"))
        yield from indented(3, self._begin())
        yield "    return began"

    def _begin(self) -> Iterator[str]:
        """A new episode of row i."""
        plan, name = self.plan, self.names
        yield from self.params.drawn()
        if self.params.begin_alike:
            yield from self.params.of_row("start")
        else:
            yield from self.params.of_row("params")
            yield f"start = {self.params.first()}"
        yield "first = words_of_stream(stream)"
        if plan.outcome_type is not None:
            yield f"before_it = State({', '.join(self._fields())})"
            yield f"begun = {self._attempt('initial', 'rng, start, before_it', 'first')}"
            yield "observed, info = begun.observation, begun.info"
        else:
            yield f"begun = {self._attempt('initial', 'rng, start', 'first')}"
            yield f"observed = {self._attempt('observation', 'begun, rng, params', 'first')}"
        yield f"seen = {self._attempt('shown', 'observed', 'first')}"
        if plan.infos.begin and plan.outcome_type is None:
            yield f"info = {self._attempt('state_info', 'begun, params', 'first')}"
        if plan.infos.begin:
            yield f"values = {self._attempt('reported_first', 'info', 'first')}"
        yield f"moved = {self._attempt('kept_first', 'begun', 'first') if has_arrays(plan) else 'begun'}"
        yield from self._leaves_stored("seen", "values", plan.infos.begin)
        yield from self._state_stored("moved", "state")
        yield f"{name['elapsed']}[i] = 0"
        yield f"{name['finished']}[i] = False"
        if plan.waits:
            yield f"{name['waiting']}[i] = False"

    def _opening(self, params: str) -> Iterator[str]:
        """The beginning of a function of rows: its columns and params."""
        yield f"context = rows_from(context_at, {type_of(_WORDS)})"
        yield "streams, failed_at = context[STREAMS], context_at + 8 * FAILED"
        for name, column in self.layout.columns.items():
            yield f"{self.names[name]} = column_at(context_at, {self.layout.slot(name)}, {type_of(column)})"
        yield from self.params.opening(params)
        yield from self.params.own_opening()

    def _row_opening(self, params: str) -> Iterator[str]:
        yield "stream = streams + STREAM * i"
        yield "rng = stream_at(stream)"
        yield from self.params.of_row(params)

    def _state_stored(self, value: str, prefix: str) -> Iterator[str]:
        for k, column in enumerate(self.plan.state):
            yield from stored_of_row(self.names[f"{prefix}{k}"], column, f"{value}[{k}]", is_array=True)
