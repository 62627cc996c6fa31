"""The parts of the kernels' text that are the same for all dynamics: what is called from Python, and by threads."""

from __future__ import annotations

from gymnasium.compiled.lanes import WIDTH
from gymnasium.compiled.layout import DISABLED, FINISHED, WRONG_ACTIONS
from gymnasium.compiled.pool import ACTIVE, CHUNKS, FRESH, NEXT

TOGETHER = 256  # rows that act before those of them begin that have to: what they touch stays in the nearest cache

HEADER = '''\
"""The kernels of {name}, written by gymnasium.compiled: what is changed here is lost."""

import numpy as np
from numba import carray, njit

from gymnasium.compiled.atomics import add, load, pause, pointer_to, store
from gymnasium.compiled.lane_memory import any_of, gathered, loaded, scattered, stored
from gymnasium.compiled.lane_streams import lane_streams_at
from gymnasium.compiled.stream import stream_at
'''

LANES = """\
@njit(**OPTIONS)
def step_lanes(context, low, high):
    last = high - (high - low) % {WIDTH}
    began = 0
    for first in range(low, last, {TOGETHER}):
        end = min(first + {TOGETHER}, last)
        if act_lanes(context, first, end):
            began += begin_rows(context, first, end)
    return began + step_rows(context, last, high)
"""

CALLS = """

@njit(**OPTIONS)
def check(context, actions):
    wrong = False
{check}    if wrong:
        return {WRONG_ACTIONS}
    if context[{mode}] == {DISABLED}:
        finished = carray(pointer_to(context[{finished}]), context[{n}], np.bool_)
        if finished.any():
            return {FINISHED}
    return 0


@njit(cache=True, **OPTIONS)
def step(context, actions):
    code = check(context, actions)
    if code < 0:
        return code
    context[{actions}] = actions.ctypes.data
    return {rows}(context, 0, context[{n}])


@njit(cache=True, **OPTIONS)
def step_some(context, actions, rows):
    context[{actions}] = actions.ctypes.data
    for row in rows:
        step_rows(context, row, row + 1)


@njit(**OPTIONS)
def take_chunks(context, job):
    n, chunks, at = context[{n}], job[{CHUNKS}], job.ctypes.data
    worked = False
    while load(at + 8 * {NEXT}) < chunks:
        add(at + 8 * {ACTIVE}, 1)
        chunk = add(at + 8 * {NEXT}, 1)
        if chunk < chunks:
            fresh = {rows}(context, chunk * n // chunks, (chunk + 1) * n // chunks)
            add(at + 8 * {FRESH}, fresh)
            worked = True
        add(at + 8 * {ACTIVE}, -1)
    return worked


@njit(cache=True, **OPTIONS)
def step_shared(context, actions, job):
    code = check(context, actions)
    if code < 0:
        return code
    context[{actions}] = actions.ctypes.data
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
"""

NUMBERS = {
    "TOGETHER": TOGETHER,
    "WIDTH": WIDTH,
    "DISABLED": DISABLED,
    "WRONG_ACTIONS": WRONG_ACTIONS,
    "FINISHED": FINISHED,
    "NEXT": NEXT,
    "ACTIVE": ACTIVE,
    "CHUNKS": CHUNKS,
    "FRESH": FRESH,
}
