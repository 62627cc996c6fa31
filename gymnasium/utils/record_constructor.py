"""Recording a constructor's arguments, so that an object can be remade."""

from __future__ import annotations

from copy import deepcopy
from typing import Any


class RecordConstructorArgs:
    """A mixin for wrappers: its arguments go into the environment's spec.

    Call `RecordConstructorArgs.__init__(self, name=value, ...)` with every argument but the environment, under its own
    name. The first call wins, so a subclass records its own arguments and not its parent's.
    """

    def __init__(self, *, _disable_deepcopy: bool = False, **kwargs: object) -> None:
        if not hasattr(self, "_saved_kwargs"):
            self._saved_kwargs: dict[str, Any] = kwargs if _disable_deepcopy else deepcopy(kwargs)
