"""Try third-party packages with this one: `python docs/third_party/run.py [PACKAGE...]` (needs `pip install uv`).

Each package is installed from PyPI into a virtual environment of its own, beside this checkout, which is left in
place; then its program of this folder is run. The result goes into `results.json`, from which the page is made.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path
from typing import Any

from trials import TRIALS, Trial

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
RESULTS = HERE / "results.json"
TIMEOUT = 300  # seconds, of a program
_COLOR = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_REQUIRED = re.compile(r"gymnasium(?:\[.*\])?([ (<>=~!][^;]*|)(?:;|$)", re.IGNORECASE)


def main() -> None:
    """Try the packages named, or all; the others' results stay."""
    results = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    for trial in [trial for trial in TRIALS if trial.package in sys.argv[1:] or not sys.argv[1:]]:
        with tempfile.TemporaryDirectory() as folder:
            results[trial.package] = result(trial, Path(folder))
        print(f"{trial.package}: {results[trial.package]}", flush=True)
        ordered = {trial.package: results[trial.package] for trial in TRIALS if trial.package in results}
        RESULTS.write_text(json.dumps(ordered, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def result(trial: Trial, folder: Path) -> dict[str, Any]:
    """Install and run; returns the version, its requirement of gymnasium, whether all went well, and the output."""
    python = folder / "bin" / "python"
    told: dict[str, Any] = {"version": "", "requires": "", "date": date.today().isoformat()}
    run("uv", "venv", "--quiet", "--python", sys.executable, str(folder))
    installed = install(trial, folder, python)
    if installed.returncode:  # the package may want another version of gymnasium: it gets ours all the same
        told["overridden"] = True
        installed = install(trial, folder, python, "--override")
    if installed.returncode:
        return {**told, "ok": False, "said": reason(installed.stderr)}
    told |= dict(zip(("version", "requires"), metadata(python, trial), strict=True))
    try:
        done = run(str(python), trial.program, *trial.arguments, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return {**told, "ok": False, "said": [f"no end within {TIMEOUT} s"]}
    said = spoken(trial, _COLOR.sub("", done.stdout))
    if done.returncode:
        return {
            **told,
            "ok": False,
            "said": [*said, *_COLOR.sub("", done.stderr).strip().splitlines()[-1:]],
            "error": done.stderr[-3000:],
        }
    found = [line.strip() for line in done.stderr.splitlines() if re.match(r"  G\d{3} ", line)]
    return {**told, "ok": True, "said": said, **({"found": found} if found else {})}


def install(trial: Trial, folder: Path, python: Path, how: str = "--constraint") -> subprocess.CompletedProcess[str]:
    """Install the package and this checkout, whose version is a constraint, or overrides the package's requirement."""
    ours = folder / "ours.txt"
    ours.write_text(f"gymnasium @ {ROOT.as_uri()}\n")
    wanted = (f"gymnasium[classic-control,mujoco] @ {ROOT.as_uri()}", trial.wanted or trial.package, *trial.also)
    return run("uv", "pip", "install", "--quiet", "--python", str(python), how, str(ours), *wanted)


def spoken(trial: Trial, printed: str) -> list[str]:
    """Returns a program's report, without the output of libraries: a line for each id, or the last one."""
    lines = printed.strip().splitlines()
    ids = tuple(f"{id}: " for id in trial.arguments[1:])
    return [line for line in lines if line.startswith(ids)] if ids else lines[-1:]


def metadata(python: Path, trial: Trial) -> tuple[str, str]:
    """Returns a package's version, and which versions of gymnasium it requires; makes sure that ours is still there."""
    code = "import sys, gymnasium, importlib.metadata as m; d = m.distribution(sys.argv[1]); " + (
        "print(gymnasium.__version__, d.version, *(d.requires or []), sep='\\n')"
    )
    ours, version, *requires = run(str(python), "-c", code, trial.package).stdout.splitlines()
    assert "palaestra" in ours, f"{trial.package} has put another gymnasium in the place of ours: {ours}"
    found = [match[1] for line in requires if _applies(line, trial) and (match := _REQUIRED.match(line))]
    return version, found[0].strip(" ()") if found else ""


def _applies(requirement: str, trial: Trial) -> bool:
    """Whether a requirement is that of the package itself, or of an extra that was installed."""
    extra = re.search(r"extra == ['\"](.*?)['\"]", requirement)
    return extra is None or f"[{extra[1]}]" in trial.wanted


def reason(text: str) -> list[str]:
    """Returns the lines of an installer's complaint."""
    return [line.strip() for line in text.strip().splitlines() if line.strip()][:6]


def run(*command: str, timeout: float | None = 900) -> subprocess.CompletedProcess[str]:
    """Run a command in this folder."""
    return subprocess.run(command, cwd=HERE, capture_output=True, text=True, timeout=timeout)


if __name__ == "__main__":
    main()
