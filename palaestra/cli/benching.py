"""`palaestra bench`."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from shutil import get_terminal_size
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple, TypeVar

from gymnasium.core import Env
from gymnasium.envs._registry.guarding import creator_of
from gymnasium.specs import registry
from gymnasium.utils.performance import benchmark_step, benchmark_vector_step
from gymnasium.vector.vector_env import VectorEnv
from palaestra.cli import console
from palaestra.cli.arguments import WrapperName
from palaestra.cli.environments import RequestedEnv, requested_env
from palaestra.cli.errors import INTERRUPTED, CommandError, described, one_line
from palaestra.cli.memory import check_memory
from palaestra.runner import CompiledVectorEnv
from palaestra.runner.classes.hints import note_speed
from palaestra.runner.classes.vector_env import PlainVectorEnv

AnyEnv = TypeVar("AnyEnv", Env, VectorEnv)

_BAR = 24  # columns at most
_REST = 62  # columns of the table besides the bars
_OWN = "vector_entry_point"  # the mode in which make_vec takes the environment's own vector class
_SEED = 0
_PARTS = 3  # measurements of a mode, of which the median counts
_DEFERRED = 10_000  # steps after which Box2D loads machine code
_LONGEST = 2.0  # s, for an environment that takes longer for so many steps
_CLOSE = 1.1  # times as fast: below, two modes are told apart by chance
_NOISY = 1.5
_SUSPICIOUS = 10_000  # number of environments from which their memory is estimated first


class Measurement(NamedTuple):
    """The speed of one mode.

    Attributes:
        mode: `"single"`, `"sync"`, `"async"`, `"compiled"`, `"ray"`, or `"own"` for an environment's own vector class
            that is not compiled.
        num_envs: The number of environments.
        speed: Steps of single environments per second; 0 if the mode is unavailable, or failed.
        remark: The class that ran it, or the reason why none could.
        failed: Whether an environment raised an exception.
        spread: The highest speed by the lowest, of several measurements whose median is `speed`.
    """

    mode: str
    num_envs: int
    speed: float
    remark: str = ""
    failed: bool = False
    spread: float = 1.0

    @property
    def label(self) -> str:
        """Mode and number."""
        return self.mode if self.mode == "single" else f"{self.mode} x {self.num_envs}"


class BenchOptions(NamedTuple):
    """The options of the command, under their names."""

    id: str
    kwargs: list[tuple[str, Any]]
    wrappers: list[WrapperName]
    num_envs: list[int]
    modes: list[str]
    seconds: float
    plot: Path | None
    json: bool


def bench(options: BenchOptions) -> int:
    """Measure each mode with each number of environments, and print the results; returns the exit code.

    Raises:
        CommandError: If the id is unknown, no mode is available, or the memory cannot hold so many environments; at the
            end, if the environment raised an exception.
        gymnasium.error.Error: If the environment cannot be made here.
    """
    if options.plot is not None:
        from palaestra.cli import plots  # noqa: F401  # without matplotlib, fail here, before the measurement
    requested = requested_env(options.id, options.kwargs, options.wrappers)
    measured, interrupted = _measured_all(options, requested)
    single, results = measured[0], measured[("single" not in options.modes) :]
    _note_speeds(requested, results)
    _report(options, requested, single, results)
    if interrupted:
        return INTERRUPTED
    failures = [f": {result.label} {result.remark}" for result in results if result.failed]
    reason = failures[0] if failures else ""
    env_id = requested.spec.id
    if not any(result.speed for result in results):
        raise CommandError(f"{env_id!r} ran in none of the modes {', '.join(options.modes)}{reason}", exit_code=1)
    if reason:
        raise CommandError(f"{env_id!r} did not run in all of the modes{reason}", exit_code=1)
    return 0


def _note_speeds(requested: RequestedEnv, results: Sequence[Measurement]) -> None:
    """Note how fast a class is that is translated, for hints of later processes."""
    kind = creator_of(requested.spec.entry_point) if requested.spec.entry_point is not None else None
    sync = {one.num_envs: one.speed for one in results if one.mode == "sync" and one.speed}
    for one in results:
        if isinstance(kind, type) and one.speed and one.remark == _TRANSLATED and one.num_envs in sync:
            note_speed(kind, one.speed, sync[one.num_envs], one.num_envs)


def _measured_all(options: BenchOptions, requested: RequestedEnv) -> tuple[list[Measurement], bool]:
    """Returns the measurements, that of a single environment first, and whether Ctrl-C has ended them.

    Raises:
        CommandError: If the memory cannot hold so many environments.
        KeyboardInterrupt: If Ctrl-C comes before the first is finished.
    """
    batched = [mode for mode in options.modes if mode != "single"]
    wanted = [(mode, n, _too_large(requested, mode, n)) for n in options.num_envs for mode in batched]
    for n in options.num_envs:
        refusals = [refusal for _, size, refusal in wanted if size == n]
        if refusals and all(refusals):
            raise CommandError(refusals[-1])
    results: list[Measurement] = []
    with console.progress(1 + len(wanted), lambda: (len(results), "measurements")):
        results.append(_single(requested, options.seconds))
        try:
            for mode, n, refusal in wanted:
                results.append(
                    Measurement(mode, n, 0.0, refusal) if refusal else _vector(requested, mode, n, options.seconds)
                )
        except KeyboardInterrupt:
            return results, True
    return results, False


def _report(
    options: BenchOptions, requested: RequestedEnv, single: Measurement, results: Sequence[Measurement]
) -> None:
    env_id, verdict = requested.spec.id, _verdict(requested, single, results)
    measured = [result for result in results if result.speed]
    if options.plot is not None and measured:
        from palaestra.cli.plots import plot_bars

        title = f"{env_id}: steps per second"
        plot_bars(options.plot, title, [r.label for r in measured], [r.speed for r in measured])
        verdict.append(f"plot: {options.plot}")
    if options.json:
        console.print_json({"id": env_id, "cores": os.cpu_count(), "results": [r._asdict() for r in results]})
        return
    console.heading(env_id, f"{os.cpu_count()} cores, random actions")
    _table(results)
    for line in verdict:
        console.echo(line)


def _too_large(requested: RequestedEnv, mode: str, n: int) -> str:
    """Returns the reason why the memory cannot hold so many environments, or ""."""
    if n < _SUSPICIOUS:
        return ""
    try:
        check_memory(requested, mode, n)
    except CommandError as error:
        return str(error)
    return ""


def _single(requested: RequestedEnv, seconds: float) -> Measurement:
    def speed(env: Env) -> tuple[float, float]:
        _warm_up(env, seconds)  # for forked workers too
        return _steadied(lambda: benchmark_step(env, seconds / _PARTS, _SEED))

    return _measured("single", 1, requested.made(), speed)


def _warm_up(env: Env, seconds: float) -> None:
    """Step for so long, and until deferred work is done: imports, and the machine code of Box2D."""
    start, steps = perf_counter(), 0
    env.action_space.seed(_SEED)
    env.reset(seed=_SEED)
    while perf_counter() - start < seconds or (steps <= _DEFERRED and perf_counter() - start < _LONGEST):
        _, _, terminated, truncated, _ = env.step(env.action_space.sample())
        steps += 1
        if terminated or truncated:
            env.reset()


def _steadied(measure: Callable[[], float]) -> tuple[float, float]:
    """Returns the median of several speeds, so that one pause of the machine does not count, and their spread."""
    speeds = [measure() for _ in range(_PARTS)]
    return median(speeds), max(speeds) / min(speeds)


def _vector(requested: RequestedEnv, mode: str, n: int, seconds: float) -> Measurement:
    """Returns a measurement, or the reason why the mode is unavailable."""
    own = mode == "compiled" and requested.spec.vector_entry_point is not None
    try:
        env: VectorEnv = requested.made_vec(n, _OWN if own else mode)
    except Exception as error:  # after any error, the other modes can still be measured
        return Measurement(mode, n, 0.0, f"not available: {one_line(error)}")
    if own and not isinstance(env.unwrapped, CompiledVectorEnv):
        mode = "own"

    def speed(env: VectorEnv) -> tuple[float, float]:
        return _steadied(lambda: benchmark_vector_step(env, seconds / _PARTS, _SEED))

    return _measured(mode, n, env, speed)


def _measured(mode: str, n: int, env: AnyEnv, speed: Callable[[AnyEnv], tuple[float, float]]) -> Measurement:
    """Returns a measurement, and closes the environment; an exception becomes part of the measurement."""
    try:
        with warnings.catch_warnings(), closing(env):
            warnings.filterwarnings("ignore", ".*ERROR: ")  # workers log at length the errors that are also raised here
            found, spread = speed(env)
            return Measurement(mode, n, found, type(env.unwrapped).__name__, spread=spread)
    except Exception as error:  # after any error, the other modes can still be measured
        return Measurement(mode, n, 0.0, f"failed: {described(error)}", failed=True)


def _table(results: Sequence[Measurement]) -> None:
    fastest = max((result.speed for result in results), default=0.0)
    length = min(_BAR, max(4, get_terminal_size((_REST + _BAR, 24)).columns - _REST))
    rows: list[tuple[str, ...]] = []
    reasons: dict[str, list[str]] = {}
    for result in results:
        bar = "█" * round(length * result.speed / fastest) if fastest else ""
        speed = f"{result.speed:,.0f}" if result.speed else "-"
        rows.append((result.label, speed, bar, result.remark if result.speed else ""))
        if not result.speed and result.mode not in reasons.setdefault(result.remark, []):
            reasons[result.remark].append(result.mode)
    console.table(rows, ("mode", "steps/s", "", "run by"))
    for reason, modes in reasons.items():
        console.echo(f"{', '.join(modes)}: {reason}")


def _verdict(requested: RequestedEnv, single: Measurement, results: Sequence[Measurement]) -> list[str]:
    """Returns the best mode here, and the reason; nothing if there is only one to choose from."""
    if sum(result.speed > 0 for result in results) < 2:
        return []
    best = max(results, key=lambda result: result.speed)
    spread = max(_CLOSE, *(result.spread for result in (single, *results)))
    close = [result.label for result in results if result is not best and result.speed * spread > best.speed]
    lines = [f"best here: {best.label}, {best.speed:,.0f} steps/s"]
    if single.speed:  # without it there is nothing to compare with
        if best.mode != "single":
            lines[0] += f", {best.speed / single.speed:.1f} times a single environment"
        why = _WHY[best.remark if best.remark == _TRANSLATED else best.mode]
        lines.append(f"why: {why.format(cost=f'{1e6 / single.speed:,.1f}', cores=os.cpu_count())}")
    if close:
        lines.append(f"about as fast: {', '.join(close)}")
    if spread > _NOISY:
        lines.append(f"the machine was busy: the same mode differed up to {spread:.1f} times; try --seconds 10")
    if best.mode != "single":
        lines.append(f"to use it: {_call(requested, best)}")
    return lines


_TRANSLATED = PlainVectorEnv.__name__

_WHY = {
    "single": "a step takes {cost} us alone, and no other mode was faster",
    "sync": "a step takes {cost} us alone, and no other mode was faster",
    "async": "a step takes {cost} us alone, and worker processes on {cores} cores share them",
    "ray": "a step takes {cost} us alone, and the machines of a cluster share them",
    "own": "the environment's own vector class steps the whole batch at once (a single step takes {cost} us)",
    "compiled": "its dynamics are compiled, so the whole batch steps without Python in between "
    "(a single step takes {cost} us)",
    _TRANSLATED: "the class is translated to machine code, so the whole batch steps without Python in between "
    "(a single step takes {cost} us)",
}


def _call(requested: RequestedEnv, best: Measurement) -> str:
    own = best.mode in ("compiled", "own") and requested.spec.vector_entry_point is not None
    mode = "" if own else f', vectorization_mode="{best.mode}"'  # that one is make_vec's default
    kwargs = "".join(f", {name}={value!r}" for name, value in requested.kwargs.items())
    wrappers = f", wrappers={list(requested.wrappers)}" if requested.wrappers else ""
    env_id, entry_point = requested.spec.id, requested.spec.entry_point
    kind = "func_env" if own else "entry_point"
    registered = "" if env_id in registry else f'gymnasium.register("{env_id}", {kind}="{entry_point}"); '
    return f'{registered}gymnasium.make_vec("{env_id}", {best.num_envs}{mode}{wrappers}{kwargs})'
