"""Environments as a compiled batch and as single ones in `SyncVectorEnv`: everything that they give, compared."""

from __future__ import annotations

import linecache
import random
import re
import types
import warnings
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

import gymnasium
from gymnasium.functional import FuncEnv, FunctionalEnv
from gymnasium.spaces import Box, Space
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import TimeLimit
from palaestra.runner import CompiledVectorEnv
from palaestra.runner.classes.vector_env import PlainVectorEnv
from tests.fuzz.bits import Gap, gaps
from tests.fuzz.catalogue import kind_of
from tests.fuzz.verdicts import REPAIRS, Slow, Verdict, compiled, is_program, limited, line_of, loaded, quiet, told
from tests.fuzz.writer import repaired

MASKED = 0.06  # how often a step is a reset of some environments instead
SENT = 0.08  # how often some environments step by themselves
STEPS = {1: 50, 9: 25}  # by the number of environments
TRIED = 30  # steps in Python
FEW = 3  # exceptions in them that are left
RESTARTS = 4  # after exceptions
EDGES = np.array([0.0, -0.0, 1.0, -1.0, 1e-300, -1e300, np.inf, -np.inf, 0.1, 3.5])  # unusual parts of actions
KEPT = re.compile(r"[nu]|[sk]\d+")  # attributes and fields of the state
CONTINUES = "Python continues here", "a number is beyond machine code"  # in errors of what machine code cannot hold


@dataclass
class Setting:
    """How environments are run."""

    n: int
    mode: AutoresetMode
    limit: int | None
    seed: int


def setting_of(seed: int) -> Setting:
    """Returns the setting of a program: another program of the same kind is cheaper than another setting."""
    chance = random.Random(seed)
    n = chance.choice((1, 9, 9))
    return Setting(n, chance.choice(list(AutoresetMode)), chance.choice((None, 4, 15)), seed)


def judged_environment(text: str, seed: int) -> Verdict:
    """Returns the verdict of a program with a `FuncEnv` or a class of environments named `E`."""
    verdict = Verdict()
    try:
        text = tame(text)
    except Slow:
        return Verdict("slow", "in Python", text)
    setting = setting_of(seed)
    with quiet():
        ours = compiled(text, partial(_batch_of, setting), verdict)
    if ours is None:
        return verdict
    duel = Duel(loaded(verdict.text).E, setting, ours)
    try:
        with limited(10):
            duel.run()
    except Slow:
        verdict.counts["slow"] += 1
    verdict.counts += duel.counts
    if duel.found:
        verdict.kind, verdict.reason = "different", told(setting, duel.found)
    return verdict


def _batch_of(setting: Setting, module: types.ModuleType) -> Any:
    return _batch(module.E, setting)


def _batch(kind: Any, setting: Setting) -> Any:
    """A batch after its first reset, which compiles."""
    own: dict[str, Any] = {} if issubclass(kind, FuncEnv) else {"trial": "off"}
    made, given = (CompiledVectorEnv, kind()) if issubclass(kind, FuncEnv) else (PlainVectorEnv, kind)
    limit, mode = setting.limit, setting.mode
    batch = made(given, setting.n, max_episode_steps=limit, autoreset_mode=mode, num_threads=1, **own)
    batch.reset(seed=setting.seed)
    return batch


def _single(kind: Any) -> Any:
    return FunctionalEnv(kind()) if issubclass(kind, FuncEnv) else kind()


def tame(text: str) -> str:
    """Returns a program of which lines that raise often in Python are repaired.

    Raises:
        Slow: If it takes too long.
    """
    for _ in range(2 * REPAIRS):
        module = loaded(text)
        lines: Counter[int] = Counter()
        with quiet(), limited():
            _try(module, lines)
        count = max(lines.values(), default=0)
        smaller = repaired(text, [one for one, times in lines.items() if times == count]) if count > FEW else text
        if smaller == text or not is_program(smaller):
            return text
        text = smaller
    return text


