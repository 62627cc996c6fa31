"""Failures in a worker process, and their transfer to the caller."""

from __future__ import annotations

import contextlib
import pickle
import re
import signal
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from gymnasium.logger import error
from gymnasium.vector._workers.pickling import by_value, referring

_PLACE = re.compile(r'^ *File "(.+)", line (\d+)', re.MULTILINE)


class WorkerError(RuntimeError):
    """A worker process failed, and no other information is available.

    It is raised if a process died, and if an exception cannot leave its process: because it does not pickle, or because
    it is not an `Exception`, such as `SystemExit`, and would silently end the caller's program. Otherwise it is the
    cause of the environment's own exception.
    """


@dataclass(frozen=True)
class Failure:
    """The failure of one worker or of one of its environments.

    Attributes:
        envs: The indices of the affected environments.
        pid: The worker's process id.
        account: A readable description.
        error: The exception itself, if it could be transferred.
        trace: Its traceback as text.
    """

    envs: list[int]
    pid: int | None
    account: str
    error: BaseException | None = None
    trace: str = ""

    def in_one_line(self) -> str:
        """Returns the first line of the account, and the place of an exception."""
        line = self.account.partition("\n")[0]
        places = _PLACE.findall(self.trace)
        return f"{line}, at {places[-1][0]}:{places[-1][1]}" if places else line

    def in_full(self) -> str:
        """Returns the account and the traceback."""
        return "\n\n".join(filter(None, (self.account, self.trace)))

    def exception(self, text: str = "") -> Exception:
        """Returns the exception to raise: the environment's own, or a `WorkerError`.

        Args:
            text: That of the `WorkerError`, which is the cause of the environment's own; by default the full account.
        """
        account = WorkerError(text or self.in_full())
        if not isinstance(self.error, Exception):
            return account
        if hasattr(self.error, "add_note"):
            self.error.add_note(self.account)
        self.error.__cause__ = account
        return self.error


@dataclass(frozen=True)
class PackedError:
    """An exception prepared for transfer.

    Attributes:
        env: The index of the environment that raised it.
        name: Its type.
        text: Its message.
        trace: Its traceback.
        forms: Ways to rebuild it, each pickled; the first that gives its text is used.
    """

    env: int
    name: str
    text: str
    trace: str
    forms: list[bytes] = field(default_factory=list)

    def failure(self, pid: int | None) -> Failure:
        """Returns the description for the caller."""
        account = f"Environment {self.env} (worker process {pid}) raised {self.name}: {self.text}"
        return Failure([self.env], pid, account, _rebuilt(self.forms, self.text), self.trace)


def packed(raised: BaseException, env: int) -> PackedError:
    """Returns the exception of environment `env` in a form that always pickles."""
    kind = type(raised)
    try:
        text = str(raised)
    except Exception:
        text = "<its text cannot be had>"
    trace = "".join(traceback.format_exception(raised))
    # An exception whose constructor takes other arguments than its `args` pickles, but does not unpickle; a class that
    # only this process can find does neither by reference.
    parts = kind, raised.args, raised.__dict__
    forms = [_pickled(dumps, each) for dumps in (referring, by_value) for each in (raised, parts)]
    name = f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins.")
    return PackedError(env, name, text, trace, [form for form in forms if form is not None])


def _pickled(dumps: Callable[[object], bytes], value: object) -> bytes | None:
    with contextlib.suppress(Exception):
        return dumps(value)
    return None


def _rebuilt(forms: Sequence[bytes], text: str) -> BaseException | None:
    """Returns the first exception with this text: a constructor that is called again may write another."""
    others = []
    for form in forms:
        with contextlib.suppress(Exception):
            found = _restored(form)
            if str(found) == text:
                return found
            others.append(found)
    return others[0] if others else None


def _restored(form: bytes) -> BaseException:
    value = pickle.loads(form)
    if isinstance(value, tuple):
        kind, arguments, attributes = value
        value = kind.__new__(kind, *arguments)
        value.args = arguments
        value.__dict__.update(attributes)
    if not isinstance(value, BaseException):
        raise TypeError(f"an exception was pickled as {value!r}")
    return value


def raise_last(failures: Sequence[Failure]) -> NoReturn:
    """Warn of each worker that failed, in one line, and raise the last failure, with all tracebacks."""
    last_of_workers = {failure.pid: failure for failure in failures}
    for pid, failure in last_of_workers.items():
        others = sum(other.pid == pid for other in failures) - 1
        error("%s%s", failure.in_one_line(), f", and {others} more of its environments raised" if others else "")
    different = {failure.trace: failure for failure in failures}
    raise failures[-1].exception("\n\n".join(failure.in_full() for failure in different.values()))


def death(envs: list[int], pid: int | None, how: str) -> Failure:
    """Returns the failure of a worker process that ended or became useless."""
    return Failure(envs, pid, f"The worker process {pid} of the environments {envs} {how}")


def unguarded(envs: list[int], pid: int | None) -> Failure:
    """Returns the failure of a worker process whose main file starts workers when it is imported."""
    return Failure(
        envs,
        pid,
        "Put the program below `if __name__ == '__main__':`. Worker processes that are not forked import its file, and "
        f"the worker process {pid} would have started workers of its own there",
    )


def ending(exitcode: int | None) -> str:
    """Returns a description of how a process ended."""
    if exitcode is None:
        return "has closed its connection"
    if exitcode >= 0:
        return f"ended by itself with the exit code {exitcode}"
    try:
        return f"was killed by the signal {signal.Signals(-exitcode).name}"
    except ValueError:
        return f"was killed by the signal {-exitcode}"
