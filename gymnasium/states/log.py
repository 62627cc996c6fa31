"""A log of actions since the last seeded reset, for environments that cannot return their state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gymnasium.error import ResetNeeded
from gymnasium.states.layers import layers_of, put_states, states_of, walk
from gymnasium.states.plain import CannotSnapshot, plain, rebuilt
from gymnasium.states.stacks import stacked, unstacked

_REMEDY = (
    "put palaestra.recording.RecordActions around it before the first reset, and "
    'fallback="replay" keeps its seed and actions'
)


class Log:
    """The resets since the last seeded one, each with its seed, its options and the actions that followed."""

    def __init__(self) -> None:
        self._episodes: list[tuple[Any, Any, list[Any]]] = []
        self.is_seeded = False

    def reset(self, seed: Any, options: Any, whole: bool) -> None:
        """Note a reset.

        Args:
            seed: Its seed, or the seeds of a batch.
            options: Its options.
            whole: Whether it seeds everything, so that nothing before matters any more.
        """
        if whole:
            self._episodes, self.is_seeded = [], True
        self._episodes.append((seed, options, []))

    def step(self, action: Any) -> None:
        """Note a step."""
        self._episodes[-1][2].append(action)

    def data(self) -> list[Any]:
        """Returns the log as plain data."""
        return [[seed, options, stacked(actions)] for seed, options, actions in self._episodes]

    def take(self, data: list[Any]) -> None:
        """Become the log of which these are the data."""
        episodes = [(seed, options, unstacked(actions)) for seed, options, actions in data]
        self._episodes, self.is_seeded = episodes, bool(episodes)

    def play(self, env: Any) -> None:
        """Do all of it again."""
        for seed, options, actions in self._episodes:
            env.reset(seed=rebuilt(seed, None), options=rebuilt(options, None))
            for action in actions:
                env.step(rebuilt(action, None))


class KeepsLog:
    """A mixin for the wrappers that keep a log.

    Attributes:
        log: The actions since the last seeded reset.
    """

    log: Log

    def get_state(self) -> dict[str, Any]:
        """Returns the log."""
        return {"log": self.log.data()}

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Take a log; the environment inside takes its own state."""
        self.log.take(state["log"])


def noted(value: object, name: str) -> Any:
    """Returns a copy of an action or of options, as plain data.

    Raises:
        TypeError: If it is no plain data.
    """
    try:
        return plain(value, name)
    except CannotSnapshot as error:
        raise TypeError(f"It cannot be recorded: {error}") from error


def played_state(env: object) -> dict[str, Any]:
    """Returns the states of the layers around the one that keeps a log, and the log.

    Raises:
        CannotSnapshot: If none does, or it began without a seed, or the state of a layer around it is unknown.
    """
    keeper = _keeper_of(env)
    if keeper is None:
        try:
            layers_of(env)
        except CannotSnapshot as error:
            raise CannotSnapshot(f"{error}; or {_REMEDY}") from error
        raise CannotSnapshot(f"There is no record of the actions of {env}: {_REMEDY}")
    if not keeper.log.is_seeded:
        raise CannotSnapshot(f"The record of {keeper} does not begin with a seed: reset it with one, reset(seed=0)")
    return {"layers": states_of(env, keeper), "inside": str(keeper.env), "log": keeper.log.data()}


def put_played(env: object, state: Mapping[str, Any]) -> None:
    """Repeat the actions of a log, and restore the layers around it.

    Raises:
        ValueError: If the environment keeps no log, or consists of other layers. Nothing has changed then.
    """
    keeper = _keeper_of(env)
    if keeper is None:
        raise ValueError(
            f"The snapshot holds seed and actions, which {env} has no palaestra.recording.RecordActions to take"
        )
    if str(keeper.env) != state["inside"]:
        raise ValueError(f"The snapshot holds the actions of {state['inside']}, but {keeper.env} came")
    names, expected = ([name for name, _ in layers] for layers in (layers_of(env, keeper), state["layers"]))
    if names != expected:
        raise ValueError(f"The snapshot holds states of {expected}, but the environment has {names}")
    log, before = Log(), keeper.log
    log.take(state["log"])
    outer = _begun_states(env, keeper)
    put_states(env, state["layers"], keeper)
    keeper.log = log
    try:
        log.play(keeper.env)
    except BaseException:
        keeper.log = before
        before.play(keeper.env)
        put_states(env, outer, keeper)
        raise


def _begun_states(env: Any, inside: object) -> list[tuple[str, Any]]:
    """Returns the states of the layers around `inside`, after a reset if no episode has begun."""
    try:
        return states_of(env, inside)
    except ResetNeeded:
        env.reset()
        return states_of(env, inside)


def _keeper_of(env: object) -> Any:
    """Returns the wrapper that keeps a log, or None."""
    return next((layer for layer in walk(env) if isinstance(layer, KeepsLog)), None)