def _try(module: types.ModuleType, lines: Counter[int]) -> None:
    """Count the lines that raise, or that assign something of another kind than it was."""
    fresh = True
    try:
        env = _single(module.E)
        env.action_space.seed(0)
        kinds = module.KINDS if hasattr(module, "KINDS") else _kinds(env)
    except Exception as error:
        lines[line_of(error, module)] += FEW + 1
        return
    for k in range(TRIED):
        try:
            if fresh:
                env.reset(seed=k)
            result = env.step(env.action_space.sample())
            fresh = result[2] or result[3] or k % 8 == 7
        except Exception as error:
            lines[line_of(error, module)] += 1
            fresh = True
        else:
            now = _kinds(env.state if hasattr(module, "KINDS") else env)
            for name in (name for name, kind in kinds.items() if kind and now[name] != kind):
                lines.update(dict.fromkeys(_lines_of(name, module), 1))
    lines.pop(0, None)


def _kinds(owner: Any) -> dict[str, str]:
    fields = owner._asdict() if hasattr(owner, "_asdict") else vars(owner)
    return {name: kind_of(value) for name, value in fields.items() if KEPT.fullmatch(name)}


def _lines_of(name: str, module: types.ModuleType) -> list[int]:
    """The lines that assign a field of the state, or an attribute, and can be repaired."""
    found = re.compile(rf"\s+(self\.)?{name} (=|[^=]+=) .*")
    source = enumerate(linecache.getlines(f"<{module.__name__}>"), 1)
    return [k for k, line in source if found.match(line) and ("self" in line or hasattr(module, "KINDS"))]


