"""The command line lists the games of ale-py."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.palaestra.cli import process
from tests.palaestra.cli.conftest import environment


def test_the_command_line_knows_the_games(tmp_path: Path) -> None:
    """Without a word about the package that they are from."""
    pytest.importorskip("ale_py")

    def gymnasium(*arguments: str) -> str:
        done = process.run(arguments, tmp_path, environment())
        done.check_returncode()
        return done.stdout

    pong = "ALE/Pong-v5"
    listed = gymnasium("list", "--all").split()
    assert [listed.count(game) for game in (pong, "ALE/Breakout-v5", "CartPole-v1")] == [1, 1, 1]
    assert pong in gymnasium("list", "--family", "ALE")
    assert "Discrete(6)" in gymnasium("show", pong)
