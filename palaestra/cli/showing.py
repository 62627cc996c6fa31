"""`palaestra show`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from contextlib import closing
from math import isfinite
from typing import Any

from gymnasium.core import Env, Wrapper
from gymnasium.envs._registry.dynamics import Single, runs_dynamics
from gymnasium.envs._registry.vector_making import VectorizeMode, default_mode, make_vec
from gymnasium.specs import EnvSpec, registry
from palaestra.cli import console
from palaestra.cli.arguments import WrapperName
from palaestra.cli.environments import RequestedEnv, creator_of, requested_env
from palaestra.cli.errors import CommandError, one_line
from palaestra.cli.families import condition, family_of
from palaestra.runner.classes.report import Report, explain
from palaestra.studio.docstrings import sentence

_RUN = {
    VectorizeMode.ASYNC: "in worker processes",
    VectorizeMode.SYNC: "one after the other",
    VectorizeMode.VECTOR_ENTRY_POINT: "by its own vector class",
}

_LANES = 8  # environments, from which the kernel steps several at once

_Rows = list[tuple[str, str]]


def show(env_id: str, kwargs: Sequence[tuple[str, Any]], wrappers: Sequence[WrapperName], as_json: bool) -> int:
    """Print a description of an environment; returns the exit code.

    The data of the registry are printed even if the environment cannot be made here.

    Raises:
        CommandError: If the id is unknown, or the environment cannot be made.
        gymnasium.error.Error: If the package itself explains why the environment cannot be made.
    """
    requested = requested_env(env_id, kwargs, wrappers)
    spec = requested.spec
    family = family_of(spec)
    if as_json:
        with closing(requested.made()) as env:
            console.print_json({"id": spec.id, "family": family, **_facts(spec, env)})
        return 0
    state = condition(family, spec) if spec.id in registry else "not registered"
    console.heading(spec.id, f"{family}, {state}")
    console.table(_registered(requested, env_id))
    with closing(requested.made()) as env:
        creator = creator_of(spec)
        summary = _summary(creator if isinstance(creator, Single) else type(env.unwrapped))
        if summary:
            console.echo()
            console.echo(summary)
        console.echo()
        console.table(_made(env))
    _show_arguments(creator_of(spec), spec.kwargs)
    return 0


def show_kernel(env_id: str, kwargs: Sequence[tuple[str, Any]]) -> int:
    """Print the text of the function that steps a compiled batch of an environment; returns the exit code.

    Raises:
        CommandError: If the id is unknown, or the environment has no dynamics to compile.
        gymnasium.error.Error: If the package itself explains why the batch cannot be made.
    """
    requested = requested_env(env_id, kwargs, ())
    spec = requested.spec
    with closing(make_vec(spec, _LANES, **dict(kwargs))) as envs:
        kernel = getattr(envs.unwrapped, "kernel", None)
        if kernel is None:
            found = _translated(requested) if spec.entry_point is not None else None
            if found is not None and found.compiles:
                console.echo(found.source)
                return 0
        if kernel is None:
            raise CommandError(f"{spec.id!r} is not compiled: `make_vec` steps it {_RUN[default_mode(spec, _LANES)]}")
        console.echo(kernel())
    return 0


def _facts(spec: EnvSpec, env: Env) -> dict[str, Any]:
    """Returns the description for programs; None where nothing is defined."""
    arguments = _arguments(creator_of(spec), spec.kwargs)
    observation, action, reward = (text or None for text in _meanings(env))
    return {
        "max_episode_steps": spec.max_episode_steps,
        "reward_threshold": spec.reward_threshold,
        "nondeterministic": spec.nondeterministic,
        "make_vec": _runner(spec),
        "entry_point": _entry_point(spec),
        "observation_space": one_line(env.observation_space),
        "observation": observation,
        "action_space": one_line(env.action_space),
        "action": action,
        "reward": reward,
        "reward_range": [bound if isfinite(bound) else None for bound in env.reward_range],
        "render_modes": [str(mode) for mode in env.metadata.get("render_modes", [])],
        "render_fps": env.metadata.get("render_fps"),
        "wrappers": _wrappers(env),
        "arguments": [dict(zip(("name", "default", "type"), row, strict=True)) for row in arguments],
    }


def _runner(spec: EnvSpec) -> str:
    return "compiled" if runs_dynamics(spec) else _RUN[default_mode(spec, num_envs=2)]


def _compiles(requested: RequestedEnv, name: str) -> str:
    """Returns whether machine code takes a class of the user's, and why not; "" for one that has a vector class."""
    spec = requested.spec
    if spec.entry_point is None or _entry_point(spec).startswith("gymnasium."):
        return ""
    try:
        if runs_dynamics(spec):
            return _dynamics_compile(requested)
        if spec.vector_entry_point is not None:
            return ""
        found = _translated(requested)
    except Exception:  # `show` has more to print
        return ""
    if found.compiles:
        return 'yes: make_vec(..., vectorization_mode="compiled")'
    others = len(found.reasons) - 1
    more = f" (and {others} more)" if others else ""
    return f"no: {one_line(found.reasons[0].reason)}{more}; see `palaestra check {name} --compile`"


