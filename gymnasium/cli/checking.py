"""`gymnasium check`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

from gymnasium.cli import console
from gymnasium.cli.environments import spec_of
from gymnasium.cli.errors import CommandError, described, one_line
from gymnasium.error import Error
from gymnasium.utils.env_checker import Finding, Severity, find_problems

_STYLES: dict[Severity, str] = {"error": "bold red", "warning": "yellow", "note": "dim"}


def check(env_id: str, select: Sequence[str] | None, ignore: Sequence[str], deep: bool, as_json: bool) -> int:
    """Print what is wrong with an environment; returns the exit code, 1 if there are errors.

    Raises:
        CommandError: If the id is unknown, there is no such rule, or something is missing that it needs.
        gymnasium.error.Error: If the package itself knows why it cannot be made.
    """
    spec = spec_of(env_id)
    try:
        findings = find_problems(spec, select=select, ignore=ignore, deep=deep)
    except Error:
        raise
    except ValueError as error:
        raise CommandError(str(error)) from error
    except ImportError as error:
        raise CommandError(f"{spec.id!r} cannot be made: {described(error)}", exit_code=1) from error
    if as_json:
        print(json.dumps({"id": spec.id, "findings": [finding._asdict() for finding in findings]}, indent=2))
    else:
        _report(spec.id, findings)
    return int(any(finding.severity == "error" for finding in findings))


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
