"""The page of the command line: every command is on it, and does there what the page says."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs._tools.commands import commands, prepare, run, with_output
from palaestra.cli.parser import build_parser
from tests.palaestra.cli import process
from tests.thorough import THOROUGH

PAGE = Path(__file__).parents[2] / "docs" / "palaestra" / "command_line.md"
TEXT = PAGE.read_text(encoding="utf-8")
COMMANDS = commands(TEXT)
FAILING = {
    "palaestra show CartPol-v1": 2,
    "palaestra check mine:Coin-v0": 1,
    "palaestra check mine:Coin-v0 --select G2 --json": 1,
}


def test_every_command_has_a_section():
    names = [name for action in build_parser()._actions if action.choices for name in action.choices]
    sections = [line.removeprefix("## ") for line in TEXT.splitlines() if line.startswith("## ")]
    assert sorted(sections) == sorted(names)


def test_the_commands_do_what_the_page_says(tmp_path):
    folder = tmp_path / "page"
    prepare(PAGE, folder)
    results = {command: run(_shorter(command), folder, process.run) for command in COMMANDS}
    assert {command: done.code for command, done in results.items() if done.code} == FAILING, results
    assert all(done.printed for done in results.values())
    for picture in ("returns.png", "cartpole.gif", "speed.png"):
        assert (folder / picture).stat().st_size > 1000


def _shorter(command: str) -> str:
    """The same with less to measure and to film."""
    if THOROUGH:
        return command
    return command.replace("16,1024 --seconds 0.3", "4 --seconds 0.02").replace("--max-steps 120", "--max-steps 20")


def test_what_a_command_prints_is_shown_below_it(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("Before.\n\n```console\n$ palaestra --version\n```\n\nAfter.\n")
    shown = with_output(page, tmp_path, page.read_text())
    assert shown.startswith("Before.\n\n```console\n$ palaestra --version\npalaestra 1.4.0+palaestra")
    assert shown.endswith("```\n\nAfter.\n")


def test_nothing_but_our_own_command_is_run(tmp_path):
    with pytest.raises(ValueError, match="rm -r"):
        run("rm -r /", tmp_path)
