"""The wheel as a stranger installs it: into empty environments, outside the clone. `make dist` runs this."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.packaging.programs import PROGRAMS
from tests.thorough import THOROUGH

ROOT = Path(__file__).parents[2]
TYPED = Path(__file__).with_name("typed.py")
pytestmark = [
    pytest.mark.skipif(not THOROUGH, reason="runs with `make dist` and `make test THOROUGH=1`"),
    pytest.mark.timeout(900),
]


def call(*command: str | Path, at: Path) -> str:
    """Returns what a command prints; its errors are those of the test."""
    ran = subprocess.run([*map(str, command)], cwd=at, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    clone = folder / "clone"  # what earlier builds left in ours would come in
    shutil.copytree(ROOT / "gymnasium", clone / "gymnasium", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, clone)
    call(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, clone, at=folder)
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture
def python(tmp_path: Path) -> Iterator[Path]:
    """The interpreter of an empty environment."""
    call(sys.executable, "-m", "venv", tmp_path / "venv", at=tmp_path)
    yield tmp_path / "venv" / "bin" / "python"


def install(python: Path, *what: str | Path) -> None:
    call(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *what, at=python.parent)


def test_it_holds_the_package_and_nothing_else(wheel: Path) -> None:
    """And every file of the package that is no Python."""
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert all(name.startswith("gymnasium/") for name in names)
    files = {path for path in (ROOT / "gymnasium").rglob("*") if path.is_file() and path.suffix != ".pyc"}
    assert names == {path.relative_to(ROOT).as_posix() for path in files}
    assert wheel.stat().st_size < 2_000_000


@pytest.mark.parametrize("extra", PROGRAMS, ids=lambda extra: extra or "bare")
def test_a_program_runs(extra: str, wheel: Path, python: Path, tmp_path: Path) -> None:
    install(python, f"{wheel}[{extra}]" if extra else wheel)
    (tmp_path / "program.py").write_text(PROGRAMS[extra], encoding="utf-8")
    call(python, "program.py", at=tmp_path)
    assert "CartPole-v1" in call(python.with_name("gymnasium"), "show", "CartPole-v1", at=tmp_path)


def test_the_type_checker_knows_it(wheel: Path, python: Path, tmp_path: Path) -> None:
    """And the program that it checks runs."""
    install(python, wheel, "mypy>=1.15")
    (tmp_path / "typed.py").write_text(TYPED.read_text(encoding="utf-8"), encoding="utf-8")
    call(python, "-m", "mypy", "--strict", "typed.py", at=tmp_path)
    call(python, "typed.py", at=tmp_path)
