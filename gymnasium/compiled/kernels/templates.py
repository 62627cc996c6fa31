"""The parts of the kernels' text that are the same for all dynamics: functions called from Python, and by threads.

Every kernel takes addresses. A job is the memory that threads share, see `pool`.
"""

from __future__ import annotations

from gymnasium.compiled.kernels.layout import DISABLED, FINISHED, WRONG_ACTIONS
from gymnasium.compiled.kernels.outputs import SIZE, SOURCE, TARGET
from gymnasium.compiled.kernels.pool import ACTIVE, CHUNKS, FRESH, NEXT, ROWS, ROWS_TOGETHER

HEADER = '''\
"""The kernels of {name}, written by gymnasium.compiled."""

from functools import partial

import numpy as np

from gymnasium.jit.addresses import rows_at
from gymnasium.jit.backend import compiled, kernel
from gymnasium.jit.exact.stores import as_long_tuple, attempt, fitted, frozen, own, put_back, tried
from gymnasium.jit.exact.stores import whole_array, words_of_stream, words_of_streams
from gymnasium.jit.lanes.memory import any_of, counted, fetched, gathered, loaded, scattered, stored
from gymnasium.jit.random.lane_draws import lane_streams_at
from gymnasium.jit.random.draws import stream_at

{slots}
'''

CALLS = (
    '''\
"""The callers of a step, written by gymnasium.compiled."""

import numpy as np

from gymnasium.jit.addresses import called_at, copied_at, rows_at
from gymnasium.jit.atomics import add, load, pause, store
from gymnasium.jit.backend import kernel

{slots}
'''
    + f"""
# A job's words, and the columns of the table of copies.
NEXT_CHUNK, ACTIVE_THREADS, CHUNKS, FRESH_ROWS, ROWS_OF_A_CHUNK = {NEXT}, {ACTIVE}, {CHUNKS}, {FRESH}, {ROWS}
SOURCE_OF, TARGET_OF, SIZE_OF = {SOURCE}, {TARGET}, {SIZE}


@kernel
def begin(context_at, actions_at):
    context = rows_at(context_at, (SLOTS,), np.int64)
    wrong = False
{{check}}    if wrong:
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


@kernel
def step_chunk(context_at, low, size):
    context = rows_at(context_at, (SLOTS,), np.int64)
    high = min(low + size, context[N])
    copies = context[COPIES] if context[TABLE] else 0
    table = rows_at(context[TABLE], (copies, 3), np.int64)
    fresh = 0
    for first in range(low, high, {ROWS_TOGETHER}):
        end = min(first + {ROWS_TOGETHER}, high)
        fresh += called_at(context[ROWS], context_at, first, end)
        for k in range(copies):
            at, size_of_rows = first * table[k, SIZE_OF], (end - first) * table[k, SIZE_OF]
            copied_at(table[k, TARGET_OF] + at, table[k, SOURCE_OF] + at, size_of_rows)
    return fresh


@kernel
def step(context_at, actions_at):
    code = begin(context_at, actions_at)
    if code < 0:
        return code
    return step_chunk(context_at, 0, rows_at(context_at, (SLOTS,), np.int64)[N])


@kernel
def step_some(context_at, actions_at, rows_address):
    context = rows_at(context_at, (SLOTS,), np.int64)
    context[ACTIONS] = actions_at
    for row in rows_at(rows_address, (context[SOME],), np.int64):
        called_at(context[ONE_ROW], context_at, row, row + 1)
    return 0


@kernel
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


@kernel
def step_shared(context_at, actions_at, job_at):
    code = begin(context_at, actions_at)
    if code < 0:
        return code
    store(job_at + 8 * FRESH_ROWS, 0)
    store(job_at + 8 * NEXT_CHUNK, 0)
    take_chunks(context_at, job_at)
    while load(job_at + 8 * ACTIVE_THREADS) > 0:
        pause()
    return load(job_at + 8 * FRESH_ROWS)


@kernel
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


@kernel
def leave(job_at):
    add(job_at + 8 * ACTIVE_THREADS, -1)
    return 0


@kernel
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
    "step": 2,
    "step_some": 3,
    "step_shared": 3,
    "work": 3,
    "leave": 1,
    "abandon": 1,
    "reset": 2,
}
"""The number of arguments of each kernel, all int64; it returns one too. Python passes arrays as addresses."""
