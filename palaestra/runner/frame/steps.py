"""A step and a reset of one environment of a batch: functions in the language.

Machine code runs them for every row, or for eight rows at a time. A row whose dynamics raise stays as it was: all
is computed before anything is written, and its random stream is put back.

`dynamics` holds the functions of a `FuncEnv`, and what is known of them; `batch` the columns, see `batch`.
"""

from __future__ import annotations

from typing import Any

from palaestra.language.operations.memory import attempt, ran_out, stream_at
from palaestra.runner.classes.methods import begun, stepped
from palaestra.runner.frame.fitting import (
    fetch,
    fit_parts,
    fit_state,
    has_drawn,
    items,
    long_tuple,
    plain,
    plain_fields,
    read_words,
    write_words,
)
from palaestra.runner.kernels.layout import NEXT_STEP, NOBODY, SAME_STEP, SKIPPED

EPISODE = 5  # the word of `chances` behind the stream


def step(dynamics: Any, batch: Any, i: int) -> int:
    """Step environment i, unless it rests after its last step.

    Returns:
        1 if an episode begins in this step; `SKIPPED` if the row must be stepped again, alone; 0 otherwise, also if the
        dynamics raised.
    """
    if not dynamics.lanes and batch.failed[0] != NOBODY:
        return 0  # a row before this one raised
    resting = not dynamics.endless and batch.mode == NEXT_STEP and batch.finished[i]
    if dynamics.rests and resting:
        batch.fresh[i] = True
        note_params(dynamics, batch, i, True)
        return 1
    stream = read_words(batch.streams, i)
    failed, outcome = attempt(outcome_of, dynamics, batch, i)
    if failed:
        return _not_stepped(dynamics, batch, i, stream)
    moved, seen, values, reward, terminated, cut = outcome
    write(batch.observation, i, seen)
    write(batch.infos, i, values)  # before the state, of which they may show arrays
    write(batch.state, i, moved)
    if dynamics.keeps_last:
        write(batch.last, i, moved)
    if dynamics.endless:
        return 0
    batch.rewards[i] = reward
    finished = count(batch, i, terminated, cut)
    fresh = resting or (finished and batch.mode == SAME_STEP)
    batch.fresh[i] = fresh
    if dynamics.lanes:
        fetch(batch.streams, i)  # `begin` reads some of them soon
    note_params(dynamics, batch, i, fresh)
    return int(fresh)


def outcome_of(dynamics: Any, batch: Any, i: int) -> Any:
    """Returns what a step of environment i leads to, in the form of the columns.

    It is the state, the observation, the infos, the reward, and whether the episode is terminated, or truncated by the
    environment itself.
    """
    if dynamics.methods is not None:
        state, rng, params = read(batch.state, i), stream_at(batch.streams, i), read(batch.params, i)
        return stepped(dynamics.methods, state, batch.actions[i], rng, params, batch.observation, batch.infos)
    state, action, params = read(batch.state, i), action_of(dynamics, batch.actions, i), read(batch.params, i)
    rng = stream_at(batch.streams, i)
    next_state = dynamics.transition(state, action, rng, params)
    reward, terminated = 0.0, False
    if not dynamics.endless:
        reward = dynamics.reward(state, action, next_state, rng, params)
        terminated = bool(dynamics.terminal(next_state, rng, params))
    seen = fit_parts(dynamics.observed, batch.observation, dynamics.observation(next_state, rng, params))
    values = ()
    if dynamics.transition_info is not None:
        info = dynamics.transition_info(plain_fields(state), action, plain_fields(next_state), params)
        values = fit_parts(dynamics.informed, batch.infos, info)
    return fit_state(batch.state, next_state, state), seen, values, reward, terminated, False


def count(batch: Any, i: int, terminated: bool, cut: bool) -> bool:
    """Let the episode of row i be one step longer; returns whether it is over."""
    elapsed = batch.elapsed[i] + 1
    batch.elapsed[i] = elapsed
    truncated = cut or elapsed >= batch.limit
    batch.terminations[i] = terminated
    batch.truncations[i] = truncated
    finished = terminated or truncated
    batch.finished[i] = finished
    return finished


def _not_stepped(dynamics: Any, batch: Any, i: int, stream: Any) -> int:
    """Leave row i as it was: to be stepped alone, in lanes or with more room for lists, or as the one that raised."""
    if has_drawn():
        write_words(batch.streams, i, stream)
    if dynamics.lanes or ran_out():
        batch.skipped[i] = True
        batch.fresh[i] = False
        return SKIPPED
    batch.failed[0] = min(batch.failed[0], i)
    return 0


def turn(dynamics: Any, batch: Any, i: int) -> int:
    """Step environment i, unless this is a reset, and begin an episode in it, if it is one of those that do.

    Returns:
        1 if one begins.
    """
    if dynamics.grows:
        return _turn_again(dynamics, batch, i)
    if not batch.resets and not step(dynamics, batch, i):
        return 0
    return begin(dynamics, batch, i)


