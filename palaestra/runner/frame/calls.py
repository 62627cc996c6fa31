"""The calls of a batch: functions in the language that Python and threads call, around the rows of `steps`.

They take addresses and other words. `context` is the memory of `kernels.layout`; a job the words that threads share,
see `kernels.pool`; a task those of a rollout, see `rollouts.collecting`. `form` says what is known of the batch. A
negative result is a reason of `layout`: for `RAISED`, dynamics raised in the row that `context.failed` names.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from palaestra.language.operations.memory import (
    add_shared,
    call_at,
    column_at,
    copy_at,
    load_shared,
    pause,
    prefetch_at,
    store_shared,
    words_at,
)
from palaestra.runner.kernels.layout import (
    DISABLED,
    FINISHED,
    LEFT,
    NEXT_STEP,
    NOBODY,
    RAISED,
    SKIPPED,
    WRONG_ACTIONS,
)
from palaestra.runner.kernels.outputs import SIZE, SOURCE, TARGET
from palaestra.runner.kernels.pool import ACTIVE, CHUNKS, FRESH, NEXT, ROWS, ROWS_TOGETHER

WORD, LINE = 8, 64  # bytes of a word, and of a line of the cache
COPY, RECORDED, STAGE = (3,), (4,), (2,)  # the shapes of rows of tables of addresses

TASK = (
    *("context", "low", "high", "together", "steps", "first", "step", "policy", "act", "act_left", "acting"),
    *("inward", "stages_inward", "outward", "stages_outward"),
    *("before", "copies_before", "after", "copies_after", "last", "copies_last"),
    *("returns", "lengths", "over", "valid", "ended_returns", "ended_lengths", "left"),
)
"""The words of a task of `collect`: its inputs from `collecting`, and its progress in case of an exception."""
TASK_PLACES = {name: k for k, name in enumerate(TASK)}


class Form(NamedTuple):
    """What is known of a batch when its calls are compiled.

    Attributes:
        places: The place of each word of `context`.
        dtype: The dtype of the numbers of an action.
        numbers: How many there are.
        check: How actions are checked: "discrete", "parts", "floats" or "none".
        ranges: For "parts": the first and the end of some numbers, and the lowest and the highest value of each.
        grows: Whether rows may be left because lists have no room.
    """

    places: Any
    dtype: Any
    numbers: int
    check: str
    ranges: tuple[tuple[int, int, int, int], ...]
    grows: bool = False

    @property
    def size(self) -> int:
        """The bytes of an action."""
        return int(self.numbers * self.dtype.itemsize)


def are_wrong(form: Form, context: Any, actions: int, n: int) -> bool:
    """Returns whether one of n actions is outside its space; bounds of a Box do not matter, but NaN does."""
    wrong = False
    if form.check == "discrete":
        numbers, lowest, highest = column_at(actions, form.dtype), context.lowest, context.highest
        for i in range(n):
            wrong |= bool(numbers[i] < lowest) | bool(numbers[i] > highest)
    if form.check == "parts":
        parts = column_at(actions, form.dtype)
        for i in range(n):
            for first, end, low, high in form.ranges:
                for k in range(first, end):
                    number = parts[form.numbers * i + k]
                    wrong |= bool(number < low) | bool(number > high)
    if form.check == "floats":
        floats = column_at(actions, form.dtype)
        for i in range(n * form.numbers):
            wrong |= bool(floats[i] != floats[i])
    return wrong


def begin_turn(form: Form, context: Any, actions: int, table: int) -> int:
    """Check the actions of a step, and note their address for the rows; returns a negative number if none may move."""
    context.table = table if column_at(table, np.int64)[SOURCE] else 0
    checked = context.checked
    context.checked = 0
    if checked != actions and are_wrong(form, context, actions, context.n):
        return WRONG_ACTIONS
    if context.mode == DISABLED:
        finished = column_at(context.finished, np.bool_)
        for i in range(context.n):
            if finished[i]:
                return FINISHED
    context.actions, context.failed = actions, NOBODY
    if context.padded_actions:
        copy_at(context.padded_actions, actions, context.n * form.size)
        context.actions = context.padded_actions
    return 0


def check(form: Form, context_at: int, actions: int) -> int:
    """Returns 0 if a step would take the actions, which the next step then does not check again."""
    context = words_at(context_at, form.places)
    context.checked = 0
    if are_wrong(form, context, actions, context.n):
        return WRONG_ACTIONS
    context.checked = actions
    return 0


def count_episodes(context: Any, first: int, end: int, skips: bool) -> None:
    """Add the rewards of rows to the returns of their episodes, and count the episodes that begin."""
    fresh, skipped = column_at(context.fresh, np.bool_), column_at(context.skipped, np.bool_)
    rewards, returns = column_at(context.rewards, np.float64), column_at(context.episode_returns, np.float64)
    begun = column_at(context.begun, np.uint8)
    for line in range(0, WORD * (end - first), LINE):
        prefetch_at(context.episode_returns + WORD * end + line)
    for row in range(first, end):
        if not (skips and skipped[row]):
            returns[row] = 0.0 if fresh[row] else returns[row] + rewards[row]
            begun[row] = begun[row] + np.uint8(fresh[row])


def step_chunk(form: Form, context_at: int, low: int, size: int) -> int:
    """Step rows, some at a time, and copy their results while they are in the cache."""
    context = words_at(context_at, form.places)
    high = min(low + size, context.n)
    copies = context.copies if context.table else 0
    table = column_at(context.table, np.int64, COPY)
    result = 0
    for first in range(low, high, ROWS_TOGETHER):
        end = min(first + ROWS_TOGETHER, high)
        fresh = call_at(context.rows, context_at, first, end)
        if fresh < 0:
            return fresh
        result += fresh
        if context.episode_returns:
            count_episodes(context, first, end, bool(fresh >= SKIPPED))
        for k in range(copies):
            row = table[k]
            copy_at(row[TARGET] + first * row[SIZE], row[SOURCE] + first * row[SIZE], (end - first) * row[SIZE])
    return result


def step(form: Form, context_at: int, actions: int, table: int) -> int:
    """Step all rows; returns the number of episodes that begin, or why no row has moved."""
    context = words_at(context_at, form.places)
    code = begin_turn(form, context, actions, table)
    return code if code < 0 else step_chunk(form, context_at, 0, context.n)


def step_some(form: Form, context_at: int, actions: int, rows_at: int) -> int:
    """Step some rows, whose numbers are at an address."""
    context = words_at(context_at, form.places)
    context.actions, context.failed = actions, NOBODY
    rows = column_at(rows_at, np.int64)
    for k in range(context.some):
        if call_at(context.one_row, context_at, rows[k], rows[k] + 1) < 0:
            return RAISED
    return 0


def step_left(form: Form, context_at: int, low: int, high: int) -> int:
    """Step the rows that lanes have left, or for which lists had no room, one by one."""
    context = words_at(context_at, form.places)
    skipped = column_at(context.skipped, np.bool_)
    result = 0
    for row in range(low, high):
        if skipped[row]:
            if not form.grows:
                skipped[row] = False
            if call_at(context.one_row, context_at, row, row + 1) < 0:
                return RAISED
            if form.grows and skipped[row]:
                result = LEFT
    return result


def step_rows(form: Form, context_at: int, low: int, high: int) -> int:
    """Step rows, and then begin the episodes of those that are fresh, while the cache holds them."""
    context = words_at(context_at, form.places)
    result = call_at(context.act, context_at, low, high)
    if context.failed == NOBODY and result & (SKIPPED - 1):
        call_at(context.begin, context_at, low, high)
    return result if context.failed == NOBODY else RAISED


def step_row(form: Form, context_at: int, low: int, high: int) -> int:
    """The same for rows that are stepped one by one: each begins an episode at once."""
    context = words_at(context_at, form.places)
    result = call_at(context.act_alone, context_at, low, high)
    return result if context.failed == NOBODY else RAISED


def reset(form: Form, context_at: int, mask: int) -> int:
    """Begin an episode in the rows of a mask."""
    context = words_at(context_at, form.places)
    context.mask, context.failed = mask, NOBODY
    call_at(context.begin, context_at, 0, context.n)
    return 0 if context.failed == NOBODY else RAISED


def take_chunks(form: Form, context_at: int, job_at: int) -> int:
    """Step chunks of a job while there are any; returns how many it were."""
    job = column_at(job_at, np.int64)
    taken = 0
    while load_shared(job_at + WORD * NEXT) < job[CHUNKS]:
        add_shared(job_at + WORD * ACTIVE, 1)
        chunk = add_shared(job_at + WORD * NEXT, 1)
        if chunk < job[CHUNKS]:
            result = step_chunk(form, context_at, chunk * job[ROWS], job[ROWS])
            add_shared(job_at + WORD * FRESH, max(result, 0))
            if result < 0:  # no thread takes another chunk
                store_shared(job_at + WORD * NEXT, job[CHUNKS])
            taken += 1
        add_shared(job_at + WORD * ACTIVE, -1)
    return taken


def step_shared(form: Form, context_at: int, actions: int, table: int, job_at: int) -> int:
    """Step all rows together with other threads, which are in `work`."""
    context = words_at(context_at, form.places)
    code = begin_turn(form, context, actions, table)
    if code < 0:
        return code
    store_shared(job_at + WORD * FRESH, 0)
    store_shared(job_at + WORD * NEXT, 0)
    take_chunks(form, context_at, job_at)
    while load_shared(job_at + WORD * ACTIVE) > 0:
        pause()
    return load_shared(job_at + WORD * FRESH) if context.failed == NOBODY else RAISED


def work(form: Form, context_at: int, job_at: int, patience_at: int) -> int:
    """Take the chunks of a job's steps, until none has been there for a while."""
    patience = column_at(patience_at, np.int64)[0]
    idle = 0
    while idle < patience:
        if take_chunks(form, context_at, job_at):
            idle = 0
        else:
            idle += 1
            pause()
    return 0


