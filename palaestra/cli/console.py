"""Output of the commands: by rich if it is installed, else as plain text; and as JSON for programs."""

from __future__ import annotations

import json

from gymnasium.error import DependencyNotInstalled

try:
    from palaestra.cli.rich_console import echo, heading, progress, table
except DependencyNotInstalled:
    from palaestra.cli.plain_console import echo, heading, progress, table

__all__ = ["echo", "heading", "print_json", "progress", "table"]


def print_json(value: object) -> None:
    """Write a value as JSON; values without a JSON form are written as text."""
    print(json.dumps(value, indent=2, default=str))
