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

__all__ = [
    "AlreadyPendingCallError",
    "ClosedEnvironmentError",
    "CustomSpaceError",
    "DependencyNotInstalled",
    "DeprecatedEnv",
    "DeprecatedWrapper",
    "Error",
    "InvalidAction",
    "InvalidBound",
    "InvalidMetadata",
    "InvalidProbability",
    "MissingArgument",
    "NameNotFound",
    "NamespaceNotFound",
    "NoAsyncCallError",
    "NotAnId",
    "RegistrationError",
    "ResetNeeded",
    "UnregisteredEnv",
    "UnsupportedMode",
    "VersionNotFound",
]


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