def collect(form: Form, task_at: int) -> int:
    """Let a policy act and the environments step in the rows of a task, step after step."""
    task = words_at(task_at, TASK_PLACES)
    first = task.low
    while first < task.high:
        code = collect_rows(form, task, first, 0)
        if code < 0:
            return code
        first += task.together
    return 0


def collect_again(form: Form, task_at: int) -> int:
    """Go on with a task that was left because lists had no room."""
    task = words_at(task_at, TASK_PLACES)
    first, end = task.first, min(task.first + task.together, task.high)
    code = finish_step(form, task, task.step, first, end, step_left(form, task.context, first, end))
    if code < 0:
        return code
    code = collect_rows(form, task, first, task.step + 1)
    first += task.together
    while code >= 0 and first < task.high:
        code = collect_rows(form, task, first, 0)
        first += task.together
    return code


def collect_rows(form: Form, task: Any, first: int, begin: int) -> int:
    """The steps of some rows of a task from one on; returns a negative number if one did not end."""
    end = min(first + task.together, task.high)
    task.first = first
    for t in range(begin, task.steps):
        task.step = t
        code = collect_step(form, task, t, first, end)
        if code < 0:
            return code
    return 0


def collect_step(form: Form, task: Any, t: int, first: int, end: int) -> int:
    """One step of some rows of a task; returns a negative number if something raised, or is outside its space."""
    context = words_at(task.context, form.places)
    task.acting = 1
    code = act(form, context, task, first, end)
    if code < 0:
        return code
    task.acting = 0
    record(task.before, task.copies_before, t, first, end)
    result = call_at(context.rows, task.context, first, end)
    if result >= SKIPPED:
        result = LEFT if form.grows else step_left(form, task.context, first, end)
    return finish_step(form, task, t, first, end, result)


