"""The parts of the kernels' text that are the same for all dynamics: functions called from Python, and by threads.

Every kernel takes addresses. A job is the memory that threads share, see `pool`.
"""

from __future__ import annotations

from palaestra.language.jit.lanes import CACHE_LINE
from palaestra.runner.kernels.layout import DISABLED, FINISHED, NEXT_STEP, SKIPPED, WRONG_ACTIONS
from palaestra.runner.kernels.outputs import SIZE, SOURCE, TARGET
from palaestra.runner.kernels.pool import ACTIVE, CHUNKS, FRESH, NEXT, ROWS, ROWS_TOGETHER

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

TASK = (
    *("CONTEXT", "LOW", "HIGH", "TOGETHER", "STEPS", "STEP", "POLICY", "ACT", "ACT_LEFT", "ACTING"),
    *("INWARD", "STAGES_INWARD", "OUTWARD", "STAGES_OUTWARD"),
    *("BEFORE", "COPIES_BEFORE", "AFTER", "COPIES_AFTER", "LAST", "COPIES_LAST"),
    *("RETURNS", "LENGTHS", "OVER", "VALID", "ENDED_RETURNS", "ENDED_LENGTHS"),
)
"""The words of a task of `collect`: what `compiled.rollouts` tells it, and where it is in case of an exception."""

