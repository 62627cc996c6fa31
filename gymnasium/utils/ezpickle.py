"""Pickling by constructor arguments."""

from __future__ import annotations

from typing import Any


class EzPickle:
    """A mixin for objects with parts that cannot be pickled: they are rebuilt from their constructor's arguments.

    Call `EzPickle.__init__(self, *args, **kwargs)` in the constructor with the arguments it received.
    The state after construction (random numbers, a simulation) is not pickled, but for an environment's `spec`.
    """

    def __init__(self, *args: object, **kwargs: object) -> None:
        self._ezpickle_args = args
        self._ezpickle_kwargs = kwargs

    def __getstate__(self) -> dict[str, Any]:
        state = {"_ezpickle_args": self._ezpickle_args, "_ezpickle_kwargs": self._ezpickle_kwargs}
        return state | {name: value for name, value in vars(self).items() if name == "spec"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        rebuilt = type(self)(*state["_ezpickle_args"], **state["_ezpickle_kwargs"])
        self.__dict__.update(rebuilt.__dict__)
        self.__dict__.update({name: value for name, value in state.items() if name == "spec"})
