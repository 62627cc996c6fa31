"""The kernel of a network, in the language: `MLP.act_batch` for some rows.

Sizes are read when it runs, so networks share its machine code. The loops over weights are in `tiles`, at addresses.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from palaestra.language.operations.memory import call_at, column_at, stream_at, words_at
from palaestra.policies._heads import HALF_LOG_TAU
from palaestra.runner.policies.layout import (
    BLOCK,
    HIGH,
    LAYER,
    LOG_STD,
    LOW,
    NOT_FINITE,
    NUMBER,
    PLACES,
    ROWS,
    STD,
    WORD,
)

STREAM = (5,)


class Form(NamedTuple):
    """What is known of a network when its kernel is compiled.

    Attributes:
        observed: The dtype of observations, float32 or float64.
        acted: The dtype of actions: int64 for a Discrete space, or float32 or float64.
        clips: Whether actions are clipped to a Box.
        wide: The outputs of the widest tile.
    """

    observed: Any
    acted: Any
    clips: bool
    wide: int


def act_rows(form: Form, context_at: int, low: int, high: int, room: int) -> int:
    """Let the network act in the rows low..high-1. Threads may do so at once, in different rows.

    At `room` are three blocks of the widest layer, and as many float64 as it has outputs.
    """
    context = words_at(context_at, PLACES)
    finite = True
    for first in range(low, high, ROWS):
        finite &= act_block(form, context, first, min(ROWS, high - first), room)
    return 0 if finite else NOT_FINITE


def act_block(form: Form, context: Any, first: int, count: int, room: int) -> bool:
    """Let the network act in some rows, ROWS at most; returns whether all is finite."""
    size = BLOCK * context.widest
    one, other, shares = room + size, room + 2 * size, room + 3 * size
    transpose(form, context, first, count, room)
    finite = True
    if context.critic_layers:
        finite = keep_values(
            context, outputs_at(form, context.critic, context.critic_layers, room, one, other), first, count
        )
    decided = outputs_at(form, context.actor, context.actor_layers, room, one, other)
    if form.acted == np.int64:
        return choose(context, decided, shares, first, count) and finite
    return draw(form, context, decided, first, count) and finite


def transpose(form: Form, context: Any, first: int, count: int, block: int) -> None:
    """Copy rows of observations into a block; rows beyond are zero."""
    observations, inputs = column_at(context.observations, form.observed), context.inputs
    for k in range(inputs):
        spread(observations, inputs * first + k, inputs, column_at(block + BLOCK * k, np.float32), count)


def spread(numbers: Any, place: int, step: int, line: Any, count: int) -> None:
    """Copy every `step`-th number from a place on to the begin of a line; the rest of the line is zero."""
    for i in range(count):
        line[i] = np.float32(numbers[place])
        place += step
    for rest in range(count, ROWS):
        line[rest] = np.float32(0.0)


def outputs_at(form: Form, table: int, layers: int, inputs: int, one: int, other: int) -> int:
    """Returns the address of the outputs of a network for a block at `inputs`: one of two others."""
    for k in range(layers):
        compute(form, layer_at(table, k), inputs, one)
        inputs, one, other = one, other, one
    return inputs


def compute(form: Form, layer: Any, inputs: int, outputs: int) -> None:
    """Compute a layer, from a block to another."""
    tiles = layer.given // form.wide
    whole = tiles * form.wide
    if layer.wide:
        call_at(layer.wide, layer.weights, inputs, outputs, layer.taken, tiles)
    if layer.rest:
        weights, results = layer.weights + NUMBER * (1 + layer.taken) * whole, outputs + BLOCK * whole
        call_at(layer.rest, weights, inputs, results, layer.taken, 1)
    if layer.activation:
        call_at(layer.activation, outputs, layer.given)


def layer_at(table: int, k: int) -> Any:
    """Returns the words of a layer in a table."""
    return words_at(table + WORD * len(LAYER) * k, LAYER)


def keep_values(context: Any, outputs: int, first: int, count: int) -> bool:
    """Write the critic's values; returns whether none is NaN."""
    given, values = column_at(outputs, np.float32), column_at(context.value + NUMBER * first, np.float32)
    finite = True
    for i in range(count):
        values[i] = given[i]
        finite &= bool(given[i] == given[i])
    return finite