CALLS = (
    '''\
"""The callers of a step, written by palaestra.runner in the language of palaestra.language.jit.words."""

{slots}
'''
    + f"""
# A job's words, and the columns of the table of copies.
NEXT_CHUNK, ACTIVE_THREADS, CHUNKS, FRESH_ROWS, ROWS_OF_A_CHUNK = {NEXT}, {ACTIVE}, {CHUNKS}, {FRESH}, {ROWS}
SOURCE_OF, TARGET_OF, SIZE_OF = {SOURCE}, {TARGET}, {SIZE}
# The words of a task of `collect`, and the columns of its tables of copies.
{", ".join(TASK)} = range({len(TASK)})
ROW_SOURCE, STEP_TARGET, ROW_SIZE, STEP_SIZE = range(4)
# The columns of its tables of stages.
STAGE, STAGE_CONTEXT = range(2)


def are_wrong(context_at, actions_at, n):
    context = rows_at(context_at, (SLOTS,), np.int64)
    wrong = False
{{check}}    return wrong


def begin(context_at, actions_at, table_at):
    context = rows_at(context_at, (SLOTS,), np.int64)
    context[TABLE] = table_at if rows_at(table_at, (SIZE_OF,), np.int64)[SOURCE_OF] else 0
    checked, context[CHECKED] = context[CHECKED], 0
    if checked != actions_at:
        if are_wrong(context_at, actions_at, context[N]):
            return {WRONG_ACTIONS}
    if context[MODE] == {DISABLED}:
        for finished in rows_at(context[FINISHED], (context[N],), np.bool_):
            if finished:
                return {FINISHED}
    if context[PADDED_ACTIONS]:
        copied_at(context[PADDED_ACTIONS], actions_at, context[N] * {{action_size}})
        actions_at = context[PADDED_ACTIONS]
    context[ACTIONS] = actions_at
    return 0


def check(context_at, actions_at):
    context = rows_at(context_at, (SLOTS,), np.int64)
    context[CHECKED] = 0
    if are_wrong(context_at, actions_at, context[N]):
        return {WRONG_ACTIONS}
    context[CHECKED] = actions_at
    return 0


def count(context_at, first, end, came):
    context = rows_at(context_at, (SLOTS,), np.int64)
    n = context[N]
    fresh, skipped = rows_at(context[FRESH], (n,), np.bool_), rows_at(context[SKIPPED], (n,), np.bool_)
    rewards, returns = rows_at(context[REWARDS], (n,), np.float64), rows_at(context[EPISODE_RETURNS], (n,), np.float64)
    begun = rows_at(context[BEGUN], (n,), np.uint8)
    next_at = context[EPISODE_RETURNS] + 8 * end
    for line in range(next_at, next_at + 8 * (end - first), {CACHE_LINE}):
        fetched_at(line)
    if came >= {SKIPPED}:
        for row in range(first, end):
            if not skipped[row]:
                returns[row] = 0.0 if fresh[row] else returns[row] + rewards[row]
                begun[row] += fresh[row]
        return 0
    for row in range(first, end):
        returns[row] = 0.0 if fresh[row] else returns[row] + rewards[row]
        begun[row] += fresh[row]
    return 0


def step_chunk(context_at, low, size):
    context = rows_at(context_at, (SLOTS,), np.int64)
    high = min(low + size, context[N])
    copies = context[COPIES] if context[TABLE] else 0
    table = rows_at(context[TABLE], (copies, 3), np.int64)
    fresh = 0
    for first in range(low, high, {ROWS_TOGETHER}):
        end = min(first + {ROWS_TOGETHER}, high)
        came = called_at(context[ROWS], context_at, first, end)
        fresh += came
        if context[EPISODE_RETURNS]:
            count(context_at, first, end, came)
        for k in range(copies):
            at, size_of_rows = first * table[k, SIZE_OF], (end - first) * table[k, SIZE_OF]
            copied_at(table[k, TARGET_OF] + at, table[k, SOURCE_OF] + at, size_of_rows)
    return fresh


def step(context_at, actions_at, table_at):
    code = begin(context_at, actions_at, table_at)
    if code < 0:
        return code
    return step_chunk(context_at, 0, rows_at(context_at, (SLOTS,), np.int64)[N])


def step_some(context_at, actions_at, rows_address):
    context = rows_at(context_at, (SLOTS,), np.int64)
    context[ACTIONS] = actions_at
    for row in rows_at(rows_address, (context[SOME],), np.int64):
        called_at(context[ONE_ROW], context_at, row, row + 1)
    return 0


def step_left(context_at, low, high):
    context = rows_at(context_at, (SLOTS,), np.int64)
    skipped = rows_at(context[SKIPPED], (context[N],), np.bool_)
    for row in range(low, high):
        if skipped[row]:
            skipped[row] = False
            called_at(context[ONE_ROW], context_at, row, row + 1)
    return 0


def reset(context_at, mask_at):
    context = rows_at(context_at, (SLOTS,), np.int64)
    context[MASK] = mask_at
    called_at(context[BEGIN], context_at, 0, context[N])
    return 0


def collect(task_at):
    task = rows_at(task_at, ({len(TASK)},), np.int64)
    context_at, low, high, steps = task[CONTEXT], task[LOW], task[HIGH], task[STEPS]
    context = rows_at(context_at, (SLOTS,), np.int64)
    n, actions_at, waits = context[N], context[ACTIONS], context[MODE] == {NEXT_STEP}
    before = rows_at(task[BEFORE], (task[COPIES_BEFORE], 4), np.int64)
    after = rows_at(task[AFTER], (task[COPIES_AFTER], 4), np.int64)
    last = rows_at(task[LAST], (task[COPIES_LAST], 4), np.int64)
    inward = rows_at(task[INWARD], (task[STAGES_INWARD], 2), np.int64)
    outward = rows_at(task[OUTWARD], (task[STAGES_OUTWARD], 2), np.int64)
    rewards = rows_at(context[REWARDS], (n,), np.float64)
    terminations = rows_at(context[TERMINATIONS], (n,), np.bool_)
    truncations = rows_at(context[TRUNCATIONS], (n,), np.bool_)
    returns, lengths = rows_at(task[RETURNS], (n,), np.float64), rows_at(task[LENGTHS], (n,), np.int64)
    over, valid = rows_at(task[OVER], (n,), np.bool_), rows_at(task[VALID], (steps, n), np.bool_)
    ended_returns = rows_at(task[ENDED_RETURNS], (steps, n), np.float64)
    ended_lengths = rows_at(task[ENDED_LENGTHS], (steps, n), np.int64)
    together = task[TOGETHER]
    for first in range(low, high, together):
        end = min(first + together, high)
        for step in range(steps):
            task[STEP], task[ACTING] = step, 1
            left = called_at(task[ACT], task[POLICY], first, end)
            if left >= {SKIPPED}:
                called_at(task[ACT_LEFT], task[POLICY], first, end)
            for k in range(len(inward)):
                called_at(inward[k, STAGE], inward[k, STAGE_CONTEXT], first, end)
            if (left < 0) | are_wrong(context_at, actions_at + first * {{action_size}}, end - first):
                return {WRONG_ACTIONS}
            task[ACTING] = 0
            for k in range(len(before)):
                size = before[k, ROW_SIZE]
                to = before[k, STEP_TARGET] + step * before[k, STEP_SIZE] + first * size
                copied_at(to, before[k, ROW_SOURCE] + first * size, (end - first) * size)
            if called_at(context[ROWS], context_at, first, end) >= {SKIPPED}:
                step_left(context_at, first, end)
            for k in range(len(outward)):
                if called_at(outward[k, STAGE], outward[k, STAGE_CONTEXT], first, end) < 0:
                    return {WRONG_ACTIONS}
            for k in range(len(after)):
                size = after[k, ROW_SIZE]
                to = after[k, STEP_TARGET] + step * after[k, STEP_SIZE] + first * size
                copied_at(to, after[k, ROW_SOURCE] + first * size, (end - first) * size)
            changes = False
            for row in range(first, end):
                valid[step, row] = not (waits & over[row])
                returns[row] += rewards[row]
                lengths[row] += 1
                changes |= terminations[row] | truncations[row] | over[row]
            if not changes:
                continue
            for row in range(first, end):
                ends = terminations[row] | truncations[row]
                if ends:
                    ended_returns[step, row], ended_lengths[step, row] = returns[row], lengths[row]
                    for k in range(len(last)):
                        size = last[k, ROW_SIZE]
                        to = last[k, STEP_TARGET] + step * last[k, STEP_SIZE] + row * size
                        copied_at(to, last[k, ROW_SOURCE] + row * size, size)
                if over[row] | (ends & (not waits)):
                    returns[row], lengths[row] = 0.0, 0
                over[row] = ends & waits
    return 0


def take_chunks(context_at, job_at):
    job = rows_at(job_at, (ROWS_OF_A_CHUNK + 1,), np.int64)
    chunks, rows = job[CHUNKS], job[ROWS_OF_A_CHUNK]
    worked = False
    while load(job_at + 8 * NEXT_CHUNK) < chunks:
        add(job_at + 8 * ACTIVE_THREADS, 1)
        chunk = add(job_at + 8 * NEXT_CHUNK, 1)
        if chunk < chunks:
            add(job_at + 8 * FRESH_ROWS, step_chunk(context_at, chunk * rows, rows))
            worked = True
        add(job_at + 8 * ACTIVE_THREADS, -1)
    return worked


def step_shared(context_at, actions_at, table_at, job_at):
    code = begin(context_at, actions_at, table_at)
    if code < 0:
        return code
    store(job_at + 8 * FRESH_ROWS, 0)
    store(job_at + 8 * NEXT_CHUNK, 0)
    take_chunks(context_at, job_at)
    while load(job_at + 8 * ACTIVE_THREADS) > 0:
        pause()
    return load(job_at + 8 * FRESH_ROWS)


def work(context_at, job_at, patience_at):
    patience = rows_at(patience_at, (1,), np.int64)[0]
    idle = 0
    while idle < patience:
        if take_chunks(context_at, job_at):
            idle = 0
        else:
            idle += 1
            pause()
    return 0


def leave(job_at):
    add(job_at + 8 * ACTIVE_THREADS, -1)
    return 0


def abandon(job_at):
    store(job_at + 8 * NEXT_CHUNK, rows_at(job_at, (CHUNKS + 1,), np.int64)[CHUNKS])
    add(job_at + 8 * ACTIVE_THREADS, -1)
    while load(job_at + 8 * ACTIVE_THREADS) > 0:
        pause()
    return 0
"""
)

ARGUMENTS = {
    "step_rows": 3,
    "begin_episodes": 3,
    "check": 2,
    "step": 3,
    "step_some": 3,
    "step_left": 3,
    "step_shared": 4,
    "work": 3,
    "leave": 1,
    "abandon": 1,
    "reset": 2,
    "collect": 1,
}
"""The number of arguments of each kernel, all int64; it returns one too. Python passes arrays as addresses."""
