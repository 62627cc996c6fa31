"""`palaestra check ID --compile`."""

from __future__ import annotations

from gymnasium.envs._registry.dynamics import is_dynamics
from palaestra.cli import console
from palaestra.cli.environments import class_of, spec_of
from palaestra.cli.errors import CommandError
from palaestra.runner.classes.report import Report, explain


def check_compiled(name: str, as_json: bool) -> int:
    """Print whether an environment's class can be compiled; returns the exit code, 1 if not.

    Args:
        name: An id, or `module:Class`.
        as_json: Whether to print the report as JSON.

    Raises:
        CommandError: If there is no such environment, or if it is a `FuncEnv`.
    """
    own = class_of(name)
    if is_dynamics(own):
        raise CommandError(f"{name} is a FuncEnv: `palaestra check {name}` lists the runners that take it")
    found = explain(own or spec_of(name).id, measured=True)
    if as_json:
        facts = found._asdict()
        facts["reasons"] = [reason._asdict() for reason in found.reasons]
        console.print_json(facts)
    else:
        _print(found)
    return int(not found.compiles)


def _print(found: Report) -> None:
    console.heading(found.name, "compiles" if found.compiles else "does not compile")
    if found.reasons:
        rows = [
            (f"{one.file}:{one.line}" if one.file else "", one.expression, f"{one.reason}; {one.instead}")
            for one in found.reasons
        ]
        console.table(rows, ("place", "expression", "why not, and what to write"))
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
