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
from time import monotonic, sleep
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

    __slots__ = ("free", "given", "waiting")

    def __init__(self) -> None:
        self.free = True
        self.waiting: list[Any] = []  # a lock of each waiting thread, released when it has got the turn
        self.given: Any = None  # the lock of the thread that has got the turn, until it goes on

    def __reduce__(self) -> tuple[type[Turn], tuple[()]]:
        return Turn, ()

    def await_it(self) -> bool:
        """Wait for the turn and take it. Returns False if this thread has it already."""
        if self.is_taken_here():
            return False
        gate = threading.Lock()
        gate.acquire()
        self.waiting.append(gate)
        try:
            while not (self._is_mine() or gate.acquire(timeout=_PATIENCE) or self.is_found()):
                pass
        except BaseException:
            if not self._leave(gate):
                self.given = None
                self.give_back()
            raise
        self._leave(gate)
        self.given = None
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
            if self.waiting:  # since then
                self.hand_over()
        else:
            self.given = gate
            gate.release()

    def _is_mine(self) -> bool:
        """Take the turn if it is free."""
        try:
            del self.free
        except AttributeError:
            return False
        return True

    def _leave(self, gate: Any) -> bool:
        """Wait no longer. Returns False if the turn was given to this thread."""
        try:
            self.waiting.remove(gate)
        except ValueError:
            return False
        return True

    def is_taken_here(self) -> bool:
        """Whether this thread has the turn."""
        return self._is_taken_in(currentframe())

    def is_found(self) -> bool:
        """Take the turn if no thread has it, as after a signal in the wrong moment. Returns whether it was taken."""
        for _ in range(3):
            try:
                del self.free
            except AttributeError:
                if self.given is not None or any(map(self._is_taken_in, sys._current_frames().values())):
                    return False
            else:
                return True
        return True

    def is_found_soon(self) -> bool:
        """Take the turn as soon as it is free. Returns whether it was taken."""
        until = monotonic() + _PATIENCE
        while monotonic() < until:
            if self._is_mine():
                return True
            sleep(1e-4)
        return self.is_found()

    def _is_taken_in(self, frame: FrameType | None) -> bool:
        """Whether a method that has taken the turn, and does not just wait for it, is among the callers of a frame."""
        waits = False
        while frame is not None:
            if frame.f_code in _ASKING:
                waits = waits or frame.f_locals["self"] is self
            elif frame.f_code in _TAKING and frame.f_locals.get("turn") is self:
                if not waits:
                    return True
                waits = False
            frame = frame.f_back
        return False


# Of those whose caller has not taken the turn.
_ASKING = {one.__code__ for one in (Turn.await_it, Turn.is_taken_here, Turn.is_found, Turn.is_found_soon)}
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
    """Let a method of a batch raise `AlreadyPendingCallError` if another thread is in one.

    A method `..._wait` first lets the other thread leave: while a request is pending, most are in a call only to be
    refused, and the request would stay pending.
    """
    name = method.__name__.strip("_")
    is_found = Turn.is_found_soon if name.endswith("_wait") else Turn.is_found

    @wraps(method)
    def refusing(self: Any, *args: object, **kwargs: object) -> object:
        turn = self._sole
        try:
            del turn.free
        except AttributeError:
            if turn.is_taken_here():
                turn = Turn()  # this thread has it already, and gives it back later
            elif not is_found(turn):
                raise AlreadyPendingCallError(
                    f"`{name}` was called while another thread is in a call of this {type(self).__name__}: let one "
                    "thread use it at a time",
                    name.partition("_")[0],
                ) from None
        try:
            return method(self, *args, **kwargs)
        finally:
            turn.free = True
            if turn.waiting:
                turn.hand_over()

    return cast("F", takes_turn(refusing))


def begin_turns(batch: Any, name: str = "_turn") -> None:
    """Give a batch turns: `_turn`, for which threads wait; or `_sole`, which only one thread may want."""
    setattr(batch, name, Turn())
    _batches[next(_numbers)] = batch


_batches: WeakValueDictionary[int, Any] = WeakValueDictionary()
_numbers = count()


def _forget_other_threads() -> None:
    """Free what threads of the parent process have taken: a forked process does not have these threads."""
    for batch in list(_batches.values()):
        setattr(batch, "_sole" if hasattr(batch, "_sole") else "_turn", Turn())


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_other_threads)
