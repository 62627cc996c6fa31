"""Which part of the family may import which, under `TYPE_CHECKING` too: machine code knows no environment."""

from __future__ import annotations

from graphlib import TopologicalSorter

import grimp
import pytest

FAMILY = "gymnasium.envs.box2d"
ALLOWED = {
    "_engine": [],
    "_stepping": ["_engine"],
    "base": ["_engine", "_stepping"],
    "legged": ["_engine", "_stepping", "base"],
    "_lander": ["_engine", "_stepping"],
    "_walker": ["_engine", "_stepping"],
    "_racing": ["_engine", "_stepping", "car_dynamics"],
    "car_dynamics": ["_engine"],
    "drawing": ["_engine", "_lander", "_walker", "_racing", "car_dynamics"],
    "lunar_policy": [],
    "bipedal_policy": [],
    "lunar_lander": ["_engine", "_stepping", "_lander", "legged", "drawing", "lunar_policy"],
    "bipedal_walker": ["_engine", "_stepping", "_walker", "legged", "drawing", "bipedal_policy"],
    "car_racing": ["_engine", "_stepping", "_racing", "car_dynamics", "base", "drawing"],
}


@pytest.fixture(scope="module")
def imported() -> dict[str, set[str]]:
    """The modules of the family that each of its modules imports."""
    graph = grimp.build_graph("gymnasium", exclude_type_checking_imports=False, cache_dir=None)
    family = {name for name in graph.modules if name.startswith(f"{FAMILY}.")}
    return {name: graph.find_modules_directly_imported_by(name) & family for name in family}


def part_of(module: str) -> str:
    return module.removeprefix(f"{FAMILY}.").partition(".")[0]


def test_a_part_imports_what_it_may(imported) -> None:
    assert {part_of(module) for module in imported} == set(ALLOWED)
    for module, others in imported.items():
        part = part_of(module)
        assert {part_of(other) for other in others} <= {part, *ALLOWED[part]}, module


def test_there_is_no_circle(imported) -> None:
    """A CycleError names it."""
    list(TopologicalSorter(imported).static_order())
