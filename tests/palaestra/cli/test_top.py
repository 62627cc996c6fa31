"""What all subcommands have in common."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gymnasium import __version__
from palaestra.cli import main
from tests.palaestra.cli.conftest import ROOT, Cli, environment

Refused = Callable[..., str]
COMMANDS = ["list", "show", "run", "check", "bench", "play", "studio", "record", "replay", "doctor", "completion"]


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    """It is the package's."""
    with pytest.raises(SystemExit) as stop:
        main(["--version"])

    assert (stop.value.code, capsys.readouterr().out) == (0, f"palaestra {__version__}\n")


@pytest.mark.parametrize("command", [[], *([command] for command in COMMANDS)])
def test_help_has_examples(
    command: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each help ends with lines to copy, and fits into a terminal of 80 columns."""
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit) as stop:
        main([*command, "--help"])

    text = capsys.readouterr().out
    examples = text.partition("examples:\n")[2].strip().splitlines()
    assert stop.value.code == 0
    assert len(examples) >= 2
    assert max(map(len, text.splitlines())) <= 80
    assert all(line.strip().startswith(" ".join(["palaestra", *command])) for line in examples)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_names_each_command(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One finds them without documentation."""
    with pytest.raises(SystemExit):
        main(["--help"])

    assert f"\n    {command} " in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["fly"], ["show"], ["run", "CartPole-v1", "--speed", "3"]])
def test_what_cannot_be_parsed_is_one_line(arguments: list[str], refused: Refused) -> None:
    """It names the help to read."""
    assert "--help`" in refused(*arguments, code=2)


def test_help_needs_no_rich(cli: Cli) -> None:
    """The command can say what it needs, and what it is, where nothing is installed."""
    done = cli("--help", without="rich")

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("arguments", [["list"], ["show", "CartPole-v1"], ["run", "CartPole-v1"]])
def test_without_rich(arguments: list[str], cli: Cli) -> None:
    """The text is plain then."""
    done = cli(*arguments, without="rich")

    assert (done.returncode, done.stderr) == (0, "")
    assert "CartPole-v1" in done.stdout


def test_bare_command_prints_help(cli: Cli) -> None:
    done = cli()

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("usage: palaestra ")


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["rnu", "CartPole-v1"], "'run'"),
        (["show", "CartPol-v1"], "CartPole-v1?"),
        (["show", "Pong-v5"], "ALE/Pong-v5?"),
    ],
)
def test_what_was_mistyped_is_answered_with_what_was_meant(arguments: list[str], meant: str, refused: Refused) -> None:
    """Commands and ids, those of games too."""
    if "Pong" in arguments[-1]:
        pytest.importorskip("ale_py")

    assert f"did you mean {meant}" in refused(*arguments, code=2)


def test_starting_loads_no_optional_library() -> None:
    """`gymnasium --help` is quick."""
    code = "import sys, palaestra.cli.parser as p; p.build_parser(); print(*{m.split('.')[0] for m in sys.modules})"
    loaded = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)

    assert not {"rich", "matplotlib", "pygame", "av", "llvmlite"} & set(loaded.stdout.split())


def test_a_reader_that_has_enough_is_no_error(folder: Path) -> None:
    """`palaestra run ... | head -1` writes no traceback."""
    reads_one_line = [sys.executable, "-c", "import sys; sys.stdin.readline()"]
    command = [sys.executable, "-m", "palaestra", "run", "counting:Counting-v2", "--episodes", "3000"]
    with subprocess.Popen(
        [*command, "--render", "ansi"],
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as writer:
        assert writer.stdout is not None
        assert writer.stderr is not None
        subprocess.run(reads_one_line, stdin=writer.stdout, timeout=60, check=True)
        writer.stdout.close()
        complaints = writer.stderr.read()

    assert (writer.returncode, complaints) == (1, "")
