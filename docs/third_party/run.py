"""Try third-party packages with this one: `python docs/third_party/run.py [--twin] [PACKAGE...]` (needs `uv`).

Each package is installed from PyPI into a virtual environment of its own, beside this checkout, which is left in
place; then its program of this folder is run. The result goes into `results.json`, from which the page is made.
With `--twin`, the program also runs under Gymnasium 1.4.0, in a virtual environment of its own.
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
OURS = f" @ {ROOT.as_uri()}"
REFERENCE = "==1.4.0"
EXTRAS = "[classic-control,mujoco,box2d]"
RESULTS = HERE / "results.json"
TIMEOUT = 900  # seconds, of a program
_COLOR = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_REQUIRED = re.compile(r"gymnasium(?:\[.*\])?([ (<>=~!][^;]*|)(?:;|$)", re.IGNORECASE)


def main() -> None:
    """Try the packages named, or all; the others' results stay."""
    results = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    named = [argument for argument in sys.argv[1:] if argument != "--twin"]
    for trial in [trial for trial in TRIALS if trial.package in named or not named]:
        with tempfile.TemporaryDirectory() as folder:
            found = result(trial, Path(folder))
        if "--twin" in sys.argv:
            with tempfile.TemporaryDirectory() as folder:
                found["reference"] = result(trial, Path(folder), REFERENCE)["said"]
        results[trial.package] = found
        print(f"{trial.package}: {results[trial.package]}", flush=True)
        ordered = {trial.package: results[trial.package] for trial in TRIALS if trial.package in results}
        RESULTS.write_text(json.dumps(ordered, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def result(trial: Trial, folder: Path, gymnasium: str = OURS) -> dict[str, Any]:
    """Install and run; returns the version, its requirement of gymnasium, whether all went well, and the output."""
    python = folder / "bin" / "python"
    told: dict[str, Any] = {"version": "", "requires": "", "date": date.today().isoformat()}
    run("uv", "venv", "--quiet", "--python", sys.executable, str(folder))
    installed = install(trial, python, gymnasium)
    if installed.returncode:  # the package may want another version of gymnasium: it gets this one all the same
        told["overridden"] = True
        overrides = folder / "overrides.txt"
        overrides.write_text("\n".join((f"gymnasium{EXTRAS}{gymnasium}", *trial.also)) + "\n")
        installed = install(trial, python, gymnasium, "--override", str(overrides))
    if installed.returncode:
        return {**told, "ok": False, "said": reason(installed.stderr)}
    told |= dict(zip(("version", "requires"), metadata(python, trial, gymnasium), strict=True))
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


def install(trial: Trial, python: Path, gymnasium: str, *how: str) -> subprocess.CompletedProcess[str]:
    """Install gymnasium and the package, with what its program needs."""
    command = ("uv", "pip", "install", "--quiet", "--python", str(python))
    done = run(*command, *how, f"gymnasium{EXTRAS}{gymnasium}", trial.wanted or trial.package, *trial.also)
    return done if done.returncode or not trial.alone else run(*command, "--no-deps", *trial.alone)


def spoken(trial: Trial, printed: str) -> list[str]:
    """Returns a program's report, without the output of libraries: a line for each id, or the last one."""
    lines = printed.strip().splitlines()
    ids = tuple(f"{id}: " for id in trial.arguments[1:])
    return [line for line in lines if line.startswith(ids)] if ids else lines[-1:]


def metadata(python: Path, trial: Trial, gymnasium: str) -> tuple[str, str]:
    """Returns a package's version, and its requirement of gymnasium; makes sure that the wanted one is still there."""
    code = "import sys, gymnasium, importlib.metadata as m; d = m.distribution(sys.argv[1]); " + (
        "print(gymnasium.__version__, d.version, *(d.requires or []), sep='\\n')"
    )
    there, version, *requires = run(str(python), "-c", code, trial.package).stdout.splitlines()
    assert ("palaestra" in there) is (gymnasium == OURS), f"{trial.package} has put in another gymnasium: {there}"
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
