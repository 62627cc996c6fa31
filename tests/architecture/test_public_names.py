"""Every public name of the API is importable from its public module."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from tests.architecture.source import modules


def _public() -> dict[str, list[str]]:
    """The names of each public module; those that belong into its `__all__` end in a star."""
    names: dict[str, list[str]] = {}
    module = ""
    for line in (Path(__file__).parent / "public_names.txt").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        if line.startswith(" "):
            names[module] += line.split()
        else:
            module = line
            names[module] = []
    return names


PUBLIC = _public()


@pytest.mark.parametrize("module", PUBLIC)
def test_a_module_has_its_public_names(module: str) -> None:
    """Those with a star are in `__all__` too."""
    loaded, due = import_module(module), PUBLIC[module]

    missing = [name for name in due if not hasattr(loaded, name.rstrip("*"))]
    unlisted = [name for name in due if name.endswith("*") and name.rstrip("*") not in loaded.__all__]

    assert (missing, unlisted) == ([], [])


def test_all_lists_what_exists_once() -> None:
    """`from module import *` works wherever `__all__` is defined; ruff keeps it sorted."""
    loaded = {name: import_module(name) for name in modules() if not name.endswith("__main__")}
    listed = {name: getattr(module, "__all__", []) for name, module in loaded.items()}

    assert [name for name, names in listed.items() if len(set(names)) < len(names)] == []
    missing = [(name, one) for name, names in listed.items() for one in names if not hasattr(loaded[name], one)]
    assert missing == []


@pytest.mark.parametrize(
    ("package", "module", "name"),
    [
        ("RLlib", "gymnasium.envs.registration", "_find_spec"),
        ("gym-xarm", "gymnasium.envs.mujoco.mujoco_rendering", "_ALL_RENDERERS"),
        ("SuperSuit", "gymnasium.vector.async_vector_env", "CloudpickleWrapper"),
        ("POSGGym", "gymnasium.utils.passive_env_checker", "_check_box_action_space"),
        ("POSGGym", "gymnasium.utils.passive_env_checker", "_check_box_observation_space"),
        ("POSGGym", "gymnasium.utils.passive_env_checker", "_check_render_return"),
    ],
)
def test_other_packages_find_what_they_import(package: str, module: str, name: str) -> None:
    """They are not of the API."""
    assert hasattr(import_module(module), name), package
