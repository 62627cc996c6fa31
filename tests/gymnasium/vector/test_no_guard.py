"""A program that starts workers without `if __name__ == "__main__":`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import gymnasium

gymnasium.vector.AsyncVectorEnv([lambda: gymnasium.make("CartPole-v1")] * 2, context="spawn")
"""


def test_the_remedy_comes_first_and_once(tmp_path: Path) -> None:
    """Its workers end in silence; the program itself says what is missing."""
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, timeout=100)

    assert done.returncode == 1
    assert done.stderr.count("Traceback") == 1
    last = done.stderr.strip().splitlines()[-1]
    assert last.partition("WorkerError: ")[2].startswith("Put the program below `if __name__ == '__main__':`")
