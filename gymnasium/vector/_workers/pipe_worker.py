"""Custom workers: one process for each environment, which answers pickled commands through a pipe.

The worker is `worker(index, env_fn, pipe, parent_pipe, shared_memory, error_queue, autoreset_mode, semaphore)`. It
receives `(command, data)` and answers `(result, succeeded)`:

    "reset", {"seed": ..., "options": ...}     (observation, info)
    "reset-noop", None                         (last observation, {})
    "step", action                             (observation, reward, terminated, truncated, info)
    "_call", (name, args, kwargs)              the value
    "_setattr", (name, value)                  None
    "close", None                              None, and the worker ends

With shared memory it writes its observation there and sends None for it. On an exception it puts
`(index, type, value, traceback text)` into the queue and answers `(None, False)`.
"""

from __future__ import annotations

import contextlib
import inspect
from collections import deque
from collections.abc import Callable
from typing import Any

from gymnasium.vector._batch.actions import split_actions
from gymnasium.vector._workers.board import Board
from gymnasium.vector._workers.channel import ALL
from gymnasium.vector._workers.failures import Failure
from gymnasium.vector._workers.handle import WorkerHandle
from gymnasium.vector._workers.protocol import Outcome, Reply
from gymnasium.vector.utils import CloudpickleWrapper
from gymnasium.vector.vector_env import AutoresetMode

Worker = Callable[..., None]


def check_worker(worker: Any) -> None:
    """Check that a function can serve as a worker.

    Raises:
        ValueError: If it does not take the eight arguments.
    """
    try:
        inspect.signature(worker).bind(*range(8))
    except (TypeError, ValueError) as error:
        raise ValueError(
            "A custom worker must take 8 positional arguments (index, env_fn, pipe, parent_pipe, shared_memory, "
            f"error_queue, autoreset_mode, semaphore), but {worker!r} does not: {error}"
        ) from error


class PipeWorker(WorkerHandle):
    """A process with a custom worker for environment `index`.

    Attributes:
        pipe: The parent's end of its pipe; None after it is closed.
    """

    def __init__(self, index: int, board: Board, error_queue: Any) -> None:
        super().__init__(index, range(index, index + 1))
        self.pipe: Any = None
        self._board = board
        self._error_queue = error_queue
        # Replies have no numbers, but arrive in the order of the requests.
        self._asked: deque[tuple[str, int, bool]] = deque()

    def start(
        self,
        context: Any,
        worker: Worker,
        env_fn: Callable[[], Any],
        daemon: bool,
        shared_memory: Any,
        mode: AutoresetMode,
        semaphore: Any,
    ) -> None:
        """Start the process."""
        # A process that is not forked opens these by name, and the name disappears when they are collected here.
        self._inherited = shared_memory, semaphore
        self.pipe, child = context.Pipe()
        process = context.Process(
            target=worker,
            name=f"Worker<AsyncVectorEnv>-{self.index}",
            args=(
                self.index,
                CloudpickleWrapper(env_fn),
                child,
                self.pipe,
                shared_memory,
                self._error_queue,
                mode,
                semaphore,
            ),
            daemon=daemon,
        )
        self.launch(process)
        child.close()
        self.ready = True

    def fileno(self) -> int:
        """The pipe's."""
        fileno: int = self.pipe.fileno()
        return fileno

    def step(
        self, number: int, places: list[int] | None, batch: Any, singly: bool = False, in_memory: bool = False
    ) -> None:
        """Ask for a step."""
        self._ask("step", split_actions(batch, 1)[0], number, singly)

    def reset(self, number: int, tasks: list[tuple[int, int | None, Any]]) -> None:
        """Request a reset, or without a task the last observation."""
        if tasks:
            _, seed, options = tasks[0]
            self._ask("reset", {"seed": seed, "options": options}, number)
        else:
            self._ask("reset-noop", None, number)

    def call(self, number: int, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Request an attribute."""
        self._ask("_call", (name, args, kwargs), number)

    def set_attr(self, number: int, name: str, values: list[Any]) -> None:
        """Request to set an attribute."""
        self._ask("_setattr", (name, values[0]), number)

    def ask_to_close(self, number: int) -> None:
        """Ask to end."""
        self._ask("close", None, number)

    def _ask(self, command: str, data: object, number: int, singly: bool = False) -> None:
        self.awaited = self.awaited if singly else number
        self._asked.append((command, number, singly))
        with contextlib.suppress(OSError):  # the waiting side notices a worker that is gone
            self.pipe.send((command, data))

    def replies(self) -> list[Reply]:
        """Returns the replies that have arrived."""
        replies = []
        try:
            while self.pipe.poll(0) and self._asked:
                replies.append(self._reply(*self.pipe.recv()))
        except (EOFError, OSError) as error:
            if not replies:
                raise EOFError("The pipe was closed") from error
        return replies

    def _reply(self, result: Any, succeeded: bool) -> Reply:
        command, number, singly = self._asked.popleft()
        env = self.index if singly else ALL
        if not succeeded:
            return Reply(number, env, failures=(self._failure(),))
        if command == "step":
            observation, self._board.rewards[self.index], terminated, truncated, info = result
            self._board.terminations[self.index], self._board.truncations[self.index] = terminated, truncated
            return Reply(number, env, self._outcome(observation, info))
        if command == "reset":
            self._board.terminations[self.index] = self._board.truncations[self.index] = False
        if command in ("reset", "reset-noop"):
            return Reply(number, env, self._outcome(*result))
        return Reply(number, env, Outcome({}, {}, [result]))

    def _outcome(self, observation: object, info: dict[str, Any]) -> Outcome:
        return Outcome({self.index: info} if info else {}, {self.index: observation}, [])

    def _failure(self) -> Failure:
        if self._error_queue.empty():
            return Failure(
                [self.index], self.process.pid, f"The worker of environment {self.index} failed without a message"
            )
        index, kind, value, trace = self._error_queue.get()
        account = f"Environment {index} (worker process {self.process.pid}) raised {kind.__name__}: {value}"
        return Failure([index], self.process.pid, account, value if isinstance(value, BaseException) else None, trace)

    def disconnect(self) -> None:
        """Close the pipe."""
        self.pipe.close()
        self.pipe = None
