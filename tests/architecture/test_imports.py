"""Who may import whom. The layers themselves are the import-linter contract in pyproject.toml."""

from __future__ import annotations

import sys
from graphlib import TopologicalSorter

import grimp
import pytest

from tests.architecture.source import HOMES, PACKAGE, ROOT, imports, modules, run_python

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

DYNAMICS = [
    name
    for name, path in modules().items()
    if path.parent in {PACKAGE / "envs" / "classic_control", PACKAGE / "envs" / "toy_text"}
]


def test_there_is_no_import_cycle() -> None:
    """The import graph can be sorted, imports inside functions and for types included; a CycleError names it."""
    graph = grimp.build_graph("gymnasium", "palaestra", exclude_type_checking_imports=False, cache_dir=None)
    sorter = TopologicalSorter({name: graph.find_modules_directly_imported_by(name) - {name} for name in graph.modules})

    order = list(sorter.static_order())

    assert set(order) == graph.modules


def test_no_module_imports_the_root_package() -> None:
    """`import gymnasium` or `import palaestra` from inside would tie every module to every other."""
    roots = {"gymnasium", "palaestra"}
    looking = "gymnasium._extensions"  # whether `palaestra` is there

    assert [name for name, path in modules().items() if roots & set(imports(path)) and name != looking] == []


@pytest.mark.parametrize("library", HOMES)
def test_an_optional_library_is_imported_in_one_place(library: str) -> None:
    """Where a library is missing, or changes, there is one place to look."""
    home = HOMES[library]
    users = {name for name, path in modules().items() if library in {found.split(".")[0] for found in imports(path)}}

    strangers = {name for name in users if home and not f"{name}.".startswith(f"{home}.")}

    assert not strangers
    assert home or len(users) <= 1


def test_dynamics_load_neither_drawing_nor_engine() -> None:
    """Importing an environment's dynamics brings in no pixels, no compiler and no accelerator."""
    code = """
import importlib, sys

for name in sys.argv[1:]:
    before = set(sys.modules)
    importlib.import_module(name)
    print(name, *(sys.modules.keys() - before))
"""
    loaded = [line.split() for line in run_python(code, *DYNAMICS).splitlines()]

    assert [name for name, *_ in loaded] == DYNAMICS
    for name, *brought in loaded:
        assert not {"llvmlite", "jax", "pygame"} & set(brought), name
        assert not [one for one in brought if one.startswith("gymnasium.") and ".drawing" in one], name


@pytest.mark.parametrize("package", ["envs", "utils"])
def test_every_part_of_a_split_package_has_a_layer(package: str) -> None:
    """The contract is exhaustive for the package's own children; these two have children in several layers."""
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = " ".join(config["tool"]["importlinter"]["contracts"][1]["layers"])
    children = {name for name in modules() if name.startswith(f"gymnasium.{package}.") and name.count(".") == 2}

    forgotten = {name for name in children if f"({name.removeprefix('gymnasium.')})" not in layers}

    assert not forgotten
