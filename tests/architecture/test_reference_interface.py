"""Whatever a program may call or read of the reference's interface, it may here, in the same way.

`reference_interface.txt` is what `interface.py` found of the reference. A parameter has the same position, may be named
where it may be there, and has the same default; what is more has a default.
"""

from __future__ import annotations

import inspect
import re
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.architecture import interface
from tests.architecture.deviations import DEVIATIONS

Parameter = inspect.Parameter
POSITIONAL = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
# Programs name the argument of `step` as the pages do; these names of it are the reference's own, here and there.
SAME = {("a", "action"), ("u", "action"), ("act", "action"), ("action", "actions")}
LINE = re.compile(r"(?P<path>[\w.]+:\w+)(?:\.(?P<member>\w+))?(?P<call>\(.*\))?(?P<kind> [=*]| < .*)?")


class Symbol:
    """A default that is no data: only its text can be compared."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def recorded() -> tuple[dict[str, dict[str, str]], dict[str, list[str]], dict[str, set[str]]]:
    """Returns by path: what each may be asked for and how, the classes it derives from, its instances' attributes."""
    members: dict[str, dict[str, str]] = defaultdict(dict)
    bases: dict[str, list[str]] = {}
    attributes: dict[str, set[str]] = defaultdict(set)
    for line in (Path(__file__).parent / "reference_interface.txt").read_text(encoding="utf-8").splitlines():
        found = LINE.fullmatch(line)
        assert found, line
        path, member, call, kind = found.group("path", "member", "call", "kind")
        if kind == " *":
            attributes[path].add(member)
        elif member is None and call is None:
            bases[path] = kind.split(" < ")[1:] if kind else []
        else:
            members[path][member or ""] = call or (kind or "").strip()
    return members, bases, attributes


MEMBERS, BASES, ATTRIBUTES = recorded()


def ours(path: str) -> Any:
    """Returns what is here in a place of the reference."""
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)


def parsed(call: str) -> inspect.Signature:
    """Returns the signature that a line shows."""
    text = re.sub(r"<[\w.]+>", lambda found: f"Symbol({found[0]!r})", call)
    names: dict[str, Any] = {"Symbol": Symbol, "inf": float("inf")}
    exec(f"def function{text}: ...", names)
    return inspect.signature(names["function"])


def shown(value: Any) -> str:
    """Returns a default as the lines show it."""
    return repr(interface.Default(Parameter("x", Parameter.KEYWORD_ONLY, default=value)))


def misfits(theirs: inspect.Signature, here: inspect.Signature) -> Iterator[str]:
    """Yields why calls that one signature takes might not mean the same to the other."""
    mine = list(here.parameters.values())
    kinds = {parameter.kind for parameter in mine}
    positional = [parameter for parameter in mine if parameter.kind in POSITIONAL]
    met = set()
    for i, due in enumerate(theirs.parameters.values()):
        if due.kind in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD):
            if due.kind not in kinds:
                yield f"takes no {due}"
            continue
        same = here.parameters.get(due.name)
        if due.kind in POSITIONAL and i < len(positional):
            at = positional[i]
            if at.name != due.name and (due.name, at.name) not in SAME:
                yield f"has {at.name} as number {i}, not {due.name}"
            same = at
        elif due.kind in POSITIONAL and Parameter.VAR_POSITIONAL not in kinds:
            yield f"takes no {due.name} as number {i}"
        elif same is None and Parameter.VAR_KEYWORD not in kinds:
            yield f"takes no {due.name}"
        if same is not None:
            met.add(same.name)
            default = due.default.text if isinstance(due.default, Symbol) else shown(due.default)
            if due.default is not due.empty and (same.default is same.empty or shown(same.default) != default):
                yield f"has {same}, where the default is {default}"
    for more in mine:
        if more.name not in met and more.default is more.empty and more.kind in (*POSITIONAL, Parameter.KEYWORD_ONLY):
            yield f"needs {more.name}"


def lacks(kind: Any, path: str) -> Iterator[tuple[str, str]]:
    """Yields what of a class or function is otherwise, and why."""
    due = dict(MEMBERS[path])
    for base in reversed(BASES.get(path, [])):
        if not any(part.startswith("_") for part in base.split(".")) and not issubclass(kind, ours(base)):
            yield path, f"is no {base}"
    for base in BASES.get(path, []):
        due = {**{name: how for name, how in MEMBERS[base].items() if name}, **due}
    for name, how in due.items():
        full = f"{path}.{name}" if name else path
        value = inspect.getattr_static(kind, name, None) if name else kind
        if value is None and name and not hasattr(kind, name):
            yield full, "is missing"
        elif how == "=":
            if isinstance(value, property) and value.fset is None:
                yield full, "cannot be set"
        elif how:
            called = getattr(kind, name) if name else kind
            yield from ((full, why) for why in misfits(parsed(how), inspect.signature(called)))


@pytest.mark.parametrize("path", [*BASES, *(path for path in MEMBERS if path not in BASES)])
def test_what_may_be_called_or_read_there_may_be_here(path: str) -> None:
    """All else is in the list of deviations, which holds nothing that is none."""
    differing: dict[str, set[str]] = defaultdict(set)
    for full, why in lacks(ours(path), path):
        differing[full].add(why)
    owned = {full for full in DEVIATIONS if full == path or full.startswith(f"{path}.")}

    unexpected = {full: whys for full, whys in differing.items() if full not in owned}
    outdated = {full for full in owned - differing.keys() if full.rpartition(".")[2] not in ATTRIBUTES[path]}

    assert (unexpected, outdated) == ({}, set())


def test_instances_have_the_attributes_that_theirs_have() -> None:
    """Those that the reference sets in constructors, resets and steps."""
    due = {
        ours(path): path
        for path in ATTRIBUTES
        if hasattr(import_module(path.partition(":")[0]), path.partition(":")[2])
    }
    missing = set()
    met = set()
    for instance in interface.instances():
        path = due.get(type(instance))
        if path:
            met.add(path)
            missing |= {f"{path}.{name}" for name in ATTRIBUTES[path] if not hasattr(instance, name)}

    assert met == set(due.values())
    assert sorted(missing - DEVIATIONS.keys()) == []


@pytest.mark.parametrize("name", DEVIATIONS)
def test_a_deviation_is_one_of_the_reference_s_names(name: str) -> None:
    path, _, member = re.fullmatch(r"([\w.]+:\w+)(\.?)(\w*)", name).groups()  # type: ignore[union-attr]  # all match
    inherited = [MEMBERS[base] for base in BASES.get(path, [])]

    assert path in MEMBERS
    assert not member or member in ATTRIBUTES[path] or any(member in names for names in (MEMBERS[path], *inherited))
