"""The command `gymnasium` in a process forked from one that has imported it: that saves most of the time of a start."""

from __future__ import annotations

import atexit
import multiprocessing
import os
import runpy
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import gymnasium.cli.parser
import gymnasium.envs.registration
import gymnasium.vector
import gymnasium.wrappers  # noqa: F401

TIMEOUT = 100  # s


def run(arguments: Sequence[str], folder: Path, variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run `gymnasium ARGUMENTS` in a folder, under these environment variables."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        command = [sys.executable, "-m", "gymnasium", *arguments]
        return subprocess.run(
            command, cwd=folder, env=variables, capture_output=True, text=True, timeout=TIMEOUT, check=False
        )
    told = [folder.with_name(f"{folder.name}.{name}") for name in ("out", "err")]
    process = multiprocessing.get_context("forkserver").Process(target=_main, args=(arguments, folder, variables, told))
    process.start()
    process.join(TIMEOUT)
    if process.is_alive():
        process.kill()
        raise subprocess.TimeoutExpired(["gymnasium", *arguments], TIMEOUT)
    assert process.exitcode is not None
    out, err = (path.read_text() for path in told)
    return subprocess.CompletedProcess(["gymnasium", *arguments], process.exitcode, out, err)


def _main(arguments: Sequence[str], folder: Path, variables: dict[str, str], told: Sequence[Path]) -> None:
    os.environ.clear()
    os.environ.update(variables)
    os.chdir(folder)
    for stream, path in enumerate(told, 1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), stream)
    sys.argv[1:] = arguments
    sys.path.insert(0, str(folder))
    try:
        runpy.run_module("gymnasium", run_name="__main__", alter_sys=True)
    except Exception:  # told as Python tells it, not as multiprocessing does
        sys.excepthook(*sys.exc_info())
        sys.exit(1)
    finally:
        atexit._run_exitfuncs()
