"""Running random programs in Python and in machine code, comparing, and minimising what differs.

python -m tests.fuzz.language_duel FIRST COUNT
"""

from __future__ import annotations

import ast
import contextlib
import linecache
import signal
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from palaestra.language.frontend.refusals import CannotCompile
from palaestra.language.operations.integers import BEYOND
from tests.fuzz.language_programs import GLOBALS, arguments_of, program
from tests.palaestra.language.machines import Failed, machine_of, same

ARGUMENTS = 6  # drawn for each program
LONGEST = 1  # s, of a program in Python


@dataclass
class Verdict:
    """What came of a program: "same", "beyond", "refused", "slow", "different" or "crash", with the reason."""

    kind: str
    reason: str = ""
    seconds: float = 0.0
    runs: Counter[str] = field(default_factory=Counter)


class _Slow(BaseException):
    """A program that takes too long in Python."""


def function_of(text: str) -> Callable[..., Any]:
    """Returns the function `f` of a program's text."""
    file = f"<program {hash(text)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    names: dict[str, Any] = dict(GLOBALS)
    exec(compile(text, file, "exec"), names)
    function: Callable[..., Any] = names["f"]
    return function


def verdict_of(text: str, seed: int) -> Verdict:
    """Returns what came of a program for arguments of a seed."""
    function = function_of(text)
    began = time.perf_counter()
    try:
        machine = machine_of(function, *arguments_of(seed))
    except CannotCompile as refused:
        return Verdict("refused", refused.refusals[0].reason)
    except Exception as error:
        return Verdict("crash", f"{type(error).__name__}: {error}"[:300])
    verdict = Verdict("same", "", time.perf_counter() - began)
    for k in range(ARGUMENTS):
        kind, reason = _compared(function, machine, seed * 1000 + k)
        verdict.runs[kind] += 1
        if kind == "different":
            return Verdict(kind, reason, verdict.seconds, verdict.runs)
    return verdict


def _compared(function: Callable[..., Any], machine: Callable[..., Any], seed: int) -> tuple[str, str]:
    theirs, ours = arguments_of(seed), arguments_of(seed)
    try:
        expected = _outcome(lambda: _without_lists(function(*theirs)))
    except _Slow:
        return "slow", ""
    given = _outcome(lambda: machine(*ours))
    if given == ("raises", BEYOND):
        return "beyond" if _has_large_ints(expected) or leaves_64_bits(function, seed) else "beyond without reason", ""
    if given[0] != expected[0] or not same(given[1], expected[1]):
        return "different", f"{given}, but Python {expected}, for {seed}"
    if expected[0] == "raises":
        return f"raises {expected[1]}", ""
    if ours[0].bit_generator.state != theirs[0].bit_generator.state or not same(ours[-1], theirs[-1]):
        return "different", f"the arguments differ behind it, for {seed}"
    return "same", ""


def _outcome(call: Callable[[], Any]) -> tuple[str, Any]:
    def stop(*given: Any) -> None:
        raise _Slow

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(LONGEST)
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return "returns", call()
    except Failed as failed:
        return "raises", _class_named(failed.args[0])
    except Exception as error:
        return "raises", _class_named(type(error).__name__.lstrip("_"))
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _class_named(name: str) -> str:
    """A name that is unbound in a comprehension is one thing for Python 3.11 and another for later ones."""
    return "NameError" if name == "UnboundLocalError" else name


def _without_lists(value: Any) -> Any:
    if isinstance(value, list) or type(value) is tuple:
        return tuple(map(_without_lists, value))
    return value


# Ints beyond 64 bits.


