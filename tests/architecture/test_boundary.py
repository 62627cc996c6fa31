"""`gymnasium` is the API and `palaestra` what only we have; the latter imports the former, never the reverse."""

from __future__ import annotations

import ast
from importlib import import_module
from types import ModuleType

import pytest

import gymnasium
from gymnasium._extensions import _EXTENSIONS, is_own_module
from tests.architecture.own_names import BY_NAME, OWN, PARTS
from tests.architecture.source import ROOT, files, module_name, run_python, tree
from tests.architecture.test_light_import import without
from tests.architecture.test_public_names import PUBLIC

# Where modules of `palaestra` are named: the table of what it adds, and the default batches in that of the ids.
NAMING = {"gymnasium._extensions", "gymnasium.envs._registry.builtin", "gymnasium.specs.moved"}


def _named_modules(module: ast.Module) -> set[str]:
    """The modules of `palaestra` that the strings of a module name, docstrings and messages left out."""
    texts = [node.value for node in ast.walk(module) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return {
        text
        for text in texts
        if text.startswith("palaestra.") and text != "palaestra." and " " not in text and "\n" not in text
    }


def test_the_api_names_modules_of_ours_in_its_tables_only() -> None:
    """Import-linter holds the imports; an import by a string would pass it."""
    naming = {module_name(path) for path in files("gymnasium") if _named_modules(tree(path))}

    assert naming <= NAMING


def _loaded_by_name(module: ast.Module) -> set[str]:
    """The modules of ours that the calls of a module load by a constant string."""
    calls = [node for node in ast.walk(module) if isinstance(node, ast.Call) and node.args]
    texts = {
        call.args[0].value
        for call in calls
        if isinstance(call.args[0], ast.Constant)
        and ast.unparse(call.func).rpartition(".")[2] in ("import_module", "load_env_creator", "__import__")
    }
    return {str(text) for text in texts if "." in str(text) and is_own_module(str(text))}


def test_what_is_loaded_by_name_is_listed() -> None:
    """Import-linter and the test of cycles see imports, those in functions included, but no strings."""
    loaded = {module_name(path): _loaded_by_name(tree(path)) for path in files("gymnasium", "palaestra")}

    assert {f"{module}: {text}" for module, texts in loaded.items() for text in texts} == set(BY_NAME)


@pytest.mark.parametrize("name", _EXTENSIONS)
def test_the_table_names_what_exists(name: str) -> None:
    module, _, attribute = _EXTENSIONS[name].partition(":")

    assert hasattr(import_module(module), attribute)


def test_importing_the_api_loads_nothing_of_ours() -> None:
    code = """
import sys, gymnasium, gymnasium.vector, gymnasium.wrappers.vector, gymnasium.utils.env_checker
env = gymnasium.make("CartPole-v1")
env.reset(seed=1)
gymnasium.make_vec("CartPole-v1", 2, vectorization_mode="sync").reset(seed=1)
print(*(name for name in sys.modules if name.partition(".")[0] == "palaestra"))
"""
    assert run_python(code).split() == []


def test_every_environment_runs_without_ours() -> None:
    """One, and batches in sync, the default then; `make test-api` runs all tests of the API so."""
    code = f"""{without({"palaestra"})}
import warnings
import gymnasium
from gymnasium.error import DependencyNotInstalled

warnings.simplefilter("ignore")
for env_id, spec in list(gymnasium.registry.items()):
    ours = str(spec.entry_point).startswith("gymnasium.envs.")
    if not ours or env_id == "Pusher-v4":  # which needs an engine below 3
        continue
    env = gymnasium.make(env_id)
    env.reset(seed=1)
    env.step(env.action_space.sample())
    env.close()
    envs = gymnasium.make_vec(env_id, 2)
    envs.reset(seed=1)
    envs.step(envs.action_space.sample())
    envs.close()
for mode in ("compiled", "ray"):
    try:
        gymnasium.make_vec("CartPole-v1", 2, vectorization_mode=mode)
    except (DependencyNotInstalled, gymnasium.error.Error) as error:
        assert "palaestra" in str(error), error
    else:
        raise AssertionError(mode)
print("kept")
"""
    assert run_python(code).splitlines()[-1:] == ["kept"]


def _of_the_reference() -> dict[str, set[str]]:
    """The public names of the reference's modules, and of each package those of its modules."""
    names: dict[str, set[str]] = {}
    for module, listed in PUBLIC.items():
        parts = module.split(".")
        for depth in range(2, len(parts) + 1) if parts[0] == "gymnasium" else ():
            package = names.setdefault(".".join(parts[:depth]), set())
            package.update(name.rstrip("*") for name in listed)
            package.update(parts[depth : depth + 1])
    return names


def _public_names(module: ModuleType) -> list[str]:
    """Those of its `__all__`, or else what it defines."""
    own = [name for name, value in vars(module).items() if getattr(value, "__module__", None) == module.__name__]
    return [name for name in getattr(module, "__all__", own) if not name.startswith("_")]


def test_the_api_has_no_public_name_of_ours() -> None:
    """A public name that the reference lacks is on the list, with its reason."""
    own = {
        f"{module}.{name}"
        for module, known in _of_the_reference().items()
        for name in _public_names(import_module(module))
        if name not in known
    }

    assert own == set(OWN)
    assert set(gymnasium.__all__) == {name.rstrip("*") for name in PUBLIC["gymnasium"] if name.endswith("*")}


def test_parts_that_the_reference_lacks_are_listed() -> None:
    """The folders and modules right below `gymnasium`."""
    here = {
        path.stem for path in (ROOT / "gymnasium").iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    reference = {module.split(".")[1] for module in PUBLIC if module.startswith("gymnasium.")}

    assert {part for part in here - reference if not part.startswith("_")} == set(PARTS)
