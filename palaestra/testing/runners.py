"""The runners that take dynamics: one environment, batches in sync and in worker processes, compiled, and under JAX."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable
from copy import deepcopy
from functools import partial
from pathlib import Path
from traceback import extract_tb
from typing import Any, NamedTuple

from gymnasium._extensions import is_own_file
from gymnasium.error import DependencyNotInstalled
from gymnasium.functional.env import FunctionalEnv
from gymnasium.functional.func_env import FuncEnv
from gymnasium.functional.mistakes import instance_of
from gymnasium.vector import SyncVectorEnv
from gymnasium.vector._workers.pickling import dumps
from palaestra.runner import CompiledVectorEnv

_STEPS = 20
_STANDARD = Path(pickle.__file__).parent  # the library of Python


class Verdict(NamedTuple):
    """Whether a runner takes some dynamics.

    Attributes:
        runner: `"single"`, `"sync"`, `"async"`, `"compiled"` or `"jax"`.
        takes: Whether it does; None if this could not be tried.
        reason: The reason why it does not, or why this is unknown; "" if it does.
    """

    runner: str
    takes: bool | None
    reason: str


class Checked(list[str]):
    """Notes on unchecked parts; as text, with the table of the runners.

    Attributes:
        runners: The verdicts of all runners.
    """

    def __init__(self, notes: Iterable[str], runners: tuple[Verdict, ...]) -> None:
        super().__init__(notes)
        self.runners = runners

    def __str__(self) -> str:
        """Returns the table, and the notes that are not in it, a line each."""
        reasons = [verdict.reason for verdict in self.runners if verdict.reason]
        return "\n".join([table(self.runners), *(note for note in self if not any(one in note for one in reasons))])


def table(verdicts: Iterable[Verdict]) -> str:
    """Returns verdicts as text, a line each."""
    words = {True: "yes", False: "no", None: "?"}
    return "\n".join(f"{name:<9} {words[takes]:<4} {reason}".rstrip() for name, takes, reason in verdicts)


def runners_of(func_env: FuncEnv | type[FuncEnv], *, seed: int = 0, params: object = None) -> tuple[Verdict, ...]:
    """Returns the verdict of each runner after some steps.

    Args:
        func_env: The dynamics, an instance or a class.
        seed: The seed of the episodes.
        params: Replaces the default params.
    """
    tests = (("single", _single), ("sync", _sync), ("async", _async), ("compiled", _compiled), ("jax", _jax))
    try:
        made, _ = instance_of(func_env, {})
        env = FunctionalEnv(made)
    except Exception as error:  # also from the constructor
        (first, _), *others = tests
        return Verdict(first, False, _line(error)), *(Verdict(name, False, "see single") for name, _ in others)
    if params is not None:
        env.params = params
    verdicts: list[Verdict] = []
    for name, test in tests:
        single = verdicts[0] if verdicts else None
        known = single is not None and not single.takes
        verdicts.append(Verdict(name, False, "see single") if known else _verdict(name, partial(test, env, seed)))
    return tuple(verdicts)


def _verdict(name: str, test: Callable[[], None]) -> Verdict:
    try:
        test()
    except DependencyNotInstalled as missing:
        return Verdict(name, None, _line(missing))
    except Exception as error:  # the dynamics may raise anything
        return Verdict(name, False, _line(error))
    return Verdict(name, True, "")


def _line(error: Exception) -> str:
    """Returns an error as one line; one that is not ours with its place in the dynamics."""
    text = " ".join(str(error).partition("\n---")[0].split())  # JAX adds a paragraph
    if not isinstance(error, (TypeError, DependencyNotInstalled)):
        text = f"{type(error).__name__}: {text}"
    frames = [frame for frame in extract_tb(error.__traceback__) if not _is_library(frame.filename)]
    if ", line " in text or not frames or isinstance(error, DependencyNotInstalled):
        return text
    last = frames[-1]
    return f"{last.name}, line {last.lineno} of {last.filename} (`{last.line}`): {text}"


def _is_library(file: str) -> bool:
    path = Path(file)
    return is_own_file(path) or _STANDARD in path.parents or "site-packages" in path.parts or file[:1] == "<"


def _single(env: FunctionalEnv, seed: int) -> None:
    env.reset(seed=seed)
    actions = deepcopy(env.action_space)  # the user's generator stays unchanged
    actions.seed(seed)
    for _ in range(_STEPS):
        if env.step(actions.sample())[2]:
            env.reset()


def _again(env: FunctionalEnv) -> FunctionalEnv:
    other: FunctionalEnv = FunctionalEnv(env.func_env)
    other.params = env.params
    return other


def _sync(env: FunctionalEnv, seed: int) -> None:
    envs: Any = SyncVectorEnv([partial(_again, env)] * 2)
    try:
        _play(envs, seed)
    finally:
        envs.close()


def _play(envs: Any, seed: int) -> None:
    envs.reset(seed=seed)
    envs.action_space.seed(seed)
    for _ in range(_STEPS):
        envs.step(envs.action_space.sample())


def _async(env: FunctionalEnv, seed: int) -> None:
    """The constructor of the environment is pickled for the worker; infos come back by pickle."""
    travelled = pickle.loads(dumps(partial(_again, env)))()
    _, info = travelled.reset(seed=seed)
    pickle.loads(dumps(info))


def _compiled(env: FunctionalEnv, seed: int) -> None:
    envs: Any = CompiledVectorEnv(partial(_again, env), 2)
    _play(envs, seed)


def _jax(env: FunctionalEnv, seed: int) -> None:
    from gymnasium.envs.functional_jax_env import FunctionalJaxVectorEnv  # needs JAX

    try:
        FunctionalJaxVectorEnv(env.func_env, 2, params=env.params)
    except TypeError as error:
        from palaestra.jax.classes.vector_env import ClassJaxVectorEnv  # which reads what cannot be traced

        try:
            ClassJaxVectorEnv(partial(_again, env), 2)
        except TypeError:
            raise error from None
