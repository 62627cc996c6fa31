"""`palaestra check`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from gymnasium.envs._registry.dynamics import runs_dynamics
from gymnasium.envs.registration import make
from gymnasium.error import Error
from gymnasium.specs import EnvSpec
from gymnasium.utils.env_checker import Finding, Severity, find_problems
from palaestra.cli import console
from palaestra.cli.environments import creator_of, spec_of, spec_of_class
from palaestra.cli.errors import CommandError, described, one_line
from palaestra.testing import Verdict, runners_of

_UNBOUNDED = ("G113", "G114")  # notes on infinite bounds, which nobody can change in the environments of this package

_STYLES: dict[Severity, str] = {"error": "bold red", "warning": "yellow", "note": "dim"}


def check(env_id: str, select: Sequence[str] | None, ignore: Sequence[str], deep: bool, as_json: bool) -> int:
    """Print the faults of an environment; returns the exit code, 1 if there are errors.

    Raises:
        CommandError: If the id is unknown, there is no such rule, or a required library is missing.
        gymnasium.error.Error: If the package itself explains why the environment cannot be made.
    """
    spec = spec_of_class(env_id) or spec_of(env_id)
    try:
        findings = find_problems(spec, select=select, ignore=ignore, deep=deep)
    except Error:
        raise
    except ValueError as error:
        raise CommandError(str(error)) from error
    except ImportError as error:
        raise CommandError(f"{spec.id!r} cannot be made: {described(error)}", exit_code=1) from error
    if _is_ours(spec) and select is None:
        findings = [finding for finding in findings if finding.id not in _UNBOUNDED]
    runners = _runners_of(spec)
    if as_json:
        report = {"id": spec.id, "findings": [finding._asdict() for finding in findings]}
        report |= {"runners": [verdict._asdict() for verdict in runners]} if runners else {}
        print(json.dumps(report, indent=2))
    else:
        _report(spec.id, findings)
        if runners:
            console.echo()
            words = {True: "yes", False: "no", None: "?"}
            console.table(
                [(name, words[takes], reason) for name, takes, reason in runners], ("runner", "takes it", "why not")
            )
    return int(any(finding.severity == "error" for finding in findings))


def _is_ours(spec: EnvSpec) -> bool:
    return isinstance(spec.entry_point, str) and spec.entry_point.startswith("gymnasium.envs.")


def _runners_of(spec: EnvSpec) -> tuple[Verdict, ...]:
    """Returns the verdict of each runner on the dynamics of a spec; none if it names an environment."""
    if not runs_dynamics(spec):
        return ()
    try:
        env: Any = make(spec, disable_env_checker=True).unwrapped
    except Exception:  # the verdicts report it
        creator: Any = creator_of(spec)
        return runners_of(creator.func_env)
    return runners_of(env.func_env, params=env.params)


def _report(env_id: str, findings: Sequence[Finding]) -> None:
    counts = Counter(finding.severity for finding in findings)
    for severity, style in _STYLES.items():
        for finding in findings:
            if finding.severity == severity:
                message = one_line(finding.message).removesuffix(f"; {finding.remedy}")
                console.echo(f"{severity} {finding.id} in {finding.place}: {message}", style)
                console.echo(f"    {finding.remedy}")
    parts = [f"{counts[severity]} {severity}{'' if counts[severity] == 1 else 's'}" for severity in _STYLES]
    console.echo(f"{env_id}: {', '.join(parts)}")
