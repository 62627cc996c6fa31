"""`min` and `max` of two to eight numbers, in Python's order: the first of equal ones wins."""

from __future__ import annotations

from typing import Any

from palaestra.language.jit.backend import compiled
from palaestra.language.jit.fences import fenced


def _selection(sign: str, count: int) -> Any:
    names = [f"x{k}" for k in range(count)]
    lines = [f"    if {name} {sign} best:\n        best = {name}" for name in names[1:]]
    namespace: dict[str, Any] = {"fenced": fenced}
    text = f"def select({', '.join(names)}):\n    best = x0\n" + "\n".join(lines) + "\n    return fenced(best)\n"
    exec(text, namespace)
    return compiled(namespace["select"])


smaller: dict[int, Any] = {count: _selection("<", count) for count in range(2, 9)}
larger: dict[int, Any] = {count: _selection(">", count) for count in range(2, 9)}
