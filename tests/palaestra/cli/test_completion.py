"""`palaestra completion`."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from palaestra.cli import main


def script(shell: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["completion", shell]) == 0
    return capsys.readouterr().out


@pytest.mark.skipif(shutil.which("bash") is None, reason="tries the script in bash")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["b"], ["bench"]),
        (["--v"], ["--version"]),
        (["check", "CartPole-v"], ["CartPole-v0", "CartPole-v1"]),
        (["check", "--d"], ["--deep"]),
        (["run", "CartPole-v1", "--render", ""], ["human", "ansi"]),
        (["completion", ""], ["bash", "zsh", "fish"]),
        (["list", ""], []),
    ],
)
def test_bash(words: list[str], expected: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Commands, ids, options, and the words that an option takes."""
    path = tmp_path / "completion.bash"
    path.write_text(script("bash", capsys))
    typed = " ".join(f"'{word}'" for word in ["palaestra", *words])
    code = f"source {path}; COMP_WORDS=({typed}); COMP_CWORD={len(words)}; _palaestra; echo ${{COMPREPLY[@]}}"

    done = subprocess.run(["bash", "-c", code], capture_output=True, text=True, check=True)

    assert (done.stdout.split(), done.stderr) == (expected, "")


def test_zsh(capsys: pytest.CaptureFixture[str]) -> None:
    """It is bash's, which zsh loads a helper for."""
    first, _, rest = script("zsh", capsys).partition("\n")

    assert "bashcompinit" in first
    assert rest == script("bash", capsys)


def test_fish(capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each command, option and set of words."""
    lines = script("fish", capsys).splitlines()

    assert all(line.startswith("complete -c palaestra ") for line in lines)
    assert any(line.endswith("-a bench -d 'measure the speed of an environment'") for line in lines)
    assert any("from run'" in line and line.endswith("-l render -xa 'human ansi'") for line in lines)
    assert any("CartPole-v1" in line for line in lines)
    assert all(line.count("'") % 2 == 0 for line in lines)