def choose(context: Any, outputs: int, shares_at: int, first: int, count: int) -> bool:
    """Draw from categorical distributions; returns whether all is finite."""
    actions, log_prob = column_at(context.actions, np.int64), column_at(context.log_prob, np.float32)
    shares, streams = column_at(shares_at, np.float64), column_at(context.streams, np.uint64, STREAM)
    n, start, draws, finite = (
        layer_at(context.actor, context.actor_layers - 1).given,
        context.start,
        not context.deterministic,
        True,
    )
    for i in range(count):
        logits = column_at(outputs + NUMBER * i, np.float32)
        highest, index = highest_of(logits, n)
        total = share(logits, n, highest, shares)
        if draws:
            index = reached_by(stream_at(streams, first + i).random() * total, shares, n)
        actions[first + i] = start + index
        found = np.float32((float(logits[ROWS * index]) - highest) - math.log(total))
        log_prob[first + i] = found
        finite &= bool(found == found)
    return finite


def highest_of(logits: Any, n: int) -> tuple[float, int]:
    """Returns the highest of n logits, and the index of the first of them; NaN only if that is the first logit."""
    highest, index, place = float(logits[0]), 0, 0
    for j in range(1, n):
        place += ROWS
        if float(logits[place]) > highest:
            highest, index = float(logits[place]), j
    return highest, index


def share(logits: Any, n: int, highest: float, shares: Any) -> float:
    """Write each probability as a multiple of the highest one; returns their sum."""
    total, place = 0.0, 0
    for j in range(n):
        logit = float(logits[place])
        shares[j] = 1.0 if logit == highest else math.exp(logit - highest)
        total += shares[j]
        place += ROWS
    return total


def reached_by(point: float, shares: Any, n: int) -> int:
    """Returns the first index up to which the shares sum up to more than a point, but the last one for NaN."""
    reached, index = 0.0, 0
    for j in range(n - 1):
        reached += shares[j]
        index += int(not point < reached)
    return index


def draw(form: Form, context: Any, outputs: int, first: int, count: int) -> bool:
    """Draw from normal distributions; returns whether all is finite."""
    log_prob, streams = column_at(context.log_prob, np.float32), column_at(context.streams, np.uint64, STREAM)
    parts, draws, finite = layer_at(context.actor, context.actor_layers - 1).given, not context.deterministic, True
    for i in range(count):
        rng, means, total = stream_at(streams, first + i), column_at(outputs + NUMBER * i, np.float32), np.float64(0.0)
        for k in range(parts):
            place = parts * (first + i) + k
            density, fits = draw_part(form, context, np.float64(means[ROWS * k]), place, k, parts, rng, draws)
            total += density
            finite &= fits
        log_prob[first + i] = np.float32(total)
        finite &= bool(total == total)
    return finite


def draw_part(
    form: Form, context: Any, mean: Any, place: int, k: int, parts: int, rng: Any, draws: bool
) -> tuple[Any, bool]:
    """Draw part k of an action, and write it; returns the logarithm of its density, and whether it is finite."""
    normals = column_at(context.normals, np.float64, numpy=True)
    std = normals[parts * STD + k]
    action = form.acted(mean + std * rng.standard_normal() if draws else mean)
    distance = (np.float64(action) - mean) / std
    density = -0.5 * distance * distance - normals[parts * LOG_STD + k] - HALF_LOG_TAU
    if form.clips:
        column_at(context.unclipped, form.acted)[place] = action
        low, high = normals[parts * LOW + k], normals[parts * HIGH + k]
        action = form.acted(low) if action < low else action
        action = form.acted(high) if action > high else action
    column_at(context.actions, form.acted)[place] = action
    return density, bool(np.isfinite(action))