def leaves_64_bits(function: Callable[..., Any], seed: int) -> bool:
    """Returns whether a program has an int beyond 64 bits on its way, for arguments of a seed."""
    found: list[Any] = []

    def seen(value: Any) -> Any:
        if type(value) is int and not -(2**63) <= value < 2**63:
            found.append(value)
        return value

    text = "".join(linecache.getlines(function.__code__.co_filename))
    tree = ast.fix_missing_locations(_Watched().visit(ast.parse(text)))
    names: dict[str, Any] = {**GLOBALS, "_seen": seen}
    exec(compile(tree, "<watched>", "exec"), names)
    with contextlib.suppress(_Slow):
        _outcome(lambda: names["f"](*arguments_of(seed)))
    return bool(found)


class _Watched(ast.NodeTransformer):
    """Lets `_seen` see what operations and calls give."""

    def visit(self, node: ast.AST) -> Any:
        inner = self.generic_visit(node)
        if isinstance(inner, (ast.BinOp, ast.UnaryOp, ast.Call)):
            return ast.Call(ast.Name("_seen", ast.Load()), [inner], [])
        if isinstance(inner, ast.AugAssign) and isinstance(inner.target, ast.Name):
            name = ast.Name(inner.target.id, ast.Load())
            return [inner, ast.Expr(ast.Call(ast.Name("_seen", ast.Load()), [name], []))]
        return inner


def _has_large_ints(expected: tuple[str, Any]) -> bool:
    value = expected[1]
    values = value if isinstance(value, tuple) else (value,)
    return any(type(one) is int and not -(2**63) <= one < 2**63 for one in values)


# Minimising.


def minimised(text: str, seed: int) -> str:
    """Returns a smaller program with a verdict of the same kind."""
    wanted = verdict_of(text, seed)
    begins = wanted.reason[:40] if wanted.kind in ("crash", "refused") else ""

    def is_alike(candidate: str) -> bool:
        try:
            found = verdict_of(candidate, seed)
        except Exception:  # no program any more
            return False
        return found.kind == wanted.kind and found.reason.startswith(begins)

    while True:
        smaller = next((one for one in _smaller(text) if len(one) < len(text) and is_alike(one)), None)
        if smaller is None:
            return text
        text = smaller


def _smaller(text: str) -> Iterator[str]:
    """Programs without a statement, with its block in its place, or with a part of an expression in its place."""
    count = sum(1 for _ in ast.walk(ast.parse(text)))
    for k in range(count):
        for change in (_drop, _unwrap, _part_of):
            for way in range(3):
                tree = ast.parse(text)
                if change(tree, list(ast.walk(tree))[k], way):
                    yield ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def _drop(tree: ast.AST, node: ast.AST, way: int) -> bool:
    return way == 0 and isinstance(node, ast.stmt) and _replace(tree, node, [])


def _unwrap(tree: ast.AST, node: ast.AST, way: int) -> bool:
    if not isinstance(node, (ast.If, ast.For, ast.While)) or way > 1:
        return False
    return _replace(tree, node, node.orelse if way else node.body)


def _replace(tree: ast.AST, node: ast.AST, others: list[Any]) -> bool:
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


def main() -> None:
    """Run programs; print what differs, what crashes, and how often what was refused."""
    first, count = map(int, sys.argv[1:3])
    kinds: Counter[str] = Counter()
    runs: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    seconds = []
    for seed in range(first, first + count):
        text = program(seed).text
        verdict = verdict_of(text, seed)
        kinds[verdict.kind] += 1
        runs += verdict.runs
        if verdict.runs["beyond without reason"]:
            print(f"# {seed}: beyond without reason", flush=True)
        if verdict.kind == "refused":
            refused[verdict.reason[:90]] += 1
        elif verdict.kind in ("different", "crash"):
            print(f"# {seed}: {verdict.kind}: {verdict.reason}\n{text}", flush=True)
        if verdict.seconds:
            seconds.append(verdict.seconds)
    print(dict(kinds), dict(runs))
    print(f"{np.median(seconds):.3f} s to compile, as a median; {max(seconds):.2f} s at most")
    for reason, times in refused.most_common(25):
        print(f"{times:5d} {reason}")


if __name__ == "__main__":
    main()
