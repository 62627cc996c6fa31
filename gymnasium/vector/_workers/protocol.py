"""The messages between a vector environment and its workers: their kinds and contents.

A request without contents, and a reply without contents, is only a header: nothing is pickled for a step of arrays
without infos.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from gymnasium.spaces.space import Space
from gymnasium.vector._workers.arena import Layout
from gymnasium.vector._workers.failures import Failure

# Requests and their contents.
LAYOUT = 1  # `Setup`; the memory precedes it
STEP = 2  # nothing: all, with the actions in the memory; or `StepTask`
RESET = 3  # a list of (place in the worker, seed, options)
CALL = 4  # (name, args, kwargs)
SET = 5  # (name, a list of values)
CLOSE = 6
SHOW = 7  # nothing; the header has the number of environments that show something, in place of an index

# Replies and their contents.
READY = 10  # `Report`
DONE = 11  # nothing, or `Outcome`
FAILED = 12  # a list of `PackedError`
RESUMED = 13  # nothing
CHECKPOINT = 14  # a checkpoint after the request of this number; in the worker's own form
NO_CHECKPOINT = 15  # why there can be none
SHOWN = 16  # scenes, pickled; nothing if one cannot tell its scene

STATE = "<state>"  # the name under which moments are called for and set; no attribute has it
STARTED = 0  # the number of the request for the start of a worker


class Resumption(NamedTuple):
    """The way back to the moment at which another worker died.

    Attributes:
        settings: The requests that set attributes before the checkpoint: kinds and contents.
        checkpoint: The newest checkpoint; empty if there is none.
        past: The requests since that were answered: kinds and contents.
        observations: The last observations, by place, if they are not in the memory.
        torn: The places whose rows of the memory are not the last ones, and must be written again.
    """

    settings: list[tuple[int, Any]]
    checkpoint: bytes
    past: list[tuple[int, Any]]
    observations: dict[int, Any]
    torn: list[int]


class Checkpoints(NamedTuple):
    """The duties of a worker whose work another can resume.

    Attributes:
        every: The number of steps between two checkpoints.
        entropy: Seeds the spaces of its environments, which otherwise the system would.
        resumption: The way to the moment from which it continues; None for the beginning.
    """

    every: int
    entropy: int
    resumption: Resumption | None


class Setup(NamedTuple):
    """The data that a worker needs besides its environments.

    Attributes:
        layout: The layout of the shared memory.
        lost: For a worker that replaces another: the last observation of each environment (by place) whose episode is
            lost.
        finished: The places of those that had finished their episodes.
        checkpoints: Only for workers whose work is resumed.
        beginnings: Only for a worker that replaces another: the names of `beginnings`, and the values set under them.
    """

    layout: Layout
    lost: dict[int, Any]
    finished: list[int]
    checkpoints: Checkpoints | None = None
    beginnings: Sequence[tuple[str, Any]] = ()


class StepTask(NamedTuple):
    """A step of some environments, or with other answers than usual.

    Attributes:
        places: The worker's environments that step.
        batch: Their actions, in the form for `split_actions`; None if they are in the memory.
        singly: Whether each is answered separately, as soon as it is done.
    """

    places: list[int]
    batch: Any
    singly: bool


class Report(NamedTuple):
    """The properties of a worker's environments."""

    observation_spaces: list[Space]
    action_spaces: list[Space]
    metadata: dict[str, Any]
    render_mode: str | None


class Unanswered(NamedTuple):
    """The requests that a worker has not answered.

    Attributes:
        awaited: The number of the pending request to all its environments; None if there is none.
        abandoned: The numbers of others, whose answers are no longer expected.
        singly: The numbers of the requests to environments that step separately, by place.
    """

    awaited: int | None
    abandoned: frozenset[int]
    singly: dict[int, int]

    def numbers(self) -> list[int]:
        """Returns the numbers, each as often as answers to it are missing."""
        return [*([] if self.awaited is None else [self.awaited]), *self.abandoned, *self.singly.values()]


class Outcome(NamedTuple):
    """The results of a request, except those in the memory.

    Attributes:
        infos: The infos that are not empty, by environment.
        observations: The observations, by environment.
        values: The results of a call, in order.
    """

    infos: dict[int, dict[str, Any]]
    observations: dict[int, Any]
    values: list[Any]


NOTHING = Outcome({}, {}, [])


class Reply(NamedTuple):
    """A worker's answer, as seen by the parent.

    Attributes:
        number: The number of the request.
        env: The index of a single environment, or `channel.ALL`.
        outcome: The results.
        failures: Empty if it succeeded.
        report: The report of a worker that has started.
        news: Something else to tell: its kind (`RESUMED`, `CHECKPOINT`, `NO_CHECKPOINT` or `SHOWN`) and contents.
    """

    number: int
    env: int
    outcome: Outcome = NOTHING
    failures: tuple[Failure, ...] = ()
    report: Report | None = None
    news: tuple[int, bytes] | None = None
