"""`palaestra run` while it runs: Ctrl-C, and the progress bar on a terminal."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from palaestra.cli.interrupt import StopRequest
from tests.palaestra.cli.conftest import environment
from tests.palaestra.cli.test_run_files import frames


def _interrupted(folder: Path, steps: int, *arguments: str) -> tuple[int, str, str]:
    """Runs the slow policy, sends SIGINT after some steps; exit code, stdout from there on, stderr."""
    command = [sys.executable, "-m", "palaestra", "run", "counting:Counting-v2", "--policy", "counting:slow"]
    process = subprocess.Popen(
        [*command, "--episodes", "1000", *arguments],
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    for _ in range(steps):
        assert process.stdout.readline() == "step\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def test_ctrl_c_reports_the_finished_part(folder: Path) -> None:
    """Two episodes of five steps are done at the twelfth step; table, plot and video have them."""
    code, out, err = _interrupted(folder, 12, "--video", "a.mp4", "--plot", "a.png")

    assert (code, err) == (130, "")
    assert "2 of 1000 episodes, 1" in out
    assert ["return", "5.00", "0.00", "5", "5"] in [line.split() for line in out.splitlines()]
    assert (folder / "a.png").read_bytes().startswith(b"\x89PNG")
    assert 12 < len(frames(folder / "a.mp4")) < 20  # the unfinished episode is filmed as well


def test_ctrl_c_in_the_first_episode(folder: Path) -> None:
    """There is nothing to average or to plot, and it says so."""
    code, out, err = _interrupted(folder, 1, "--plot", "a.png")

    assert (code, err) == (130, "")
    assert "no episode was finished" in out
    assert not (folder / "a.png").exists()


def test_the_second_ctrl_c_is_an_exception() -> None:
    """So that a policy that never returns can be left; afterwards all is as before."""
    before = signal.getsignal(signal.SIGINT)
    with StopRequest() as stop:
        signal.raise_signal(signal.SIGINT)
        assert stop.made
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)

    assert signal.getsignal(signal.SIGINT) is before


def test_a_terminal_shows_progress(folder: Path) -> None:
    """On stderr, so that stdout can be kept; the bar is gone at the end."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "palaestra", "run", "counting:Counting-v2", "--policy", "counting:slow"]
    with subprocess.Popen(
        [*command, "--episodes", "10"],
        cwd=folder,
        env={**environment(), "TERM": "xterm", "COLUMNS": "120"},
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
    ) as process:
        os.close(theirs)
        out = process.communicate(timeout=60)[0]
    seen = _all_of(ours)

    assert "10 episodes, 50 steps" in out
    assert "\x1b" not in out
    assert "3/10 episodes, last return 5" in seen
    assert "steps/s" in seen


def _all_of(terminal: int) -> str:
    parts = []
    try:
        while part := os.read(terminal, 4096):
            parts.append(part)
    except OSError:  # Linux' way of saying that the other side is closed
        pass
    os.close(terminal)
    return b"".join(parts).decode()
