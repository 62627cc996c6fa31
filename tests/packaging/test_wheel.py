"""The wheel as a stranger installs it: into empty environments, outside the clone. `make dist` runs this."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

from tests.packaging.programs import PROGRAMS
from tests.thorough import THOROUGH

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
CORE = {"numpy", "cloudpickle", "typing-extensions", "llvmlite"}
pytestmark = [
    pytest.mark.skipif(not THOROUGH, reason="runs with `make dist` and `make test THOROUGH=1`"),
    pytest.mark.timeout(900),
]


def call(*command: str | Path, at: Path) -> str:
    """Returns what a command prints; its errors are those of the test."""
    outside = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    ran = subprocess.run([*map(str, command)], cwd=at, env=outside, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that `make dist` makes, in a clone in which an earlier build left a file."""
    clone = tmp_path_factory.mktemp("clone")
    ignored = shutil.ignore_patterns("__pycache__", ".*", "build", "dist", "out", "*.egg-info", "docs", "benchmarks")
    shutil.copytree(ROOT, clone, ignore=ignored, dirs_exist_ok=True)
    left = clone / "build" / "lib" / "gymnasium" / "left_over.py"
    left.parent.mkdir(parents=True)
    left.touch()
    call(sys.executable, "-m", "build", "--quiet", "--outdir", "dist", ".", at=clone)
    return clone / "dist"


@pytest.fixture(scope="module")
def wheel(dist: Path) -> Path:
    (made,) = dist.glob("*.whl")
    return made


@pytest.fixture
def python(tmp_path: Path) -> Path:
    """The interpreter of an empty environment."""
    call(sys.executable, "-m", "venv", tmp_path / "venv", at=tmp_path)
    return tmp_path / "venv" / "bin" / "python"


def install(python: Path, *what: str | Path) -> None:
    call(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *what, at=python.parent)


def _name(requirement: str) -> str:
    return re.split(r"[^\w.-]", requirement)[0].lower()


def test_it_holds_the_package_and_nothing_else(wheel: Path) -> None:
    """And every file of the package that is no Python."""
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    packages = ("gymnasium", "palaestra")
    files = {path for name in packages for path in (ROOT / name).rglob("*") if path.is_file() and path.suffix != ".pyc"}
    assert names == {path.relative_to(ROOT).as_posix() for path in files}
    assert wheel.stat().st_size < 2_000_000


def test_it_needs_four_packages_and_no_extra_brings_numba(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (about,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        needed = message_from_bytes(archive.read(about)).get_all("Requires-Dist", [])
    assert {_name(one) for one in needed if "extra ==" not in one} == CORE
    assert "numba" not in map(_name, needed)


def test_the_archive_of_sources_holds_what_the_wheel_is_built_from(dist: Path) -> None:
    (made,) = dist.glob("*.tar.gz")
    with tarfile.open(made) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pyproject.toml", "README.md", "LICENSE", "gymnasium/py.typed", "palaestra/py.typed"} <= names
    assert not any("left_over" in name for name in names)
    assert made.stat().st_size < 3_000_000


@pytest.mark.parametrize("extra", PROGRAMS, ids=lambda extra: extra or "bare")
def test_a_program_runs(extra: str, wheel: Path, python: Path, tmp_path: Path) -> None:
    install(python, f"{wheel}[{extra}]" if extra else wheel)
    (tmp_path / "program.py").write_text(PROGRAMS[extra], encoding="utf-8")
    call(python, "program.py", at=tmp_path)
    assert "CartPole-v1" in call(python.with_name("palaestra"), "show", "CartPole-v1", at=tmp_path)


def install_with_numba(python: Path, wheel: Path) -> None:
    """Leave the test where no Numba goes with this Python and with the versions of llvmlite that the wheel allows."""
    try:
        install(python, wheel, "numba")
    except AssertionError as error:
        if "ResolutionImpossible" in str(error) or "No matching distribution found for numba" in str(error):
            pytest.skip(f"no Numba goes with the wheel here: {error}")
        raise


def test_a_users_numba_stays_as_it_is(
    wheel: Path, python: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its settings, its code and the results, whichever comes first; and dynamics may call its functions."""
    install_with_numba(python, wheel)
    for program in ("beside_numba.py", "with_numba.py"):
        shutil.copy(HERE / program, tmp_path)
    monkeypatch.setenv("PALAESTRA_CACHE_DIR", str(tmp_path / "code"))  # where no earlier process left what we compile
    alone, *beside = (
        call(python, "beside_numba.py", order, at=tmp_path).splitlines() for order in ("alone", "before", "after")
    )
    for told in beside:
        assert [pair for pair in zip(alone, told, strict=True) if pair[0] != pair[1]] == []
    call(python, "with_numba.py", at=tmp_path)


def test_the_type_checker_knows_it(wheel: Path, python: Path, tmp_path: Path) -> None:
    """And the program that it checks runs."""
    install(python, wheel, "mypy>=1.15")
    shutil.copy(HERE / "typed.py", tmp_path)
    call(python, "-m", "mypy", "--strict", "typed.py", at=tmp_path)
    call(python, "typed.py", at=tmp_path)


def test_the_type_checker_finds_nothing_in_the_examples(wheel: Path, python: Path, tmp_path: Path) -> None:
    """Of the other packages, their types too: those of this environment, which are found after the wheel."""
    install(python, "--no-deps", wheel)
    (packages,) = python.parent.parent.glob("lib/python*/site-packages")
    (packages / "others.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    examples = shutil.copytree(ROOT / "examples", tmp_path / "examples")
    checked = [path.name for path in examples.glob("*.py")]
    call(sys.executable, "-m", "mypy", "--strict", "--python-executable", python, *checked, at=examples)
