"""Helpers to send a function to a worker process and to start one."""

from __future__ import annotations

import contextlib
import os
import pickle
from collections.abc import Callable, Iterator
from typing import Any, Generic

from typing_extensions import TypeVar

__all__ = ["CloudpickleWrapper", "clear_mpi_env_vars"]

R = TypeVar("R", default=Any)


class CloudpickleWrapper(Generic[R]):
    """A function without arguments that pickles by value: lambdas, closures and local functions too.

    Attributes:
        fn: The function.
    """

    def __init__(self, fn: Callable[[], R]) -> None:
        self.fn = fn

    def __getstate__(self) -> bytes:
        """Returns the function as bytes."""
        import cloudpickle  # here, because only worker processes need it

        pickled: bytes = cloudpickle.dumps(self.fn)
        return pickled

    def __setstate__(self, state: bytes) -> None:
        """Restores the function."""
        self.fn = pickle.loads(state)

    def __call__(self) -> R:
        """Returns the result of the function."""
        return self.fn()


@contextlib.contextmanager
def clear_mpi_env_vars() -> Iterator[None]:
    """Hides the variables of MPI (`OMPI_*`, `PMI_*`) from processes that are started meanwhile.

    A child that inherits them believes to be a rank of the parent's job, and hangs.
    """
    hidden = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith(("OMPI_", "PMI_"))}
    try:
        yield
    finally:
        os.environ.update(hidden)
