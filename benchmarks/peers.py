"""The two implementations that are compared, each in its own interpreter, and the machine they run on."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
REFERENCE_PYTHON = ROOT / ".venv-reference" / "bin" / "python"


@dataclass(frozen=True)
class Peer:
    """An interpreter that has one implementation of `gymnasium`."""

    name: str
    python: Path
    path: str = ""  # the PYTHONPATH it runs under

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """Run its Python with these arguments, talking to it over pipes.

        It starts in a folder without a `gymnasium`, which `python -c` would import from there.
        """
        return subprocess.Popen(
            [str(self.python.absolute()), *arguments],
            cwd=Path(__file__).parent,
            env={**_ENVIRONMENT, "PYTHONPATH": self.path},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def output(self, code: str) -> str:
        """What its Python prints for `code`."""
        process = self.start("-c", code)
        printed, _ = process.communicate()
        if process.returncode:
            raise SystemExit(f"{self.name} failed (its traceback is above): {code}")
        return printed.strip()


# An installed package has its bytecode: ours, in a working tree, shall keep it too from its first import on.
_ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

OURS = Peer("palaestra", Path(sys.executable), str(ROOT))


def machine(peers: tuple[Peer, ...]) -> str:
    """Where the figures come from: figures without their machine say nothing."""
    lines = [f"machine    {_processor()}, {_cores()} cores, {platform.system()} {platform.release()}"]
    for peer in peers:
        code = "import sys, gymnasium, numpy as n; print(gymnasium.__version__, sys.version.split()[0], n.__version__)"
        version, python, numpy = peer.output(code).split()
        lines.append(f"{peer.name:<10} gymnasium {version}, Python {python}, NumPy {numpy}")
    return "\n".join(lines)


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.machine()


def _cores() -> int | None:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
