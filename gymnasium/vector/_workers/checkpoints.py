"""The checkpoints of a worker's environments, and the way from one to the moment at which the worker died.

This is the child's side; `journal` and `resume` are the parent's.
"""

from __future__ import annotations

import contextlib
import pickle
from collections.abc import Iterator, Sequence
from typing import Any

from gymnasium.error import ResetNeeded
from gymnasium.states.layers import generators_in, generators_of, put_generators, seed_generators, walk
from gymnasium.states.plain import CannotSnapshot, equal, plain
from gymnasium.vector._batch.actions import split_actions
from gymnasium.vector._batch.beginnings import CHECKS, NAMES
from gymnasium.vector._batch.member import Member, begin_with
from gymnasium.vector._workers.arena import Arena, RowWriter
from gymnasium.vector._workers.calling import called
from gymnasium.vector._workers.channel import Channel, Message
from gymnasium.vector._workers.failures import PackedError, WorkerError, packed
from gymnasium.vector._workers.protocol import (
    CALL,
    CHECKPOINT,
    NO_CHECKPOINT,
    RESET,
    SET,
    STATE,
    STEP,
    Checkpoints,
    Resumption,
)

_SETTLES = 10_000  # steps, in which every environment should have been reset after its attributes were set
_LARGE = 2**24  # bytes of requests, such as states that are put, after which a checkpoint comes early


class Checkpointer:
    """Sends checkpoints of a worker's environments."""

    def __init__(self, members: Sequence[Member], first: int, channel: Channel, checkpoints: Checkpoints) -> None:
        self._members = members
        self._channel = channel
        self._every = checkpoints.every * len(members)
        self._can_keep = True
        self._last = self._size = 0
        self._due = self._every
        self._has_kept = checkpoints.resumption is not None and bool(checkpoints.resumption.checkpoint)
        self._set_in: list[int] = []  # the episode of each member in which an attribute was set
        for k, member in enumerate(members, first):
            seed_generators(checkpoints.entropy + k, *_spaces(member))

    def resume(self, resumption: Resumption) -> int:
        """Returns how many steps the way from the last checkpoint takes; they count as if they were taken now."""
        if any(kind == SET for kind, _ in resumption.past):
            self.wait_for_resets(range(len(self._members)))
        return sum(len(what.places) if kind == STEP else len(self._members) for kind, what in resumption.past)

    def wait_for_resets(self, places: Sequence[int]) -> None:
        """Make no checkpoint until these have begun another episode, because attributes were set.

        Some restore a moment by playing the episode, and the attributes must then be those of its beginning.
        """
        self._set_in = self._set_in or [-1] * len(self._members)
        for place in places:
            self._set_in[place] = self._members[place].episodes

    def look(self, request: Message, acted: int) -> None:
        """After a request, send a checkpoint if it is time for one.

        Args:
            request: The request.
            acted: The number of steps of single environments by now; a reset or a call counts as a step.
        """
        if acted < self._due and not request.payload:  # a header is the request of most steps, which are the hot path
            return
        since = acted - self._last
        self._size += len(request.payload)
        reset = request.kind == RESET and (3 * since >= self._every or not self._has_kept)
        if not reset and acted < self._due and self._size < _LARGE:
            return
        if since < _SETTLES * len(self._members) and not self._settled():
            return
        self._last, self._due, self._size, self._set_in = acted, acted + self._every, 0, []
        self._send(request.number)

    def _settled(self) -> bool:
        begun = zip(self._members, self._set_in, strict=True) if self._set_in else ()
        return all(member.episodes > episode for member, episode in begun)

    def _send(self, number: int) -> None:
        if not self._can_keep:
            return
        try:
            moments = [(member.get_state(), generators_of(*_spaces(member))) for member in self._members]
            contents = pickle.dumps(moments, pickle.HIGHEST_PROTOCOL)
        except ResetNeeded:
            return
        except Exception as error:
            reason = str(error) if isinstance(error, CannotSnapshot) else f"get_state raised {error!r}"
            self._channel.send(NO_CHECKPOINT, number, reason.encode())
            self._can_keep = False
            return
        self._has_kept = True
        self._channel.send(CHECKPOINT, number, contents)


