"""A program with a finding, made as small as it can be while something is still found."""

from __future__ import annotations

import ast
import copy
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from tests.fuzz import surgery
from tests.fuzz.blame import FIELD
from tests.fuzz.duel import Setting, Verdict

TRIALS = 120
SECONDS = 240.0


class Shrinker:
    """Shrinks one program.

    Args:
        judge: Returns the verdict of a text in some settings.
        source: The program.
        settings: In which it was judged.
        verdict: What was found of it.
    """

    def __init__(
        self, judge: Callable[[str, list[Setting]], Verdict], source: str, settings: list[Setting], verdict: Verdict
    ) -> None:
        self._judge, self.source, self.verdict = judge, source, verdict
        self._likeness = _likeness(verdict)
        self._trials, self._end = TRIALS, time.monotonic() + SECONDS
        self.settings = _shortened(verdict) or settings

    def run(self) -> None:
        """Shrink `source`; `verdict` and `settings` are then those of what is left."""
        if not self.settings or self.verdict.kind == "broken" or not self._keeps(self.source):
            return
        any(self._keeps(self.source, [setting]) for setting in self.settings if len(self.settings) > 1)
        self._to_one_environment()
        self._to_what_differs()
        self._statements()
        self._tidy()
        self._expressions()
        self._tidy()

    def _spent(self) -> bool:
        return self._trials <= 0 or time.monotonic() > self._end

    def _keeps(self, source: str, settings: list[Setting] | None = None) -> bool:
        """Whether something is still found; if so, this is the program from now on."""
        if self._spent():
            return False
        self._trials -= 1
        verdict = self._judge(source, settings or self.settings)
        if _likeness(verdict) != self._likeness:
            return False
        self.source, self.verdict = source, verdict
        self.settings = settings or self.settings
        return True

    def _to_one_environment(self) -> None:
        setting = self.settings[0]
        for n in (1, 9):
            if n < setting.n and self._keeps(self.source, [replace(setting, n=n, steps=max(60, setting.steps))]):
                return

    def _to_what_differs(self) -> None:
        """Take out at once what the state's fields that differ do not need."""
        blamed = [match[1] for gap in self.verdict.gaps if (match := FIELD.match(gap.where))]
        for name in dict.fromkeys(blamed):
            if self._keeps(_slice(self.source, name)):
                return

    def _statements(self) -> None:
        size = len(surgery.statements(ast.parse(self.source)))
        while size >= 1 and not self._spent():
            k = len(surgery.statements(ast.parse(self.source))) - size
            while k > -size and not self._spent():
                smaller = surgery.without(self.source, set(range(max(k, 0), k + size)))
                if smaller != self.source:
                    self._keeps(smaller)
                k = min(k - size, len(surgery.statements(ast.parse(self.source))) - size)
            size //= 2

    def _expressions(self) -> None:
        """Put a part of an expression, or a number, into its place."""
        tried: set[str] = set()
        progress = True
        while progress and not self._spent():
            progress = False
            for smaller in _simpler(self.source):
                if smaller not in tried and not self._spent():
                    tried.add(smaller)
                    if self._keeps(smaller):
                        progress = True
                        break

    def _tidy(self) -> None:
        """Take out params, fields and constants that nothing uses."""
        tidied = _without_unused(self.source, {name for setting in self.settings for name, _ in setting.params})
        if tidied != self.source:
            self._keeps(tidied)


def _likeness(verdict: Verdict) -> tuple[str, ...]:
    """What two findings have in common that may have one cause: a kind, what differs, and an exception's type."""
    if not verdict.gaps:
        return (verdict.kind,)
    gap = verdict.gaps[0]
    where = gap.where.partition(".")[0].partition("[")[0]
    types = (gap.ours.partition(":")[0], gap.theirs.partition(":")[0]) if where.endswith("raises") else ()
    return verdict.kind, where, *types


def _shortened(verdict: Verdict) -> list[Setting]:
    """The setting in which something was found, with few steps after that."""
    if verdict.setting is None:
        return []
    steps = verdict.step + 2 if verdict.step >= 0 else verdict.setting.steps
    return [replace(verdict.setting, steps=max(steps, 20), watched=verdict.setting.n)]


