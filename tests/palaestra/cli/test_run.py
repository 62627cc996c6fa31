"""`palaestra run`: episodes, policies and the report."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from palaestra.cli import main
from tests.palaestra.cli.conftest import Cli

Refused = Callable[..., str]


def _row(text: str, name: str) -> list[str]:
    """The cells of a row of the table: mean, standard deviation, least, greatest."""
    (cells,) = [line.split()[1:] for line in text.splitlines() if line.split()[:1] == [name]]
    return cells


def test_the_table_of_a_policy(cli: Cli) -> None:
    """An episode is five steps, of which the policy gives a reward for all."""
    done = cli("run", "counting:Counting-v2", "--policy", "counting:one", "--episodes", "7")

    assert (done.returncode, done.stderr) == (0, "")
    assert _row(done.stdout, "return") == ["5.00", "0.00", "5", "5"]
    assert _row(done.stdout, "length") == ["5.00", "0.00", "5", "5"]
    assert "7 episodes, 35 steps, " in done.stdout


def test_the_policy_gets_the_observation(cli: Cli) -> None:
    """Of the counts 0 to 4 two are odd, and rewarded."""
    done = cli("run", "counting:Counting-v2", "--policy", "counting:odd", "--episodes", "1")

    assert _row(done.stdout, "return")[0] == "2.00"


def test_the_policy_is_found_in_the_current_folder(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """As an installed command Python does not look there by itself."""
    monkeypatch.setenv("PYTHONSAFEPATH", "1")

    done = cli("run", "counting:Counting-v2", "--policy", "counting:one", "--episodes", "1")

    assert (done.returncode, done.stderr) == (0, "")
    assert "1 episode, 5 steps, " in done.stdout


def test_no_display(cli: Cli, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The line says what to do instead of opening a window."""
    for name in ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))  # without it SDL itself writes to stderr

    done = cli("run", "CartPole-v1", "--render", "human")

    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert "--video" in line


def test_a_random_run_is_repeated_by_its_seed(capsys: pytest.CaptureFixture[str]) -> None:
    """Environment and actions are seeded; another seed gives something else."""
    tables = []
    for seed in ("3", "3", "4"):
        assert main(["run", "CartPole-v1", "--episodes", "20", "--seed", seed]) == 0
        tables.append(_row(capsys.readouterr().out, "return"))

    assert tables[0] == tables[1] != tables[2]


def test_episodes_of_one_run_differ(capsys: pytest.CaptureFixture[str]) -> None:
    """Only the first reset is seeded."""
    main(["run", "CartPole-v1", "--episodes", "20", "--seed", "3"])

    mean, std, least, greatest = map(float, _row(capsys.readouterr().out, "length"))
    assert least < mean < greatest
    assert std > 0


def test_max_steps_ends_an_episode(cli: Cli) -> None:
    """In place of the environment's own limit."""
    done = cli("run", "counting:Counting-v2", "--max-steps", "3", "--episodes", "2")

    assert _row(done.stdout, "length") == ["3.00", "0.00", "3", "3"]


def test_ansi_frames_are_printed(cli: Cli) -> None:
    """One after the reset and one after each step; in a pipe, brackets take the place of colours."""
    done = cli("run", "counting:Counting-v2", "--episodes", "1", "--render", "ansi")

    assert re.findall(r"^count \[(\d)\]$", done.stdout, re.MULTILINE) == list("012345")
    assert "\x1b" not in done.stdout + done.stderr
    words = re.findall(r"^step .*$", done.stdout, re.MULTILINE)
    assert words[0] == "step 0"
    assert re.fullmatch(r"step 5, reward \S+, terminated", words[-1])


def test_human_rendering_shows_a_window(cli: Cli) -> None:
    """Here on the invisible display of SDL, at the environment's 10 frames per second."""
    done = cli("run", "counting:Counting-v2", "--episodes", "1", "--render", "human")

    assert done.returncode == 0, done.stderr
    speed = float(re.search(r"([\d,]+) steps/s", done.stdout)[1].replace(",", ""))  # type: ignore[index]
    assert speed < 20


