"""Programs in a process forked from one that has imported `gymnasium`: that saves most of the time of a start."""

from __future__ import annotations

import atexit
import multiprocessing
import os
import runpy
import subprocess
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path

import gymnasium.envs.registration
import gymnasium.vector
import gymnasium.wrappers  # noqa: F401

TIMEOUT = 120  # s


def run(arguments: Sequence[str], folder: Path, variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run `gymnasium ARGUMENTS` in a folder, under these environment variables."""
    return _run(["-m", "palaestra", *arguments], folder, variables)


def run_page(script: str, folder: Path, variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a script with warnings as errors, in a folder, under these environment variables."""
    return _run(["-W", "error", str(folder / script)], folder, variables)


def _run(options: Sequence[str], folder: Path, variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run `python OPTIONS`."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        command = [sys.executable, *options]
        return subprocess.run(
            command, cwd=folder, env=variables, capture_output=True, text=True, timeout=TIMEOUT, check=False
        )
    told = [folder.with_name(f"{folder.name}.{name}") for name in ("out", "err")]
    process = multiprocessing.get_context("forkserver").Process(target=_main, args=(options, folder, variables, told))
    process.start()
    process.join(TIMEOUT)
    if process.is_alive():
        process.kill()
        raise subprocess.TimeoutExpired([sys.executable, *options], TIMEOUT)
    assert process.exitcode is not None
    out, err = (path.read_text() for path in told)
    return subprocess.CompletedProcess([sys.executable, *options], process.exitcode, out, err)


def _main(options: Sequence[str], folder: Path, variables: dict[str, str], told: Sequence[Path]) -> None:
    os.environ.clear()
    os.environ.update(variables)
    os.chdir(folder)
    for stream, path in enumerate(told, 1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), stream)
    sys.path.insert(0, str(folder))
    multiprocessing.set_start_method(None, force=True)  # the usual one, not that of this process
    try:
        _start(*options)
    except Exception:  # told as Python tells it, not as multiprocessing does
        sys.excepthook(*sys.exc_info())
        sys.exit(1)
    finally:
        atexit._run_exitfuncs()


def _start(option: str, name: str, *arguments: str) -> None:
    if option == "-m":
        sys.argv[1:] = arguments
        runpy.run_module(name, run_name="__main__", alter_sys=True)
    else:
        sys.warnoptions[:] = [name]  # for the processes that this one starts
        _filter_warnings(name)
        sys.argv[:] = arguments
        runpy.run_path(arguments[0], run_name="__main__")


def _filter_warnings(action: str) -> None:
    """As `-W` does: after the filters of what is imported, before those of Python, which begin with `__main__`."""
    pythons = next((k for k, each in enumerate(warnings.filters) if each[3] == "__main__"), 0)
    warnings.simplefilter(action)
    warnings.filters.insert(pythons, warnings.filters.pop(0))
