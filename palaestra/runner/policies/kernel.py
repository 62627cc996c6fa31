"""The kernel of a network: `MLP.act_batch` for some rows.

Numba compiles it. Sizes are read when it runs, so that all networks share its machine code.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from gymnasium.functional.stream_rows import WORDS
from palaestra.language.jit.addresses import Words, called_at, rows_at
from palaestra.language.jit.backend import compiled, kernel
from palaestra.language.jit.exact.loops import c_function
from palaestra.language.jit.random.pcg64 import stream_at
from palaestra.policies._heads import HALF_LOG_TAU
from palaestra.runner.policies import layout as at
from palaestra.runner.policies.registers import (
    ROWS,
    TOGETHER,
    dense_one,
    dense_together,
    relu_rows,
    reserved,
    tanh_rows,
)

BLOCK = 4 * ROWS  # bytes of one number of all rows of a block
BYTES_OF_STREAM = 8 * WORDS

exp, log = c_function("exp"), c_function("log")
inlined = partial(compiled, forceinline=True)


@inlined
def transposed(observations: np.ndarray, first: int, count: int, block: np.ndarray) -> None:
    """Copy rows of observations into a block; rows beyond are zero."""
    for k in range(observations.shape[1]):
        for i in range(count):
            block[k, i] = observations[first + i, k]
        for i in range(count, ROWS):
            block[k, i] = 0.0


@compiled
def outputs_at(table_at: int, layers: int, inputs_at: int, one_at: int, other_at: int) -> int:
    """Returns the address of the outputs of a network for a block at `inputs_at`: one of two others."""
    table = rows_at(table_at, (layers, at.WORDS_OF_LAYER), np.int64)
    for layer in range(layers):
        taken, given, bias = table[layer, at.TAKEN], table[layer, at.GIVEN], table[layer, at.BIAS]
        weights = bias + 4 * given
        j = 0
        while j + TOGETHER <= given:
            dense_together(inputs_at, weights + 4 * j, bias + 4 * j, one_at + BLOCK * j, taken, given)
            j += TOGETHER
        while j < given:
            dense_one(inputs_at, weights + 4 * j, bias + 4 * j, one_at + BLOCK * j, taken, given)
            j += 1
        if table[layer, at.ACTIVATION] == at.TANH:
            tanh_rows(one_at, given)
        elif table[layer, at.ACTIVATION] == at.RELU:
            relu_rows(one_at, given)
        inputs_at, one_at, other_at = one_at, other_at, one_at
    return inputs_at


@inlined
def choose(context: Words, outputs: np.ndarray, shares: np.ndarray, first: int, count: int) -> bool:
    """Draw from categorical distributions; returns whether all is finite."""
    n = outputs.shape[0]
    actions = rows_at(context[at.ACTIONS], (first + count,), np.int64)
    log_prob = rows_at(context[at.LOG_PROB], (first + count,), np.float32)
    finite = True
    for i in range(count):
        highest, best = np.float64(outputs[0, i]), 0
        for j in range(1, n):
            if outputs[j, i] > highest:
                highest, best = np.float64(outputs[j, i]), j
        total = 0.0
        for j in range(n):
            logit = np.float64(outputs[j, i])
            shares[j] = 1.0 if logit == highest else exp(logit - highest)
            total += shares[j]
        index = best
        if not context[at.DETERMINISTIC]:
            rng = stream_at(context[at.STREAMS] + BYTES_OF_STREAM * (first + i))
            point, reached, index = rng.random() * total, 0.0, 0
            for j in range(n - 1):
                reached += shares[j]
                index += not point < reached
        actions[first + i] = context[at.START] + index
        log_prob[first + i] = (np.float64(outputs[index, i]) - highest) - log(total)
        finite &= not math.isnan(log_prob[first + i])
    return finite


@inlined
def draw(
    context: Words, outputs: np.ndarray, actions: np.ndarray, unclipped: np.ndarray, first: int, count: int
) -> bool:
    """Draw from normal distributions; returns whether all is finite."""
    parts = outputs.shape[0]
    log_prob = rows_at(context[at.LOG_PROB], (first + count,), np.float32)
    normals = rows_at(context[at.NORMALS], (4, parts), np.float64)
    finite = True
    for i in range(count):
        rng = stream_at(context[at.STREAMS] + BYTES_OF_STREAM * (first + i))
        total = 0.0
        for k in range(parts):
            mean, std = np.float64(outputs[k, i]), normals[at.STD, k]
            drawn = mean if context[at.DETERMINISTIC] else mean + std * rng.standard_normal()
            actions[first + i, k] = drawn
            action = np.float64(actions[first + i, k])
            distance = (action - mean) / std
            total += -0.5 * distance * distance - normals[at.LOG_STD, k] - HALF_LOG_TAU
            if context[at.UNCLIPPED]:
                unclipped[first + i, k] = actions[first + i, k]
                if action < normals[at.LOW, k]:
                    actions[first + i, k] = normals[at.LOW, k]
                if action > normals[at.HIGH, k]:
                    actions[first + i, k] = normals[at.HIGH, k]
            finite &= math.isfinite(actions[first + i, k])
        log_prob[first + i] = total
        finite &= not math.isnan(log_prob[first + i])
    return finite


@compiled
def decide(context_at: int, outputs_at: int, shares_at: int, first: int, count: int) -> bool:
    """Write actions and log-probabilities of a block; returns whether all is finite."""
    context = rows_at(context_at, (at.WORDS_OF_CONTEXT,), np.int64)
    table = rows_at(context[at.ACTOR], (context[at.ACTOR_LAYERS], at.WORDS_OF_LAYER), np.int64)
    given = table[context[at.ACTOR_LAYERS] - 1, at.GIVEN]
    outputs = rows_at(outputs_at, (given, ROWS), np.float32)
    if not context[at.NORMALS]:
        return choose(context, outputs, rows_at(shares_at, (given,), np.float64), first, count)
    shape = (first + count, given)
    if context[at.ACTIONS_ARE_DOUBLE]:
        actions, unclipped = (
            rows_at(context[at.ACTIONS], shape, np.float64),
            rows_at(context[at.UNCLIPPED], shape, np.float64),
        )
        return draw(context, outputs, actions, unclipped, first, count)
    plain = rows_at(context[at.ACTIONS], shape, np.float32)
    return draw(context, outputs, plain, rows_at(context[at.UNCLIPPED], shape, np.float32), first, count)


@kernel
def act_rows(context_at: int, low: int, high: int) -> int:
    """Let the network act in the rows low..high-1. Threads may do so at once, in different rows."""
    context = rows_at(context_at, (at.WORDS_OF_CONTEXT,), np.int64)
    size = BLOCK * context[at.WIDEST]
    inputs_at = reserved(3 * size + 8 * context[at.WIDEST])
    one_at, other_at, shares_at = inputs_at + size, inputs_at + 2 * size, inputs_at + 3 * size
    block = rows_at(inputs_at, (context[at.INPUTS], ROWS), np.float32)
    shape = (high, context[at.INPUTS])
    finite = True
    for first in range(low, high, ROWS):
        count = min(ROWS, high - first)
        if context[at.OBSERVATIONS_ARE_DOUBLE]:
            transposed(rows_at(context[at.OBSERVATIONS], shape, np.float64), first, count, block)
        else:
            transposed(rows_at(context[at.OBSERVATIONS], shape, np.float32), first, count, block)
        if context[at.CRITIC_LAYERS]:
            values_at = outputs_at(context[at.CRITIC], context[at.CRITIC_LAYERS], inputs_at, one_at, other_at)
            values = rows_at(values_at, (ROWS,), np.float32)
            value = rows_at(context[at.VALUE], (high,), np.float32)
            for i in range(count):
                value[first + i] = values[i]
                finite &= not math.isnan(values[i])
        decided_at = outputs_at(context[at.ACTOR], context[at.ACTOR_LAYERS], inputs_at, one_at, other_at)
        finite &= decide(context_at, decided_at, shares_at, first, count)
    return 0 if finite else at.NOT_FINITE


@kernel
def act(context_at: int, rows_of_call_at: int) -> Any:
    """The same, called from Python, with the two numbers in an array."""
    rows = rows_at(rows_of_call_at, (2,), np.int64)
    context = rows_at(context_at, (at.WORDS_OF_CONTEXT,), np.int64)
    return called_at(context[at.ACT_ROWS], (context_at, rows[0], rows[1]))
