"""Which statement a difference comes from, as far as the program's text and the first gap tell."""

from __future__ import annotations

import ast
import re

from tests.fuzz import surgery
from tests.fuzz.duel import Verdict

FIELD = re.compile(r"state\.(\w+) of")
_VIEWS = {"reset[0]": "observation", "step[0]": "observation", "step[1]": "reward", "step[2]": "terminal"}
_TELLING = (ast.operator, ast.unaryop, ast.cmpop, ast.boolop, ast.Subscript, ast.IfExp, ast.AugAssign)


def cause(source: str, verdict: Verdict) -> str:
    """Returns the statements that make what differs first; "" where that is not known."""
    if not verdict.gaps:
        return ""
    where = verdict.gaps[0].where
    field = FIELD.match(where)
    tree = ast.parse(source)
    if field:
        return "\n".join(_making(tree, field[1]))
    view = next((name for start, name in _VIEWS.items() if where.startswith(start)), "")
    if where.startswith(("step[4]", "reset[1]")):
        view = "transition_info"
    found = [function for function in surgery.functions(tree) if function.name == view]
    return "\n".join(ast.unparse(statement) for function in found for statement in function.body)


def _making(tree: ast.Module, field: str) -> list[str]:
    transition = next(function for function in surgery.functions(tree) if function.name == "transition")
    return [ast.unparse(node) for node in transition.body if field in set(surgery.written(node))]


def likeness(source: str, verdict: Verdict) -> str:
    """Returns what programs have in common that differ for one reason, as far as that can be seen."""
    text = cause(source, verdict)
    if not text:
        told = verdict.gaps[0].theirs + verdict.gaps[0].ours if verdict.gaps else verdict.reason[:60]
        return f"{verdict.kind} {re.sub(r'[-0-9.]+', '', told)}"
    words = set()
    for node in ast.walk(ast.parse(f"def f():\n{_indented(text)}")):
        if isinstance(node, ast.Call):
            words.add(ast.unparse(node.func) if not isinstance(node.func, ast.Attribute) else f".{node.func.attr}")
        elif isinstance(
            node, (ast.operator, ast.unaryop, ast.cmpop, ast.boolop, ast.Subscript, ast.IfExp, ast.AugAssign)
        ):
            words.add(type(node).__name__)
    return f"{verdict.kind} {' '.join(sorted(words))}"


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())
