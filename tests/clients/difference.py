"""Compare two surveys, ours and the reference's, to the bit, and print a table."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from findings import failed
from known import reason

KINDS = ("equal", "different", "fails here only", "fails there only", "fails in both", "known")
Report = dict[str, dict[str, Any]]


def verdict(ours: list[str], theirs: list[str]) -> str:
    """Returns what the findings of one law come to."""
    if failed(ours) or failed(theirs):
        return "fails in both" if failed(ours) and failed(theirs) else KINDS[2 if failed(ours) else 3]
    return "equal" if ours == theirs else "different"


def difference(ours: list[str], theirs: list[str]) -> str:
    """Returns where two findings differ, in words."""
    if failed(ours):
        return f"fails here only: {ours[0][1:]}"
    for t, (one, other) in enumerate(zip(ours, theirs, strict=False)):
        if one != other:
            pair = list(zip(one.split(), other.split(), strict=False))
            names = ("observation", "reward or end", "info") if len(pair) == 3 else ("observation", "info")
            return f"step {t}: {', '.join(name for name, (a, b) in zip(names, pair, strict=False) if a != b)}"
    return f"{len(ours)} steps here, {len(theirs)} there"


def compare(ours: Report, reference: Report) -> tuple[dict[str, Counter[str]], list[str]]:
    """Returns for each package and law how many findings are of which kind, and what is not as it should be."""
    table: dict[str, Counter[str]] = {}
    here_only = {name for name, entry in ours.items() if entry["package"] == "adapted"}
    lines = [f"{name}: not in both surveys" for name in sorted(ours.keys() - here_only ^ reference.keys())]
    for name in sorted(ours.keys() & reference.keys()):
        here, there = ours[name]["found"], reference[name]["found"]
        for law in here.keys() & there.keys():
            kind = verdict(here[law], there[law])
            if kind == "fails here only" and reason(name, law, here[law][0]):
                kind = "known"
            elif kind in ("different", "fails here only"):
                lines.append(f"{name}, {law}: {difference(here[law], there[law])}")
            table.setdefault(f"{ours[name]['package']}, {law}", Counter())[kind] += 1
    return table, lines


def main() -> int:
    """Print the table, and return whether anything fails here only, or differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ours", type=Path)
    parser.add_argument("reference", type=Path)
    options = parser.parse_args()
    table, lines = compare(json.loads(options.ours.read_text()), json.loads(options.reference.read_text()))
    print(f"{'':32}" + "".join(f"{kind:>18}" for kind in KINDS))
    for row in sorted(table):
        print(f"{row:32}" + "".join(f"{table[row][kind] or '':>18}" for kind in KINDS))
    print("\n".join(lines))
    return bool(lines)


if __name__ == "__main__":
    sys.exit(main())