class Resumed:
    """Brings a worker's environments to the moment at which another worker died."""

    def __init__(self, members: Sequence[Member], first: int, arena: Arena, write: RowWriter | None) -> None:
        self._members = members
        self._first = first
        self._arena = arena
        self._write = write
        self._place = 0
        self._seen: dict[int, tuple[Any, bool, bool]] = {}  # by place, the last observation and flags

    def failure(self, resumption: Resumption) -> PackedError | None:
        """Repeat the actions since the last checkpoint. Returns the failure, if there is one.

        Nothing is answered, and the memory keeps its contents, except for what is torn.
        """
        try:
            self._restore(resumption)
            for kind, contents in resumption.past:
                self._repeat(kind, contents)
            self._compare(resumption)
        except BaseException as error:
            return packed(error, self._first + self._place)
        return None

    def _restore(self, resumption: Resumption) -> None:
        if not (resumption.checkpoint or resumption.settings):
            return
        for member in self._each():
            member.env.reset(seed=0)
        for kind, contents in resumption.settings:
            self._repeat(kind, contents)
        if resumption.checkpoint:
            for member, (state, generators) in zip(self._each(), pickle.loads(resumption.checkpoint), strict=True):
                member.set_state(state)
                spaces = _spaces(member)
                put_generators(generators_in(generators, *spaces), *spaces)

    def _each(self) -> Iterator[Member]:
        for place in range(len(self._members)):
            yield self._at(place)

    def _at(self, place: int) -> Member:
        """Returns a member, to which the next failure belongs."""
        self._place = place
        return self._members[place]

    def _repeat(self, kind: int, contents: Any) -> None:
        if kind == STEP:
            actions = split_actions(contents.batch, len(contents.places))
            for place, action in zip(contents.places, actions, strict=True):
                observation, _, terminated, truncated, _ = self._at(place).step(action)
                self._seen[place] = observation, terminated, truncated
        elif kind == RESET:
            for place, seed, options in pickle.loads(contents):
                self._seen[place] = self._at(place).reset(seed, options)[0], False, False
        elif kind == CALL:
            self._call(*pickle.loads(contents))
        else:
            self._set(*pickle.loads(contents))

    def _call(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        for member in self._each():
            with contextlib.suppress(Exception):  # the caller has seen it
                called(member.env, self._first + self._place, name, args, kwargs)

    def _set(self, name: str, values: Any) -> None:
        if name in NAMES:
            if name not in CHECKS:
                begin_with(self._members, name, values)
            return
        for member, value in zip(self._each(), values, strict=True):
            if name == STATE and value is not None:
                state, seed = value
                member.set_state(state, seed)
                self._seen[self._place] = state.observation, state.finished, False
            elif name != STATE:
                with contextlib.suppress(Exception):
                    member.env.set_wrapper_attr(name, value)

    def _compare(self, resumption: Resumption) -> None:
        """Check that the last observations are those that the caller has, and write the rows that are torn."""
        for place, (seen, *flags) in self._seen.items():
            self._at(place)
            env = self._first + place
            if place in resumption.torn:
                self._arena.terminations[env], self._arena.truncations[env] = flags
            if seen is None:
                continue
            if place in resumption.torn and self._write is not None:
                self._write(env, seen)
            elif not self._same(seen, resumption.observations.get(place)):
                raise WorkerError(
                    "Its actions since the last checkpoint, or reset with a seed, led to another observation when they "
                    "were repeated. It depends on more than its seed and its actions, so it cannot be resumed"
                )

    def _same(self, seen: Any, expected: Any) -> bool:
        write, env = self._write, self._first + self._place
        if write is not None:
            return self._arena.unchanged(env, lambda: write(env, seen))
        try:
            return equal(plain(seen, "an observation"), plain(expected, "an observation"))
        except CannotSnapshot:  # values of a custom space, which only it can compare
            return True


def _spaces(member: Member) -> list[Any]:
    return [space for layer in walk(member.env) for space in (layer.action_space, layer.observation_space)]
