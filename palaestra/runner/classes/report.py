"""The report of a compilation, as data."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import Any, NamedTuple

from gymnasium.envs.registration import make
from gymnasium.functional.func_env import FuncEnv
from gymnasium.vector.sync_vector_env import SyncVectorEnv
from gymnasium.vector.vector_env import VectorEnv
from palaestra.error import CannotCompile, Reason
from palaestra.language.program import WIDTH
from palaestra.runner.classes.copies import copies_of
from palaestra.runner.classes.dynamics import ClassDynamics
from palaestra.runner.classes.hints import note_speed
from palaestra.runner.classes.vector_env import PlainVectorEnv
from palaestra.runner.engines import engine_refusal


class Report(NamedTuple):
    """The result of `explain`."""

    name: str
    compiles: bool
    """Whether its source can be translated, and, if it was asked for, the compiler and the trial accept it."""
    state: dict[str, str]
    """The attributes that change, with what they hold."""
    constants: dict[str, str]
    """The attributes that reset and step read, and that never change."""
    reasons: tuple[Reason, ...]
    """All places that cannot be compiled."""
    source: str
    """The programs of `reset` and `step`, as text with the lines that they come from."""
    speeds: dict[str, float]
    """Steps of single environments per second, in `"sync"` and `"compiled"`, if they were asked for."""


def explain(
    environment: str | Callable[..., Any], measured: bool = False, num_envs: int = 1024, **kwargs: object
) -> Report:
    """Returns the report of a compilation.

    Args:
        environment: An id, or a class or function that makes one.
        measured: Whether it is compiled and tried too, and its speed measured beside that in sync, which takes seconds.
        num_envs: The number of copies that are measured.
        **kwargs: Arguments for the environment.

    Raises:
        gymnasium.error.Error: If there is no such id.
        TypeError: If `environment` makes no `Env`.
    """
    is_dynamics = isinstance(environment, type) and issubclass(environment, FuncEnv)
    if is_dynamics or not (isinstance(environment, str) or callable(environment)):
        raise TypeError(
            f"explain expects an id, or a class or function that makes an Env, but {environment!r} came; "
            "palaestra.testing.check_func_env shows which runners take a FuncEnv"
        )
    make = partial(_maker(environment), **kwargs)
    kind = type(make().unwrapped) if isinstance(environment, str) else environment
    refusal = engine_refusal(kind, 'use vectorization_mode="async"')
    if refusal is not None:
        return Report(refusal.name, False, {}, {}, refusal.reasons, "", {})
    try:
        dynamics = ClassDynamics(copies_of(lambda: make().unwrapped, WIDTH))
    except CannotCompile as error:
        return Report(error.name, False, {}, {}, error.reasons, "", {})
    reasons: tuple[Reason, ...] = ()
    speeds: dict[str, float] = {}
    if measured:
        try:
            speeds = _speeds(make, num_envs)
        except CannotCompile as error:
            reasons = error.reasons
    state, constants = dynamics.described()
    return Report(dynamics.name, not reasons, state, constants, reasons, dynamics.text(), speeds)


def _maker(environment: str | Callable[..., Any]) -> Callable[..., Any]:
    if isinstance(environment, str):
        return partial(make, environment, max_episode_steps=-1, disable_env_checker=True)
    return environment


def _speeds(make: Callable[..., Any], n: int) -> dict[str, float]:
    compiled = PlainVectorEnv(lambda: make().unwrapped, n)
    found = {"compiled": _speed(compiled, 0.3)}
    compiled.close()
    own = SyncVectorEnv([lambda: make().unwrapped] * min(n, 16))
    found["sync"] = _speed(own, 0.3)
    note_speed(type(own.envs[0]), found["compiled"], found["sync"], n)
    own.close()
    return found


def _speed(envs: VectorEnv, seconds: float) -> float:
    envs.reset(seed=0)
    actions = envs.action_space.sample()
    envs.step(actions)
    count, start = 0, perf_counter()
    while perf_counter() - start < seconds:
        envs.step(actions)
        count += 1
    return count * envs.num_envs / (perf_counter() - start)