def finish_step(form: Form, task: Any, t: int, first: int, end: int, result: int) -> int:
    """What follows a step of some rows, whose result is given."""
    context = words_at(task.context, form.places)
    if form.grows and result == LEFT:
        return LEFT
    if result < 0 or through(task.outward, task.stages_outward, first, end) < 0:
        return RAISED if result < 0 else WRONG_ACTIONS
    record(task.after, task.copies_after, t, first, end)
    note_episodes(context, task, t, first, end)
    return 0


def act(form: Form, context: Any, task: Any, first: int, end: int) -> int:
    """Let the policy of a task act in some rows, whose actions then pass the stages inward."""
    left = call_at(task.act, task.policy, first, end)
    if left >= SKIPPED:
        left = call_at(task.act_left, task.policy, first, end)
    if left == RAISED:
        return RAISED
    through(task.inward, task.stages_inward, first, end)
    is_wrong = left < 0 or are_wrong(form, context, context.actions + first * form.size, end - first)
    return WRONG_ACTIONS if is_wrong else 0


def through(stages: int, count: int, first: int, end: int) -> int:
    """Let rows pass stages; returns a negative number if one refuses."""
    table = column_at(stages, np.int64, STAGE)
    for k in range(count):
        stage = table[k]
        if call_at(stage[0], stage[1], first, end) < 0:
            return WRONG_ACTIONS
    return 0


