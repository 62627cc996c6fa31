"""What the interface has and the reference lacks is marked "Palaestra only", and listed on the page on migrating."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gymnasium import VectorizeMode
from gymnasium.functional import FuncEnv
from gymnasium.vector import VectorEnv
from tests.architecture.deviations import DEVIATIONS
from tests.architecture.own_names import OWN
from tests.architecture.test_reference_interface import MEMBERS, SAME, ours, parsed

PAGE = Path(__file__).parents[2] / "docs" / "gymnasium" / "introductions" / "migrating.md"
MARK = "Palaestra only."


def _listed() -> dict[str, set[str]]:
    """The names of the page's table, by the function or class that has them."""
    section = PAGE.read_text(encoding="utf-8").partition("### What only Palaestra has\n")[2].partition("\n## ")[0]
    names: dict[str, set[str]] = {}
    for line in section.splitlines():
        if line.startswith("| `"):
            owner, listed, _ = line.strip("| ").split(" | ")
            names.setdefault(owner.strip("`"), set()).update(re.findall(r"`([^`]+)`", listed))
    return names


LISTED = _listed()


def _own_parameters() -> Iterator[tuple[str, str, str]]:
    """The path in the reference, the member and the parameter of whatever takes more here than there."""
    for path, members in MEMBERS.items():
        kind = ours(path)
        if inspect.isclass(kind) and issubclass(kind, FuncEnv):  # all of them take what `FuncEnv` says
            continue
        for member, call in members.items():
            called = getattr(kind, member, None) if member else kind
            differs = (f"{path}.{member}" if member else path) in DEVIATIONS
            if not differs and call.startswith("(") and callable(called):
                yield from ((path, member, name) for name in _more(called, call))


def _more(called: Callable[..., object], call: str) -> Iterator[str]:
    """The named parameters of a function beyond those of its signature in the reference."""
    due = parsed(call).parameters
    renamed = {here for there, here in SAME if there in due}
    for parameter in inspect.signature(called).parameters.values():
        named = parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
        if named and parameter.name not in {*due, *renamed}:
            yield parameter.name


PARAMETERS = sorted(set(_own_parameters()))


def _owner(path: str, member: str) -> str:
    return path.partition(":")[2] + (f".{member}" if member else "")


@pytest.mark.parametrize(("path", "member", "name"), PARAMETERS)
def test_a_parameter_of_ours_is_marked_and_listed(path: str, member: str, name: str) -> None:
    documented = getattr(ours(path), member) if member else ours(path)
    entry = re.search(rf"^ +{name}: (.*)$", inspect.getdoc(documented) or "", re.MULTILINE)

    assert entry and entry[1].startswith(MARK)
    assert name in LISTED[_owner(path, member)]


def test_the_page_lists_no_parameter_that_the_reference_has() -> None:
    ours_by_owner: dict[str, set[str]] = {}
    for path, member, name in PARAMETERS:
        ours_by_owner.setdefault(_owner(path, member), set()).add(name)
    ours_by_owner["make_vec"] |= {'vectorization_mode="compiled"', '"jax"', '"ray"'}

    assert {owner: LISTED[owner] for owner in ours_by_owner} == ours_by_owner


def test_the_modes_of_ours_are_marked_and_listed() -> None:
    theirs = MEMBERS["gymnasium.envs.registration:VectorizeMode"]
    text = inspect.getsource(VectorizeMode)
    own = [mode for mode in VectorizeMode if mode.name not in theirs]

    assert [mode.value for mode in own] == ["compiled", "jax", "ray"]
    for mode in VectorizeMode:
        marked = re.search(rf'^    {mode.name} = "{mode.value}"\n    """{MARK}', text, re.MULTILINE)
        assert bool(marked) == (mode in own)


def test_the_methods_of_batches_are_marked_and_listed() -> None:
    theirs = MEMBERS["gymnasium.vector.vector_env:VectorEnv"]
    names = {name for kind in VectorEnv.__mro__ for name in vars(kind) if not name.startswith("_")}
    of_all = {"num_envs", "action_space", "observation_space", "single_action_space", "single_observation_space"}
    own = {name for name in names - theirs.keys() - of_all if callable(getattr(VectorEnv, name))}

    assert own == LISTED["VectorEnv"]
    assert [name for name in own if MARK not in (inspect.getdoc(getattr(VectorEnv, name)) or "")] == []


@pytest.mark.parametrize("module", ["gymnasium.utils.env_checker", "gymnasium.wrappers.vector"])
def test_the_names_of_ours_are_listed(module: str) -> None:
    own = {name.removeprefix(f"{module}.") for name in OWN if name.rpartition(".")[0] == module}

    assert own == LISTED[module]