def _slice(source: str, field: str) -> str:
    """Returns the program with those statements of `transition` only that a field needs."""
    tree = ast.parse(source)
    transition = next(function for function in surgery.functions(tree) if function.name == "transition")
    state = next(
        node for node in ast.walk(transition) if isinstance(node, ast.Call) and ast.unparse(node.func) == "State"
    )
    given = dict(zip(surgery.fields(tree), state.args, strict=True))
    wanted, names, kept = {field}, set[str](), set[int]()
    before = -1
    while before != len(wanted) + len(names) + len(kept):
        before = len(wanted) + len(names) + len(kept)
        names |= {name for one in wanted if one in given for name in _named(given[one])}
        for k, node in enumerate(transition.body):
            if names & set(surgery.written(node)):
                kept.add(k)
                names |= set(_named(node))
                wanted |= {part.attr for part in ast.walk(node) if _of_state(part)}
    dropped = [node for k, node in enumerate(transition.body) if k not in kept and not isinstance(node, ast.Return)]
    surgery.drop(tree, dropped)
    for name in [name for name in surgery.fields(tree) if name not in wanted]:
        surgery.drop_field(tree, surgery.fields(tree).index(name))
    surgery.settle(tree)
    return ast.unparse(tree)


def _named(node: ast.AST) -> Iterator[str]:
    return (part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load))


def _of_state(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "state"


def _simpler(source: str) -> Iterator[str]:
    """Yields programs in which one expression is simpler, those with the most gone first."""
    count = len(_expressions_in(ast.parse(source)))
    for k in range(count):
        for choice in range(6):
            tree = ast.parse(source)
            parent, place, node = _expressions_in(tree)[k]
            others = _replacements(node)
            if choice >= len(others):
                break
            _put(parent, place, others[choice])
            text = ast.unparse(ast.fix_missing_locations(tree))
            if len(text) < len(source):
                yield text


def _expressions_in(tree: ast.Module) -> list[tuple[ast.AST, tuple[str, int | None], ast.expr]]:
    """Each expression of the functions, with the node that it is in and its place there."""
    found: list[tuple[ast.AST, tuple[str, int | None], ast.expr]] = []
    for function in surgery.functions(tree):
        for parent in (node for statement in function.body for node in ast.walk(statement)):
            for name, value in ast.iter_fields(parent):
                parts = list(enumerate(value)) if isinstance(value, list) else [(None, value)]
                found += [(parent, (name, k), part) for k, part in parts if _replaceable(parent, name, part)]
    return found


def _replaceable(parent: ast.AST, name: str, part: object) -> bool:
    if not isinstance(part, ast.expr) or isinstance(part, (ast.Constant, ast.Name)):
        return False
    return name not in ("func", "targets", "target") and not (isinstance(parent, ast.Attribute) and name == "value")


def _replacements(node: ast.expr) -> list[ast.expr]:
    inner = [part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)]
    zeros: list[ast.expr] = [ast.Constant(0.5), ast.Constant(3)] if not isinstance(node, ast.Attribute) else []
    return [copy.deepcopy(part) for part in inner if not isinstance(node, ast.Attribute)][:4] + zeros


def _put(parent: ast.AST, place: tuple[str, int | None], node: ast.expr) -> None:
    name, k = place
    if k is None:
        setattr(parent, name, node)
    else:
        getattr(parent, name)[k] = node


def _without_unused(source: str, kept: set[str]) -> str:
    tree = ast.parse(source)
    used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)} | kept
    params = surgery.class_named(tree, "Params")
    gone = [name for name in surgery.fields(tree, "Params") if name not in used]
    params.body = [part for part in params.body if getattr(getattr(part, "target", None), "id", "") not in gone]
    params.body = params.body or [ast.Pass()]
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    surgery.drop(tree, [node for node in surgery.helpers(tree) if node.name not in names])
    others = [node for node in tree.body if isinstance(node, ast.Assign) or getattr(node, "name", "") == "Inner"]
    surgery.drop(tree, [node for node in others if not names & set(surgery.bound(node))])
    infos = [function for function in surgery.functions(tree) if function.name.endswith("_info")]
    surgery.drop(tree, [function for function in infos if ast.unparse(function.body[-1]) == "return {}"])
    return ast.unparse(tree)
