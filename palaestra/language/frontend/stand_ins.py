"""Objects of Python that programs and columns hold as others: what stands for a generator, whose state is hidden."""

from __future__ import annotations

import random
from typing import Any, ClassVar

import numpy as np
from typing_extensions import Self

GENERATORS = np.random.Generator, random.Random, np.random.RandomState
"""The classes of objects for which there are stand-ins."""


class StandIn:
    """An object in the place of one of Python's, with attributes that a program reads and writes.

    A method `name` of the original is the entry `(class, name)` of the table.
    """

    of: ClassVar[type]
    """The class of the originals."""

    @classmethod
    def like(cls, value: Any) -> Self:
        """Returns what stands for an original.

        Raises:
            TypeError: If it is of another class, or of a kind for which nothing stands.
        """
        raise NotImplementedError

    def original(self) -> Any:
        """Returns an original that goes on from here."""
        raise NotImplementedError


def as_held(of: type, value: Any) -> Any:
    """Returns what columns hold for a value that should be of a class."""
    return of.like(value) if issubclass(of, StandIn) and type(value) is not of else value
