"""Pickles of environments under JAX, without their programs."""

from __future__ import annotations

import pickle
from typing import Any, Final

from gymnasium.functional.func_env import FuncEnv

_OF_ONE: Final = ("_begin", "_advance", "_read_action")
_OF_BATCH: Final = ("_reset_all", "_reset_rows", "_advance_all", "_check", "runner", "_usual_now", "_turn")


class _Again:
    """Stands for a state of rendering that cannot be pickled."""


class Picklable:
    """Programs and checkers are not pickled: `_attach` makes them again."""

    func_env: FuncEnv
    params: Any
    render_state: Any

    def _attach(self) -> None:
        raise NotImplementedError

    def __getstate__(self) -> dict[str, Any]:
        state = {name: value for name, value in self.__dict__.items() if name not in _OF_ONE + _OF_BATCH}
        try:
            pickle.dumps(state["render_state"])
        except Exception:  # as of a surface of pygame: the pictures of a copy begin anew
            state["render_state"] = _Again()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if isinstance(self.render_state, _Again):
            self.render_state = self.func_env.render_init(self.params)
        self._attach()