def _turn_again(dynamics: Any, batch: Any, i: int) -> int:
    """The same where lists may have had no room before: then a row may have been stepped, and has only to begin."""
    waits = batch.skipped[i] and batch.fresh[i]
    batch.skipped[i] = False
    if not batch.resets and not waits:
        stepped = step(dynamics, batch, i)
        if stepped != 1:
            return stepped
    return begin(dynamics, batch, i)


def begin(dynamics: Any, batch: Any, i: int) -> int:
    """Begin an episode in environment i, if it is one of those that do: of a reset, or of the step before.

    Returns:
        1 if one begins.
    """
    if not batch.begins[i] or batch.failed[0] != NOBODY:
        return 0
    if not batch.resets:
        _end(dynamics, batch, i)
    chances = read_words(batch.chances, i) if dynamics.draws_of_params else None
    if dynamics.draws_of_params and not draw_params(dynamics, batch, i):
        return 0
    stream = read_words(batch.streams, i)
    failed, outcome = attempt(first_of, dynamics, batch, i)
    if failed:
        write_words(batch.streams, i, stream)
        if ran_out():
            batch.skipped[i] = True
            if dynamics.draws_of_params:
                write_words(batch.chances, i, chances)
            return SKIPPED
        batch.failed[0] = min(batch.failed[0], i)
        return 0
    state, seen, values = outcome
    write(batch.state, i, state)
    write(batch.observation, i, seen)
    write(batch.first_infos, i, values)
    batch.elapsed[i] = 0
    batch.finished[i] = False
    if dynamics.waits:
        batch.waiting[i] = False
    if not batch.resets:
        for shown, mask, column in zip(batch.info_params, batch.info_masks, batch.own, strict=True):
            if mask[i]:
                shown[i] = column[i]
    return 1


def draw_params(dynamics: Any, batch: Any, i: int) -> bool:
    """Draw the params of row i's next episode, from a stream of their own; returns whether nothing raised."""
    before = read_words(batch.chances, i)
    failed, drawn = attempt(drawn_params, dynamics, batch, i)
    if failed:
        write_words(batch.chances, i, before)
        batch.failed[0] = min(batch.failed[0], i)
        return False
    write(batch.drawn, i, drawn)
    *words, episode = read_words(batch.chances, i)
    write_words(batch.chances, i, (*words, episode + 1))
    return True


def drawn_params(dynamics: Any, batch: Any, i: int) -> Any:
    """Returns the params that are drawn for an episode, in the form of their columns."""
    rng, bounds = stream_at(batch.chances, i), read(batch.bounds, i)
    episode = int(read_words(batch.chances, i)[EPISODE])
    values = tuple(draw(bounds[k], rng, episode) for k, draw in enumerate(dynamics.draws_of_params))
    return fit_state(batch.drawn, values, None)


def note_params(dynamics: Any, batch: Any, i: int, fresh: bool) -> None:
    """Write which own params of row i are in its infos: those of an episode that begins, which `begin` writes."""
    for shown, mask, held in zip(batch.info_params, batch.info_masks, batch.held, strict=True):
        mask[i] = fresh and (held is None or held[i])
        shown[i] = 0
    if dynamics.owns:
        batch.info_mask[i] = fresh and (bool(dynamics.draws_of_params) or any(held[i] for held in batch.held))


def _end(dynamics: Any, batch: Any, i: int) -> None:
    """Write what a step leaves of the episode before the one that row i begins."""
    if batch.mode == NEXT_STEP:
        batch.rewards[i] = 0.0
        batch.terminations[i] = False
        batch.truncations[i] = False
        return
    for final, column in zip(batch.final, batch.observation, strict=True):
        final[i] = column[i]
    for final, column in zip(batch.final_infos, batch.infos, strict=True):
        final[i] = column[i]


def first_of(dynamics: Any, batch: Any, i: int) -> Any:
    """Returns what an episode of environment i begins with, in the form of the columns."""
    rng = stream_at(batch.streams, i)
    if dynamics.methods is not None:
        state, params = read(batch.state, i), read(batch.params, i)
        return begun(dynamics.methods, state, rng, params, batch.observation, batch.first_infos)
    state = dynamics.initial(rng, read(batch.start, i))
    params = read(batch.params, i)
    observed = dynamics.observation(state, rng, params)
    seen = fit_parts(dynamics.observed, batch.observation, observed)
    values = ()
    if dynamics.state_info is not None:
        values = fit_parts(dynamics.first_informed, batch.first_infos, dynamics.state_info(plain_fields(state), params))
    return fit_state(batch.state, state, None), seen, values


def action_of(dynamics: Any, actions: Any, i: int) -> Any:
    """Returns the action of row i as the dynamics take it: a number, a tuple of numbers, or an array."""
    action = actions[i]
    if dynamics.action_form == "array":
        return action
    if dynamics.action_form == "long":
        return long_tuple(action)
    if dynamics.action_form == "tuple":
        return tuple(plain(number) for number in action)
    return plain(action)


def read(columns: Any, i: int) -> Any:
    """Returns row i of columns: of a tuple or NamedTuple of them, with the rest as it is."""
    return items(columns, i)


def write(columns: Any, i: int, values: Any) -> None:
    """Write a value into row i of each column; None leaves it as it is."""
    for column, value in zip(columns, values, strict=True):
        if value is not None:
            column[i] = value
