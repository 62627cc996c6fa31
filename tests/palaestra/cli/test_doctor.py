"""`palaestra doctor`."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from gymnasium.dependencies import install_command
from palaestra.cli import doctor, graphics
from palaestra.cli.doctor import CORE, OPTIONAL, Library, examine
from tests.architecture.source import HOMES, ROOT
from tests.palaestra.cli.conftest import Cli

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_this_installation(cli: Cli) -> None:
    """Versions, libraries and what they can do here."""
    done = cli("doctor")

    assert (done.returncode, done.stderr) == (0, "")
    for word in ("Python", "numpy", "pygame-ce", "display", "video", "OpenGL by egl"):
        assert word in done.stdout


def test_json_and_no_rich(cli: Cli) -> None:
    """The same for programs, and where the least is installed."""
    report = json.loads(cli("doctor", "--json", without="rich,mujoco").stdout)

    assert {"system", "needed", "optional", "pictures"} == set(report)
    assert {"name": "rich", "state": "missing", "remedy": install_command("rich")} in report["optional"]
    assert [part["name"] for part in report["pictures"]][:2] == ["display", "video"]


def test_plain_text_without_rich(cli: Cli) -> None:
    done = cli("doctor", without="rich,mujoco")

    assert (done.returncode, done.stderr) == (0, "")
    assert f"rich                    missing     {install_command('rich')}" in done.stdout


def test_a_missing_library(cli: Cli) -> None:
    """The line to type is beside it."""
    done = cli("doctor", without="mujoco")

    (line,) = [line for line in done.stdout.splitlines() if line.strip().startswith("mujoco")]
    assert line.strip().split(maxsplit=2)[1:] == ["missing", 'pip install "mujoco>=3.5"']


def test_a_missing_core_library(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """It makes the command fail."""
    monkeypatch.setattr(doctor, "CORE", (Library("no-such-thing", "no_such_thing"),))
    monkeypatch.setattr(doctor, "_pictures", lambda: [("display", "no: none", "buy one")])

    assert examine() == 1
    assert 'pip install "no-such-thing"' in capsys.readouterr().out


def test_all_libraries_are_known() -> None:
    """Those that the project file names, and no others."""
    named = {requirement.partition(">")[0] for requirement in PROJECT["dependencies"]}

    assert {library.distribution for library in CORE} == named
    assert {library.module for library in (*CORE, *OPTIONAL)} >= set(HOMES) - {"flax", "llvmlite"}
    brought = " ".join(line for lines in PROJECT["optional-dependencies"].values() for line in lines)
    assert [library for library in OPTIONAL if f"{library.distribution}>=" not in brought.replace("==", ">=")] == []


def test_a_driver_that_crashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes another process with it, and is reported."""
    pytest.importorskip("mujoco")
    monkeypatch.setattr(graphics, "_DRAW", "import os; os.abort()")

    with pytest.raises(RuntimeError, match="exit code"):
        graphics.draw_by_gl("egl")


@pytest.mark.parametrize(("colours", "works"), [(82, True), (1, False)])
def test_a_frame_is_looked_at(colours: int, works: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A driver may come up and draw nothing."""
    pytest.importorskip("mujoco")
    came = f'{{"shape": [64, 48, 3], "colours": {colours}, "seconds": 0.25}}'
    monkeypatch.setattr(graphics, "_DRAW", f"print('noise'); print('{came}')")

    if works:
        assert graphics.draw_by_gl("egl") == "48 x 64 pixels, 82 colours, 0.2 s"
        return
    with pytest.raises(RuntimeError, match="nothing is on it"):
        graphics.draw_by_gl("egl")


def test_a_driver_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is given up."""
    pytest.importorskip("mujoco")

    def never(*args: object, **kwargs: object) -> None:
        raise subprocess.TimeoutExpired("python", 30)

    monkeypatch.setattr(subprocess, "run", never)

    with pytest.raises(RuntimeError, match="seconds"):
        graphics.draw_by_gl("egl")


def test_one_way_to_opengl_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is nothing to repair then."""

    def only_egl(backend: str) -> str:
        if backend != "egl":
            raise RuntimeError("no driver")
        return backend

    monkeypatch.setattr(doctor, "draw_by_gl", only_egl)
    rows = {what: (works, remedy) for what, works, remedy in doctor._pictures()}

    assert rows["OpenGL by egl"] == ("yes, egl", "")
    assert rows["OpenGL by osmesa"] == ("no: no driver", "")