def record(copies: int, count: int, t: int, first: int, end: int) -> None:
    """Copy rows of columns to step t of the recorded arrays."""
    table = column_at(copies, np.int64, RECORDED)
    for k in range(count):
        source, target, size, of_step = table[k]
        copy_at(target + t * of_step + first * size, source + first * size, (end - first) * size)


def note_episodes(context: Any, task: Any, t: int, first: int, end: int) -> None:
    """Note the returns and lengths of the episodes of some rows, after a step."""
    rewards, over = column_at(context.rewards, np.float64), column_at(task.over, np.bool_)
    terminations, truncations = column_at(context.terminations, np.bool_), column_at(context.truncations, np.bool_)
    returns, lengths = column_at(task.returns, np.float64), column_at(task.lengths, np.int64)
    valid, waits = column_at(task.valid + t * context.n, np.bool_), bool(context.mode == NEXT_STEP)
    changes = False
    for row in range(first, end):
        valid[row] = not (waits and over[row])
        returns[row] += rewards[row]
        lengths[row] += 1
        changes |= terminations[row] | truncations[row] | over[row]
    if changes:
        end_episodes(context, task, t, first, end)


def end_episodes(context: Any, task: Any, t: int, first: int, end: int) -> None:
    """Note the episodes that ended in a step, and keep their last values."""
    terminations, truncations = column_at(context.terminations, np.bool_), column_at(context.truncations, np.bool_)
    returns, lengths = column_at(task.returns, np.float64), column_at(task.lengths, np.int64)
    over, waits = column_at(task.over, np.bool_), bool(context.mode == NEXT_STEP)
    ended_returns = column_at(task.ended_returns + WORD * t * context.n, np.float64)
    ended_lengths = column_at(task.ended_lengths + WORD * t * context.n, np.int64)
    for row in range(first, end):
        ends = terminations[row] or truncations[row]
        if ends:
            ended_returns[row], ended_lengths[row] = returns[row], lengths[row]
            record(task.last, task.copies_last, t, row, row + 1)
        if over[row] or (ends and not waits):
            returns[row], lengths[row] = 0.0, 0
        over[row] = ends and waits


PARAMETERS = {
    "check": 2,
    "step": 3,
    "step_some": 3,
    "step_left": 3,
    "step_rows": 3,
    "step_row": 3,
    "step_shared": 4,
    "work": 3,
    "reset": 2,
    "collect": 1,
    "collect_again": 1,
}
"""The number of parameters of each call, without the form."""
