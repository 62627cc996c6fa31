"""Findings made small: statements are left out, and parts of expressions stand in their place."""

from __future__ import annotations

import ast
import re
import time
from collections.abc import Callable, Iterator

from tests.fuzz.verdicts import Verdict

LONGEST = 240.0  # s, for a finding
WAYS = 3  # parts of an expression that are tried


def sign(verdict: Verdict) -> str:
    """Returns what verdicts of the same cause share, by and large: the kind, and where or how."""
    lines = verdict.reason.splitlines() or [""]
    told = lines[1].partition(": ")[0] if verdict.kind == "different" else lines[-1][:60]
    return f"{verdict.kind} {re.sub(r'[0-9]+', '', told)}"


def minimised(judge: Callable[[str], Verdict], found: Verdict) -> Verdict:
    """Returns a verdict with the sign of another one, of a program that is smaller."""
    wanted, end = sign(found), time.monotonic() + LONGEST
    best, first, before = found, 0, ""
    while first or best.text != before:
        if not first:
            before = best.text
        for node, text in _smaller(best.text, first):
            if time.monotonic() > end:
                return best
            verdict = judge(text)
            if sign(verdict) == wanted and len(verdict.text) < len(best.text):
                best, first = verdict, node
                break
        else:
            first = 0  # once more from the start, if anything has changed
    return best


def _smaller(text: str, first: int) -> Iterator[tuple[int, str]]:
    """Yields programs with a change of a node, from that of a number on, the outermost first."""
    count = sum(1 for _ in ast.walk(ast.parse(text)))
    for k in range(first, count):
        for change in (_drop, _unwrap, _part_of):
            for way in range(WAYS):
                tree = ast.parse(text)
                if change(tree, list(ast.walk(tree))[k], way):
                    yield k, ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def _drop(tree: ast.AST, node: ast.AST, way: int) -> bool:
    return way == 0 and isinstance(node, ast.stmt) and _replace(tree, node, [])


def _unwrap(tree: ast.AST, node: ast.AST, way: int) -> bool:
    if not isinstance(node, (ast.If, ast.For, ast.While)) or way > 1:
        return False
    return _replace(tree, node, node.orelse if way else node.body)


def _replace(tree: ast.AST, node: ast.AST, others: list[ast.stmt]) -> bool:
    for parent in ast.walk(tree):
        for name in ("body", "orelse"):
            body = getattr(parent, name, None)
            if isinstance(body, list) and node in body and (len(body) > 1 or others or name == "orelse"):
                k = body.index(node)
                body[k : k + 1] = others
                return True
    return False


def _part_of(tree: ast.AST, node: ast.AST, way: int) -> bool:
    parts = [one for one in ast.iter_child_nodes(node) if isinstance(one, ast.expr)]
    if not isinstance(node, ast.expr) or len(parts) <= way:
        return False
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            if value is node:
                setattr(parent, name, parts[way])
                return True
            if isinstance(value, list) and any(one is node for one in value):
                value[next(k for k, one in enumerate(value) if one is node)] = parts[way]
                return True
    return False
