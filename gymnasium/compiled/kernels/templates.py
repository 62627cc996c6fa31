"""The parts of the kernels' text that are the same for all dynamics: functions called from Python, and by threads."""

from __future__ import annotations

from gymnasium.compiled.kernels.layout import DISABLED, FINISHED, WRONG_ACTIONS
from gymnasium.compiled.kernels.outputs import SIZE, SOURCE, TARGET
from gymnasium.compiled.kernels.pool import ACTIVE, CHUNKS, FRESH, NEXT, ROWS, ROWS_TOGETHER

HEADER = '''\
"""The kernels of {name}, written by gymnasium.compiled: changes to this file are lost."""

import numpy as np
from numba import njit

from gymnasium.jit.addresses import rows_at
from gymnasium.jit.exact.stores import as_long_tuple, attempt, fitted, frozen, own, put_back, tried
from gymnasium.jit.exact.stores import whole_array, words_of_stream, words_of_streams
from gymnasium.jit.lanes.memory import any_of, counted, fetched, gathered, loaded, scattered, stored
from gymnasium.jit.random.lane_draws import lane_streams_at
from gymnasium.jit.random.draws import stream_at
'''

CALLS = '''\
"""The callers of a step, written by gymnasium.compiled: changes to this file are lost."""

import numpy as np
from numba import njit

from gymnasium.jit.addresses import called_at, copied_at, rows_at
from gymnasium.jit.atomics import add, load, pause, store


@njit(**OPTIONS)
def begin(context, actions):
    wrong = False
{check}    if wrong:
        return {WRONG_ACTIONS}
    if context[{mode}] == {DISABLED}:
        for finished in rows_at(context[{finished}], (context[{n}],), np.bool_):
            if finished:
                return {FINISHED}
    at = actions.ctypes.data
    if context[{padded_actions}]:
        copied_at(context[{padded_actions}], at, actions.nbytes)
        at = context[{padded_actions}]
    context[{actions}] = at
    return 0


@njit(**OPTIONS)
def step_chunk(context, low, size):
    high = min(low + size, context[{n}])
    copies = context[{copies}] if context[{table}] else 0
    table = rows_at(context[{table}], (copies, 3), np.int64)
    fresh = 0
    for first in range(low, high, {ROWS_TOGETHER}):
        end = min(first + {ROWS_TOGETHER}, high)
        fresh += called_at(context[{rows}], context, first, end)
        for k in range(copies):
            width = table[k, {SIZE}]
            copied_at(table[k, {TARGET}] + first * width, table[k, {SOURCE}] + first * width, (end - first) * width)
    return fresh


@njit(cache=True, **OPTIONS)
def step(context, actions):
    code = begin(context, actions)
    if code < 0:
        return code
    return step_chunk(context, 0, context[{n}])


@njit(cache=True, **OPTIONS)
def step_some(context, actions, rows):
    context[{actions}] = actions.ctypes.data
    for row in rows:
        called_at(context[{one_row}], context, row, row + 1)


@njit(**OPTIONS)
def take_chunks(context, job):
    chunks, at = job[{CHUNKS}], job.ctypes.data
    worked = False
    while load(at + 8 * {NEXT}) < chunks:
        add(at + 8 * {ACTIVE}, 1)
        chunk = add(at + 8 * {NEXT}, 1)
        if chunk < chunks:
            add(at + 8 * {FRESH}, step_chunk(context, chunk * job[{ROWS}], job[{ROWS}]))
            worked = True
        add(at + 8 * {ACTIVE}, -1)
    return worked


@njit(cache=True, **OPTIONS)
def step_shared(context, actions, job):
    code = begin(context, actions)
    if code < 0:
        return code
    job[{FRESH}] = 0
    store(job.ctypes.data + 8 * {NEXT}, 0)
    take_chunks(context, job)
    while load(job.ctypes.data + 8 * {ACTIVE}) > 0:
        pause()
    return load(job.ctypes.data + 8 * {FRESH})


@njit(cache=True, **OPTIONS)
def work(context, job, patience):
    idle = 0
    while idle < patience:
        if take_chunks(context, job):
            idle = 0
        else:
            idle += 1
            pause()


@njit(cache=True, **OPTIONS)
def leave(job):
    add(job.ctypes.data + 8 * {ACTIVE}, -1)


@njit(cache=True, **OPTIONS)
def abandon(job):
    at = job.ctypes.data
    store(at + 8 * {NEXT}, job[{CHUNKS}])
    add(at + 8 * {ACTIVE}, -1)
    while load(at + 8 * {ACTIVE}) > 0:
        pause()
'''

NUMBERS = {
    "SOURCE": SOURCE,
    "TARGET": TARGET,
    "SIZE": SIZE,
    "ROWS_TOGETHER": ROWS_TOGETHER,
    "DISABLED": DISABLED,
    "WRONG_ACTIONS": WRONG_ACTIONS,
    "FINISHED": FINISHED,
    "NEXT": NEXT,
    "ACTIVE": ACTIVE,
    "CHUNKS": CHUNKS,
    "FRESH": FRESH,
    "ROWS": ROWS,
}
