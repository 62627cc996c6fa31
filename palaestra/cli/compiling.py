"""`palaestra check ID --compile`."""

from __future__ import annotations

from typing import Any

from gymnasium.core import Env
from gymnasium.envs._registry.dynamics import is_dynamics
from gymnasium.specs import load_env_creator
from palaestra.cli import console
from palaestra.cli.environments import spec_of
from palaestra.cli.errors import CommandError
from palaestra.cli.policies import find_in_current_folder
from palaestra.language.plain import Report, explain


def check_compiled(name: str, as_json: bool) -> int:
    """Print whether an environment's class can be compiled; returns the exit code, 1 if not.

    Args:
        name: An id, or `module:Class`.
        as_json: Whether to print the report as JSON.

    Raises:
        CommandError: If there is no such environment, or if it is a `FuncEnv`.
    """
    found = explain(_class_of(name) or spec_of(name).id, measured=True)
    if as_json:
        facts = found._asdict()
        facts["reasons"] = [reason._asdict() for reason in found.reasons]
        console.print_json(facts)
    else:
        _print(found)
    return int(not found.compiles)


def _class_of(name: str) -> Any:
    """Returns the class of environments that `module:Class` names; None for an id."""
    module, _, attribute = name.partition(":")
    if not all(part.isidentifier() for part in [*module.split("."), attribute]):
        return None
    find_in_current_folder()
    try:
        found = load_env_creator(name)
    except Exception:  # the module may raise anything; the name may also be an id
        return None
    if is_dynamics(found):
        raise CommandError(f"{name} is a FuncEnv: `palaestra check {name}` tells which runners take it")
    return found if isinstance(found, type) and issubclass(found, Env) else None


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
