"""The parent's side of a worker process."""

from __future__ import annotations

import contextlib
import pickle
import signal
import socket
import time
from collections.abc import Iterator, Sequence
from multiprocessing.process import BaseProcess
from typing import Any

from gymnasium.vector._workers.arena import Memory
from gymnasium.vector._workers.channel import Channel, Message
from gymnasium.vector._workers.journal import Journal, Request
from gymnasium.vector._workers.pickling import dumps
from gymnasium.vector._workers.process import end_without_guard
from gymnasium.vector._workers.protocol import (
    CALL,
    CLOSE,
    DONE,
    FAILED,
    LAYOUT,
    NOTHING,
    READY,
    RESET,
    SET,
    SHOW,
    STEP,
    Reply,
    Report,
    Setup,
    StepTask,
)
from gymnasium.vector._workers.worker import EnvFns, work
from gymnasium.vector.utils import clear_mpi_env_vars
from gymnasium.vector.vector_env import AutoresetMode

_PATIENCE = 1.0  # s, for processes to end after the request


class WorkerHandle:
    """A worker process, and its pending requests.

    Attributes:
        index: The number of the worker.
        envs: The indices of its environments.
        process: The process.
        awaited: The number of the pending request to all its environments; None if there is none.
        abandoned: The numbers of requests whose answers are no longer expected.
        started: The time at which the process was started.
        ready: Whether its environments are made.
        gone: Whether no more answers can arrive.
        attempts: The number of restarts since its last answer.
        journal: The requests since its last checkpoint; None if its work is not resumed.
        report: The properties of its environments.
        values: Their last results of a call.
        shown: What they showed when last asked: the number of the request, and scenes, pickled.
    """

    process: BaseProcess
    report: Report

    def __init__(self, index: int, envs: range) -> None:
        self.index = index
        self.envs = envs
        self.awaited: int | None = None
        self.abandoned: set[int] = set()
        self.started = 0.0
        self.ready = False
        self.gone = True
        self.attempts = 0
        self.journal: Journal | None = None
        self.values: list[Any] = []
        self.shown: tuple[int, bytes] | None = None

    def launch(self, process: BaseProcess) -> None:
        """Start the process."""
        with clear_mpi_env_vars(), _interrupts_held():
            try:
                process.start()
            except RuntimeError:
                end_without_guard()
                raise
        self.process = process
        self.awaited, self.abandoned = None, set()
        self.started, self.ready = time.monotonic(), False
        self.gone = False

    def fileno(self) -> int:
        """The object to wait on for a reply."""
        raise NotImplementedError

    def step(
        self, number: int, places: list[int] | None, batch: Any, singly: bool = False, in_memory: bool = False
    ) -> None:
        """Request a step.

        Args:
            number: The number of the request.
            places: The environments that step, by place; None for all.
            batch: Their actions.
            singly: Whether each is answered as soon as it is done.
            in_memory: Whether the actions are in the memory.
        """
        raise NotImplementedError

    def reset(self, number: int, tasks: list[tuple[int, int | None, Any]]) -> None:
        """Request resets: (place, seed, options) of each."""
        raise NotImplementedError

    def call(self, number: int, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Request each environment's attribute, or its result if it is callable."""
        raise NotImplementedError

    def set_attr(self, number: int, name: str, values: Any) -> None:
        """Request to set an attribute of each environment."""
        raise NotImplementedError

    def show(self, number: int, count: int) -> None:
        """Request the scenes of the first `count` environments, which arrive some time: nobody waits for them."""
        raise NotImplementedError

    def ask_to_close(self, number: int) -> None:
        """Request to close the environments and to end."""
        raise NotImplementedError

    @property
    def unsent(self) -> bool:
        """Whether data remains to be sent."""
        return False

    def flush(self) -> None:
        """Send the remaining data."""

    def replies(self) -> list[Reply]:
        """Returns the replies that have arrived.

        Raises:
            EOFError: If the worker is gone and there are none.
        """
        raise NotImplementedError

    def disconnect(self) -> None:
        """Close the connection."""
        raise NotImplementedError

    def end(self) -> None:
        """Make sure that the process is gone, and free its resources."""
        if self.process.is_alive():
            self.process.kill()
        self.process.join()
        self.release()

    def release(self) -> None:
        """Free the resources of the ended process."""
        if not self.gone:
            self.gone = True
            self.disconnect()
        # A Process keeps a descriptor until it is collected; `Process.close` would free it, but would also disable
        # `pid` and `is_alive`.
        finalizer = getattr(getattr(self.process, "_popen", None), "finalizer", None)
        if finalizer is not None:
            finalizer()


class ArenaWorker(WorkerHandle):
    """A worker of several environments that shares the memory of the batch."""

    channel: Channel

    def start(
        self, context: Any, env_fns: EnvFns, mode: AutoresetMode, daemon: bool, siblings: Sequence[ArenaWorker]
    ) -> None:
        """Start the process, and the one that replaces it when it is gone."""
        ours, theirs = socket.socketpair()
        # Only a forked process inherits the parent's ends.
        forked = context.get_start_method() == "fork"
        foreign = [ours, *(other.channel.socket for other in siblings if not other.gone)] if forked else []
        process = context.Process(
            target=work,
            name=f"Worker<AsyncVectorEnv>-{self.index}",
            args=(theirs, env_fns, self.envs.start, mode, foreign),
            daemon=daemon,
        )
        try:
            self.launch(process)
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        self.channel = Channel(ours, blocking=False)

    def share(self, memory: Memory, setup: Setup) -> None:
        """Send the memory and its layout."""
        with contextlib.suppress(OSError):  # the waiting side notices a worker that is gone
            self.channel.socket.send(memory.size.to_bytes(8, "little"))
            memory.send(self.channel.socket)
        self.channel.send(LAYOUT, 0, dumps(setup))

    def fileno(self) -> int:
        """The socket's."""
        return self.channel.socket.fileno()

    def step(
        self, number: int, places: list[int] | None, batch: Any, singly: bool = False, in_memory: bool = False
    ) -> None:
        """Request a step; with all the actions in the memory, a header is enough."""
        contents = b""
        if places is not None or not in_memory:
            task = StepTask(list(range(len(self.envs))) if places is None else places, batch, singly)
            if singly and self.journal is not None:
                self.journal.stepped_singly(number, task)
            contents = dumps(task._replace(batch=None) if in_memory else task)
        self.channel.send(STEP, number, contents)
        if not singly:  # and not before: what an interrupt kept from being sent has no answer
            self.awaited = number

    def reset(self, number: int, tasks: list[tuple[int, int | None, Any]]) -> None:
        """Ask for resets."""
        contents = dumps(tasks)
        if self.journal is not None:
            self.journal.reset(number, tasks, contents)
        self._ask(RESET, number, contents)

    def call(self, number: int, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Request an attribute."""
        contents = dumps((name, args, kwargs))
        if self.journal is not None:
            self.journal.called(number, name, contents)
        self._ask(CALL, number, contents)

    def set_attr(self, number: int, name: str, values: Any) -> None:
        """Request to set an attribute."""
        contents = dumps((name, values))
        if self.journal is not None:
            self.journal.attribute_set(number, name, contents)
        self._ask(SET, number, contents)

    def show(self, number: int, count: int) -> None:
        """Request scenes."""
        self.channel.send(SHOW, number, env=count)

    def repeat(self, request: Request) -> None:
        """Send a request as it was sent to the process before this one."""
        contents = request.contents if isinstance(request.contents, bytes) else dumps(request.contents)
        self.channel.send(request.kind, request.number, contents)

    def ask_to_close(self, number: int) -> None:
        """Ask to end."""
        self.awaited = number
        self.channel.send(CLOSE, number)

    def _ask(self, kind: int, number: int, contents: bytes) -> None:
        self.channel.send(kind, number, contents)
        self.awaited = number

    @property
    def unsent(self) -> bool:
        """Whether data remains to be sent."""
        return self.channel.unsent

    def flush(self) -> None:
        """Send the remaining data."""
        self.channel.flush()

    def replies(self) -> list[Reply]:
        """Returns the replies that have arrived."""
        return [self._reply(message) for message in self.channel.receive()]

    def _reply(self, message: Message) -> Reply:
        kind, env, number, payload = message
        if kind == READY:
            return Reply(number, env, report=pickle.loads(payload))
        if kind == FAILED:
            errors = pickle.loads(payload)
            return Reply(number, env, failures=tuple(error.failure(self.process.pid) for error in errors))
        if kind == DONE:
            return Reply(number, env, pickle.loads(payload) if payload else NOTHING)
        return Reply(number, env, news=(kind, payload))

    def disconnect(self) -> None:
        """Close the socket."""
        self.channel.close()


def end_processes(workers: Sequence[WorkerHandle], ending: Sequence[WorkerHandle]) -> None:
    """End processes: the `ending` ones get some time to end by themselves; the others, and late ones, are killed."""
    _join(ending)
    for worker in workers:
        worker.process.terminate()
    _join(workers)
    for worker in workers:
        worker.end()


def _join(workers: Sequence[WorkerHandle]) -> None:
    deadline = time.monotonic() + _PATIENCE
    for worker in workers:
        worker.process.join(max(0.0, deadline - time.monotonic()))


@contextlib.contextmanager
def _interrupts_held() -> Iterator[None]:
    """Holds Ctrl-C back while a process starts; otherwise the process would print a traceback before it ignores it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
