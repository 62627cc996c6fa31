"""Results as Markdown tables."""

from __future__ import annotations

from typing import Any

from benchmarks.figures import cost, quantity, ratio, shown

Row = tuple[str, ...]


def text(result: dict[str, Any]) -> str:
    """Returns a table with its heading and note."""
    rows = _points(result) if result["x_label"] else _rows(result)
    return "\n\n".join(["", f"## {result['title']}", result["note"], aligned(rows), *_failures(result)])


def aligned(rows: list[Row]) -> str:
    """Returns a table, the first row its head, with columns as wide as their widest cell."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    head, *body = ["| " + " | ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)) + " |" for row in rows]
    return "\n".join([head, "|" + "|".join("-" * (width + 2) for width in widths) + "|", *body])


def case_rows(case: dict[str, Any], title: str) -> list[Row]:
    """Returns a row for each candidate that ours is compared with."""
    own, *others = case["candidates"]
    unit, rows = case["unit"], []
    if not others:
        return [(title, shown(own, unit), "", "", "", _absolute(case))]
    for i, other in enumerate(others):
        first = i == 0
        name = f"{other['label']} (limit)" if other["limit"] else other["label"]
        both = "failed" not in own and "failed" not in other
        compared = str(ratio(other, own)) if both else ""
        goal = "; ".join(filter(None, [_relative(own, other) if both else "", _absolute(case) if first else ""]))
        rows.append(
            (title if first else "", shown(own, unit) if first else "", name, shown(other, unit), compared, goal)
        )
    return rows


HEAD: Row = ("", "Palaestra", "compared with", "its figure", "ratio", "goal")


def _rows(result: dict[str, Any]) -> list[Row]:
    return [HEAD, *(row for case in result["cases"] for row in case_rows(case, case["title"]))]


def _relative(own: dict[str, Any], other: dict[str, Any]) -> str:
    goal = other["wanted"]
    if goal is None:
        return ""
    return f"{goal:.3g}x: {_met(ratio(other, own).median >= goal)}"


def _absolute(case: dict[str, Any]) -> str:
    own = case["candidates"][0]
    if case["at_most"] is None or "failed" in own:
        return ""
    return f"{quantity(case['at_most'], case['unit'])}: {_met(cost(own) <= case['at_most'])}"


def _met(met: bool) -> str:
    return "met" if met else "**not met**"


def _points(result: dict[str, Any]) -> list[Row]:
    """Returns a row for each point of a plot, a column for each of its lines."""
    labels = list(dict.fromkeys(candidate["label"] for case in result["cases"] for candidate in case["candidates"]))
    rows: list[Row] = [(result["x_label"], *labels)]
    for case in result["cases"]:
        found = {candidate["label"]: shown(candidate, case["unit"]) for candidate in case["candidates"]}
        rows.append((case["title"], *(found.get(label, "") for label in labels)))
    return rows


def _failures(result: dict[str, Any]) -> list[str]:
    """Returns what could not be measured, and why."""
    lines = [
        f"- {case['title']}, {candidate['label']}: {candidate['failed']}"
        for case in result["cases"]
        for candidate in case["candidates"]
        if "failed" in candidate
    ]
    return ["Failed:", "\n".join(lines)] if lines else []
