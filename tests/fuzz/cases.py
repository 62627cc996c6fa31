"""Findings as files: each is a program, and the settings in which it was found."""

from __future__ import annotations

import ast
import hashlib
import re
from dataclasses import asdict

from tests.fuzz.duel import Setting, Verdict
from tests.fuzz.surgery import functions

_NUMBERED = re.compile(r"\b([a-z])\d+\b")
_NUMBER = re.compile(r"\b\d+(\.\d+)?(e-?\d+)?\b")
HEAD = "# ruff: noqa\n# fmt: off\n"


def name_of(source: str, verdict: Verdict) -> str:
    """A name that programs share which differ in their numbers only."""
    bodies = [ast.unparse(statement) for function in functions(ast.parse(source)) for statement in function.body]
    where = re.sub(r"\d+", "", verdict.gaps[0].where) if verdict.gaps else verdict.reason[:40]
    told = "\n".join([*bodies, where])
    plain = _NUMBER.sub("0", _NUMBERED.sub(r"\1", told))
    return f"{verdict.kind}_{hashlib.sha256(plain.encode()).hexdigest()[:8]}"


def case_text(name: str, source: str, verdict: Verdict, settings: list[Setting]) -> str:
    """The text of a file."""
    told = "".join(f"# {line}\n" for line in str(verdict).splitlines())
    listed = "".join(f"    {asdict(setting)!r},\n" for setting in settings)
    return f"{HEAD}# {name}\n{told}{source}\n\nSETTINGS = [\n{listed}]\n"


def settings_in(text: str) -> list[Setting]:
    """The settings that a file names."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "SETTINGS":
            return [Setting(**values) for values in ast.literal_eval(node.value)]
    return []