def _dynamics_compile(requested: RequestedEnv) -> str:
    try:
        with closing(make_vec(requested.spec, _LANES, **requested.kwargs)) as envs:
            envs.reset(seed=0)  # which compiles
    except Exception as error:  # the dynamics may raise anything
        return f"no: {one_line(str(error))}"
    return "yes"


def _translated(requested: RequestedEnv) -> Report:
    spec = requested.spec
    return explain(spec.id if spec.id in registry else creator_of(spec), **requested.kwargs)


def _entry_point(spec: EnvSpec) -> str:
    return spec.entry_point if isinstance(spec.entry_point, str) else "a callable"


def _registered(requested: RequestedEnv, name: str) -> _Rows:
    spec = requested.spec
    threshold, compiles = spec.reward_threshold, _compiles(requested, name)
    refused = runs_dynamics(spec) and compiles.startswith("no")
    return [
        ("steps at most", "no limit" if spec.max_episode_steps is None else str(spec.max_episode_steps)),
        ("solved from", "not defined" if threshold is None else f"a mean return of {threshold:g}"),
        ("deterministic", "no, even with equal seeds" if spec.nondeterministic else "yes, for equal seeds"),
        ("make_vec runs it", 'with vectorization_mode="sync" or "async"' if refused else _runner(spec)),
        *([("as machine code", compiles)] if compiles else []),
        ("entry point", _entry_point(spec)),
    ]


def _made(env: Env) -> _Rows:
    modes = ", ".join(str(mode) for mode in env.metadata.get("render_modes", []))
    observation, action, reward = _meanings(env)
    return [
        ("observations", one_line(env.observation_space)),
        *([("", observation)] if observation else []),
        ("actions", one_line(env.action_space)),
        *([("", action)] if action else []),
        ("rewards", "; ".join(filter(None, (_reward_range(env), reward))) or "not described"),
        ("render modes", modes or "none"),
        ("frames per second", str(env.metadata.get("render_fps", "not defined"))),
        ("wrappers by make", ", ".join(_wrappers(env)) or "none"),
    ]


def _meanings(env: Env) -> list[str]:
    """Returns the meaning of observations, actions and rewards, from the docstring of the class; "" where it is open.

    The type before the colon of a sentence is that of the space, which is shown beside it.
    """
    kind = type(env.unwrapped)
    observation, action, reward = (sentence(kind, subject) for subject in ("Observation", "Action", "Reward"))
    return [*(text.partition(": ")[2] or text for text in (observation, action)), reward]


def _reward_range(env: Env) -> str:
    least, greatest = env.reward_range
    return f"from {least:g} to {greatest:g}" if isfinite(least) or isfinite(greatest) else ""


def _wrappers(env: Env) -> list[str]:
    """The names of the wrappers around an environment, from the inside out."""
    names: list[str] = []
    while isinstance(env, Wrapper):
        names.insert(0, type(env).__name__)
        env = env.env
    return names


def _summary(cls: object) -> str:
    """The first paragraph of a class's own docstring (an inherited one describes another class), as one line."""
    return one_line(inspect.cleandoc(cls.__doc__ or "").partition("\n\n")[0])


def _show_arguments(creator: Callable[..., Any], registered: dict[str, Any]) -> None:
    rows = _arguments(creator, registered)
    console.echo()
    if rows:
        console.table(rows, ("argument", "default", "type"))
    else:
        console.echo("Its constructor takes no arguments.")


def _arguments(creator: Callable[..., Any], registered: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Name, default and type of the constructor's arguments; values registered with the id are the defaults."""
    rows = []
    for parameter in inspect.signature(creator).parameters.values():
        name = str(parameter).partition(":")[0].partition("=")[0].strip()  # `**params` keeps its stars
        default = registered.get(parameter.name, parameter.default)
        rows.append((name, _default(parameter, default), _annotation(parameter.annotation)))
    return rows


def _default(parameter: inspect.Parameter, value: object) -> str:
    if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
        return ""
    return "required" if value is parameter.empty else repr(value)


def _annotation(annotation: object) -> str:
    if annotation is inspect.Parameter.empty:
        return ""
    return annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
