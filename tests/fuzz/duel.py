"""Dynamics run twice, compiled and as single environments, and compared at every step."""

from __future__ import annotations

import re
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.functional import FunctionalEnv
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import TimeLimit
from palaestra.runner import CompiledVectorEnv
from tests.fuzz.bits import Gap, gaps, number_gaps

RESTARTS = 10  # after exceptions, in one duel
MASKED = 0.06  # how often a step is a reset of some environments instead
SENT = 0.08  # how often some environments step by themselves
EDGES = np.array([0.0, -0.0, 1.0, -1.0, 1e-300, -1e300, np.inf, -np.inf, 0.1, 3.5])  # unusual components of actions
CONTINUES = "Python continues here"  # in refusals at run time; another environment of the batch may raise
PLACE = re.compile(r"line (\d+) of")


@dataclass(frozen=True)
class Setting:
    """How dynamics are run.

    Attributes:
        watched: How many environments' states are compared after a step; the others' at the end.
        params: Names and values of params that differ from their defaults.
        each: Whether the environments get params of their own on the way.
    """

    n: int
    mode: str
    steps: int
    seed: int
    limit: int | None = 20
    threads: int = 1
    watched: int = 8
    params: tuple[tuple[str, Any], ...] = ()
    each: bool = False


@dataclass
class Verdict:
    """What came of dynamics.

    Attributes:
        kind: "equal", "refused", "misrefused" (by another exception than a TypeError, or without the line) or
            "different".
        reason: Of a refusal, its message.
        gaps: Of a difference, all places that differ at the step in question.
        counts: Of steps compared, exceptions that both raised, and refusals at run time by their types.
    """

    kind: str = "equal"
    reason: str = ""
    setting: Setting | None = None
    step: int = -1
    gaps: list[Gap] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        if self.kind != "different":
            return f"{self.kind} {self.reason}"
        shown = "".join(f"\n    {gap}" for gap in self.gaps[:12])
        return f"different at step {self.step} of {self.setting}{shown}"


class _Over(Exception):
    """The duel has ended before its last step."""


class _Watched(FunctionalEnv[Any, Any]):
    """A single environment that keeps an exception, so that those after it in the batch are asked too."""

    raised: list[BaseException]

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        try:
            return super().step(action)
        except Exception as error:
            self.raised.append(error)
            return self.observation_space.sample(), 0.0, False, False, {}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        try:
            return super().reset(seed=seed, options=options)
        except Exception as error:
            self.raised.append(error)
            return self.observation_space.sample(), {}


def judged(kind: type[Any], settings: list[Setting]) -> Verdict:
    """Returns the verdict of dynamics in all these settings: the first that is not "equal", else all together."""
    counts: Counter[str] = Counter()
    verdict = Verdict()
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for setting in settings:
            verdict = Duel(kind, setting).verdict()
            counts += verdict.counts
            if verdict.kind != "equal":
                break
    verdict.counts = counts
    return verdict


