"""A trial of a compiled plain environment: some episodes beside the class itself, which `SyncVectorEnv` runs."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import deepcopy
from time import monotonic
from typing import TYPE_CHECKING, Any

import numpy as np

from gymnasium.error import CannotCompile
from gymnasium.plain.refusals import PLAINLY
from gymnasium.vector.sync_vector_env import SyncVectorEnv
from gymnasium.wrappers.common import TimeLimit

if TYPE_CHECKING:
    from gymnasium.plain.vector_env import PlainVectorEnv

_ADVICE = re.compile(r"^Environment \d+: |\. Python continues here.*$")  # of the batch's error, for its caller
LONGEST = 0.8  # s
FEW, STEPS = 4, 400  # copies, unless they are stepped in lanes
_SMALL = "rtol=1e-9 in vector_kwargs allows small differences"
LIMIT = 37  # steps of an episode, so that resets are compared too


def compare(envs: PlainVectorEnv, make: Callable[[], Any], rtol: float | None) -> bool:
    """Step a batch and the class itself with the same seeds and actions.

    Args:
        envs: The batch, in any mode that resets by itself.
        make: Makes one of the environments.
        rtol: The relative difference that numbers may have; None for none at all.

    Returns:
        Whether nothing raised; if something did, the caller's own reset or step raises it again.

    Raises:
        gymnasium.error.CannotCompile: At the first difference; it names the step and the value.
    """
    own = SyncVectorEnv([lambda: TimeLimit(make(), LIMIT)] * envs.num_envs, autoreset_mode=envs.autoreset_mode)
    try:
        return _compared(envs, own, rtol)
    finally:
        own.close()


def _compared(envs: PlainVectorEnv, own: SyncVectorEnv, rtol: float | None) -> bool:
    seeds = list(range(envs.num_envs))
    came: Any
    expected: Any
    try:
        came, expected = envs.reset(seed=seeds), own.reset(seed=seeds)
    except CannotCompile:
        raise
    except Exception:
        return False
    _check(envs, "the reset", ("observation", "info"), expected, came, rtol)
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
            came = envs.step(actions)
        except Exception as error:
            remedy = "keep integers within the range of their type" if isinstance(error, OverflowError) else PLAINLY
            said = _ADVICE.sub("", str(error))
            what = f"machine code raised {type(error).__name__}: {said}"
            raise _difference(envs, f"step {step}", what, remedy) from error
        names = ("observation", "reward", "terminated", "truncated", "info")
        _check(envs, f"step {step}", names, expected, came, rtol)
        if monotonic() > end and step > 3:
            break
    return True


def _raises_too(envs: PlainVectorEnv, actions: object, step: int) -> bool:
    try:
        envs.step(actions)
    except Exception:
        return False
    raise _difference(envs, f"step {step}", "Python raised, and machine code did not", PLAINLY)


def _check(envs: PlainVectorEnv, when: str, names: Any, expected: Any, came: Any, rtol: float | None) -> None:
    for name, a, b in zip(names, expected, came, strict=True):
        found = first_difference(name, a, b, rtol)
        if found:
            raise _difference(envs, when, found)


def _difference(envs: PlainVectorEnv, when: str, what: str, remedy: str = _SMALL) -> CannotCompile:
    return envs.dynamics.refused(f"at {when} of a trial with seeds 0 to {envs.num_envs - 1}, {what}", remedy)


def first_difference(name: str, a: object, b: object, rtol: float | None) -> str:
    """Returns where two nested values differ, Python's first; "" if nowhere.

    The sign of zero counts, and NaN equals NaN.
    """
    if isinstance(a, dict) and isinstance(b, dict):
        if a.keys() != b.keys():
            return f"Python gave the {name} keys {sorted(a)}, and machine code {sorted(b)}"
        found = (first_difference(f"{name} {key!r}", a[key], b[key], rtol) for key in a)
        return next((one for one in found if one), "")
    if isinstance(a, tuple) and isinstance(b, tuple):
        found = (first_difference(name, x, y, rtol) for x, y in zip(a, b, strict=True))
        return next((one for one in found if one), "")
    x, y = np.asarray(a), np.asarray(b)
    if x.ndim == y.ndim == 0 and (x.dtype == object or y.dtype == object):
        return "" if a is b or a == b else f"Python gave {name} {a!r}, and machine code {b!r}"
    if x.dtype == object and y.dtype == object and x.shape == y.shape:
        pairs = zip(x.ravel().tolist(), y.ravel().tolist(), strict=True)
        return next((one for one in (first_difference(name, p, q, rtol) for p, q in pairs) if one), "")
    if x.dtype != y.dtype or x.shape != y.shape:
        return f"Python gave {name} of {x.dtype} and shape {x.shape}, and machine code of {y.dtype} and {y.shape}"
    if same_bits(x, y) or (rtol is not None and x.dtype.kind == "f" and np.allclose(x, y, rtol, 0.0, equal_nan=True)):
        return ""
    return f"Python gave {name} {a!r}, and machine code {b!r}"


def same_bits(x: Any, y: Any) -> bool:
    """Returns whether two arrays hold the same numbers, the sign of zero included; NaN equals NaN."""
    if x.dtype.kind != "f":
        return bool(np.array_equal(x, y))
    zeros = [np.signbit(one) & (one == 0) for one in (x, y)]
    return bool(np.array_equal(x, y, equal_nan=True) and np.array_equal(*zeros))
