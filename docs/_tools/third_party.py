"""The tables of docs/gymnasium/third_party.md, from the findings of docs/third_party/run.py."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from docs._tools.tables import table
from docs._tools.writing import write

HERE = Path(__file__).parents[1] / "third_party"
sys.path.append(str(HERE))

from trials import TRIALS, Trial  # noqa: E402


def write_third_party(docs: Path) -> Path:
    """Write the table; returns its file."""
    return write(docs / "_generated" / "third_party.md", trial_tables(results()))


def results() -> dict[str, dict[str, Any]]:
    """Returns the findings, by package."""
    found: dict[str, dict[str, Any]] = json.loads((HERE / "results.json").read_text(encoding="utf-8"))
    return found


def trial_tables(found: dict[str, dict[str, Any]]) -> str:
    """Returns how many work, then the libraries that train, the environments, and the failures.

    Libraries that were run under Gymnasium, too, have a table of their own.
    """
    tried = [trial for trial in TRIALS if trial.package in found]
    good = [trial for trial in tried if found[trial.package]["ok"]]
    twins = [trial for trial in tried if "reference" in found[trial.package]]
    learners = [trial for trial in good if trial.program != "environments.py" and trial not in twins]
    worlds = [trial for trial in good if trial.program == "environments.py"]
    bad = [trial for trial in tried if trial not in good]
    days = sorted(result["date"] for result in found.values())
    when = f"on {days[0]}" if days[0] == days[-1] else f"between {days[0]} and {days[-1]}"
    parts = [
        f"{len(tried)} packages were tried {when}; {len(good)} work.",
        "## Libraries\n\n" + _table(learners, found),
        "## Libraries, here and under Gymnasium\n\n" + _twin_table(twins, found),
        "## Environments\n\n" + _table(worlds, found),
    ]
    if bad:
        parts.append("## Failures\n\n" + _table(bad, found))
    return "\n\n".join(parts) + "\n"


def _table(trials: list[Trial], found: dict[str, dict[str, Any]]) -> str:
    return _boxed(("package", "version", "trial, and result"), [_row(trial, found[trial.package]) for trial in trials])


def _twin_table(trials: list[Trial], found: dict[str, dict[str, Any]]) -> str:
    """Returns the table of packages whose program was run under Gymnasium, too, with that output."""
    rows = [(*_row(trial, found[trial.package]), _theirs(found[trial.package])) for trial in trials]
    return _boxed(("package", "version", "trial, and result", "under Gymnasium 1.4.0"), rows)


def _row(trial: Trial, result: dict[str, Any]) -> tuple[str, str, str]:
    return _named(trial), result["version"] or "-", _came(trial, result)


def _theirs(result: dict[str, Any]) -> str:
    return "the same" if result["reference"] == result["said"] else _escaped(result["reference"])


def _boxed(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    return f":::{{container}} packages\n{table(head, rows)}\n:::"


def _escaped(lines: list[str]) -> str:
    return "<br>".join(line.replace("<", "&lt;") for line in lines)


def _named(trial: Trial) -> str:
    return f"[**{trial.package}**](https://pypi.org/project/{trial.package}/)<br>{trial.about}"


def _came(trial: Trial, result: dict[str, Any]) -> str:
    said = [_escaped(result["said"])]
    if result.get("overridden") and result["requires"]:
        said.append(f"Asks for gymnasium {result['requires']}, and was given ours all the same.")
    return "<br>".join([*said, *([trial.note] if trial.note else [])])
