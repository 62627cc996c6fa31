"""What compilation leaves out, and that nobody but kernels notices."""

from __future__ import annotations

import gc
import math
import operator
import threading
from typing import Any

import numpy as np
import pytest
from numba import njit
from numba.core.base import BaseContext
from numba.core.codegen import JITCodeLibrary
from numba.core.cpu import CPUContext
from numba.core.errors import TypingError
from numba.core.registry import cpu_target
from numba.core.types.functions import BaseFunction

from palaestra.language.jit import savings, shortcuts
from palaestra.language.jit.exact.language import Refused, taken_refusals
from palaestra.language.jit.lanes.types import FLOATS
from palaestra.language.jit.lowering import Lowering
from palaestra.language.jit.savings import linked_only
from palaestra.runner import CompiledVectorEnv
from tests.palaestra.runner.dynamics import State, Walk


@njit
def inner(x):
    return math.sin(x) + 1.0


@njit
def users(x):
    return inner(x) * 2.0


class Waves(Walk):
    @staticmethod
    def transition(state, action, rng, params):
        return State(users(state.x) + action, state.t + 1)


def test_functions_that_the_user_compiled_are_callable_afterwards() -> None:
    envs = CompiledVectorEnv(Waves(), 3)
    envs.reset(seed=1)
    envs.step(np.array([0, 1, 0]))
    assert users(0.5) == users.py_func(0.5)
    assert inner(0.5) == inner.py_func(0.5)


def test_another_thread_compiles_for_python_meanwhile() -> None:
    @njit
    def half(x):
        return x / 2.0

    @njit
    def quarter(x):
        return half(x) / 2.0

    thread = threading.Thread(target=quarter, args=(1.0,))
    with linked_only():
        thread.start()
        thread.join(0.2)
    thread.join()
    assert half(1.0) == 0.5


def test_fastmath_is_refused_by_name() -> None:
    @njit(fastmath=True)
    def quick(x):
        return x * 2.0 + 1.0

    def uses(x):
        return quick(x)

    taken_refusals()
    with pytest.raises(Refused):
        Lowering().function(uses)(1.0)
    assert "quick is compiled with fastmath" in taken_refusals()[0]


def test_numba_is_left_as_it_was() -> None:
    def methods() -> list[Any]:
        return [CPUContext.get_executable, JITCodeLibrary._finalize_final_module, BaseContext.refresh]

    before = methods()
    with pytest.raises(ZeroDivisionError), linked_only(), linked_only():
        assert methods() != before
        assert not gc.isenabled()
        raise ZeroDivisionError
    assert methods() == before
    assert gc.isenabled()


def test_what_lanes_mean_is_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_up = []
    look_up = BaseFunction.get_call_type

    def noted(function: Any, *arguments: Any) -> Any:
        looked_up.append(arguments)
        return look_up(function, *arguments)

    monkeypatch.setattr(BaseFunction, "get_call_type", noted)
    context = cpu_target.typing_context
    multiply = context.resolve_value_type(operator.mul)
    monkeypatch.setattr(shortcuts, "_answers", {})
    with linked_only():
        first, again = (multiply.get_call_type(context, (FLOATS, FLOATS), {}) for _ in range(2))
    assert first is again
    assert first.return_type is FLOATS
    assert len(looked_up) == 1


def test_an_error_tells_its_place() -> None:
    def wrong(x):
        return x + "text"

    with linked_only(), pytest.raises(TypingError, match=r"(?s)typing of intrinsic-call at .*test_savings\.py"):
        njit(wrong)(1.0)


def test_machine_code_that_raises_tells_no_place_of_another_function() -> None:
    @njit
    def other(x):
        return x + 1.0

    def added(x, y):
        return x + y

    other(np.ones(2))
    with pytest.raises(ValueError, match="broadcast") as caught:
        Lowering().function(added)(np.ones(2), np.ones(3))
    assert "File" not in str(caught.value)


def test_a_program_keeps_the_objects_that_it_froze() -> None:
    frozen = gc.get_freeze_count()  # these tests freeze theirs
    with linked_only():
        pass
    assert gc.get_freeze_count() > frozen / 2 > 0


def test_frozen_objects_are_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """To count a million takes as long as to compile a small function."""
    counts = iter([0, 5])
    monkeypatch.setattr(savings, "_somebody_froze", False)
    monkeypatch.setattr(gc, "get_freeze_count", lambda: next(counts))
    for name in ("freeze", "unfreeze"):
        monkeypatch.setattr(gc, name, lambda: None)
    for _ in range(4):
        with linked_only():
            pass
    assert not list(counts)
