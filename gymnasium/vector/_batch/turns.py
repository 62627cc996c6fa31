"""Turns of the threads that share a batch: one thread is in its methods at a time.

A batch in this process lets the other threads wait, since its calls end by themselves. One that waits for worker
processes refuses them, as it refuses a second call while one is pending. A method may call others of its batch.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from functools import wraps
from inspect import currentframe
from itertools import count
from types import CodeType, FrameType
from typing import Any, TypeVar, cast
from weakref import WeakValueDictionary

from gymnasium.error import AlreadyPendingCallError

F = TypeVar("F", bound="Callable[..., Any]")

_PATIENCE = 1.0  # s, after which a waiting thread looks whether there is anything to wait for


class Turn:
    """A lock that costs a step 40 ns; Python's cost up to 250 ns. `CompiledVectorEnv.step` and `in_turn` show its use.

    To delete the attribute `free` takes the turn. Between that and the `try` whose end gives it back, no signal is
    handled. A copy or a pickle of a turn is a new one.
    """

    __slots__ = ("free", "waiting")

    def __init__(self) -> None:
        self.free = True
        self.waiting: list[Any] = []  # a lock of each waiting thread, released when it has got the turn

    def __reduce__(self) -> tuple[type[Turn], tuple[()]]:
        return Turn, ()

    def await_it(self) -> bool:
        """Wait for the turn and take it. Returns False if this thread has it already."""
        if self._is_taken_in(currentframe()):
            return False
        gate = threading.Lock()
        gate.acquire()
        self.waiting.append(gate)
        try:
            while not (self._is_mine(gate) or gate.acquire(timeout=_PATIENCE) or self._is_lost()):
                pass
        except BaseException:
            if not self._leave(gate):
                self.give_back()
            raise
        self._leave(gate)
        return True

    def give_back(self) -> None:
        """Let the next thread have the turn."""
        self.free = True
        self.hand_over()

    def hand_over(self) -> None:
        """Give a free turn to the thread that has waited longest; without this, it might wait for ever."""
        try:
            del self.free
        except AttributeError:  # another thread was faster, and will hand it over
            return
        try:
            gate = self.waiting.pop(0)
        except IndexError:
            self.free = True
        else:
            gate.release()

    def _is_mine(self, gate: Any) -> bool:
        """Take the turn if it is free."""
        try:
            del self.free
        except AttributeError:
            return False
        if not self._leave(gate):  # it was given to this thread before
            self.give_back()
        return True

    def _leave(self, gate: Any) -> bool:
        """Wait no longer. Returns False if the turn was given to this thread."""
        try:
            self.waiting.remove(gate)
        except ValueError:
            return False
        return True

    def _is_lost(self) -> bool:
        """Whether no thread has the turn, as after a signal in the wrong moment, or in a copy made in a turn."""
        return not any(map(self._is_taken_in, sys._current_frames().values()))

    def _is_taken_in(self, frame: FrameType | None) -> bool:
        """Whether a method that has taken the turn, and does not just wait for it, is among the callers of a frame."""
        waits = False
        while frame is not None:
            if frame.f_code is Turn.await_it.__code__:
                waits = waits or frame.f_locals["self"] is self
            elif frame.f_code in _TAKING and frame.f_locals.get("turn") is self:
                if not waits:
                    return True
                waits = False
            frame = frame.f_back
        return False


_TAKING: set[CodeType] = set()  # the code of the functions that take turns, in the variable `turn`


def takes_turn(method: F) -> F:
    """Note that a function takes the turn in its variable `turn`."""
    _TAKING.add(method.__code__)
    return method


def in_turn(method: F) -> F:
    """Let a method of a batch, or a function of one, begin when no other thread is in one."""

    @wraps(method)
    def waiting(self: Any, *args: object, **kwargs: object) -> object:
        turn = self._turn
        try:
            del turn.free
        except AttributeError:
            if turn is None or not turn.await_it():
                turn = Turn()  # this thread has it already, and gives it back later
        try:
            return method(self, *args, **kwargs)
        finally:
            turn.free = True
            if turn.waiting:
                turn.hand_over()

    return cast("F", takes_turn(waiting))


def alone(method: F) -> F:
    """Let a method of a batch raise `AlreadyPendingCallError` if another thread is in one."""
    name = method.__name__.strip("_")

    @wraps(method)
    def refusing(self: Any, *args: object, **kwargs: object) -> object:
        sole = self._sole
        if not sole.acquire(False):
            raise AlreadyPendingCallError(
                f"`{name}` was called while another thread is in a call of this {type(self).__name__}: let one thread "
                "use it at a time",
                name.partition("_")[0],
            )
        try:
            return method(self, *args, **kwargs)
        finally:
            sole.release()

    return cast("F", refusing)


def begin_turns(batch: Any) -> None:
    """Let threads wait for each other in a batch."""
    batch._turn = Turn()
    _batches[next(_numbers)] = batch


def begin_alone(batch: Any) -> None:
    """Let a batch refuse a thread while another one is in it."""
    batch._sole = threading.RLock()
    _batches[next(_numbers)] = batch


_batches: WeakValueDictionary[int, Any] = WeakValueDictionary()
_numbers = count()


def _forget_other_threads() -> None:
    """Free what threads of the parent process have taken: a forked process does not have these threads."""
    for batch in list(_batches.values()):
        if hasattr(batch, "_sole"):
            batch._sole = threading.RLock()
        else:
            batch._turn = Turn()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_other_threads)