class Duel:
    """One setting of one program.

    Args:
        kind: The dynamics, a `FuncEnv`.
        setting: How they are run.
    """

    def __init__(self, kind: type[Any], setting: Setting) -> None:
        self.kind, self.setting = kind, setting
        self.rng = np.random.default_rng(setting.seed)
        self.result = Verdict(setting=setting)
        self.restarts = 0
        self.finished = np.zeros(setting.n, np.bool_)

    def verdict(self) -> Verdict:
        """Returns what comes of it."""
        try:
            self._make()
            for step in range(self.setting.steps):
                self.result.step = step
                if self.setting.each and step in (3, 20):
                    self._set_each()
                self._move()
            self._compare_states(range(self.setting.n))
        except _Over:
            pass
        return self.result

    def _make(self) -> None:
        setting, params = self.setting, dict(self.setting.params)
        mode = AutoresetMode(setting.mode)
        self.raised: list[BaseException] = []

        def single() -> Any:
            env = _Watched(self.kind(), **params)
            env.raised = self.raised
            return env if setting.limit is None else TimeLimit(env, setting.limit)

        self.theirs = SyncVectorEnv([single] * setting.n, autoreset_mode=mode)
        try:
            self.ours = CompiledVectorEnv(
                self.kind(),
                setting.n,
                max_episode_steps=setting.limit,
                autoreset_mode=mode,
                num_threads=setting.threads,
                **params,
            )
        except Exception as error:
            self._refuse(error)
        self._reset_all()

    def _refuse(self, error: Exception, made: bool = True) -> None:
        """End with a refusal: a `TypeError`, which at the first reset names the line.

        What the dynamics raise when they are tried passes too. A difference that the compiled environment sees by
        itself is one nevertheless: other values may show it later.
        """
        if type(error).__name__ == "Difference":
            self._end_if_any([Gap("trial", str(error), "")])
        frames = traceback.extract_tb(error.__traceback__)
        own = frames[-1].filename == self.kind.transition.__code__.co_filename
        placed = made or PLACE.search(str(error)) is not None
        refused = own or (isinstance(error, TypeError) and placed) or (isinstance(error, ValueError) and made)
        self.result.kind = "refused" if refused else "misrefused"
        self.result.reason = f"{type(error).__name__}: {error}"
        raise _Over

    def _reset_all(self) -> None:
        seed = self.setting.seed + 1000 * self.restarts
        self.finished[:] = False
        first = self.restarts == 0
        self._both(lambda envs: envs.reset(seed=seed), "reset", first)
        if self.result.kind == "equal":
            self._compare_states(self._chosen())

    def _move(self) -> None:
        """Step both, or reset some environments of both."""
        disabled = self.setting.mode == "Disabled"
        if (disabled and self.finished.any()) or self.rng.random() < MASKED:
            mask = self.rng.random(self.setting.n) < 0.3
            mask |= self.finished if disabled else np.arange(self.setting.n) == self.rng.integers(self.setting.n)
            seed = None if self.rng.random() < 0.7 else int(self.rng.integers(1 << 40))
            self._both(lambda envs: envs.reset(seed=seed, options={"reset_mask": mask.copy()}), "reset")
            self.finished &= ~mask
        else:
            n = self.setting.n
            ids = self.rng.permutation(n)[: self.rng.integers(1, n + 1)] if self.rng.random() < SENT else None
            actions = sampled(self.theirs.single_action_space, n if ids is None else len(ids), self.rng)

            def step(envs: Any) -> Any:
                if ids is None:
                    return envs.step(deepcopy(actions))
                envs.send(deepcopy(actions), ids)
                return envs.recv(len(ids))

            results = self._both(step, "step")
            if results is not None:
                self.finished[slice(None) if ids is None else ids] = results[2] | results[3]
        self._compare_states(self._chosen())

    def _set_each(self) -> None:
        """Give each environment a gain of its own, from the next step on."""
        values = self.rng.uniform(-2.0, 2.0, self.setting.n).round(2).tolist()
        self.ours.set_attr("gain", values)
        for env, value in zip(self.theirs.envs, values, strict=True):
            env.unwrapped.params = env.unwrapped.params._replace(gain=value)

    def _chosen(self) -> Any:
        n, watched = self.setting.n, self.setting.watched
        return range(n) if n <= watched else sorted(self.rng.integers(0, n, watched).tolist())

    def _both(self, call: Callable[[Any], Any], name: str, first: bool = False) -> Any:
        """Call both, compare what comes, and return it; after exceptions begin anew and return None."""
        self.raised.clear()
        ours, our_error = _outcome(call, self.ours)
        theirs, their_error = _outcome(call, self.theirs)
        errors = self.raised + ([their_error] if their_error else [])
        if not errors and our_error is None:
            self.result.counts["steps"] += self.setting.n
            self._end_if_any(list(gaps(ours, theirs, name)))
            return theirs
        if first and our_error is not None and (not errors or isinstance(our_error, TypeError)):
            self._refuse(our_error, made=False)
        self._compare_errors(our_error, errors, name)
        self.restarts += 1
        if self.restarts > RESTARTS:
            raise _Over
        self._reset_all()
        return None

    def _compare_errors(self, ours: Exception | None, theirs: list[BaseException], name: str) -> None:
        kinds = sorted({type(error).__name__ for error in theirs})
        told = "; ".join(sorted({_described(error) for error in theirs}))
        if ours is None:
            self._end_if_any([Gap(f"{name} raises", "nothing", told)])
        elif not theirs or CONTINUES in str(ours):
            self.result.counts[f"refused at run time: {_described(ours)[:80]}"] += 1
        elif type(ours).__name__ in kinds:
            self.result.counts["raised by both"] += 1
        else:
            self._end_if_any([Gap(f"{name} raises", _described(ours), told)])

    def _compare_states(self, rows: Any) -> None:
        found: list[Gap] = []
        for i in rows:
            env = self.theirs.envs[i].unwrapped
            theirs = env.state
            ours = self.ours.get_state(i).environment
            for name, one, other in zip(theirs._fields, ours.state, theirs, strict=True):
                found += number_gaps(one, other, f"state.{name} of {i}")
            if ours.generator != env.np_random.bit_generator.state:
                found.append(Gap(f"generator of {i}", "another", "one"))
        self._end_if_any(found)

    def _end_if_any(self, found: list[Gap]) -> None:
        if found:
            self.result.kind, self.result.gaps = "different", found
            raise _Over


def _outcome(call: Callable[[Any], Any], envs: Any) -> tuple[Any, Exception | None]:
    try:
        return call(envs), None
    except Exception as error:
        return None, error


def _described(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:200]


def sampled(space: Any, n: int, rng: np.random.Generator) -> NDArray[Any]:
    """Returns a batch of actions, those of a Box beyond its bounds at times."""
    if isinstance(space, Discrete):
        return rng.integers(space.start, space.start + space.n, n).astype(space.dtype)
    if isinstance(space, Box) and space.dtype.kind == "f":
        shape = (n, *space.shape)
        usual = rng.uniform(-2.0, 2.0, shape)
        with np.errstate(over="ignore"):
            return np.where(rng.random(shape) < 0.05, rng.choice(EDGES, shape), usual).astype(space.dtype)
    space.seed(int(rng.integers(1 << 30)))
    return np.array([space.sample() for _ in range(n)], space.dtype)


def settings_of(rng: Any) -> Iterator[Setting]:
    """Yields settings in which a program is run, at times one of thousands of environments."""
    modes = ["NextStep", "SameStep", "Disabled"]
    rng.shuffle(modes)
    seed = rng.randrange(1 << 30)
    yield Setting(1, modes[0], 240, seed, rng.choice([None, 7, 30]))
    yield Setting(7, modes[1], 120, seed + 1, rng.choice([None, 5, 30]), each=rng.random() < 0.1)
    yield Setting(64, modes[2], 50, seed + 2, rng.choice([None, 6, 20]), watched=4)
    if rng.random() < 0.12:
        yield Setting(4096, modes[0], 4, seed + 3, 3, rng.choice([1, 2]))
