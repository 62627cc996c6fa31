"""`palaestra check ID --compile`, and `--jax`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gymnasium.envs._registry.dynamics import is_dynamics
from palaestra.cli import console
from palaestra.cli.environments import class_of, spec_of
from palaestra.cli.errors import CommandError
from palaestra.error import Reason
from palaestra.runner.classes.report import Report, explain


def check_compiled(name: str, as_json: bool) -> int:
    """Print whether an environment's class can be compiled; returns the exit code, 1 if not.

    Args:
        name: An id, or `module:Class`.
        as_json: Whether to print the report as JSON.

    Raises:
        CommandError: If there is no such environment, or if it is a `FuncEnv`.
    """
    found = explain(_environment(name), measured=True)
    if as_json:
        facts = found._asdict()
        facts["reasons"] = [reason._asdict() for reason in found.reasons]
        console.print_json(facts)
    else:
        _print(found)
    return int(not found.compiles)


def check_under_jax(name: str, as_json: bool) -> int:
    """Print whether an environment's class runs under JAX, and what differs there; returns the exit code, 1 if not.

    Args and raises: see `check_compiled`.
    """
    from palaestra.jax.classes.report import explain_under_jax  # needs JAX

    found = explain_under_jax(_environment(name))
    if as_json:
        facts = found._asdict()
        for key in ("reasons", "differences"):
            facts[key] = [one._asdict() for one in facts[key]]
        console.print_json(facts)
        return int(not found.runs)
    console.heading(found.name, "runs under JAX" if found.runs else "does not run under JAX")
    if found.reasons:
        _print_reasons(found.reasons)
    rows = [(f"{one.file}:{one.line}", one.what) for one in found.differences]
    if rows:
        console.table(rows, ("place", "what is not as in Python to the bit"))
    return int(not found.runs)


def _environment(name: str) -> Any:
    own = class_of(name)
    if is_dynamics(own):
        raise CommandError(f"{name} is a FuncEnv: `palaestra check {name}` lists the runners that take it")
    return own or spec_of(name).id


def _print_reasons(reasons: Sequence[Reason]) -> None:
    rows = [
        (f"{one.file}:{one.line}" if one.file else "", one.expression, f"{one.reason}; {one.instead}")
        for one in reasons
    ]
    console.table(rows, ("place", "expression", "why not, and what to write"))


def _print(found: Report) -> None:
    count = len(found.reasons)
    places = f"{count} place{'s' if count != 1 else ''} to change"
    console.heading(found.name, "compiles" if found.compiles else f"does not compile: {places}")
    if found.reasons:
        _print_reasons(found.reasons)
        return
    console.table(list(found.state.items()), ("state", "holds"))
    if found.constants:
        console.echo()
        console.table(list(found.constants.items()), ("constant", "value"))
    console.echo()
    sync, compiled = found.speeds["sync"], found.speeds["compiled"]
    console.echo(
        f"{sync:,.0f} steps per second in sync, {compiled:,.0f} compiled: {compiled / sync:,.0f} times as many"
    )
