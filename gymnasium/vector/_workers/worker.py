"""The program of a worker process: some environments, stepped one after the other on the parent's request."""

from __future__ import annotations

import contextlib
import os
import pickle
import selectors
import socket
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np

from gymnasium.core import Env
from gymnasium.params.randomization import Randomization, Randomizer
from gymnasium.states.scenes import packed_scenes
from gymnasium.vector._batch.actions import split_actions
from gymnasium.vector._batch.beginnings import CHECK, CHECKS, DRAW, OF_EACH
from gymnasium.vector._batch.functions import check_made, warn_of_shared
from gymnasium.vector._batch.member import Member, MemberState, begin_with
from gymnasium.vector._batch.results import rewards_of
from gymnasium.vector._batch.together import Together
from gymnasium.vector._batch.trees import mapped
from gymnasium.vector._workers.arena import Arena, Memory
from gymnasium.vector._workers.calling import called, first_invalid
from gymnasium.vector._workers.channel import ALL, Channel, Message
from gymnasium.vector._workers.checkpoints import Checkpointer, Resumed
from gymnasium.vector._workers.failures import PackedError, packed
from gymnasium.vector._workers.lost_member import LostMember
from gymnasium.vector._workers.pickling import dumps
from gymnasium.vector._workers.polling import LONGEST_POLL, polled
from gymnasium.vector._workers.process import end_with_parent, leave_interrupts_to_parent, let_parent_finish
from gymnasium.vector._workers.protocol import (
    CALL,
    CLOSE,
    DONE,
    FAILED,
    READY,
    RESET,
    RESUMED,
    SET,
    SHOW,
    SHOWN,
    STARTED,
    STATE,
    STEP,
    Checkpoints,
    Outcome,
    Report,
    Setup,
    StepTask,
)
from gymnasium.vector.vector_env import AutoresetMode

_BRIEF = 3e-3  # s, the length of a step below which the time to fall asleep and wake up matters

EnvFns = bytes | Sequence[Callable[[], Env]]


def work(
    end: socket.socket, env_fns: EnvFns, first: int, mode: AutoresetMode, foreign: Sequence[socket.socket]
) -> None:
    """Make environments and serve the parent's requests, until it sends `CLOSE` or is gone.

    Args:
        end: This end of the connection.
        env_fns: The functions that make the environments, pickled if the process was not forked.
        first: The index of the first of them in the vector environment.
        mode: The autoreset mode.
        foreign: The parent's ends of connections; a forked process inherits them and must not hold them open.
    """
    for other in foreign:
        other.close()
    leave_interrupts_to_parent()
    let_parent_finish()
    threading.Thread(target=end_with_parent, args=(os.getppid(),), daemon=True).start()
    channel = Channel(end, blocking=True)
    with contextlib.ExitStack() as stack, contextlib.suppress(EOFError):
        envs = _made(channel, env_fns, first, stack)
        if envs is not None:
            server = _Server(channel, envs, first, mode)
            stack.pop_all()
            server.serve()


def _made(channel: Channel, env_fns: EnvFns, first: int, stack: contextlib.ExitStack) -> list[Env] | None:
    """Returns the environments, and reports them; on failure, reports it and returns None."""
    envs: list[Env] = []
    try:
        for make in pickle.loads(env_fns) if isinstance(env_fns, bytes) else env_fns:
            env = make()
            check_made(env, first + len(envs))
            envs.append(env)
            stack.callback(_close_quietly, envs[-1])
        warn_of_shared(envs)
        spaces = [env.observation_space for env in envs], [env.action_space for env in envs]
        report = dumps(Report(*spaces, envs[0].metadata, envs[0].render_mode))
    except BaseException as error:
        channel.send(FAILED, STARTED, dumps([packed(error, first + len(envs))]))
        return None
    channel.send(READY, STARTED, report)
    return envs


def _close_quietly(env: Env) -> None:
    with contextlib.suppress(Exception):
        env.close()


