"""A short trial of machine code on its first use: some episodes, compared with Python."""

from __future__ import annotations

from copy import copy, deepcopy
from math import inf
from time import monotonic
from typing import Any, NamedTuple

import numpy as np

from gymnasium.functional.env import FunctionalEnv
from gymnasium.functional.stream import Stream
from palaestra.language.program import WIDTH
from palaestra.runner.kernels.layout import SAME_STEP, info_name
from palaestra.runner.kernels.packing import packed, row_of_batch
from palaestra.runner.kernels.params import place_of
from palaestra.runner.kernels.runner import Runner
from palaestra.runner.kernels.seeding import WORDS, seeded_rows

LONGEST = 0.015  # s


class Difference(TypeError):
    """Machine code and Python gave different bits."""


def tried_once(single: FunctionalEnv, params: object, runner: Runner) -> bool:
    """Play a short trial of a runner's machine code, unless this machine has seen it pass one.

    Returns:
        Whether it passed; if not, something raised, and it is repeated at the next reset.
    """
    note = runner.passed()
    if note.exists():
        return True
    rows = 2 * WIDTH if runner.memory.n >= WIDTH else 3
    if not tried(single, params, rows, longest=LONGEST, like=runner):
        return False
    note.write()
    return True


def tried(
    single: FunctionalEnv,
    params: object,
    rows: int,
    seed: int = 0,
    steps: int = 200,
    longest: float = inf,
    like: Runner | None = None,
) -> bool:
    """Play some episodes in machine code and in Python.

    Args:
        single: The environment.
        params: The params of the dynamics.
        rows: The number of environments at a time; eight or more are stepped in lanes, if there are any.
        seed: The seed of the first one; the others have the next ones. Actions use it too.
        steps: The maximum number of steps.
        longest: The maximum duration (s), without compilation.
        like: A runner whose kernels are tried: it may have params of each copy, and draw some. None for those of equal
            copies.

    Returns:
        Whether nothing raised, so that everything within the time was compared.

    Raises:
        TypeError: At the first difference; it names the step and the value.
    """
    runner = Runner(single.func_env, [params], rows, SAME_STEP, None, num_threads=1)
    if like is not None:
        runner.be_like(like)
    runner.prepare()
    runner.memory.streams[:] = seeded_rows(range(seed, seed + rows))
    if runner.memory.plan.own:
        runner.memory.columns["chances"][:, :WORDS] = seeded_rows(range(seed, seed + rows)).view(np.int64)
    envs = [_env_of(single, params) for _ in range(rows)]
    drawn = [_Drawn(runner, seed) for seed in range(seed, seed + rows)]
    space = deepcopy(single.action_space)
    space.seed(seed)
    try:
        if not runner.memory.plan.endless:
            runner.reset(np.ones(rows, np.bool_), [params])
    except Exception:  # it is raised again for the caller
        return False
    outcomes = [_Outcome(*drawn[i].begin(env, seed + i, params)) for i, env in enumerate(envs)]
    _compare(runner, outcomes, envs, "the reset")
    end = monotonic() + longest  # from here on: the first reset compiles
    for step in range(steps):
        if step > 0 and monotonic() > end:
            break
        actions = np.stack([np.asarray(space.sample(), runner.memory.plan.action.dtype) for _ in range(rows)])
        try:
            runner.step(actions)
        except Exception:
            return False
        outcomes = [_stepped(env, actions[i], i, step, drawn[i]) for i, env in enumerate(envs)]
        _compare(runner, outcomes, envs, f"step {step}")
    runner.close()
    return True


class _Outcome(NamedTuple):
    """The results of a reset or a step of an environment."""

    observation: Any
    info: dict[str, Any]
    reward: Any = 0.0
    terminated: bool = False


class _Drawn:
    """The own params of an environment, drawn in Python; those of `usual` count for the first states of autoresets."""

    def __init__(self, runner: Runner, seed: int) -> None:
        self._plan, self._bounds, self.usual = runner.memory.plan, runner.bounds[0], runner.usual[0]
        self._rng, self._episode = Stream(np.random.PCG64(seed)), 0

    def begin(self, env: FunctionalEnv, seed: int | None, start: object) -> tuple[Any, dict[str, Any]]:
        """Begin an episode; its first state is drawn with the params of `start` where a reset sets them."""
        plan = self._plan
        names = {place_of(plan.params, name): name for name in env.params._fields} if plan.own else {}
        for draw, bounds in zip(plan.draws, self._bounds or (), strict=True):
            name = names[draw.place]
            kind = type(getattr(env.params, name))
            value = kind(draw.function(bounds, self._rng, self._episode))
            env.params = env.params._replace(**{name: value})
        self._episode += 1
        kept = {names[place]: getattr(start, names[place]) for place in plan.started if place in plan.own}
        return env._begin(seed, env.params._replace(**kept) if kept else env.params)


