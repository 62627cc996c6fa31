"""The contents of docs/benchmarks.md: the report of the last full run of the benchmarks, and its pictures."""

from __future__ import annotations

import shutil
from pathlib import Path

from docs._tools.writing import write

NO_BREAK = "\N{NO-BREAK SPACE}"
NO_BREAK_HYPHEN = "\N{NON-BREAKING HYPHEN}"
_RESULTS = Path(__file__).parents[2] / "benchmarks" / "results"
_NONE = "There are no results in `benchmarks/results` yet: `make bench` writes them."


def write_measured(docs: Path) -> Path:
    """Copy the report, without its title, and its pictures beside it; returns the report's file."""
    folder = docs / "_generated" / "benchmarks"
    report = _RESULTS / "README.md"
    lines = report.read_text(encoding="utf-8").splitlines() if report.exists() else [_NONE]
    for picture in (*_RESULTS.glob("*.png"), *_RESULTS.glob("*.svg")):
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(picture, folder / picture.name)
    text = "\n".join(_unbroken(line) for line in lines if not line.startswith("# "))
    return write(folder / "report.md", text.strip() + "\n")


def _unbroken(line: str) -> str:
    """Returns a row of a table whose figures stay on one line, however narrow the page is."""
    if not line.startswith("|"):
        return line
    name, *cells = line.strip("|").split("|")
    return f"|{name}| {' | '.join(_figure(cell.strip()) for cell in cells)} |"


def _figure(cell: str) -> str:
    return cell.replace(" ", NO_BREAK).replace("-", NO_BREAK_HYPHEN) if cell[:1].isdigit() else cell
