"""`palaestra list`."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from shutil import get_terminal_size
from textwrap import shorten
from typing import Any

from gymnasium.dependencies import install_command
from gymnasium.specs import EnvSpec, registered
from palaestra.cli import console
from palaestra.cli.errors import CommandError, described
from palaestra.cli.families import GAMES, MOVED, about, condition, family_of, is_moved, plugins, register_games
from palaestra.cli.policies import find_in_current_folder

_HEADER = ("environment", "steps", "solved from", "older", "elsewhere", "about")
_WIDE = 100  # columns from which there are descriptions, and where the terminal's number is unknown
_GAP = 3  # columns between two of the table, at most
_LEAST = 24  # columns that a description needs


def list_environments(family: str | None, modules: Iterable[str], every: bool, as_json: bool) -> int:
    """Print the registered environments by family; returns the exit code.

    Args:
        family: The only family to print; None for all.
        modules: Packages to import first, because they register environments.
        every: Whether to list the many games of a plugin too.
        as_json: Whether to print for programs, in which case nothing is left out.

    Raises:
        CommandError: If the family is unknown, or a package cannot be imported.
    """
    for module in modules:
        register_from(module)
    has_games = register_games()
    by_family = families()
    if family is not None:
        if family not in by_family:
            raise CommandError(f"there is no family {family!r}; there are: {', '.join(by_family)}")
        by_family = {family: by_family[family]}
    if as_json:
        console.print_json({name: _facts(name, environments) for name, environments in by_family.items()})
        return 0
    for name, environments in by_family.items():
        if name == MOVED and not (every or family):
            continue
        noun = "environment" if len(environments) == 1 else "environments"
        console.heading(name, f"{len(environments)} {noun}, {condition(name, environments[0][-1])}")
        if name == GAMES and not (every or family):
            console.echo(f"  see them: palaestra list --family {name}, or --all")
        else:
            _table(environments)
    if family is not None:
        return 0
    if not has_games:
        console.echo(f"{GAMES}, the Atari games, is missing: {install_command('ale-py', 'opencv-python-headless')}")
    for plugin in plugins():
        console.echo(f"{plugin} is installed too; see its environments with: palaestra list --import {plugin}")
    return 0


def register_from(module: str) -> None:
    """Import a package that registers environments; raises `CommandError` if that fails."""
    find_in_current_folder()
    try:
        importlib.import_module(module)
    except Exception as error:
        raise CommandError(f"--import {module}: importing it failed with {described(error)}") from error


def families() -> dict[str, list[list[EnvSpec]]]:
    """Returns each environment's versions, oldest first; an environment belongs to the family of its latest one."""
    environments: dict[tuple[str | None, str], list[EnvSpec]] = {}
    for spec in registered():
        environments.setdefault((spec.namespace, spec.name), []).append(spec)
    by_family: dict[str, list[list[EnvSpec]]] = {}
    for versions in environments.values():
        versions.sort(key=_version)
        by_family.setdefault(family_of(versions[-1]), []).append(versions)
    return by_family


def _facts(family: str, environments: list[list[EnvSpec]]) -> dict[str, Any]:
    listed = [
        {
            "id": versions[-1].id,
            "max_episode_steps": versions[-1].max_episode_steps,
            "reward_threshold": versions[-1].reward_threshold,
            "older": [spec.id for spec in versions[:-1] if not is_moved(spec)],
            "elsewhere": [spec.id for spec in versions[:-1] if is_moved(spec)],
        }
        for versions in environments
    ]
    return {"condition": condition(family, environments[0][-1]), "environments": listed}


def _table(environments: list[list[EnvSpec]]) -> None:
    """Print the environments of a family; columns in which nothing stands are left out, but for the first three."""
    facts = [_row(versions) for versions in environments]
    columns = [(title, *column) for title, *column in zip(_HEADER[:-1], *facts, strict=True)]
    taken = sum(_GAP + max(map(len, cells)) for i, cells in enumerate(columns) if i < 3 or any(cells[1:]))
    width = get_terminal_size((_WIDE, 24)).columns
    room = width - taken - _GAP if width >= _WIDE else 0
    texts = [
        shorten(about(versions[-1]), room, placeholder=" ...") if room >= _LEAST else "" for versions in environments
    ]
    rows = sorted((*row, text) for row, text in zip(facts, texts, strict=True))
    filled = [i for i in range(len(_HEADER)) if i < 3 or any(row[i] for row in rows)]
    console.table([[row[i] for i in filled] for row in rows], [_HEADER[i] for i in filled])
    if any(row[4] for row in rows):
        console.echo("  elsewhere: in another package, which `make` names")


def _row(versions: list[EnvSpec]) -> tuple[str, ...]:
    *outdated, latest = versions
    here = [spec for spec in outdated if not is_moved(spec)]
    return (
        latest.id,
        _shown(latest.max_episode_steps),
        _shown(latest.reward_threshold),
        _listed(here),
        _listed([spec for spec in outdated if spec not in here]) if not is_moved(latest) else "",
    )


def _listed(specs: list[EnvSpec]) -> str:
    return " ".join(f"v{spec.version}" for spec in specs)


def _version(spec: EnvSpec) -> int:
    return -1 if spec.version is None else spec.version


def _shown(limit: float | None) -> str:
    return "" if limit is None else f"{limit:g}"
