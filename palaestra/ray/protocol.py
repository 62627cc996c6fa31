"""The messages between a `RayVectorEnv` and its actors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from gymnasium.spaces.space import Space
from gymnasium.vector._workers.failures import PackedError
from gymnasium.vector.vector_env import AutoresetMode

# The kinds of requests; each is a method of `Host`, which documents its contents.
BEGIN = "begin"
RESET = "reset"
STEP = "step"
SEND = "send"
CALL = "call"
SET = "set_attr"
GET_STATES = "get_states"
PUT_STATES = "put_states"
ROLLOUT = "rollout"
CLOSE = "close"

MOVES = (RESET, STEP, SEND)  # after these, a new actor can continue without the old one's state


class Request(NamedTuple):
    """A request to one actor. The requests to an actor are numbered 1, 2, 3 and so on; 0 begins."""

    number: int
    kind: str
    contents: tuple[Any, ...]


class Checkpoint(NamedTuple):
    """A moment of an actor's environments, in the actor's own form, or the reason why there can be none."""

    contents: bytes | None
    refusal: str = ""


class Answer(NamedTuple):
    """The answer to a request.

    Attributes:
        number: The number of the request.
        value: The result.
        failure: The exception instead of a result.
        missed: Whether the actor did nothing, because an earlier request had not arrived.
        kept: The checkpoint of the moment after the request, if it was time for one.
    """

    number: int
    value: Any = None
    failure: PackedError | None = None
    missed: bool = False
    kept: Checkpoint | None = None


class Report(NamedTuple):
    """The answer of an actor that has made its environments.

    The spaces of the single observations are those of each environment, if they may differ; else there are none.
    """

    num_envs: int
    single_observation_space: Space
    single_action_space: Space
    metadata: dict[str, Any]
    render_mode: str | None
    autoreset_mode: AutoresetMode
    pid: int
    node: str
    address: str
    observation_spaces: list[Space]

    def place(self) -> str:
        """Returns where the actor is."""
        return f"pid {self.pid} on node {self.address}, id {self.node[:8]}"


class Resumption(NamedTuple):
    """The way back to the moment at which another actor died.

    Attributes:
        settings: The requests before the checkpoint whose effect is not part of it.
        checkpoint: The newest checkpoint; None if there is none.
        past: The answered requests since then.
        observations: The observations of the last of them, if it was one of all environments; else None.
    """

    settings: list[Request]
    checkpoint: bytes | None
    past: list[Request]
    observations: Any


class Losses(NamedTuple):
    """The losses with another actor, whose environments are made anew.

    Attributes:
        observations: The last observations.
        finished: Which episodes had ended.
    """

    observations: Any
    finished: Any


class Setup(NamedTuple):
    """The first message to an actor.

    Attributes:
        make: A function of a number that makes a batch of so many environments, pickled by cloudpickle.
        envs: The environments of the actor.
        every: The number of steps between two checkpoints; None for no checkpoints.
        entropy: Seeds the spaces of environments, which otherwise the system would.
        resumption: The moment to continue from.
        losses: The results with which lost episodes end.
        beginnings: Params that were set, by names of `vector._batch.beginnings`, for new environments.
    """

    make: bytes
    envs: range
    every: int | None
    entropy: int
    resumption: Resumption | None = None
    losses: Losses | None = None
    beginnings: Sequence[tuple[str, Any]] = ()