def _env_of(single: FunctionalEnv, params: object) -> FunctionalEnv:
    env = copy(single)
    env.params, env.render_mode = params, None
    env._own_stream, env._np_random = None, None
    return env


def _stepped(env: FunctionalEnv, action: np.ndarray, i: int, step: int, drawn: _Drawn) -> _Outcome:
    try:
        observation, reward, terminated, _, info = FunctionalEnv.step(env, action)
        if terminated:
            observation, info = drawn.begin(env, None, drawn.usual)
    except Exception as error:
        raise _difference(env, i, f"step {step}", f"raised {type(error).__name__}: {error}", "did not") from error
    return _Outcome(observation, info, reward, bool(terminated))


def _compare(runner: Runner, outcomes: list[_Outcome], envs: list[FunctionalEnv], when: str) -> None:
    """Compare all rows at once; if their bytes differ, row by row, where a NaN equals another one."""
    memory = runner.memory
    plan, columns = memory.plan, memory.columns
    observed = packed(plan.observation_space, iter([columns[f"observation{k}"] for k in range(len(plan.observation))]))
    states = tuple(columns[f"state{k}"] for k in range(len(plan.state)))
    pairs = [([one.observation for one in outcomes], observed), ([env._dynamics_state for env in envs], states)]
    if when != "the reset":
        pairs += [([float(one.reward) for one in outcomes], columns["rewards"])]
        pairs += [([one.terminated for one in outcomes], columns["terminations"])]
    fresh = np.array([when == "the reset" or one.terminated for one in outcomes])
    for report, chosen in ((plan.infos.begin, fresh), (plan.infos.step, ~fresh)):
        infos = [outcomes[i].info for i in np.flatnonzero(chosen)]
        for leaf in report.leaves if report and infos else ():
            pairs += [([info[leaf.column.name] for info in infos], columns[info_name(leaf.column)][chosen])]
    if not all(_are_alike(rows, batch) for rows, batch in pairs):
        _compare_rows(runner, outcomes, envs, when, observed)


def _are_alike(rows: list[Any], batch: Any) -> bool:
    """Returns whether rows surely have the types and bits of a batch."""
    if isinstance(batch, dict):
        keys = batch.keys()
        alike = all(row.keys() == keys for row in rows)
        return alike and all(_are_alike([row[key] for row in rows], batch[key]) for key in keys)
    if isinstance(batch, tuple):
        alike = all(len(row) == len(batch) for row in rows)
        return alike and all(_are_alike([row[k] for row in rows], part) for k, part in enumerate(batch))
    try:
        array = np.array(rows)
    except ValueError:  # of different lengths
        return False
    return bool(array.dtype == batch.dtype) and array.shape == batch.shape and array.tobytes() == batch.tobytes()


def _compare_rows(
    runner: Runner, outcomes: list[_Outcome], envs: list[FunctionalEnv], when: str, observed: Any
) -> None:
    memory = runner.memory
    plan, columns = memory.plan, memory.columns
    for i, (outcome, env) in enumerate(zip(outcomes, envs, strict=True)):
        fresh = when == "the reset" or outcome.terminated
        values = [("the observation", outcome.observation, row_of_batch(plan.observation_space, observed, i))]
        values += [("the state", tuple(env._dynamics_state), tuple(memory.state(i)))]
        if when != "the reset":
            values += [("the reward", float(outcome.reward), float(columns["rewards"][i]))]
            values += [("termination", outcome.terminated, bool(columns["terminations"][i]))]
        report = plan.infos.begin if fresh else plan.infos.step
        for leaf in report.leaves if report else ():
            key = leaf.column.name
            values += [(f"the info {key!r}", outcome.info[key], columns[info_name(leaf.column)][i])]
        for name, expected, came in values:
            if not same_bits(expected, came):
                raise _difference(env, i, when, f"gave {name} {expected!r}", repr(came))


def _difference(env: FunctionalEnv, i: int, when: str, python: str, machine: str) -> Difference:
    return Difference(
        f"{type(env.func_env).__name__} cannot be compiled: at {when}, with seed {i}, Python {python}, and machine "
        f"code {machine}. SyncVectorEnv runs these dynamics"
    )


def same_bits(a: Any, b: Any) -> bool:
    """Returns whether two nested values hold the same numbers, the sign of zero included; NaN equals NaN."""
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same_bits(a[key], b[key]) for key in a)
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(same_bits, a, b))
    x, y = np.asarray(a), np.asarray(b)
    if x.dtype.kind != "f":
        return bool(np.array_equal(x, y))
    zeros = [np.signbit(one) & (one == 0) for one in (x, y)]
    return bool(np.array_equal(x, y, equal_nan=True) and np.array_equal(*zeros))
