"""How an episode begins: by a seed, by the state of a generator before the reset, or by the moment after it.

A class that cannot return its state is taken to begin from its seed or generator alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from gymnasium.core import Env
from gymnasium.specs import EnvSpec
from gymnasium.states.checks import check_observation
from gymnasium.states.layers import generator_in, layers_of, put_states, states_of
from gymnasium.states.log import played_state, put_played
from gymnasium.states.plain import plain, rebuilt
from palaestra.error import CannotSnapshot
from palaestra.recording.replays.specs import PARAMS, kept

Beginning = dict[str, Any]
"""One of: nothing, where the seed is enough; `generator`; `layers` or `played`, with the observation as `first`."""

_FORGETFUL = "TimeLimit"  # a wrapper whose memory ends with the episode


def before_reset(env: Env, seed: int | None) -> Beginning | None:
    """Returns the beginning of the episode of a reset to come; None if it is the moment after the reset.

    A seed is enough for an environment and its time limit. Other wrappers may remember earlier episodes.
    """
    try:
        names = [name for name, _ in kept(layers_of(env))]
    except CannotSnapshot:
        if seed is not None:
            return {}
        with suppress(CannotSnapshot):
            played_state(env)
            return None
        return {"generator": plain(env.unwrapped.np_random.bit_generator.state, "the state of a generator")}
    return {} if seed is not None and all(name == _FORGETFUL for name in names[:-1]) else None


def after_reset(env: Env, observation: object) -> Beginning:
    """Returns the moment after a reset, which returned this observation."""
    first = plain(observation, "an observation")
    try:
        return {"layers": kept(states_of(env)), "first": first}
    except CannotSnapshot:
        return {"played": played_state(env), "first": first}


def with_params(beginning: Beginning, params: dict[str, Any]) -> Beginning:
    """Returns the beginning in an environment whose wrapper sets these params, and draws none."""
    if not params or "layers" not in beginning:
        return beginning
    state = {"drawn": list(params), "stream": None, "episode": 0, "values": plain(params, "the params")}
    layers = [(name, state if name == PARAMS else own) for name, own in beginning["layers"]]
    if all(name != PARAMS for name, _ in layers):
        layers.insert(0, (PARAMS, state))
    return {**beginning, "layers": layers}


class RowBeginnings:
    """The beginnings of episodes in the environments of a batch.

    Args:
        batch: The batch, without wrappers.
        specs: The specs of its environments.
    """

    def __init__(self, batch: Any, specs: Sequence[EnvSpec]) -> None:
        self._batch = batch
        self._specs = specs
        # Robots draw random numbers in resets only. So a reset begins with the generator that the last one left.
        self._robots = any(kind.__name__ == "RobotMoments" for kind in type(batch).__mro__)
        self._generators: dict[int, Any] = {}

    def prepare(self, rows: Sequence[int]) -> None:
        """Note everything that a reset without seeds depends on."""
        if self._robots:
            each = self._batch.np_random
            self._generators.update((row, each[row].bit_generator.state) for row in rows)

    def of(self, rows: Sequence[int], observations: dict[int, Any], seeded: set[int]) -> dict[int, Beginning]:
        """Returns the beginnings of episodes after their resets.

        Raises:
            CannotSnapshot: If the state of an environment is unknown, or is not one of its own.
        """
        if self._robots:
            return {row: self._of_robot(row, row in seeded) for row in rows}
        moments = [row for row in rows if row not in seeded or self._specs[row].additional_wrappers]
        try:
            states = dict(zip(moments, self._states(moments), strict=True))
        except CannotSnapshot:
            if not seeded.issuperset(rows):
                raise
            states = {}
        return {
            row: {"layers": kept(states[row]), "first": plain(observations[row], "an observation")}
            if row in states
            else {}
            for row in rows
        }

    def _of_robot(self, row: int, seeded: bool) -> Beginning:
        before = self._generators.get(row)
        self._generators[row] = self._batch.get_state(row).generator
        return {} if seeded else {"generator": plain(before, "the state of a generator")}

    def _states(self, rows: Sequence[int]) -> list[list[tuple[str, Any]]]:
        if not rows:
            return []
        first = self._batch.get_state(rows[0])
        kind = type(first).__name__
        if kind == "MemberState":
            members = self._batch.get_state().members if len(rows) > 1 else {rows[0]: first}
            return [members[row].layers for row in rows]
        if kind == "BatchedState":
            states = [first, *map(self._batch.get_state, rows[1:])]
            return [self._compiled(row, state) for row, state in zip(rows, states, strict=True)]
        raise CannotSnapshot(
            f"The environments of a {type(self._batch).__name__} have one source of random numbers, so none of them "
            'can be replayed alone: make the batch with vectorization_mode="sync" or "async"'
        )

    def _compiled(self, row: int, state: Any) -> list[tuple[str, Any]]:
        layers = [("FunctionalEnv", plain(state.environment, "the state of FunctionalEnv"))]
        if self._specs[row].max_episode_steps is None:
            return layers
        return [(_FORGETFUL, {"elapsed_steps": np.array(state.elapsed)}), *layers]


def begin(env: Env, beginning: Beginning, seed: int | None, options: object) -> tuple[Any, dict[str, Any]]:
    """Bring an environment to the beginning of an episode; returns its first observation and info.

    Raises:
        ValueError: If the environment consists of other layers.
    """
    if "first" in beginning:
        check_observation(env.observation_space, beginning["first"])
    if "layers" in beginning:
        put_states(env, beginning["layers"])
    elif "played" in beginning:
        put_played(env, beginning["played"])
    else:
        if "generator" in beginning:
            env.unwrapped.np_random = generator_in(beginning["generator"])
        return env.reset(seed=seed, options=rebuilt(options, None))
    return rebuilt(beginning["first"], None), {}
