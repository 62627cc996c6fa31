"""The interpreters that are compared, each with packages of its own, and the machine they run on."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).parents[1]
SUBJECTS = Path(__file__).with_name("subjects")
REFERENCE_PYTHON = ROOT / ".venv-reference" / "bin" / "python"
PACKAGES = ("gymnasium", "numpy", "llvmlite", "mujoco", "Box2D", "ale-py", "stable-baselines3", "torch", "envpool",
            "gymnax", "minari", "ray", "jax", "pygame-ce", "opencv-python-headless")  # fmt: skip

# An installed package has its bytecode: ours, in a working tree, shall keep it too from its first import on.
_ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
_VERSIONS = f"""
import json, sys
from importlib.metadata import PackageNotFoundError, version
found = dict(python=sys.version.split()[0])
for name in {PACKAGES}:
    try:
        found[name] = version(name)
    except PackageNotFoundError:
        pass
print(json.dumps(found))
"""


@dataclass(frozen=True)
class Peer:
    """An interpreter that has one implementation of `gymnasium`."""

    name: str
    python: Path
    path: str = ""  # the PYTHONPATH it runs under

    def start(self, *arguments: str, errors: IO[Any] | None = None) -> subprocess.Popen[str]:
        """Run its Python with these arguments, talking to it over pipes.

        It starts in a folder without a `gymnasium`, which `python -c` would import from there.
        """
        return subprocess.Popen(
            [str(self.python.absolute()), *arguments],
            cwd=SUBJECTS,
            env={**_ENVIRONMENT, "PYTHONPATH": self.path},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )

    def output(self, code: str) -> str:
        """What its Python prints for `code`."""
        process = self.start("-c", code)
        printed, _ = process.communicate()
        if process.returncode:
            raise SystemExit(f"{self.name} failed (its traceback is above): {code}")
        return printed.strip()

    def versions(self) -> dict[str, str]:
        """Returns what is installed there, of what matters here; nothing if there is no such interpreter."""
        found: dict[str, str] = json.loads(self.output(_VERSIONS)) if self.python.exists() else {}
        return found


def _peer(name: str) -> Peer:
    return Peer(name, ROOT / f".venv-{name}" / "bin" / "python")


OURS = Peer("palaestra", Path(sys.executable), str(ROOT))
NAMES = ("reference", "envpool", "gymnax", "minari", "rllib")
INTERPRETERS = {"ours": OURS, **{name: _peer(name) for name in NAMES}}


def hardware() -> dict[str, Any]:
    """Returns what this machine is."""
    return {
        "processor": _processor(),
        "cores": cores(),
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "caches": _caches(),
        "system": f"{platform.system()} {platform.release()}",
    }


def machine(peers: Iterable[Peer]) -> str:
    """Where figures come from: figures without their machine say nothing."""
    lines = [described(hardware())]
    for peer in peers:
        installed = ", ".join(f"{name} {version}" for name, version in peer.versions().items())
        lines.append(f"{peer.name:<10} {installed or 'not installed'}")
    return "\n".join(lines)


def described(where: dict[str, Any]) -> str:
    """Returns a line about a machine."""
    caches = ", ".join(f"{level} {size}" for level, size in where["caches"].items())
    return (
        f"{where['processor']}, {where['cores']} cores, {where['memory_gib']} GiB, caches {caches or 'unknown'}, "
        f"{where['system']}"
    )


def cores() -> int:
    """Returns how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _processor() -> str:
    models = [line.partition(":")[2].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")]
    return models[0] if models else platform.machine()


def _caches() -> dict[str, str]:
    """Returns the sizes of the first core's caches for data, by level."""
    found = {}
    for folder in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        if (kind := _lines(folder / "type")) and kind[0] != "Instruction":
            found[f"L{_lines(folder / 'level')[0]}"] = _lines(folder / "size")[0]
    return found


def _lines(path: str | Path) -> list[str]:
    try:
        return Path(path).read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
