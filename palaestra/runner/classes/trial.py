"""A trial of a compiled plain environment: some episodes beside the class itself, which `SyncVectorEnv` runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from copy import deepcopy
from functools import partial
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.vector.sync_vector_env import SyncVectorEnv
from gymnasium.wrappers.common import TimeLimit
from palaestra.error import CannotCompile
from palaestra.language.frontend.hidden import ENTROPY
from palaestra.runner.classes.dynamics import ClassDynamics
from palaestra.runner.classes.own_generators import with_own
from palaestra.runner.classes.refusals import PLAINLY
from palaestra.runner.vector_env import CompiledVectorEnv

_ADVICE = re.compile(r"^Environment \d+: |\. Python continues here.*$")  # of the batch's error, for its caller
LONGEST = 0.8  # s
FEW, STEPS = 4, 400  # copies, unless they are stepped in lanes
OFFERED = 1e-9
_SMALL = f"rtol={OFFERED} in vector_kwargs allows differences by rounding"
LIMIT = 37  # steps of an episode, so that resets are compared too


def compare(envs: CompiledVectorEnv, makes: Sequence[Callable[[], Any]], rtol: float | None) -> bool:
    """Step a batch and the class itself with the same seeds and actions.

    Args:
        envs: The batch, in any mode that resets by itself.
        makes: Functions that make each of the environments.
        rtol: The relative difference that numbers may have; None for none at all.

    Returns:
        Whether nothing raised; if something did, the caller's own reset or step raises it again.

    Raises:
        palaestra.error.CannotCompile: At the first difference; it names the step and the value.
    """
    names = envs._single.func_env.model.hidden  # type: ignore[attr-defined]  # that of a `PlainEnv`
    alone = [partial(_limited, make, names) for make in makes]
    own = SyncVectorEnv(alone, autoreset_mode=envs.autoreset_mode)
    try:
        return _compared(envs, own, rtol, ENTROPY in names)
    finally:
        own.close()


def _limited(make: Callable[[], Any], names: Collection[str]) -> TimeLimit[Any, Any]:
    return TimeLimit(with_own(make(), names), LIMIT)


def _compared(envs: CompiledVectorEnv, own: SyncVectorEnv, rtol: float | None, begins_anywhere: bool) -> bool:
    """Compare them, up to the first reset without a seed if that `begins_anywhere`."""
    seeds = _seeds(envs)
    ours: Any
    expected: Any
    try:
        ours, expected = envs.reset(seed=seeds), own.reset(seed=seeds)
    except CannotCompile:
        raise
    except Exception:
        return False
    _check(envs, "the reset", ("observation", "info"), expected, ours, rtol)
    space = deepcopy(own.action_space)
    space.seed(0)
    end = monotonic() + LONGEST
    for step in range(STEPS):
        actions = space.sample()
        try:
            expected = own.step(deepcopy(actions))
        except Exception:  # it must raise in both
            return _raises_too(envs, actions, step)
        try:
            ours = envs.step(actions)
        except Exception as error:
            remedy = "keep integers within the range of their type" if isinstance(error, OverflowError) else PLAINLY
            said = _ADVICE.sub("", str(error))
            what = f"machine code raised {type(error).__name__}: {said}"
            raise _difference(envs, f"step {step}", what, remedy) from error
        if begins_anywhere and np.any(expected[2] | expected[3]):
            break
        names = ("observation", "reward", "terminated", "truncated", "info")
        _check(envs, f"step {step}", names, expected, ours, rtol)
        if monotonic() > end and step > 3:
            break
    return True


def _seeds(envs: CompiledVectorEnv) -> list[int]:
    """The seeds of a trial: without 0 where a generator begins anywhere, since some classes take that for none."""
    dynamics: ClassDynamics = envs._single.func_env  # type: ignore[assignment]
    first = int(ENTROPY in dynamics.model.hidden)
    return list(range(first, first + envs.num_envs))


def _raises_too(envs: CompiledVectorEnv, actions: object, step: int) -> bool:
    try:
        envs.step(actions)
    except Exception:
        return False
    raise _difference(envs, f"step {step}", "Python raised, and machine code did not", PLAINLY)


def _check(envs: CompiledVectorEnv, when: str, names: Any, expected: Any, ours: Any, rtol: float | None) -> None:
    for name, a, b in zip(names, expected, ours, strict=True):
        found = next(_differences(name, a, b, rtol), None)
        if found:
            raise _difference(envs, when, *found)


def _difference(envs: CompiledVectorEnv, when: str, what: str, remedy: str) -> CannotCompile:
    dynamics: ClassDynamics = envs._single.func_env  # type: ignore[assignment]
    first, *_, last = _seeds(envs)
    return dynamics.refused(f"at {when} of a trial with seeds {first} to {last}, {what}", remedy)


def first_difference(name: str, a: object, b: object, rtol: float | None) -> str:
    """Returns where two nested values differ, Python's first; "" if nowhere.

    The sign of zero and the types of numbers count, and NaN equals NaN.
    """
    return next((what for what, _ in _differences(name, a, b, rtol)), "")


def _differences(name: str, a: object, b: object, rtol: float | None) -> Iterator[tuple[str, str]]:
    """Yields the differences of two nested values, each with its remedy."""
    if isinstance(a, dict) and isinstance(b, dict):
        if a.keys() != b.keys():
            what = f"Python gave the {name} keys {sorted(a)}, and machine code {sorted(b)}"
            yield what, "return the same keys on each path"
            return
        for key in a:
            yield from _differences(f"{name} {key!r}", a[key], b[key], rtol)
    elif type(a) is not type(b):
        what = f"Python gave {name} {a!r}, of type {type(a).__name__}, and machine code {b!r}, of {type(b).__name__}"
        yield what, "let it always be of one type: write int(...), float(...), bool(...) or np.array(...)"
    elif isinstance(a, (tuple, list)) and isinstance(b, (tuple, list)) and len(a) == len(b):
        for x, y in zip(a, b, strict=True):
            yield from _differences(name, x, y, rtol)
    elif isinstance(a, np.ndarray) and isinstance(b, np.ndarray) and a.dtype == b.dtype == object and a.ndim:
        yield from _differences(name, a.tolist(), b.tolist(), rtol)
    else:
        yield from _of_numbers(name, a, b, rtol)


def _of_numbers(name: str, a: object, b: object, rtol: float | None) -> Iterator[tuple[str, str]]:
    x, y = np.asarray(a), np.asarray(b)
    if x.dtype != y.dtype or x.shape != y.shape:
        what = f"Python gave {name} of {x.dtype} and shape {x.shape}, and machine code of {y.dtype} and {y.shape}"
        yield what, "let it always be of one dtype and shape: write np.array(..., np.float64), say"
    elif not (a == b if x.dtype == object else same_bits(x, y) or _is_rounding(x, y, rtol)):
        remedy = _SMALL if _is_rounding(x, y, OFFERED) and not np.array_equal(x, y) else PLAINLY
        yield f"Python gave {name} {a!r}, and machine code {b!r}", remedy


def _is_rounding(x: NDArray[Any], y: NDArray[Any], rtol: float | None) -> bool:
    return rtol is not None and x.dtype.kind == "f" and bool(np.allclose(x, y, rtol, 0.0, equal_nan=True))


def same_bits(x: Any, y: Any) -> bool:
    """Returns whether two arrays hold the same numbers, the sign of zero included; NaN equals NaN."""
    if x.dtype.kind != "f":
        return bool(np.array_equal(x, y))
    zeros = [np.signbit(one) & (one == 0) for one in (x, y)]
    return bool(np.array_equal(x, y, equal_nan=True) and np.array_equal(*zeros))