def test_window_and_video_at_once(cli: Cli, folder: Path) -> None:
    """The frames of the video are shown too."""
    done = cli("run", "counting:Counting-v2", "--episodes", "1", "--render", "human", "--video", "a.gif")

    assert done.returncode == 0, done.stderr
    assert (folder / "a.gif").stat().st_size > 0


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["CartPol-v1"], "CartPole"),
        (["CartPole-v7"], "v1"),
        (["counting:Counting-v2", "--episodes", "-3"], "at least 1"),
        (["counting:Counting-v2", "--episodes", "0"], "at least 1"),
        (["counting:Counting-v2", "--episodes", "many"], "'many'"),
        (["counting:Counting-v2", "--seed", "-1"], "at least 0"),
        (["counting:Counting-v2", "--seed", "1.5"], "'1.5'"),
        (["counting:Counting-v2", "--max-steps", "0"], "at least 1"),
        (["counting:Counting-v2", "--policy", "counting"], "module:function"),
        (["counting:Counting-v2", "--policy", "os.system('x'):y"], "module:function"),
        (["counting:Counting-v2", "--policy", "nowhere:one"], "No module named 'nowhere'"),
        (["counting:Counting-v2", "--policy", "counting:none"], "'none'"),
        (["counting:Counting-v2", "--policy", "counting:number"], "'number'"),
        (["counting:Counting-v2", "--video", "a.avi"], ".mp4 or .gif"),
        (["counting:Counting-v2", "--plot", "a.jpeg"], ".png"),
        (["counting:Counting-v2", "--video", "no_folder/a.mp4"], "'no_folder'"),
        (["counting:Counting-v2", "--plot", "no_folder/a.png"], "'no_folder'"),
        (["counting:Counting-v2", "--render", "human", "--plot", "no_folder/a.png"], "'no_folder'"),
        (["counting:Counting-v2", "--render", "smell"], "'smell'"),
        (["counting:Counting-v2", "--render", "ansi", "--video", "a.mp4"], "leave one out"),
        (["CartPole-v1", "--render", "ansi"], "rgb_array"),
    ],
)
def test_bad_input_is_refused_before_anything_runs(arguments: list[str], hint: str, refused: Refused) -> None:
    """One line, no traceback, no file."""
    assert hint in refused("run", *arguments, code=2)


def test_a_folder_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """It is found out before the run."""
    monkeypatch.setattr("os.access", lambda path, mode: False)

    with pytest.raises(SystemExit) as stop:
        main(["run", "CartPole-v1", "--video", "a.mp4"])

    output = capsys.readouterr()
    assert (stop.value.code, output.out) == (2, "")
    assert "'a.mp4' cannot be written" in output.err


@pytest.mark.parametrize(
    ("library", "arguments", "distribution"),
    [
        ("matplotlib", ["--plot", "a.png"], "matplotlib"),
        ("av,moviepy", ["--video", "a.mp4"], "av"),
        ("pygame", ["--render", "human"], "pygame-ce"),
    ],
)
def test_a_missing_library(library: str, arguments: list[str], distribution: str, refused: Refused) -> None:
    """It is found out before the run, and the line says what to install."""
    line = refused("run", "CartPole-v1", *arguments, without=library, code=1)

    assert f'pip install "{distribution}>=' in line


def test_a_policy_that_fails_does_not_take_the_finished_episodes_along(cli: Cli) -> None:
    """It fails in the third episode; two are reported, and the error with its place."""
    done = cli("run", "counting:Counting-v2", "--policy", "counting:broken_later", "--plot", "a.png")

    assert done.returncode == 1
    assert "2 of 10 episodes, 12 steps" in done.stdout
    assert "plot: a.png" in done.stdout
    (line,) = done.stderr.splitlines()
    assert "episode 3 of 10 failed: RuntimeError: no idea (counting.py, line " in line


def test_an_action_that_the_environment_refuses(tmp_path: Path, cli: Cli) -> None:
    """The environment's own words come through."""
    (tmp_path / "left.py").write_text("def up(observation):\n    return 'up'\n")

    done = cli("run", "CartPole-v1", "--policy", "left:up")

    assert done.returncode == 1
    assert "no episode was finished" in done.stdout
    assert "'up'" in done.stderr
    assert "Traceback" not in done.stderr
