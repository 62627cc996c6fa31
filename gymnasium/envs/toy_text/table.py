"""Finite Markov decision processes as flat tables.

Users know them as `P[s][a] = [(probability, next state, reward, terminated), ...]`; a step looks them up in tuples of
plain numbers, which every runner can hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from math import inf, isclose
from operator import index
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Self

Outcome = tuple[float, int, float, bool]
Transitions = dict[int, dict[int, list[Outcome]]]


class Table(NamedTuple):
    """The outcomes of all states and actions: outcome k of action a in state s is entry (s * actions + a) * width + k.

    Each state and action has `width` entries: its outcomes, then at least one repetition of the first, with the
    cumulative probability infinity. It is taken if rounding leaves the sum below the random number.
    """

    actions: int
    width: int
    cumulative: tuple[float, ...]  # probability of this outcome and those before it
    next_state: tuple[int, ...]
    terminated: tuple[bool, ...]
    reward: tuple[float, ...]
    probability: tuple[float, ...]

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self  # it is immutable, and large


class Start(NamedTuple):
    """The distribution of the first state, for a binary search."""

    rounds: int
    cumulative: tuple[float, ...]  # of the possible states, then infinities: 2^rounds - 1 in all
    states: tuple[int, ...]  # the possible ones, then state 0, taken if rounding leaves the sum below the number
    probability: tuple[float, ...]  # of the possible ones

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self


def drawn_outcome(table: Table, s: int, action: int, rng: Any) -> int:
    """Returns the entry of a random outcome of `action` in `s`: the first with a larger cumulative probability."""
    u = rng.random()
    entry = first = (s * table.actions + action) * table.width
    cumulative = table.cumulative
    for k in range(table.width - 1):
        entry = entry + (cumulative[first + k] <= u)
    return entry


def drawn_start(start: Start, rng: Any) -> int:
    """Returns a random first state."""
    u = rng.random()
    i = 0
    for k in range(start.rounds):
        half = 1 << (start.rounds - 1 - k)
        i = i + half * (start.cumulative[i + half - 1] <= u)
    return start.states[i]


def tabulated(transitions: Mapping[int, Any] | Sequence[Any]) -> Table:
    """Returns the table of `P[s][a]`, with states and actions counted from 0.

    Raises:
        ValueError: If a state or action is missing, an outcome is not of the form `(probability, next state, reward,
            terminated)`, or the probabilities of an action do not add up to 1.
    """
    try:
        states, actions = len(transitions), max(len(transitions[s]) for s in range(len(transitions)))
        rows = [_outcomes(transitions[s][a], f"P[{s}][{a}]", states) for s in range(states) for a in range(actions)]
    except (KeyError, IndexError, TypeError) as error:
        raise ValueError(
            f"P must have an entry P[s][a] for every state and action, both counted from 0, but {error!r} came of it"
        ) from error
    width = 1 + max(map(len, rows))
    return Table(actions, width, *zip(*(entry for row in rows for entry in _entries(row, width)), strict=True))


def untabulated(table: Table) -> Transitions:
    """Returns the dict of dicts of lists from which `table` was made."""
    rows = [
        [
            (table.probability[j], table.next_state[j], table.reward[j], table.terminated[j])
            for j in range(first, first + table.width)
            if table.cumulative[j] < inf
        ]
        for first in range(0, len(table.cumulative), table.width)
    ]
    n = table.actions
    return {s: dict(enumerate(rows[s * n : (s + 1) * n])) for s in range(len(rows) // n)}


def start_from(distribution: Iterable[float]) -> Start:
    """Returns the start with these probabilities of all states.

    Raises:
        ValueError: If they are not probabilities, or do not add up to 1.
    """
    given = [float(p) for p in distribution]
    if not _is_distribution(given):
        raise ValueError(f"The probabilities of the first state must be at least 0 and add up to 1, but {given} came")
    states = [s for s, p in enumerate(given) if p > 0.0]
    probability = tuple(given[s] for s in states)
    rounds = len(states).bit_length()
    padding = (inf,) * ((1 << rounds) - 1 - len(states))
    return Start(rounds, (*accumulate(probability), *padding), (*states, 0), probability)


def distribution_from(start: Start, states: int) -> NDArray[np.float64]:
    """Returns the probabilities of all states, shape (states,), dtype float64."""
    distribution = np.zeros(states)
    distribution[list(start.states[:-1])] = start.probability
    return distribution


def _outcomes(row: Sequence[Any], name: str, states: int) -> list[Outcome]:
    try:
        outcomes = [(float(p), index(s), _plain(reward), bool(end)) for p, s, reward, end in row]
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"{name} must be a list of tuples (probability, next state, reward, terminated), but {row!r} came"
        ) from error
    if not _is_distribution([p for p, *_ in outcomes]):
        raise ValueError(f"The probabilities in {name} must be at least 0 and add up to 1, but {row!r} came")
    if not all(0 <= s < states for _, s, *_ in outcomes):
        raise ValueError(f"The next states in {name} must lie in 0..{states - 1}, but {row!r} came")
    return outcomes


def _entries(outcomes: list[Outcome], width: int) -> list[tuple[float, int, bool, float, float]]:
    sums = accumulate(p for p, *_ in outcomes)
    entries = [(total, s, end, reward, p) for total, (p, s, reward, end) in zip(sums, outcomes, strict=True)]
    return entries + [(inf, *entries[0][1:])] * (width - len(entries))


def _is_distribution(probabilities: list[float]) -> bool:
    return all(p >= 0.0 for p in probabilities) and isclose(sum(probabilities), 1.0, abs_tol=1e-6)


def _plain(reward: object) -> float:
    """Returns an int or float; a NumPy scalar becomes one of these."""
    number = reward.item() if isinstance(reward, np.generic) else reward
    if not isinstance(number, (int, float)):
        raise TypeError(f"a reward must be a number, not {reward!r}")
    return number
