"""A reset and a step of one environment: functions in the language, which write what comes of them into columns."""

from __future__ import annotations

from typing import Any

from palaestra.language.operations.memory import stream_at
from palaestra.runner.classes.methods import begun, stepped
from palaestra.runner.frame.steps import read, write


def step(
    methods: Any,
    state: Any,
    stream: Any,
    actions: Any,
    observation: Any,
    infos: Any,
    reward: Any,
    terminated: Any,
    truncated: Any,
) -> None:
    """Step the environment whose state, stream and action are the first rows of columns."""
    outcome = stepped(methods, read(state, 0), actions[0], stream_at(stream, 0), None, observation, infos)
    moved, seen, values, earned, over, cut = outcome
    write(observation, 0, seen)
    write(infos, 0, values)  # before the state, of which they may show arrays
    write(state, 0, moved)
    reward[0] = earned
    terminated[0] = over
    truncated[0] = cut


def begin(methods: Any, state: Any, stream: Any, observation: Any, infos: Any) -> None:
    """Begin an episode in it."""
    moved, seen, values = begun(methods, read(state, 0), stream_at(stream, 0), None, observation, infos)
    write(observation, 0, seen)
    write(infos, 0, values)
    write(state, 0, moved)
