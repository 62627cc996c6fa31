"""The files that hosts and other tools read say what is so."""

from __future__ import annotations

import re
from pathlib import Path

import gymnasium

ROOT = Path(__file__).parents[2]


def test_the_citation_names_this_version() -> None:
    (version,) = re.findall(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    assert version == gymnasium.__version__


def test_workflows_call_our_commands() -> None:
    """Nothing is checked there that cannot be run at home."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    for workflow in (ROOT / ".github/workflows").glob("*.yml"):
        commands = re.findall(r"^ *- run: (.+)$", workflow.read_text(encoding="utf-8"), re.MULTILINE)
        assert commands
        for command in commands:
            program, *arguments = command.split()
            assert (ROOT / program).exists() if program != "make" else arguments[0] in targets, command