class _Watched(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Keeps an exception, so that the environments after this one are stepped too."""

    raised: list[BaseException]

    def step(self, action: Any) -> Any:
        try:
            return self.env.step(action)
        except Exception as error:
            self.raised.append(error)
            return self.observation_space.sample(), 0.0, False, False, {}

    def reset(self, **given: Any) -> Any:
        try:
            return self.env.reset(**given)
        except Exception as error:
            self.raised.append(error)
            return self.observation_space.sample(), {}


@dataclass
class Duel:
    """One setting of one program."""

    kind: Any
    setting: Setting
    ours: Any
    found: list[Gap] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def run(self) -> None:
        """Run it; `found` is what differs first."""
        with quiet():
            for self.restart in range(RESTARTS):
                self.rng = np.random.default_rng(self.setting.seed + self.restart)
                if self._plays() or self.found:
                    return

    def _plays(self) -> bool:
        """Play all steps; returns whether none raised."""
        self._make()
        if not self._both(lambda envs: envs.reset(seed=self.setting.seed + self.restart), "reset"):
            return False
        for _ in range(STEPS[self.setting.n]):
            if not self._move() or self.found:
                return False
            self.found = self._states()
        self.found = self.found or self._attributes()
        return not self.found

    def _make(self) -> None:
        setting, self.raised = self.setting, list[BaseException]()

        def single() -> Any:
            env = _Watched(_single(self.kind))
            env.raised = self.raised
            return env if setting.limit is None else TimeLimit(env, setting.limit)

        self.theirs = SyncVectorEnv([single] * setting.n, autoreset_mode=setting.mode)
        if self.restart > 0 and not issubclass(self.kind, FuncEnv):  # attributes that outlive an episode
            self.ours = _batch(self.kind, setting)
        self.finished = np.zeros(setting.n, np.bool_)
        _outcome(lambda envs: envs.reset(seed=setting.seed), self.theirs)  # as the batch, when it was compiled

    def _move(self) -> bool:
        """Step both, or reset some environments of both; returns False after an exception."""
        n, disabled = self.setting.n, self.setting.mode is AutoresetMode.DISABLED
        if (disabled and self.finished.any()) or self.rng.random() < MASKED:
            mask = self.rng.random(n) < 0.3
            mask |= self.finished if disabled else np.arange(n) == self.rng.integers(n)
            seed = None if self.rng.random() < 0.7 else int(self.rng.integers(1 << 40))
            self.finished &= ~mask
            return self._both(lambda envs: envs.reset(seed=seed, options={"reset_mask": mask.copy()}), "reset")
        ids = self.rng.permutation(n)[: self.rng.integers(1, n + 1)] if self.rng.random() < SENT else None
        actions = sampled(self.theirs.single_action_space, n if ids is None else len(ids), self.rng)

        def step(envs: Any) -> Any:
            if ids is None:
                return envs.step(deepcopy(actions))
            envs.send(deepcopy(actions), ids)
            return envs.recv(len(ids))

        return self._both(step, "step", ids)

    def _both(self, call: Callable[[Any], Any], name: str, ids: Any = None) -> bool:
        """Call both and compare; returns whether neither raised."""
        self.raised.clear()
        theirs, their_error = _outcome(call, self.theirs)
        ours, our_error = _outcome(call, self.ours)
        raised = [*self.raised, *([their_error] if their_error else [])]
        if raised or our_error:
            self._compare_errors(our_error, raised, name)
            return False
        self.found = list(gaps(ours, theirs, name))
        self.counts["steps"] += self.setting.n
        if name == "step":
            self.finished[slice(None) if ids is None else ids] = theirs[2] | theirs[3]
        return True

    def _compare_errors(self, ours: Exception | None, theirs: list[BaseException], name: str) -> None:
        errors = "; ".join(sorted({_described(error) for error in theirs}))
        if ours is None:
            self.found = [Gap(f"{name} raises", "nothing", errors)]
        elif any(part in str(ours) for part in CONTINUES):
            self.counts["beyond"] += 1
        elif type(ours).__name__ in {type(error).__name__ for error in theirs}:
            self.counts["raised by both"] += 1
        else:
            self.found = [Gap(f"{name} raises", _described(ours), errors or "nothing")]

    def _states(self) -> list[Gap]:
        found: list[Gap] = []
        for i, (one, other) in enumerate(zip(self.ours.np_random, self.theirs.np_random, strict=True)):
            found += gaps(one.bit_generator.state, other.bit_generator.state, f"generator {i}")
        if issubclass(self.kind, FuncEnv):
            for i in range(self.setting.n):
                env: Any = self.theirs.envs[i].unwrapped
                ours, theirs = ([*map(np.asarray, state)] for state in (self.ours.state_of(i), env.state))
                found += gaps(ours, theirs, f"state {i}")
        return found

    def _attributes(self) -> list[Gap]:
        """What differs between the attributes of a class's environments."""
        found: list[Gap] = []
        if not issubclass(self.kind, FuncEnv):
            for name in _kinds(self.theirs.envs[0].unwrapped):
                found += gaps(self.ours.get_attr(name), self.theirs.get_attr(name), name)
        return found


def _outcome(call: Callable[[Any], Any], envs: Any) -> tuple[Any, Exception | None]:
    with warnings.catch_warnings():
        if isinstance(envs, CompiledVectorEnv):
            warnings.simplefilter("ignore")
        try:
            return call(envs), None
        except Exception as error:
            return None, error


def _described(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:200]


def sampled(space: Space[Any], n: int, rng: np.random.Generator) -> Any:
    """Returns a batch of actions, those of a Box beyond its bounds at times."""
    if isinstance(space, Box):
        shape = (n, *space.shape)
        unusual = rng.random(shape) < 0.05
        with np.errstate(over="ignore"):
            return np.where(unusual, rng.choice(EDGES, shape), rng.uniform(-2.0, 2.0, shape)).astype(space.dtype)
    space.seed(int(rng.integers(1 << 30)))
    return np.array([space.sample() for _ in range(n)], space.dtype)
