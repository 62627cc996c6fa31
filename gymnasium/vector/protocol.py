"""What a vector environment and its workers say to each other: the kinds of messages, and what they carry.

A request that carries nothing, and a reply to it, is a header alone: nothing is pickled for a step of arrays without
infos.
"""

from __future__ import annotations

import pickle
from typing import Any, NamedTuple

from gymnasium.spaces.space import Space
from gymnasium.vector.arena import Layout
from gymnasium.vector.failures import Failure

# Requests, and what they carry.
LAYOUT = 1  # `Setup`; the memory goes before it
STEP = 2  # nothing: all, with the actions in the memory; or `StepTask`
RESET = 3  # a list of (place in the worker, seed, options)
CALL = 4  # (name, args, kwargs)
SET = 5  # (name, a list of values)
CLOSE = 6

# Replies, and what they carry.
READY = 10  # `Report`
DONE = 11  # nothing, or `Outcome`
FAILED = 12  # a list of `PackedError`

STARTED = 0  # the number of the request that starting a worker is


class Setup(NamedTuple):
    """What a worker needs besides its environments.

    Attributes:
        layout: Of the shared memory.
        lost: For a worker that replaces another: of each environment (by place) whose episode is lost the last
            observation.
        finished: The places of those that had finished their episodes.
    """

    layout: Layout
    lost: dict[int, Any]
    finished: list[int]


class StepTask(NamedTuple):
    """A step that is not simply one of all.

    Attributes:
        places: Which of the worker's environments step.
        batch: Their actions, as `split_actions` takes them; None if they are in the memory.
        singly: Whether each is answered by itself, as soon as it is done.
    """

    places: list[int]
    batch: Any
    singly: bool


class Report(NamedTuple):
    """What the environments of a worker are."""

    observation_spaces: list[Space[Any]]
    action_spaces: list[Space[Any]]
    metadata: dict[str, Any]
    render_mode: str | None


class Outcome(NamedTuple):
    """What came of a request, as far as it is not in the memory.

    Attributes:
        infos: The infos that are not empty, by environment.
        observations: The observations, by environment.
        values: What was called for, in order.
    """

    infos: dict[int, dict[str, Any]]
    observations: dict[int, Any]
    values: list[Any]


NOTHING = Outcome({}, {}, [])


class Reply(NamedTuple):
    """A worker's answer, as the parent understands it.

    Attributes:
        number: The number of the request.
        env: The one environment that it is about, or `channel.ALL`.
        outcome: What came of it.
        failures: Empty if it succeeded.
        report: Of a worker that has started.
    """

    number: int
    env: int
    outcome: Outcome = NOTHING
    failures: tuple[Failure, ...] = ()
    report: Report | None = None


def dumps(value: Any) -> bytes:
    """Returns the value pickled, by cloudpickle where pickle cannot."""
    try:
        return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    except Exception:
        import cloudpickle  # here, as it is rarely needed

        pickled: bytes = cloudpickle.dumps(value)
        return pickled
