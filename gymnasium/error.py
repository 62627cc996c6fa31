"""Every exception the package raises of its own.

Their tree:

    Error
    ├── UnregisteredEnv
    │   ├── NamespaceNotFound
    │   ├── NameNotFound
    │   └── VersionNotFound
    ├── DeprecatedEnv            a newer version of the environment is registered
    ├── NotAnId                  (also a TypeError) something else than an id or a spec
    ├── RegistrationError        an id that contradicts one already registered
    ├── CannotCompile            (also a TypeError) an environment's class cannot become machine code
    ├── DependencyNotInstalled   an optional package is missing; the message shows the command to install it
    ├── UnsupportedMode          a render mode that cannot work here
    ├── InvalidMetadata
    ├── ResetNeeded              step or render came before reset
    │   └── StepBeforeReset      (also an AssertionError)
    ├── InvalidAction
    │   └── ActionOutsideSpace   (also an AssertionError)
    │       └── ActionOfWrongShape   (also a ValueError) of a MuJoCo environment
    ├── MissingArgument
    ├── InvalidProbability
    └── InvalidBound

    AlreadyPendingCallError, NoAsyncCallError, ClosedEnvironmentError, CustomSpaceError   of vector environments
    DeprecatedWrapper            (an ImportError)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Error(Exception):
    """The base of the package's exceptions."""


class UnregisteredEnv(Error):
    """No environment is registered under the requested id."""


class NamespaceNotFound(UnregisteredEnv):
    """Nothing is registered in the id's namespace."""


class NameNotFound(UnregisteredEnv):
    """The namespace exists, but holds no environment of that name."""


class VersionNotFound(UnregisteredEnv):
    """The environment exists, but the requested version is above the latest."""


class DeprecatedEnv(Error):
    """The requested version is gone; a newer one is registered."""


class NotAnId(Error, TypeError):
    """`make`, `make_vec`, `spec` or `register` was called with something else than an id or an allowed spec.

    An `Error` and a `TypeError`, because programs written for one of these functions catch one of the two.
    """


class RegistrationError(Error):
    """An id cannot be registered next to the existing ones."""


class Reason(NamedTuple):
    """A place of an environment's class that cannot become machine code."""

    file: str
    line: int
    expression: str
    """The text of that line, or the part of it."""
    reason: str
    instead: str
    """The remedy, other code for this line."""

    def __str__(self) -> str:
        text = f" (`{self.expression}`)" if self.expression else ""
        place = f"{self.file}, line {self.line}{text}: " if self.file else ""
        return f"{place}{self.reason}" + (f": {self.instead}" if self.instead else "")


class CannotCompile(Error, TypeError):
    """An environment's class cannot become machine code that gives the same results.

    Attributes:
        reasons: All reasons that were found, each with its place.
    """

    def __init__(self, name: str, reasons: Sequence[Reason]) -> None:
        if len(reasons) == 1 and "vectorization_mode" in reasons[0].instead:
            text = f": {reasons[0].reason}; {reasons[0].instead}"
        else:
            lines = [f"\n  {reason}" for reason in reasons]
            text = f'; vectorization_mode="sync" runs it as it is.{"".join(lines)}'
        super().__init__(f"{name} cannot be compiled{text}")
        self.name, self.reasons = name, tuple(reasons)

    def __reduce__(self) -> tuple[type[CannotCompile], tuple[str, tuple[Reason, ...]]]:
        return CannotCompile, (self.name, self.reasons)


class DependencyNotInstalled(Error):
    """A required optional package is missing."""


class UnsupportedMode(Error):
    """A mode of rendering cannot work, here or with this environment."""


class InvalidMetadata(Error):
    """An environment's `metadata` is invalid."""


class ResetNeeded(Error):
    """`step` or `render` was called before `reset`."""


class StepBeforeReset(ResetNeeded, AssertionError):
    """A bare environment was stepped before its first reset.

    An `AssertionError` too, as in the classic environments.
    """


class InvalidAction(Error):
    """An action that the environment cannot take."""


class ActionOutsideSpace(InvalidAction, AssertionError):
    """An action that is not in the action space.

    An `AssertionError` too, because programs written for the classic environments catch that.
    """


class ActionOfWrongShape(ActionOutsideSpace, ValueError):
    """An action with another shape than that of a MuJoCo environment's actuators.

    A `ValueError` too, because programs written for these environments catch that.
    """


class CannotSnapshot(Error):
    """A moment cannot be kept, since the state of a layer of the environment cannot be read."""


class MissingArgument(Error):
    """A required argument was not given."""


class InvalidProbability(Error):
    """A probability lies outside its range."""


class InvalidBound(Error):
    """A bound is degenerate or out of order."""


class DeprecatedWrapper(ImportError):
    """A wrapper was requested under an old name."""


class _NamedCallError(Exception):
    """An error about the asynchronous call `name` (`"reset"`, `"step"` or `"call"`)."""

    def __init__(self, message: str, name: str) -> None:
        super().__init__(message)
        self.name = name

    def __reduce__(self) -> tuple[type[_NamedCallError], tuple[str, str]]:
        """Keeps both arguments, so that the error can be copied and pickled."""
        return type(self), (self.args[0], self.name)


class AlreadyPendingCallError(_NamedCallError):
    """An asynchronous call was started while the call `name` was still pending."""


class NoAsyncCallError(_NamedCallError):
    """The result of the call `name` was waited for, but none was started."""


class ClosedEnvironmentError(Exception):
    """A vector environment was used after `close`."""


class CustomSpaceError(Exception):
    """An operation that a user-defined space does not support."""