class _Server:
    """The environments of one worker. A `place` is an index among them, `first` the first one's in the batch."""

    def __init__(self, channel: Channel, envs: list[Env], first: int, mode: AutoresetMode) -> None:
        self._channel = channel
        self._envs = envs
        self._first = first
        memory, setup = self._received_setup()
        self._arena = Arena(setup.layout, memory)
        self._members = [_member(env, mode, setup, place) for place, env in enumerate(envs)]
        self._places = range(len(envs))
        self._rows = slice(first, first + len(envs))
        in_memory = None not in (setup.layout.observation_space, setup.layout.action_space)
        self._seen: Any = self._arena.observations() if in_memory else None
        self._together = Together.of(self._members, self._seen)
        self._looked = False  # whether nobody has used the environments since `_together` has looked at them
        self._came = self._waited = 0.0  # the time of the last request, and the wait before it
        self._acted = 0  # steps of single environments; a reset or a call counts as one
        requests = selectors.DefaultSelector()
        requests.register(channel.socket, selectors.EVENT_READ)
        self._request_waits = partial(requests.select, 0)
        self._write = None if setup.layout.observation_space is None else self._arena.observation_writer()
        for name, values in setup.beginnings:
            begin_with(self._members, name, values)
        self._checkpointer = None if setup.checkpoints is None else self._resumed(setup.checkpoints)

    def _received_setup(self) -> tuple[Memory, Setup]:
        size = int.from_bytes(self._channel.socket.recv(8, socket.MSG_WAITALL), "little")
        memory = Memory.receive(self._channel.socket, size)
        memory.close_handle()
        setup, *self._waiting = self._channel.receive()
        return memory, pickle.loads(setup.payload)

    def _resumed(self, checkpoints: Checkpoints) -> Checkpointer:
        """Returns what makes the next checkpoints, after the resumption from the last."""
        checkpointer = Checkpointer(self._members, self._first, self._channel, checkpoints)
        resumption = checkpoints.resumption
        if resumption is not None:
            failure = Resumed(self._members, self._first, self._arena, self._write).failure(resumption)
            if failure is not None:
                self._channel.send(FAILED, STARTED, dumps([failure]))
            else:
                self._acted = checkpointer.resume(resumption)
                self._channel.send(RESUMED, STARTED)
        return checkpointer

    def serve(self) -> None:
        """Answer requests until the end."""
        actions = {STEP: self._step, RESET: self._reset, CALL: self._call, SET: self._set}
        try:
            while True:
                for message in self._waiting or self._received():
                    if message.kind == CLOSE:
                        self._close(message)
                        return
                    if message.kind == SHOW:  # which changes nothing
                        self._channel.send(SHOWN, message.number, packed_scenes(self._envs[: message.env]))
                        continue
                    self._looked = self._looked and message.kind == STEP and not message.payload
                    actions[message.kind](message)
                    if self._checkpointer is not None:
                        self._checkpointer.look(message, self._acted)
                self._waiting = []
        except EOFError:  # the parent is gone
            for env in self._envs:
                _close_quietly(env)

    def _received(self) -> list[Message]:
        """Returns the next requests.

        After a brief step it polls for a while, unless that was in vain the last time, for example because
        learning takes place between the steps.
        """
        done = time.perf_counter()
        if done - self._came < _BRIEF and self._waited < LONGEST_POLL:
            polled(self._request_waits, LONGEST_POLL)
        messages = self._channel.receive()
        self._came = time.perf_counter()
        self._waited = self._came - done
        return messages

    def _step(self, message: Message) -> None:
        if not message.payload:
            self._answer(message.number, *self._stepped_all())
            return
        task: StepTask = pickle.loads(message.payload)
        if task.batch is None:
            stored = self._stored_actions()
            actions = [stored[place] for place in task.places]
        else:
            actions = split_actions(task.batch, len(task.places))
        if not task.singly:
            self._answer(message.number, *self._stepped(task.places, actions))
            return
        for place, action in zip(task.places, actions, strict=True):
            self._answer(message.number, *self._stepped([place], [action]), env=self._first + place)

    def _stored_actions(self) -> list[Any]:
        # Copies, because an environment may keep its action, and the memory will hold the next one.
        copies = mapped(lambda column: column[self._rows].copy(), self._arena.actions)
        return split_actions(copies, len(self._envs))

    def _stepped_all(self) -> tuple[Outcome, list[PackedError]]:
        first, rows, arena, together = self._first, self._rows, self._arena, self._together
        if together is None:
            return self._stepped(self._places, self._stored_actions())
        failed: list[PackedError] = []
        self._acted += len(self._places)
        if not self._looked:
            together.look()
            self._looked = True
        infos = together.step(arena.actions[rows], lambda place, error: failed.append(packed(error, first + place)))
        stepper = together.stepper
        self._seen[rows] = stepper.observations
        if not failed:
            arena.rewards[rows], arena.terminations[rows] = stepper.rewards, stepper.terminations
            arena.truncations[rows] = together.truncations
        return Outcome({first + place: info for place, info in infos.items()}, {}, []), failed

    def _stepped(self, places: Sequence[int], actions: Iterable[object]) -> tuple[Outcome, list[PackedError]]:
        first, members, write = self._first, self._members, self._write
        outcome, failed = Outcome({}, {}, []), []
        self._acted += len(places)
        results = []
        for place, action in zip(places, actions, strict=True):
            try:
                observation, reward, terminated, truncated, info = members[place].step(action)
                if write is not None:
                    write(first + place, observation)
                else:
                    outcome.observations[first + place] = observation
                results.append((reward, terminated, truncated))
            except BaseException as error:
                failed.append(packed(error, first + place))
                continue
            if info:
                outcome.infos[first + place] = info
        if not failed:
            self._record(places, results, failed)
        return outcome, failed

    def _record(self, places: Sequence[int], results: list[tuple[Any, Any, Any]], failed: list[PackedError]) -> None:
        """Write rewards and flags, all at once."""
        first, n = self._first + places[0], len(places)
        contiguous = isinstance(places, range) or n == 1
        rows: Any = slice(first, first + n) if contiguous else [self._first + place for place in places]
        rewards, terminations, truncations = zip(*results, strict=True)
        try:
            self._arena.rewards[rows] = rewards_of(rewards, n)
            self._arena.terminations[rows] = np.fromiter(terminations, np.bool_, n)
            self._arena.truncations[rows] = np.fromiter(truncations, np.bool_, n)
        except Exception as error:
            failed.append(packed(error, self._first + first_invalid(places, results)))

    def _reset(self, message: Message) -> None:
        outcome, failed = Outcome({}, {}, []), []
        for place, seed, options in pickle.loads(message.payload):
            env = self._first + place
            self._acted += 1
            try:
                observation, info = self._members[place].reset(seed, options)
                if self._write is not None:
                    self._write(env, observation)
                else:
                    outcome.observations[env] = observation
            except BaseException as error:
                failed.append(packed(error, env))
                continue
            self._arena.terminations[env] = self._arena.truncations[env] = False
            if info:
                outcome.infos[env] = info
        self._answer(message.number, outcome, failed)

    def _call(self, message: Message) -> None:
        name, args, kwargs = pickle.loads(message.payload)

        def answer(place: int) -> Any:
            if name == STATE:
                return self._members[place].get_state()
            return called(self._envs[place], self._first + place, name, args, kwargs)

        self._answer(message.number, *self._done_by_each(answer))

    def _set(self, message: Message) -> None:
        name, values = pickle.loads(message.payload)
        if name == STATE:
            self._answer(message.number, *self._put_states(values))
            return
        if name in (CHECK, DRAW):
            self._answer(message.number, *self._drawn(values, counts=name == DRAW))
            return
        changed = [place for place in self._places if name not in OF_EACH or values[place] is not None]
        if self._checkpointer is not None and name not in CHECKS:
            self._checkpointer.wait_for_resets(changed)
        if name in OF_EACH:
            self._answer(message.number, *self._begun_with(name, {place: values[place] for place in changed}))
            return

        def put(place: int) -> None:
            self._envs[place].set_wrapper_attr(name, values[place])

        self._answer(message.number, *self._done_by_each(put))

    def _begun_with(self, name: str, values: dict[int, Any]) -> tuple[Outcome, list[PackedError]]:
        """Set how episodes begin; nothing is set if one environment refuses, or for a check."""
        changes: list[Callable[[], None]] = []

        def prepare(place: int) -> None:
            if place in values:
                changes.append(self._members[place].changing(name, values[place]))

        outcome, failed = self._done_by_each(prepare)
        for change in changes if not failed and name not in CHECKS else ():
            change()
        return outcome, failed

    def _drawn(self, randomization: Randomization, counts: bool) -> tuple[Outcome, list[PackedError]]:
        """Draw params from now on if `counts`; else find out whether all environments can."""
        new: list[Randomizer] = []
        outcome, failed = self._done_by_each(
            lambda place: new.append(self._members[place].randomizer(randomization, place, len(self._members)))
        )
        if counts and not failed:
            for member, randomizer in zip(self._members, new, strict=True):
                member.params = randomizer
        return outcome, failed

    def _put_states(self, values: list[tuple[MemberState, int | None] | None]) -> tuple[Outcome, list[PackedError]]:
        """Put those members into moments that have one, with its observation and flags."""
        outcome, failed = Outcome({}, {}, []), []
        for place, value in enumerate(values):
            if value is None:
                continue
            (state, seed), env = value, self._first + place
            try:
                self._members[place].set_state(state, seed)
                if self._write is None:
                    outcome.observations[env] = state.observation
                elif state.observation is not None:
                    self._write(env, state.observation)
            except BaseException as error:
                failed.append(packed(error, env))
                continue
            self._arena.terminations[env], self._arena.truncations[env] = state.finished, False
        return outcome, failed

    def _close(self, message: Message) -> None:
        self._answer(message.number, *self._done_by_each(lambda place: self._envs[place].close()))

    def _done_by_each(self, do: Callable[[int], Any]) -> tuple[Outcome, list[PackedError]]:
        outcome, failed = Outcome({}, {}, []), []
        self._acted += len(self._places)
        for place in self._places:
            try:
                outcome.values.append(do(place))
            except BaseException as error:
                failed.append(packed(error, self._first + place))
        return outcome, failed

    def _answer(self, number: int, outcome: Outcome, failed: list[PackedError], env: int = ALL) -> None:
        payload = b""
        if not failed and any(outcome):
            try:
                payload = dumps(outcome)
            except Exception as error:
                failed = [packed(error, self._unpicklable(outcome))]
        if failed:
            self._channel.send(FAILED, number, dumps(failed), env)
        else:
            self._channel.send(DONE, number, payload, env)

    def _unpicklable(self, outcome: Outcome) -> int:
        """Returns the environment whose part of an outcome does not pickle."""
        parts = [*outcome.infos.items(), *outcome.observations.items(), *enumerate(outcome.values, self._first)]
        for env, part in parts:
            try:
                dumps(part)
            except Exception:
                return env
        return self._first


def _member(env: Env, mode: AutoresetMode, setup: Setup, place: int) -> Member:
    member = LostMember(env, mode, setup.lost[place]) if place in setup.lost else Member(env, mode)
    member.finished = place in setup.finished
    return member
