"""Runs the tests on each Python that the package claims, or with the oldest dependencies that it allows.

    python -m tests.packaging.matrix                    3.10, 3.11, 3.12 and 3.13, each in a venv of its own
    python -m tests.packaging.matrix 3.13               this one only
    python -m tests.packaging.matrix --oldest           on Python 3.10, the oldest version of each dependency

It runs a selection of the tests, without PyTorch and Ray; all of them with THOROUGH=1. A Python that this machine lacks
is skipped.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PYTHONS = ("3.10", "3.11", "3.12", "3.13")
EXTRAS = "classic-control,toy-text,box2d,mujoco,atari,jax,array-api,video,record,plot,cli,studio,other"
TOOLS = ("pytest", "pytest-timeout", "pytest-xdist", "hypothesis", "grimp")
FAST = (
    "tests/golden",
    "tests/contracts/test_compiled_equals_sync.py",
    "tests/contracts/test_box2d_vector.py",
    "tests/contracts/test_snapshots.py",
    "tests/contracts/test_jax_equality.py",
    "tests/contracts/test_jax_params.py",
    "tests/gymnasium/core",
    "tests/gymnasium/envs/registry",
    "tests/gymnasium/envs/classic_control",
    "tests/gymnasium/envs/toy_text",
    "tests/gymnasium/envs/box2d",
    "tests/gymnasium/envs/mujoco",
    "tests/gymnasium/envs/atari",
    "tests/gymnasium/envs/jax",
    "tests/palaestra/recording/data_sets",
    "tests/gymnasium/rendering",
    "tests/palaestra/recording/replays",
    "tests/palaestra/studio",
    "tests/systems",
)
"""A selection that takes minutes: machine code, and all that calls another library."""


def interpreter(version: str) -> str | None:
    """Returns a Python of this version: from the path, or from pyenv."""
    found = shutil.which(f"python{version}")
    kept = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    for python in [*([found] if found else []), *map(str, kept)]:
        # A shim of pyenv may be there for a version that is not chosen.
        if not subprocess.run([python, "-c", "import ensurepip"], capture_output=True, check=False).returncode:
            return python
    return None


def tested(version: str, oldest: bool) -> str:
    """Run the tests on one Python; returns what became of it."""
    python = interpreter(version)
    if python is None:
        return "skipped: not installed here"
    thorough = bool(os.environ.get("THOROUGH")) and not oldest
    folder = ROOT / (".venv-oldest" if oldest else f".venv-{version}")
    own = str(folder / "bin" / "python")
    if not (folder / ".installed").exists():
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([python, "-m", "venv", str(folder)], check=True)
        subprocess.run([own, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "uv"], check=True)
        install = [str(folder / "bin" / "uv"), "pip", "install", "--quiet", "--python", own]
        lowest = ["--resolution", "lowest-direct"] if oldest else []
        what = ".[test]" if thorough else f".[{EXTRAS}]"
        package = [*install, *lowest, "--editable", what]
        if any(subprocess.run(command, cwd=ROOT, check=False).returncode for command in (package, [*install, *TOOLS])):
            return "not installed: see above"
        (folder / ".installed").touch()
    chosen = [] if thorough else FAST
    done = subprocess.run(
        [own, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "2", *chosen], cwd=ROOT, check=False
    )
    return "passed" if done.returncode == 0 else "failed"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("versions", nargs="*", metavar="VERSION", help=f"of Python ({', '.join(PYTHONS)})")
    parser.add_argument("--oldest", action="store_true", help="the oldest dependencies, on the oldest Python")
    options = parser.parse_args()
    versions = options.versions or (PYTHONS[:1] if options.oldest else PYTHONS)
    found = {version: tested(version, options.oldest) for version in versions}
    for version, told in found.items():
        print(f"Python {version}{' with the oldest dependencies' if options.oldest else ''}: {told}")
    sys.exit(any(told.startswith(("failed", "not")) for told in found.values()))


if __name__ == "__main__":
    main()
