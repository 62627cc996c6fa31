"""Environments with a table of transitions: their dynamics, and the environment with its public attributes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import index
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.core import RenderFrame
from gymnasium.envs.toy_text.table import (
    Start,
    Table,
    Transitions,
    distribution_from,
    drawn_outcome,
    drawn_start,
    start_from,
    tabulated,
    untabulated,
)
from gymnasium.functional.attributes import Derived
from gymnasium.functional.env import FunctionalEnv, FunctionalState
from gymnasium.functional.func_env import FuncEnv


class State(NamedTuple):
    """The position of the agent, and the last transition."""

    s: int
    lastaction: int = -1  # -1 before the first
    outcome: int = -1  # entry of the table that was drawn; -1 before the first
    done: bool = False  # whether that ended the episode


class Params(NamedTuple):
    """The process: its transitions and its first state."""

    table: Table
    start: Start


class Tabular(FuncEnv[Any, int, int, float, bool, Any, Any]):
    """Dynamics that look up every step in a table. Every step takes exactly one random number."""

    @staticmethod
    def initial(rng: Any, params: Any = None) -> Any:
        """A state drawn from `params.start`."""
        return State(drawn_start(params.start, rng))

    @staticmethod
    def transition(state: Any, action: int, rng: Any, params: Any = None) -> Any:
        """One of the outcomes of the action in the table."""
        table = params.table
        outcome = drawn_outcome(table, state.s, action, rng)
        return State(table.next_state[outcome], action, outcome, table.terminated[outcome])

    @staticmethod
    def observation(state: Any, rng: Any, params: Any = None) -> int:
        """The number of the state."""
        return state.s  # type: ignore[no-any-return]  # the states of subclasses share this field, not a type

    @staticmethod
    def reward(state: Any, action: int, next_state: Any, rng: Any, params: Any = None) -> float:
        """The reward of the outcome, as in the table (often an int)."""
        return params.table.reward[next_state.outcome]  # type: ignore[no-any-return]  # as above

    @staticmethod
    def terminal(state: Any, rng: Any, params: Any = None) -> bool:
        """Whether the outcome ended the episode."""
        return state.done  # type: ignore[no-any-return]  # as above

    @staticmethod
    def state_info(state: Any, params: Any = None) -> dict[str, Any]:
        """`"prob"`: 1."""
        return {"prob": 1}

    @staticmethod
    def transition_info(state: Any, action: int, next_state: Any, params: Any = None) -> dict[str, Any]:
        """`"prob"`: the probability of the outcome."""
        return {"prob": params.table.probability[next_state.outcome]}


class TabularEnv(FunctionalEnv[int, int]):
    """The runner of `Tabular` dynamics.

    `P`, `initial_state_distrib`, `s` and `lastaction` can be set; `P` and `initial_state_distrib` can also be modified
    in place. Changes take effect at the next step (those of the distribution at the next reset). `P` may have another
    number of states and actions than before; the spaces stay as they are.
    """

    _transitions: Transitions | None = None  # P, once it has been read or set
    _transitions_before: Any = None  # and a copy of its contents when it was tabulated; None before that
    _distribution: NDArray[np.float64] | None = None  # the same for initial_state_distrib
    _distribution_before: Any = None

    def __init__(self, func_env: Tabular, render_mode: str | None = None) -> None:
        super().__init__(func_env, render_mode)

    @Derived
    def nS(self) -> int:  # noqa: N802  (the API's name)
        """The number of states."""
        return _states(self.params.table)

    @Derived
    def nA(self) -> int:  # noqa: N802  (the API's name)
        """The number of actions."""
        return int(self.params.table.actions)

    @property
    def P(self) -> Transitions:  # noqa: N802  (the API's name)
        """The transitions: `P[s][a]` is a list of `(probability, next state, reward, terminated)`.

        Changes take effect at the next step.

        Raises:
            ValueError: If the value is not of this form. One with empty lists, still to be filled, raises at the next
                reset or step.
        """
        if self._transitions is None:
            self._lend(untabulated(self.params.table))
        assert self._transitions is not None
        return self._transitions

    @P.setter
    def P(self, transitions: Transitions) -> None:  # noqa: N802  (the API's name)
        if _is_unfinished(transitions):  # it is filled in place, and tabulated at the next reset or step
            self._lent, self._transitions, self._transitions_before = transitions, transitions, None
            return
        self._tabulate(transitions)

    def _lend(self, transitions: Transitions) -> None:
        self._lent = self._transitions = transitions
        self._transitions_before = _copied(transitions)

    def _take_back(self) -> None:
        """Tabulate P again if the caller changed it for the present state; a step uses no other rows."""
        assert self._transitions is not None
        if self._dynamics_state is None:
            return
        s = self._dynamics_state.s
        try:
            same = self._transitions_before is not None and self._transitions[s] == self._transitions_before[s]
        except (KeyError, IndexError):
            same = False
        if not same:
            self._tabulate(self._transitions)
        if s >= _states(self.params.table):
            raise ValueError(f"P has no state {s}, the present one: call reset(), or assign `s`")

    def _tabulate(self, transitions: Transitions) -> None:
        self.params = self.params._replace(table=tabulated(transitions))
        self._lend(transitions)

    @property
    def initial_state_distrib(self) -> NDArray[np.float64]:
        """The probability of each state to be the first, shape (nS,); changes take effect at the next reset.

        Raises:
            ValueError: If the value is not a sequence of probabilities that add up to 1, at the first reset if it is
                assigned before that; at a reset, if a state beyond those of `P` has one.
        """
        if self._distribution is None:
            self._distribution = distribution_from(self.params.start, _states(self.params.table))
            self._distribution_before = self._distribution.copy()
        return self._distribution

    @initial_state_distrib.setter
    def initial_state_distrib(self, distribution: NDArray[np.float64]) -> None:
        try:
            self._take_distribution(distribution)
        except ValueError:
            if self._dynamics_state is not None and np.any(distribution):
                raise
            self._distribution_before = None  # a constructor may fill it in place; the next reset takes it
        self._distribution = distribution

    def _take_distribution(self, distribution: NDArray[np.float64]) -> None:
        if np.ndim(distribution) != 1:
            raise ValueError(f"There must be a probability for each state, but the shape {np.shape(distribution)} came")
        self.params = self.params._replace(start=start_from(distribution))
        self._distribution_before = np.array(distribution)

    def _settle(self) -> None:
        if self._transitions is not None and self._transitions != self._transitions_before:
            self._tabulate(self._transitions)
        if self._distribution is not None and not np.array_equal(self._distribution, self._distribution_before):
            self._take_distribution(self._distribution)
        self._lent = self._transitions = self._distribution = None

    def _begin(self, seed: int | None, params: Any = None) -> tuple[int, dict[str, Any]]:
        if self._distribution is not None and not np.array_equal(self._distribution, self._distribution_before):
            self._take_distribution(self._distribution)
            params = params._replace(start=self.params.start)
        if self._transitions is not None and self._transitions_before is None:
            self._tabulate(self._transitions)
            params = params._replace(table=self.params.table)
        if self._distribution is not None:
            _check_start(params)
        result = super()._begin(seed, params)
        self._lent = self._transitions  # P outlives an episode
        return result

    def set_state(self, state: FunctionalState) -> None:
        """See `FunctionalEnv`. `P` stays unchanged."""
        super().set_state(state)
        self._lent = self._transitions

    @property
    def s(self) -> int | None:
        """The state, in 0..nS-1; None before the first reset. Changes take effect at the next step.

        Raises:
            ValueError: If the value is not a state.
        """
        return None if self._dynamics_state is None else int(self._dynamics_state.s)

    @s.setter
    def s(self, value: int) -> None:
        s = _state_number(value, _states(self.params.table))
        self._dynamics_state = (
            self._state_at(s) if self._dynamics_state is None else self._dynamics_state._replace(s=s, done=False)
        )
        self.steps_beyond_terminated = None

    def _state_at(self, s: int) -> Any:
        """Returns a state at `s` before any action."""
        return State(s)

    @property
    def lastaction(self) -> int | None:
        """The last action of this episode; None before the first."""
        return (
            None
            if self._dynamics_state is None or self._dynamics_state.lastaction < 0
            else int(self._dynamics_state.lastaction)
        )

    @lastaction.setter
    def lastaction(self, action: int | None) -> None:
        if self._dynamics_state is not None or action is not None:
            self._dynamics_state = self._dynamics_state._replace(
                lastaction=-1 if action is None else self._read_action(action)
            )

    def _text(self) -> str:
        return self._render_text()

    def _picture(self) -> RenderFrame | None:
        return self._render_gui(self.render_mode)

    def _render_text(self) -> str:
        """Returns the state in characters; `render` calls it, and subclasses may override it."""
        return super()._text()

    def _render_gui(self, mode: str | None) -> RenderFrame | None:
        """Returns the picture of the state, or None for render mode `"human"`; likewise."""
        return super()._picture()


def _states(table: Table) -> int:
    return len(table.cumulative) // (table.width * table.actions)


def _check_start(params: Any) -> None:
    states = _states(params.table)
    beyond = [s for s in params.start.states if s >= states]
    if beyond:
        raise ValueError(
            f"initial_state_distrib gives the state {beyond[0]} a probability, but P has the states 0..{states - 1}: "
            "assign both for the same number of states"
        )


def _is_unfinished(transitions: Any) -> bool:
    """Returns whether some states, actions or outcomes are still missing, as while a constructor fills them in."""
    rows = list(transitions.values() if isinstance(transitions, Mapping) else transitions)
    lists = [part for row in rows for part in (row.values() if isinstance(row, Mapping) else row)]
    return not rows or not all(map(_is_filled, rows)) or not all(map(_is_filled, lists))


def _is_filled(part: Any) -> bool:
    return not isinstance(part, (Mapping, Sequence)) or len(part) > 0


def _state_number(value: Any, states: int) -> int:
    try:
        s = index(value)
    except TypeError:
        s = -1
    if not 0 <= s < states:
        raise ValueError(f"A state must be an integer in 0..{states - 1}, but {value!r} came")
    return s


def _copied(transitions: object) -> Any:
    """Returns `transitions` with its dicts and lists copied, so that changes in place can be detected."""
    if isinstance(transitions, dict):
        return {key: _copied(value) for key, value in transitions.items()}
    if isinstance(transitions, list):
        return [_copied(value) for value in transitions]
    return transitions
